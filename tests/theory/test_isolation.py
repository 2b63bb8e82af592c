"""What isolation must do on the test bed: whoever does not want the crowded link gets all that is left of theirs."""

import pytest
from fabrics import column, run, scenario

HOT = ["H2", "H3", "H6", "H7"]
"""Senders to H4: two behind the link between the switches, two beside H4."""
SINGLE = {"queues": "single", "read_ports": "one"}
VOQ = {"queues": "voq"}


def victim(preset, switches, **scheme):
    """Rate of H1 -> H5, which shares nothing with the crowd but the link between the switches, per link rate."""
    result = run(
        scenario(
            {"test-bed": {}},
            [{"name": "hot", "from": HOT, "to": "H4"}, {"name": "victim", "from": "H1", "to": "H5"}],
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
    held, _ = victim("none", SINGLE)
    free, _ = victim(preset, SINGLE)
    assert held < 0.6
    assert free > 0.9


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
