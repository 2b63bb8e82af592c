"""Changes that were tried for the expectations that did not hold: one case, one thing changed.

    python -m gallery.every_scheme.changes             # all of them, three seeds: some minutes of one core
    python -m gallery.every_scheme.changes bfc         # those of expectations whose id contains this
    python -m gallery.every_scheme.changes --seeds 1

Prints a table as in the README: the measure with the change, and that of the unchanged case.
"""

import argparse
from dataclasses import dataclass, field

from .claims import MEASURES
from .runs import FULL
from .scenario import exchange, incast
from .study import View

LATE = {"measure.duration": "80 ms", "measure.warm_up": "60 ms"}
FIFO = {"switches.arbiter": {"fifo": {}}}
OWN_MARKS = {"scheme.mark": {"root": {"share": 0.15}}}
"""CCFIT and EcoCC with the share of their presets, where the cases mark every other packet."""
HALF = {f"traffic.{place}.rate": "50 Gbit/s" for place in (2, 3, 4)}
"""Victims send at half the rate of a link, so that their link is not full, too."""
SOONER = {"scheme.react.swift.base_target": "8 us"}
SOON = {"scheme.transport.irn.timeout_high": "40 us", "scheme.transport.irn.timeout_low": "20 us"}


def isolated(**more):
    """ICI with other keys of what isolates; the rest of the part is as its preset has it."""
    preset = {"queues": 4, "detect": 8, "stop": 10, "go": 4, "notices": {"in-band": {"size": "64 B"}}}
    return {"scheme.isolate.ccfit": preset | more}


ISOLATED_LATER = isolated(stop=30, go=20)


@dataclass
class Change:
    """One thing changed in a case."""

    claim: str
    case: str
    column: str
    what: str
    values: dict = field(default_factory=dict)
    """Dotted paths of the scenario, and their new values."""
    kind: str = "incast"
    given: dict = field(default_factory=dict)
    """Values that differ from the case both with and without the change: where a case has more than one cause."""
    given_words: str = ""


def over_fifo(case, what, values, more=None, words=""):
    """One thing changed for fairness where outputs serve the oldest first; `more` (in words) is in both runs, too."""
    given = {"given": FIFO | (more or {}), "given_words": f"FIFO outputs{words}"}
    return Change("every-throttling-fair", case, "Jain", what, values, **given)


CHANGES = [
    Change("every-throttling-fair", "credits-ib-cc", "Jain", "in [60, 80] ms", LATE),
    Change(
        "every-throttling-fair", "pfc-hpcc", "Jain", "rate_ai 500 Mbit/s", {"scheme.react.hpcc.rate_ai": "500 Mbit/s"}
    ),
    Change(
        "every-throttling-fair", "pfc-hpcc", "victim", "rate_ai 500 Mbit/s", {"scheme.react.hpcc.rate_ai": "500 Mbit/s"}
    ),
    Change(
        "every-throttling-fair",
        "pfc-dctcp",
        "Jain",
        "step at 20 kB",
        {"scheme.mark.red.min": "20 kB", "scheme.mark.red.max": "20 kB"},
    ),
    Change("every-throttling-fair", "pfc-dctcp", "Jain", "FIFO outputs", FIFO),
    Change("every-throttling-fair", "pfc-swift", "Jain", "target 8 us", {"scheme.react.swift.base_target": "8 us"}),
    Change("every-throttling-fair", "pfc-swift", "Jain", "FIFO outputs", FIFO),
    Change("every-throttling-fair", "pfc-power", "Jain", "FIFO outputs", FIFO),
    Change("every-throttling-fair", "pfc-power", "Jain", "in [60, 80] ms", LATE),
    Change("every-throttling-fair", "pfc-power", "Jain", "victims want half a link", HALF),
    Change("every-throttling-fair", "pfc-dctcp", "Jain", "victims want half a link", HALF),
    over_fifo("pfc-dctcp", "victims want half a link", HALF),
    Change(
        "every-throttling-fair",
        "pfc-dctcp",
        "Jain",
        "step at 6 kB",
        {"scheme.mark.red.min": "6 kB", "scheme.mark.red.max": "6 kB"},
    ),
    Change("every-throttling-fair", "pfc-swift", "Jain", "victims want half a link", HALF),
    over_fifo("pfc-swift", "victims want half a link", HALF),
    over_fifo("pfc-swift", "target 8 us", SOONER),
    over_fifo("pfc-swift", "victims want half a link", HALF, SOONER, ", target 8 us"),
    Change(
        "every-throttling-fair",
        "pfc-power",
        "Jain",
        "additive 1,500 Mbit/s",
        {"scheme.react.power-tcp.additive": "1500 Mbit/s"},
    ),
    Change(
        "every-bfc-frees", "pfc-bfc", "victim", "hop_round_trip 6 us", {"scheme.isolate.bfc.hop_round_trip": "6 us"}
    ),
    Change("every-both-frees", "credits-ccfit", "victim", "roots from 16 packets", {"scheme.isolate.ccfit.high": 16}),
    Change("every-both-frees", "credits-ccfit", "victim", "timer 8 us", {"scheme.react.cct.timer": "8 us"}),
    Change("every-both-frees", "credits-ccfit", "victim", "marks as in the preset", OWN_MARKS),
    Change("every-both-frees", "credits-ecocc", "victim", "marks as in the preset", OWN_MARKS),
    Change("every-both-fair", "pfc-ici", "Jain", "in [60, 80] ms", LATE),
    Change("every-both-fair", "pfc-qcz", "Jain", "in [60, 80] ms", LATE),
    Change("every-both-fair", "pfc-ici", "Jain", "roots from 2 packets", isolated(high=2, low=1)),
    Change("every-both-fair", "pfc-ici", "Jain", "roots from 12 packets", isolated(high=12, low=8)),
    Change("every-both-fair", "pfc-ici", "Jain", "stops above 30 packets, goes on at 20", ISOLATED_LATER),
    Change("every-both-fair", "pfc-ici", "Jain", "victims want half a link", HALF),
    Change(
        "every-both-fair",
        "pfc-ici",
        "Jain",
        "roots mark all, set aside or not",
        {"scheme.mark.root": {"packet_size": "0 B", "marking_rate": 0, "only_set_aside": False}},
    ),
    Change("every-both-fair", "pfc-qcz", "Jain", "Pmax 1", {"scheme.mark.red.probability": 1.0}),
    Change("every-both-fair", "pfc-qcz", "Jain", "victims want half a link", HALF),
    Change("every-uec-alike", "credits-nscc", "tail", "FIFO outputs", FIFO),
    Change("every-uec-alike", "pfc-nscc", "tail", "FIFO outputs", FIFO),
    Change("every-tcd-spares", "credits-ib-cc", "victim", "marks every packet", {"scheme.mark.fecn.marking_rate": 0}),
    Change(
        "every-rcm-victim",
        "pfc-rcm",
        "victim",
        "looks at one packet of 11",
        {"scheme.schedule.rcm.flow_sample_every": 11},
    ),
    Change("every-rcm-victim", "pfc-rcm", "victim", "windows over 2 us", {"scheme.schedule.rcm.least_window": "2 us"}),
    *(
        Change(
            "every-rcm-victim",
            "pfc-rcm",
            "victim",
            what,
            {f"scheme.schedule.rcm.{key}": to for key, to in more.items()},
        )
        for what, more in (
            ("roots pace their flows", {"root_control": True}),
            ("windows counted all the time", {"windows_measured": "always"}),
            ("looks by chance", {"flow_sampling": "by-chance"}),
            ("each look by chance written", {"flow_sampling": "by-chance", "flow_entries": "one-a-sample"}),
            ("harmful flows behind others", {"pacing": "behind-others"}),
            ("windows, and behind others", {"pacing": "both"}),
            ("64 flows remembered", {"flows": 64}),
        )
    ),
    Change("every-rcm-victim", "pfc-rcm", "victim", "memory of 512 KiB", {"switches.buffer": "512 KiB"}),
    Change(
        "every-rcm-victim",
        "pfc-rcm",
        "victim",
        "in [40, 60] ms",
        {"measure.duration": "60 ms", "measure.warm_up": "40 ms"},
    ),
    Change("every-exchange-lossy", "drop-irn", "job", "timers of 40 and 20 us", SOON, "exchange"),
    Change("every-lossy-delay-frees", "drop-irn-swift", "victim", "in [60, 80] ms", LATE),
    Change("every-lossy-timely", "drop-irn-timely", "victim", "T_low 6 us", {"scheme.react.timely.low": "6 us"}),
    Change("every-lossy-timely", "drop-irn-timely", "dropped", "T_low 6 us", {"scheme.react.timely.low": "6 us"}),
    Change("every-lossy-exchange-sooner", "drop-irn", "job", "timers of 40 and 20 us", SOON, "exchange"),
    Change("every-lossy-exchange-sooner", "drop-irn-dctcp", "job", "timers of 40 and 20 us", SOON, "exchange"),
]


def scenario(change, seed):
    """The scenario of the case, before the change."""
    (length, warm_up), layers = FULL
    label = f"{change.kind} {change.case}"
    return (
        incast(label, change.case, seed, length, warm_up)
        if change.kind == "incast"
        else exchange(label, change.case, seed, layers)
    )


def measured(change, seeds, changed):
    """The measure by seed, with the change or without."""
    from congestree.runs.running import run_whole

    values = change.given | (change.values if changed else {})
    return [
        float(MEASURES[change.kind][change.column](View(run_whole(scenario(change, seed + 1), values=values))))
        for seed in range(seeds)
    ]


def told(values):
    """The mean, and the range if there are several."""
    mean = f"{sum(values) / len(values):.3g}"
    return mean if max(values) == min(values) else f"{mean} ({min(values):.3g} to {max(values):.3g})"


def main():
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("claims", nargs="?", default="", help="part of the id of an expectation")
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    print("| expectation | case | measure | as it is | changed | with the change |")
    print("| --- | --- | --- | --- | --- | --- |", flush=True)
    for change in CHANGES:
        if options.claims in change.claim:
            as_it_is, with_it = (told(measured(change, options.seeds, changed)) for changed in (False, True))
            case = ", ".join(filter(None, (change.case, change.given_words)))
            cells = (change.claim, case, change.column, as_it_is, change.what, with_it)
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
