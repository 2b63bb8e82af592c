"""Section IV.4: 150 flows with blocks of Pareto size (Fig. 10 to 12)."""

import numpy as np

from ..common.judge import Finding
from ..common.study import Missing, Sample, spearman
from .paper import check
from .scenario import ALGORITHMS, FLOOR_US, RATE

WARM_UP = 0.02
"""Transfers that start earlier find an emptier network than the others, s."""
DECADES = ((1e4, 1e5), (1e5, 1e6), (1e6, 1e7))


class Pool:
    """The transfers of all seeds of an algorithm."""

    def __init__(self, study, algorithm, family="onoff"):
        self.views = study.seeds(f"{family}_{algorithm}")
        parts = [view.transfers for view in self.views]
        kept = [part["started"] >= WARM_UP for part in parts]
        self.by_seed = [part["time"][keep] for part, keep in zip(parts, kept, strict=True)]
        self.bytes_by_seed = [part["bytes"][keep] for part, keep in zip(parts, kept, strict=True)]
        self.time, self.bytes = np.concatenate(self.by_seed), np.concatenate(self.bytes_by_seed)
        self.timeouts = Sample(
            [int(part["timeouts"].sum()) / keep.sum() for part, keep in zip(parts, kept, strict=True)]
        )

    def sized(self, low, high):
        """Transfer times of blocks of this size (bytes, the upper end left out), seed by seed."""
        both = zip(self.by_seed, self.bytes_by_seed, strict=True)
        return [times[(sizes >= low) & (sizes < high)] for times, sizes in both]

    def of_sized(self, measure, low, high):
        """A measure of those."""
        found = self.sized(low, high)
        if not all(map(len, found)):
            raise Missing(f"blocks of {low} to {high} bytes")
        return Sample([measure(times) for times in found])

    def each(self, measure):
        """A measure of the transfer times of every seed."""
        return Sample([measure(times) for times in self.by_seed])

    def delays(self):
        """Mean queueing delay at the trunk of every seed, us."""
        return Sample([view.delay(WARM_UP, view.run.duration)[1].mean() * 1e6 for view in self.views])

    def of_equal_share(self, low):
        """The rate of blocks from `low` bytes on, divided by their rate if all active flows shared the link equally."""
        shares = []
        for view in self.views:
            moved = view.transfers
            time = np.concatenate([moved["started"], moved["finished"]])
            order = np.argsort(time, kind="stable")
            under_way = np.cumsum(np.repeat([1, -1], len(moved["started"]))[order])
            time = time[order]
            equal = np.concatenate([[0.0], np.cumsum(np.diff(time) * RATE / np.maximum(under_way[:-1], 1))])
            large = (moved["bytes"] >= low) & (moved["started"] >= WARM_UP)
            ends = (np.interp(moved[name][large], time, equal) for name in ("finished", "started"))
            shares.append(moved["bytes"][large] * 8 / (next(ends) - next(ends)))
        return float(np.concatenate(shares).mean())

    def fill(self):
        """What the blocks of every seed have of what the link could carry."""
        return [view.transfers["bytes"].sum() * 8 / view.run.duration / RATE for view in self.views]

    def lost(self):
        """Data packets dropped over data packets sent, of every seed."""
        flows = [view.run.flows for view in self.views]
        return Sample([int(f["dropped"].sum()) / int(f["sent"].sum()) for f in flows])


def p95(times):
    """The 95th percentile, ms."""
    return float(np.quantile(times, 0.95)) * 1e3


def within_1ms(times):
    """The share of transfers that take at most a millisecond."""
    return float(np.mean(times <= 1e-3))


def median_ratio(upper, lower, low, high):
    """Ratio of the median transfer times of a size class."""
    return upper.of_sized(np.median, low, high) / lower.of_sized(np.median, low, high)


@check("efl-fig10-probe-vs-plain")
def probe_vs_plain(study):
    plain = Pool(study, "plain")
    value = {}
    for algorithm in ("bwprobe", "proposed"):
        value[f"{algorithm} by decade"] = [median_ratio(plain, Pool(study, algorithm), *decade) for decade in DECADES]
    means = [np.mean([ratio.mean for ratio in ratios]) for ratios in value.values()]
    return Finding(value, note=f"means {means[0]:.2f} and {means[1]:.2f}")


def waiting(view):
    """The queueing delay at the trunk when blocks of 3 kB start, and their additional delay: medians, us."""
    transfers = view.transfers
    short = transfers["short"] & (transfers["started"] >= WARM_UP)
    found = np.interp(transfers["started"][short], *view.actual) - FLOOR_US * 1e-6
    return np.median(found) * 1e6, np.median(transfers["time"][short] - found) * 1e6


@check("efl-fig10-half-of-bwprobe")
def half_of_bwprobe(study):
    pools = {name: Pool(study, name, "short") for name in ("proposed", "bwprobe")}
    ratio = median_ratio(pools["proposed"], pools["bwprobe"], 0, 4000)
    smallest = median_ratio(Pool(study, "proposed"), Pool(study, "bwprobe"), 0, 2e4)
    waits = [waiting(pool.views[0]) for pool in pools.values()]
    note = (
        "blocks of 3 kB from ten more flows, that find {:.0f} us of queue with Proposed and {:.0f} with BW probe "
        f"(medians) and take {{:.0f}} us besides; of the smallest Pareto blocks (below 20 kB): {smallest:.2f}"
    ).format(waits[0][0], waits[1][0], waits[1][1])
    return Finding(ratio, note=note)


@check("efl-fig10-plain-short")
def plain_short(study):
    short = median_ratio(Pool(study, "plain", "short"), Pool(study, "proposed", "short"), 0, 4000)
    long = median_ratio(Pool(study, "plain"), Pool(study, "proposed"), 3e4, 1e6)
    value = {"3 kB": short, "30 kB to 1 MB": long}
    return Finding(value, note="Plain over Proposed, medians; 3 kB: blocks of ten more flows")


@check("efl-fig10-tcp-long")
def tcp_long(study):
    # The load is cut at 10 MB (OQ-F08): the longest transfers represent those above.
    def mean(name):
        return Pool(study, name).of_sized(np.mean, 3e6, np.inf)

    ratio = mean("tcp") * len(ALGORITHMS) / sum(mean(name) for name in ALGORITHMS)
    shares = ", ".join(f"{name} {Pool(study, name).of_equal_share(3e6):.1f}" for name in ("tcp", *ALGORITHMS))
    note = (
        f"means of blocks of 3 MB and more; blocks are cut at 10 MB. They get, of an equal share of the link: {shares}"
    )
    return Finding(ratio, note=note)


@check("efl-fig10-tcp-short")
def tcp_short(study):
    ratio = median_ratio(Pool(study, "tcp"), Pool(study, "proposed"), 1e4, 1e6)
    return Finding(ratio)


@check("efl-s4-tcp-slowstart-rto")
def slow_start(study):
    value = {}
    for word, name in (("with", "tcpslow"), ("without", "tcp")):
        pool = Pool(study, name)
        value[f"timeouts per transfer, {word}"] = pool.timeouts
        value[f"mean transfer time {word}, ms"] = pool.each(np.mean) * 1e3
    return Finding(value)


def tail(study, algorithm):
    """The 95th percentile of every seed, and how it goes with the load of the draw."""
    pool = Pool(study, algorithm)
    sample, fill = pool.each(p95), pool.fill()
    rank = spearman(fill, sample.values)
    said = f"blocks fill {min(fill):.0%} to {max(fill):.0%} of the link, rank correlation {rank:.2f}"
    return Finding(sample, note=f"{sample.spread()}; {said}")


@check("efl-fig11-p95-proposed")
def p95_proposed(study):
    return tail(study, "proposed")


@check("efl-fig11-p95-tcp")
def p95_tcp(study):
    return tail(study, "tcp")


def measured(id, algorithm, measure):
    """Registers a claim that gives no value: a measure of an algorithm."""

    @check(id)
    def finding(study):
        sample = measure(Pool(study, algorithm))
        return Finding(sample, note=sample.spread())


measured("efl-fig11-m1", "bwprobe", lambda pool: pool.each(p95))
measured("efl-fig11-m2", "plain", lambda pool: pool.each(p95))
measured("efl-fig11-m3", "proposed", lambda pool: pool.each(within_1ms))
measured("efl-fig11-m4", "bwprobe", lambda pool: pool.each(within_1ms))
measured("efl-fig11-m5", "plain", lambda pool: pool.each(within_1ms))
measured("efl-fig11-m6", "tcp", lambda pool: pool.each(within_1ms))
measured("efl-fig12-m1", "proposed", Pool.delays)
measured("efl-fig12-m2", "bwprobe", Pool.delays)
measured("efl-fig12-m3", "plain", Pool.delays)


@check("efl-fig11-order")
def order(study):
    value = {name: Pool(study, name).each(within_1ms) for name in ("proposed", "bwprobe", "plain", "tcp")}
    return Finding(value, note="share within 1 ms")


@check("efl-fig12-m4")
def all_delays(study):
    return Finding({name: Pool(study, name).delays() for name in (*ALGORITHMS, "tcp")}, note="us")


@check("efl-s4-tcp-queue")
def tcp_queue(study):
    pools = {name: Pool(study, name) for name in (*ALGORITHMS, "tcp")}
    value = {
        name: {"mean queueing delay, us": pool.delays(), "packets lost": pool.lost()} for name, pool in pools.items()
    }
    return Finding(value)


@check("efl-s2-losses-rare")
def losses_rare(study):
    lost = Pool(study, "proposed").lost()
    return Finding(lost, note="data packets dropped over data packets sent")


@check("efl-s2-selective-repeat-minor")
def selective(study):
    back, repeat = Pool(study, "proposed"), Pool(study, "proposed", "selective")
    ratios = repeat.each(np.mean) / back.each(np.mean)
    return Finding(ratios, note=f"selective repeat over go-back-N; {ratios.spread()}")


def best_lag(time, value, actual):
    """The lag of a curve behind the actual one at which the two correlate best, us."""
    step = 5e-6
    grid = np.arange(0.03, 0.1, step)
    true = np.interp(grid, *actual)
    lags = range(0, 81)
    found = []
    for lag in lags:
        seen = np.interp(grid + lag * step, time, value)
        found.append(np.corrcoef(true, seen)[0, 1])
    return int(np.argmax(found)) * step * 1e6, found[0], max(found)


@check("efl-s4-prediction-noise")
def prediction_noise(study):
    view = study.view("trace_proposed")
    states = view.transport
    # Only ACKs that brought news about the delay while the rate was under control.
    chosen = (states["phase"] == "congestion-avoidance") & (states["measured"] > 0)
    value, lags = {}, {}
    for kind in ("measured", "predicted"):
        time = states["time"][chosen]
        order = np.argsort(time, kind="stable")
        lags[kind], at_zero, best = best_lag(time[order], states[kind][chosen][order], view.actual)
        value |= {
            f"{kind}: lag of the best correlation, us": lags[kind],
            f"{kind}: correlation at lag 0": at_zero,
            f"{kind}: correlation at that lag": best,
        }
    return Finding(value, note="all flows together, 30 to 100 ms")


@check("efl-abstract-10x-tcp")
def tenfold(study):
    tcp, proposed = Pool(study, "tcp").each(p95), Pool(study, "proposed").each(p95)
    ratio = tcp / proposed
    return Finding(ratio, note="95th percentiles")


@check("efl-abstract-m1")
def against_delay_based(study):
    value = {}
    for name in ("plain", "bwprobe"):
        other, proposed = Pool(study, name), Pool(study, "proposed")
        value[f"{name} / Proposed, 95th percentile"] = other.each(p95) / proposed.each(p95)
        value[f"{name} / Proposed, median"] = other.each(np.median) / proposed.each(np.median)
    return Finding(value)
