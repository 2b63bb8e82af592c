"""The tuning grid of the public InfiniBand congestion control study of Lawrence Livermore National Laboratory.

Its generator of OpenSM configurations varies four things: 6 thresholds, 9 marking rates, 13 timers and 4 tables, 2,808
combinations. `scenarios/llnl-grid.toml` is that grid on the seven-host test bed; this module has its tables.

A table is a parabola in 128 entries with one shift: m_i = floor(7 i^2 / K^2 / u). K = 106 is from Gran's Paper III,
K = 95 a vendor's default; u is the unit of the multiplier in us, for which the study tries two values.
"""

import math
from fractions import Fraction

from .codes import Code, slowest_share

ENTRIES = 128

# name: K, shift, u in us
TABLES = {
    "vendor/0.218": (95, 0, Fraction(218, 1000)),
    "vendor/0.408": (95, 0, Fraction(408, 1000)),
    "simula/0.218": (106, 3, Fraction(218, 1000)),
    "simula/0.408": (106, 3, Fraction(408, 1000)),
}
THRESHOLDS = (0, 1, 5, 9, 0xC, 0xF)
MARKING_RATES = (0, 2, 4, 8, 0xF, 0x20, 0x30, 0x40, 0x50)
TIMERS = tuple(2**n for n in range(1, 14))  # 2 to 8192, in 1.024 us


def table(name):
    """One of the four tables, as entries."""
    k, shift, unit = TABLES[name]
    return tuple(Code(shift, math.floor(Fraction(7 * i * i, k * k) / unit)) for i in range(ENTRIES))


def plot_tables(tables=None, ax=None):
    """The share of the line that each index leaves, for several tables ({name: entries}; those of LLNL by default)."""
    from matplotlib.ticker import PercentFormatter

    from ...plots import axes, styled

    tables = {name: table(name) for name in TABLES} if tables is None else tables

    @styled
    def draw():
        figure, ax_ = axes(ax)
        for name, codes in tables.items():
            label = f"{name}: down to {float(slowest_share(codes)):.1%}"
            ax_.step(range(len(codes)), [float(code.share) for code in codes], where="post", label=label)
        ax_.set(xlabel="index into the table (CCTI)", ylabel="rate, share of the line", ylim=(0.01, 1.05), yscale="log")
        ax_.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        ax_.legend()
        return figure

    return draw()
