"""The response functions without a network: the engine's own code, one ACK after the other.

x = R_max/r is the number of packet times from one start to the next. The closed forms of HPL section 6.2 are here, too.
"""

import json

import numpy as np

PACKET_US = 2.048
"""Time of the 2048-byte packets of HPL Fig. 6 at 1 GB/s; the simulated packets have 2068 bytes (OQ-H21)."""
FLOOR = 256
"""R_max/R_min."""
FUNCTIONS = ("lipd", "fimd", "aimd")


def limits(function, marks, start=1.0):
    """x after each ACK, from ``start``; ``marks`` says which ACKs carry the mark."""
    from congestree import _engine

    parameters = {"floor": FLOOR, "start": start} | ({} if function == "lipd" else {"factor": 2.0})
    return np.array(_engine.reaction(json.dumps({function: parameters}), [bool(mark) for mark in marks]))


def recovery(function, start=FLOOR, goal=1.0, packet_us=PACKET_US):
    """Unmarked ACKs from x = start: (times of the ACKs in us, x from then on), both beginning with (0, start).

    One ACK comes after every 1/r; the list ends with the ACK that reaches the goal.
    """
    count = 64
    while True:
        x = limits(function, [False] * count, start)
        reached = np.flatnonzero(x <= goal * (1 + 1e-12))
        if len(reached):
            break
        count *= 4
    x = np.concatenate([[start], x[: reached[0] + 1]])
    return np.concatenate([[0.0], np.cumsum(x[:-1] * packet_us)]), x


def recovery_ms(function, start=FLOOR, goal=1.0, packet_us=PACKET_US):
    """Time and ACKs from x = start to x = goal with unmarked ACKs."""
    times, _ = recovery(function, start, goal, packet_us)
    return float(times[-1] * 1e-3), len(times) - 1


def closed_form(function, time_us, packet_us=PACKET_US):
    """F_inc: the rate as a fraction of R_max at a time after R_min, before it is cut at R_max."""
    t = np.asarray(time_us) / (FLOOR * packet_us)
    with np.errstate(divide="ignore"):
        rate = {
            "lipd": lambda: np.where(t < FLOOR - 1, 1 / np.maximum(FLOOR - t, 1.0), 1.0),
            "fimd": lambda: 2.0**t / FLOOR,
            "aimd": lambda: (1 + t) / FLOOR,
        }[function]()
    return np.minimum(rate, 1.0)


def marked_once(function, x):
    """x after one marked ACK."""
    return float(limits(function, [True], x)[0])


def marks_needed(function, x, goal):
    """Marked ACKs from x until the rate is no higher than at goal."""
    reached = np.flatnonzero(limits(function, [True] * FLOOR, x) >= goal * (1 - 1e-12))
    return int(reached[0]) + 1


def acks_needed(function, x, goal):
    """Unmarked ACKs from x until the rate is no lower than at goal."""
    return recovery_ms(function, x, goal)[1]
