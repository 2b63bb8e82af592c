"""The command prints what it does, takes names as text, and reports mistakes in a sentence."""

import itertools
import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from congestree import tune
from congestree.tune import pictures

from .question import CROWD

pytest.importorskip("optuna")
ODD = "[bold]$x$ <script>alert('1')</script> \\u0007\\\\"
QUICK = ("--param", "adapters.window=1..3", "--goal", "rate:victim", "--fresh", "2", "-n", "2", "--workers", "1")


@pytest.fixture
def crowd(tmp_path):
    path = tmp_path / "crowd.toml"
    path.write_text(CROWD)
    return path


def test_two_settings_are_tried_and_the_folder_named(congestree_cli, crowd, tmp_path):
    done = congestree_cli("tune", crowd, *QUICK)
    assert "2 settings tried, the best" in done.stdout
    assert "On 2 fresh seeds" in done.stdout
    assert "results: runs/crowd-tuning/result.json" in done.stdout
    said = json.loads(congestree_cli("tune", crowd, *QUICK, "--json").stdout)
    assert said["evaluations"] == 2 and said["results"] == "runs/crowd-tuning"
    done = congestree_cli("tune", crowd, *QUICK, "--goal", "total:crowd", code=1)
    assert "asks another question: goals was max rate:victim, and is max rate:victim, max total:crowd" in done.stderr


def test_names_are_text_whatever_is_in_them(congestree_cli, tmp_path):
    """Markup of terminals, of mathematics and of web pages, and control characters."""
    path = tmp_path / "odd.toml"
    path.write_text(CROWD.replace('"victim"', f'"{ODD}"'))
    name = json.loads(f'"{ODD}"')
    words = ("tune", path, *QUICK[:2], "--goal", f"rate:{name}", *QUICK[4:], "--out", "odd")
    done = congestree_cli(*words)
    assert "[bold]$x$" in done.stdout.replace("\n", "") and "\a" not in done.stdout
    assert (tmp_path / "odd/front.png").stat().st_size > 5_000
    said = json.loads((tmp_path / "odd/result.json").read_text())
    assert said["front"][0]["goals"].keys() == {f"rate:{name}"}
    assert pictures.as_text(name).startswith("[bold]$x$") and "\a" not in pictures.as_text(name)


def test_mistakes_end_with_a_sentence_and_nothing_is_made(congestree_cli, crowd, tmp_path):
    for words, says in (
        (("--goal", "rate:victim"), "nothing to set"),
        ((*QUICK[:2], "--goal", "rate:vctim"), 'did you mean "victim"'),
        ((*QUICK, "--vary", "adapters.mtu=5"), "write a list"),
        ((*QUICK, "--vary", "adapters.mtu=[1 kB]", "--set", "adapters.mtu=2 kB"), "but the search varies"),
        ((*QUICK, "--set", "seed=77"), "seed is set"),
        ((*QUICK, "--workers", "2", "--scheduler", "tcp://x:1"), "the workers are those of the cluster"),
        ((*QUICK, "--deploy", "opensmm"), 'did you mean "opensm"'),
    ):
        done = congestree_cli("tune", crowd, *words, code=2)
        assert says in done.stderr.replace("\n", " "), done.stderr
    assert not (tmp_path / "runs").exists()
    assert "There is no file" in congestree_cli("tune", "nothing.toml", *QUICK, code=2).stderr


def test_a_link_that_fails_after_the_beginning_does_not_end_the_search(congestree_cli, crowd, tmp_path):
    fails = 'links.faults={failures=[{link=["S1", "S2"], keeps=0.5, at="100 us", until="150 us"}]}'
    words = ("tune", crowd, *QUICK[:2], "--goal", "min summary:blocked", *QUICK[4:], "--set", fails)
    said = json.loads(congestree_cli(*words, "--stop-early", "0.3", "--json").stdout)
    assert said["evaluations"] == 2 and all("min summary:blocked" in one["goals"] for one in said["front"])


def test_spaces_and_measures_are_listed(congestree_cli):
    assert "rpg_time_reset" in congestree_cli("list", "spaces", "mlx5").stdout
    assert "mlx5" in congestree_cli("list", "spaces").stdout
    names = {entry["name"] for entry in json.loads(congestree_cli("list", "measures", "--json").stdout)}
    assert {"rate[:CLASS]", "use:HOST", "pauses", "slowdown-p99[:CLASS]", "job[:JOB]"} <= names


def test_optuna_is_not_loaded_before_it_is_needed():
    code = "import sys, congestree; congestree.tune.ask; print('optuna' in sys.modules, 'matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.slow
def test_a_cluster_finds_what_one_machine_finds(tmp_path):
    distributed = pytest.importorskip("distributed")
    from .question import ask

    question = ask(CROWD)
    here = tune.tune(question, out=tmp_path / "here", evaluations=4, fresh_seeds=0, workers=1)
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        there = tune.tune(
            question, out=tmp_path / "there", evaluations=4, fresh_seeds=0, scheduler=cluster.scheduler_address
        )
    assert [(t["setting"], t["goals"]) for t in there.trials] == [(t["setting"], t["goals"]) for t in here.trials]


def test_what_ties_with_the_choice_is_told_and_so_is_a_choice_beyond_the_limits(congestree_cli, crowd, tmp_path):
    """Windows of 2 and 3 serve the victim equally, and an audit changes nothing: the first of four is chosen."""
    words = ("tune", crowd, "--param", "measure.audit=[true, false]", "--param", "adapters.window=1..8")
    words += ("--goal", "rate:victim", "--limit", "rate:victim >= 5 Gbit/s", "--fresh", 0, "-n", 16)
    words += ("--out", tmp_path / "out")
    said = congestree_cli(*words).stdout
    assert "3 others did just as well in every goal." in said
    assert "keep the limits:" not in said
    made = tune.Tuning(tune.ask(CROWD, **asked_by(words)), tmp_path / "out")
    slow = next(t for t in made.trials if t["setting"]["adapters.window"] == 1)
    said = congestree_cli(*words, "--choose", slow["number"]).stdout
    assert "It does not keep the limits: rate:victim >= 5 Gbit/s." in said and "just as well" not in said
    (panel,) = pictures.front(made).axes
    shown = {int(n) for line in panel.get_lines() if line.get_linestyle() == "None" for n in line.get_xdata()}
    assert shown == {t["number"] for t in made.trials}


def asked_by(words):
    """The question of a command line, as `ask` takes it."""
    said = {name: [b for a, b in itertools.pairwise(words) if a == f"--{name}"] for name in ("param", "goal", "limit")}
    return {"parameters": said["param"], "goals": said["goal"], "limits": said["limit"]}


def test_bars_of_importance_have_the_shortest_names_that_differ():
    """The last two words of a name were taken, so that parameters whose names end alike had one bar."""
    shares = {"scheme.react.dcqcn.gain": 0.5, "scheme.mark.red.min": 0.3, "scheme.mark.red.for.min": 0.1}
    shares |= {"scheme.mark.other.red.min": 0.1}
    question = SimpleNamespace(space=SimpleNamespace(parameters=list(shares)))
    made = SimpleNamespace(importance=lambda: {"rate": shares}, question=question)
    (panel,) = pictures.importance(made).axes
    labels = [label.get_text() for label in panel.get_yticklabels()][::-1]
    assert labels == ["gain", "mark.red.min", "for.min", "other.red.min"]
    assert sorted(bar.get_width() for bar in panel.patches) == pytest.approx([10, 10, 30, 50])


def test_a_refused_file_names_what_it_cannot_hold_and_nothing_else(congestree_cli, tmp_path):
    """It can hold thresholds of marks, and no alpha between two powers of two."""
    (tmp_path / "pauses.toml").write_text(
        """
        links.rate = "100 Gbit/s"
        links.flow_control = "pfc"
        topology.single-switch.hosts = 3
        switches.shared_memory.size = "2 MB"
        scheme.preset = "dcqcn-vendor"
        traffic = [{ name = "both", from = ["H2", "H3"], to = "H1" }]
        measure.duration = "10 us"
        """
    )
    asked = ("--param", "links.flow_control.pfc.threshold.dynamic.alpha=[0.3, 0.35]", "--goal", "rate:both")
    asked += ("--param", "scheme.mark.red.max=[1 MB, 2 MB]", "--param", "adapters.window=[64, 128]")
    words = ("--deploy", "sonic", "-n", "1", "--fresh", "0", "--workers", "1", "--out", "runs/made")
    said = " ".join(congestree_cli("tune", "pauses.toml", *asked, *words).stderr.split())
    assert "No sonic file is written: links.flow_control.pfc.threshold.dynamic.alpha was 0.3" in said
    assert "scheme.mark.red.max" not in said and "note: no file holds adapters.window; they are in" in said
