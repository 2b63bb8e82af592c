"""Quantities with units, as scenario files write them: "20 Gbit/s", "2 KiB", "1.5 us".

The engine reads them exactly; this module only turns them into plain floats in
seconds, bytes and bit/s, and back into text, for measures and plots. Each is the
float nearest to its text, as times in tables are, so that the two can be compared.
"""

import math
import re
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from numbers import Real

NUMBER = r"[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
"""A regular expression of numbers as scenarios have them; `_` parts their digits and stands for nothing."""
_QUANTITY = re.compile(rf"\s*({NUMBER})\s*(\S+)\s*")

_THOUSANDS = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_POWERS_OF_TWO = {"": 1, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
_PREFIXES = _THOUSANDS | _POWERS_OF_TWO
UNITS = {
    "ps": {
        "ps": 1, "ns": 10**3, "us": 10**6,
        "\N{MICRO SIGN}s": 10**6, "\N{GREEK SMALL LETTER MU}s": 10**6,
        "ms": 10**9, "s": 10**12,
    },
    "B": {f"{prefix}B": factor for prefix, factor in _PREFIXES.items()},
    "bit/s": {f"{prefix}{unit}": factor for unit in ("bit/s", "bps") for prefix, factor in _THOUSANDS.items()}
    | {f"{prefix}B/s": 8 * factor for prefix, factor in _PREFIXES.items()},
}  # fmt: skip
"""By base unit of scenarios: the units that are read, and how many of the base unit each of them is."""
_WRITTEN = {
    "ps": ("s", "ms", "us", "ns", "ps"),
    "B": ("GB", "MB", "kB", "B"),
    "bit/s": ("Tbit/s", "Gbit/s", "Mbit/s", "kbit/s", "bit/s"),
}

SPANS = {name: Decimal(factor).scaleb(-12) for name, factor in UNITS["ps"].items()}
SIZES = UNITS["B"] | {"bit": Decimal("0.125")}
RATES = UNITS["bit/s"]
_EXACT = Context(prec=100, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
"""In which a number times its unit is not rounded, and infinite if it is too large."""
BASE_UNITS = ("s", "B", "bit/s")
"""Those that tables have."""

SUMMARY_UNITS = {"measured": "s", "accepted_load": "bit/s", "accepted_load_per_host": "bit/s", "blocked": "s"}
"""Base units of the rows of the table summary that are no counts and no shares."""


def _read(text, units, what, example):
    match = _QUANTITY.fullmatch(str(text))
    if not match or match[2] not in units:
        raise ValueError(f'expected {what} such as "{example}", found {text!r}')
    # Rounded once: as floats, 9 times 0.001 is above 0.009.
    number = float(_EXACT.multiply(_EXACT.create_decimal(match[1].replace("_", "")), units[match[2]]))
    if math.isinf(number):
        raise ValueError(f"{text!r} is too large for {what}")
    return number


def _is_number(given):
    """Whether this is a number; a truth value is none, though Python counts with it."""
    return isinstance(given, (Real, Decimal)) and not isinstance(given, bool)


def seconds(span):
    """A length of time in seconds: `seconds("1.5 us")`; a `span` that is a number is taken as seconds already.

    Raises ValueError if it is none.
    """
    return float(span) if _is_number(span) else _read(span, SPANS, "a length of time", "1.5 us")


def size(text):
    """A size in bytes: `size("2 KiB")`; a `text` that is a number is taken as bytes already.

    Raises ValueError if it is none.
    """
    return float(text) if _is_number(text) else _read(text, SIZES, "a size", "2 KiB")


def bits_per_second(rate):
    """A rate in bit/s: `bits_per_second("1 GB/s")`; a `rate` that is a number is taken as bit/s already.

    Raises ValueError if it is none.
    """
    return float(rate) if _is_number(rate) else _read(rate, RATES, "a rate", "20 Gbit/s")


def exactly(number, unit):
    """A whole number of ps, B or bit/s as text in the largest unit that expresses it exactly.

    >>> exactly(2_500_000, "ps"), exactly(25_000_000_000, "bit/s"), exactly(4_096, "B")
    ('2500 ns', '25 Gbit/s', '4096 B')
    """
    for name in _WRITTEN[unit]:
        if number and number % UNITS[unit][name] == 0:
            return f"{number // UNITS[unit][name]} {name}"
    return f"{number} {unit}"


_LADDERS = {
    "s": [(UNITS["ps"]["s"] / UNITS["ps"][name], name) for name in ("s", "ms", "us", "ns")],
    "bit/s": [(1 / UNITS["bit/s"][name], name) for name in _WRITTEN["bit/s"]],
    "B": [(1 / UNITS["B"][name], name) for name in ("TiB", "GiB", "MiB", "KiB", "B")],
}


def scale_for(unit, largest):
    """The factor and the unit in which values up to `largest` (in the base `unit`) read best.

    >>> scale_for("s", 0.002)
    (1000.0, 'ms')
    >>> scale_for("bit/s", 8e9)
    (1e-09, 'Gbit/s')
    """
    ladder = _LADDERS.get(unit, [(1.0, unit)])
    return next((step for step in ladder if abs(largest) * step[0] >= 1.0), ladder[-1])


def in_words(value, unit):
    """A value with its unit as a person would write it, to three digits.

    >>> in_words(0.0023, "s"), in_words(0.9997, "s")
    ('2.3 ms', '1 s')
    """
    if is_missing(value):
        return "–"
    factor, name = scale_for(unit, value)
    if 999.5 <= abs(value * factor) < 1000:  # three digits round it up, perhaps to one of the next unit
        factor, name = scale_for(unit, value * 1.001)
    shown = value * factor
    number = f"{shown:.3g}" if abs(shown) < 999.5 else f"{shown:,.0f}"
    return f"{number} {name}".strip()


def is_missing(value):
    """Whether there is no value: None, or the number nan.

    >>> is_missing(None), is_missing(float("nan")), is_missing(0.0), is_missing("")
    (True, True, False, False)
    """
    return value is None or value != value  # noqa: PLR0124 (of any kind, also a text)
