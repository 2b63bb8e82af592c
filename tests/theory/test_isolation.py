"""What isolation must do on the test bed: flows beside the congested link get all the capacity that is left."""

import pytest
from fabrics import column, latencies, numbered_both_ways, run, scenario

import congestree
from congestree.evaluation import trees

HOT = ["H2", "H3", "H6", "H7"]
"""Senders to H4: two behind the link between the switches, two on the switch of H4."""
SINGLE = {"queues": "single", "read_ports": "one"}
VOQ = {"queues": "voq"}


def victim(preset, switches, load=1.0, **scheme):
    """Rate of H1 -> H5, which shares nothing with the crowd but the link between the switches, per link rate."""
    own = {"name": "victim", "from": "H1", "to": "H5"} | ({} if load == 1 else {"arrivals": {"steady": {"load": load}}})
    result = run(
        scenario(
            {"test-bed": {}},
            [{"name": "hot", "from": HOT, "to": "H4"}, own],
            "4 ms",
            switches={"buffer": "32 KiB"} | switches,
            adapters={"injection_buffer": 8},
            scheme={"preset": preset} | scheme,
            measure={"warm_up": "1 ms", "probes": ["isolation"]},
        )
    )
    classes = column(result, "flows", "class")
    return column(result, "flows", "rate")[classes == "victim"][0] / 8e9, result


@pytest.mark.parametrize("preset", ["hfdi", "ecocc"])
def test_with_a_queue_for_each_output_the_victim_is_free(preset):
    held, _ = victim("none", VOQ)
    free, result = victim(preset, VOQ)
    assert held < 0.6
    assert free > 0.97
    assert column(result, "isolation_series", "queues").max() >= 1


@pytest.mark.parametrize("preset", ["fbicm", "ccfit"])
def test_with_a_single_queue_the_victim_is_free(preset):
    held, _ = victim("none", SINGLE, load=0.8)
    free, _ = victim(preset, SINGLE, load=0.8)
    assert held < 0.6
    assert free == pytest.approx(0.8, abs=0.01)


def test_a_victim_at_full_rate_is_free_by_isolation_and_sometimes_blamed_by_ccfit():
    """The queue from before the tree was set aside never drains from a link that is always full: in a single queue
    this looks like the root of a tree, and CCFIT marks it (Paper VI, section 3.4: sometimes wrong)."""
    alone, _ = victim("fbicm", SINGLE)
    blamed, result = victim("ccfit", SINGLE)
    assert alone > 0.99
    assert 0.7 < blamed < alone
    classes = column(result, "flows", "class")
    assert column(result, "flows", "marked")[classes == "victim"][0] > 0


@pytest.mark.parametrize("preset", ["fbicm", "ccfit"])
def test_stops_that_come_with_their_allocation_are_heard(preset):
    """A stop that overtook the allocation it belongs to would be lost, and the crowd would fill the input."""
    for stop_at in ("allocation", "next-packet"):
        free, result = victim(preset, SINGLE, load=0.8, isolate={preset: {"stop_at": stop_at}})
        assert free == pytest.approx(0.8, abs=0.01)
        summary = dict(zip(column(result, "summary", "name"), column(result, "summary", "value"), strict=True))
        assert summary["notices_go"] > 100, "queues that were stopped go on, and are stopped again"


@pytest.mark.parametrize("preset", ["hfdi", "ecocc"])
def test_a_host_holds_what_a_stopped_line_would_take(preset):
    """At the first switch no more of the hot flows waits than HTh and what is under way; the host has the rest."""
    result = run(
        scenario(
            {"test-bed": {}},
            [{"name": "hot", "from": HOT, "to": "H4"}],
            "1 ms",
            switches={"buffer": "128 KiB"} | VOQ,
            adapters={"injection_buffer": 8},
            scheme={"preset": preset, "isolate": {preset: {"hosts_skip_stopped": False}}},
            measure={"probes": ["input-queues"], "sampling_interval": "1 us"},
        )
    )
    waits, inputs = (column(result, "input_queue_series", name) for name in ("bytes", "input_port"))
    first = waits[(inputs == 1) | (inputs == 2)]  # behind H2 and H3
    packet = waits[waits > 0].min()
    assert 6 * packet < first.max() <= (6 + 3) * packet


def test_isolation_does_not_remove_the_tree_and_nobody_stands_behind_it():
    traffic = [
        {"name": "hot", "from": HOT, "to": "H4", "start": "0.2 ms"},
        {"name": "victim", "from": "H1", "to": "H5", "arrivals": {"steady": {"load": 0.8}}},
    ]
    told = {}
    for preset in ("none", "hfdi"):
        result = run(
            scenario(
                {"test-bed": {}},
                traffic,
                "2 ms",
                switches={"buffer": "32 KiB"} | VOQ,
                adapters={"injection_buffer": 8},
                scheme={"preset": preset},
                measure={"probes": ["trees"], "sampling_interval": "5 us"},
            )
        )
        told[preset] = trees.summary(result)
    for facts in told.values():
        (tree,) = facts["trees"]
        assert (tree["root"], tree["depth"], tree["links"], tree["died_s"]) == ("S2->H4", 2, 5, None)
        assert tree["contributors"]["hot"]["flows"] == 4
    assert list(told["none"]["trees"][0]["victims"]) == ["victim"] and told["none"]["suffering"]
    assert not told["hfdi"]["trees"][0]["victims"] and not told["hfdi"]["suffering"]


def test_set_aside_queues_use_read_ports_that_a_single_queue_cannot():
    """H1 sends to two hosts, one of them crowded: set aside, its packets cross while the others do."""
    traffic = [
        {"name": "hot", "from": ["H1", "H2", "H3"], "to": "H4", "arrivals": {"steady": {"load": 0.4}}},
        {"name": "cold", "from": "H1", "to": "H5", "arrivals": {"poisson": {"load": 0.5}}},
    ]
    mean = {}
    for ports in ("one", "all"):
        switches = {"queues": "single", "read_ports": ports, "buffer": "32 KiB"}
        more = {"switches": switches, "scheme": {"preset": "fbicm"}, "measure": {"probes": ["deliveries"]}}
        result = run(scenario({"single-switch": {"hosts": 5}}, traffic, "3 ms", **more))
        times = latencies(result)["H1->H5"]
        mean[ports] = sum(times) / len(times)
    assert mean["all"] < 0.9 * mean["one"]


def test_without_set_aside_queues_throttling_is_left():
    """Both parts of EcoCC share the detector alone (Paper VI section 3.3)."""
    _, result = victim("ecocc", VOQ, isolate={"ecocc": {"queues": 0}})
    summary = dict(zip(column(result, "summary", "name"), column(result, "summary", "value"), strict=True))
    assert summary["set_aside"] == 0
    assert summary["marked"] > 0
    assert summary["notices_allocate"] > 0


def test_cells_are_those_of_the_paper():
    """3,024 and 315 cells for an input, 32 destinations of 1,024 a line (Paper VI, supplement section 8)."""
    tree = {"k-ary-n-tree": {"k": 4, "n": 5}}
    traffic = [{"from": "h0", "to": "h1", "arrivals": {"messages": {"count": 1}}}]
    scheme = {"preset": "ecocc", "isolate": {"ecocc": {"destinations": 32}}}
    result = run(scenario(tree, traffic, "10 us", switches={"buffer": "128 KiB"}, scheme=scheme))
    summary = dict(zip(column(result, "summary", "name"), column(result, "summary", "value"), strict=True))
    assert (summary["cam_cells"], summary["sram_cells"]) == (3024, 315)


@pytest.mark.parametrize("flow_control", ["pfc", "byte-credits"])
@pytest.mark.parametrize("scheme", ["fbicm", "ccfit", "hfdi", "ecocc", "bfc"])
def test_how_ports_are_numbered_does_not_alter_when_a_queue_may_go(scheme, flow_control):
    """When a packet leaves a queue, the queue may be released, or its line ends: the link tells the neighbour."""
    queues = "single" if scheme in ("fbicm", "ccfit") else "voq"
    part = {scheme: {"notices": {"in-band": {"size": "1000 B"}}} | ({"queues": 1} if scheme == "bfc" else {})}
    one, other = numbered_both_ways({"isolate": part}, flow_control, queues)
    summary = dict(zip(column(one[1], "summary", "name"), column(one[1], "summary", "value"), strict=True))
    assert summary.get("notices_go", summary.get("flow_gos")) > 20
    assert one[0] == other[0]


ABOVE = {"fbicm": ("detect", 8), "ccfit": ("detect", 8), "hfdi": ("high", 6), "ecocc": ("high", 6)}
"""The threshold from which each scheme takes a queue for congested, and its default in packets."""


@pytest.mark.parametrize("preset", ABOVE)
def test_a_threshold_that_no_queue_exceeds_is_refused_and_with_one_packet_more_of_room_it_works(preset):
    """Such a scheme did nothing, without a word."""
    key, threshold = ABOVE[preset]
    few = {"scheme.preset": preset, "switches.buffer": f"{threshold} packets", "measure.duration": "2 ms"}
    with pytest.raises(congestree.ScenarioError, match=f"isolate.{preset}.{key}\n  a queue never holds more than"):
        congestree.check("hot-spot", values=few)
    result = congestree.run("hot-spot", values=few | {"switches.buffer": f"{threshold + 1} packets"})
    assert result.value("set_aside") > 0
