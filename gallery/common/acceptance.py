"""What is accepted, as data: a formula over the numbers of a claim's value, judged on intervals.

    0.13 <= x <= 0.18                            x: the value, or all numbers of it; every one must be in the range
    'root'[4] >= 0.85 and 'root'[6:] >= 0.95     parts by name; numeric keys from 6 on, both ends of a range counting
    'lipd'[3:] > 'fimd'[3:]                      key by key
    each('set (.*), hot') > 2                    all names that a pattern describes; its groups tell which from which
    rising(x) and some(each('local (.*)') > 0)   in the order of the keys; at least one

Functions: min max mean sum abs log spread rank first last count each but; conditions: rising falling
some.

A number that was measured with several seeds has an interval: Student's, of 95 per cent, of the difference that a
comparison is about (by seed, so that what two runs share cancels). A comparison holds if the whole interval is
on the right side, fails if all of it is on the other, and is undecided between.
"""

import ast
import operator
import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from congestree.evaluation.measures import mean_and_interval

from .study import Sample, common, spearman

RELATIONS = {
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.Eq: ("==", operator.eq),
}
MIRRORED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.Eq}
ARITHMETIC = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


class Unjudgeable(LookupError):
    """The value lacks a number that the formula asks for."""


@dataclass(frozen=True)
class Comparison:
    """One comparison of a formula."""

    what: str
    value: float
    half: float
    """Half of the interval of the value; 0 without repetitions."""
    relation: str
    bound: float
    holds: bool | None
    margin: float
    """Distance to the bound, relative to the larger of both; negative on the wrong side."""

    def __str__(self):
        interval = f" ± {self.half:.2g}" if self.half else ""
        return f"{self.value:.4g}{interval} {self.relation} {self.bound:.4g}" + (f" ({self.what})" if self.what else "")


@dataclass(frozen=True)
class Judgement:
    """True, False, or None for undecided; and the comparison that decides."""

    holds: bool | None
    decides: Comparison | None

    @staticmethod
    def all(parts):
        """All must hold; one that fails decides, then one that is undecided, then the closest."""
        return Judgement._worst(parts, (False, None, True))

    @staticmethod
    def any(parts):
        """One must hold."""
        return Judgement._worst(parts, (True, None, False), most=True)

    @staticmethod
    def _worst(parts, order, most=False):
        parts = list(parts)
        if not parts:
            raise Unjudgeable("nothing to compare")
        for state in order:
            found = [part for part in parts if part.holds is state]
            if found:
                choose = max if most else min
                return choose(found, key=lambda part: part.decides.margin if part.decides else 0)
        raise AssertionError(order)


def judge(formula, value):
    """The judgement of a value by a formula."""
    return _Evaluation(value)._condition(parsed(formula).body)


def parsed(formula):
    """The tree of a formula; ValueError if it is none."""
    try:
        tree = ast.parse(formula.strip(), mode="eval")
    except SyntaxError as error:
        raise ValueError(f"This is no formula: {formula} ({error.msg}).") from None
    for node in ast.walk(tree):
        if not isinstance(node, _ALLOWED):
            raise ValueError(f"A formula has no {type(node).__name__}: {formula}.")
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) not in FUNCTIONS:
            raise ValueError(f"There is no function {ast.unparse(node.func)}: {formula}.")
    return tree


def numbers(formula):
    """All numbers that a formula mentions as values, not as keys."""
    tree = parsed(formula)
    keys = {id(n) for s in ast.walk(tree) if isinstance(s, ast.Subscript) for n in ast.walk(s.slice)}
    return {
        float(n.value)
        for n in ast.walk(tree)
        if isinstance(n, ast.Constant) and not isinstance(n.value, str | bool) and id(n) not in keys
    }


def interval(values):
    """Mean, and half of Student's interval of 95 per cent."""
    values = np.atleast_1d(np.asarray(values, dtype=float))
    mean = float(values.mean())
    if len(values) < 2 or not np.ptp(values):
        return mean, 0.0
    return mean, mean_and_interval(values)[1]


_ALLOWED = (
    *(ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.Compare, ast.BinOp),
    *(ast.Constant, ast.Name, ast.Load, ast.Subscript, ast.Slice, ast.Call, *RELATIONS, *ARITHMETIC),
)


class _Evaluation:
    """Visits a formula. What is not a judgement is a number with its seeds, or names with such."""

    def __init__(self, value):
        self.value = value

    def visit(self, node):
        return getattr(self, f"_{type(node).__name__}")(node)

    def _Name(self, node):
        if node.id != "x":
            raise ValueError(f"Only x is a name, not {node.id}.")
        return self.value

    def _Constant(self, node):
        return _part(self.value, node.value) if isinstance(node.value, str) else node.value

    def _Subscript(self, node):
        whole = self.visit(node.value)
        if isinstance(node.slice, ast.Slice):
            low, high = (float(bound.value) if bound else None for bound in (node.slice.lower, node.slice.upper))
            return _nested(whole, lambda part: _range(part, low, high))
        return _nested(whole, lambda part: _part(part, ast.literal_eval(node.slice)))

    def _UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            found = self._condition(node.operand)
            return Judgement(None if found.holds is None else not found.holds, found.decides)
        return _combine(operator.sub, 0, self.visit(node.operand))

    def _BinOp(self, node):
        return _combine(ARITHMETIC[type(node.op)], self.visit(node.left), self.visit(node.right))

    def _BoolOp(self, node):
        parts = [self._condition(part) for part in node.values]
        return (Judgement.all if isinstance(node.op, ast.And) else Judgement.any)(parts)

    def _Compare(self, node):
        return Judgement.all(self._compared(node))

    def _Call(self, node):
        name = node.func.id
        if name == "some":
            return Judgement.any(self._compared(node.args[0]))
        if name == "count":
            return sum(one.holds is True for one in self._compared(node.args[0]))
        if name == "each":
            *of, pattern = node.args
            return _each(self.visit(of[0]) if of else self.value, pattern.value)
        if name == "but":
            whole, left_out = self.visit(node.args[0]), {str(part.value) for part in node.args[1:]}
            return {key: part for key, part in _items(whole).items() if key not in left_out}
        return FUNCTIONS[name](*(self.visit(part) for part in node.args))

    def _condition(self, node):
        result = self.visit(node)
        return result if isinstance(result, Judgement) else _truth(result, _words(node))

    def _compared(self, node):
        """Every comparison of a chain, element by element."""
        if not isinstance(node, ast.Compare):
            return [self._condition(node)]
        sides = [node.left, *node.comparators]
        values = [self.visit(side) for side in sides]
        found = []
        for i, relation in enumerate(node.ops):
            sign, place, bound = type(relation), i, i + 1
            if isinstance(sides[i], ast.Constant) and not isinstance(sides[i].value, str):
                sign, place, bound = MIRRORED[sign], i + 1, i  # 0.1 < x is about x, too
            found += _comparisons(values[place], values[bound], RELATIONS[sign], _words(sides[place]))
        return found


def _part(whole, key):
    """A part of a value by its name, number or place."""
    if isinstance(whole, dict):
        found = {str(name): part for name, part in whole.items()}
        if str(key) in found:
            return found[str(key)]
    elif isinstance(whole, list | tuple | np.ndarray) and isinstance(key, int) and -len(whole) <= key < len(whole):
        return whole[key]
    raise Unjudgeable(f"no {key!r}")


def _range(whole, low, high):
    """Parts whose numeric key is in a range that counts both ends; places, for a list."""
    found = {
        name: part
        for name, part in _items(whole).items()
        if _number(name) is not None
        and (low is None or _number(name) >= low)
        and (high is None or _number(name) <= high)
    }
    if not found:
        raise Unjudgeable(f"nothing between {low} and {high}")
    return found


def _number(name):
    try:
        return float(name)
    except ValueError:
        return None


class _Names(dict):
    """Parts chosen by `each`: what follows is done to every one."""


def _each(whole, pattern):
    """Parts whose whole name a pattern describes, by its groups."""
    found = _Names()
    for name, part in _items(whole).items():
        if match := re.fullmatch(pattern, name):
            found[", ".join(match.groups()) or name] = part
    if not found:
        raise Unjudgeable(f"no name is like {pattern!r}")
    return found


def _nested(whole, choose):
    return _Names({name: choose(part) for name, part in whole.items()}) if isinstance(whole, _Names) else choose(whole)


def _items(whole):
    """The parts of an object or a list by name."""
    if isinstance(whole, dict):
        return {str(name): part for name, part in whole.items()}
    if isinstance(whole, list | tuple) or (isinstance(whole, np.ndarray) and whole.ndim):
        return {str(place): part for place, part in enumerate(whole)}
    raise Unjudgeable("a number has no parts")


def _leaves(whole, before=""):
    """All numbers of a value by name, each with its seeds as an array."""
    if isinstance(whole, Sample):
        return {before: whole.values if len(whole.values) > 1 else whole.values[0]}
    if whole is None:
        return {before: np.array(np.nan)}
    if isinstance(whole, str):
        raise Unjudgeable(f"{whole!r} is no number")
    if isinstance(whole, bool | int | float | np.number | np.bool_) or (
        isinstance(whole, np.ndarray) and not whole.ndim
    ):
        return {before: np.array(float(whole))}
    leaves = {}
    for name, part in _items(whole).items():
        leaves |= _leaves(part, f"{before}, {name}" if before else name)
    return leaves


def _pairs(left, right):
    """Numbers of two values that belong together: by name, or all with the only one."""
    left, right = _leaves(left), _leaves(right)
    if set(left) == set(right):
        return {name: (left[name], right[name]) for name in left}
    if len(right) == 1:
        return {name: (each, *right.values()) for name, each in left.items()}
    if len(left) == 1:
        return {name: (*left.values(), each) for name, each in right.items()}
    if common := [name for name in left if name in right]:
        return {name: (left[name], right[name]) for name in common}
    raise Unjudgeable(f"{sorted(left)} and {sorted(right)} have nothing in common")


def _paired(left, right):
    """Seeds that both have; a number without seeds goes with each."""
    return common(left, right) if np.ndim(left) and np.ndim(right) else (left, right)


def _combine(operation, left, right):
    with np.errstate(divide="ignore", invalid="ignore"):
        made = {name: Sample(np.atleast_1d(operation(*_paired(*pair)))) for name, pair in _pairs(left, right).items()}
    return made[""] if set(made) == {""} else made


def _comparisons(left, right, relation, what):
    """A judgement for every pair of numbers."""
    found = []
    for name, pair in _pairs(left, right).items():
        a, b = _paired(*pair)
        found.append(
            _compare(a, b, relation, ", ".join(filter(None, (what.strip("'\"") if what != "x" else "", name))))
        )
    return found


def _compare(a, b, relation, what):
    """One comparison; equality is asked of every seed, an order of the interval of the difference."""
    sign, holds = relation
    gap, half = interval(a - b)
    sure = [bool(holds(edge, 0)) for edge in (gap - half, gap + half)]
    verdict = bool(np.all(holds(a, b))) if sign == "==" else sure[0] if sure[0] == sure[1] else None
    value, spread = interval(a)
    bound, _ = interval(b)
    distance = abs(gap) / max(abs(value), abs(bound), 1e-12)
    margin = -np.inf if np.isnan(gap) else -distance if verdict is False else distance
    return Judgement(verdict, Comparison(what, value, spread, sign, bound, verdict, float(margin)))


def _words(node):
    """A side of a comparison in words; what `each` has chosen is named by its groups, which follow."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.Subscript):
        parts = [_words(node.value)]
        if not isinstance(node.slice, ast.Slice):
            parts.append(str(ast.literal_eval(node.slice)))
        return ", ".join(part for part in parts if part and (part != "x" or len(parts) == 1))
    if isinstance(node, ast.Call) and node.func.id in ("each", "but"):
        return ""
    if isinstance(node, ast.Call) and node.func.id == "abs":
        return f"|{_words(node.args[0])}|"
    if isinstance(node, ast.Call):
        return f"{node.func.id} of {', '.join(filter(None, map(_words, node.args))) or 'all'}"
    if isinstance(node, ast.BinOp):
        sign = ast.unparse(ast.BinOp(ast.Name("a"), node.op, ast.Name("b")))[2]
        return f"{_words(node.left) or 'x'} {sign} {_words(node.right) or 'x'}"
    return ast.unparse(node)


def _truth(value, what):
    """Yes or no as a judgement: every one must be yes."""
    return Judgement.all(
        _compare(seeds, np.array(1.0), RELATIONS[ast.Eq], ", ".join(filter(None, (what, name))))
        for name, seeds in _leaves(value).items()
    )


def _aligned(values):
    """Numbers of a value as a matrix: one row each, one column a seed."""
    rows = [np.atleast_1d(row) for leaves in values for row in _leaves(leaves).values()]
    count = min((len(row) for row in rows if len(row) > 1), default=1)
    return np.array([row[:count] if len(row) > 1 else np.full(count, row[0]) for row in rows])


def _over(function):
    return lambda *values: Sample(function(_aligned(values)))


def _on(function):
    def done(value):
        made = {name: Sample(np.atleast_1d(function(seeds))) for name, seeds in _leaves(value).items()}
        return made[""] if set(made) == {""} else made

    return done


def _rank(value):
    """Rank correlation of numbers and their keys, by seed."""
    keys = [_number(name) for name in _leaves(value)]
    return Sample([spearman(keys, column) for column in _aligned([value]).T])


def _ends(choose):
    def end(value):
        items = _items(value)
        return items[choose(items, key=_number)]

    return end


def _monotone(sign):
    def follows(value, slack=0):
        leaves = list(_leaves(value).items())
        slack = float(slack)
        return Judgement.all(
            _compare(*_paired(a, b + (slack if sign == "<" else -slack)), _BY_SIGN[sign], f"{one} to {other}")
            for (one, a), (other, b) in pairwise(leaves)
        )

    return follows


_BY_SIGN = dict(RELATIONS.values())
_BY_SIGN = {sign: (sign, function) for sign, function in _BY_SIGN.items()}
FUNCTIONS = {
    "min": _over(lambda rows: rows.min(axis=0)),
    "max": _over(lambda rows: rows.max(axis=0)),
    "mean": _over(lambda rows: rows.mean(axis=0)),
    "sum": _over(lambda rows: rows.sum(axis=0)),
    "spread": _over(lambda rows: np.ptp(rows, axis=0)),
    "abs": _on(np.abs),
    "log": _on(np.log),
    "rank": _rank,
    "first": _ends(min),
    "last": _ends(max),
    "rising": _monotone("<"),
    "falling": _monotone(">"),
    "some": None,
    "count": None,
    "each": None,
    "but": None,
}
