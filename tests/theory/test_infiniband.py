"""Results for InfiniBand congestion control that can be computed by hand: rates by table, marks by rate, and notices.

*Table.* A source that keeps silent for a time I after a packet of time T has T / (T + I) of its link. An entry
shift:multiplier is I = (T >> shift) multiplier, so 1:3 leaves 1 / (1 + 3/2) = 40 % (Gran et al., IPDPS 2010, section
2.2; InfiniBand architecture specification, volume 1, annex A10).

*Marks.* In the congestion state each of n packets is marked with probability p = 1 / (Marking_Rate + 1): n p on
average, with a standard deviation of sqrt(n p (1 - p)). There is an option to mark exactly every (Marking_Rate + 1)-th.

*Steady load.* Message k is due after the time that the payload of the k before it takes, rounded up to a picosecond.
"""

from math import sqrt

import numpy as np
import pytest
from fabrics import PS, column, run, scenario

T = 1_000_000  # ps: a packet of 1000 bytes at 8 Gbit/s
FORWARDING = 100_000
SWITCH = {"single-switch": {"hosts": 4}}


def starts(result, flow: int = 0) -> np.ndarray:
    """When the packets of a flow started, in order, in ps."""
    mine = column(result, "deliveries", "flow") == flow
    return np.sort(column(result, "deliveries", "injected_ps")[mine])


def held_at(index: int, table, **traffic):
    """One greedy flow whose source is held at an index of its table."""
    cct = {"min": index, "limit": index, "table": table}
    entry = {"from": "H1", "to": "H2"} | traffic
    return run(
        scenario(
            SWITCH,
            [entry],
            "1 ms",
            scheme={"preset": "ib-cc", "react": {"cct": cct}},
            measure={"probes": ["deliveries"]},
        )
    )


@pytest.mark.parametrize(
    ("index", "table", "idle"),
    [
        (0, "quadratic", 0),
        (53, "quadratic", 7 * 10**6 // 4),
        (106, "quadratic", 7 * 10**6),
        (127, {"linear": {"delay": "10 us", "at": 127}}, 10 * 10**6),
        (3, {"delays": ["0 ns", "1 ns", "1 us", "3 us"]}, 3 * 10**6),
        (1, {"encoded": ["0:0", "1:3"]}, 3 * T // 2),
        (1, {"encoded": ["0:0", "3:1"]}, T // 8),
        (1, {"encoded": ["0:0", "0:100"]}, 100 * T),
    ],
)
def test_a_source_held_at_an_index_has_exactly_its_rate(index, table, idle):
    found = starts(held_at(index, table))
    assert len(found) >= 9
    assert set(np.diff(found)) == {T + idle}


def test_an_entry_1_3_leaves_40_percent():
    result = held_at(1, {"encoded": ["0:0", "1:3"]})
    used = dict(zip(result.arrow("ports")["name"].to_pylist(), column(result, "ports", "utilisation"), strict=True))
    assert used["H1->S"] == pytest.approx(0.4, abs=1.1e-3)  # to a packet


def test_a_small_packet_is_followed_by_as_much_shorter_a_silence():
    result = held_at(1, {"delays": ["0 ns", "4 us"]}, message="1480 B")  # packets of 1000 and 520 bytes in turn
    assert set(np.diff(starts(result))[::2]) == {T + 4 * T}
    assert set(np.diff(starts(result))[1::2]) == {(T + 4 * T) * 52 // 100}


@pytest.mark.parametrize(("load", "message"), [(0.25, 980), (0.7, 980), (0.9, 3000), (1.0, 980)])
def test_a_steady_load_arrives_exactly(load, message):
    described = scenario(
        SWITCH,
        [{"from": "H1", "to": "H2", "arrivals": {"steady": {"load": load}}, "message": f"{message} B"}],
        "2 ms",
        measure={"probes": ["deliveries"]},
    )
    result = run(described)
    packets = -(-message // 980)
    payload_rate = int(8e9 * load * message / (message + 20 * packets) + 0.5)
    due = [-(-8 * message * k * PS // payload_rate) for k in range(10_000)]
    due = [at for at in due if at < 2000 * T]
    created = column(result, "deliveries", "created_ps")[column(result, "deliveries", "sequence") % packets == 0]
    assert len(created) >= len(due) - 2
    assert created.tolist() == due[: len(created)]


def test_what_could_not_be_sent_in_time_stays_due():
    """A rival with the same rate halves the link for a while; when it has stopped, the source catches up."""
    rival = {"from": "H3", "to": "H2", "start": "100 us", "stop": "300 us", "name": "rival"}
    steady = {"from": "H1", "to": "H2", "arrivals": {"steady": {"load": 0.7}}}
    described = scenario(
        SWITCH, [steady, rival], "1 ms", switches={"buffer": "4 KiB"}, measure={"probes": ["deliveries"]}
    )
    found = starts(run(described))
    assert len(found) == pytest.approx(700, abs=2)
    held = np.count_nonzero((found >= 150 * T) & (found < 300 * T))
    assert held == pytest.approx(75, abs=3)


def congested(marking_rate: int, choice: str, microseconds: int):
    """Two greedy hosts congest a third; no source reacts."""
    fecn = {"enter": "1000 B", "gap": "0 B", "packet_size": "0 B", "marking_rate": marking_rate, "choice": choice}
    described = scenario(
        SWITCH,
        [{"from": ["H1", "H2"], "to": "H3"}],
        f"{microseconds} us",
        scheme={"mark": {"fecn": fecn}},
        measure={"probes": ["deliveries"]},
    )
    result = run(described)
    order = np.argsort(column(result, "deliveries", "time_ps"))
    marked = column(result, "deliveries", "marked").astype(bool)[order]
    return marked[100:]  # the queues have filled


@pytest.mark.parametrize("marking_rate", [0, 1, 3, 15, 127])
def test_the_share_of_marked_packets_is_that_of_the_marking_rate(marking_rate):
    marked = congested(marking_rate, "random", 20_000)
    p = 1 / (marking_rate + 1)
    n = len(marked)
    assert n > 19_000
    assert abs(int(marked.sum()) - n * p) <= 4 * sqrt(n * p * (1 - p))
    if marking_rate:
        both = np.count_nonzero(marked[1:] & marked[:-1])  # consecutive packets are independent
        assert abs(both - n * p * p) <= 4 * sqrt(n * p * p) + 1


@pytest.mark.parametrize("marking_rate", [0, 1, 2, 40])
def test_every_nth_is_every_nth(marking_rate):
    places = np.flatnonzero(congested(marking_rate, "every-nth", 2_000))
    assert len(places) > 40
    assert set(np.diff(places)) == {marking_rate + 1}


@pytest.mark.parametrize("per", ["qp", "sl"])
def test_a_service_level_shares_what_its_flows_hear(per):
    """H1 and H2 each send to a congested host, and to an idle one. By queue pair that other flow has the rest of the
    link; by service level only if it is of another level, and otherwise it takes turns with the throttled flow."""
    cct = {"per": per, "timer": "10 ms", "limit": 20, "table": {"linear": {"delay": "1 us", "at": 1}}}
    entries = [
        {"from": ["H1", "H2", "H5"], "to": "H3", "name": "crowd"},
        {"from": "H1", "to": "H4", "name": "same level"},
        {"from": "H2", "to": "H6", "name": "other level", "service": 1},
    ]
    described = scenario(
        {"single-switch": {"hosts": 6}},
        entries,
        "2 ms",
        scheme={"preset": "ib-cc", "mark": {"fecn": {"enter": "1 kB", "gap": "0 B"}}, "react": {"cct": cct}},
        measure={"warm_up": "1 ms"},
    )
    rates = dict(zip(*(run(described).arrow("flows")[key].to_pylist() for key in ("name", "rate")), strict=True))
    rest = pytest.approx(8e9 - rates["H1->H3"], rel=0.01)
    assert rates["H1->H4"] == (rest if per == "qp" else pytest.approx(rates["H1->H3"], rel=0.01))
    assert rates["H2->H6"] == pytest.approx(8e9 - rates["H2->H3"], rel=0.01)
    assert rates["H1->H3"] < 2.7e9


def answers(lane: int | None) -> np.ndarray:
    """Times from marks until their sources receive the notifications, when the way back is full of data of lane 0."""
    cnp = {"size": "64 B"} | ({} if lane is None else {"lane": lane})
    described = scenario(
        SWITCH,
        [
            {"from": ["H1", "H2"], "to": "H4", "name": "crowd"},
            {"from": ["H3", "H4"], "to": "H1", "name": "way back"},
        ],
        "1 ms",
        links={"lanes": 2},
        scheme={
            "mark": {"fecn": {"enter": "1 kB", "gap": "0 B", "victim_mask": "none", "marking_rate": 7}},
            "notify": {"cnp": cnp},
            "react": {"cct": {"table": {"delays": ["0 ns"]}, "limit": 0}},
        },
        measure={"probes": ["events"]},
    )
    result = run(described)
    times = column(result, "marks", "echoed") - column(result, "marks", "time")
    flow = column(result, "marks", "flow")
    return times[(flow == 0) & np.isfinite(times)][10:] * PS


def test_notifications_in_a_lane_of_their_own_do_not_wait_behind_data():
    """At most for the packet that is being sent: at the host, and at the switch."""
    cnp = 64_000
    most = T + FORWARDING + 2 * (T + cnp)  # the marked packet itself, then twice a packet ahead of it
    own, shared = answers(1), answers(None)
    assert len(own) > 30
    assert own.max() <= most
    assert np.median(shared) > 10 * most, "in the lane of the data they wait behind a whole buffer"
