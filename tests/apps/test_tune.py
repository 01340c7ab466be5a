"""`quoin tune`: the fastest settings of a backend are found, kept and used; no bit depends on them."""

import json

import pytest

CASE = """\
problem:
  type: jacobi
  grid: {nodes: [700, 90]}
  source: "sin(3*x)*y"
  boundary: {left: "y"}
method: {tolerance: 1e-7, max_iterations: 100}
output: {directory: result}
"""
TUNE = ["tune", "case.yaml", "--repeats", 2, "--seconds", 0.001, "--force"]


@pytest.fixture
def tuned(quoin, tmp_path, monkeypatch):
    """The cache file of a tuned case; nothing was kept before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "case.yaml").write_text(CASE)
    result = quoin(*TUNE)
    assert result.returncode == 0 and result.stderr == "", result.stderr
    (file,) = (tmp_path / "cache/quoin/tuned").iterdir()
    return file


@pytest.fixture
def run(quoin, tmp_path):
    """run(word, ...): summary.json of the case."""

    def call(*words):
        result = quoin("run", "case.yaml", "--force", *words)
        assert result.returncode in (0, 4), result.stderr
        return json.loads((tmp_path / "result/summary.json").read_text())

    return call


def keep(file, **values):
    """Pretends that these were the fastest."""
    file.write_text(json.dumps({**json.loads(file.read_text()), "values": values}))


def test_every_combination_is_tried_and_the_fastest_kept(quoin, tuned, run, tmp_path):
    report = json.loads((tmp_path / "result-tune/tune.json").read_text())
    assert [row["setting"] for row in report["rows"]] == [
        {"sweep_columns": columns, "sweep_depth": depth} for depth in ("2", "4", "8", "16")
        for columns in ("128", "256", "512")]
    assert report["iterations"] % 16 == 0 and report["backend"] == "serial" and report["device"]
    for row in report["rows"]:
        assert len(row["samples"]) == 2 and row["us_per_iteration"] == pytest.approx(sum(row["samples"]) / 2)
    best = report["rows"][report["best"]]
    assert best["us_per_iteration"] == min(row["us_per_iteration"] for row in report["rows"])
    assert json.loads(tuned.read_text())["values"] == best["setting"]
    summary = run()
    assert summary["tuned"] == {name: int(value) for name, value in best["setting"].items()}
    log = (tmp_path / "result/run.log").read_text()
    assert f"tuned: backend.sweep_depth is {best['setting']['sweep_depth']}" in log


def test_it_goes_where_output_says(quoin, tuned, tmp_path):
    result = quoin(*TUNE, "--output", "elsewhere")
    assert result.returncode == 0 and "\nresults in elsewhere\n" in result.stdout
    assert (tmp_path / "elsewhere/tune.json").exists() and not (tmp_path / "elsewhere-tune").exists()
    assert f"\nthe fastest setting is kept in {tuned.parent}\n" in result.stdout


def test_kept_values_are_used_and_change_no_bit(tuned, run):
    keep(tuned, sweep_depth="4", sweep_columns="128")
    four = run()
    assert four["tuned"] == {"sweep_columns": 128, "sweep_depth": 4}
    keep(tuned, sweep_depth="16", sweep_columns="512")
    sixteen = run()
    tuned.unlink()
    plain = run()
    assert "tuned" not in plain
    passes = [next(row["calls"] for row in summary["kernels"] if row["name"] == "jacobi_sweeps")
              for summary in (four, sixteen, plain)]
    assert passes[0] > 2 * passes[1] and passes[1] == passes[2]
    for hash in ("field_sha256", "history_sha256", "case_sha256"):
        assert four[hash] == sixteen[hash] == plain[hash]


def test_what_the_case_says_comes_first(tuned, run):
    keep(tuned, sweep_depth="4", sweep_columns="128")
    given = run("--backend", "serial", "--set", "backend.sweep_depth=8")
    assert given["tuned"] == {"sweep_columns": 128}
    both = run("--set", "backend={name: serial, sweep_depth: 8, sweep_columns: 48}")
    assert "tuned" not in both and both["field_sha256"] == given["field_sha256"]


@pytest.mark.parametrize("word", ["problem.grid.nodes=[90, 700]", "method.precision=float", "method.variant=fused",
                                  "backend=template"])
def test_other_runs_are_left_alone(tuned, run, word):
    assert "tuned" in run() and "tuned" not in run("--set", word)


@pytest.mark.parametrize("spoil", [
    lambda kept: "{",
    lambda kept: "[]",
    lambda kept: json.dumps({**kept, "key": "of another machine"}),
    lambda kept: json.dumps({**kept, "values": 5}),
    lambda kept: json.dumps({**kept, "values": {"sweep_depth": "8"}}),
    lambda kept: json.dumps({**kept, "values": {"sweep_depth": 8, "sweep_columns": 128}}),
    lambda kept: json.dumps({**kept, "values": {"sweep_depth": "3", "sweep_columns": "128"}}),
], ids=["half", "list", "foreign", "number", "incomplete", "not text", "not a candidate"])
def test_what_is_damaged_is_ignored(tuned, run, spoil):
    tuned.write_text(spoil(json.loads(tuned.read_text())))
    assert "tuned" not in run()


def test_a_backend_that_breaks_its_promise_is_found(quoin, tmp_path, monkeypatch, build):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "case.yaml").write_text(CASE)
    result = quoin(*TUNE, "--backend", "wrong", "--plugin-dir", build / "tests/plugins/wrong")
    assert result.returncode == 1 and "the same bits" in result.stderr and "tuned order" in result.stderr
    assert not (tmp_path / "cache/quoin/tuned").exists()


@pytest.mark.parametrize("words, code, says", [
    (["--backend", "template"], 2, "'template' has nothing to tune"),
    (["--set", "method.variant=classic"], 3, "nothing to tune"),
    (["--set", "backend=[serial, template]"], 2, "--backend"),
    (["--backend", "nonesuch"], 8, "nonesuch"),
    (["--set", "backend={name: serial, sweep_columns: 600}"], 3, "sweep_columns"),
])
def test_what_cannot_be_tuned(quoin, tmp_path, words, code, says):
    (tmp_path / "case.yaml").write_text(CASE)
    result = quoin("tune", "case.yaml", *words)
    assert result.returncode == code and says in result.stderr, result.stderr
    assert not (tmp_path / "result-tune").exists()


def test_a_width_that_is_no_whole_block(quoin, tmp_path):
    (tmp_path / "case.yaml").write_text(CASE)
    result = quoin("run", "case.yaml", "--set", "backend={name: serial, sweep_columns: 100}")
    assert result.returncode == 3 and "multiple of 16" in result.stderr


def test_results_and_a_cache_that_cannot_be_written(quoin, tuned, monkeypatch):
    again = quoin("tune", "case.yaml")
    assert again.returncode == 2 and "--force" in again.stderr
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    lost = quoin("tune", "case.yaml", "--repeats", 1, "--seconds", 0.001, "--force")
    assert lost.returncode == 6 and "cannot be kept" in lost.stderr and "us/iteration" in lost.stdout
