"""Every run by name: the table, and the study. The quick version has 32 ranks at most and a piece of the study."""

from ..common.names import repeated, single
from .scenario import RANKS, WAYS, row, study

MUCH = {
    "quiet": (0,),
    "skew": (0.5, 1.0, 1.5),
    "tenant": (0.3, 0.6, 0.9),
    "storage": (8, 32, 128),
    "slow": (200, 100, 50),
}
"""Kinds of disturbance, and how much: Zipf's exponent, load, writers, Gbit/s."""
QUICK = {"quiet": (0,), "storage": MUCH["storage"]}
DRAWS = 5
"""Draws of experts for the table. The runs of the study have the first draw."""


def runs(quick=False):
    """Named scenarios."""
    named = {}
    for control in ("off", "on"):
        for ways in WAYS:
            for ranks in [n for n in RANKS if not quick or n <= 32]:
                repeated(
                    named,
                    "table",
                    1 if quick else DRAWS,
                    lambda rep, name: row(name, ranks, control, ways, rep + 1),  # noqa: B023 (called at once)
                    control=control,
                    ways=ways,
                    ranks=ranks,
                )
            for kind, amounts in (QUICK if quick else MUCH).items():
                for much in amounts:
                    single(
                        named,
                        "study",
                        lambda name: study(name, kind, much, control, ways),  # noqa: B023 (called at once)
                        kind=kind,
                        control=control,
                        ways=ways,
                        much=much,
                    )
    return named
