"""Runs that a question needs: each is done once, and together they give the value of a setting."""

from pathlib import Path

from ...errors import CongestreeError
from ...runs.results import Run, scenario_hash
from ...studies import cluster, pool

RUNS = "runs"
DIED = "its process ended unexpectedly"


class Experiments:
    """The runs of a study, in its folder, or in another one that several studies share."""

    def __init__(
        self, question, folder, *, workers=None, scheduler=None, crew=None, runs=None, known=None, on_progress=None
    ):
        self.question, self.folder = question, Path(folder)
        self.workers, self.scheduler, self.crew = workers, scheduler, crew
        self.runs = Path(runs) if runs else self.folder / RUNS
        self.elsewhere = known or {}  # {hash: folder} of runs that have been done for other reasons
        self.report = on_progress or (lambda progress: None)

    def state(self, what, total):
        """Progress of this many things."""
        return pool.Progress(total=total, what=what)

    def run(self, scenarios, state, worth=1.0):
        """Run scenarios that are not finished; answers {hash: why} of those that failed.

        One whose process has died is tried once more: that may have been chance. Any other failure, such as a full
        disk, tells nothing of the scenario: CongestreeError ends the search, so that the run is repeated.
        """
        jobs = [pool.Job(s, self._home(scenario_hash(s)), scenario_hash(s)) for s in scenarios]
        failed = {}
        for _ in range(2):
            progress = self._execute(jobs, state, worth)
            for job in jobs:
                failed.pop(job.name, None)
            failed |= progress.failed
            jobs = [job for job in jobs if DIED in failed.get(job.name, "")]
            if not jobs:
                break
        if why := next((why for why in failed.values() if DIED not in why), None):
            raise CongestreeError(
                f"A run failed: {why.rstrip('.')}. All finished runs are kept: remove the cause, and give the same "
                "command again."
            )
        return failed

    def folder_of(self, scenario):
        """The folder of a run."""
        return self._home(scenario_hash(scenario))

    def _home(self, name):
        """The folder of a run, by its hash."""
        return self.elsewhere.get(name) or self.runs / name

    def _execute(self, jobs, state, worth):
        """Have jobs executed; `state` gives the progress of the whole."""

        def report(progress):
            if state.what == "evaluations":
                state.running = {"batch": progress.share * min(self.question.batch, state.total - state.done) * worth}
            else:
                state.done, state.resumed = progress.done, progress.resumed
            self.report(state)

        if self.scheduler:
            return cluster.execute(jobs, scheduler=self.scheduler, home=self.folder, on_progress=report)
        return pool.execute(jobs, workers=self.workers, on_progress=report, crew=self.crew)

    def measured(self, runs, failed=None, more=()):
        """The results of runs ({(condition, seed): scenario}): {"goals", "limits", "conditions"}, or {"why": text}.

        more: further goals, which are reported as "more". "by_seed" has the value of each seed, whose mean is that of
        all. Raises CongestreeError if a run cannot be read.
        """
        wanted = {
            "goals": {goal.label: goal for goal in self.question.goals},
            "limits": {self.question.name_of(limit): limit for limit in self.question.limits},
            "more": {goal.label: goal for goal in more},
        }
        found = {}
        for (condition, seed), scenario in runs.items():
            name = scenario_hash(scenario)
            where = f"{condition}, seed {seed}: "
            if name in (failed or {}):
                return {"why": where + failed[name]}
            run = Run.load(self._home(name))
            if run.stopped:
                return {"why": f"{where}the run was stopped: {run.stopped}"}
            for key, several in wanted.items():
                for label, goal in several.items():
                    try:
                        value = goal.take(run)
                    except CongestreeError as error:
                        return {"why": where + str(error)}
                    found.setdefault((key, label), {}).setdefault(condition, []).append(value)
        return self._summed(wanted, found)

    def _summed(self, wanted, found):
        """The results of runs from the values by goal and condition, those of the seeds in their order."""
        summed = {"goals": {}, "limits": {}, "more": {}, "conditions": {}, "by_seed": {}}
        for key, several in wanted.items():
            for label, goal in several.items():
                values = found[key, label]
                means = {condition: _mean(each) for condition, each in values.items()}
                summed[key][label] = together(self.question, goal, means.values())
                summed["conditions"].setdefault(goal.label, means)
                summed["by_seed"][label] = by_seed(self.question, goal, list(values.values()))
        return summed


def together(question, goal, means):
    """The values of all conditions as one: their mean, or the worst of them."""
    means = list(means)
    if question.over == "mean":
        return _mean(means)
    return min(means) if goal.more_is_better else max(means)


def by_seed(question, goal, conditions):
    """The value of each seed, from its values under each condition: their mean, or that under the worst condition.

    Which one is the worst follows from the means over the seeds, as in `together`: the worst of each seed would be
    another condition from seed to seed, and worse than what the search has found.
    """
    if question.over == "mean":
        return [_mean(values) for values in zip(*conditions, strict=True)]
    return (min if goal.more_is_better else max)(conditions, key=_mean)


def _mean(values):
    return sum(values) / len(values)
