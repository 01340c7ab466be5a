"""What the guides say of sanitizers, whose runs take a minute and more."""

from test_docs import WHEN_INSTALLED, WHEN_LONG
from test_install import backend_by_guide


def test_a_backend_under_the_thread_sanitizer(prefix, case, tmp_path, quick_compiler):
    followed = backend_by_guide(prefix, tmp_path, "worker", {WHEN_INSTALLED, WHEN_LONG}, quick_compiler)
    assert "-fsanitize=thread" in followed[-1]
