"""Buffer size and output threshold together: HPL Fig. 5, ECN Fig. 4, and the same for other numbers of flows.

Runs are named ``<family>_L-<L=R>_thr-<threshold or none>_buf-<slots>``.
"""

import numpy as np

from ..common.names import repeated
from ..common.study import Missing, spearman
from .scenario import controlled, two_switch

THRESHOLDS = ("none", 4, 6, 8, 16)
BUFFERS = (2, 3, 4, 6, 8, 10, 12, 14, 16, 20)


def add(runs, family, sizes, thresholds, buffers, repetitions, duration_ms, events=False):
    """Adds the runs of a sweep; averages leave out the first 100 ms (a fifth of shorter runs)."""
    for size in sizes:
        for threshold in thresholds:
            for buffer in buffers:
                scheme = controlled("input" if threshold == "none" else f"io{threshold}")

                def build(rep, name, buffer=buffer, scheme=scheme, size=size):
                    return two_switch(
                        size,
                        size,
                        buffer=buffer,
                        **scheme,
                        victim=None,
                        duration_ms=duration_ms,
                        warm_up_ms=100 if duration_ms >= 500 else duration_ms / 5,
                        probes=["events"] if events else ["queues"],
                        rep=rep,
                        name=name,
                    )

                repeated(runs, family, repetitions, build, L=size, thr=threshold, buf=buffer)


class Sweep:
    """The values read from the runs of one size."""

    def __init__(self, study, family="fig5", size=10):
        self.study, self.family, self.size = study, family, size
        self.buffers = study.axis(family, 2)
        self.thresholds = [thr for thr in THRESHOLDS if thr in study.axis(family, 1)]

    def _curve(self, threshold, measure):
        return self.study.curve(self.family, (self.size, threshold), self.buffers, measure)

    def root(self, threshold):
        """Root utilisation by buffer size."""
        return self._curve(threshold, lambda view: view.root)

    def inter(self, threshold):
        """Inter-switch utilisation by buffer size."""
        return self._curve(threshold, lambda view: view.inter)

    def ratio(self, threshold):
        """Remote over local aggregate by buffer size."""
        return self._curve(threshold, lambda view: view.ratio)

    def means(self, curve):
        """A curve as numbers by buffer."""
        return dict(curve)

    # The orderings that the papers state.

    def threshold_4_is_low(self):
        """Below thresholds 8 and none at every buffer of 6 or more, and under 0.93."""
        low, eight, none = (self.means(self.root(thr)) for thr in (4, 8, "none"))
        big = [buffer for buffer in self.buffers if buffer >= 6]
        return all(low[b] < eight[b] and low[b] < none[b] and low[b] < 0.93 for b in big)

    def small_buffers_are_low(self):
        """Utilisation at buffer 2 under that at buffer 8, for every threshold but 4."""
        others = [thr for thr in self.thresholds if thr != 4]
        return all(self.root(thr)[2].mean < self.root(thr)[8].mean for thr in others)

    def threshold_6_is_high(self):
        """Over 0.88 at every buffer of 6 or more."""
        return all(sample.mean > 0.88 for buffer, sample in self.root(6).items() if buffer >= 6)

    def small_buffers_penalise_remote(self):
        """Ratio at buffer 3 under 1 and under that at buffer 12, for thresholds of 8 and more."""
        ratios = [self.means(self.ratio(thr)) for thr in (8, 16)]
        return all(ratio[3] < ratio[12] and ratio[3] < 1 for ratio in ratios)

    def fairness_trend(self):
        """Rank correlation of ratio and buffer size without output trigger, buffers 3 to 10."""
        ratio = {b: r for b, r in self.means(self.ratio("none")).items() if 3 <= b <= 10}
        return spearman(list(ratio), list(ratio.values()))

    def orderings(self):
        """All of them, by name."""
        return {
            "threshold 4 under-used": self.threshold_4_is_low(),
            "small buffers under-used": self.small_buffers_are_low(),
            "threshold 6 over 0.88": self.threshold_6_is_high(),
            "small buffers penalise remote": self.small_buffers_penalise_remote(),
            "ratio grows with buffer": self.fairness_trend() > 0.8,
        }


def orderings_by_size(study, family):
    """The orderings for every L = R that was run."""
    sizes = [size for size in study.axis(family, 0)]
    if not sizes:
        raise Missing(family)
    return {f"L=R={size}": Sweep(study, family, size).orderings() for size in sizes}


def input_events(view):
    """Input-triggered events of a run."""
    return int(np.count_nonzero(view.run.events["trigger"].to_numpy() == "input"))
