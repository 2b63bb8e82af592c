"""A question to the tuner: what may be set, what is aimed at, under which conditions, and how thoroughly.

A study answers one question, which is recorded in the folder of the study and cannot be changed: a study is continued
only with the same question (`differences` lists what differs). The numbers of evaluations, workers and fresh seeds are
not part of it.
"""

import hashlib
import itertools
import json
import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Real
from pathlib import Path

from .. import document, renames
from ..errors import AskedError, CongestreeError, ScenarioError, there_are
from ..evaluation import goals, links
from ..evaluation.goals.measured import MEASURES
from ..runs import arguments, running, shorter, writing
from . import conditions as under
from .space import Space

QUESTION = "question.json"
SAMPLERS = ("tpe", "random", "nsga2")
OVER = ("mean", "worst")
MOST_SEEDS = 10_000
"""Runs of one setting; an interval needs no more."""


def few(seeds):
    """Seeds as a tuple; a number of seeds that is a typing error is reported before a seed is made."""
    try:
        count = len(seeds)
    except OverflowError:  # a range that is longer than any list
        count = (seeds.stop - seeds.start) // seeds.step
    if count > MOST_SEEDS:
        raise AskedError(f"{count:,} seeds are too many: {MOST_SEEDS:,} is the most.")
    return tuple(seeds)


@dataclass(frozen=True)
class Question:
    """A question to be answered by tuning.

    scenarios: a list of (name, `Written`), the scenarios as they are written.
    space: the `Space` of settings to search.
    goals, limits: lists of `Goal` and of `Limit`.
    seeds: the seeds with which every setting is run.
    vary: {dotted path: values}; every setting is tried at each of them.
    degrade: texts LINK=RATE, such as "S1->S2=10 Gbit/s"; each is a condition in which that link is slow.
    over: how values of several conditions are combined, "mean" or "worst".
    sampler: the method that proposes settings, "tpe", "nsga2" or "random". chance: the seed of the sampler.
    batch: the number of settings proposed at a time, before the result of any of them is known; because of it the
        answer does not depend on the number of workers.
    stop_early: the share of a run (0 to 1) after which a setting that looks worse than half of the others is given up,
        or None.

    Raises AskedError if the question makes no sense.
    """

    scenarios: list
    space: Space
    goals: list
    limits: list = field(default_factory=list)
    seeds: tuple = (1,)
    vary: dict = field(default_factory=dict)
    degrade: tuple = ()
    over: str = "mean"
    sampler: str = "tpe"
    chance: int = 0
    batch: int = 4
    stop_early: float | None = None

    def __post_init__(self):
        if not self.goals:
            raise AskedError("There is no goal: name a measure, such as --goal rate:victim.")
        if not self.space.parameters:
            raise AskedError(
                "There is nothing to set: name a space (--space ib-cc) or a parameter (--param PATH=A..B)."
            )
        if not self.seeds:
            raise AskedError("There is no seed: every setting needs one run or more.")
        if len(set(self.seeds)) < len(self.seeds):
            raise AskedError(f"A seed is given twice in {', '.join(map(str, self.seeds))}.")
        labels = [goal.label for goal in self.goals]
        if len(set(labels)) < len(labels):
            raise AskedError(f"The same goal is given twice: {', '.join(labels)}.")
        for name, known, value in (("sampler", SAMPLERS, self.sampler), ("over", OVER, self.over)):
            if value not in known:
                raise AskedError(f"There is no {name} {value!r}; {there_are(value, known)}")
        early = self.stop_early
        if early is not None and not (isinstance(early, Real) and 0 < early < 1):
            raise AskedError(f"The share after which runs are stopped early is {early!r:.40}; it is from 0 to 1.")
        arguments.count("settings of a batch", self.batch)
        arguments.count("chance", self.chance, -math.inf)
        self._refuse_in_vain()

    def _refuse_in_vain(self):
        """Raise AskedError if a value that varies or is searched would be overwritten by another."""
        searched = self.space.values({p.name: p.at(0) for p in self.space.parameters})
        for path in [*self.vary, *searched]:
            if path == "seed":
                raise AskedError("seed cannot vary or be searched: a setting is run with each of the seeds (--seeds).")
        for _, written in self.scenarios:
            self._refuse_alike(written, searched)

    def _refuse_alike(self, written, searched):
        """The same of one scenario, in which an entry of a list goes by its number or its name."""

        def places(paths):
            return [(path, document.numbered(written.tree, renames.path(path))) for path in paths]

        varied, names = places(self.vary), places(p.name for p in self.space.parameters if not p.hidden)
        for (path, place), (other, there) in itertools.product(varied, places(searched)):
            if document.meet(place, there):
                raise AskedError(
                    f"{path} varies, and {other} is searched: one would overwrite the other. Leave one of them out."
                )
        for (path, place), (other, there) in itertools.combinations(names, 2):
            if document.meet(place, there):
                raise AskedError(
                    f"{path} and {other} are searched: one would overwrite the other. Leave one of them out."
                )
        for (path, place), (other, there) in itertools.combinations(varied, 2):
            if place == there:
                raise AskedError(f"{path} and {other} are the same value, and both vary: leave one of them out.")

    @cached_property
    def resolved(self):
        """The scenarios with every default written out: a list of (name, dict)."""
        return [(name, written.resolved()) for name, written in self.scenarios]

    @cached_property
    def conditions(self):
        """The conditions; they record what goals need, too."""
        probes = [probe for g in (*self.goals, *self.limits) for probe in MEASURES[g.measure].probes]
        return [_recording(c, probes) for c in under.conditions(self.scenarios, self.vary, self.degrade)]

    def name_of(self, limit):
        """The name under which the value of a limit is kept.

        This is its label. Its sense is added if a goal or an earlier limit of this measure has the opposite direction,
        because then another of several conditions is the worst for it.
        """
        first = next(g for g in (*self.goals, *self.limits) if g.label == limit.label)
        alike = first.more_is_better == limit.more_is_better
        return limit.label if alike else f"{limit.label} {limit.sense}"

    @property
    def asked(self):
        """Goals and limits by the names of their values; a limit with the same value as a goal is not repeated."""
        found = {goal.label: goal for goal in self.goals}
        for limit in self.limits:
            found.setdefault(self.name_of(limit), limit)
        return found

    def runs(self, setting, seeds=None, share=None):
        """The runs of a setting, as {(label of the condition, seed): resolved scenario}; None: of the scenario itself.

        setting: {name: value} of all parameters. seeds: by default those of the question.
        share: run only this share (0 to 1) of the duration.

        Raises ScenarioError if the setting makes no sense under a condition.
        """
        values = {} if setting is None else self.space.values(setting)
        found = {}
        for condition in self.conditions:
            written = condition.put(values)
            for seed in self.seeds if seeds is None else seeds:
                scenario = written.put({"seed": seed}).resolved()
                if share is not None:
                    scenario = running.resolved(shorter.beginning(scenario, share))
                found[condition.label, seed] = scenario
        return found

    def check(self):
        """Check the question before anything is run.

        Raises AskedError for goals that a scenario cannot answer, missing parts, and parameters whose ends make no
        sense; ScenarioError if a scenario is refused."""
        for name, scenario in self.resolved:
            places = links.places(running.network(scenario, routes=False))
            for goal in (*self.goals, *self.limits):
                goals.check(goal, scenario, places)
            for path, part in self.space.wants.items():
                _want(self.space, name, scenario, path, part)
        middle = {p.name: p.ends[0] for p in self.space.parameters}
        self.runs(None)
        if self.stop_early is not None:
            self.runs(None, share=self.stop_early)
        self._check_ends(middle)
        self._check_summary(middle)

    def _check_ends(self, middle):
        """Raise ScenarioError for a parameter whose ends both make no sense."""
        wrong = None
        for parameter in self.space.parameters:
            for end in parameter.ends:
                try:
                    self.runs({**middle, parameter.name: end}, self.seeds[:1])
                    wrong = None
                    break
                except ScenarioError as error:
                    wrong = error  # one end of a range may be refused together with the low ends of the other ranges
            if wrong:
                raise wrong

    def _check_summary(self, middle):
        """Raise AskedError for a row of the summary that no run has: of the scenario, or at the end of a parameter.

        Raises ScenarioError if the beginning of a run, which tells its rows, is refused.
        """
        wanted = {renames.row(g.of): g for g in (*self.goals, *self.limits) if g.measure == "summary"}
        settings = [None, *({**middle, p.name: end} for p in self.space.parameters for end in p.ends)]
        known = set()
        for setting in settings if wanted else ():
            try:
                runs = self.runs(setting, self.seeds[:1])
            except ScenarioError:
                continue  # one end of a parameter may be refused
            for scenario in runs.values():
                known |= set(shorter.rows_of_summary(scenario))
            if known >= set(wanted):
                return
        for goal in wanted.values():
            goals.check_row(goal, known)

    def write_down(self, folder):
        """Write the question into the folder of a study. Raises CongestreeError if the folder has a different one."""
        path = Path(folder) / QUESTION
        now = json.loads(json.dumps(self.to_dict()))
        if not path.exists():
            writing.write_json(path, now)
            return
        try:
            was = json.loads(path.read_text(encoding="utf-8"))
            if not all(isinstance(was[key], dict) for key in ("scenarios", "parameters")):
                raise ValueError
        except (OSError, ValueError, KeyError, TypeError):
            raise CongestreeError(f"{path} cannot be read: name another folder with --out.") from None
        if found := differences(was, now):
            raise CongestreeError(
                f"The study in {folder} asks another question: {'; '.join(found)}. Its evaluations would not compare: "
                "ask the same, or name another folder with --out."
            )

    def to_dict(self):
        """Everything that defines this question, as JSON values."""
        return {
            "scenarios": {name: _digest(scenario) for name, scenario in self.resolved},
            "parameters": {p.name: p.to_dict().get("range") or p.to_dict()["choices"] for p in self.space.parameters},
            "space": self.space.name,
            "makes": self._makes(),
            "goals": [str(goal) for goal in self.goals],
            "limits": [f"{limit.label} {limit.sense} {limit.bound!r}" for limit in self.limits],
            "seeds": list(self.seeds),
            "vary": self.vary,
            "degrade": list(self.degrade),
            "over": self.over,
            "sampler": self.sampler,
            "chance": self.chance,
            "batch": self.batch,
            "stop early": self.stop_early,
        }

    def _makes(self):
        """A name for what the space makes of settings: of the lowest, the highest and one between."""
        parameters = self.space.parameters
        places = [{p.name: p.at(share) for p in parameters} for share in (0, 0.5, 1)]
        text = json.dumps([self.space.values(setting) for setting in places], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def _recording(condition, probes):
    """A condition whose runs have these probes, beside their own."""
    if not probes:
        return condition
    have = condition.put({}).resolved()["measure"]["probes"]
    missing = [probe for probe in dict.fromkeys(probes) if probe not in have]
    if not missing:
        return condition
    return replace(condition, values={**condition.values, "measure.probes": [*have, *missing]})


def differences(was, now):
    """What differs between two questions (in the form of `to_dict`), in sentences."""
    found = []
    for key in dict.fromkeys((*was, *now)):
        a, b = was.get(key), now.get(key)
        if a == b or (key == "makes" and a is None):  # studies from before this was recorded can be continued
            continue
        if key == "parameters":
            for name in dict.fromkeys((*a, *b)):
                if name not in b:
                    found.append(f"the parameter {name} is missing now")
                elif name not in a:
                    found.append(f"the parameter {name} is new")
                elif a[name] != b[name]:
                    found.append(f"the range of {name} was {_shown(a[name])}, and is {_shown(b[name])}")
        elif key == "makes":
            found.append("the space makes other values of the same settings")
        elif key == "scenarios":
            changed = ", ".join(name for name in dict.fromkeys((*a, *b)) if a.get(name) != b.get(name))
            found.append(f"the scenario is another one ({changed})")
        else:
            found.append(f"{key} was {_shown(a)}, and is {_shown(b)}")
    return found


def _shown(value):
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text or "none" if len(text) < 120 else f"{text[:117]}…"


def _want(space, name, scenario, path, wanted):
    """Complain if a scenario lacks the part that a space needs, or the name of the variant that it needs."""
    wanted = (wanted,) if isinstance(wanted, str) else wanted
    section = scenario
    for key in path.split("."):
        section = section.get(key) if isinstance(section, dict) else None
    if isinstance(section, dict):
        if any(section.get(part) is not None for part in wanted):
            return
        section = next(iter(section), None)
    elif section in wanted:
        return
    raise AskedError(
        f"The space {space.name} is about {path} = {' or '.join(wanted)}, and the scenario {name} has "
        f"{section or 'nothing'}: choose a scheme with it, or another space."
    )


def _digest(scenario):
    from ..runs.results import scenario_hash

    return scenario_hash({**scenario, "seed": 0})
