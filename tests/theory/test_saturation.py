"""How much a switch carries when every input is always backlogged and destinations are uniform (Karol 1987).

N sources that never rest and N sinks on one switch; every packet goes to a sink drawn at random. All packets have one
length and all sources begin together, so everything happens in slots.

*Single FIFO queues, one read port.* Only heads compete. Let n_i be the number of heads that want output i: every slot
each output with n_i > 0 serves one, and each of those m inputs draws a new head. Who is served does not matter to the
counts, so round robin, oldest first and random choice carry the same, E[m] / N, which is 0.75, 0.6553, 0.6184 for
N = 2, 4, 8 and falls to 2 - sqrt(2) = 0.5858 (Karol, Hluchyj, Morgan: Input versus output queueing on a space-division
packet switch, IEEE Trans. Commun. 35 (12), 1987, Table I). `carried` solves that chain exactly.

*Virtual output queues, all read ports.* Nobody stands behind a packet for another output; only the room of a buffer,
shared by its queues, can keep an input from filling them all. With room for many packets an output is hardly ever idle.
"""

from math import sqrt

import pytest
from fabrics import column, run, scenario

TABLE_I = {1: 1.0, 2: 0.75, 3: 0.6825, 4: 0.6553, 5: 0.6399, 6: 0.6302, 7: 0.6234, 8: 0.6184}
SLOT = 1_000_000  # ps: 1000 bytes at 8 Gbit/s


def carried(ports: int) -> float:
    """Saturation throughput of a switch with single input queues, by its Markov chain.

    A state describes how many heads want each output: a sorted tuple of the counts that are not zero.
    """
    rounds: dict[tuple, dict[tuple, float]] = {}

    def one_more(states: dict[tuple, float]) -> dict[tuple, float]:
        """One input draws a new head."""
        after: dict[tuple, float] = {}
        for counts, chance in states.items():
            for value in {*counts, 0}:
                outputs = counts.count(value) if value else ports - len(counts)
                if outputs:
                    grown = list(counts)
                    if value:
                        grown.remove(value)
                    key = tuple(sorted([*grown, value + 1]))
                    after[key] = after.get(key, 0.0) + chance * outputs / ports
        return after

    def after_slot(counts: tuple) -> dict[tuple, float]:
        """Each requested output serves one head, and as many new ones are drawn."""
        if counts not in rounds:
            states = {tuple(value - 1 for value in counts if value > 1): 1.0}
            for _ in counts:
                states = one_more(states)
            rounds[counts] = states
        return rounds[counts]

    now, before = {(1,) * ports: 1.0}, 0.0
    while True:
        after: dict[tuple, float] = {}
        for counts, chance in now.items():
            for key, part in after_slot(counts).items():
                after[key] = after.get(key, 0.0) + chance * part
        busy = sum(len(counts) * chance for counts, chance in after.items()) / ports
        if abs(busy - before) < 1e-9:
            return busy
        now, before = after, busy


def saturated(ports: int, slots: int, switches: dict, probes=()) -> tuple[float, object]:
    """Fraction of its slots in which an output is busy, and the run."""
    sources = [f"H{i + 1}" for i in range(ports)]
    sinks = [f"H{ports + i + 1}" for i in range(ports)]
    result = run(
        scenario(
            {"single-switch": {"hosts": 2 * ports}},
            [{"from": sources, "pattern": {"hot-spot": {"to": sinks, "fraction": 1.0}}}],
            f"{slots} us",
            links={"flow_control": {"packet-slots": {}}},
            switches=switches,
            measure={"warm_up": f"{slots // 10} us", "probes": list(probes)},
        )
    )
    return sum(column(result, "flows", "packets")) / (ports * (slots - slots // 10)), result


SINGLE = {"queues": "single", "read_ports": "one", "buffer": "4 packets"}
VOQ = {"queues": "voq", "read_ports": "all", "buffer": "256 packets"}


def test_the_chain_is_that_of_the_paper():
    for ports, throughput in TABLE_I.items():
        assert carried(ports) == pytest.approx(throughput, abs=6e-5), f"{ports} ports"


def test_saturation_is_slotted():
    _, result = saturated(4, 500, SINGLE, probes=["deliveries"])
    assert len(set(column(result, "deliveries", "time_ps") % SLOT)) == 1


@pytest.mark.parametrize("arbiter", ["round-robin", "fifo"])
@pytest.mark.parametrize("ports", [1, 2, 4, 8])
def test_single_queues_lose_what_karol_says(ports, arbiter):
    throughput, _ = saturated(
        ports, 240_000 // ports, SINGLE | {"arbiter": {arbiter: {}} if arbiter == "fifo" else arbiter}
    )
    assert throughput == pytest.approx(carried(ports), abs=0.004)


def test_single_queues_approach_0_586():
    found = {ports: saturated(ports, 400_000 // ports, SINGLE)[0] for ports in (8, 16, 32, 64)}
    assert found[16] == pytest.approx(carried(16), abs=0.003)
    assert found[8] > found[16] > found[32] > found[64] > 2 - sqrt(2)
    assert found[64] == pytest.approx(2 - sqrt(2), abs=0.007)


@pytest.mark.parametrize("ports", [4, 8, 16, 32])
def test_virtual_output_queues_carry_more_than_0_95(ports):
    throughput, _ = saturated(ports, 200_000 // ports, VOQ)
    assert 0.95 < throughput <= 1
