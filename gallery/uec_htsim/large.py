"""The rows of 8,192 hosts: ``CONGESTREE_UEC_KEY=folder python -m gallery.uec_htsim.large``.

It runs them one after the other, the one with the least work first, and writes the results into `data/large.csv`; runs
in that file are not repeated, so that it can be stopped and continued. Both run sets of the key are results of the same
scenario, which is run once. Each run takes about 0.5 GB of memory, and a second for 0.5 to 3 million packet-hops.

    --most 2e6     no run of more packets than this (a permutation of 100 MB has 200 million)
    --minutes 30   no new run after this time
    --table        run nothing: print the table of the file, as in the README
"""

import argparse
import csv
import statistics
import time

from .key import HERE, LARGEST, flows, rows
from .scenario import SEGMENT, scenario

RESULTS = HERE / "large.csv"
METRICS = ("tail_fct", "first_fct", "packets_new", "retransmissions", "acks", "rts")
TOLERANCE = 0.1


def experiments():
    """{(case, algorithm): (a row, {run set: value of the tail or None})} of the larger runs."""
    found = {}
    for row in rows():
        if int(row["hosts"]) > LARGEST and row["metric"] == "tail_fct":
            _, tails = found.setdefault((row["case_id"], row["algorithm"]), (row, {}))
            tails[row["run_set"]] = float(row["value"]) if row["value"] else None
    return found


def packets(row):
    """Data packets of a run, without those that are sent again."""
    return int(row["connections"]) * -(-int(row["flow_bytes"]) // SEGMENT)


def accepted(tails):
    """Least and greatest accepted tail: within a tenth of every run set; where they differ by more, between them."""
    low, high = min(tails), max(tails)
    if high / low - 1 > TOLERANCE:
        return low, high
    return high * (1 - TOLERANCE), low * (1 + TOLERANCE)


def recorded():
    """The content of the file: {(case, algorithm): row}."""
    if not RESULTS.exists():
        return {}
    with RESULTS.open(newline="", encoding="utf-8") as file:
        return {(row["case_id"], row["algorithm"]): row for row in csv.DictReader(file)}


def run(row):
    """One run: the metrics of the key, by name."""
    from congestree.runs.running import run_whole

    from .claims import View

    view = View(run_whole(scenario(row, flows(row), row["run_id"])))
    return {metric: view.measure(metric) for metric in METRICS}


def more(most, minutes):
    """Runs that are not in the file yet, from the least work on."""
    done, began = recorded(), time.monotonic()
    waiting = sorted(
        ((packets(row), key, row) for key, (row, _) in experiments().items() if key not in done),
        key=lambda entry: entry[:2],
    )
    for work, key, row in waiting:
        if work > most or time.monotonic() - began > minutes * 60:
            break
        values = {"case_id": key[0], "algorithm": key[1]} | {name: f"{value:.9g}" for name, value in run(row).items()}
        fresh = not RESULTS.exists()
        with RESULTS.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(values), lineterminator="\n")
            if fresh:
                writer.writeheader()
            writer.writerow(values)
        print(*values.values(), flush=True)


def table():
    """Lines of the table: a line for each family, load of the spines and algorithm."""
    done, groups = recorded(), {}
    for key, (row, tails) in experiments().items():
        group = groups.setdefault((row["family"], row["oversubscription"], row["algorithm"]), [0, [], [], 0])
        group[0] += 1
        if key not in done:
            continue
        tail, known = float(done[key]["tail_fct"]), [value for value in tails.values() if value]
        if known:
            low, high = accepted(known)
            group[1].append(low <= tail <= high)
            group[2].append(tail / statistics.mean(known) - 1)
        else:
            group[3] += 1
    yield "| family | load | algorithm | experiments | done, with value | accepted | furthest | done, without value |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for (family, over, algorithm), (count, judged, off, blank) in sorted(groups.items()):
        furthest = f"{max(off, key=abs):+.1%}".replace("%", " %") if off else "-"
        cells = (family, f"{over}:1", algorithm, count, len(judged), sum(judged), furthest, blank)
        yield "| " + " | ".join(str(cell) for cell in cells) + " |"


def main():
    """Run and write, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=float, default=float("inf"))
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if not options.table:
        more(options.most, options.minutes)
    print(*table(), sep="\n")


if __name__ == "__main__":
    main()
