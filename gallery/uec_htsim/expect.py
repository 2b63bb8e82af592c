"""Writes `claims.toml` from the key: ``python -m gallery.uec_htsim.expect``.

The accepted ranges were written down here before any run: the tail within a tenth of the key's value, and the time of a
named flow likewise. The tests of possible causes, for rows that are not reproduced, were added afterwards, and so was
`same_as`: runs of one scenario with one value in the key are one fact.
"""

import json
from pathlib import Path

from .deviations import TESTED
from .key import cases, rows
from .runs import one

TOLERANCE = 0.1
WORDS = {
    "tail_fct": "time at which the last flow is complete at its sender",
    "first_fct": "time at which the first flow is complete at its sender",
    "fct_spread": "time of the last flow over that of the first",
    "packets_new": "data packets sent for the first time",
    "retransmissions": "data packets sent again",
    "acks": "ACKs received by senders",
    "nacks": "NACKs received by senders",
    "pulls": "grants received by senders",
    "rts": "requests sent by senders",
}


def first_runs():
    """{run: the first run of the key that has the same scenario}."""
    seen = {}
    return {run: seen.setdefault(json.dumps(one(run) | {"name": ""}, sort_keys=True), run) for run in cases()}


def text(row, first):
    """The table of one claim; `first`: the first run with its scenario and its value, itself in most cases."""
    metric, value = row["metric"], row["value"]
    words = WORDS.get(metric, f"time at which flow {metric.removeprefix('flow_fct:Uec_')} is complete at its sender")
    lines = [
        f'["{row["run_id"]}/{metric}"]',
        f'where = "uet-htsim {Path(row["result_file"]).name}"',
        'check = "sim"',
        f'scenario = "{row["case_id"]}, {row["algorithm"]}"',
        f'metric = "{words}"',
        f'unit = "{row["unit"]}"',
    ]
    if value:
        lines.append(f"target = {float(value):g}")
    if value and (metric == "tail_fct" or metric.startswith("flow_fct")):
        low, high = (float(value) * (1 + sign * TOLERANCE) for sign in (-1, 1))
        lines.append(f'accept = "{low:g}-{high:g} {row["unit"]}"')
        lines.append(f'judge = "{low:g} <= x <= {high:g}"')
        if metric == "tail_fct" and row["run_id"] in TESTED:
            lines.append(f'tested = "{TESTED[row["run_id"]]}"')
        if first != row["run_id"]:
            lines.append(f'same_as = "{first}/{metric}"')
    else:
        lines.append("measure_only = true")
    return "\n".join(lines)


def texts():
    """The whole file."""
    head = "# Made by `python -m gallery.uec_htsim.expect` from data/rows.csv; do not edit.\n\n"
    first, values = first_runs(), cases()

    def with_value(run, metric):
        """Equal runs of which the key has different values are different facts."""
        return first[run] if values[run][1][metric] == values[first[run]][1].get(metric) else run

    return head + "\n\n".join(text(row, with_value(row["run_id"], row["metric"])) for row in rows()) + "\n"


def main():
    """Write the file."""
    (Path(__file__).parent / "claims.toml").write_text(texts(), encoding="utf-8")


if __name__ == "__main__":
    main()
