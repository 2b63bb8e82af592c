"""The time of one iteration, here and in another simulator."""

from pathlib import Path

from ..common import study as common
from ..common.judge import Claims, Finding
from .scenario import CASES, DATA, PIPELINE, computing, gradients


class View:
    """One run."""

    def __init__(self, run):
        self.run = run
        self.iteration = float(run.jobs["completion"][0])
        training = run.scenario["traffic"][0]["program"]["training"]
        self.size = {"layers": training["model"]["layers"], "microbatches": training["microbatches"]}
        self.computing = computing(self.size)


class Study(common.Study):
    view = View

    def of(self, measure, case="static"):
        """A measure of one case."""
        return self.sample(("iteration", case), measure)


CLAIMS = Claims(Path(__file__).parent, Study)


@CLAIMS.check("gpt-128-time")
def _(study):
    return Finding(study.of(lambda view: view.run.manifest["cpu_s"]))


@CLAIMS.check("gpt-128-hops")
def _(study):
    return Finding(study.of(lambda view: view.run.manifest["packet_hops"]))


@CLAIMS.check("gpt-128-computing")
def _(study):
    return Finding(study.of(lambda view: float(view.run.ranks["computing"].mean()) / view.computing))


@CLAIMS.check("gpt-128-gradients")
def _(study):
    """Gradients are summed among data neighbours, a layer at a time, and nothing else is among so few."""
    view = study.views("iteration", "static")[0]
    steps = view.run.steps
    summed = steps.filter((steps["operation"] == "all-reduce") & (steps["ranks"] == DATA))
    return Finding(float(summed["bytes"].sum()) / gradients(view.size))


@CLAIMS.check("gpt-128-bubble")
def _(study):
    def over(view):
        microbatches = view.size["microbatches"]
        return view.iteration / (view.computing * (microbatches + PIPELINE - 1) / microbatches)

    return Finding(study.of(over))


@CLAIMS.check("gpt-128-cases")
def _(study):
    static = float(study.of(lambda view: view.iteration))
    return Finding({case: round(float(study.of(lambda view: view.iteration, case)) / static, 4) for case in CASES})


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
