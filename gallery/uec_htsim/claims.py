"""The results, row by row of the key: ``claims(results)``."""

import re
from functools import cached_property
from pathlib import Path

from ..common.comparison import interval
from ..common.judge import Claims, Finding
from ..common.study import Missing, Sample
from .deviations import why
from .key import cases
from .runs import SEEDS, named


class View:
    """One run. A flow has finished when its sender knows it: its transport is idle."""

    def __init__(self, run):
        self.run = run

    @cached_property
    def finished(self):
        """{flow: when it has finished, us}; flows that have not are missing."""
        table = self.run.transport
        idle = table.filter(table["phase"] == "idle")
        first = {}
        for flow, time in zip(idle["flow"].to_list(), idle["time"].to_list(), strict=True):
            first.setdefault(flow, time * 1e6)
        return first

    def total(self, column):
        """A count of all flows together."""
        return int(self.run.flows[column].sum())

    def measure(self, metric):
        """A metric of the key."""
        counts = {"retransmissions": "resent", "acks": "acks", "nacks": "nacks", "pulls": "grants", "rts": "requests"}
        if metric in counts:
            return self.total(counts[metric])
        if metric == "packets_new":
            return self.total("sent") - self.total("resent")
        if len(self.finished) < len(self.run.flows):
            raise Missing(f"{len(self.run.flows) - len(self.finished)} flows did not finish")
        if metric.startswith("flow_fct:"):
            return self.finished[self.flow(metric)]
        times = self.finished.values()
        return {"tail_fct": max(times), "first_fct": min(times), "fct_spread": max(times) / min(times)}[metric]

    def flow(self, metric):
        """The flow that `flow_fct:Uec_SOURCE_DESTINATION` names."""
        ends = metric.removeprefix("flow_fct:Uec_")
        classes = [str(name) for name in self.run.flows["class"].to_list()]
        return next(flow for flow, name in enumerate(classes) if re.fullmatch(rf"\d+_{ends}", name))


class Study:
    """All runs, by id."""

    def __init__(self, results):
        self.results = results

    def draws(self, run, metric):
        """A metric of every draw of a run, in their order; Missing if a later one is there without an earlier one."""
        names = [name for name in named(run) if name in self.results]
        if not names or names != list(named(run))[: len(names)]:
            raise Missing(run)
        return [View(self.results[name]).measure(metric) for name in names]


CLAIMS = Claims(Path(__file__).parent, Study)


def found(draws, target):
    """The value of a row is of the draws that all rows have; how it is with more of them is told beside it."""
    value = Sample(draws[: len(SEEDS)]) if len(draws) > 1 else draws[0]
    off = f"{float(value) / target - 1:+.1%}" if target else ""
    spread = value.spread() if isinstance(value, Sample) else ""
    more = ""
    if len(draws) > len(SEEDS):
        mean, half = interval(draws)
        beside = f", {mean / target - 1:+.1%}" if target else ""
        more = f"not judged: {len(draws)} seeds, {mean:.4g} ± {half:.2g}{beside}, {min(draws):.4g} to {max(draws):.4g}"
    return Finding(value, "; ".join(filter(None, (off, spread, more))))


def register(run, metric, target):
    """The check of one row."""
    id = f"{run}/{metric}"
    if id not in CLAIMS.texts:
        CLAIMS.texts[id] = {"check": "sim", "measure_only": True, "target": target}
    if "accept" in CLAIMS.texts[id]:
        CLAIMS.texts[id]["deviation"] = why(run)

    @CLAIMS.check(id)
    def check(study):
        return found(study.draws(run, metric), target)


for _run, (_row, _metrics) in cases().items():
    for _metric, _target in _metrics.items():
        register(_run, _metric, _target)


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
