"""Spaces of InfiniBand congestion control: the registers, and the grid of a public study.

Sources are in `formats.opensm`.
"""

from decimal import Decimal
from fractions import Fraction

from ...formats.opensm import llnl
from ...formats.opensm.codes import MOST_MULTIPLIER, MOST_SHIFT, Code
from ...formats.opensm.registers import TIMER_PS
from ..space import ONE, Parameter, Space

MARK, CCT = "scheme.mark.fecn", "scheme.react.cct"
# What would take the place of the threshold's weight and of the marking rate.
BY_REGISTER = {f"{MARK}.enter": None, f"{MARK}.share": None}


def table(entries, slowest, curve):
    """A congestion control table of this many entries whose last entry leaves a share of the line rate.

    slowest: the share of the rate that the last entry leaves, per cent. curve: delays rise as the index to this power.
    The shift is the finest that can represent the last multiplier.
    """
    longest = Fraction(100, slowest) - 1
    shift = next(s for s in range(MOST_SHIFT, -1, -1) if longest * 2**s <= MOST_MULTIPLIER or s == 0)
    last = entries - 1
    steps = (round(longest * 2**shift * Fraction(i, last) ** curve) for i in range(entries))
    return tuple(Code(shift, min(m, MOST_MULTIPLIER)) for m in steps)


def _made_table(setting):
    codes = table(setting["table.entries"], setting["table.slowest"], setting["table.curve"])
    return {
        f"{CCT}.table": {"encoded": [str(code) for code in codes]},
        f"{CCT}.limit": len(codes) - 1,
        f"{CCT}.min": min(setting[f"{CCT}.min"], len(codes) - 1),
    }


IB_CC = Space(
    "ib-cc",
    (
        Parameter(f"{MARK}.threshold", 1, 15, ONE, about="weight: 1 marks late, 15 early"),
        Parameter(f"{MARK}.marking_rate", choices=(0, 1, 2, 4, 8, 16, 32, 64, 128), ordered=True, about="mean gap"),
        Parameter(f"{MARK}.packet_size", 0, 16, Decimal(64), unit="B", about="smaller packets are never marked"),
        Parameter(f"{CCT}.timer", 1, 8192, Decimal(TIMER_PS), log=True, unit="ps", about="CCTI_Timer"),
        Parameter(f"{CCT}.increase", 1, 32, ONE, log=True, about="CCTI_Increase"),
        Parameter(f"{CCT}.min", 0, 15, ONE, about="CCTI_Min"),
        Parameter(f"{CCT}.per", choices=("qp", "sl"), about="who has an index"),
        Parameter("table.entries", 16, 128, ONE, hidden=True, about="entries of the table"),
        Parameter("table.slowest", 1, 50, ONE, log=True, hidden=True, about="rate at the last entry, % of the line"),
        Parameter("table.curve", choices=(1, 2, 3), ordered=True, hidden=True, about="delays rise linearly, squared …"),
    ),
    about="InfiniBand congestion control: all that opensm.conf can say of it",
    make=_made_table,
    fixed=BY_REGISTER,
    wants={"scheme.mark": "fecn", "scheme.react": "cct"},
    files=("opensm",),
)


def _llnl_table(setting):
    return {f"{CCT}.table": {"encoded": [str(code) for code in llnl.table(setting["table"])]}}


LLNL_GRID = Space(
    "llnl-grid",
    (
        Parameter(f"{MARK}.threshold", choices=llnl.THRESHOLDS, ordered=True, about="weight"),
        Parameter(f"{MARK}.marking_rate", choices=llnl.MARKING_RATES, ordered=True, about="mean gap"),
        Parameter(
            f"{CCT}.timer",
            choices=tuple(f"{Decimal(n * TIMER_PS) / 10**6:f} us" for n in llnl.TIMERS),
            ordered=True,
            about="CCTI_Timer",
        ),
        Parameter("table", choices=tuple(llnl.TABLES), hidden=True, about="K, shift and unit of a parabola"),
    ),
    about="the 2,808 settings of the public study of LLNL",
    make=_llnl_table,
    fixed=BY_REGISTER,
    wants={"scheme.mark": "fecn", "scheme.react": "cct"},
    files=("opensm",),
)
