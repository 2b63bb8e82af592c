"""Quantities as exact integers: times in picoseconds, sizes in bytes, rates in bits per second; and choices by name."""

import re
from fractions import Fraction
from functools import cache

SPANS = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12, "min": 60 * 10**12}
SIZES = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
RATES = {"bit/s": 1, "kbit/s": 10**3, "Mbit/s": 10**6, "Gbit/s": 10**9, "Tbit/s": 10**12}
RATES |= {f"{unit}/s": 8 * bytes_ for unit, bytes_ in SIZES.items()}


def quantity(text: str, units: dict[str, int]) -> int:
    """`"1.5 us"` as a whole number of the smallest unit, exactly."""
    number, unit = re.fullmatch(r"\s*([0-9][0-9_.eE+-]*)\s*(\S+)\s*", text).groups()
    value = Fraction(number.replace("_", "")) * units[unit]
    if value.denominator != 1:
        raise ValueError(f"{text!r} is finer than the smallest unit")
    return value.numerator


@cache
def span(text: str) -> int:
    """A length of time in picoseconds."""
    return quantity(text, SPANS)


@cache
def size(text: str) -> int:
    """A size in bytes."""
    return quantity(text, SIZES)


@cache
def rate(text: str | None) -> int | None:
    """A rate in bits per second; None stays None."""
    return None if text is None else quantity(text, RATES)


def time_for(nbytes: int, bits_per_second: int) -> int:
    """Picoseconds that this many bytes take at this rate, rounded up: a tail never leaves before its last bit."""
    return -(-nbytes * 8 * 10**12 // bits_per_second)


def choice(value) -> tuple[str, dict]:
    """A choice is a bare name, or a table whose only key is the name: `(name, parameters)`."""
    if isinstance(value, str):
        return value, {}
    ((name, parameters),) = value.items()
    return name, parameters if isinstance(parameters, dict) else {"": parameters}


def given(table: dict, key: str, default):
    """The value in a table, or the default if it has none."""
    value = table.get(key)
    return default if value is None else value
