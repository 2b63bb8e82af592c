"""Settings to try, batch by batch; none of them twice, and the same ones after an interruption."""

import json
import random

from .journal import library

# Settings that are proposed at random before the model is used.
AT_RANDOM = 10
# A sampler that has proposed nothing new so often in a row is passed over for once, in favour of a setting at random,
# which is drawn so often at most until it is new.
REPEATS, DRAWS = 8, 100_000


class Proposals:
    """The proposals of a study, from Optuna's samplers."""

    def __init__(self, question, study):
        self.question, self.study = question, study
        self.optuna = library()
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
                # Proposed without a record of the setting, or told before: the process was killed just then.
                self.study.tell(trial.number, state=self.optuna.trial.TrialState.FAIL)

    def batch(self, evaluations):
        """The settings to try now, [(trial, setting)]: those left by an interruption, or new ones.

        A batch of which some have been told was complete, and is not filled up.
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
        """A new setting; None if there is none any more."""
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
        """Whether `_fall_back` has queued it as the next one."""
        return trial.state == self.optuna.trial.TrialState.WAITING

    def _fall_back(self):
        """The sampler repeats known settings: queue any other setting as the next one. Returns whether there is one."""
        if any(map(self._waits, self.study.get_trials(deepcopy=False))):  # the process was killed before it asked
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
        """The sampler for the next proposal. Its random numbers depend only on how many proposals there were before."""
        samplers = self.optuna.samplers
        seed = (self.question.chance * 1_000_003 + asked) % 2**32
        if self.question.sampler == "random":
            return samplers.RandomSampler(seed=seed)
        if self.question.sampler == "nsga2":
            return samplers.NSGAIISampler(seed=seed, population_size=max(4 * self.question.batch, 16))
        return samplers.TPESampler(seed=seed, n_startup_trials=AT_RANDOM)


def _key(setting):
    return json.dumps(setting, sort_keys=True)
