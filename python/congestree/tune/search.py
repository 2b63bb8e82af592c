"""The search: settings are proposed in batches, run, and told to Optuna; whatever is finished stays finished.

The folder of a study holds

    question.json   what is asked; a study goes on with the same question only
    journal.log     Optuna's journal: every setting that was proposed, and what became of it
    runs/<hash>/    one run directory for each run; what is finished there is never run again

Settings of a batch are proposed before the first of them is known, and told in the order in which they were proposed,
so that the study does not depend on the number of workers, and a study that was interrupted goes on as if it had not
been. A setting that was tried before is not tried again, and does not count.
"""

import contextlib
import json
import os
import random
import signal
import threading
import warnings
from pathlib import Path

from ..errors import CongestreeError, ScenarioError
from ..runs.results import Run, scenario_hash
from ..studies import cluster, pool
from .goals import more_is_better
from .question import QUESTION

JOURNAL, RUNS, NAME = "journal.log", "runs", "tuning"
# Settings that are proposed at random before the model has a say, and those that early stopping compares with at least.
AT_RANDOM, AT_LEAST = 10, 8
# A sampler that has proposed nothing new so often in a row is passed over for once, in favour of a setting at random,
# which is drawn so often at most until it is new.
REPEATS, DRAWS = 8, 100_000
DIED = "its process ended unexpectedly"


def library():
    """Optuna, or a sentence if it is not there."""
    try:
        import optuna
    except ImportError:
        raise CongestreeError(
            "Tuning needs Optuna, which is not installed here: pip install 'congestree[tune]'."
        ) from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna


def open_study(folder, question=None):
    """The Optuna study in a folder; made if a question comes with it.

    Raises CongestreeError if there is none, or if it answers another question.
    """
    optuna = library()
    folder = Path(folder)
    directions = None
    if question is not None:
        if (folder / JOURNAL).exists() and not (folder / QUESTION).exists():
            raise CongestreeError(f"{folder} has a {JOURNAL} and no {QUESTION}: name another folder with --out.")
        question.write_down(folder)
        directions = directions_of(question)
    elif not (folder / JOURNAL).exists():
        raise CongestreeError(f"{folder} holds no tuning: there is no {JOURNAL} in it.")
    try:
        journal = _journal(optuna, folder / JOURNAL)
        storage = optuna.storages.JournalStorage(journal)
        if directions is None:
            return optuna.load_study(study_name=NAME, storage=storage)
        study = optuna.create_study(study_name=NAME, storage=storage, directions=directions, load_if_exists=True)
        trials = study.get_trials(deepcopy=False)
    except Exception as error:  # whatever Optuna makes of a damaged line
        raise CongestreeError(f"{folder / JOURNAL} cannot be read: {str(error).rstrip('.')}.") from None
    for trial in trials:
        if "setting" in trial.user_attrs and not _is_sound(question, trial):
            raise CongestreeError(
                f"{folder / JOURNAL} is damaged: evaluation {trial.number} does not match its record. Search again "
                "with another --out."
            )
    return study


def _is_sound(question, trial):
    """What is kept of an evaluation has the form in which it was kept; one that was cut off may lack its end."""
    said = trial.user_attrs
    asked = {
        "goals": [goal.label for goal in question.goals],
        "limits": [question.name_of(limit) for limit in question.limits],
    }
    known = {parameter.name for parameter in question.space.parameters}
    forms = {"batch": int, "setting": dict, "conditions": dict, "why": str, "early": bool}
    return (
        all(isinstance(said[key], form) for key, form in forms.items() if key in said)
        and "batch" in said
        and set(said["setting"]) == known
        and all(_are_numbers(said[key], names) for key, names in asked.items() if key in said)
        and _are_numbers(said.get("beginning", {}), ())
        and ("goals" not in said or "limits" in said or bool(said.get("early")) or not trial.state.is_finished())
    )


def _are_numbers(values, names):
    """A number by each of these names, and nothing but numbers."""
    if not isinstance(values, dict) or not set(names) <= set(values):
        return False
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values.values())


def _journal(optuna, path):
    """The journal, with entries that Ctrl-C does not break: a lock that is interrupted while it is being taken fails in
    a way of its own, and one that is left behind would hold the next command up.
    """

    class Journal(optuna.storages.journal.JournalFileBackend):
        def append_logs(self, logs):
            with unbroken():
                super().append_logs(logs)

    return Journal(str(path))


@contextlib.contextmanager
def unbroken():
    """Hold Ctrl-C back for a moment: it comes when what is within has been done."""
    if threading.current_thread() is not threading.main_thread():  # signals do not come here
        yield
        return
    held = []
    before = signal.signal(signal.SIGINT, lambda *_: held.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if held:
            signal.raise_signal(signal.SIGINT)


def directions_of(question):
    """Which way the goals of a question are better, as Optuna says it."""
    return ["maximize" if goal.best == "max" else "minimize" for goal in question.goals]


@contextlib.contextmanager
def alone(folder):
    """Only one command at a time works on a study; the lock ends with the process, however that ends."""
    try:
        import fcntl
    except ImportError:  # not on this system
        yield
        return
    with open(Path(folder) / ".tuning", "a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CongestreeError(f"Another command is working on the study in {folder}: wait for its end.") from None
        _mend(Path(folder) / JOURNAL)
        yield


def _mend(journal):
    """Remove what a process that was killed has left: its lock, and half a line at the end."""
    journal.with_name(journal.name + ".lock").unlink(missing_ok=True)
    if journal.exists():
        text = journal.read_bytes()
        if whole := text[: text.rfind(b"\n") + 1]:
            if whole != text:
                os.truncate(journal, len(whole))
        else:
            journal.unlink()


class Search:
    """A study under way."""

    def __init__(
        self, question, folder, *, workers=None, scheduler=None, crew=None, runs=None, known=None, on_progress=None
    ):
        self.question, self.folder = question, Path(folder)
        self.workers, self.scheduler, self.crew = workers, scheduler, crew
        self.runs = Path(runs) if runs else self.folder / RUNS
        self.elsewhere = known or {}  # {hash: folder} of runs that have been done for other reasons
        self.report = on_progress or (lambda progress: None)
        self.optuna = library()
        self.study = self.opened()
        self.known = {}  # setting as text -> the trial that tried it
        self.asked = 0  # how often something was proposed, repetitions too
        self.repeats = 0  # how many repetitions in a row were the last
        for trial in self.study.get_trials(deepcopy=False):
            if "setting" in trial.user_attrs:
                self.known[_key(trial.user_attrs["setting"])] = trial
                self.asked, self.repeats = self.asked + 1, 0
            elif "repeats" in trial.user_attrs:
                self.asked, self.repeats = self.asked + 1, min(self.repeats + 1, REPEATS)
            if not trial.state.is_finished() and "setting" not in trial.user_attrs and not self._waits(trial):
                # Proposed, and nobody knows what, or told before: the process was killed just then.
                self.study.tell(trial.number, state=self.optuna.trial.TrialState.FAIL)

    def opened(self):
        """The study, made if it is not there."""
        return open_study(self.folder, self.question)

    def evaluate(self, evaluations):
        """Go on until so many different settings have been tried, or there are no more."""
        total = min(evaluations, self.question.space.size)
        state = self.state("evaluations", total)
        state.done = state.resumed = min(total, len(self.finished()))
        self.report(state)
        while len(self.finished()) < evaluations:
            batch = self._batch(evaluations)
            if not batch:
                break
            self._try(batch, state)
        return state

    def state(self, what, total):
        """Progress of so many things."""
        return pool.Progress(total=total, what=what)

    def finished(self):
        """Trials whose outcome is known, repetitions left out."""
        trials = self.study.get_trials(deepcopy=False)
        return [t for t in trials if t.state.is_finished() and "setting" in t.user_attrs]

    def _batch(self, evaluations):
        """The settings to try now, [(trial, setting)]: those that an interruption has left, or new ones.

        A batch of which some have been told was whole, and is not filled up.
        """
        own = [t for t in self.study.get_trials(deepcopy=False) if "setting" in t.user_attrs]
        waiting = [t for t in own if not t.state.is_finished()]
        number = max((t.user_attrs["batch"] for t in own), default=-1) + (0 if waiting else 1)
        told = [t for t in own if t.state.is_finished() and t.user_attrs["batch"] == number]
        batch = [(self.optuna.trial.Trial(self.study, t._trial_id), t.user_attrs["setting"]) for t in waiting]
        room = 0 if told else min(self.question.batch, evaluations - (len(own) - len(waiting)))
        while len(batch) < room:
            proposed = self._propose(number)
            if proposed is None:
                break
            batch.append(proposed)
        return batch

    def _propose(self, number):
        """A setting that is new; None if there is none any more."""
        if len(self.known) >= self.question.space.size:
            return None
        for attempt in range(self.repeats, REPEATS + 1):
            self.study.sampler = self._sampler(self.asked)
            if attempt == REPEATS and not self._fall_back():
                return None
            self.asked += 1
            trial = self.study.ask()
            setting = {p.name: p.suggest(trial) for p in self.question.space.parameters}
            before = self.known.get(_key(setting))
            if before is None:
                trial.set_user_attr("batch", number)
                trial.set_user_attr("setting", setting)  # last: with it the trial is ours, killed just then or not
                self.known[_key(setting)] = trial
                self.repeats = 0
                return trial, setting
            trial.set_user_attr("repeats", before.number)
            self.study.tell(trial, state=self.optuna.trial.TrialState.FAIL)
        self.repeats = REPEATS
        return None

    def _waits(self, trial):
        """Whether it is to be asked next, by `_fall_back`."""
        return trial.state == self.optuna.trial.TrialState.WAITING

    def _fall_back(self):
        """The sampler insists on what is known: have any other setting asked next. Answers whether there is one."""
        if any(map(self._waits, self.study.get_trials(deepcopy=False))):  # the process was killed before it was asked
            return True
        chance = random.Random(self.question.chance * 1_000_003 + self.asked)
        for _ in range(DRAWS):
            stored = {p.name: p.draw(chance) for p in self.question.space.parameters}
            setting = {p.name: p.of_stored(stored[p.name]) for p in self.question.space.parameters}
            if _key(setting) not in self.known:
                self.study.enqueue_trial(stored)
                return True
        return False

    def _sampler(self, asked):
        """The sampler for the next question. Its chance depends on how many were asked before, and on nothing else."""
        samplers = self.optuna.samplers
        seed = (self.question.chance * 1_000_003 + asked) % 2**32
        if self.question.sampler == "random":
            return samplers.RandomSampler(seed=seed)
        if self.question.sampler == "nsga2":
            return samplers.NSGAIISampler(seed=seed, population_size=max(4 * self.question.batch, 16))
        return samplers.TPESampler(seed=seed, n_startup_trials=AT_RANDOM)

    def _try(self, batch, state):
        """Run the settings of a batch and tell what became of them."""
        wanted, verdicts = {}, {}
        for trial, setting in batch:
            try:
                wanted[trial.number] = self.question.runs(setting)
            except ScenarioError as error:
                verdicts[trial.number] = {"why": f"it makes no sense: {_first(error)}"}
        if self.question.stop_early is not None:
            self._begin(batch, wanted, verdicts, state)
        failed = self.run([run for n, runs in wanted.items() if n not in verdicts for run in runs.values()], state)
        for trial, _ in batch:
            verdict = verdicts.get(trial.number) or self.measured(wanted[trial.number], failed)
            self._tell(trial, verdict)
            state.done += 1
            state.running.clear()
            state.note = self._best()
            self.report(state)

    def _begin(self, batch, wanted, verdicts, state):
        """Run the beginnings, and give up what looks worse than half of the others in every goal."""
        share = self.question.stop_early
        parts = {
            trial.number: self.question.runs(setting, share=share) for trial, setting in batch if trial.number in wanted
        }
        failed = self.run([run for runs in parts.values() for run in runs.values()], state, worth=share)
        # Those of this batch were not known yet when it was proposed, though an interruption may have told some.
        before = [t.user_attrs for t in self.finished() if t.user_attrs["batch"] < batch[0][0].user_attrs["batch"]]
        others = [said["beginning"] for said in before if "beginning" in said]
        for trial, _ in batch:
            if trial.number not in parts:
                continue
            seen = self.measured(parts[trial.number], failed)
            if "why" in seen:
                continue  # a beginning may be too short for a measure; then nothing can be said of it
            trial.set_user_attr("beginning", seen["goals"])
            if len(others) >= AT_LEAST and self._worse(seen["goals"], others):
                why = f"given up after {share:.0%} of its runs, where it was worse than half of the others"
                verdicts[trial.number] = {"why": why, "goals": seen["goals"], "early": True}

    def _worse(self, goals, others):
        """Whether half of the others or more are better, in every goal, whichever way it is better."""
        for goal in self.question.goals:
            better = sum(goal.better(other[goal.label], goals[goal.label]) for other in others)
            if 2 * better < len(others):
                return False
        return True

    def run(self, scenarios, state, worth=1.0):
        """Run scenarios that are not finished; answers {hash: why} of those that failed.

        One whose process has died is tried once more: that may have been chance.
        """
        jobs = [pool.Job(s, self._home(scenario_hash(s)), scenario_hash(s)) for s in scenarios]
        failed = {}
        for _ in range(2):
            progress = self._execute(jobs, state, worth)
            failed = dict(progress.failed)
            jobs = [job for job in jobs if DIED in failed.get(job.name, "")]
            if not jobs:
                break
        return failed

    def folder_of(self, scenario):
        """The folder of a run."""
        return self._home(scenario_hash(scenario))

    def _home(self, name):
        """The folder of a run, by its hash."""
        return self.elsewhere.get(name) or self.runs / name

    def _execute(self, jobs, state, worth):
        """Have jobs done; `state` says how far the whole is."""

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
        """What runs ({(condition, seed): scenario}) amount to: {"goals", "limits", "conditions"}, or {"why": text}.

        more: further goals, which are told as "more".
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
        summed = {"goals": {}, "limits": {}, "more": {}, "conditions": {}}
        for key, several in wanted.items():
            for label, goal in several.items():
                means = {c: sum(values) / len(values) for c, values in found[key, label].items()}
                summed[key][label] = together(self.question, goal, means.values())
                summed["conditions"].setdefault(goal.label, means)
        return summed

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
            warnings.simplefilter("ignore")  # it is said a second time if the process was killed before it could tell
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


def together(question, goal, means):
    """The values of all conditions as one: their mean, or the worst of them."""
    means = list(means)
    if question.over == "mean":
        return sum(means) / len(means)
    return min(means) if more_is_better(goal) else max(means)


def is_good(question, trial):
    """Finished, with all its goals, and within the limits."""
    said = trial.user_attrs
    if "why" in said or "goals" not in said:
        return False
    return all(limit.missed(said["limits"][question.name_of(limit)]) <= 0 for limit in question.limits)


def _key(setting):
    return json.dumps(setting, sort_keys=True)


def _first(error):
    complaint = error.complaints[0]
    return f"{complaint['path']}: {complaint['fact']}"
