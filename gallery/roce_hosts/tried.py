"""What was tried of the claims that do not come out: ``python -m gallery.common.tried roce-hosts``."""

from functools import partial

from ..common.tried import Change
from .scenario import FLIGHT, KIB, LINE, PUBLISHED


def divided(scenario, pairs):
    """The 16 in flight are on so many queue pairs; T0 is fitted anew to what is published at 32 KiB alone.

    Q S / (T0 + P S / C) for P queue pairs and Q in flight: with one it is the pipeline, with Q the fixed-cost law.
    """
    size = 32 * KIB
    cost = FLIGHT * size / (PUBLISHED[32] * 1e9) - pairs * size / LINE
    entry = scenario["traffic"][0] | {"queue_pairs": pairs}
    adapters = scenario["adapters"] | {"queue_depth": FLIGHT // pairs, "message_cost": f"{cost * 1e12:.0f} ps"}
    return scenario | {"traffic": [entry], "adapters": adapters}


TRIED = [
    Change(
        f"pairs-{pairs}",
        f"{pairs} queue pairs of depth {FLIGHT // pairs}",
        ("fixed-cost-64", "fixed-cost-64-one"),
        ("published_way-",),
        partial(divided, pairs=pairs),
    )
    for pairs in (8, 4, 2)
]
