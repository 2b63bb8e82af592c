"""What the probe `trees` has seen: where the congestion was, who caused it, who suffered.

    facts = congestree.trees.summary(run)
    print("\\n".join(congestree.trees.explain(run)))

The engine finds the trees in each sample of the fabric and follows them from birth to death. This module combines
these records and classifies the forest (after Gran, Paper IV, section III):

moving   The roots change place: a sample has fewer than half as many roots as there are places in all. Places are
         weighted by the trees that stood there (the inverse of the sum of squared shares): n places with equally large
         trees for equally long count n, and a place that hardly ever had a tree hardly counts.
windy    The roots stay, the branches change: on average, two samples of the tree have fewer than four fifths of the
         branches of the smaller one in common.
silent   Neither: branches only grow and shrink in place.

A forest that does not move has the kind of its largest tree, measured by links held times time.
"""

from ... import renames
from .facts import COMPARED, FEW, HELD_BACK, MOVING, TABLES, WINDY, require, sample_times, summary
from .words import explain, sentences

__all__ = [
    "COMPARED",
    "FEW",
    "HELD_BACK",
    "MOVING",
    "TABLES",
    "WINDY",
    "explain",
    "require",
    "sample_times",
    "sentences",
    "summary",
]


def __getattr__(name):
    if name == "look_times":
        renames.notice("trees.look_times is an older name: write trees.sample_times, as the older one goes in 0.2.0")
        return sample_times
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
