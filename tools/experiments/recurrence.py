"""Does the behaviour of a run recur, so that periods of it could be skipped and counted?

A run that returns to an earlier state, except for the time, repeats itself from there on, and its future could be
written down without simulating it. Its deliveries recur then, too. So deliveries are examined, from the end of the run
backwards: for a period that occurred at least three times, and the time since when there is nothing else. That is an
upper bound of what could be skipped, since a state may take longer to recur than its effects. The deliveries at each
host are examined separately as well: that much could be skipped if every host were a part of its own that nothing else
affects. See docs/adr/0019-no-fast-forward.md.

    python tools/experiments/recurrence.py
"""

import itertools

import congestree
from congestree.benchmark.cases import CASES

TIMES = 3
"""This many periods make a recurrence."""


def steps(rows):
    """What was delivered, each with the time since the delivery before: time, then what recurs."""
    return [(now[0] - before[0], *now[1:]) for before, now in itertools.pairwise(rows)]


def matches(values):
    """By place, how far `values` from there on agrees with `values` from the beginning (the Z function)."""
    length, left, right = [0] * len(values), 0, 0
    for place in range(1, len(values)):
        if place < right:
            length[place] = min(right - place, length[place - left])
        while place + length[place] < len(values) and values[length[place]] == values[place + length[place]]:
            length[place] += 1
        if place + length[place] > right:
            left, right = place, place + length[place]
    return length


def recurrence(rows):
    """Deliveries of the period with which most of `rows` ends, and the row from which on there is nothing else."""
    length = matches(steps(rows)[::-1])
    periods = [p for p in range(1, len(length) // TIMES + 1) if length[p] >= (TIMES - 1) * p]
    if not periods:
        return None
    period = max(periods, key=lambda p: length[p])
    return period, len(rows) - 1 - period - length[period]


def skipped(rows):
    """The share of the time of `rows` after the first full period."""
    found = recurrence(rows)
    if found is None:
        return 0.0
    period, first = found
    return (rows[-1][0] - rows[first + period][0]) / (rows[-1][0] - rows[0][0])


def deliveries(scenario, duration):
    """Deliveries and their times: time in ps, flow, mark; for all hosts and for each."""
    measure = {"duration": duration, "probes": ["deliveries"]}
    run = congestree.run({**scenario, "measure": measure})
    columns = (run.arrow("deliveries").column(name).to_pylist() for name in ("time_ps", "flow", "marked"))
    rows = sorted(zip(*columns, strict=True))
    to = run.arrow("flows").column("destination").to_pylist()
    hosts = {}
    for row in rows:
        hosts.setdefault(to[row[1]], []).append(row)
    return rows, list(hosts.values())


def network(topology, traffic, **scheme):
    """A network of 100 Gbit/s with byte credits."""
    return {
        "seed": 1,
        "topology": topology,
        "links": {"rate": "100 Gbit/s", "delay": "10 ns", "flow_control": {"byte-credits": {}}},
        "switches": {"buffer": "64 KiB", "forwarding_delay": "100 ns"},
        "scheme": scheme,
        "traffic": traffic,
    }


TREE = {"fat-tree": {"radix": 16}}
RING = [{"from": "all", "program": {"all-reduce-ring": {"bytes": "1 MiB"}}}]
HOT = [{"from": [f"h{host}" for host in range(1, 128)], "to": "h0"}]

RUNS = {
    "incast of 32, greedy": (CASES["b-incast-32-to-1"], "4 ms"),
    "the same with ACKs and pauses": (CASES["o-incast-32-acks"], "4 ms"),
    "127 hosts to one, greedy": (network(TREE, HOT), "4 ms"),
    "the same under InfiniBand CC": (network(TREE, HOT, preset="ib-cc"), "4 ms"),
    "shift by 8, greedy, 128 hosts": (network(TREE, [{"from": "all", "pattern": {"shift": {"by": 8}}}]), "1 ms"),
    "permutation, greedy, 128 hosts": (network(TREE, [{"from": "all", "pattern": "permutation"}]), "1 ms"),
    "permutation over ECMP and pauses, 1,024 hosts": (CASES["m-permutation-1024"], "100 us"),
    "all-reduce of 1 MiB on a ring of 128 ranks": (network(TREE, RING), "4 ms"),
    "uniform draws at load 0.8, 128 hosts": (
        network(TREE, [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.8}}}]),
        "400 us",
    ),
}


def main():
    print("| run | deliveries | of the whole network could be skipped | of single hosts, on average |")
    print("| --- | --- | --- | --- |")
    for name, (scenario, duration) in RUNS.items():
        rows, hosts = deliveries(scenario, duration)
        single = sum(skipped(host) for host in hosts if len(host) > 1) / len(hosts)
        print(f"| {name} | {len(rows):,} | {skipped(rows):.0%} | {single:.0%} |", flush=True)


if __name__ == "__main__":
    main()
