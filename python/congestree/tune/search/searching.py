"""The search itself: batches of settings are proposed, run, and their results told to Optuna."""

import warnings

from ...errors import ScenarioError
from .experiments import DIED, Experiments
from .journal import is_good, keeps_limits, library, open_study
from .proposing import Proposals

# Settings that early stopping compares with at least.
AT_LEAST = 8


class Search:
    """A study under way; `options` are those of `Experiments`."""

    def __init__(self, question, folder, **options):
        self.question = question
        self.experiments = Experiments(question, folder, **options)
        self.optuna = library()
        self.study = self.opened()
        self.proposals = Proposals(question, self.study)

    def opened(self):
        """The study, made if it is not there."""
        return open_study(self.experiments.folder, self.question)

    def evaluate(self, evaluations):
        """Continue until this many different settings have been tried, or there are no more."""
        total = min(evaluations, self.question.space.size)
        state = self.experiments.state("evaluations", total)
        state.done = state.resumed = min(total, len(self.finished()))
        self.experiments.report(state)
        while len(self.finished()) < evaluations:
            batch = self.proposals.batch(evaluations)
            if not batch:
                break
            self._try(batch, state)
        return state

    def finished(self):
        """Trials whose outcome is known, without repetitions."""
        trials = self.study.get_trials(deepcopy=False)
        return [t for t in trials if t.state.is_finished() and "setting" in t.user_attrs]

    def _try(self, batch, state):
        """Run the settings of a batch and tell Optuna their results."""
        wanted, verdicts = {}, {}
        for trial, setting in batch:
            try:
                wanted[trial.number] = self.question.runs(setting)
            except ScenarioError as error:
                verdicts[trial.number] = {"why": f"it makes no sense: {_first(error)}"}
        if self.question.stop_early is not None:
            self._begin(batch, wanted, verdicts, state)
        runs = [run for n, several in wanted.items() if n not in verdicts for run in several.values()]
        failed = self.experiments.run(runs, state)
        for trial, _ in batch:
            verdict = verdicts.get(trial.number) or self.experiments.measured(wanted[trial.number], failed)
            self._tell(trial, verdict)
            state.done += 1
            state.running.clear()
            state.note = self._best()
            self.experiments.report(state)

    def _begin(self, batch, wanted, verdicts, state):
        """Run the beginnings, and give up settings that look worse than half of the others in every goal.

        Others are those that keep the limits: none is given up for one that violates them.
        """
        share = self.question.stop_early
        parts = {
            trial.number: self.question.runs(setting, share=share) for trial, setting in batch if trial.number in wanted
        }
        failed = self.experiments.run([run for runs in parts.values() for run in runs.values()], state, worth=share)
        # Those of this batch were not known when it was proposed, though an interruption may have told some.
        before = [t.user_attrs for t in self.finished() if t.user_attrs["batch"] < batch[0][0].user_attrs["batch"]]
        others = [said["beginning"] for said in before if "beginning" in said and keeps_limits(self.question, said)]
        for trial, _ in batch:
            if trial.number not in parts:
                continue
            seen = self.experiments.measured(parts[trial.number], failed)
            if "why" in seen:
                continue  # a beginning may be too short for a measure; then no judgement is possible
            trial.set_user_attr("beginning", seen["goals"])
            if len(others) >= AT_LEAST and self._worse(seen["goals"], others):
                why = f"given up after {share:.0%} of its runs, where it was worse than half of the others"
                said = {key: seen[key] for key in ("goals", "limits")}
                verdicts[trial.number] = {"why": why, **said, "early": True}

    def _worse(self, goals, others):
        """Whether half of the others or more are better, in every goal, in the direction of the goal."""
        for goal in self.question.goals:
            better = sum(goal.better(other[goal.label], goals[goal.label]) for other in others)
            if 2 * better < len(others):
                return False
        return True

    def _tell(self, trial, verdict):
        states = self.optuna.trial.TrialState
        for key in ("why", "goals", "limits", "conditions", "early"):
            if key in verdict:
                trial.set_user_attr(key, verdict[key])
        if DIED in verdict.get("why", ""):
            self.study.tell(trial, state=states.FAIL)
            return
        if "why" in verdict:
            self.study.tell(trial, state=states.PRUNED)
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # told a second time if the process was killed before the record
            for limit in self.question.limits:
                trial.set_constraint(str(limit), limit.missed(verdict["limits"][self.question.name_of(limit)]))
        self.study.tell(trial, [verdict["goals"][goal.label] for goal in self.question.goals])

    def _best(self):
        """The best so far, in a few words."""
        goal = self.question.goals[0]
        kept = [t.user_attrs["goals"] for t in self.finished() if is_good(self.question, t)]
        if not kept:
            return "nothing keeps the limits yet" if self.question.limits else ""
        pick = max if goal.best == "max" else min
        return f"best {goal.label} {goal.in_words(pick(goals[goal.label] for goals in kept))}"


def _first(error):
    complaint = error.complaints[0]
    return f"{complaint['path']}: {complaint['fact']}"
