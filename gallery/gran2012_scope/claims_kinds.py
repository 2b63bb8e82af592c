"""What the kinds of trees are (section III), and that the shares of a B node do not disturb each other (Frame I)."""

import numpy as np

from ..common.judge import Finding
from .paper import check
from .scenario import INJECT, MTU

MESSAGE = 2 * MTU


@check("p4-s3-tree-kinds")
def kinds(study):
    value = {
        kind: study.sample(("kinds", kind), lambda view: view.similarity()) for kind in ("silent", "windy", "moving")
    }
    note = "links out of switches blocked for more than half of 1 ms, compared 5 ms later; second half of the run"
    return Finding(value, note=note)


@check("p4-frame1-budget")
def budget(study):
    (view,) = study.views("budget")
    classes = np.array([str(label) for label in view.run.flows["class"]])
    packets = view.run.flows["packets"].to_numpy()
    share = {
        label: float(packets[classes == label].sum() * MTU * 8e-9 / view.end / INJECT) for label in ("others", "hot")
    }
    over = max(rate for rate in view.cumulative("others")) / INJECT
    value = share | {"others, highest so far": over}
    return Finding(value, note="shares of 13.5 Gbit/s; never above: at the end of every 1 ms, less one message")
