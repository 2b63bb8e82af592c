"""What is accepted, as data: a formula over the numbers of a claim's value, judged on intervals.

    0.13 <= x <= 0.18                            x: the value, or all numbers of it; every one must be in the range
    'root'[4] >= 0.85 and 'root'[6:] >= 0.95     parts by name; numeric keys from 6 on, both ends of a range counting
    'lipd'[3:] > 'fimd'[3:]                      key by key
    each('set (.*), hot') > 2                    all names that match a pattern; its groups distinguish them
    rising(x) and some(each('local (.*)') > 0)   in the order of the keys; at least one

Functions: min max mean sum abs log spread rank first last count each but; conditions: rising falling
some.

A number that was measured with several seeds has an interval: Student's, of 95 per cent, of the difference that is
compared (by seed, so that the common part of two runs cancels). A comparison holds if the whole interval is on the
right side, fails if all of it is on the other side, and is undecided otherwise.
"""

import ast
import operator
from itertools import pairwise

import numpy as np

from .comparison import Judgement, compare, comparisons, truth
from .parts import (
    Unjudgeable,
    aligned,
    combine,
    each,
    items_of,
    key_number,
    leaves,
    nested,
    paired,
    part_of,
    sampled,
    within,
)
from .study import Sample, spearman

SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "=="}
MIRRORED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.Eq}
ARITHMETIC = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def judge(formula, value):
    """The judgement of a value by a formula; it does not hold if a number that could decide is missing (nan)."""
    found = _Evaluation(value)._condition(parsed(formula).body)
    return Judgement(False, found.decides) if found.unknown else found


def number(formula, value):
    """The number that a formula without a comparison has for a value, with its seeds; Unjudgeable if it is several."""
    found = leaves(_Evaluation(value).visit(parsed(formula).body))
    if set(found) != {""}:
        raise Unjudgeable(f"{formula} has {len(found)} numbers")
    return sampled(found)


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


_ALLOWED = (
    *(ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.Compare, ast.BinOp),
    *(ast.Constant, ast.Name, ast.Load, ast.Subscript, ast.Slice, ast.Call, *SIGNS, *ARITHMETIC),
)


class _Evaluation:
    """Visits a formula. What is not a judgement is a number with its seeds, or a set of names with such numbers."""

    def __init__(self, value):
        self.value = value

    def visit(self, node):
        return getattr(self, f"_{type(node).__name__}")(node)

    def _Name(self, node):
        if node.id != "x":
            raise ValueError(f"Only x is a name, not {node.id}.")
        return self.value

    def _Constant(self, node):
        return part_of(self.value, node.value) if isinstance(node.value, str) else node.value

    def _Subscript(self, node):
        whole = self.visit(node.value)
        if isinstance(node.slice, ast.Slice):
            low, high = (float(bound.value) if bound else None for bound in (node.slice.lower, node.slice.upper))
            return nested(whole, lambda part: within(part, low, high))
        return nested(whole, lambda part: part_of(part, ast.literal_eval(node.slice)))

    def _UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            found = self._condition(node.operand)
            return Judgement(None if found.holds is None else not found.holds, found.decides)
        return combine(operator.sub, 0, self.visit(node.operand))

    def _BinOp(self, node):
        return combine(ARITHMETIC[type(node.op)], self.visit(node.left), self.visit(node.right))

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
            found = self._compared(node.args[0])
            return np.nan if any(one.unknown for one in found) else sum(one.holds is True for one in found)
        if name == "each":
            *of, pattern = node.args
            return each(self.visit(of[0]) if of else self.value, pattern.value)
        if name == "but":
            whole, left_out = self.visit(node.args[0]), {str(part.value) for part in node.args[1:]}
            return {key: part for key, part in items_of(whole).items() if key not in left_out}
        return FUNCTIONS[name](*(self.visit(part) for part in node.args))

    def _condition(self, node):
        result = self.visit(node)
        return result if isinstance(result, Judgement) else truth(result, _words(node))

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
            found += comparisons(values[place], values[bound], SIGNS[sign], _words(sides[place]))
        return found


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


def _over(function):
    return lambda *values: Sample(function(aligned(values)))


def _on(function):
    return lambda value: sampled({name: function(seeds) for name, seeds in leaves(value).items()})


def _rank(value):
    """Rank correlation of numbers and their keys, by seed."""
    keys = [key_number(name) for name in leaves(value)]
    return Sample([spearman(keys, column) for column in aligned([value]).T])


def _ends(choose):
    def end(value):
        items = items_of(value)
        return items[choose(items, key=key_number)]

    return end


def _monotone(sign):
    def follows(value, slack=0):
        slack = float(slack)
        return Judgement.all(
            compare(*paired(a, b + (slack if sign == "<" else -slack)), sign, f"{one} to {other}")
            for (one, a), (other, b) in pairwise(leaves(value).items())
        )

    return follows


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
