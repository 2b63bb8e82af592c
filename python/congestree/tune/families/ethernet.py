"""Spaces of lossless Ethernet: DCQCN of mlx5 adapters, marking and buffers of SONiC switches.

Sources are in `formats.roce`.
"""

from decimal import Decimal

from ...document import chosen
from ...formats import roce
from ..space import ONE, Parameter, Space

US, MBIT = Decimal(10**6), Decimal(10**6)
DCQCN, RED, CNP = "scheme.react.dcqcn", "scheme.mark.red", "scheme.notify.cnp"


def _microseconds(name, low, high, about):
    return Parameter(name, low, high, US, log=True, unit="ps", about=about)


def _megabits(name, low, high, about):
    return Parameter(name, low, high, MBIT, log=True, unit="bit/s", about=about)


def _counted(setting):
    """Gain and least share as the registers have them: counts of 1/1024, and of 1/100."""
    return {f"{DCQCN}.gain": setting["mlx5.gain"] / 1024, f"{DCQCN}.least_share": setting["mlx5.least_share"] / 100}


MLX5 = Space(
    "mlx5",
    (
        Parameter("mlx5.gain", 1, 256, ONE, log=True, hidden=True, about="1024 - dce_tcp_g: share of the news, /1024"),
        _microseconds(f"{DCQCN}.alpha_period", 1, 500, "dce_tcp_rtt"),
        _microseconds(f"{DCQCN}.cut_period", 1, 200, "rate_reduce_monitor_period"),
        Parameter("mlx5.least_share", 1, 90, ONE, hidden=True, about="rpg_min_dec_fac, %"),
        Parameter(f"{DCQCN}.clamp_target", choices=("always", "after-increase"), about="clamp_tgt_rate"),
        _microseconds(f"{DCQCN}.increase_timer", 1, 1500, "rpg_time_reset"),
        Parameter(f"{DCQCN}.byte_counter", 16, 65_536, Decimal(1024), log=True, unit="B", about="rpg_byte_reset"),
        Parameter(f"{DCQCN}.stages", 1, 15, ONE, about="rpg_threshold"),
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
        Parameter("wred.min", 4, 512, ONE, log=True, hidden=True, about="green_min_threshold, KiB"),
        Parameter("wred.spread", 4, 64, ONE, log=True, hidden=True, about="four times max over min; 4 is a step"),
        Parameter("wred.percent", 1, 100, ONE, log=True, hidden=True, about="green_drop_probability, %"),
    ),
    about="marking of SONiC switches",
    make=_wred,
    fixed={f"{RED}.for_rate": None, f"{RED}.lane_thresholds": None},
    wants={"scheme.mark": "red"},
    files=("sonic",),
)

THRESHOLD = "links.flow_control.pfc.threshold"
LOSSY = "lossy dynamic_th"


def _buffers(setting):
    dynamic = {"alpha": 2.0 ** setting["dynamic_th"], "offset": f"{setting['xon_offset'] * 1024} B"}
    made = {THRESHOLD: {"dynamic": dynamic}}
    if LOSSY not in setting:
        return made
    return made | {"switches.shared_memory.lossy_alpha": 2.0 ** setting[LOSSY]}


def _has_lossy_lanes(scenario):
    """False if all lanes of a resolved scenario pause, so that nothing is bounded at an output."""
    return chosen(scenario["links"]["flow_control"])[0] != "pfc" or bool(roce.lossy_lanes(scenario))


SONIC_BUFFERS = Space(
    "sonic-buffers",
    (
        Parameter("dynamic_th", -8, 6, ONE, hidden=True, about="an input may use 2^this of what is free"),
        Parameter("xon_offset", 0, 64, ONE, hidden=True, about="a pause ends so far below, KiB"),
        Parameter(LOSSY, -8, 6, ONE, hidden=True, about="an output may hold 2^this of what is free"),
    ),
    about="lossless buffers of SONiC switches with shared memory",
    make=_buffers,
    wants={"links.flow_control": "pfc", "switches": "shared_memory"},
    files=("sonic",),
    needed={LOSSY: ("all lanes are lossless", _has_lossy_lanes)},
)
