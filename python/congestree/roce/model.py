"""What readers and writers of settings share: complaints with a place, and exact numbers in units."""

import re
from decimal import Decimal
from pathlib import Path

from ..errors import CongestreeError

PICOSECONDS = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12}
BITS = {"bit/s": 1, "kbit/s": 10**3, "Mbit/s": 10**6, "Gbit/s": 10**9, "Tbit/s": 10**12}
BYTES = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_QUANTITY = re.compile(r"([0-9.]+)\s*(\S+)")


class SettingsError(CongestreeError):
    """Settings cannot be used: where, what is the case, what to do."""

    exit_code = 2

    def __init__(self, path, line, fact, remedy):
        place = f"{path}:{line}" if line else str(path)
        super().__init__(f"{place}\n  {fact}\n  {remedy}")
        self.path, self.line, self.fact, self.remedy = str(path), line, fact, remedy


def text_of(path):
    """The text of a file."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SettingsError(path, None, "there is no such file", "check the path") from None
    except UnicodeDecodeError:
        raise SettingsError(path, None, "it is not a text file in UTF-8", "name another file") from None
    except OSError as error:
        raise SettingsError(path, None, f"it cannot be read: {error.strerror}", "check the path") from None


def whole_units(text, units, unit):
    """A quantity of a resolved scenario as an exact number of `unit`, a Decimal."""
    number, name = _QUANTITY.fullmatch(text).groups()
    return Decimal(number) * units[name] / units[unit]
