"""Every run of the paper, by name: ``runs(quick)``.

Names are words joined by "_": the purpose, the algorithm, and the varied parameters. The seed is at the end, as "s1".
"""

import random

from .scenario import ALGORITHMS, COMMON, DOUBLING, FIGURE_6, dumbbell, long_flows, on_off

STEPS = ("output-queues", "flows", "transport")
ON_OFF = (*ALGORITHMS, "tcp", "tcpslow")
ALPHAS = (1, 4, 16)
"""Factors on alpha for Plain and BW probe (EFL section III.6)."""
VARIED = {
    "alpha": ("0.75 kB", "1.5 kB", "3 kB", "6 kB", "12 kB"),
    "beta": (0.008, 0.016, 0.0316667, 0.063, 0.127),
    "start_rate": ("50 Mbit/s", "100 Mbit/s", "200 Mbit/s", "400 Mbit/s", "800 Mbit/s"),
    "floor": ("33 Mbit/s", "40 Mbit/s", "80 Mbit/s", "160 Mbit/s"),
}
"""What the paper leaves open, varied one at a time around the chosen value. At a lower floor the ten packets that an
ACK answers would take longer than the timer waits."""
MOMENTS = [18 + k / 4 for k in range(16)]
"""When four flows join three, ms: over two of the swings in which the rates of the three go up and down."""
START_DRAWS = 16
"""Draws of when the groups of Fig. 6 to 9 start; the first is as printed."""


def starts(draw):
    """How much later than printed each group starts, ms: nothing in the first draw, up to a millisecond in the others.

    No step is shorter than printed, and a group starts with a bin.
    """
    dice = random.Random(f"starts {draw}")
    late = [dice.randrange(100) / 100 for _ in DOUBLING] if draw else [0] * len(DOUBLING)
    return [late[0], *sorted(late[1:])]


def drawn_name(name, draw):
    """The name of a run in a draw of starts."""
    return f"{name}_d{draw}" if draw else name


def moved(groups, draw):
    """The groups as they start in a draw; those that stop do so ten milliseconds after the last has started."""
    late = starts(draw)
    return [
        (first, last, round(at + more, 2), stop and round(stop + late[len(groups) - 1], 2))
        for (first, last, at, stop), more in zip(groups, late, strict=False)
    ]


def runs(quick=False):
    """All runs of the paper; the quick version has a shorter on-off run, one seed and fewer variations."""
    named = {}
    for draw in range(1 if quick else START_DRAWS):
        add_figure_6(named, "fig6_proposed", draw)
        add_figure_6(named, "fig6_literal", draw, prediction="current-rate")
        for algorithm in ALGORITHMS:
            add_doubling(named, f"steps_{algorithm}", algorithm, draw=draw)
        add_doubling(named, "steps_nprobe", "bwprobe", draw=draw, probe_packets=20, delay_probing=True)
    add_moments(named, quick)
    for factor in ALPHAS[:2] if quick else ALPHAS:
        for algorithm in ("plain", "bwprobe"):
            add_doubling(named, f"alpha_{algorithm}_{factor}", algorithm, bin_us=100, alpha=f"{3 * factor} kB")
    add_on_off(named, quick)
    add_losses(named)
    add_sensitivity(named, quick)
    return named


def add_figure_6(named, name, draw, **changes):
    """Two flows, and two more after ten milliseconds."""
    name = drawn_name(name, draw)
    flows = long_flows(moved(FIGURE_6, draw), 4)
    length = 21 if draw else 20
    named[name] = dumbbell(4, "proposed", flows, duration_ms=length, bin_us=5, probes=STEPS, name=name, **changes)


def add_doubling(named, name, algorithm, bin_us=10, draw=0, **changes):
    """Flows 1, 2-3, 4-7, 8-15, 16-31, ten milliseconds apart."""
    name = drawn_name(name, draw)
    flows = long_flows(moved(DOUBLING, draw), 31)
    length = 61 if draw else 60
    named[name] = dumbbell(31, algorithm, flows, duration_ms=length, bin_us=bin_us, probes=STEPS, name=name, **changes)


def add_moments(named, quick):
    """Four flows join three at other moments, with and without delay probing; no prediction."""
    for at in MOMENTS[::4] if quick else MOMENTS:
        for word, delay_probing in (("single", False), ("two", True)):
            name = f"moment_{word}_{at}"
            named[name] = dumbbell(
                7,
                "bwprobe",
                long_flows([*DOUBLING[:1], (2, 3, 10, None), (4, 7, at, None)], 7),
                duration_ms=at + 2,
                bin_us=10,
                probes=("output-queues",),
                name=name,
                delay_probing=delay_probing,
            )


def add_on_off(named, quick):
    """150 flows with blocks of Pareto size; TCP too, whose seeds lie far apart. A second family adds blocks of 3 kB."""
    milliseconds, few, many, most = (150, 1, 1, 1) if quick else (2000, 16, 64, 192)
    for algorithm in ON_OFF:
        for seed in range(1, 1 + {"plain": few, "tcp": most}.get(algorithm, many)):
            name = f"onoff_{algorithm}_s{seed}"
            named[name] = dumbbell(
                150,
                algorithm,
                on_off(150),
                duration_ms=milliseconds,
                bin_us=100,
                probes=("transfers", "output-queues"),
                seed=seed,
                name=name,
            )
    for seed in range(1, few + 1):
        name = f"selective_proposed_s{seed}"
        named[name] = dumbbell(
            150,
            "proposed",
            on_off(150),
            duration_ms=milliseconds,
            bin_us=100,
            probes=("transfers",),
            seed=seed,
            name=name,
            selective=True,
        )
    for algorithm in ALGORITHMS:
        for seed in range(1, few + 1):
            add_short(named, f"short_{algorithm}_s{seed}", algorithm, seed, 100 if quick else 400)
    named["trace_proposed"] = dumbbell(
        150, "proposed", on_off(150), duration_ms=100, bin_us=10, probes=STEPS, name="trace_proposed"
    )


def add_short(named, name, algorithm, seed, milliseconds):
    """The on-off load with ten more flows, whose blocks have 3 kB."""
    probes = ("transfers", "output-queues")
    scenario = dumbbell(
        160, algorithm, on_off(160), duration_ms=milliseconds, bin_us=20, probes=probes, seed=seed, name=name
    )
    entry = scenario["traffic"][0]
    pattern, gaps = entry["pattern"], {"gaps": {"mean": "1 ms"}}
    entry["from"] = [f"S_{k}" for k in range(1, 151)]
    short = {"name": "short", "from": [f"S_{k}" for k in range(151, 161)], "pattern": pattern}
    scenario["traffic"].append(short | {"message": "3 kB", "arrivals": gaps})
    named[name] = scenario


def add_losses(named):
    """Random loss of 0.1 per cent in every switch: what reliability has to do (EFL section II)."""
    for name, messages in (("loss_long", None), ("loss_short", "100 kB")):
        traffic = long_flows([(1, 2, 0, 20)], 2)
        if messages:
            traffic[0] |= {"message": messages, "arrivals": {"messages": {"count": 100, "every": "200 us"}}}
            del traffic[0]["stop"]
        probes = ("deliveries", "transport", "flows", *(("transfers",) if messages else ()))
        named[name] = dumbbell(
            2, "proposed", traffic, duration_ms=120, bin_us=1000, probes=probes, loss=0.001, name=name
        )


def near(key):
    """The chosen value and its neighbours."""
    chosen = VARIED[key].index(COMMON[key])
    return VARIED[key][max(0, chosen - 1) : chosen + 2]


def add_sensitivity(named, quick):
    """The doubling run and the on-off run with other values of the open parameters."""
    for key, values in VARIED.items():
        for value in near(key) if quick else values:
            word = str(value).replace(" ", "").replace("/", "")
            add_doubling(named, f"vary_{key}_{word}", "proposed", bin_us=100, **{key: value})
            name = f"varyonoff_{key}_{word}"
            named[name] = dumbbell(
                150,
                "proposed",
                on_off(150),
                duration_ms=100 if quick else 500,
                bin_us=1000,
                probes=("transfers",),
                name=name,
                **{key: value},
            )
