"""quoin matrix: what it says of a file, held against scipy's view or plain arithmetic, and what it refuses."""

import gzip
import json
import re


def write(path, lines):
    path.write_text("\n".join(lines) + "\n")
    return path


def poisson(path, nx, ny):
    """The five-point matrix of -u_xx - u_yy, its lower triangle."""
    entries = []
    for j in range(ny):
        for i in range(nx):
            row = j * nx + i + 1
            entries.append(f"{row} {row} 4")
            if i > 0:
                entries.append(f"{row} {row - 1} -1")
            if j > 0:
                entries.append(f"{row} {row - nx} -1")
    return write(path, ["%%MatrixMarket matrix coordinate real symmetric", "% a comment",
                        f"{nx * ny} {nx * ny} {len(entries)}", *entries])


def test_describes_a_symmetric_matrix(quoin, tmp_path):
    file = poisson(tmp_path / "a.mtx", 7, 5)
    facts = json.loads(quoin("matrix", file, "--json").stdout)
    assert (facts["rows"], facts["columns"]) == (35, 35)
    assert facts["entries"] == 35 + 2 * (6 * 5 + 7 * 4) and facts["entries_in_file"] == 35 + 6 * 5 + 7 * 4
    assert facts["row_entries"] == {"shortest": 3, "median": 4, "longest": 5} and facts["empty_rows"] == 0
    assert facts["bandwidth"] == {"below": 7, "above": 7}
    assert facts["symmetric"] and facts["rows_without_diagonal"] == 0 and facts["dominant_rows"] == 35
    assert facts["csr_bytes"]["double"] == 12 * facts["entries"] + 8 * 36
    result = quoin("matrix", file)
    assert result.returncode == 0 and result.stderr == ""
    assert "35 x 35, 151 entries, of which the file holds 93" in result.stdout
    assert re.search(r"^symmetry +symmetric$", result.stdout, re.M)


def test_reads_what_gzip_has_compressed(quoin, tmp_path):
    plain = poisson(tmp_path / "a.mtx", 4, 3)
    packed = tmp_path / "a.mtx.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert quoin("matrix", packed).stdout == quoin("matrix", plain).stdout


def test_says_what_is_not_symmetric(quoin, tmp_path):
    head = "%%MatrixMarket matrix coordinate real general"
    one_side = write(tmp_path / "one.mtx", [head, "3 3 2", "1 1 1", "1 3 5"])
    assert "none; entries (i,j) without (j,i): 1" in quoin("matrix", one_side).stdout
    assert "0 or missing in 2 of 3 rows" in quoin("matrix", one_side).stdout
    values = write(tmp_path / "values.mtx", [head, "2 2 2", "1 2 1", "2 1 1.25"])
    assert "a(i,j) and a(j,i) differ by 0.25 at most" in quoin("matrix", values).stdout
    wide = write(tmp_path / "wide.mtx", [head, "2 5 1", "2 5 1"])
    assert "symmetry" not in quoin("matrix", wide).stdout


def test_names_the_place_of_a_mistake(quoin, tmp_path):
    file = write(tmp_path / "a.mtx", ["%%MatrixMarket matrix coordinate real general", "3 3 2", "1 1 1", "1 7 5"])
    result = quoin("matrix", file)
    assert result.returncode == 3 and result.stdout == ""
    assert "a.mtx:4:3" in result.stderr and "7" in result.stderr
    assert quoin("matrix", tmp_path / "absent.mtx").returncode == 6


def test_duplicates_are_a_mistake_unless_they_are_to_be_summed(quoin, tmp_path):
    file = write(tmp_path / "a.mtx", ["%%MatrixMarket matrix coordinate real general", "2 2 3", "1 1 1", "2 2 1", "1 1 5"])
    result = quoin("matrix", file)
    assert result.returncode == 3 and "a.mtx:5" in result.stderr and "3" in result.stderr
    facts = json.loads(quoin("matrix", file, "--sum-duplicates", "--json").stdout)
    assert facts["entries"] == 2 and facts["largest_entry"] == 6
