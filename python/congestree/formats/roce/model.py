"""What readers and writers of settings share: complaints with a place, exact numbers in units, names of ports."""

import re
from decimal import Decimal

from ...reading import PlaceError

PICOSECONDS = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12}
BITS = {"bit/s": 1, "kbit/s": 10**3, "Mbit/s": 10**6, "Gbit/s": 10**9, "Tbit/s": 10**12}
BYTES = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_QUANTITY = re.compile(r"([0-9.]+)\s*(\S+)")


class RoceError(PlaceError):
    """Settings cannot be used: place, fact, remedy."""


def whole_units(text, units, unit):
    """A quantity of a resolved scenario as an exact number of `unit`, a Decimal."""
    number, name = _QUANTITY.fullmatch(text).groups()
    return Decimal(number) * units[name] / units[unit]


def some(ports):
    """Names of ports, of many the first two."""
    return ", ".join(ports) if len(ports) < 4 else f"{', '.join(ports[:2])}, ... ({len(ports)} ports)"
