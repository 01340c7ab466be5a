"""The list of faults beside their tests is that of the tests, and no row of it is without one."""

import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["QUOIN_SOURCE_DIR"])


def test_the_list_is_that_of_the_tests():
    result = subprocess.run([sys.executable, "-B", SOURCE / "tests/faults/table.py", "--check"], capture_output=True,
                            text=True)
    assert result.returncode == 0, result.stderr


def test_rows_and_marks_are_counted(monkeypatch):
    monkeypatch.syspath_prepend(SOURCE / "tests/faults")
    import table
    cases = {(1, "a.py"): 2, (1, "b.cpp"): 1, **{(row, "a.py"): 1 for row in range(3, 46)}}
    assert len(table.ROWS) == 45 and table.untested(cases) == {2}
    lines = table.text_of(cases).splitlines()
    assert any(line.startswith("| 1 |") and line.endswith("| [a.py](../a.py) 2, [b.cpp](../b.cpp) 1 | 3 |") for line in lines)
    assert any(line.startswith("| 2 |") and line.endswith("| none yet | 0 |") for line in lines)
    assert table.IN_CPP.findall("// rows 3, 17\nTEST_F(A, B) {\n\n// row 5\nTEST(C, D) {\n// row 6\nint x;\n") == [
        ("3, 17", "A", "B"), ("5", "C", "D")]
