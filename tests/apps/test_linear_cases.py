"""Generated matrices, formulas and files of vectors: each matrix is made here once more, by other means, and so is
b - A x of the x that the program wrote."""

import csv
import math
import re

import h5py
import pytest
from conftest import BUILD, SOURCE, results, summary

CASE = """\
problem:
  type: linear-system
  matrix: {matrix}
{more}
method: {{{method}}}
backend: serial
output: {{directory: result}}
"""


def write_case(folder, matrix, *more, method="relative_tolerance: 1e-9"):
    lines = "\n".join(f"  {line}" for line in more)
    (folder / "case.yaml").write_text(CASE.format(matrix=matrix, more=lines, method=method))


def write_vector(file, values):
    lines = ["%%MatrixMarket matrix array real general", f"{len(values)} 1", *(repr(value) for value in values)]
    file.write_text("\n".join(lines) + "\n")


def read_vector(file):
    return [float(line) for line in file.read_text().splitlines()[2:]]


def solved(quoin, *settings, output="result"):
    words = [word for setting in settings for word in ("--set", setting)]
    ran = quoin("run", "case.yaml", *words, "--output", output)
    assert ran.returncode == 0, ran.stderr
    return ran


def norm(values):
    return math.sqrt(math.fsum(value * value for value in values))


def residual(rows, x, b):
    """rows: of each row its entries by their columns."""
    return norm(b[i] - math.fsum(value * x[j] for j, value in row.items()) for i, row in enumerate(rows))


def check_solution(folder, rows, b, tolerance=1e-9):
    """The residual of x is what the program says, and small. Returns x."""
    facts, x = summary(folder), read_vector(folder / "x.mtx")
    assert len(x) == len(rows) == facts["matrix"]["rows"] and facts["matrix"]["entries"] == sum(map(len, rows))
    found = residual(rows, x, b)
    assert found <= 1.01 * tolerance * norm(b) and facts["residual"] == pytest.approx(found, rel=1e-3)
    assert facts["rhs_norm"] == pytest.approx(norm(b), rel=1e-12)
    return x


def grid_rows(nodes, k, factors):
    """-div (k grad u) on nodes at multiples of h = 1 / (nx + 1)."""
    h = 1 / (nodes[0] + 1)
    count = math.prod(nodes)
    rows = []
    for row in range(count):
        node, rest = [], row
        for n in nodes:
            node.append(rest % n)
            rest //= n
        entries = {row: 0.0}
        for axis, factor in enumerate(factors):
            for side in (-1, 1):
                place = [(i + 1) * h for i in node]
                place[axis] += side * h / 2
                coefficient = factor * k(*place)
                entries[row] += coefficient
                if 0 <= node[axis] + side < nodes[axis]:
                    entries[row + side * math.prod(nodes[:axis])] = -coefficient
        rows.append(entries)
    return rows


def positions(nodes):
    h = 1 / (nodes[0] + 1)
    depth = nodes[2] if len(nodes) == 3 else 1
    return [((i + 1) * h, (j + 1) * h, (k + 1) * h)
            for k in range(depth) for j in range(nodes[1]) for i in range(nodes[0])]


@pytest.mark.parametrize("nodes, keys, k, factors", [
    ([13, 9], 'coefficient: "1 + 9*x*y^2"', lambda x, y: 1 + 9 * x * y ** 2, [1, 1]),
    ([13, 9], "anisotropy: [1, 1e-3]", lambda x, y: 1.0, [1, 1e-3]),
    ([7, 9, 5], 'points: 7, anisotropy: [2, 1, 0.5], coefficient: "exp(x) + z*ly/lx + y/(nx + ny)"',
     lambda x, y, z: math.exp(x) + z * 10 / 8 + y / 16, [2, 1, 0.5]),
])
def test_coefficients_are_those_between_nodes(quoin, tmp_path, nodes, keys, k, factors):
    plane = len(nodes) == 2
    formula = "sin(pi*x)*y + 1" if plane else "sin(pi*x)*y + z^2"
    write_case(tmp_path, f"{{generator: poisson, nodes: {nodes}, {keys}}}", f'rhs: {{expression: "{formula}"}}')
    solved(quoin)
    b = [math.sin(math.pi * x) * y + (1 if plane else z ** 2) for x, y, z in positions(nodes)]
    check_solution(tmp_path / "result", grid_rows(nodes, k, factors), b)


def test_a_flow_takes_a_formula_as_well(quoin, tmp_path):
    write_case(tmp_path, "{generator: convection-diffusion, nodes: [6, 4], velocity: [1, -0.5]}",
               'rhs: {expression: "2*there"}', "", method="solver: gmres, relative_tolerance: 1e-9")
    (tmp_path / "case.yaml").write_text('define: {there: "x < 0.5 ? y : nx"}\n' + (tmp_path / "case.yaml").read_text())
    solved(quoin)
    b = [2 * (y if x < 0.5 else 6) for x, y, _ in positions([6, 4])]
    assert summary(tmp_path / "result")["rhs_norm"] == pytest.approx(norm(b), rel=1e-14)


def test_hpcg_is_the_benchmarks_system(quoin, tmp_path):
    """26 on the diagonal, -1 for the neighbours, b = 26 - their number, x = 1."""
    nx, ny, nz = 6, 5, 4
    write_case(tmp_path, f"{{generator: hpcg, nodes: [{nx}, {ny}, {nz}]}}")
    solved(quoin)
    rows = []
    for z in range(nz):
        for y in range(ny):
            for x in range(nx):
                rows.append({(c * ny + b) * nx + a: 26 if (a, b, c) == (x, y, z) else -1
                             for c in range(max(z - 1, 0), min(z + 2, nz)) for b in range(max(y - 1, 0), min(y + 2, ny))
                             for a in range(max(x - 1, 0), min(x + 2, nx))})
    x = check_solution(tmp_path / "result", rows, [26.0 - (len(row) - 1) for row in rows])
    assert x == pytest.approx([1.0] * len(rows), abs=1e-7)
    assert summary(tmp_path / "result")["errors"]["linf"] == max(abs(value - 1) for value in x)
    solved(quoin, "problem.rhs=ones", output="ones")
    assert summary(tmp_path / "ones")["rhs_norm"] == pytest.approx(math.sqrt(nx * ny * nz), rel=1e-15)


class Mersenne:
    """The generator mt19937_64 as its authors define it."""

    def __init__(self, seed):
        self.state = [seed]
        for k in range(1, 312):
            last = self.state[-1]
            self.state.append((6364136223846793005 * (last ^ (last >> 62)) + k) % 2 ** 64)
        self.place = 312

    def __call__(self):
        s = self.state
        if self.place == 312:
            for k in range(312):
                both = (s[k] & 0xFFFFFFFF80000000) | (s[(k + 1) % 312] & 0x7FFFFFFF)
                s[k] = s[(k + 156) % 312] ^ (both >> 1) ^ (0xB5026F5AA96619E9 if both & 1 else 0)
            self.place = 0
        value = s[self.place]
        self.place += 1
        value ^= (value >> 29) & 0x5555555555555555
        value ^= (value << 17) & 0x71D67FFFEDA60000
        value ^= (value << 37) & 0xFFF7EEE000000000
        return value ^ (value >> 43)


def test_a_power_law_is_drawn_alike_everywhere(quoin, tmp_path):
    assert Mersenne(5489)() == 14514284786278117030  # as its authors print it
    count, degree, seed = 300, 8, 17  # nine halvings; 300 is no power of two
    write_case(tmp_path, f"{{generator: power-law, rows: {count}, degree: {degree}, seed: {seed}}}")
    solved(quoin)
    draw, neighbours, drawn = Mersenne(seed), [set() for _ in range(count)], 0
    while drawn < count * degree // 2:
        i = j = 0
        for level in range(9):
            if level % 4 == 0:
                word = draw()
            part, word = word % 2 ** 16, word // 2 ** 16
            quarter = sum(part >= bound for bound in (37356, 49808, 62260))  # 0.57, 0.19, 0.19 and 0.05 of 2^16
            i, j = 2 * i + quarter // 2, 2 * j + quarter % 2
        if i < count and j < count:
            drawn += 1
            if i != j:
                neighbours[i].add(j)
                neighbours[j].add(i)
    rows = [{i: len(row) + 1.0, **dict.fromkeys(row, -1.0)} for i, row in enumerate(neighbours)]
    x = check_solution(tmp_path / "result", rows, [1.0] * count)
    # Not only because x = 1 solves it for any graph.
    write_vector(tmp_path / "b.mtx", [1.0 + k % 7 for k in range(count)])
    write_case(tmp_path, f"{{generator: power-law, rows: {count}, degree: {degree}, seed: {seed}}}", "rhs: {file: b.mtx}")
    solved(quoin, output="uneven")
    assert check_solution(tmp_path / "uneven", rows, [1.0 + k % 7 for k in range(count)]) != x
    lengths = sorted(map(len, rows))
    assert summary(tmp_path / "uneven")["matrix"]["longest_row"] == lengths[-1] > 6 * lengths[count // 2]
    solved(quoin, "problem.matrix.seed=18", output="other")
    assert results(tmp_path / "other") != results(tmp_path / "uneven")


def test_a_solution_of_a_file_is_what_errors_are_measured_by(quoin, tmp_path):
    known = [math.sin(k) for k in range(50)]
    write_vector(tmp_path / "known.mtx", known)
    write_case(tmp_path, "{generator: tridiagonal, rows: 50}", "rhs: {solution_file: known.mtx}")
    solved(quoin)
    rows = [{j: 2.0 if i == j else -1.0 for j in range(max(i - 1, 0), min(i + 2, 50))} for i in range(50)]
    b = [math.fsum(value * known[j] for j, value in row.items()) for row in rows]
    x = check_solution(tmp_path / "result", rows, b)
    assert summary(tmp_path / "result")["errors"]["linf"] == max(abs(u - v) for u, v in zip(x, known))


SOLVERS = ["solver: cg", "solver: bicgstab", "solver: gmres, restart: 6"]


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_run_starts_from_the_given_x(quoin, tmp_path, solver):
    start = [math.cos(k) for k in range(700)]
    write_vector(tmp_path / "x0.mtx", start)
    write_case(tmp_path, "{generator: poisson, nodes: [28, 25]}", "initial: {file: x0.mtx}",
               method=f"{solver}, relative_tolerance: 1e-9")
    solved(quoin)
    rows = grid_rows([28, 25], lambda x, y: 1.0, [1, 1])
    x = check_solution(tmp_path / "result", rows, [1.0] * 700)
    first = residual(rows, start, [1.0] * 700)
    history = list(csv.DictReader((tmp_path / "result/history.csv").open()))
    assert float(history[0]["residual"]) == pytest.approx(first, rel=1e-13) and first > 2 * math.sqrt(700)
    assert summary(tmp_path / "result")["initial_residual"] == float(history[0]["residual"])
    # From the solution there is nothing to do, and x is left as it is.
    write_vector(tmp_path / "x0.mtx", x)
    solved(quoin, output="again")
    assert summary(tmp_path / "again")["iterations"] == 0 and read_vector(tmp_path / "again/x.mtx") == x
    # Zeros of a file are zero.
    write_vector(tmp_path / "x0.mtx", [0.0] * 700)
    solved(quoin, output="zeros")
    write_case(tmp_path, "{generator: poisson, nodes: [28, 25]}", "initial: zero", method=f"{solver}, relative_tolerance: 1e-9")
    solved(quoin, output="zero")
    assert results(tmp_path / "zeros") == results(tmp_path / "zero")


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_run_that_goes_on_does_so_from_where_it_was(quoin, tmp_path, solver):
    write_vector(tmp_path / "x0.mtx", [math.cos(k) for k in range(700)])
    write_case(tmp_path, "{generator: poisson, nodes: [28, 25]}", "initial: {file: x0.mtx}",
               method=f"{solver}, relative_tolerance: 1e-9")
    solved(quoin, output="whole")
    for iterations in 1, 6, 7:
        part = f"part-{iterations}"
        assert quoin("run", "case.yaml", "--set", f"method.max_iterations={iterations}", "--output", part).returncode == 4
        kept = (tmp_path / "x0.mtx").read_text()
        write_vector(tmp_path / "x0.mtx", [1.0] * 700)
        ran = quoin("resume", part, "--set", "method.max_iterations=10000")
        (tmp_path / "x0.mtx").write_text(kept)
        assert ran.returncode == 0, ran.stderr
        assert results(tmp_path / part) == results(tmp_path / "whole")


def test_where_b_is_zero_so_is_x(quoin, tmp_path):
    for name, value in ("b", 0.0), ("x0", 3.0):
        write_vector(tmp_path / f"{name}.mtx", [value] * 9)
    write_case(tmp_path, "{generator: tridiagonal, rows: 9}", "rhs: {file: b.mtx}", "initial: {file: x0.mtx}")
    solved(quoin)
    assert summary(tmp_path / "result")["iterations"] == 0 and read_vector(tmp_path / "result/x.mtx") == [0.0] * 9


def test_starts_and_coefficients_give_the_same_bits_everywhere(quoin, tmp_path):
    write_vector(tmp_path / "x0.mtx", [math.cos(k) for k in range(37 * 31)])
    names = ["serial", "check", "openmp:host", "opencl:pocl"]
    names = [name for name in names if (BUILD / f"lib/quoin/plugins/{name.partition(':')[0]}.so").exists()]
    assert len(names) > 1
    write_case(tmp_path, '{generator: poisson, nodes: [37, 31], coefficient: "1 + x*y", anisotropy: [1, 0.01]}',
               'rhs: {expression: "x - y"}', "initial: {file: x0.mtx}")
    for solver in "cg", "gmres":
        ran = quoin("compare", "case.yaml", "--backends", ",".join(names), "--set", f"method.solver={solver}",
                    "--set", "output.fields.hdf5=true", "--output", solver)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        (bits,) = re.findall(r"^bits (.*)$", ran.stdout, re.M)
        assert bits.split() == ["equal"] * len(names), ran.stdout


@pytest.mark.parametrize("matrix, shape", [
    ("{generator: poisson, nodes: [5, 4]}", (4, 5)), ("{generator: hpcg, nodes: [5, 4, 3]}", (3, 4, 5)),
    ("{generator: arrow, rows: 12}", (12,)),
])
def test_x_is_written_as_hdf5_where_the_case_asks_for_it(quoin, tmp_path, matrix, shape):
    write_case(tmp_path, matrix)
    solved(quoin)
    assert not (tmp_path / "result/x.h5").exists()
    for precision in "double", "float":
        solved(quoin, "output.fields.hdf5=true", f"method.precision={precision}", "method.relative_tolerance=1e-5",
               output=precision)
        with h5py.File(tmp_path / precision / "x.h5") as file:
            values = file["fields/x"]
            assert values.shape == shape and list(values[...].ravel()) == read_vector(tmp_path / precision / "x.mtx")
        assert "x.h5" in (tmp_path / precision / "files.txt").read_text()


POISSON = "{generator: poisson, nodes: [4, 3]}"


@pytest.mark.parametrize("matrix, more, where, said", [
    ('{generator: poisson, nodes: [7, 3], coefficient: "1 - 2*x"}', [], "3:60",
     "'1 - 2*x' is -0.125 at x = 0.5625, y = 0.125; it must be positive and finite half way between nodes"),
    ('{generator: poisson, nodes: [3, 3], coefficient: "1/(x - 0.625)^2"}', [], "3:60", "is inf at x = 0.625, y = 0.25;"),
    ('{generator: poisson, nodes: [3, 3], coefficient: "1 + z"}', [], "3:60", "there is no z; use x and y"),
    ('{generator: poisson, nodes: [3, 3], coefficient: "1 + t"}', [], "3:65", "t is the time"),
    ('{generator: poisson, nodes: [3, 3], coefficient: "1 +"}', [], "3:63", "the formula ends too early"),
    ('{generator: poisson, nodes: [3, 3], points: 9, coefficient: "1"}', [], "3:", "give problem.matrix.points: 5"),
    ("{generator: poisson, nodes: [3, 3, 3], points: 27, anisotropy: [1, 1, 2]}", [], "3:", "give problem.matrix.points: 7"),
    ("{generator: poisson, nodes: [3, 3], anisotropy: [1, 1, 2]}", [], "3:", "3 factors for a grid along 2 axes"),
    ("{generator: poisson, nodes: [3, 3], anisotropy: [1, 0]}", [], "3:", "allowed: "),
    ("{generator: hpcg, nodes: [3, 3]}", [], "3:", "hpcg is a problem in space: give 3 integers"),
    ("{generator: power-law, rows: 30}", [], "3:3", "missing key 'degree'"),
    ("{generator: power-law, rows: 30, degree: 2, seed: -1}", [], "3:", "'problem.matrix.seed' is '-1'; allowed: "),
    ("{generator: arrow, rows: 30, seed: 3}", [], "3:", "needs 'problem.matrix.generator' to be power-law, not 'arrow'"),
    (POISSON, ['rhs: {expression: "1/(x - 0.4)"}'], "4:21", "is inf at node (1, 0), x = 0.4, y = 0.2; it must be finite at every node"),
    (POISSON, ['rhs: {expression: "x", solution: ones}'], "4:3", "give one of problem.rhs.file, problem.rhs.expression"),
    (POISSON, ["rhs: {solution_file: none.mtx}"], None, "none.mtx"),
    (POISSON, ["initial: {file: five.mtx}"], "4:19", "five.mtx holds 5 values for a matrix of 12 rows"),
    (POISSON, ["rhs: {solution_file: five.mtx}"], "4:24", "five.mtx holds 5 values for a matrix of 12 rows"),
    (POISSON, ["initial: {file: five.mtx, values: zero}"], "4:3", "give one of problem.initial.file and"),
    (POISSON, ["initial: one"], "4:12", "zero"),
    ("{generator: arrow, rows: 5}", ['rhs: {expression: "x"}'], "4:21", "a formula needs nodes"),
])
def test_mistakes_are_said_with_their_place(quoin, tmp_path, matrix, more, where, said):
    write_vector(tmp_path / "five.mtx", [1.0] * 5)
    write_case(tmp_path, matrix, *more)
    for command in "check", "run":
        ran = quoin(command, "case.yaml")
        assert ran.returncode == (6 if where is None else 3) and said in ran.stderr, ran.stderr
        assert where is None or f"case.yaml:{where}" in ran.stderr, ran.stderr
    assert not (tmp_path / "result").exists()


def test_z_is_a_coordinate_but_of_flows(quoin, tmp_path):
    define = "define: {z: 1 + x}\n"
    write_case(tmp_path, POISSON, 'rhs: {expression: "z"}')
    for text in (tmp_path / "case.yaml").read_text(), "problem: {type: jacobi, grid: {nodes: [4, 4]}, source: z}\n":
        (tmp_path / "case.yaml").write_text(define + text)
        ran = quoin("check", "case.yaml")
        assert ran.returncode == 3 and "1:10: error: 'z' in 'define' cannot be defined" in ran.stderr
    case = (SOURCE / "configs/dgcvs/adv-sin-p1-quad-10.yaml").read_text()
    (tmp_path / "case.yaml").write_text(define + case)
    assert quoin("check", "case.yaml").returncode == 0
