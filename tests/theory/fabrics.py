"""What the theory tests share: scenarios in few words, exact times, and columns as NumPy arrays."""

from itertools import pairwise

import numpy as np

GBPS = 10**9
PS = 10**12


def wire_time(size: int, rate: int) -> int:
    """Time of `size` bytes on a wire of `rate` bit/s, in picoseconds, rounded up."""
    return -(-8 * size * PS // rate)


def scenario(topology: dict, traffic: list[dict], duration: str, *, rate="8 Gbit/s", delay="0 ns", **sections) -> dict:
    """A scenario with unmarked traffic; `links`, `measure` and the other sections add to the defaults of these tests.

    A packet is 1000 bytes on the wire: 1 us at 8 Gbit/s.
    """
    links = {"rate": rate, "delay": delay} | sections.pop("links", {})
    adapters = {"mtu": "980 B", "header": "20 B"} | sections.pop("adapters", {})
    measure = {"duration": duration, "audit": True} | sections.pop("measure", {})
    parts = {"topology": topology, "links": links, "adapters": adapters, "traffic": traffic, "measure": measure}
    return parts | sections


def run(described: dict, **how):
    """A run that must have ended normally."""
    import congestree

    result = congestree.run(described, **how)
    assert result.stopped is None, result.stopped
    return result


def column(result, table: str, name: str) -> np.ndarray:
    """One column of a table of a run."""
    return result.arrow(table)[name].to_numpy()


def flow_packets(result) -> dict[str, int]:
    """Packets delivered after the warm-up, by flow "source->destination"."""
    return dict(
        zip(result.arrow("flows")["name"].to_pylist(), column(result, "flows", "packets").tolist(), strict=True)
    )


def latencies(result) -> dict[str, list[int]]:
    """Network latencies (first bit out to last bit in) of all packets by flow name, in picoseconds."""
    names = result.arrow("flows")["name"].to_pylist()
    found: dict[str, list[int]] = {name: [] for name in names}
    times = column(result, "deliveries", "time_ps") - column(result, "deliveries", "injected_ps")
    for flow, time in zip(column(result, "deliveries", "flow").tolist(), times.tolist(), strict=True):
        found[names[flow]].append(time)
    return found


def cut_through(size: int, path: list[tuple[int, int]], forwarding: int) -> int:
    """Latency of a lone packet over links (rate in bit/s, delay in ps), each switch forwarding from the head on.

    A head waits in a switch for `forwarding`, and before a faster link as much longer as is needed to have all bytes in
    time for transmission. The last byte follows the head by the packet's time on the last link.
    """
    times = [wire_time(size, rate) for rate, _ in path]
    waits = sum(max(0, before - after) for before, after in pairwise(times))
    return sum(delay for _, delay in path) + forwarding * (len(path) - 1) + waits + times[-1]


def store_and_forward(size: int, path: list[tuple[int, int]], forwarding: int) -> int:
    """The time of a packet along a path if each switch forwards when the last byte is in."""
    return sum(wire_time(size, rate) + delay for rate, delay in path) + forwarding * (len(path) - 1)


def numbered_both_ways(scheme: dict, flow_control: str, queues="voq", probes=()) -> list[tuple]:
    """The arrival times of all packets, and the run, with ports numbered in both orders, which must not matter.

    A burst fills the queue of an output again and again. The notice that the output sends with the start of a packet
    goes over a link on which another packet starts at that very instant, from an output that may decide before it or
    after it. Every output has one input, so that there are no turns.
    """
    links = [
        {"a": "A", "b": "B", "rate": "16 Gbit/s", "rate_back": "8 Gbit/s"},
        {"a": "a0", "b": "A", "rate": "16 Gbit/s"},
        {"a": "a1", "b": "A"},
        {"a": "b0", "b": "B"},
        {"a": "b1", "b": "B"},
    ]
    named = {"hosts": ["a0", "a1", "b0", "b1"], "switches": ["A", "B"]}
    bursts = {"from": "a0", "to": "b0", "arrivals": {"messages": {"count": 20, "every": "60 us"}}, "message": "29400 B"}
    found = []
    for order in (links, links[::-1]):
        described = scenario(
            {"graph": named | {"links": order}},
            [bursts, {"from": "b1", "to": "a1"}],
            "1 ms",
            links={"flow_control": {flow_control: {}}},
            switches={"buffer": "200 kB", "forwarding_delay": "1 us", "queues": queues},
            scheme=scheme,
            measure={"probes": ["deliveries", *probes]},
        )
        result = run(described)
        rows = result.arrow("deliveries").to_pylist()
        found.append((sorted((row["flow"], row["sequence"], row["time_ps"]) for row in rows), result))
    return found
