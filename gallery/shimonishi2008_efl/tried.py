"""Changes tried for the claims that are not reproduced: ``python -m gallery.common.tried shimonishi2008-efl``."""

from functools import partial

from ..common.tried import Change
from .runs import VARIED
from .scenario import ALGORITHMS, COMMON


def later(scenario):
    """The four flows that join three do so at 21 ms, not at 20."""
    traffic = [entry | {"start": "21 ms"} if entry["start"] == "20 ms" else entry for entry in scenario["traffic"]]
    return scenario | {"traffic": traffic}


def gain(scenario, key, value):
    """Another value of a gain of the control."""
    return scenario | {"scheme": {"transport": {"efl": scenario["scheme"]["transport"]["efl"] | {key: value}}}}


def literal(scenario):
    """Equation (4) with the rate of now, where it has that of the packets that are compared."""
    efl = scenario["scheme"]["transport"]["efl"]
    return gain(scenario, "prediction", "current-rate") if efl.get("prediction") == "same-packets" else scenario


def queue(scenario, size):
    """The limit of an output's queue."""
    return scenario | {"switches": scenario["switches"] | {"output_queue": size}}


def smaller(scenario, size):
    """Short blocks are smaller."""
    traffic = [entry | {"message": size} if entry["name"] == "short" else entry for entry in scenario["traffic"]]
    return scenario | {"traffic": traffic}


def faster(scenario, rate):
    """Plain begins at another rate."""
    efl = scenario["scheme"]["transport"]["efl"]
    return gain(scenario, "start_rate", rate) if efl["probe_packets"] == 0 else scenario


def delayed(scenario):
    """TCP's receivers answer two segments with one ACK, or one after 200 us, where they answer each."""
    return reno(scenario, ack_every=2, ack_flush="200 us")


def reno(scenario, **more):
    """Other keys of TCP, where a scenario has it."""
    transport = scenario["scheme"]["transport"]
    if "new-reno" not in transport:
        return scenario
    return scenario | {"scheme": {"transport": {"new-reno": transport["new-reno"] | more}}}


def second_kind(scenario, shape=1.2, mean=100_000, most=10_000_000, rows=80):
    """Sizes by Pareto's law of the second kind, which begins at nothing, cut in the same place."""
    scale, ends = mean * (shape - 1), [(most + 1) ** (row / rows) - 1 for row in range(1, rows + 1)]
    shares = [1 - (1 + end / scale) ** -shape for end in ends[:-1]] + [1.0]
    cdf = [{"size": f"{max(1, round(end))} B", "share": share} for end, share in zip(ends, shares, strict=True)]
    kept = [row for row, after in zip(cdf, [*cdf[1:], None], strict=True) if not after or row["size"] != after["size"]]
    return scenario | {"traffic": [entry | {"sizes": {"cdf": kept}} for entry in scenario["traffic"]]}


def onoff(algorithms, seeds):
    """The names of on-off runs."""
    return tuple(f"onoff_{algorithm}_s{seed}$" for algorithm in algorithms for seed in seeds)


SEEDS = (7, 8, 9)
"""Of the on-off load."""
QUEUES = ("250 kB", "125 kB")
"""Twice, and once, what the link carries in a round trip."""
PLAIN = (
    "short_proposed_",
    "short_plain_",
    *onoff(("plain", "proposed"), SEEDS),
)
"""Runs about Plain beside Proposed: 16 seeds of short blocks, three of the others."""
TRIED = [
    Change(
        "join",
        "four flows join at 21 ms, not at 20",
        ("efl-s5-two-stage",),
        ("steps_bwprobe", "steps_nprobe", "moment_"),
        later,
    ),
    Change(
        "literal",
        "equation (4) with the rate of now",
        (
            "efl-fig6-lag-one-rtt",
            "efl-fig6-predicted-peak",
            "efl-fig6-catch-up",
            "efl-fig9-half",
            "efl-s3-rttp-signs",
            "efl-s5-prediction-earlier",
        ),
        ("fig6_", "steps_proposed", "steps_bwprobe"),
        literal,
    ),
    *(
        Change(
            f"{key}-{value}".replace(" ", ""),
            f"{key} {value}, not {COMMON[key]}",
            ("efl-s5-prediction-earlier",),
            ("fig6_proposed",),
            partial(gain, key=key, value=value),
        )
        for key in ("alpha", "beta")
        for value in VARIED[key]
        if value != COMMON[key]
    ),
    *(
        Change(
            f"queue-{size}".replace(" ", ""),
            f"queues of {size}, not 1 MB",
            ("efl-fig10-tcp-long",),
            onoff(("tcp", *ALGORITHMS), SEEDS),
            partial(queue, size=size),
        )
        for size in QUEUES
    ),
    Change(
        "short-1.5kB",
        "short blocks of 1.5 kB, not 3",
        ("efl-fig10-plain-short",),
        PLAIN,
        partial(smaller, size="1.5 kB"),
    ),
    Change(
        "short-400Mbit/s",
        "Plain begins at 400 Mbit/s, not 200",
        ("efl-fig10-plain-short",),
        PLAIN,
        partial(faster, rate="400 Mbit/s"),
    ),
    Change(
        "delayed",
        "TCP has delayed ACKs, one for two segments",
        ("efl-fig11-p95-tcp", "efl-abstract-10x-tcp"),
        (*onoff(("tcp",), range(1, 17)), *onoff(("proposed",), range(1, 17))),
        delayed,
    ),
    Change(
        "large-delayed",
        "TCP has delayed ACKs, one for two segments",
        ("efl-fig10-tcp-long",),
        onoff(("tcp", *ALGORITHMS), SEEDS),
        delayed,
    ),
    Change(
        "window-20",
        "TCP's window is 20 segments at most, as ns-2's agents have it unless told otherwise",
        ("efl-fig10-tcp-long", "efl-fig11-p95-tcp"),
        onoff(("tcp", *ALGORITHMS), range(1, 17)),
        partial(reno, largest_window=20),
    ),
    Change(
        "second-kind",
        "sizes by Pareto's law of the second kind",
        ("efl-fig11-p95-proposed", "efl-fig11-p95-tcp", "efl-abstract-10x-tcp"),
        (*onoff(("tcp",), range(1, 9)), *onoff(("proposed",), range(1, 9))),
        second_kind,
    ),
    Change(
        "slow-start",
        "TCP has slow start",
        ("efl-s4-tcp-queue",),
        onoff(("tcp", *ALGORITHMS), range(1, 17)),
        partial(reno, slow_start=True),
    ),
    *(
        Change(
            f"half-{value}".replace(" ", ""),
            f"alpha {value}, not {COMMON['alpha']}",
            ("efl-fig10-half-of-bwprobe",),
            ("short_proposed_", "short_bwprobe_", *onoff(("proposed", "bwprobe"), SEEDS)),
            partial(gain, key="alpha", value=value),
        )
        for value in ("1.5 kB", "0.75 kB", "12 kB")
    ),
]
