"""Commands that do little load little. Modules are counted, not seconds: those depend on who else uses the machine."""

import json
import os
import subprocess
import sys

import pytest

HEAVY = ("numpy", "pyarrow", "polars", "pandas", "matplotlib", "distributed", "optuna", "PIL", "pydantic")
COUNT = """
import json, sys
sys.argv = json.loads(sys.argv[1])
before = set(sys.modules)
try:
    if sys.argv[1:] == ["import"]:
        import congestree
    else:
        from congestree.cli import main
        main()
except SystemExit as end:
    assert not end.code, end.code
print("\\n" + json.dumps(sorted(set(sys.modules) - before)))
"""


def loaded(tmp_path, *arguments, program="congestree", **environment):
    """What a command loads: which of the heavy libraries, and how many modules; how many of congestree's own."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT, json.dumps([program, *map(str, arguments)])],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1", **environment},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    modules = json.loads(done.stdout.splitlines()[-1])
    own = sum(m.partition(".")[0] == "congestree" for m in modules)
    return {m for m in HEAVY if m in modules}, len(modules), own


def test_import_congestree_loads_hardly_anything(tmp_path):
    heavy, count, _ = loaded(tmp_path, "import")
    assert not heavy and count < 30, count


@pytest.mark.parametrize(
    "command", ["import congestree", "congestree --help", "congestree check hot-spot", "congestree run hot-spot"]
)
def test_the_page_about_installing_has_the_number_of_modules(tmp_path, root, command):
    """Within 5 %. Those of libraries depend on their versions: congestree's own are compared."""
    stored = json.loads((root / "docs/data/trust/installed.json").read_text())["loads"][command]["own_modules"]
    program, *words = command.split()
    *_, own = loaded(tmp_path, *(["import"] if program == "import" else words))
    again = "python tools/experiments/installed.py docs/data/trust/installed.json, in an environment with the wheel"
    assert abs(own - stored) <= max(1, 0.05 * stored), f"{own} of congestree, {stored} on the page: {again}"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"], ["--version"], ["run", "--help"], ["check", "hot-spot"], ["cost", "hot-spot"], ["schema"],
        ["list", "scenarios"], ["list", "papers"], ["list", "parts"], ["doctor", "--no-bench"],
        ["cc", "read", "--help"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_commands_without_results_load_no_heavy_library(tmp_path, arguments):
    heavy, count, _ = loaded(tmp_path, *arguments)
    assert not heavy
    assert count < 500, count


def test_a_run_loads_what_writes_tables_and_nothing_that_draws(tmp_path, small):
    heavy, count, _ = loaded(tmp_path, "run", small, "--out", tmp_path / "run")
    assert heavy == {"numpy", "pyarrow"}
    assert count < 800, count


def test_flows_that_come_and_go_are_told_without_pandas(tmp_path):
    (tmp_path / "flows.toml").write_text(
        'topology.single-switch.hosts = 4\nlinks.rate = "100 Gbit/s"\n'
        'measure = { duration = "50 us", probes = ["completions"] }\n[[traffic]]\nfrom = "all"\npattern = "uniform"\n'
        'flows = "by-message"\nmessage = "20 kB"\narrivals.poisson.load = 0.4\n'
    )
    heavy, *_ = loaded(tmp_path, "run", "flows.toml", "--out", "run")
    assert heavy == {"numpy", "pyarrow"}


@pytest.mark.parametrize("arguments", [["plot"], ["report", "--out", "page.html"]], ids=lambda words: words[0])
def test_what_reads_a_run_does_not_load_pandas(tmp_path, small, arguments):
    loaded(tmp_path, "run", small, "--out", "run")
    command, *options = arguments
    heavy, *_ = loaded(tmp_path, command, "run", *options)
    assert "matplotlib" in heavy and "pandas" not in heavy and "distributed" not in heavy


def test_a_run_answers_before_it_draws(tmp_path, small):
    """Tables first: a user who waits for the figures has the numbers in the meantime."""
    code = (
        "import sys; from congestree.cli import main; from congestree import plots\n"
        "plots.draw_all = lambda run, folder: print('matplotlib' in sys.modules, 'drawing') or []\n"
        "sys.argv = ['congestree', *sys.argv[1:]]; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "run", str(small), "--out", "run", "--plot"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    said, drawing = done.stdout.split("drawing")[0], done.stdout.splitlines()[-1]
    assert "results: run" in said and drawing == "False drawing"


def pictures(folder):
    return {path.name: path.read_bytes() for path in (folder / "plots").iterdir()}


def test_a_run_with_plots_has_them_drawn_beside_it(tmp_path, small):
    """By processes that load the plotting library meanwhile; where there are none, the same plots are drawn here."""
    heavy, *_ = loaded(tmp_path, "run", small, "--out", "beside", "--plot")
    assert heavy == {"numpy", "pyarrow"}
    heavy, *_ = loaded(tmp_path, "run", small, "--out", "here", "--plot", program="another")
    assert "matplotlib" in heavy and "pandas" not in heavy and "distributed" not in heavy
    beside, here = (pictures(tmp_path / name) for name in ("beside", "here"))
    assert beside == here and len(here) >= 2


def test_plots_do_not_depend_on_the_style_of_the_user(tmp_path, small):
    """A style that needs TeX fails where there is none, and on names; a backend that does not exist fails at once."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home/matplotlibrc").write_text("text.usetex: True\nfont.size: 30\n")
    plain = tmp_path / "plain"
    loaded(tmp_path, "run", small, "--out", plain, "--plot")
    odd = {"MPLCONFIGDIR": str(tmp_path / "home"), "MPLBACKEND": "nonsense"}
    loaded(tmp_path, "run", small, "--out", tmp_path / "odd", "--plot", **odd)
    assert pictures(plain) == pictures(tmp_path / "odd")


@pytest.mark.parametrize("fault", ["_load", "_serve"])
def test_plots_are_drawn_here_if_the_process_beside_fails(tmp_path, small, fault):
    code = (
        f"import sys; from congestree.cli import beside; beside.{fault} = lambda *_: 1 / 0\n"
        "from congestree.cli import main\n"
        "sys.argv[0] = 'congestree'; beside.foresee(sys.argv); main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "run", str(small), "--out", "run", "--plot"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "plot:    run/plots/utilisation.png" in done.stdout and done.stderr == ""
    assert (tmp_path / "run/plots/utilisation.png").stat().st_size > 0
