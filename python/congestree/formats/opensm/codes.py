"""One entry of a congestion control table, as it is on the wire.

An entry has 16 bits: a shift s in bits 15 and 14, a multiplier m in bits 13 to 0. After a packet that took time T the
source stays silent for (T >> s) m, so it keeps 1/(1 + m/2^s) of its rate. Source: OpenSM include/iba/ib_types.h for the
bits, opa-fm stl_cca.c and the Linux hfi1 driver for the meaning.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from .notes import Note, SettingsError

MOST_SHIFT = 3
MOST_MULTIPLIER = 2**14 - 1


@dataclass(frozen=True, order=True)
class Code:
    """A table entry: shift 0 to 3 and multiplier 0 to 16383. Raises SettingsError for other values."""

    shift: int = 0
    multiplier: int = 0

    def __post_init__(self):
        wrong = []
        if not 0 <= self.shift <= MOST_SHIFT:
            wrong.append(Note("", f"a table entry has the shift {self.shift}", "Two bits hold it: 0 to 3"))
        if not 0 <= self.multiplier <= MOST_MULTIPLIER:
            fact = f"a table entry has the multiplier {self.multiplier}"
            wrong.append(Note("", fact, f"Fourteen bits hold it: 0 to {MOST_MULTIPLIER}"))
        if wrong:
            raise SettingsError(wrong)

    @classmethod
    def from_word(cls, word):
        """The entry with the 16 bits of `word`. Raises SettingsError if `word` has more bits."""
        if not 0 <= word <= 0xFFFF:
            raise SettingsError([Note("", f"a table entry is the word {word}", "It has 16 bits: 0 to 0xFFFF")])
        return cls(word >> 14, word & MOST_MULTIPLIER)

    @property
    def word(self):
        """The 16 bits on the wire."""
        return self.shift << 14 | self.multiplier

    @property
    def share(self):
        """The exact share of the line rate that a source at this entry keeps, 0 to 1."""
        return Fraction(2**self.shift, 2**self.shift + self.multiplier)

    def delay(self, packet_time):
        """Idle time after a packet, in ps, if sending the packet took `packet_time` ps."""
        return (packet_time >> self.shift) * self.multiplier

    def __str__(self):
        return f"{self.shift}:{self.multiplier}"


def encode(delay, packet_time):
    """The entry whose idle time after a packet of `packet_time` ps is nearest to `delay` ps.

    If several are equally near, the one with the smallest shift. Raises SettingsError if `delay` is longer than the
    longest entry.
    """
    found = None
    for shift in range(MOST_SHIFT + 1):
        unit = packet_time >> shift
        if unit == 0:
            break
        multiplier = min(math.floor(Fraction(delay, unit) + Fraction(1, 2)), MOST_MULTIPLIER)
        away = abs(unit * multiplier - delay)
        if found is None or away < found[0]:
            found = (away, Code(shift, multiplier))
    if found is None:
        raise SettingsError([Note("", "a packet takes no time at all", "Give links a rate and adapters an MTU")])
    if 2 * found[0] > packet_time:  # nothing below the longest entry is that far from one
        most = f"{packet_time * MOST_MULTIPLIER / 1e6:g} us"
        fact = f"a delay of {delay / 1e6:g} us is longer than the longest entry, {most} at this packet time"
        raise SettingsError([Note("", fact, "Lower the table's delays, or raise the MTU")])
    return found[1]


def slowest_share(table):
    """The slowest rate that a table can force on a source, as a share of its line."""
    return min((code.share for code in table), default=Fraction(1))
