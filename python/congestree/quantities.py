"""Quantities with units, as scenario files write them: "20 Gbit/s", "2 KiB", "1.5 us".

The engine reads them exactly; this module only turns them into plain floats in
seconds, bytes and bit/s, and back into text, for measures and plots.
"""

import math
import re
from numbers import Real

_NUMBER = re.compile(r"\s*([0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\s*(\S+)\s*")

SPANS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9, "ps": 1e-12}
SIZES = {
    "B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
    "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40,
    "bit": 0.125,
}  # fmt: skip
_PREFIXES = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
RATES = {f"{p}{unit}": m for p, m in _PREFIXES.items() for unit, m in (("bit/s", m), ("bps", m))}
RATES |= {f"{p}B/s": 8 * m for p, m in _PREFIXES.items()}
RATES |= {f"{p}iB/s": 8 * 2 ** (10 * n) for n, p in enumerate("KMGT", start=1)}
BASE_UNITS = ("s", "B", "bit/s")
"""Those that tables have."""

SUMMARY_UNITS = {"measured": "s", "accepted_load": "bit/s", "accepted_load_per_host": "bit/s", "blocked": "s"}
"""Base units of the rows of the table summary that are no counts and no shares."""


def _read(text, units, what, example):
    match = _NUMBER.fullmatch(str(text))
    if not match or match[2] not in units:
        raise ValueError(f'expected {what} such as "{example}", found {text!r}')
    number = float(match[1].replace("_", "")) * units[match[2]]
    if math.isinf(number):
        raise ValueError(f"{text!r} is too large for {what}")
    return number


def seconds(span):
    """A length of time in seconds: `seconds("1.5 us")`; a `span` that is a number is taken as seconds already.

    Raises ValueError if it is none.
    """
    return float(span) if isinstance(span, Real) else _read(span, SPANS, "a length of time", "1.5 us")


def size(text):
    """A size in bytes: `size("2 KiB")`; a `text` that is a number is taken as bytes already.

    Raises ValueError if it is none.
    """
    return float(text) if isinstance(text, Real) else _read(text, SIZES, "a size", "2 KiB")


def bits_per_second(rate):
    """A rate in bit/s: `bits_per_second("1 GB/s")`; a `rate` that is a number is taken as bit/s already.

    Raises ValueError if it is none.
    """
    return float(rate) if isinstance(rate, Real) else _read(rate, RATES, "a rate", "20 Gbit/s")


def exactly(number, unit):
    """A whole number of ps, B or bit/s as text in the largest unit that expresses it exactly.

    >>> exactly(2_500_000, "ps"), exactly(25_000_000_000, "bit/s"), exactly(4_096, "B")
    ('2500 ns', '25 Gbit/s', '4096 B')
    """
    prefixes = {
        "ps": {"s": 10**12, "ms": 10**9, "us": 10**6, "ns": 10**3},
        "bit/s": {"Tbit/s": 10**12, "Gbit/s": 10**9, "Mbit/s": 10**6, "kbit/s": 10**3},
        "B": {"GB": 10**9, "MB": 10**6, "kB": 10**3},
    }
    for name, factor in prefixes[unit].items():
        if number and number % factor == 0:
            return f"{number // factor} {name}"
    return f"{number} {unit}"


def scale_for(unit, largest):
    """The factor and the unit in which values up to `largest` (in the base `unit`) read best.

    >>> scale_for("s", 0.002)
    (1000.0, 'ms')
    >>> scale_for("bit/s", 8e9)
    (1e-09, 'Gbit/s')
    """
    ladders = {
        "s": [(1.0, "s"), (1e3, "ms"), (1e6, "us"), (1e9, "ns")],
        "bit/s": [(1e-12, "Tbit/s"), (1e-9, "Gbit/s"), (1e-6, "Mbit/s"), (1e-3, "kbit/s"), (1.0, "bit/s")],
        "B": [(2.0**-40, "TiB"), (2.0**-30, "GiB"), (2.0**-20, "MiB"), (2.0**-10, "KiB"), (1.0, "B")],
    }
    ladder = ladders.get(unit, [(1.0, unit)])
    return next((step for step in ladder if abs(largest) * step[0] >= 1.0), ladder[-1])


def in_words(value, unit):
    """A value with its unit as a person would write it, to three digits.

    >>> in_words(0.0023, "s"), in_words(0.9997, "s")
    ('2.3 ms', '1 s')
    """
    if value is None or value != value:
        return "–"
    factor, name = scale_for(unit, value)
    if 999.5 <= abs(value * factor) < 1000:  # three digits round it up, perhaps to one of the next unit
        factor, name = scale_for(unit, value * 1.001)
    shown = value * factor
    number = f"{shown:.3g}" if abs(shown) < 999.5 else f"{shown:,.0f}"
    return f"{number} {name}".strip()
