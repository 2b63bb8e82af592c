"""How fast an InfiniBand link is: from its width and the name of its speed to bits of data per second.

The rate of a link is what is left for data after line coding, which is what a simulation of packets needs:

    speed    signalling per lane   line code   data per lane
    SDR          2.5  Gbaud        8b/10b        2 Gbit/s
    DDR          5    Gbaud        8b/10b        4 Gbit/s
    QDR         10    Gbaud        8b/10b        8 Gbit/s
    FDR10       10.3125 Gbaud      64b/66b      10 Gbit/s
    FDR         14.0625 Gbaud      64b/66b      13.64 Gbit/s (150/11)
    EDR         25.78125 Gbaud     64b/66b      25 Gbit/s
    HDR         26.5625 Gbaud PAM4 with FEC     50 Gbit/s
    NDR         53.125 Gbaud PAM4  with FEC    100 Gbit/s
    XDR        106.25 Gbaud PAM4   with FEC    200 Gbit/s

Speeds and codes up to EDR are those of the InfiniBand architecture specification, volume 2; the data rates of HDR, NDR
and XDR are the nominal ones that vendors state after coding and forward error correction. A rate is rounded down to a
whole bit per second (only FDR needs it).
"""

import re
from decimal import Decimal
from fractions import Fraction

# Data per lane in bit/s.
LANE = {
    "SDR": Fraction(2 * 10**9),
    "DDR": Fraction(4 * 10**9),
    "QDR": Fraction(8 * 10**9),
    "FDR10": Fraction(10 * 10**9),
    "FDR": Fraction(14_062_500_000 * 64, 66),
    "EDR": Fraction(25 * 10**9),
    "HDR": Fraction(50 * 10**9),
    "NDR": Fraction(100 * 10**9),
    "XDR": Fraction(200 * 10**9),
}
# What ibdm and port reports write for a speed: signalling per lane in Gbit/s, rounded.
SIGNALLING = {
    "2.5": "SDR", "5": "DDR", "5.0": "DDR", "10": "QDR", "10.0": "QDR", "FDR10": "FDR10", "FDR_10": "FDR10",
    "14": "FDR", "14.0625": "FDR", "25": "EDR", "25.78125": "EDR", "50": "HDR", "53.125": "HDR", "100": "NDR",
    "106.25": "NDR", "200": "XDR",
}  # fmt: skip
# Ports usually have 4x; a rate that several words stand for is written with the first of them.
WIDTHS = (4, 1, 12, 8, 2)
WORD = re.compile(r"\b(1|2|4|8|12)x\s?(SDR|DDR|QDR|FDR10|FDR|EDR|HDR|NDR|XDR)\b", re.A | re.I)


def rate_of(width, speed):
    """Bits of data per second of `width` lanes of a speed: `rate_of(4, "EDR")` is 100 Gbit/s."""
    return int(width * LANE[speed])


RATES = {f"{width}x{speed}": rate_of(width, speed) for width in WIDTHS for speed in LANE}
_WORDS = {}
for _word, _rate in RATES.items():
    _WORDS.setdefault(_rate, _word)


def word_in(text):
    """The first width and speed in a text, in upper or lower case, as RATES has it (`"4xHDR"`), or None."""
    match = WORD.search(text)
    return f"{match[1]}x{match[2].upper()}" if match else None


def word_of(rate):
    """Width and speed that give exactly this rate (`"4xHDR"`), or None."""
    return _WORDS.get(rate)


def rate_text(rate):
    """A rate in bit/s as scenario files write it, exactly: `rate_text(100 * 10**9)` is "100 Gbit/s"."""
    return _text(rate, ((10**9, "Gbit/s"), (10**6, "Mbit/s"), (10**3, "kbit/s")), "bit/s")


def delay_text(delay):
    """A delay in ps as scenario files write it, exactly."""
    return _text(delay, ((10**6, "us"), (10**3, "ns")), "ps")


def _text(value, units, base):
    for worth, unit in units:
        if value >= worth:
            return f"{(Decimal(value) / worth).normalize():f} {unit}"
    return f"{value} {base}"
