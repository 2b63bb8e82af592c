"""The spaces that have a name: what registers and files can hold. To add a scheme, add an entry to `SPACES`.

| space | what it searches |
| --- | --- |
| `ib-cc` | the registers of InfiniBand congestion control: threshold, marking rate, packet size, timer, increase, lowest index, index per queue pair or service level, and the shape of the table |
| `llnl-grid` | the 2,808 settings of the public study of LLNL: 6 thresholds, 9 marking rates, 13 timers, 4 tables |
| `mlx5` | DCQCN as mlx5 adapters hold it, each parameter in its own unit |
| `wred` | the WRED profile of a SONiC switch: two thresholds and a probability |
| `sonic-buffers` | the lossless buffer profile of a SONiC switch: dynamic_th, xon_offset, and dynamic_th of lossy queues |

Every value is one that a register can hold, so that what was simulated is what is deployed. Ranges are those of the
registers, cut to where settings differ; sources are in `opensm` and `roce`.
"""  # noqa: E501 (a table)

from decimal import Decimal
from fractions import Fraction

from ..formats.opensm import llnl
from ..formats.opensm.codes import MOST_MULTIPLIER, MOST_SHIFT, Code
from ..formats.opensm.registers import TIMER_PS
from .space import Parameter, Space

US, MBIT, BYTE = Decimal(10**6), Decimal(10**6), Decimal(1)
MARK, CCT, CNP = "scheme.mark.fecn", "scheme.react.cct", "scheme.notify.cnp"
DCQCN, RED = "scheme.react.dcqcn", "scheme.mark.red"
# What would take the place of the threshold's weight and of the marking rate.
BY_REGISTER = {f"{MARK}.enter": None, f"{MARK}.share": None}


def _microseconds(name, low, high, about):
    return Parameter(name, low, high, US, log=True, unit="ps", about=about)


def _megabits(name, low, high, about):
    return Parameter(name, low, high, MBIT, log=True, unit="bit/s", about=about)


def table(entries, slowest, curve):
    """A congestion control table of so many entries that ends at a share of the line.

    slowest: the share of the rate that the last entry leaves, per cent. curve: delays rise as the index to this power.
    The shift is the finest that can hold the last multiplier.
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
        Parameter(f"{MARK}.threshold", 1, 15, BYTE, about="weight: 1 marks late, 15 early"),
        Parameter(f"{MARK}.marking_rate", choices=(0, 1, 2, 4, 8, 16, 32, 64, 128), ordered=True, about="mean gap"),
        Parameter(f"{MARK}.packet_size", 0, 16, Decimal(64), unit="B", about="smaller packets are never marked"),
        Parameter(f"{CCT}.timer", 1, 8192, Decimal(TIMER_PS), log=True, unit="ps", about="CCTI_Timer"),
        Parameter(f"{CCT}.increase", 1, 32, BYTE, log=True, about="CCTI_Increase"),
        Parameter(f"{CCT}.min", 0, 15, BYTE, about="CCTI_Min"),
        Parameter(f"{CCT}.per", choices=("qp", "sl"), about="who has an index"),
        Parameter("table.entries", 16, 128, BYTE, hidden=True, about="entries of the table"),
        Parameter("table.slowest", 1, 50, BYTE, log=True, hidden=True, about="rate at the last entry, % of the line"),
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
            choices=tuple(f"{Decimal(n * TIMER_PS) / US:f} us" for n in llnl.TIMERS),
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


def _counted(setting):
    """Gain and least share as the registers have them: counts of 1/1024, and of 1/100."""
    return {f"{DCQCN}.gain": setting["mlx5.gain"] / 1024, f"{DCQCN}.least_share": setting["mlx5.least_share"] / 100}


MLX5 = Space(
    "mlx5",
    (
        Parameter("mlx5.gain", 1, 256, BYTE, log=True, hidden=True, about="1024 - dce_tcp_g: share of the news, /1024"),
        _microseconds(f"{DCQCN}.alpha_period", 1, 500, "dce_tcp_rtt"),
        _microseconds(f"{DCQCN}.cut_period", 1, 200, "rate_reduce_monitor_period"),
        Parameter("mlx5.least_share", 1, 90, BYTE, hidden=True, about="rpg_min_dec_fac, %"),
        Parameter(f"{DCQCN}.clamp_target", choices=("always", "after-increase"), about="clamp_tgt_rate"),
        _microseconds(f"{DCQCN}.increase_timer", 1, 1500, "rpg_time_reset"),
        Parameter(f"{DCQCN}.byte_counter", 16, 65_536, Decimal(1024), log=True, unit="B", about="rpg_byte_reset"),
        Parameter(f"{DCQCN}.stages", 1, 15, BYTE, about="rpg_threshold"),
        _megabits(f"{DCQCN}.additive", 1, 1000, "rpg_ai_rate"),
        _megabits(f"{DCQCN}.hyper", 10, 5000, "rpg_hai_rate"),
        _megabits(f"{DCQCN}.min_rate", 1, 500, "rpg_min_rate"),
        _microseconds(f"{CNP}.interval", 1, 100, "min_time_between_cnps"),
    ),
    about="DCQCN of mlx5 adapters",
    make=_counted,
    # What adapters have no choice about: see `roce.mlx5`.
    fixed={
        **{f"{DCQCN}.{key}": None for key in ("for_rate", "first_rate", "max_rate")},
        f"{DCQCN}.alpha_grows": "periodically",
        f"{DCQCN}.initial_alpha": 1023 / 1024,
        f"{DCQCN}.window": "none",
    },
    wants={"scheme.react": "dcqcn", "scheme.notify": "cnp"},
    files=("mlx5",),
)


def _wred(setting):
    low = setting["wred.min"]
    return {
        f"{RED}.min": f"{low * 1024} B",
        f"{RED}.max": f"{low * 1024 * setting['wred.spread'] // 4} B",
        f"{RED}.probability": setting["wred.percent"] / 100,
    }


WRED = Space(
    "wred",
    (
        Parameter("wred.min", 4, 512, BYTE, log=True, hidden=True, about="green_min_threshold, KiB"),
        Parameter("wred.spread", 4, 64, BYTE, log=True, hidden=True, about="four times max over min; 4 is a step"),
        Parameter("wred.percent", 1, 100, BYTE, log=True, hidden=True, about="green_drop_probability, %"),
    ),
    about="marking of SONiC switches",
    make=_wred,
    fixed={f"{RED}.for_rate": None, f"{RED}.lane_thresholds": None},
    wants={"scheme.mark": "red"},
    files=("sonic",),
)

THRESHOLD = "links.flow_control.pfc.threshold"


def _buffers(setting):
    dynamic = {"alpha": 2.0 ** setting["dynamic_th"], "offset": f"{setting['xon_offset'] * 1024} B"}
    made = {THRESHOLD: {"dynamic": dynamic}}
    return made | {"switches.shared_memory.lossy_alpha": 2.0 ** setting["lossy dynamic_th"]}


SONIC_BUFFERS = Space(
    "sonic-buffers",
    (
        Parameter("dynamic_th", -8, 6, BYTE, hidden=True, about="an input may use 2^this of what is free"),
        Parameter("xon_offset", 0, 64, BYTE, hidden=True, about="a pause ends so far below, KiB"),
        Parameter("lossy dynamic_th", -8, 6, BYTE, hidden=True, about="an output may hold 2^this of what is free"),
    ),
    about="lossless buffers of SONiC switches with shared memory",
    make=_buffers,
    wants={"links.flow_control": "pfc", "switches": "shared_memory"},
    files=("sonic",),
)

SPACES = {space.name: space for space in (IB_CC, LLNL_GRID, MLX5, WRED, SONIC_BUFFERS)}
