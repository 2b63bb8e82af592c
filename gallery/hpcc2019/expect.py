"""Writes `claims.toml` from the key and the sentences: ``python -m gallery.hpcc2019.expect``.

The accepted ranges were written down here before any run: slowdowns within 15 % of the figures up to 200 KB and within
20 % above, the order of schemes at both ends, and the statements about pauses, queues and newcomers.
"""

from pathlib import Path

from .key import name, rows

SHORT = (
    "The mean of seven draws of flows is 2 % below the bound, and its interval includes the bound. It was a third too "
    "low while its ACKs had priority in switches, which they do not have in the source code (README, ACKs wait in "
    "switches for all schemes)"
)
FIRST = (
    "If ACKs have priority in switches, {}, which is accepted; without, the same flows have 15.5. So the queues on "
    "the return path, which are part of its measured delay, cause most of the difference; but ACKs wait in them in the "
    "source code as well"
)
WAITS = (
    "If ACKs return as in an idle fabric, with the first draw of flows, it is {}, which is accepted (README, When "
    "a flow is over). So waiting ACKs are the cause. In the source code ACKs wait too, because ack_prio is 0; why they "
    "wait for a shorter time there is not known"
)
UNSETTLED = {
    "hpcc-int": ["6.7kb"],
    "hpcc-pint": ["6.7kb"],
    "dcqcn+w": ["6.7kb", "200kb"],
    "dctcp": ["200kb", "1mb", "30mb"],
}
"""Points that seven draws leave undecided, by scheme, except one of TIMELY."""
NEAR = (
    "Seven draws of flows do not decide it: their mean is within 5 % of a bound, and its interval includes the bound "
    "(README, Seven draws of flows)"
)
OPEN = {
    "hpcc2019-timely+w-50-6.7kb": SHORT,
    **{f"hpcc2019-{scheme}-50-{size}": NEAR for scheme, sizes in UNSETTLED.items() for size in sizes},
}
"""What the full runs leave undecided, and why; written after them."""
TESTED = {
    "hpcc2019-timely+w-50-1mb": FIRST.format("it is 12.0"),
    "hpcc2019-dctcp-50-6.7kb": WAITS.format("4.92"),
    "hpcc2019-dctcp-50-50kb": WAITS.format("5.47"),
    "hpcc2019-dcqcn+w-50-50kb": WAITS.format("6.35"),
}
"""The effect of one change on rows that are not reproduced."""

SENTENCES = """
["hpcc2019-order-50-6.7kb"]
where = "figs/fct_wb50_99pct.png"
check = "sim"
scenario = "WebSearch at 50 %, 320 hosts: flows of at most 6.7 KB"
metric = "99th percentile of slowdown, by scheme"
unit = "ratio"
accept = "both forms of HPCC below DCTCP, DCTCP below TIMELY with a window, that below DCQCN with a window"
judge = "'HPCC-INT' < 'DCTCP' and 'HPCC-PINT' < 'DCTCP' and 'DCTCP' < 'TIMELY+w' and 'TIMELY+w' < 'DCQCN+w'"
tested = "DCTCP has 6.62, and TIMELY 5.22. If the ACKs of DCTCP return as in an idle fabric, with the first draw of \
flows, it has 4.92, and all five schemes are in the published order (README, When a flow is over)"

["hpcc2019-order-50-30mb"]
where = "figs/fct_wb50_99pct.png"
check = "sim"
scenario = "WebSearch at 50 %, 320 hosts: the largest twentieth of the flows"
metric = "99th percentile of slowdown, by scheme"
unit = "ratio"
accept = "DCTCP and DCQCN with a window below TIMELY with a window, that below both forms of HPCC"
judge = "max('DCTCP', 'DCQCN+w') < 'TIMELY+w' and 'TIMELY+w' < 'HPCC-INT' and 'TIMELY+w' < 'HPCC-PINT'"
open = "All five schemes are in the published order in five of seven draws of flows; in the others TIMELY is above \
HPCC-PINT by 0.042 to 0.44. The means of the two are 10.63 and 10.94"
tested = "If the ACKs of TIMELY have priority in switches, which they do not have in the source code, it has 9.22 \
with the first draw, and all five schemes are in the published order"

["hpcc2019-no-pauses"]
where = "HPCC, section 5.3 (no pauses with HPCC)"
check = "sim"
scenario = "WebSearch at 50 %, 320 hosts"
metric = "share of the time that a port is paused, by scheme"
unit = "1"
accept = "none with HPCC-INT and HPCC-PINT"
judge = "'HPCC-INT' == 0 and 'HPCC-PINT' == 0"

["hpcc2019-queues"]
where = "HPCC, section 5.3 (queues near zero)"
check = "sim"
scenario = "WebSearch at 50 %, 320 hosts"
metric = "99th percentile, over outputs and intervals of 100 us, of the longest queue, by scheme"
unit = "B"
accept = "both forms of HPCC below half of DCQCN with a window and of TIMELY with a window"
judge = "max('HPCC-INT', 'HPCC-PINT') < 0.5 * min('DCQCN+w', 'TIMELY+w')"

["hpcc2019-two-flows-eta"]
where = "HPCC, section 3.2"
check = "sim"
scenario = "two flows to one host, eta 0.95"
metric = "share of the link that both flows use together"
unit = "1"
target = 0.95
accept = "0.93 to 0.97"
judge = "0.93 <= x <= 0.97"

["hpcc2019-two-flows-queue"]
where = "HPCC, section 3.2"
check = "sim"
scenario = "two flows to one host, eta 0.95"
metric = "bytes waiting that are not exceeded for nine tenths of the time, over all ports"
unit = "B"
accept = "at most three packets"
judge = "x <= 3270"

["hpcc2019-newcomer"]
where = "HPCC, section 3.4"
check = "sim"
scenario = "a second flow begins at line rate"
metric = "round trips until the first flow has less than 60 % of the link"
unit = "round trips"
accept = "at most two"
judge = "x <= 2"
"""


def text(row):
    """The table of one claim."""
    lines = [
        f'["{name(row)}"]',
        f'where = "{row["figure"]}"',
        'check = "sim"',
        f'scenario = "WebSearch at {row["load"]} %, 320 hosts, {row["scheme"]}"',
        f'metric = "99th percentile of slowdown, {row["size_label"]}"',
        'unit = "ratio"',
    ]
    if row["value"] is None:
        return "\n".join([*lines, "measure_only = true"])
    share = 0.15 if row["most"] <= 200_000 else 0.2
    low, high = (row["value"] * (1 + sign * share) for sign in (-1, 1))
    lines.append(f"target = {row['value']:g}")
    lines.append(f'accept = "{low:.3g} to {high:.3g}"')
    lines.append(f'judge = "{low:.3g} <= x <= {high:.3g}"')
    if name(row) in OPEN:
        lines.append(f'open = "{OPEN[name(row)]}"')
    if name(row) in TESTED:
        lines.append(f'tested = "{TESTED[name(row)]}"')
    return "\n".join(lines)


def claims():
    """The whole file."""
    head = (
        "# Made by `python -m gallery.hpcc2019.expect` from data/fct_slowdown.csv and its sentences; do not edit.\n\n"
    )
    tables = "\n\n".join(text(row) for row in rows())
    return head + tables + "\n" + SENTENCES


def main():
    """Write it."""
    (Path(__file__).parent / "claims.toml").write_text(claims(), encoding="utf-8")


if __name__ == "__main__":
    main()
