"""The numbers of a claim's value: its parts by name, by numeric key or by pattern, and every number with its seeds."""

import re

import numpy as np

from .study import Sample, common


class Unjudgeable(LookupError):
    """The value lacks a number that the formula needs."""


def part_of(whole, key):
    """A part of a value by its name, number or place."""
    if isinstance(whole, dict):
        found = {str(name): part for name, part in whole.items()}
        if str(key) in found:
            return found[str(key)]
    elif isinstance(whole, list | tuple | np.ndarray) and isinstance(key, int) and -len(whole) <= key < len(whole):
        return whole[key]
    raise Unjudgeable(f"no {key!r}")


def within(whole, low, high):
    """Parts whose numeric key is in a range that counts both ends; places, for a list."""
    found = {
        name: part
        for name, part in items_of(whole).items()
        if key_number(name) is not None
        and (low is None or key_number(name) >= low)
        and (high is None or key_number(name) <= high)
    }
    if not found:
        raise Unjudgeable(f"nothing between {low} and {high}")
    return found


def key_number(name):
    """A name as the number that it is, or None."""
    try:
        return float(name)
    except ValueError:
        return None


class Names(dict):
    """Parts chosen by `each`: what follows is done to every one."""


def each(whole, pattern):
    """Parts whose whole name matches a pattern, by its groups, which no two may share."""
    found = Names()
    for name, part in items_of(whole).items():
        if match := re.fullmatch(pattern, name):
            groups = ", ".join(match.groups()) or name
            if groups in found:
                raise Unjudgeable(f"two names are {groups!r} by {pattern!r}")
            found[groups] = part
    if not found:
        raise Unjudgeable(f"no name is like {pattern!r}")
    return found


def nested(whole, choose):
    """A choice from a value, or from every part that `each` has chosen."""
    return Names({name: choose(part) for name, part in whole.items()}) if isinstance(whole, Names) else choose(whole)


def items_of(whole):
    """The parts of an object or a list by name."""
    if isinstance(whole, dict):
        return {str(name): part for name, part in whole.items()}
    if isinstance(whole, list | tuple) or (isinstance(whole, np.ndarray) and whole.ndim):
        return {str(place): part for place, part in enumerate(whole)}
    raise Unjudgeable("a number has no parts")


def leaves(whole, before=""):
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
    found = {}
    for name, part in items_of(whole).items():
        found |= leaves(part, f"{before}, {name}" if before else name)
    return found


def pairs(left, right):
    """Numbers of two values that belong together: by name, or all with the only one.

    Unjudgeable if one has a name that the other lacks: none is left out silently.
    """
    left, right = leaves(left), leaves(right)
    if set(left) == set(right):
        return {name: (left[name], right[name]) for name in left}
    if len(right) == 1:
        return {name: (one, *right.values()) for name, one in left.items()}
    if len(left) == 1:
        return {name: (*left.values(), one) for name, one in right.items()}
    raise Unjudgeable(f"{sorted(set(left) ^ set(right))} are on one side only")


def paired(left, right):
    """Seeds that both have; a number without seeds goes with each."""
    return common(left, right) if np.ndim(left) and np.ndim(right) else (left, right)


def combine(operation, left, right):
    """A sum, difference, product or quotient of numbers that belong together."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return sampled({name: operation(*paired(*pair)) for name, pair in pairs(left, right).items()})


def sampled(numbers):
    """Numbers by name, each with its seeds, as a value again; a single number without a name is the value itself."""
    made = {name: Sample(np.atleast_1d(seeds)) for name, seeds in numbers.items()}
    return made[""] if set(made) == {""} else made


def aligned(values):
    """Numbers of a value as a matrix: one row each, one column a seed."""
    rows = [np.atleast_1d(row) for value in values for row in leaves(value).values()]
    count = min((len(row) for row in rows if len(row) > 1), default=1)
    return np.array([row[:count] if len(row) > 1 else np.full(count, row[0]) for row in rows])
