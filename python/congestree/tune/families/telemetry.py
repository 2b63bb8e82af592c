"""Spaces of reactions to telemetry: HPCC by the names of its settings, PowerTCP.

No file format of adapters for these is public, so they cannot be deployed; steps are finer than can be distinguished.
"""

from decimal import Decimal

from ..space import ONE, Parameter, Space

MBIT, PERCENT, HALF_PERCENT = Decimal(10**6), Decimal("0.01"), Decimal("0.005")
HPCC_REACTION, POWER = "scheme.react.hpcc", "scheme.react.power-tcp"


def _megabits(name, low, high, about):
    return Parameter(name, low, high, MBIT, log=True, unit="bit/s", about=about)


HPCC = Space(
    "hpcc",
    (
        Parameter(f"{HPCC_REACTION}.u_target", 120, 200, HALF_PERCENT, about="U_TARGET: eta"),
        Parameter(f"{HPCC_REACTION}.mi_thresh", 0, 20, ONE, about="MI_THRESH: maxStage"),
        _megabits(f"{HPCC_REACTION}.rate_ai", 1, 1000, "RATE_AI"),
        _megabits(f"{HPCC_REACTION}.min_rate", 10, 5000, "MIN_RATE"),
        Parameter(f"{HPCC_REACTION}.fast_react", choices=(False, True), about="FAST_REACT"),
        Parameter(f"{HPCC_REACTION}.rate_bound", choices=(False, True), about="RATE_BOUND: packets are paced"),
    ),
    about="HPCC, with records or digests",
    wants={"scheme.react": "hpcc"},
)

POWER_TCP = Space(
    "power-tcp",
    (
        Parameter(f"{POWER}.gain", 5, 100, PERCENT, about="gamma: weight of the newest rate"),
        _megabits(f"{POWER}.additive", 1, 2000, "beta"),
        Parameter(f"{POWER}.target", 120, 200, HALF_PERCENT, about="eta"),
        _megabits(f"{POWER}.min_rate", 10, 5000, "the least rate"),
        Parameter(f"{POWER}.gradient", choices=(False, True), about="the growth of the queue is current, too"),
    ),
    about="PowerTCP, with telemetry",
    fixed={f"{POWER}.signal": "telemetry"},
    wants={"scheme.react": "power-tcp"},
)
