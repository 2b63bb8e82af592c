"""Arguments of Python functions, where wrong ones would end in an error of the language, or be taken for others."""

import itertools
import operator
import os
from collections.abc import Mapping
from numbers import Real

from .. import quantities
from ..errors import AskedError


def by_path(values, error=AskedError):
    """Values by dotted path, as a dict; None is none of them. Raises `error` if they are no such table."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise error(f"{values!r:.60} are not values by path: give them as a table, path by path.")
    for path in values:
        if not isinstance(path, str):
            raise error(f'{path!r:.60} is not the path of a value: give a text such as "links.rate".')
    return dict(values)


def path(what, given):
    """A path as a text. Raises AskedError if what was given for `what` is none."""
    if not isinstance(given, (str, os.PathLike)):
        raise AskedError(f"{what} is {given!r:.40}, which is no path: give a text or a Path.")
    return os.fspath(given)


def function(what, given):
    """A function, or None if none is given. Raises AskedError if what was given for `what` is none."""
    if given is not None and not callable(given):
        raise AskedError(f"{what} is {given!r:.40}, which is no function: give one, or leave it out.")
    return given


def listed(names):
    """Names (ids, paths) as a list: a single one need not be in brackets. Raises AskedError if there is no name."""
    if isinstance(names, (str, os.PathLike, Real)):
        return [names]
    try:
        return list(names)
    except TypeError:
        raise AskedError(f"{names!r:.40} is no name: give one, or a list of them.") from None


def rising(edges):
    """Edges of classes of sizes in bytes, which may be texts such as "1 kB". Raises AskedError if they do not rise."""
    try:
        found = [quantities.size(edge) if isinstance(edge, str) else edge for edge in listed(edges)]
        rise = all(low < high for low, high in itertools.pairwise(found))
    except (TypeError, ValueError) as error:
        raise AskedError(f"edges are sizes, as texts or in bytes: {error}.") from None
    if len(found) < 2 or not rise:
        raise AskedError(f"edges are {edges!r:.60}: give at least two sizes, each larger than the one before.")
    return found


def seconds(what, time):
    """A time (`what`) in s, which may be a text such as "2 ms". Raises AskedError if it is none."""
    try:
        return quantities.seconds(time)
    except ValueError:
        raise AskedError(f'{what} is {time!r:.40}: give a time such as "2 ms", or seconds.') from None


def count(what, number, least=1, most=None):
    """A number of threads, workers, frames (`what`) from `least` to `most`, as an int.

    Raises AskedError if it is none, or outside of them.
    """
    try:
        found = operator.index(number)
    except TypeError:
        found = None
    if found is None or isinstance(number, bool):
        raise AskedError(f"{what} is {number!r:.40}: give a whole number such as 4, or leave it out.")
    if found < least:
        raise AskedError(f"{found:,} {what} are too few: at least {least:,} {'is' if least == 1 else 'are'} needed.")
    if most is not None and found > most:
        raise AskedError(f"{found:,} {what} are too many: at most {most:,} are possible.")
    return found
