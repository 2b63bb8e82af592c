"""Closed forms for windows and for room: how far a flow comes alone, and what slots give when many compete.

*Window.* With w packets outstanding and a round trip of R from the start of a packet until its ACK is in, a lone flow
has the fraction min(1, w T / R) of its link, T the time of a packet. In the network of HPL-2002-4 (Table 1: 2068 bytes
at 1 GB/s, ACK 20 bytes, 40 ns for each of two switches each way) R = 2.068 + 0.020 + 0.160 us: 0.92 for w = 1.

*Room.* A buffer of B packets whose room comes back after a loop of C since the packet started feeds its link for
the fraction min(1, B T / C) (Dally, Towles: Principles and Practices of Interconnection Networks, 2004, chapter 13: to
carry the full rate a buffer must cover the credit round trip).

*Slots* (HPL-2002-4 Fig. 2(a) and its companion on congestion detection, Fig. 2). An output that takes packets in
order of arrival serves those that wait for it in proportion to their number. With window one, L local flows have one
packet each in line for the root, and the buffer between the switches holds `buffer` remote ones: remote traffic gets
buffer / (L + buffer). Without window all L + 1 buffers are full alike: each gets 1 / (L + 1), and switch A lets remote
and victim alternate.
"""

import pytest
from fabrics import column, flow_packets, run, scenario

HPL = {
    "rate": "1 GB/s",
    "links": {"flow_control": {"packet-slots": {"credit_delay": "0 ns", "control": "own-room"}}},
    "adapters": {"mtu": "2048 B", "header": "20 B", "ack": "20 B"},
}
T, ACK, FORWARDING = 2_068_000, 20_000, 40_000  # ps


def hpl_switches(buffer: int = 4) -> dict:
    """The switches of the two HP papers."""
    return {
        "buffer": f"{buffer} packets",
        "queues": "voq",
        "read_ports": "one",
        "arbiter": {"fifo": {"bypass_limit": 4}},
        "forwarding_delay": f"{FORWARDING} ps",
    }


def hpl(local: int, remote: int, traffic: list[dict], duration: str, buffer: int = 4, **sections):
    """A run of the two-switch network."""
    window = sections.pop("window", None)
    adapters = HPL["adapters"] | ({} if window is None else {"window": window})
    described = scenario(
        {"two-switch": {"local": local, "remote": remote}},
        traffic,
        duration,
        **(HPL | {"adapters": adapters, "switches": hpl_switches(buffer)} | sections),
    )
    return run(described)


@pytest.mark.parametrize("window", [1, 2, 3])
@pytest.mark.parametrize(("source", "switches"), [("A_V", 2), ("B_C", 1)])
def test_a_lone_flow_with_a_window(source, switches, window):
    microseconds = 5000
    result = hpl(1, 1, [{"from": source, "to": "B_V"}], f"{microseconds} us", window=window)
    one_way = T + switches * FORWARDING
    round_trip = one_way + ACK + switches * FORWARDING
    end = microseconds * 10**6
    if window == 1:
        expected = (end - one_way) // round_trip + 1
    else:
        assert window * T > round_trip
        expected = (end - one_way) // T + 1
    assert flow_packets(result)[f"{source}->B_V"] == expected


def test_the_lone_flow_of_the_paper_has_092_of_its_link():
    result = hpl(1, 1, [{"from": "A_V", "to": "B_V"}], "20 ms", window=1)
    used = dict(zip(result.arrow("ports")["name"].to_pylist(), column(result, "ports", "utilisation"), strict=True))
    assert used["A->B"] == pytest.approx(2.068 / (2.068 + 0.16 + 0.02), abs=2e-4)
    assert round(used["A->B"], 2) == 0.92


@pytest.mark.parametrize("window", [1, 2, 3, 4, 5, 6])
def test_a_window_on_a_long_way(window):
    """Round trip of five packet times: w packets each."""
    result = run(
        scenario(
            {"chain": {"switches": 2, "hosts_per_switch": 1}},
            [{"from": "S1_1", "to": "S2_1"}],
            "10 ms",
            delay="600 ns",
            switches={"forwarding_delay": "50 ns"},
            adapters={"window": window, "ack": "200 B"},
        )
    )
    round_trip = 1.0 + 0.2 + 2 * (3 * 0.6 + 2 * 0.05)
    assert round_trip == pytest.approx(5.0)
    assert flow_packets(result)["S1_1->S2_1"] == pytest.approx(10_000 * min(1, window / round_trip), abs=window + 3)


@pytest.mark.parametrize("control", ["packet-slots", "byte-credits"])
@pytest.mark.parametrize("switching", ["cut-through", "store-and-forward"])
@pytest.mark.parametrize("room", [1, 2, 3, 5])
def test_the_room_of_a_buffer_against_the_credit_loop(room, switching, control):
    """Two hosts and a switch: from the start of a packet on the first link to its room being promised again."""
    delay, forwarding, credit = 0.3, 0.1, 1.7  # us
    buffer = f"{room} packets" if control == "packet-slots" else f"{room * 16 * 64} B"  # 1000 bytes are 16 blocks
    result = run(
        scenario(
            {"single-switch": {"hosts": 2}},
            [{"from": "H1", "to": "H2"}],
            "10 ms",
            delay="300 ns",
            links={"flow_control": {control: {"credit_delay": "1.7 us"}}},
            switches={"buffer": buffer, "forwarding_delay": "100 ns", "switching": switching},
        )
    )
    loop = delay + forwarding + 1 + credit + (1 if switching == "store-and-forward" else 0)
    assert flow_packets(result)["H1->H2"] == pytest.approx(10_000 * min(1, room / loop), abs=room + 3)


@pytest.mark.parametrize("room", [1, 2, 4])
def test_a_slow_host_sets_the_pace_whatever_room_it_has(room):
    """A receiver that drains at a quarter of the link rate sets the pace, however much room it has."""
    result = run(
        scenario(
            {"single-switch": {"hosts": 2}},
            [{"from": "H1", "to": "H2"}],
            "10 ms",
            links={"flow_control": {"packet-slots": {}}},
            switches={"buffer": "4 packets"},
            adapters={"drain_rate": "2 Gbit/s", "receive_buffer": f"{room} packets"},
        )
    )
    per_packet = 1 + 4 if room == 1 else 4  # with room for one, in and out take turns
    assert flow_packets(result)["H1->H2"] == pytest.approx(10_000 / per_packet, abs=room + 2)


def contenders(local: int, remote: int, victim: str | None) -> list[dict]:
    """Flows that start 100 us apart, local ones first, and the victim at its own time."""
    traffic = [
        {"name": "local", "from": "local", "to": "B_C", "stagger": "100 us"},
        {"name": "remote", "from": "remote", "to": "B_C", "start": f"{100 * local} us", "stagger": "100 us"},
    ]
    return traffic + ([{"name": "victim", "from": "A_V", "to": "B_V", "start": victim}] if victim else [])


def shares(result, seconds: float) -> dict[str, float]:
    """The fraction of a link that every flow has, by class, flow by flow in order of the classes."""
    slots = seconds * 1e12 / T
    found: dict[str, list[float]] = {}
    classes = result.arrow("flows")["class"].to_pylist()
    for name, packets in zip(classes, column(result, "flows", "packets").tolist(), strict=True):
        found.setdefault(name, []).append(packets / slots)
    return found


@pytest.mark.parametrize("local", [2, 5, 8])
def test_without_window_all_buffers_are_full_alike(local):
    result = hpl(local, 1, contenders(local, 1, None), "24 ms", measure={"warm_up": "4 ms"})
    for name, found in shares(result, 20e-3).items():
        assert found == pytest.approx([1 / (local + 1)] * len(found), rel=0.01), name


def test_the_victim_gets_as_little_as_the_remote_flow():
    """HPL Fig. 2(a): about a sixth each; the packets of the victim take some room from the remote flow."""
    result = hpl(5, 1, contenders(5, 1, "2 ms"), "24 ms", measure={"warm_up": "4 ms"})
    found = shares(result, 20e-3)
    assert found["local"] == pytest.approx([1 / 6] * 5, abs=0.02)
    assert found["remote"] == pytest.approx([1 / 6], abs=0.03)
    assert found["victim"] == pytest.approx(found["remote"], rel=0.01)


@pytest.mark.parametrize(("local", "buffer"), [(10, 4), (5, 4), (20, 4), (10, 8)])
def test_with_window_one_shares_go_by_slots(local, buffer):
    """Remote traffic has `buffer` places in a line of L + `buffer`."""
    result = hpl(local, 10, contenders(local, 10, "3 ms"), "40 ms", buffer, window=1, measure={"warm_up": "5 ms"})
    found = shares(result, 35e-3)
    assert sum(found["local"]) + sum(found["remote"]) == pytest.approx(1, rel=0.01)
    assert sum(found["remote"]) == pytest.approx(buffer / (local + buffer), rel=0.02)


def test_the_shares_of_ecn_figure_2():
    """L = R = 10, four slots: six remote packets wait at A, and the victim has one turn in seven."""
    result = hpl(10, 10, contenders(10, 10, "3 ms"), "40 ms", window=1, measure={"warm_up": "5 ms"})
    found = shares(result, 35e-3)
    victim, remote = found["victim"][0], sum(found["remote"])
    assert victim == pytest.approx(4 / 14 / 7, rel=0.02)
    assert victim + remote == pytest.approx(0.327, rel=0.02)
