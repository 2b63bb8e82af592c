"""Lanes by destination: traffic in another lane than that of the hot host is not held up, traffic in its lane is.

H1, H2 and H3 are on the left switch of the test bed, H4 to H7 on the right one. H2, H3 and H7 send to H4, H1 to another
host on the right. H4's link is shared by the link between the switches and H7, so that hot packets cross at half a
link's rate; in the same lane and a single queue they take two thirds of the turns, and H1 gets half of their rate. The
link between the switches carries twice as much as those of the hosts: in a lane of its own H1 sends at its full rate.
"""

import pytest
from fabrics import run, scenario

SINGLE = {"queues": "single", "read_ports": "one", "buffer": "16 KiB"}


def victim(lanes, to="H5", only=None, **changes):
    """Rate of the victim, per link rate; what goes to one host only, if it is named."""
    traffic = [{"name": "hot", "from": ["H2", "H3", "H7"], "to": "H4"}, {"name": "victim", "from": "H1", "to": to}]
    links = {"lanes": 2} | ({"destination_lanes": lanes} if lanes else {})
    described = scenario({"test-bed": {}}, traffic, "4 ms", links=links, switches=SINGLE, measure={"warm_up": "1 ms"})
    for entry in described["traffic"]:
        more = changes.get(entry["name"], {})
        entry |= more
        if "pattern" in more:
            del entry["to"]
    result = run(described)
    flows = result.arrow("flows")
    rates = zip(flows["name"].to_pylist(), flows["class"].to_pylist(), flows["rate"].to_pylist(), strict=True)
    return sum(rate for name, kind, rate in rates if kind == "victim" and name.endswith(only or "")) / 8e9


def test_destinations_in_separate_lanes_do_not_block_each_other():
    assert victim({"given": {"lanes": {"H4": 0, "H5": 1}}}) == pytest.approx(1, abs=0.01)


def test_destinations_in_one_lane_do():
    assert victim(None) == pytest.approx(1 / 4, abs=0.01)
    assert victim({"given": {"lanes": {"H4": 1, "H5": 1}}}) == pytest.approx(1 / 4, abs=0.01)


@pytest.mark.parametrize(("kind", "apart", "together"), [("by-switch", "H5", "H6"), ("modulo", "H5", "H6")])
def test_lanes_are_taken_in_turn(kind, apart, together):
    """H4 is the first host of its switch and the fourth of all; H5 has the other lane, H6 its own again."""
    assert victim({kind: {}}, to=apart) == pytest.approx(1, abs=0.01)
    assert victim({kind: {}}, to=together) == pytest.approx(1 / 4, abs=0.01)
    assert victim({kind: {"lanes": [1]}}, to=apart) == pytest.approx(1 / 4, abs=0.01)


def test_the_hosts_of_each_switch_begin_anew():
    """H3 and H4 follow each other, but are on different switches: by switch both have the first lane."""
    lanes = {"by-switch": {}}
    hosts = {"hot": {"from": ["H5", "H7", "H1"], "to": "H3"}, "victim": {"from": "H6", "to": "H2"}}
    assert victim(lanes, **hosts) == pytest.approx(1, abs=0.01)
    assert victim(lanes, **(hosts | {"victim": {"from": "H6", "to": "H1"}})) == pytest.approx(1 / 4, abs=0.01)


def test_a_lane_of_its_own_goes_before_the_map():
    lanes = {"given": {"lanes": {"H4": 0, "H5": 0}}}
    assert victim(lanes, victim={"lane": 1}) == pytest.approx(1, abs=0.01)


def test_a_source_with_a_pattern_has_a_flow_for_each_destination():
    """The packets from H1 to H4 wait, those to H5 do not."""
    drawn = {"pattern": {"hot-spot": {"to": ["H4", "H5"], "fraction": 1.0}}, "arrivals": {"poisson": {"load": 0.9}}}
    for lane, rate in ((1, 0.45), (0, 1 / 8)):
        found = victim({"given": {"lanes": {"H4": 0, "H5": lane}}}, victim=drawn, only="H5")
        assert found == pytest.approx(rate, abs=0.04)
