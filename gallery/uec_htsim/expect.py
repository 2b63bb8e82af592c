"""Writes `claims.toml` from the key: ``python -m gallery.uec_htsim.expect``.

The accepted ranges were written down here before any run: the tail within a tenth of the key's value, and the time of a
named flow likewise. The tests of possible causes, for rows that are not reproduced, were added afterwards.
"""

from pathlib import Path

from .deviations import TESTED
from .key import rows

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


def text(row):
    """The table of one claim."""
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
    else:
        lines.append("measure_only = true")
    return "\n".join(lines)


def main():
    """Write the file."""
    head = "# Made by `python -m gallery.uec_htsim.expect` from data/rows.csv; do not edit.\n\n"
    path = Path(__file__).parent / "claims.toml"
    path.write_text(head + "\n\n".join(text(row) for row in rows()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
