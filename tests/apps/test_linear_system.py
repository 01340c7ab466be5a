"""Linear systems as a user solves them: what the program reports is recomputed from what it wrote."""

import csv
import math
import re
import struct

import pytest
from conftest import BUILD, results, summary

PLUGINS = BUILD / "lib/quoin/plugins"
CASE = """\
problem:
  type: linear-system
  matrix: {matrix}
  rhs: {rhs}
method: {{{method}}}
backend: serial
output: {{directory: result}}
"""


def write_case(folder, matrix="a.mtx", rhs="ones", method="relative_tolerance: 1e-9"):
    (folder / "case.yaml").write_text(CASE.format(matrix=matrix, rhs=rhs, method=method))


def write_matrix(file, entries, rows, columns=None, kind="general"):
    lines = [f"%%MatrixMarket matrix coordinate real {kind}", f"{rows} {columns or rows} {len(entries)}",
             *(f"{i} {j} {value!r}" for i, j, value in entries)]
    file.write_text("\n".join(lines) + "\n")


def stiff(rows):
    """A symmetric, positive definite matrix whose diagonal varies by a factor of 100."""
    entries = []
    for i in range(1, rows + 1):
        entries.append((i, i, 4.0 * 10.0 ** (2.0 * ((i * 37) % rows) / rows)))
        for j in {i + 1, i + 7}:
            if j <= rows:
                entries += [(i, j, -1.0 / (1 + i % 3)), (j, i, -1.0 / (1 + i % 3))]
    return entries


def field(folder, name="x"):
    """The values of a .vti, which end the file as raw doubles behind an underscore."""
    data = (folder / f"{name}.vti").read_bytes()
    start = data.index(b"_", data.index(b"<AppendedData")) + 1
    (size,) = struct.unpack_from("<Q", data, start)
    return struct.unpack_from(f"<{size // 8}d", data, start + 8)


def test_the_residual_is_that_of_the_solution_it_wrote(quoin, tmp_path):
    entries = stiff(300)
    write_matrix(tmp_path / "a.mtx", entries, 300)
    write_case(tmp_path, method="relative_tolerance: 1e-9, format: csr")
    assert quoin("run", "case.yaml").returncode == 0
    facts, x = summary(tmp_path / "result"), field(tmp_path / "result")
    r = [1.0] * 300
    for i, j, value in entries:
        r[i - 1] -= value * x[j - 1]
    residual = math.sqrt(math.fsum(value * value for value in r))
    assert residual <= 1e-9 * math.sqrt(300) and facts["residual"] == pytest.approx(residual, rel=1e-4)
    assert facts["rhs_norm"] == pytest.approx(math.sqrt(300), rel=1e-15) == facts["initial_residual"]
    pattern, lengths = (facts["matrix"].pop(key) for key in ("pattern", "row_lengths"))
    assert len(pattern) == 64 and sum(lengths) == 300
    assert facts["matrix"] == {"rows": 300, "entries": len(entries), "longest_row": 5, "format": "csr", "shared": 0.0,
                               "bytes": 12 * len(entries) + 8 * 301}
    assert [float(line) for line in (tmp_path / "result/x.mtx").read_text().splitlines()[2:]] == list(x)
    rows = list(csv.DictReader((tmp_path / "result/history.csv").open()))
    assert [int(row["iteration"]) for row in rows] == list(range(facts["iterations"] + 1))
    assert float(rows[-1]["residual"]) == facts["residual_recurrence"]


FLOW = "{generator: convection-diffusion, nodes: [37, 41], velocity: [0.4, -0.2]}"


@pytest.mark.parametrize("matrix, solver", [
    ("{generator: poisson, nodes: [37, 41]}", "cg"), ("{generator: arrow, rows: 3000}", "cg"),
    (FLOW, "bicgstab"), (FLOW, "gmres"), (FLOW, "cgs"), (FLOW, "bicg"), ("{generator: arrow, rows: 3000}", "richardson"),
])
def test_every_backend_gives_the_same_bits(quoin, tmp_path, matrix, solver):
    write_case(tmp_path, matrix, "{solution: random}", f"solver: {solver}")
    names = ["serial", "check", "template", "worker", "openmp:host", "openmp:x86-64", "opencl:pocl"]
    names = [name for name in names if (PLUGINS / f"{name.partition(':')[0]}.so").exists()]
    assert len(names) > 4
    for precision, tolerance in [("double", "1e-9"), ("float", "1e-3")]:
        ran = quoin("compare", "case.yaml", "--backends", ",".join(names), "--set", f"method.precision={precision}",
                    "--set", f"method.relative_tolerance={tolerance}", "--output", precision)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        (bits,) = re.findall(r"^bits (.*)$", ran.stdout, re.M)
        assert bits.split() == ["equal"] * len(names), ran.stdout


@pytest.mark.parametrize("solver, stops", [
    ("solver: cg", [1, 2, 3, 7]), ("solver: bicgstab", [1, 2, 4]), ("solver: gmres, restart: 6", [1, 5, 6, 7]),
    ("solver: cgs", [1, 2, 3]), ("solver: bicg", [1, 2, 3]), ("solver: richardson, damping: 0.9", [1, 2, 3]),
])
def test_a_run_that_is_stopped_goes_on_to_the_same_bits(quoin, tmp_path, solver, stops):
    write_matrix(tmp_path / "a.mtx", stiff(500), 500)
    write_case(tmp_path, rhs="{solution: random}", method=f"relative_tolerance: 1e-9, {solver}")
    assert quoin("run", "case.yaml", "--output", "whole").returncode == 0
    for iterations in stops:
        part = f"part-{iterations}"
        ran = quoin("run", "case.yaml", "--set", f"method.max_iterations={iterations}", "--output", part)
        assert ran.returncode == 4 and "the norm of b - A x is" in ran.stdout + ran.stderr
        ran = quoin("resume", part, "--set", "method.max_iterations=10000")
        assert ran.returncode == 0, ran.stderr
        assert results(tmp_path / part) == results(tmp_path / "whole")


@pytest.mark.parametrize("matrix, solver, equal", [
    ("{generator: poisson, nodes: [30, 31]}", "cg", True), (FLOW, "cgs", True), (FLOW, "bicg", True),
    ("{generator: arrow, rows: 900}", "richardson", True), (FLOW, "bicgstab", False), (FLOW, "gmres, restart: 60", False),
])
def test_a_run_that_has_converged_goes_on_with_a_smaller_tolerance(quoin, tmp_path, matrix, solver, equal):
    """From where it was, or from a new start where its last iteration is not complete."""
    write_case(tmp_path, matrix, "{solution: random}", f"solver: {solver}, relative_tolerance: 1e-9")
    assert quoin("run", "case.yaml", "--output", "whole").returncode == 0
    whole = summary(tmp_path / "whole")
    for tolerance in ("1e-2", "1e-4"):
        assert quoin("run", "case.yaml", "--set", f"method.relative_tolerance={tolerance}", "--output",
                     tolerance).returncode == 0
        assert summary(tmp_path / tolerance)["iterations"] < whole["iterations"]
        ran = quoin("resume", tolerance, "--set", "method.relative_tolerance=1e-9")
        assert ran.returncode == 0, ran.stderr
        assert summary(tmp_path / tolerance)["iterations"] < 2 * whole["iterations"]
        if equal:
            assert results(tmp_path / tolerance) == results(tmp_path / "whole")


def test_formats_differ_in_memory_alone(quoin, tmp_path):
    write_case(tmp_path, "{generator: poisson, nodes: [64, 50]}", "{solution: random}")
    entries = 5 * 64 * 50 - 2 * (64 + 50)
    found = {}
    for name, settings in [("csr", ["format=csr"]), ("sell-off", ["format=sell", "share=off"]),
                           ("sell-on", ["format=sell", "share=on"]), ("auto", []), ("ell", ["format=ell"]), ("coo", ["format=coo"]),
                           ("hybrid", ["format=hybrid"])]:
        settings = [word for setting in settings for word in ("--set", f"method.{setting}")]
        assert quoin("run", "case.yaml", *settings, "--output", name).returncode == 0
        found[name] = summary(tmp_path / name)["matrix"]
        assert results(tmp_path / name) == results(tmp_path / "csr")
    refused = quoin("run", "case.yaml", "--set", "method.format=csr", "--set", "method.share=on", "--output", "none")
    assert refused.returncode == 3 and "method.share" in refused.stderr
    for facts in found.values():
        assert facts.pop("row_lengths") == [0, 0, 0, 2 * (62 + 48) + 4, 62 * 48]
        assert len(facts.pop("pattern")) == 64
    assert found["csr"] == {"rows": 3200, "entries": entries, "longest_row": 5, "format": "csr", "shared": 0.0,
                                 "bytes": 12 * entries + 8 * 3201}
    # Two slices to a row of nodes, four steps in the lowest and the highest of them, five in the others: of each step
    # 32 values, and an offset and a mask; of each slice two places and two numbers.
    steps = 2 * (2 * 4 + 48 * 5)
    assert found["sell-off"]["bytes"] == steps * (32 * 8 + 2 * 4) + 100 * 24 and found["sell-off"]["shared"] == 0.0
    assert found["sell-on"]["shared"] == 0.94 and found["sell-on"]["bytes"] < found["sell-off"]["bytes"] / 10
    assert found["auto"] == found["sell-on"]
    # Five places for each row, or a column and a row for each entry; runs are of six rows of five entries but where
    # there are fewer. Of four rows in five, all entries are in the columns of a hybrid.
    assert found["ell"]["bytes"] == 12 * 5 * 3200 and found["ell"]["format"] == "ell"
    assert 16 * entries + 8 * (entries // 32) < found["coo"]["bytes"] < 16 * entries + 8 * (entries // 26)
    assert found["hybrid"] == found["ell"] | {"format": "hybrid"} and found["coo"]["format"] == "coo"


@pytest.mark.parametrize("format, instead", [("sell", "csr"), ("ell", "hybrid")])
def test_a_format_is_refused_where_it_would_store_nearly_nothing_else_than_gaps(quoin, tmp_path, format, instead):
    entries = [(i, i, 2.0) for i in range(1, 2001)]
    entries += [(i, j, 0.01) for i in range(1, 2001, 32) for j in range(1, 26) if i != j]
    write_matrix(tmp_path / "a.mtx", entries, 2000)
    write_case(tmp_path, method=f"solver: gmres, format: {format}")
    ran = quoin("run", "case.yaml")
    assert ran.returncode == 3 and re.search(
        rf"case\.yaml:\d+:\d+: error: {format} would store \d+\.\d values .* use auto or {instead}\n", ran.stderr)
    assert quoin("run", "case.yaml", "--set", f"method.format={instead}").returncode == 0
    assert summary(tmp_path / "result")["matrix"]["format"] == instead
    assert quoin("run", "case.yaml", "--set", "method.format=auto", "--force").returncode == 0
    assert summary(tmp_path / "result")["matrix"]["format"] == "csr"
    # The other way round it is the transpose that has them.
    write_matrix(tmp_path / "a.mtx", [(j, i, value) for i, j, value in entries], 2000)
    assert quoin("run", "case.yaml", "--output", "transposed").returncode == 0
    ran = quoin("run", "case.yaml", "--set", "method.solver=bicg", "--output", "none")
    assert ran.returncode == 3 and "values for each entry of the transpose of this matrix" in ran.stderr


@pytest.mark.parametrize("solver", ["bicgstab", "gmres", "cgs", "bicg"])
def test_the_residual_of_a_flow_is_that_of_the_solution(quoin, tmp_path, solver):
    """The matrix is made here once more, node by node, and so is b - A x."""
    write_case(tmp_path, FLOW, method=f"solver: {solver}, relative_tolerance: 1e-10")
    assert quoin("run", "case.yaml").returncode == 0
    facts, x = summary(tmp_path / "result"), field(tmp_path / "result")
    nx, ny, u, v = 37, 41, 0.4, -0.2

    def at(i, j):
        return x[j * nx + i] if 0 <= i < nx and 0 <= j < ny else 0.0

    r = [1.0 - ((4 + abs(u) + abs(v)) * at(i, j) - (1 + max(u, 0)) * at(i - 1, j) - (1 + max(-u, 0)) * at(i + 1, j)
                - (1 + max(v, 0)) * at(i, j - 1) - (1 + max(-v, 0)) * at(i, j + 1)) for j in range(ny) for i in range(nx)]
    residual = math.sqrt(math.fsum(value * value for value in r))
    assert residual <= 1.001e-10 * math.sqrt(nx * ny) and facts["residual"] == pytest.approx(residual, rel=1e-3)


@pytest.mark.parametrize("solver", ["bicgstab", "cgs", "bicg"])
def test_a_breakdown_is_said_after_other_starts(quoin, tmp_path, solver):
    write_matrix(tmp_path / "a.mtx", [(1, 2, 1.0), (2, 1, -1.0)], 2)
    write_case(tmp_path, method=f"solver: {solver}, preconditioner: none")
    ran = quoin("run", "case.yaml")
    assert ran.returncode == 5 and "breaks down in iteration 1: the matrix times the direction" in ran.stderr
    assert summary(tmp_path / "result")["breakdown_restarts"] == 3


@pytest.mark.parametrize("solver", ["cgs", "bicg"])
def test_another_start_solves_what_broke_down(quoin, tmp_path, solver):
    write_matrix(tmp_path / "a.mtx", [(1, 1, 1.0), (2, 1, 1.0), (2, 2, 2.0)], 2)
    write_matrix(tmp_path / "b.mtx", [(1, 1, 1.0)], 2, 1)
    write_case(tmp_path, rhs="{file: b.mtx}", method=f"solver: {solver}, preconditioner: none")
    assert quoin("run", "case.yaml").returncode == 0
    assert summary(tmp_path / "result")["breakdown_restarts"] == 1
    assert field(tmp_path / "result") == (1.0, -0.5)


def test_a_method_that_needs_a_transpose_takes_what_has_one(quoin, tmp_path):
    write_case(tmp_path, FLOW, method="solver: bicg, preconditioner: jacobi")
    for preconditioner in ("block-jacobi", "ilu", "amg"):
        for command in ("check", "run"):
            ran = quoin(command, "case.yaml", "--set", f"method.preconditioner={preconditioner}")
            assert ran.returncode == 3 and f"there is none of {preconditioner}; use jacobi" in ran.stderr
            assert not (tmp_path / "result").exists()
    for preconditioner in ("none", "jacobi"):
        ran = quoin("run", "case.yaml", "--set", f"method.preconditioner={preconditioner}", "--output", preconditioner)
        assert ran.returncode == 0


def test_a_damping_is_of_richardson_and_positive(quoin, tmp_path):
    write_case(tmp_path, "{generator: tridiagonal, rows: 30}", method="solver: richardson, preconditioner: none")
    ran = quoin("run", "case.yaml")
    assert ran.returncode == 5 and "use a smaller method.damping" in ran.stderr
    assert quoin("run", "case.yaml", "--set", "method.damping=0.5", "--output", "damped").returncode == 0
    for setting, said in [("damping=0", "method.damping"), ("solver=cg", "method.damping")]:
        ran = quoin("run", "case.yaml", "--set", "method.damping=0.5", "--set", f"method.{setting}", "--output", "none")
        assert ran.returncode == 3 and said in ran.stderr, ran.stderr


def test_duplicates_are_summed_where_the_case_says_so(quoin, tmp_path):
    write_matrix(tmp_path / "a.mtx", [(1, 1, 1.5), (2, 2, 4.0), (1, 1, 0.5)], 2)
    write_case(tmp_path)
    refused = quoin("run", "case.yaml")
    assert refused.returncode == 3 and "a.mtx:5:1" in refused.stderr
    write_case(tmp_path, "{file: a.mtx, duplicates: sum}")
    assert quoin("run", "case.yaml").returncode == 0
    assert field(tmp_path / "result") == (0.5, 0.25)


@pytest.mark.parametrize("entries, columns, method, code, said", [
    ([(1, 1, 1.0), (1, 2, 5.0), (2, 2, 1.0)], None, "", 3, "entries a(i, j) without a(j, i): 1; cg needs"),
    ([(1, 1, 1.0), (1, 2, 5.0), (2, 1, 4.0), (2, 2, 1.0)], None, "", 3, "differ by up to 1; cg needs"),
    ([(1, 1, 1.0)], 3, "", 3, "a matrix of 2 rows and 3 columns"),
    ([(1, 1, 1.0)], None, "", 3, "row 2 of the matrix has 0 on its diagonal, so that"),
    ([(1, 1, 1.0)], None, "solver: gmres", 3, "row 2 of the matrix has 0 on its diagonal, which jacobi divides by"),
    ([(1, 1, 1.0), (2, 2, -1.0)], None, "preconditioner: none", 3, "row 2 of the matrix has -1 on its diagonal, so that"),
    ([(1, 1, 1.0), (1, 2, -2.0), (2, 1, -2.0), (2, 2, 1.0)], None, "preconditioner: none", 5,
     "the matrix is not positive definite: p'Ap = -2 in iteration 1"),
])
def test_what_cannot_be_solved_is_said(quoin, tmp_path, entries, columns, method, code, said):
    write_matrix(tmp_path / "a.mtx", entries, 2, columns)
    write_case(tmp_path, method=method)
    ran = quoin("run", "case.yaml")
    assert ran.returncode == code and said in ran.stderr, ran.stderr
    if code == 3:
        checked = quoin("check", "case.yaml")
        assert checked.returncode == 3 and said in checked.stderr
        assert re.search(r"case\.yaml:\d+:\d+: ", checked.stderr)


@pytest.mark.parametrize("problem, said", [
    ("{}", "give either problem.matrix.file or problem.matrix.generator"),
    ("{file: a.mtx, generator: arrow, rows: 5}", "give either problem.matrix.file or problem.matrix.generator"),
    ("{file: missing.mtx}", "missing.mtx"),
    ("{generator: poisson, nodes: [4]}", "2 to 3 integers"),
    ("{generator: poisson, nodes: [4, 4, 4], points: 5}", "with 3 numbers of nodes a stencil has 7 or 27 points"),
    ("{generator: poisson, nodes: [2000000, 2000000, 2000000]}", "it may have 1 to"),
    ("{generator: poison, nodes: [4, 4]}", "did you mean 'poisson'?"),
])
def test_mistakes_of_the_case_are_said_with_their_place(quoin, tmp_path, problem, said):
    write_matrix(tmp_path / "a.mtx", [(1, 1, 1.0)], 1)
    write_case(tmp_path, problem)
    ran = quoin("run", "case.yaml")
    assert ran.returncode in (3, 6) and said in ran.stderr, ran.stderr
    assert not (tmp_path / "result").exists()


def test_a_right_hand_side_of_another_length_is_refused(quoin, tmp_path):
    write_case(tmp_path, "{generator: tridiagonal, rows: 4}", "{file: b.mtx}")
    (tmp_path / "b.mtx").write_text("%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n")
    ran = quoin("run", "case.yaml")
    assert ran.returncode == 3 and "b.mtx holds 3 values for a matrix of 4 rows" in ran.stderr


def test_what_a_run_needs_is_known_before(quoin, tmp_path):
    write_case(tmp_path, "{generator: poisson, nodes: [30000, 30000]}")
    ran = quoin("run", "case.yaml")
    assert ran.returncode == 3 and "GiB of host memory" in ran.stderr, ran.stderr
