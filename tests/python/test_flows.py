"""Flows that come and go, from files and tables, with a row for each."""

import json
import tomllib

import polars
import pytest

import congestree
from congestree import plots
from congestree.evaluation.goals import Goal
from congestree.report import pictures
from congestree.studies import measured

INCAST = """
[topology.single-switch]
hosts = 9

[links]
rate = "8 Gbit/s"
delay = "10 ns"
flow_control = "byte-credits"

[switches]
buffer = "100 kB"
forwarding_delay = "100 ns"

[adapters]
mtu = "1000 B"
header = "0 B"

[[traffic]]
name = "incast"
from = ["H2", "H3", "H4", "H5", "H6", "H7", "H8", "H9"]
to = "H1"
flows = "by-message"
message = "1000 B"
start = "1 us"
arrivals.messages = { count = 6, burst = 2, every = "50 us" }

[measure]
duration = "1 ms"
probes = ["completions"]
"""

MANY = """
[topology.single-switch]
hosts = 8

[links]
rate = "100 Gbit/s"
flow_control = "byte-credits"

[[traffic]]
name = "small"
from = "all"
pattern.groups = { size = 4 }
flows = "by-message"
sizes.cdf = [{ size = "64 B", share = 0.5 }, { size = "2 kB", share = 1.0 }]
arrivals.poisson.load = 0.6

[measure]
duration = "900 us"
probes = ["completions"]
"""


def test_an_incast_takes_as_long_as_its_packets_one_after_the_other():
    """Eight hosts send two packets of 1 us each at the same instant: the last is in 15 us after the first."""
    run = congestree.run(INCAST)
    flows = run.completions.sort("finished")
    assert flows["ideal"].to_list() == pytest.approx([1.12e-6] * 48)
    first = flows.head(16)
    assert first["created"].to_list() == [1e-6] * 16
    assert first["finished"].to_list() == pytest.approx([1e-6 + 1.12e-6 + 1e-6 * k for k in range(16)])
    assert first["slowdown"][0] == 1.0
    assert sorted(set(flows["created"].to_list())) == pytest.approx([1e-6, 51e-6, 101e-6])


SPREAD = """
scheme.route.spray.choice = "in-turn"
topology.clos = { down = [2, 2], up = [4], rates = ["100 Gbit/s", "25 Gbit/s"] }
links = { rate = "100 Gbit/s", delay = "100 ns" }
switches.buffer = "4 MiB"
traffic = [{ from = "h0", to = "h3", message = "1 MiB", flows = "by-message", arrivals.messages.count = 1 }]
measure = { duration = "200 us", probes = ["completions"] }
"""


def test_a_flow_whose_packets_take_all_paths_in_turn_is_ideal():
    """512 packets of 2,068 B over four links of 25 Gbit/s, which carry as much as that of the host."""
    flow = congestree.run(SPREAD).completions
    assert flow["ideal"].item() == pytest.approx(511 * 165.44e-9, rel=0.02)
    assert flow["slowdown"].item() == pytest.approx(1, abs=1e-9)


BY_RATE = {"down": [2, 2, 2], "up": [2, 2], "rates": ["100 Gbit/s", "50 Gbit/s", "25 Gbit/s"]}
FAR = {"p": 2, "a": 4, "h": 2, "groups": 3}
SLOW_FAR = {"dragonfly": {**FAR, "global_rate": "25 Gbit/s"}}
# With the last host; links of a dragonfly have lanes.
SEVERAL_PATHS = [
    ({"fat-tree": {"radix": 4, "layers": 3}}, "h15"),
    ({"clos": BY_RATE}, "h7"),
    ({"dragonfly": FAR}, "h10"),
]
IN_TURN = {"spray": {"choice": "in-turn"}}


def slowdown_alone(topology, to, switching, route, size, seed=1) -> float:
    """Of one message from the first host, with packets of 1,000 B."""
    entry = {"from": "h0", "to": to, "message": f"{size} B", "flows": "by-message"}
    lanes = {"lanes": 2, "hop_lanes": "by-route"} if "dragonfly" in topology else {}
    run = congestree.run(
        {
            "seed": seed,
            "topology": topology,
            "links": {"rate": "100 Gbit/s", "delay": "50 ns", **lanes},
            "switches": {"buffer": "1 MiB", "forwarding_delay": "100 ns", "switching": switching},
            "adapters": {"mtu": "1000 B"},
            "scheme": {"route": route},
            "traffic": [{**entry, "arrivals": {"messages": {"count": 1}}}],
            "measure": {"duration": "100 us", "probes": ["completions"]},
        }
    )
    return run.completions["slowdown"].item()


@pytest.mark.parametrize("switching", ["cut-through", "store-and-forward"])
@pytest.mark.parametrize("route", [IN_TURN, "least-queue", "ecmp"], ids=["in-turn", "least-queue", "ecmp"])
@pytest.mark.parametrize(("topology", "to"), SEVERAL_PATHS, ids=["fat-tree", "clos", "dragonfly"])
def test_alone_a_flow_over_several_paths_takes_no_less_than_the_ideal_time(topology, to, route, switching):
    """The last packet may be short, and then passes others on the way; a message may have hundreds."""
    told = [slowdown_alone(topology, to, switching, route, size) for size in (1001, 1500, 5001, 200_000, 200_001)]
    assert all(slowdown > 1 - 1e-9 for slowdown in told)
    if route != "least-queue":
        assert told == pytest.approx([1] * 5, abs=1e-9)


@pytest.mark.parametrize(("to", "seed"), [("h10", 1), ("h11", 3)])
def test_the_ideal_time_with_ecmp_is_that_of_the_path_of_the_flow(to, seed):
    """Links between groups are slower: it matters whether a packet crosses them first or last."""
    assert slowdown_alone(SLOW_FAR, to, "store-and-forward", "ecmp", 1500, seed) == pytest.approx(1, abs=1e-9)


SLOWED = """
topology.dumbbell.pairs = 1
links.rate = "10 Gbit/s"
links.delay = "1 us"
links.faults.failures = [{ link = ["A", "B"], at = "50 us", until = "300 us", rate = "4 Gbit/s" }]
traffic = [{ from = "S_1", to = "R_1", message = "100 kB", flows = "by-message", arrivals.messages.count = 1 }]
measure = { duration = "400 us", probes = ["completions"] }
"""


def test_a_link_that_is_slow_for_a_time_costs_slowdown():
    """Ideal is the fabric without faults: what 50 us at 10 Gbit/s leave takes two and a half times as long."""
    flow = congestree.run(SLOWED).completions
    alone = 83e-6
    assert flow["ideal"].item() == pytest.approx(alone, rel=0.1)
    assert flow["fct"].item() == pytest.approx(50e-6 + (alone - 50e-6) * 2.5, rel=0.05)


def test_rows_written_while_the_run_goes_on_are_those_of_a_run_in_memory(tmp_path):
    kept = congestree.run(MANY)
    written = congestree.run(MANY, out=tmp_path / "run")
    loaded = congestree.Run.load(tmp_path / "run")
    assert kept.completions.height == kept.value("flows_finished") > 40_000
    assert kept.completions.equals(written.completions) and kept.completions.equals(loaded.completions)
    assert loaded.units("completions") == kept.units("completions")
    listing = json.loads((tmp_path / "run" / "manifest.json").read_text())["tables"]["completions"]
    assert listing["rows"] == kept.completions.height
    assert not list((tmp_path / "run").glob(".*.part"))


def test_a_run_that_fails_leaves_nothing_behind(tmp_path):
    def fail(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        congestree.run(MANY.replace("900 us", "100 ms"), out=tmp_path / "run", on_progress=fail)
    assert not list((tmp_path / "run").iterdir())


def test_the_same_flows_alone_and_in_a_sweep(tmp_path):
    over = {"traffic.0.arrivals.poisson.load": [0.3, 0.6]}
    study = congestree.sweep(MANY, over=over, out=tmp_path / "study")
    alone = congestree.run(MANY)
    twin = study[1]
    assert twin.fingerprint == alone.fingerprint
    assert twin.completions.equals(alone.completions)


def test_files_beside_a_scenario_become_part_of_it(tmp_path):
    (tmp_path / "flows.csv").write_text("at, from, to, message\n20 us, H2, H3, 1 kB\n5 us, H1, H2, 3 kB  # sooner\n")
    (tmp_path / "sizes.txt").write_text("0 0\n100 40\n200 100\n")
    head, _, _ = MANY.partition("[[traffic]]")
    entries = """
[[traffic]]
name = "listed"
list = "flows.csv"
start = "1 us"

[[traffic]]
name = "drawn"
from = "H1"
to = "H2"
flows = "by-message"
sizes.cdf = "sizes.txt"
arrivals.poisson.load = 0.1

[measure]
duration = "100 us"
probes = ["completions"]
"""
    (tmp_path / "scenario.toml").write_text(head + entries)
    run = congestree.run(tmp_path / "scenario.toml")
    listed = run.completions.filter(run.completions["class"] == "listed").sort("created")
    assert listed["created"].to_list() == [6e-6, 21e-6]
    assert listed["source"].to_list() == ["H1", "H2"]
    assert listed["size"].to_list() == [3000, 1000]
    drawn = run.completions.filter(run.completions["class"] == "drawn")["size"]
    assert drawn.min() >= 1 and drawn.max() <= 200 and drawn.len() > 100
    (tmp_path / "flows.csv").unlink()
    again = congestree.run(run.scenario)
    assert again.fingerprint == run.fingerprint


def test_slowdown_is_drawn_and_printed(tmp_path, capsys):
    run = congestree.run(MANY, out=tmp_path / "run")
    ax = plots.plot_slowdown(run, classes=["small"], after=1e-4).axes[0]
    assert len(ax.lines) == 3 and ax.get_xscale() == "log"
    assert all(line.get_ydata().min() >= 1.0 for line in ax.lines)
    began, ended = (
        run.flows.filter(run.flows["class"] == "small")[f"flows_{what}"].sum() for what in ("started", "finished")
    )
    said = f"without {began - ended} of {began:,} flows of the whole run that had not finished"
    assert began > ended and ax.get_title("left").replace("\n", " ").endswith(said)
    assert "slowdown.png" in {path.name for path in plots.draw_all(run, tmp_path / "plots")}


def test_commands_tell_of_flows_that_start_after_the_warm_up(congestree_cli, tmp_path):
    """A table said another percentile than the measure of a sweep, which left out what starts before."""
    (tmp_path / "many.toml").write_text(MANY.replace("900 us", "90 us") + 'warm_up = "60 us"\n')
    said = congestree_cli("run", "many.toml", "--out", "run").stdout
    assert "Flows that have finished, of those that started after the warm-up, and their slowdown" in said
    run = congestree.Run.load(tmp_path / "run")
    late = run.completions.filter(run.completions["created"] >= 60e-6)
    assert f"{len(late):,}  " in said and len(late) < len(run.completions) / 2
    p99 = measured.value(measured.named("slowdown-p99"), run)
    assert f"{p99:.3g}" in said
    told = json.loads(congestree_cli("run", "many.toml", "--json").stdout)["completions"]
    assert told["slowdown"][0]["p99"] == pytest.approx(p99)
    assert "of flows that start after 60 us" in plots.wanted_of(run)["slowdown"](run).axes[0].get_title("left")
    assert any("after the warm-up" in one.caption for one in pictures.of_run(run, None) if "Slowdown" in one.caption)


def test_a_hot_host_gets_its_fraction_and_its_part_of_the_rest():
    """As the description of the key counts it: 0.3 + 0.7 / 7."""
    hot = MANY.replace("pattern.groups = { size = 4 }", 'pattern.hot-spot = { to = "H1", fraction = 0.3 }')
    flows = congestree.run(hot.replace("900 us", "90 us").replace("0.6", "0.2")).completions
    others = flows.filter(flows["source"] != "H1")
    assert len(others) > 1000
    assert (others["destination"] == "H1").mean() == pytest.approx(0.4, abs=0.04)


DRAWN = """
seed = 3

[topology.single-switch]
hosts = 12

[links]
rate = "10 Gbit/s"

[[traffic]]
name = "incast"
from = "all"
pattern = "uniform"
message = "16 kB"
arrivals.incast = { senders = 4, count = 8, every = "200 us" }

[measure]
duration = "2 ms"
probes = ["completions"]
"""


def incasts(text):
    """Time, source and destination: one row each."""
    found = congestree.run(text).completions
    return [
        (round(time[0] * 1e6), sorted(rows["source"]), sorted(set(rows["destination"])))
        for time, rows in sorted(found.group_by("created"))
    ]


def test_incasts_draw_their_senders_anew_each_time_and_never_the_receiver():
    times = incasts(DRAWN)
    assert [time for time, _, _ in times] == [200 * k for k in range(8)]
    for _, senders, receivers in times:
        assert len(senders) == len(set(senders)) == 4 and len(receivers) == 1
        assert not set(receivers) & set(senders)
    assert len({tuple(senders) for _, senders, _ in times}) > 1 < len({tuple(to) for _, _, to in times})
    assert incasts(DRAWN) == times != incasts(DRAWN.replace("seed = 3", "seed = 4"))


def test_incasts_to_one_host():
    times = incasts(DRAWN.replace('pattern = "uniform"', 'to = "H1"'))
    assert all(receivers == ["H1"] and "H1" not in senders for _, senders, receivers in times)


def test_a_class_none_of_whose_flows_has_finished_is_a_class_all_the_same():
    late = '\n[[traffic]]\nname = "late"\nfrom = "H2"\nto = "H3"\nflows = "by-message"\nmessage = "10 MB"\n'
    late += "arrivals.messages.count = 1\n"
    run = congestree.run(INCAST.replace("\n[measure]", f"{late}\n[measure]"))
    assert "late" not in run.completions["class"].to_list()
    assert [row["flows"] for row in run.by_size_class(classes=["late"])] == [0, 0, 0]
    assert run.by_size_share(classes=["late"]) == []
    assert plots.plot_slowdown(run, classes=["late"]).axes
    with pytest.raises(
        congestree.CongestreeError, match="There is no class of traffic nobody here; there are: incast, late"
    ):
        run.by_size_class(classes=["nobody"])


def test_an_entry_that_is_added_last_changes_nothing_that_the_others_draw():
    """Streams are numbered by source, in the order of the entries."""
    small = {"pattern": "uniform", "message": "1 kB", "flows": "by-message", "arrivals": {"poisson": {"load": 0.1}}}
    one, other = ({"name": name, "from": hosts, **small} for name, hosts in (("one", "H1"), ("other", "H2")))

    def drawn(*traffic):
        told = tomllib.loads(MANY) | {"traffic": list(traffic)}
        rows = congestree.run(told).completions.filter(polars.col("class") == "one").sort("created")
        return rows.select("created", "destination").head(20).rows()

    assert drawn(one) == drawn(one, other) != drawn(other, one)


RARE = """
topology.single-switch.hosts = 16
links = { rate = "100 Gbit/s", flow_control = "byte-credits" }
measure = { duration = "3 ms", probes = ["flows"] }

[[traffic]]
name = "drawn"
from = "all"
to = "H1"
message = "64 KiB"
arrivals.incast = { senders = 4, count = 1, every = "1 ms" }
"""


def test_hosts_that_no_incast_drew_count_as_sources(monkeypatch):
    """Three incasts have three times the rate of one, whichever hosts chance drew; all 15 other hosts may send."""
    one, three = (congestree.run(RARE, values={"traffic.0.arrivals.incast.count": count}) for count in (1, 3))
    assert len(one.undrawn()["drawn"]) == 11 and "H1" not in one.undrawn()["drawn"]
    rates = [run.class_rates()["drawn"] for run in (one, three)]
    assert rates[0] == pytest.approx(one.flows["rate"].sum() / 15) and rates[1] == pytest.approx(3 * rates[0])
    goal = Goal.read("rate:drawn")
    assert [goal.take(run) for run in (one, three)] == pytest.approx(rates)
    assert Goal.read("slowest:drawn").take(one) == 0
    every = [*one.flows["rate"], *[0] * 11]
    assert Goal.read("fairness:drawn").take(one) == pytest.approx(congestree.measures.jain_index(every))
    monkeypatch.setattr("congestree.runs.parquet.PIECE", 2)
    assert [run.class_rates()["drawn"] for run in (one, three)] == rates


def test_a_class_for_which_no_incast_was_drawn_has_a_rate_of_zero(tmp_path):
    rare = {"traffic.0.arrivals.incast": {"senders": 4, "load": 1e-3}, "measure.duration": "1 ms"}
    study = congestree.sweep(RARE, values=rare, over={"seed": list(range(1, 7))}, out=tmp_path)
    drawn = study.runs["rate.drawn"]
    assert drawn.null_count() == 0 and (drawn == 0).any() and (drawn > 0).any()
    assert study.mean("rate.drawn", by=[])["mean"][0] == pytest.approx(drawn.mean())
    for run in study:
        notes = congestree.check(run.scenario)["notes"]
        if silent := run.class_rates()["drawn"] == 0:
            assert run.silent_classes() == ["drawn"] and "no incast is drawn by 1 ms, so that drawn" in notes[0]
        assert bool(notes) == silent == (run.silent_classes() == ["drawn"])
