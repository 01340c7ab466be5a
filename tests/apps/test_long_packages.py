"""What Debian's checker says of the packages."""

import os
import subprocess


def test_lintian_finds_no_error(build, tmp_path):
    subprocess.run(["cpack", "--config", build / "CPackConfig.cmake", "-B", tmp_path], check=True, capture_output=True)
    packages = sorted(tmp_path.glob("*.deb"))
    assert len(packages) >= 3
    environment = os.environ | {"LC_ALL": "C.UTF-8"}
    result = subprocess.run(["lintian", "--fail-on", "error", "--allow-root", *packages], text=True,
                            capture_output=True, env=environment)
    assert result.returncode == 0, result.stdout + result.stderr
