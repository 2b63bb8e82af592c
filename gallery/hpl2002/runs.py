"""Every run of the paper, by name. Parameters are those of hp_common/scenario.py; here is only what each run is about.

Repetition 0 has starts exactly 100 us apart, the others random offsets below 100 us on top (OQ-H13).
"""

from ..common.names import repeated
from ..hp_common import sweeps
from ..hp_common.scenario import LINK, controlled, two_switch

SERIES = ("flows", "ports")
EVENTS = (*SERIES, "events")
FUNCTIONS = ("lipd", "fimd", "aimd")
SHORT_PACKETS = 20
"""Length of the short flow of section 6.3."""


STARTS = 16
"""Repetitions of the runs of 100 ms and of figure 7, where phases of the starts determine small values (OQ-H13)."""


def runs(quick=False):
    """Named scenarios; ``quick`` has fewer repetitions, points and milliseconds."""
    named = {}
    spreading(named, 2 if quick else STARTS)
    marking(named, 2 if quick else STARTS, quick)
    buffers(named, quick)
    responses(named, 2 if quick else STARTS, quick)
    dynamics(named, quick)
    return named


def spreading(named, repetitions):
    """Figures 2 and 3: spreading, the window, its limits, the ideal."""

    def add(family, local, remote, probes=SERIES, **changes):
        def build(rep, name):
            return two_switch(local, remote, probes=probes, rep=rep, name=name, **changes)

        repeated(named, family, repetitions, build)

    add("fig2a", 5, 1, window=None)
    add("paced", 5, 1, window=None, rates={"remote": LINK / 6})
    add("pacedall", 5, 1, window=None, rates={"remote": LINK / 6, "local": LINK / 6})
    add("fig2b", 5, 1, probes=(*SERIES, "queues"))
    add("fig2bfree", 5, 1, bypass_limit=None)
    add("fig3a", 5, 5)
    ideal = {"local": LINK / 10, "remote": LINK / 10, "victim": LINK / 2}
    add("fig3b", 5, 5, rates=ideal)
    add("fig3bw2", 5, 5, rates=ideal, window=2)
    add("nocontrol", 10, 10)
    for remote in range(1, 13):

        def build(rep, name, remote=remote):
            return two_switch(5, remote, probes=SERIES, rep=rep, name=name)

        repeated(named, "window", repetitions, build, R=remote)

    def alone(rep, name):
        scenario = two_switch(1, 1, victim=None, duration_ms=10, warm_up_ms=1, name=name)
        scenario["traffic"] = [entry for entry in scenario["traffic"] if entry["name"] == "victim"]
        return scenario

    repeated(named, "alone", 1, alone)


def marking(named, repetitions, quick):
    """Figure 4: LIPD under the four marking policies, and their variants."""
    for family, mark in (
        ("fig4a", "naive"),
        ("fig4b", "input"),
        ("fig4c", "io4"),
        ("fig4d", "io8"),
        ("exempt", "exempt"),
        ("scan", "scan"),
    ):

        def build(rep, name, mark=mark):
            return two_switch(10, 10, **controlled(mark), probes=EVENTS, rep=rep, name=name)

        repeated(named, family, repetitions, build)
    for trigger in (2, 3, 4):

        def lower(rep, name, trigger=trigger):
            return long(10, controlled(f"trigger{trigger}"), 4, quick, rep, name)

        repeated(named, "trigger", repetitions, lower, at=trigger)


def long(size, scheme, buffer, quick, rep, name, probes=()):
    """A run of which the last 400 of 500 ms are averaged, the victim on throughout."""
    return two_switch(
        size,
        size,
        **scheme,
        buffer=buffer,
        victim=None,
        duration_ms=150 if quick else 500,
        warm_up_ms=30 if quick else 100,
        probes=probes,
        rep=rep,
        name=name,
    )


def buffers(named, quick):
    """Figure 5: buffer size and output threshold; the same for other numbers of flows."""
    repetitions, duration = (2, 150) if quick else (4, 500)
    points = (2, 3, 4, 6, 8, 12, 20)
    sweeps.add(named, "fig5", (10,), sweeps.THRESHOLDS, points if quick else sweeps.BUFFERS, repetitions, duration)
    large = [buffer for buffer in sweeps.BUFFERS if buffer >= 12]
    sweeps.add(named, "fig5events", (10,), ("none", 8), (12,) if quick else large, 1, duration, events=True)
    sizes = (5,) if quick else (5, 15, 20)
    sweeps.add(named, "sizes", sizes, sweeps.THRESHOLDS, points, 1 if quick else repetitions, duration)


def responses(named, repetitions, quick):
    """Figure 7: the three functions, continuous and with 256 inter-packet delays; a short flow from both ends."""
    for function in FUNCTIONS:
        for rates in ("continuous", "discrete"):
            for buffer in (3, 4, 8) if quick else (2, 3, 4, 5, 6, 8, 10):
                scheme = controlled("input", function, **({"discrete": True} if rates == "discrete" else {}))

                def build(rep, name, scheme=scheme, buffer=buffer):
                    return long(10, scheme, buffer, quick, rep, name, probes=("flows",) if rep == 0 else ())

                repeated(named, "fig7", repetitions, build, fn=function, rates=rates, buf=buffer)
    for limit in (1, 256):

        def short(rep, name, limit=limit):
            scheme = controlled("input", "lipd", start=float(limit))
            scenario = two_switch(1, 1, **scheme, victim=None, duration_ms=20, probes=("latency",), name=name)
            entry = next(entry for entry in scenario["traffic"] if entry["name"] == "victim")
            scenario["traffic"] = [entry | {"start": "0 ns", "arrivals": {"messages": {"count": SHORT_PACKETS}}}]
            return scenario

        repeated(named, "short", 1, short, start=limit)


def mean_on_times(quick):
    """Mean ON times of figure 8, ms."""
    return (0.05, 0.2, 1, 5, 20) if quick else (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)


def dynamics(named, quick):
    """Figure 8: half of the contenders ON-OFF, with fresh and with persistent limits; then all of them."""

    def add(family, function, dynamic, persistent, mean_on, **parameters):
        warm_up = 50 if quick else 100
        measured = max(150, 8 * mean_on) if quick else max(500, 40 * mean_on)

        def build(rep, name):
            return two_switch(
                10,
                10,
                **controlled("input", function, discrete=True),
                persistent=persistent,
                dynamic=dynamic,
                mean_on_ms=mean_on,
                victim=None,
                duration_ms=warm_up + measured,
                warm_up_ms=warm_up,
                rep=rep,
                name=name,
            )

        repeated(named, family, 2 if quick else 5, build, fn=function, **parameters, on=f"{mean_on:g}")

    for mean_on in mean_on_times(quick):
        for function in FUNCTIONS:
            for state in ("fresh", "kept"):
                add("fig8a", function, 5, state == "kept", mean_on, state=state)
            add("fig8b", function, 10, True, mean_on)
