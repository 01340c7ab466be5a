"""What case files are refused for (rows 1 to 4 and 6 of the list of faults): exit code 3, the place, nothing on disk."""

import pytest

BOMB = "a: &a [x, x]\n" + "".join(f"{chr(98 + k)}: &{chr(98 + k)} [*{chr(97 + k)}, *{chr(97 + k)}]\n" for k in range(20))

# What is changed in the small case, where it is found, and what is said.
CHANGED = [
    pytest.param("tolerance", "tolerence", "9:10", "did you mean", marks=pytest.mark.row(1), id="misspelt key"),
    pytest.param("  type: jacobi\n", "", "", "type", marks=pytest.mark.row(1), id="missing key"),
    pytest.param("20000", "many", "9:44", "max_iterations", marks=pytest.mark.row(1), id="wrong type"),
    pytest.param("1e-11", "-1", "9:21", "allowed", marks=pytest.mark.row(1), id="out of range"),
    pytest.param("backend: serial", "backend: serial\nbackend: serial", "11:1", "backend", marks=pytest.mark.row(2),
                 id="duplicate key"),
    pytest.param("backend: serial", "---\nbackend: serial", "10:1", "one doc", marks=pytest.mark.row(2),
                 id="second document"),
    pytest.param("backend: serial", "backend: \0", "10:10", "control character", marks=pytest.mark.row(2), id="NUL byte"),
    pytest.param("backend: serial", "backend: \udcff", "10:10", "byte 0x", marks=pytest.mark.row(2), id="bad UTF-8"),
    pytest.param("  type", "\ttype", "2:1", "a tab", marks=pytest.mark.row(2), id="tab indent"),
    pytest.param("20000", "010", "9:44", "", marks=pytest.mark.row(4), id="octal"),
    pytest.param("1e-11", "1e400", "9:21", "", marks=pytest.mark.row(4), id="too large"),
    pytest.param("1e-11", ".nan", "9:21", "", marks=pytest.mark.row(4), id="not a number"),
    pytest.param("20000", "12345678901234567890", "9:44", "", marks=pytest.mark.row(4), id="20 digits"),
    pytest.param("[30, 20]", "[-1, 20]", "3:18", "", marks=pytest.mark.row(4), id="size -1"),
    pytest.param("[30, 20]", "[0, 20]", "3:18", "", marks=pytest.mark.row(4), id="size 0"),
    pytest.param('source: "0"', 'source: "x=3"', "5:", "", marks=pytest.mark.row(6), id="assignment"),
    pytest.param('source: "0"', f'source: "{"(" * 200000}x"', "5:12", "", marks=pytest.mark.row(6), id="parentheses"),
    pytest.param('source: "0"', f'source: "{"(" * 300000}x"', "1:1", "larger than", marks=pytest.mark.row(6),
                 id="more parentheses than a file holds"),
    pytest.param('source: "0"', 'source: "1+t"', "5:14", "t is the time, which this problem does not have",
                 marks=pytest.mark.row(6), id="time where there is none"),
    pytest.param('source: "0"', "source: x < 0 ? 1 : 2", "5:11", 'into quotes', marks=pytest.mark.row(6),
                 id="conditional without quotes"),
    pytest.param("type: jacobi", "type: poisson", "2:9", "did you mean 'jacobi'?", marks=pytest.mark.row(1),
                 id="name of the equation"),
    pytest.param('source: "0"', 'source: "1+w"', "5:14", "unknown name 'w'", marks=pytest.mark.row(6), id="unknown name"),
]


def refused(quoin, case, place, words):
    result = quoin("run", case.name, errors="replace")
    assert result.returncode == 3, result.stderr[:2000]
    assert f"case.yaml:{place}" in result.stderr and "error: " in result.stderr, result.stderr[:2000]
    assert words in result.stderr, result.stderr[:2000]
    assert [entry.name for entry in case.parent.iterdir()] == ["case.yaml"]


@pytest.mark.parametrize("old, new, place, words", CHANGED)
def test_change_is_refused(quoin, case, old, new, place, words):
    text = case.read_text()
    assert old in text
    case.write_bytes(text.replace(old, new, 1).encode(errors="surrogateescape"))
    refused(quoin, case, place, words)


@pytest.mark.row(3)
@pytest.mark.parametrize("text", [BOMB, "problem: &p [*p]\n", "[" * 1000000], ids=["bomb", "self-alias", "brackets"])
def test_nesting_is_refused(quoin, case, text):
    case.write_text(text)
    refused(quoin, case, "1:", "")
