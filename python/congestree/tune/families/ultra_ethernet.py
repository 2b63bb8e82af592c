"""Spaces of Ultra Ethernet: the sender's window (NSCC), the receiver's credit (RCCC; UEC 1.0, section 3.6).

No file format of adapters for these is public, so they cannot be deployed; the steps of gains are finer than can be
distinguished. Combine with `wred` for the marks of switches.
"""

from decimal import Decimal

from ..space import ONE, Parameter, Space

UET = "scheme.transport.uet"
QUANTUM = Decimal(256)
"""Credit is counted in this many bytes."""


def _share(name, low, high, step, about, log=False):
    """A number from low to high by step, all texts."""
    return Parameter(
        name, int(Decimal(low) / Decimal(step)), int(Decimal(high) / Decimal(step)), Decimal(step), log=log, about=about
    )


def _window(name, low, high, step, about, log=False):
    return _share(f"{UET}.nscc.{name}", low, high, step, about, log)


def _fabric(name, low, high, step, about, log=False):
    return _share(f"{UET}.rccc.oversubscribed.{name}", low, high, step, about, log)


MOST_WINDOW = _share(f"{UET}.most_window", "0.5", "4", "0.1", "largest window, bandwidth-delay products")

NSCC = Space(
    "uec-nscc",
    (
        MOST_WINDOW,
        _window("target_share", "0.1", "2", "0.05", "queueing delay to aim at, round trips"),
        _window("proportional", "0.25", "32", "0.25", "alpha: increase for slack, segments", log=True),
        _window("fair", "0.25", "32", "0.25", "fi: fair increase, segments", log=True),
        _window("eta", "0.01", "2", "0.01", "increase of every period, segments", log=True),
        _window("fast", "0.05", "2", "0.05", "fast increase, bytes for a byte", log=True),
        _window("decrease", "0.05", "1", "0.05", "gamma: gain of a decrease"),
        _window("most_decrease", "0.05", "0.95", "0.05", "the most that a decrease leaves away"),
        _window("delay_gain", "0.0025", "1", "0.0025", "weight of the newest delay", log=True),
        _window("adjust_after", "1", "64", "1", "packets from one adjustment to the next", log=True),
        _window("quick_gate", "0", "6", "1", "quick adapt below the largest window halved so often"),
        _window("quick_delay", "1", "16", "0.5", "quick adapt above so many targets"),
    ),
    about="the sender's window of Ultra Ethernet",
    fixed={f"{UET}.nscc.target": None},
    wants={"scheme.transport": "uet", f"{UET}.congestion_control": ("nscc", "both")},
)

RCCC = Space(
    "uec-rccc",
    (
        MOST_WINDOW,
        Parameter(f"{UET}.rccc.grant", 8, 256, QUANTUM, log=True, unit="B", about="the most that a turn grants"),
        _share(f"{UET}.rccc.share", "0.5", "1", "0.01", "share of the link that is granted"),
        Parameter(f"{UET}.rccc.empty_turn", 1, 16, ONE, about="quanta that a turn costs which grants nothing"),
    ),
    about="the receiver's credit of Ultra Ethernet",
    wants={"scheme.transport": "uet", f"{UET}.congestion_control": ("rccc", "both")},
)

OVERSUBSCRIBED = Space(
    "uec-oversubscribed",
    (
        _fabric("ratio", "1", "16", "0.5", "capacity of hosts over that of uplinks"),
        _fabric("gain", "0.05", "1", "0.05", "weight of the newest share of marks"),
        _fabric("calm", "0", "0.9", "0.05", "marks up to here take nothing back"),
        _fabric("step", "0.005", "0.2", "0.005", "what a calm period adds at first", log=True),
        _fabric("period", "0.5", "8", "0.25", "periods, round trips"),
    ),
    about="receivers of Ultra Ethernet that spare the fabric",
    wants={f"{UET}.rccc": "oversubscribed", f"{UET}.congestion_control": "rccc"},
)
