"""What was tried of the claims that do not come out: ``python -m gallery.common.tried shimonishi2008-efl``."""

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


def queue(scenario, size):
    """So much may wait for an output."""
    return scenario | {"switches": scenario["switches"] | {"output_queue": size}}


SEEDS = (7, 8, 9)
"""Of the on-off load; a name that begins so is that of one run only."""
QUEUES = ("250 kB", "125 kB")
"""Twice, and once, what the link carries in a round trip."""
TRIED = [
    Change(
        "join",
        "four flows join at 21 ms, not at 20",
        ("efl-s5-two-stage",),
        ("steps_bwprobe", "steps_nprobe", "moment_"),
        later,
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
            tuple(f"onoff_{algorithm}_s{seed}" for algorithm in ("tcp", *ALGORITHMS) for seed in SEEDS),
            partial(queue, size=size),
        )
        for size in QUEUES
    ),
]
