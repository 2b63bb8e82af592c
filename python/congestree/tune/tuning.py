"""A study that has been made: its evaluations, the front, a choice, and which parameters mattered.

tuning = congestree.tune.tune(question, out="runs/tuning")
tuning.evaluations                      # a polars frame, one row a setting
tuning.front                            # evaluations that no other beats in every goal
tuning.importance()                     # {goal: {parameter: share}}
"""

import json
import warnings
from pathlib import Path

from ..errors import AskedError, CongestreeError
from ..runs import arguments, frames, parquet
from ..studies.points import kind
from .search import journal


class Tuning:
    """The contents of the folder of a study, for the question that it answers; `tune` adds its conclusions.

    question: the `Question`. folder: of the study. `chosen` is an evaluation (a dict as in `trials`), `stock` the goals
    of the scenario as it stands, `beside` rows of `label`, `stock`, `chosen` and `better`, `notes` sentences on what
    the goals leave out of the choice, `files` what was written to deploy, with `path`, `pictures` {name: path}. Raises
    CongestreeError without Optuna, or if the folder holds no study of this question.
    """

    def __init__(self, question, folder):
        self.question, self.folder = question, Path(arguments.path("folder", folder))
        self.study = journal.open_study(folder, question)
        self.chosen = None  # an evaluation
        self.stock = None  # goals of the unchanged scenario: {label: value}
        self.fresh_seeds = 0
        self.beside = []  # of `fresh.Beside`
        self.notes = []  # sentences
        self.files = []  # of `deploy.Written`
        self.pictures = {}  # name -> path

    @property
    def trials(self):
        """Evaluations as dicts: number, setting, goals, limits, conditions, kept (its limits), early, why it failed."""
        found = []
        for trial in self.study.get_trials(deepcopy=False):
            said = trial.user_attrs
            if "setting" not in said or not trial.state.is_finished():
                continue
            found.append(
                {
                    "number": trial.number,
                    "setting": said["setting"],
                    "goals": said.get("goals", {}),
                    "limits": said.get("limits", {}),
                    "conditions": said.get("conditions", {}),
                    "kept": journal.is_good(self.question, trial),
                    "early": bool(said.get("early")),
                    "why": said.get("why", ""),
                }
            )
        return found

    @property
    def evaluations(self):
        """All trials as a polars frame: evaluation, kept, early, why, a column for each goal, limit and parameter."""
        polars = frames.library()
        rows = []
        for t in self.trials:
            row = {"evaluation": t["number"], "kept": t["kept"], "early": t["early"], "why": t["why"]}
            row |= {g.label: t["goals"].get(g.label) for g in self.question.goals}
            row |= {name: t["limits"].get(name) for name in map(self.question.name_of, self.question.limits)}
            row |= {p.name: _cell(p, t["setting"][p.name]) for p in self.question.space.parameters}
            rows.append(row)
        return polars.DataFrame(rows, infer_schema_length=None, strict=False)

    @property
    def front(self):
        """The Pareto front: evaluations that satisfy the limits and that no other such evaluation beats.

        One beats another if it is nowhere worse and better in some goal. They are sorted by the first goal, best
        first. With one goal it is the best evaluation. Of settings with the same value in all goals only the first is
        listed.
        """
        kept = [t for t in self.trials if t["kept"]]
        found, seen = [], set()
        for t in kept:
            values = tuple(t["goals"][g.label] for g in self.question.goals)
            if values not in seen and not any(self._beats(other, t) for other in kept):
                seen.add(values)
                found.append(t)
        first = self.question.goals[0]
        return sorted(found, key=lambda t: t["goals"][first.label], reverse=first.best == "max")

    def alike(self, chosen):
        """The other evaluations that satisfy the limits and have the same values of all goals as `chosen`."""
        return [
            t for t in self.trials if t["kept"] and t["number"] != chosen["number"] and t["goals"] == chosen["goals"]
        ]

    def _beats(self, a, b):
        better = False
        for goal in self.question.goals:
            x, y = a["goals"][goal.label], b["goals"][goal.label]
            if goal.better(y, x):
                return False
            better = better or goal.better(x, y)
        return better

    def choose(self, which=None):
        """One evaluation: `which` is its number, the label of a goal, of which it is the best, or None.

        None chooses the evaluation of the front that is nearest to the best value of every goal, with each goal scaled
        from the worst to the best value on the front. Raises AskedError if there is no such evaluation or goal,
        CongestreeError if nothing was found at all.
        """
        front = self.front
        if not front:
            raise CongestreeError(self._nothing())
        if which is None:
            return min(front, key=self._away(front))
        goals = {goal.label: goal for goal in self.question.goals}
        if isinstance(which, str) and which in goals:
            values = {t["number"]: t["goals"][which] for t in front}
            pick = max if goals[which].best == "max" else min
            return next(t for t in front if t["number"] == pick(values, key=values.get))
        found = [t for t in self.trials if str(t["number"]) == str(which)]
        if not found or not found[0]["goals"] or found[0]["why"]:
            raise AskedError(
                f"There is no evaluation {which!r} to choose: name one of the front "
                f"({', '.join(str(t['number']) for t in front)}) or a goal ({', '.join(goals)})."
            )
        return found[0]

    def _away(self, front):
        """How far an evaluation is from the best of every goal."""

        def distance(t):
            total = 0.0
            for goal in self.question.goals:
                values = [other["goals"][goal.label] for other in front]
                best, worst = (max(values), min(values)) if goal.best == "max" else (min(values), max(values))
                if best != worst:
                    total += ((t["goals"][goal.label] - best) / (worst - best)) ** 2
            return total

        return distance

    def _nothing(self):
        trials = self.trials
        if not trials:
            return f"The study in {self.folder} is empty: no evaluation has been finished. Run it again."
        whys = [t["why"] for t in trials if t["why"]]
        if len(whys) == len(trials):
            return f"All {len(trials)} evaluations failed; the last said: {whys[-1]}"
        limits = ", ".join(map(str, self.question.limits))
        return f"None of {len(trials)} evaluations keeps the limits ({limits}): try more, or loosen them."

    def importance(self):
        """How much each parameter matters for being among the best tenth: {goal: {parameter: share}}; shares sum to 1.

        It is computed by PED-ANOVA [watanabe2023] from the evaluations that were run to their end, whether they
        satisfy the limits or not. A goal is left out if there are too few of them (20), or if half of them share the
        best value, so that there is no best tenth.
        """
        optuna = journal.library()
        done = [t for t in self.study.get_trials(deepcopy=False) if t.state == optuna.trial.TrialState.COMPLETE]
        if len(done) < 20:
            return {}
        found = {}
        for at, goal in enumerate(self.question.goals):
            values = [t.values[at] for t in done]
            if 2 * values.count(max(values) if goal.best == "max" else min(values)) >= len(values):
                continue
            sign = -1.0 if goal.best == "max" else 1.0
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it warns that low is good, which `sign` takes care of
                shares = optuna.importance.get_param_importances(
                    self.study,
                    evaluator=optuna.importance.PedAnovaImportanceEvaluator(),
                    target=lambda t, at=at, sign=sign: sign * t.values[at],
                )
            total = sum(shares.values())
            if total > 0:
                found[goal.label] = {name: share / total for name, share in shares.items()}
        return found

    def scenario(self, chosen, condition=0):
        """The resolved scenario of an evaluation (`chosen`) under one condition (its index), with the first seed."""
        runs = self.question.runs(chosen["setting"], self.question.seeds[:1])
        return list(runs.values())[condition]

    def save(self):
        """Write evaluations.parquet."""
        if self.trials:
            parquet.write_table(self.folder / "evaluations.parquet", self.evaluations.to_arrow())

    def __repr__(self):
        goals = ", ".join(goal.label for goal in self.question.goals)
        return f"<Tuning in {self.folder}: {len(self.trials)} evaluations for {goals}>"


def _cell(parameter, value):
    """A value in the column of its parameter; values of several kinds are text."""
    if isinstance(value, str) or (len({kind(choice) for choice in parameter.choices}) < 2 and kind(value) != "text"):
        return value
    return json.dumps(value)
