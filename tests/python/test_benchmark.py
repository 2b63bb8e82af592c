"""The benchmark measures what it reports, with both agendas."""

import json
import sys

import pytest

import congestree
from congestree import benchmark
from congestree.errors import CongestreeError
from congestree.gallery import shipped
from congestree.quantities import seconds
from congestree.runs.shorter import beginning

KEYS = {"name", "packet_hops_per_s", "packet_hops", "wall_s", "events_per_hop", "peak_mib", "instructions_per_hop"}


OWN = """
topology.fat-tree = { radix = 16 }
links.rate = "100 Gbit/s"
links.delay = "100 ns"
switches.buffer = "64 KiB"
measure.duration = "200 us"

[[traffic]]
from = "all"
pattern = "uniform"
arrivals.poisson.load = 0.8
"""


def test_the_file_has_a_row_for_each_case_and_agenda(congestree_cli, tmp_path):
    done = congestree_cli("bench", "--quick", "--only", "a-", "--agendas", "--json", "bench.json")
    rows = json.loads((tmp_path / "bench.json").read_text())
    assert [row["name"] for row in rows] == ["a-hpl-10-10", "a-hpl-10-10-wheel", "a-hpl-10-10-heap"]
    assert "a-hpl-10-10" in done.stdout
    for row in rows:
        assert set(row) >= KEYS
        assert row["packet_hops"] > 100_000
        assert 1 < row["peak_mib"] < 1000
    assert rows[0]["packet_hops"] == rows[1]["packet_hops"]


def test_a_case_is_chosen_by_its_name_or_how_it_begins():
    assert benchmark.choose(["c-fat-tree-648"]) == ["c-fat-tree-648"]
    assert benchmark.choose(["f"]) == ["f-forest-648"]
    assert benchmark.choose(["f", "c-", "c-"]) == ["c-fat-tree-648", "f-forest-648"]
    assert len(benchmark.choose()) == len(benchmark.CASES)
    with pytest.raises(congestree.CongestreeError, match='No case is called "648"'):
        benchmark.choose(["c-", "648"])


def test_a_build_is_compared_with_itself_run_by_run(congestree_cli, tmp_path):
    (tmp_path / "own.toml").write_text(OWN, encoding="utf-8")
    done = congestree_cli("bench", "--quick", "--scenario", "own.toml", "--compare", congestree._engine.__file__)
    name, ratio, *_ = done.stdout.splitlines()[-1].split()
    assert name == "own"
    assert 0.1 < float(ratio) < 10


@pytest.mark.parametrize(
    ("option", "other"),
    [
        *((["--yardstick"], other) for other in ("json", "only", "scenario", "threads", "agendas", "compare")),
        (["--scenario", "own.toml"], "only"),
        (["--compare", "own.json"], "agendas"),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else words,
)
def test_an_option_without_effect_is_refused(congestree_cli, tmp_path, option, other):
    value = {"threads": ["2"], "agendas": []}.get(other, ["nosuch"])
    told = congestree_cli("bench", "--quick", *option, f"--{other}", *value, code=2).stderr
    assert told.startswith(f"{option[0]} is ") and f"and --{other} would have no effect" in told
    assert not list(tmp_path.iterdir())


def test_what_is_no_build_is_said_so(congestree_cli, tmp_path):
    done = congestree_cli("bench", "--quick", "--only", "a-", "--compare", str(tmp_path), code=2)
    assert "is no build" in done.stderr


@pytest.mark.parametrize(
    ("row", "threads", "says"),
    [
        ({"name": "other", "packet_hops_per_s": 1e6}, 1, "no case own in the file; it has other"),
        ({"name": "own", "packet_hops_per_s": 1e6, "threads": 2}, 1, "measured with --threads 2"),
        ({"name": "own", "ratio": 1.0}, 1, "is not what `congestree bench --json` writes"),
    ],
)
def test_a_file_that_does_not_compare_is_refused(congestree_cli, tmp_path, row, threads, says):
    """It lacks the case, uses another clock, or has ratios instead of speeds."""
    (tmp_path / "own.toml").write_text(OWN, encoding="utf-8")
    (tmp_path / "then.json").write_text(json.dumps([row]))
    words = ("bench", "--scenario", "own.toml", "--compare", "then.json", "--threads", threads)
    assert says in congestree_cli(*words, code=2).stderr.replace("\n", " ")


@pytest.mark.parametrize("other", [0.0, -0.001, 0.5])
def test_runs_too_short_for_the_clock_have_no_ratio(monkeypatch, other, tmp_path):
    """The times of short runs are differences of readings: nothing, or less than that."""
    from congestree.cli.simulate import bench

    compare = sys.modules["congestree.benchmark.compare"]
    engine = tmp_path / "_engine.so"
    engine.touch()
    times = iter([0.0, other] * 5)
    monkeypatch.setattr(compare, "run_alone", lambda *_, **__: {"cpu_s": next(times), "packet_hops": 10})
    (row,) = compare.compare({"own": {}}, engine)
    assert row["ratio"] != row["ratio"] and "too short to tell" in bench._ratio_line(row)


def test_a_case_that_a_file_lacks_is_told_beside_those_that_it_has(monkeypatch, tmp_path):
    from congestree.cli.simulate import bench

    (tmp_path / "then.json").write_text(json.dumps([{"name": "own", "packet_hops_per_s": 5e5}]))
    compare = sys.modules["congestree.benchmark.compare"]
    monkeypatch.setattr(compare, "measure", lambda *_, **__: {"packet_hops_per_s": 1e6})
    own, new = compare.compare({"own": {}, "new": {}}, tmp_path / "then.json")
    assert own["ratio"] == 2.0 and "not in the file" in bench._ratio_line(new)


def test_a_scenario_of_the_user_is_measured_on_several_cores(congestree_cli, tmp_path):
    (tmp_path / "own.toml").write_text(OWN, encoding="utf-8")
    congestree_cli("bench", "--quick", "--scenario", "own.toml", "--threads", "2", "--json", "own.json")
    (row,) = json.loads((tmp_path / "own.json").read_text())
    assert (row["name"], row["threads"], row["parts"]) == ("own", 2, 2)


def test_a_run_too_short_for_the_clock_has_no_speed(monkeypatch):
    """The time of a run is a difference of two readings, which may be below zero."""
    from congestree.cli.simulate import bench

    told = {"cpu_s": -0.01, "wall_s": 0.001, "check_s": 0.01, "peak_mib": 21.0, "base_mib": 20.0}
    counts = {"packet_hops": 2037, "events": 5000, "link_packets": 2037, "parts": 1}
    sizes = {"peak_packets": 145, "bytes_per_packet": 66, "bytes_per_port": 217.0}
    monkeypatch.setattr(benchmark.measuring, "run_alone", lambda *_: {**told, **counts, **sizes})
    found = benchmark.measuring.measure("own", {"measure": {"duration": "50 us"}})
    assert (found["cpu_s"], found["packet_hops_per_s"]) == (0.0, 0.0)
    line = bench._line({**found, "instructions_per_hop": None, "two_threads": None})
    assert "too short" in line and "-0" not in line


def test_two_threads_are_held_against_one(monkeypatch):
    walls = {1: iter([3.0, 4.0, 5.0]), 2: iter([2.0, 2.0, 2.0])}

    def run(_, threads):
        return {"wall_s": next(walls[threads]), "packet_hops": 6_000_000}

    monkeypatch.setattr(benchmark.measuring, "run_alone", run)
    assert benchmark.speedup({}) == (2.0, 3_000_000)


@pytest.mark.parametrize(
    ("duration", "share", "short"),
    [
        ("1 ms", 0.1, "100 us"),
        ("1 s", 0.03, "30 ms"),
        ("900 ns", 0.1, "90 ns"),
        ("0.5 us", 0.1, "50 ns"),
        ("900000 ps", 0.1, "90 ns"),
    ],
)
def test_a_quick_case_has_a_shorter_duration_in_any_unit(duration, share, short):
    assert beginning({"measure": {"duration": duration}}, share)["measure"] == {"duration": short}


@pytest.fixture
def checked_alone(monkeypatch):
    """Runs of the benchmark are only checked; answers the scenarios of them."""
    seen = []

    def run_alone(scenario, *_):
        seen.append(congestree.check(scenario)["scenario"])
        counts = dict.fromkeys(("packet_hops", "events", "link_packets", "parts", "bytes_per_packet"), 1)
        times = dict.fromkeys(("cpu_s", "wall_s", "check_s", "peak_mib", "base_mib", "bytes_per_port"), 1.0)
        return {**counts, **times, "peak_packets": 1}

    monkeypatch.setattr(benchmark.measuring, "run_alone", run_alone)
    return seen


def test_every_shipped_scenario_can_be_run_quickly(checked_alone):
    """Also those whose warm-up is longer than a tenth of the run."""
    scenarios = {name: congestree.check(path)["scenario"] for name, path in shipped.scenarios().items()}
    assert len(list(benchmark.measure_cases(scenarios, quick=True))) == len(scenarios) > 20
    for whole, short in zip(scenarios.values(), checked_alone, strict=True):
        assert seconds(short["measure"]["duration"]) == pytest.approx(seconds(whole["measure"]["duration"]) / 10)


def test_a_scenario_whose_links_fail_later_is_run_quickly(congestree_cli, tmp_path):
    fails = 'links.faults.failures = [{ share = 0.1, at = "60 us", until = "150 us" }]'
    (tmp_path / "own.toml").write_text(f"{fails}\n{OWN}", encoding="utf-8")
    congestree_cli("bench", "--quick", "--scenario", "own.toml", "--json", "own.json")
    (row,) = json.loads((tmp_path / "own.json").read_text())
    assert row["simulated"] == "20 us"


def test_a_scenario_in_nanoseconds_is_run_quickly(congestree_cli, tmp_path):
    (tmp_path / "own.toml").write_text(OWN.replace("200 us", "900 ns"), encoding="utf-8")
    congestree_cli("bench", "--quick", "--scenario", "own.toml", "--json", "own.json")
    (row,) = json.loads((tmp_path / "own.json").read_text())
    assert row["simulated"] == "90 ns"


def test_a_failed_run_is_told_with_place_fact_and_remedy():
    short = {**benchmark.CASES["a-hpl-10-10"], "measure": {"duration": "1 us", "warm_up": "2 us"}}
    told = (
        "A benchmark run failed: scenario  measure.warm_up\n  the warm-up of 2 us .*\n  make it shorter, or .*longer$"
    )
    with pytest.raises(CongestreeError, match=told):
        benchmark.measuring.run_alone(short)
    with pytest.raises(CongestreeError, match="A benchmark run failed: ImportError: /nowhere: cannot open"):
        benchmark.measuring.run_alone(short, engine="/nowhere")


@pytest.mark.slow
def test_150_flows_with_efl_take_at_most_twelve_seconds_of_a_core_for_each_that_they_last():
    """Ten seconds of the on-off load of the EFL paper should take two minutes at most; here it is 0.3 s."""
    part = beginning(benchmark.CASES["j-dumbbell-150-efl"], 0.3)
    measured = benchmark.measure("efl", part, times=1)
    assert measured["packet_hops"] > 3_000_000
    assert measured["cpu_s"] < 0.3 * 12
