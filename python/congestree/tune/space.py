"""What is searched: parameters with their ranges, and what a setting of them puts into a scenario.

    Parameter.read("scheme.react.cct.timer=10.24 us..1.024 ms by 1.024 us log")
    Parameter.read("scheme.react.cct.per=['qp', 'sl']")
    Parameter.read("scheme.react.dctcp.gain=0.01..1 log")

A number with a unit, or with a step, is counted in whole steps (of 1 ps, 1 B or 1 bit/s if none is given) from the low
end, so that a scenario holds exactly what a register would if that end is a value of the register. A setting is {name:
value} in plain JSON values.
"""

import itertools
import math
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation

from .. import document
from ..errors import AskedError, Note
from ..quantities import UNITS, exactly

_END = re.compile(r"(-?[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\s*(\S*)")
_RANGE = re.compile(r"(.+?)\s*\.\.\s*(.+?)(?:\s+by\s+(.+?))?(\s+log)?")
_FRACTION = re.compile(r"[0-9](\.|[eE][+-]?)[0-9]")
_EXAMPLE = (
    'write PATH=LOW..HIGH, such as scheme.react.cct.timer="10.24 us..1.024 ms by 1.024 us log", or PATH=[a, b, c]'
)


ONE = Decimal(1)
"""The step of a plain number that has no other step."""


@dataclass(frozen=True)
class Parameter:
    """One setting to be searched.

    name: its name; unless it is `hidden`, the dotted path of a scenario that it sets.
    low, high: the ends of the range, both included, in steps of `step` base units, counted from `offset`; or
    choices: the values to choose from; if `ordered`, their order is meaningful.
    log: the range is searched on a logarithmic scale.
    unit: "ps", "B", "bit/s", or "" for a plain number.
    hidden: it sets nothing by itself; a `Space` computes values from it.
    about: what it is, for `congestree list spaces`.
    """

    name: str
    low: float = 0
    high: float = 0
    step: Decimal | None = None
    log: bool = False
    unit: str = ""
    choices: tuple = ()
    ordered: bool = False
    hidden: bool = False
    about: str = ""
    offset: Decimal = Decimal(0)

    @classmethod
    def read(cls, text):
        """A parameter as people write it, PATH=LOW..HIGH or PATH=[a, b]. Raises AskedError if `text` is none.

        Plain numbers are whole if both ends are written without a point or an exponent. With "by STEP" the values are
        LOW, LOW + STEP and so on; the last is HIGH or the one below it.
        """
        path, equals, said = str(text).partition("=")
        path, said = path.strip(), said.strip()
        if not equals or not path or not said:
            raise AskedError(f"{text!r} names no parameter: {_EXAMPLE}.")
        if said.startswith("["):
            return cls._of_list(path, said)
        match = _RANGE.fullmatch(said.strip("\"'"))
        if not match:
            raise AskedError(f"{said!r} is no range for {path}: {_EXAMPLE}.")
        return cls._of_range(path, match)

    @classmethod
    def _of_list(cls, path, said):
        choices = document.read_value(said)
        if not isinstance(choices, list):
            raise AskedError(f"{said!r} is not a list of values for {path}: {_EXAMPLE}.")
        if len(choices) < 2:
            raise AskedError(f"{path} has nothing to choose from: a list needs two values or more.")
        numbers = all(isinstance(c, int | float) and not isinstance(c, bool) for c in choices)
        return cls(path, choices=tuple(choices), ordered=numbers and list(choices) == sorted(choices))

    @classmethod
    def _of_range(cls, path, match):
        ends = [_end(text, path) for text in match.groups()[:3] if text is not None]
        units = {unit for _, unit in ends}
        if len(units) > 1:
            raise AskedError(f"The range of {path} mixes {' and '.join(sorted(u or 'plain numbers' for u in units))}.")
        (unit,), (low, high, *steps), log = units, (number for number, _ in ends), bool(match[4])
        whole = unit or steps or not any(_FRACTION.search(text) for text in match.groups()[:2])
        step = (steps[0] if steps else Decimal(1)) if whole else None
        if step is not None and step <= 0:
            raise AskedError(f"The step of {path} is {step}; it must be more than 0.")
        if not low < high or (step and high - low < step):
            raise AskedError(f"The range of {path} is empty: the low end must be below the high one.")
        if log and low <= 0:
            raise AskedError(f"The range of {path} begins at {low}, and log needs one above 0.")
        if step is None:
            return cls(path, float(low), float(high), log=log)
        if not steps:
            return cls(path, math.ceil(low / step), math.floor(high / step), step, log, unit)
        first = max(math.floor(low / step), int(log))  # a logarithmic scale begins at one step
        return cls(path, first, first + math.floor((high - low) / step), step, log, unit, offset=low - first * step)

    def suggest(self, trial):
        """Let an Optuna trial choose; returns the value."""
        if self.choices:
            if self.ordered:
                return self.choices[trial.suggest_int(self.name, 0, len(self.choices) - 1)]
            return self.choices[trial.suggest_categorical(self.name, list(range(len(self.choices))))]
        if self.step is None:
            return trial.suggest_float(self.name, self.low, self.high, log=self.log)
        return self.value(trial.suggest_int(self.name, int(self.low), int(self.high), log=self.log))

    def draw(self, chance):
        """A random value, as Optuna stores it; `chance` is a `random.Random`."""
        if self.choices:
            return chance.randrange(len(self.choices))
        if self.log:
            number = math.exp(chance.uniform(math.log(self.low), math.log(self.high)))
        else:
            number = chance.uniform(self.low, self.high)
        if self.step is None:
            return min(max(number, self.low), self.high)
        return min(max(round(number), int(self.low)), int(self.high))

    def of_stored(self, stored):
        """The value for what Optuna has stored."""
        if self.choices:
            return self.choices[stored]
        return stored if self.step is None else self.value(stored)

    def value(self, steps):
        """The value of this number of steps, as a scenario writes it: a number, or text with a unit."""
        number = steps * self.step + self.offset
        if self.unit:
            return exactly(int(number), self.unit) if number == int(number) else f"{number} {self.unit}"
        return int(number) if number == int(number) else float(number)

    @property
    def ends(self):
        """Two distant values: the ends of the range, or the first and the last choice."""
        if self.choices:
            return self.choices[0], self.choices[-1]
        return (self.low, self.high) if self.step is None else (self.value(self.low), self.value(self.high))

    def at(self, share):
        """The value at this share (0 to 1) of the range, or of the list."""
        if self.choices:
            return self.choices[int(share * (len(self.choices) - 1))]
        number = self.low + share * (self.high - self.low)
        return number if self.step is None else self.value(int(number))

    @property
    def count(self):
        """The number of values; infinity for a range of floating-point numbers."""
        if self.choices:
            return len(self.choices)
        return math.inf if self.step is None else int(self.high) - int(self.low) + 1

    def in_words(self):
        """The range as text."""
        if self.choices:
            shown = [str(c) if len(str(c)) < 25 else f"#{n}" for n, c in enumerate(self.choices, start=1)]
            return ", ".join(shown[:8]) + (f" … ({len(shown)})" if len(shown) > 8 else "")
        by = "" if self.step in (None, 1) else f" by {exactly(int(self.step), self.unit) if self.unit else self.step}"
        return f"{self.ends[0]} .. {self.ends[1]}{by}{' log' if self.log else ''}"

    def to_dict(self):
        """Everything that defines this parameter, for the record of a study."""
        if self.choices:
            return {"name": self.name, "choices": list(self.choices)}
        return {"name": self.name, "range": self.in_words()}


@dataclass(frozen=True)
class Space:
    """Parameters that belong together, and the scenario values that they produce.

    make: a function from {name: value} of all its parameters to {path: value} for a scenario, which replaces the
    hidden ones.
    fixed: {path: value} that are set in every scenario; None removes a value.
    wants: {path of the scheme: the name of the part that must be there, or names of which one must be there}.
    files: kinds of file to deploy, as `deploy.FILES` knows them.
    needed: {name of a parameter: what to say if it is not, and a function that finds out for a resolved scenario}; one
    that no scenario needs is left out of the search, so that `make` must do without it.
    about: what it is, for `congestree list spaces`.
    Raises AskedError if a parameter is there twice, or lies within another.
    """

    name: str
    parameters: tuple[Parameter, ...]
    about: str = ""
    make: Callable[[dict], dict] | None = field(default=None, compare=False)
    fixed: dict = field(default_factory=dict)
    wants: dict = field(default_factory=dict)
    files: tuple[str, ...] = ()
    needed: dict = field(default_factory=dict, compare=False)

    def __post_init__(self):
        names = [p.name for p in self.parameters if not p.hidden]
        for outer, inner in itertools.permutations(names, 2):
            if inner == outer:
                raise AskedError(f"{inner} is there twice: give one range or list for it.")
            if document.is_within(inner, outer):
                raise AskedError(
                    f"{inner} lies within {outer}: a value of one would overwrite that of the other. Tune {outer} "
                    f"first, then {inner} with --set {outer}=..., or choose {outer} from whole tables: "
                    "[{NAME={KEY=1}}, ...]."
                )

    def values(self, setting):
        """The values that a setting puts into a scenario: {path: value}."""
        plain = {p.name: setting[p.name] for p in self.parameters if not p.hidden}
        return {**self.fixed, **plain, **(self.make(setting) if self.make else {})}

    def for_scenarios(self, scenarios):
        """The same without parameters that none of these resolved scenarios needs; a `Note` says which and why."""
        idle = {name: why for name, (why, needs) in self.needed.items() if not any(map(needs, scenarios))}
        for name, why in idle.items():
            warnings.warn(Note(f"{name} is left out of the space {self.name}: {why}"), stacklevel=3)
        return replace(self, parameters=tuple(p for p in self.parameters if p.name not in idle))

    @property
    def size(self):
        """The number of possible settings."""
        return math.prod(p.count for p in self.parameters)


def joined(spaces):
    """Several spaces as one; a parameter that two of them have is taken from the last."""
    if len(spaces) == 1:
        return spaces[0]
    parameters = {p.name: p for space in spaces for p in space.parameters}

    def make(setting):
        made = {}
        for space in spaces:
            made |= space.make(setting) if space.make else {}
        return made

    return Space(
        " + ".join(space.name for space in spaces if space.name),
        tuple(parameters.values()),
        make=make,
        fixed={path: value for space in spaces for path, value in space.fixed.items()},
        wants=_wanted(spaces),
        files=tuple(dict.fromkeys(form for space in spaces for form in space.files)),
    )


def _wanted(spaces):
    """The requirements of several spaces together; raises AskedError if no scenario can satisfy them all."""
    found = {}
    for space in spaces:
        for path, names in space.wants.items():
            names = (names,) if isinstance(names, str) else names
            both = tuple(name for name in found.get(path, names) if name in names)
            if not both:
                raise AskedError(
                    f"The spaces {', '.join(s.name for s in spaces)} do not go together: one is about {path} = "
                    f"{' or '.join(found[path])}, another about {' or '.join(names)}."
                )
            found[path] = both
    return found


def _end(text, path):
    """A number and the base unit that it is in: (Decimal, "ps" or "B" or "bit/s" or "")."""
    match = _END.fullmatch(text.strip())
    if match:
        try:
            number = Decimal(match[1].replace("_", ""))
        except InvalidOperation:
            number = None
        if number is not None and not match[2]:
            return number, ""
        for base, units in UNITS.items():
            if match[2] in units:
                return number * units[match[2]], base
    raise AskedError(f"{text.strip()!r} is no number, and no quantity with a unit, for {path}: {_EXAMPLE}.")
