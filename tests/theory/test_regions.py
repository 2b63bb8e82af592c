"""RCM on the smallest network with a victim: two switches, ten senders to one host, and one flow to another host.

The output to the hot host is a root; it notifies switch A, which paces the remote half of the senders on the link
between the switches, so that the victim finds room behind it. Flow control alone leaves it a thirtieth of its link.
"""

import numpy as np
import pytest
from fabrics import column, numbered_both_ways, run, scenario


def rates(scheme: dict, probes=(), **how) -> dict[str, float]:
    """Mean rates of contenders and victim, as shares of the link; and the result."""
    how = {"switches": {"buffer": "100 KiB", "forwarding_delay": "300 ns"}} | how
    result = run(
        scenario(
            {"two-switch": {"local": 5, "remote": 5}},
            [
                {"name": "contenders", "from": ["local", "remote"], "to": "B_C"},
                {"name": "victim", "from": "A_V", "to": "B_V"},
            ],
            "6 ms",
            rate="100 Gbit/s",
            delay="100 ns",
            scheme=scheme,
            measure={"warm_up": "2 ms", "probes": list(probes)},
            **how,
        )
    )
    classes = np.array(result.arrow("flows")["class"].to_pylist())
    rate = column(result, "flows", "rate") / 100e9
    return {name: rate[classes == name].sum() for name in ("contenders", "victim")} | {"result": result}


def test_a_region_gives_the_victim_its_link_back():
    without, regional = rates({}), rates({"schedule": "rcm"})
    assert without["victim"] == pytest.approx(1 / 30, abs=0.002)
    assert regional["victim"] > 0.45
    # The hot link stays full.
    assert regional["contenders"] > 0.95
    names = regional["result"].arrow("ports")["name"].to_pylist()
    notices = dict(zip(names, column(regional["result"], "ports", "notices").tolist(), strict=True))
    assert notices["A->B"] > 10
    assert sum(notices.values()) == notices["A->B"]


PAUSED = {"flow_control": {"pfc": {"counts": "queue", "threshold": {"static": {"xoff": "80 kB", "xon": "60 kB"}}}}}


def test_a_region_does_so_too_where_outputs_have_queues_of_their_own():
    """Held packets wait at the inputs, before the crossbar: in the queue of an output they would hold the victim."""
    switches = {"buffer": "100 kB", "output_buffer": "100 kB"}
    without, regional = (
        rates({}, links=PAUSED, switches=switches),
        rates({"schedule": "rcm"}, links=PAUSED, switches=switches),
    )
    assert without["victim"] < 0.1
    assert regional["victim"] > 0.45
    assert regional["contenders"] > 0.95


def test_a_root_that_holds_its_flows_too_lets_its_own_link_idle():
    """Sections 3.1 and 3.2 to the letter: everything that a root sends is harmful, so its windows shrink while its
    queue stays, by no more than a half at once; the hot link is no longer full."""
    how = {"links": PAUSED, "switches": {"buffer": "100 kB", "output_buffer": "100 kB"}}
    regional, rooted = (
        rates({"schedule": {"rcm": {"root_control": root}}}, ["regions"], **how) for root in (False, True)
    )
    windows = rooted["result"].arrow("region_windows").to_pydict()
    assert set(windows["output"]) == {"A->B", "B->B_C"}
    assert set(regional["result"].arrow("region_windows")["output"].to_pylist()) == {"A->B"}
    assert all(now >= before / 2 for now, before in zip(windows["harmful"], windows["previous"], strict=True))
    assert 0.7 < rooted["contenders"] < 0.95 < regional["contenders"]
    assert rooted["victim"] > 0.9


def test_tables_of_regions_tell_parts_windows_and_who_is_held():
    """B's output to the hot host is the only root; A paces the remote contenders and not the victim, never by more
    than a half at once."""
    result = rates({"schedule": "rcm"}, probes=["regions"])["result"]
    states, windows, flows = (result.arrow(name).to_pydict() for name in ("regions", "region_windows", "region_flows"))
    told = {port for port, part in zip(states["output"], states["role"], strict=True) if part in ("edge", "inside")}
    assert "root" in states["role"] and told == {"A->B"} == set(windows["output"])
    assert all(now >= before / 2 for now, before in zip(windows["harmful"], windows["previous"], strict=True))
    assert any(now < before for now, before in zip(windows["harmful"], windows["previous"], strict=True))
    classes = dict(zip(column(result, "flows", "flow"), result.arrow("flows")["class"].to_pylist(), strict=True))
    paced, held = {"contenders": 0, "victim": 0}, {"contenders": 0, "victim": 0}
    for port, flow, passed, harmful in zip(*(flows[c] for c in ("output", "flow", "paced", "harmful")), strict=True):
        if port == "A->B":
            paced[classes[flow]] += passed
            held[classes[flow]] += harmful
    assert held["contenders"] > 0.8 * paced["contenders"] > 0
    assert held["victim"] == 0 < paced["victim"]
    assert sum(flows["rerouted"]) == 0


def test_a_region_with_dcqcn_underneath_does_no_harm():
    """DCQCN throttles the victim too, which met marks in the first millisecond, and is slow to forgive: regions cannot
    help that, but they must not make it worse."""
    dcqcn = {"preset": "dcqcn-paper", "mark": {"red": {"min": "20 kB", "max": "80 kB", "probability": 0.1}}}
    alone, both = rates(dcqcn), rates(dcqcn | {"schedule": "rcm"})
    assert both["victim"] > alone["victim"] - 0.002
    assert both["contenders"] > alone["contenders"] - 0.02


def test_packets_go_round_a_region_only_where_there_is_another_way():
    """Four flows of one leaf, hashed onto shared links, and a hot host: everything arrives, harmful flows in order."""
    traffic = [
        {"name": "hot", "from": [f"h{i}" for i in range(8, 24)], "to": "h31", "stop": "1 ms"},
        {"name": "others", "from": [f"h{i}" for i in range(8)], "pattern": {"shift": {"by": 16}}, "stop": "1 ms"},
    ]
    result = run(
        scenario(
            {"fat-tree": {"radix": 8}},
            traffic,
            "4 ms",
            rate="100 Gbit/s",
            delay="100 ns",
            switches={"buffer": "100 KiB"},
            scheme={"route": "ecmp", "schedule": {"rcm": {"reroute": True}}},
        )
    )
    assert (column(result, "flows", "packets") == column(result, "flows", "sent")).all()
    assert column(result, "ports", "notices").sum() > 0
    assert "reordered" in result.arrow("flows").schema.names


def test_windows_that_are_counted_all_the_time_hold_sooner():
    """Measured from the detection of congestion, the first window takes `least_window`, here 100 us; counted all the
    time it takes effect with the first sample that finds congestion and a harmful flow, after some microseconds."""

    def first(measured):
        found = rates({"schedule": {"rcm": {"windows_measured": measured, "least_window": "100 us"}}}, ["regions"])
        return min(found["result"].arrow("region_windows")["time_ps"].to_pylist()) * 1e-6, found["victim"]

    (then, _), (always, victim) = first("from-onset"), first("always")
    assert then > 100
    assert always < 20
    assert victim > 0.45


@pytest.mark.parametrize("least_window", [10, 40])
def test_a_silence_before_a_burst_is_no_part_of_the_first_window(least_window):
    """The burst begins after 100 us: what the trunk has sent by then is sent at its rate, in less time than
    `least_window`."""
    graph = {
        "hosts": ["s1", "s2", "s3", "d0"],
        "switches": ["a", "b"],
        "links": [{"a": "a", "b": "b"}]
        + [{"a": host, "b": switch} for host, switch in (("s1", "a"), ("s2", "a"), ("s3", "b"), ("d0", "b"))],
    }
    rcm = {"windows_measured": "always", "least_window": f"{least_window} us", "root_control": True}
    how = {
        "rate": "100 Gbit/s",
        "delay": "500 ns",
        "switches": {"buffer": "400 KiB", "forwarding_delay": "300 ns"},
        "scheme": {"schedule": {"rcm": rcm}},
        "measure": {"probes": ["regions"]},
    }
    burst = [{"from": ["s1", "s2", "s3"], "to": "d0", "start": "100 us"}]
    result = run(scenario({"graph": graph}, burst, "150 us", **how))
    for port in ("a->b", "b->d0"):
        first = next(row for row in result.arrow("region_windows").to_pylist() if row["output"] == port)
        assert first["time_limit"] < least_window * 1e-6
        assert 100e9 <= 8 * first["bytes"] / first["time_limit"] <= 200e9


@pytest.mark.parametrize(
    "how",
    [
        {"flow_sampling": "by-chance"},
        {"flow_sampling": "by-chance", "flow_entries": "one-a-sample", "flows": 64},
        {"pacing": "behind-others"},
        {"pacing": "both"},
    ],
    ids=["looks by chance", "each look by chance written", "others first", "others first and windows"],
)
def test_a_region_frees_the_victim_however_it_knows_and_holds_harmful_flows(how):
    regional = rates({"schedule": {"rcm": how}})
    assert regional["victim"] > 0.45
    assert regional["contenders"] > 0.95


def test_looks_that_are_each_written_need_a_memory_of_several_entries_a_flow():
    """With sixteen random entries each of ten flows is missing with 0.9^16, a fifth: a missing flow is not held, and
    waits in front of the victim. In turn, one sample for every ten packets of ten senders always meets the same
    sender."""
    by_chance = {"flow_sampling": "by-chance", "flow_entries": "one-a-sample"}
    assert rates({"schedule": {"rcm": by_chance}})["victim"] < 0.2
    assert rates({"schedule": {"rcm": {"flow_entries": "one-a-sample"}}})["victim"] < 0.1


def test_what_goes_behind_others_has_no_windows():
    windows = rates({"schedule": {"rcm": {"pacing": "behind-others"}}}, ["regions"])["result"].arrow("region_windows")
    assert len(windows) == 0


@pytest.mark.parametrize("flow_control", ["pfc", "byte-credits"])
def test_how_ports_are_numbered_does_not_alter_when_a_region_ends(flow_control):
    """An output reports the end of its region with its last packet."""
    regions = {"rcm": {"equilibrium": "3 kB", "sample_every": 2, "notice": "1000 B"}}
    one, other = numbered_both_ways({"schedule": regions}, flow_control, probes=["ports"])
    assert sum(column(one[1], "ports", "notices")) > 20
    assert one[0] == other[0]


@pytest.mark.parametrize("measured", ["from-onset", "always"])
def test_how_ports_are_numbered_does_not_alter_when_windows_end(measured):
    """A root that holds its flows too, and windows of a few packets: some are full, others over."""
    regions = {"equilibrium": "3 kB", "sample_every": 2, "notice": "1000 B", "least_window": "3 us"}
    regions |= {"root_control": True, "windows_measured": measured}
    one, other = numbered_both_ways({"schedule": {"rcm": regions}}, "byte-credits", probes=["regions"])
    windows = [result.arrow("region_windows").to_pylist() for _, result in (one, other)]
    assert len(windows[0]) > 50
    assert one[0] == other[0]
    for rows in windows:
        rows[:] = [{name: row[name] for name in ("time_ps", "output", "number", "harmful")} for row in rows]
        rows.sort(key=lambda row: (row["time_ps"], row["output"]))
    assert windows[0] == windows[1]
