"""What was tried of the claims that do not come out: ``python -m gallery.common.tried gran2011-fairness``."""

from functools import partial

from ..common.tried import Change
from .runs import ENTERS


def every(scenario, kib):
    """A congested queue marks every packet, so that nothing is random; its threshold, KiB."""
    scheme = scenario["scheme"]
    fecn = scheme["mark"]["fecn"] | {"marking_rate": 0, "enter": f"{kib} KiB"}
    return scenario | {"scheme": scheme | {"mark": {"fecn": fecn}}}


TRIED = [
    Change(
        f"every-{kib}",
        f"every packet marked, threshold at {kib} KiB",
        ("p2-s7-unstable",),
        ("order_",),
        partial(every, kib=kib),
    )
    for kib in ENTERS
]
