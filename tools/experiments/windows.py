"""Is one core faster with windows: one part of the network after the other, each small enough for the cache?

A part is advanced for a whole window before the next one, so that its data may stay in the cache. The rate is by
processor time and includes the building of the network, which is done for each part. See
docs/adr/0015-parts-and-windows.md.

    python tools/experiments/windows.py
"""

import json
import statistics
import time

from congestree import _engine
from congestree.benchmark.cases import CASES

RUNS = {"c-fat-tree-648": "200 us", "d-tree-5832": "15 us", "q-tree-65536": "10 us"}
PARTS = (1, 2, 4, 8, 16, 32)
TIMES = 3


def run(scenario, parts):
    """Packet-hops per second of processor time, and the fingerprint of the results."""
    begun = time.process_time()
    made = _engine.run(json.dumps(scenario), "json", threads=1, parts=parts)
    took = time.process_time() - begun
    meta = json.loads(made.meta())
    return meta["packet_hops"] / took, meta["fingerprint"]["results"]


def main():
    """Print millions of packet-hops per second by case and number of parts: medians of interleaved runs."""
    print("| case |", " | ".join(f"{parts} parts" if parts > 1 else "1 part" for parts in PARTS), "|")
    print("| --- |", " | ".join("---" for _ in PARTS), "|")
    for name, duration in RUNS.items():
        scenario = {**CASES[name], "measure": {"duration": duration}}
        rates, results = {parts: [] for parts in PARTS}, set()
        for _ in range(TIMES):
            for parts in PARTS:
                rate, result = run(scenario, parts)
                rates[parts].append(rate)
                results.add(result)
        assert len(results) == 1, f"{name}: the results of different parts differ"
        print(
            f"| {name} |",
            " | ".join(f"{statistics.median(rates[parts]) / 1e6:.2f}" for parts in PARTS),
            "|",
            flush=True,
        )


if __name__ == "__main__":
    main()
