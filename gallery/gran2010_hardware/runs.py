"""Every run of the paper, by name. The test bed is that of gran_common/scenario.py with the changes in BED.

Runs over time (figures 7, 8, 13, Table II) last as long as the paper's: one flow more every second. Parameter studies
are shorter: a phase of 120 ms is more than fifty periods of the longest timer, as OQ-I19 requires.
"""

from ..common.names import repeated
from ..gran_common.scenario import MTU, SCENARIO_1, SCENARIO_2, WIRE, congestion_control, test_bed
from . import hpcc

INJECT, DRAIN = 13.0, 13.3
"""Payload that the host bus can send, and take, Gbit/s (section V.A; OQ-I16)."""
BED = {
    "inject": f"{round(INJECT * 1e9 * WIRE / MTU)} bit/s",
    "drain": f"{round(DRAIN * 1e9 * WIRE / MTU)} bit/s",
}
SHARED_BED = {"inject": "13.5 Gbit/s", "drain": "13.6 Gbit/s"}
"""The host bus as the other papers of the test bed read it, for comparison."""

SUM = {"fill": "sum", "enter": f"{6 * WIRE} B", "gap": f"{2 * MTU} B"}
"""Another quantity to compare with the threshold: the sum of an output's queues, six packets of it. Never judged."""
RATES = (0, 1, 2, 3, 5, 10, 20, 30)
TIMERS = (10, 25, 50, 100, 150, 250, 500, 1000, 1500, 2000)
"""Marking_Rate and CCTI_Timer of figures 11, 12 and 14; 2000 is the highest timer in the paper."""
WEIGHTS = (1, 4, 8, 12, 15)
"""Threshold, for how large the sweet spot is, on a coarser grid."""
COARSE_RATES, COARSE_TIMERS = (0, 1, 5, 10, 30), (25, 50, 150, 500, 1000, 2000)
MESSAGES = tuple(2**power for power in range(9, 21))
"""Figure 9: 512 B to 1 MiB."""
PACKET_SIZES = (0, 8, 16, 24, 32, 33, 40)
"""In the units of the register, 64 B; a full packet has 2074 B, that is 32 whole units."""
TABLES = {
    "128 entries, 7/106^2": {},
    "128 entries, 7/95^2": {"at": 95},
    "512 entries, 7/106^2": {"limit": 511, "at": 4 * 106},
}
"""Tables of idle times: ours, the vendor's, and one with steps a quarter as high up to nearly the same end."""


def threshold(weight):
    """Where the congestion state is entered for a Threshold of 1 to 15, bytes: 8 KiB at 15, 1.5 KiB more a step."""
    return f"{(15 - weight) * 1536 + 8192} B"


def runs(quick=False):
    """Named scenarios; ``quick`` has fewer points and repetitions, and phases of 20 ms."""
    named = {}
    over_time(named, quick)
    messages(named, quick)
    switch_settings(named, quick)
    surfaces(named, quick)
    applications(named, quick)
    return named


def over_time(named, quick):
    """Both scenarios, without and with congestion control; a slow timer; the host bus of the other papers."""
    repetitions, phase = (2, 20) if quick else (3, 1000)
    slow = 110 if quick else phase
    sample = phase / 100

    def add(family, count, flows, phase_ms=phase, end_ms=None, **options):
        def build(rep, name):
            return test_bed(
                flows,
                phase_ms=phase_ms,
                end_ms=end_ms,
                bin_ms=sample,
                probes=("flows", "ports"),
                seed=rep + 1,
                name=name,
                **options,
            )

        repeated(named, family, count, build)

    add("off", 1, SCENARIO_1, **BED)
    add("on", repetitions, SCENARIO_1, control=congestion_control(), **BED)
    add("slow", repetitions, SCENARIO_1, phase_ms=slow, control=congestion_control(timer=2000), **BED)
    add("bus", 1, SCENARIO_1, control=congestion_control(), **SHARED_BED)
    add("crowd-off", 1, SCENARIO_2, end_ms=5 * phase, **BED)
    add("crowd-on", repetitions, SCENARIO_2, end_ms=5 * phase, control=congestion_control(), **BED)
    add("crowd-sum", repetitions, SCENARIO_2, end_ms=5 * phase, control=congestion_control(**SUM), **BED)


PHASE_MS, LAST_MS = 120, 240
"""Of the shorter runs: from start to start, and with all five flows."""


def steady(flows=SCENARIO_1, *, quick=False, phase_ms=None, control=None, rep=0, name="", **options):
    """A shorter run of scenario 1."""
    phase_ms = phase_ms or (20 if quick else PHASE_MS)
    return test_bed(
        flows,
        phase_ms=phase_ms,
        end_ms=(len(flows) - 1) * phase_ms + (LAST_MS if not quick else 2 * phase_ms),
        bin_ms=phase_ms / 20,
        control=control,
        seed=rep + 1,
        name=name,
        **(BED | options),
    )


def messages(named, quick):
    """Figure 9: messages of F1, or of all flows, from 512 B to 1 MiB."""
    for of in ("F1", "all"):
        for size in MESSAGES[::4] if quick else MESSAGES:
            for state in ("alone", "off", "on"):
                flows = {}
                for label, (source, to) in SCENARIO_1.items():
                    flows[label] = {"from": source, "to": to}
                    if of == "all" or label == "F1":
                        flows[label]["message"] = f"{size} B"
                if state == "alone":
                    flows = {"F1": flows["F1"]}

                def build(rep, name, flows=flows, state=state):
                    control = congestion_control() if state == "on" else None
                    return steady(flows, quick=quick, control=control, rep=rep, name=name)

                repeated(named, "message", 1, build, of=of, state=state, size=size)


def switch_settings(named, quick):
    """Packet_Size, Threshold and the table of idle times, one at a time."""

    def add(family, repetitions, parameters, **changes):
        def build(rep, name):
            return steady(
                quick=quick,
                control=congestion_control(**changes),
                rep=rep,
                name=name,
                probes=("flows",),
            )

        repeated(named, family, repetitions, build, **parameters)

    for size in PACKET_SIZES[1::2] if quick else PACKET_SIZES:
        add("packetsize", 1, {"units": size}, packet_size=size)
    for weight in (1, 8, 15) if quick else range(1, 16):
        add("threshold", 1 if quick else 2, {"weight": weight}, enter=threshold(weight))
    for number, changes in enumerate(TABLES.values()):
        add("table", 1 if quick else 5, {"number": number}, **changes)


def surfaces(named, quick):
    """Figures 11, 12, 14 over Marking_Rate and CCTI_Timer; the same for other thresholds, coarser."""

    def add(weight, rate, timer, repetitions):
        def build(rep, name):
            control = congestion_control(enter=threshold(weight), marking_rate=rate, timer=timer)
            return steady(phase_ms=110 if quick else PHASE_MS, quick=quick, control=control, rep=rep, name=name)

        repeated(named, "grid", repetitions, build, weight=weight, rate=rate, timer=timer)

    for rate in (1, 30) if quick else RATES:
        for timer in (50, 150, 2000) if quick else TIMERS:
            add(15, rate, timer, 1 if quick else 2)
    for weight in (8,) if quick else WEIGHTS[:-1]:
        for rate in (1, 30) if quick else COARSE_RATES:
            for timer in (150, 2000) if quick else COARSE_TIMERS:
                add(weight, rate, timer, 1)


WHOLE = "31680 B"
"""15 full packets and not a credit more."""


def applications(named, quick):
    """Table III: the messages of HPC Challenge."""

    def add(state, pattern, count, size, together=True, buffer="32 KiB"):
        def build(rep, name):
            return hpcc.scenario(
                state.removesuffix("-whole"),
                count,
                size,
                congestion_control(),
                together=together,
                rounds=(50 if size == hpcc.SMALL else 1) if quick else None,
                congested_ms=40 if quick else hpcc.CONGESTED_MS,
                buffer=buffer,
                name=name,
                **BED,
            )

        repeated(named, "hpcc", 1, build, state=state, pattern=pattern, messages=count)

    for state in hpcc.STATES:
        add(state, "pingpong-small", 1, hpcc.SMALL, together=False)
        add(state, "pingpong-large", 1, hpcc.LARGE, together=False)
        for count in hpcc.RINGS:
            add(state, "exchange-small", count, hpcc.SMALL)
        for count in sorted({*hpcc.RINGS, hpcc.PTRANS_BLOCKS, hpcc.FFT_BLOCKS}):
            add(state, "exchange-large", count, hpcc.LARGE)
    for state in hpcc.STATES:
        add(f"{state}-whole", "pingpong-small", 1, hpcc.SMALL, together=False, buffer=WHOLE)
