"""Arguments of Python functions, where wrong ones would end in an error of the language, or be taken for others."""

import itertools
import math
import operator
import os
from collections.abc import Mapping
from numbers import Real

from .. import document, renames
from ..errors import AskedError
from ..quantities import bits_per_second, seconds
from ..quantities import size as size_of


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


def refuse_in_vain(written, values, axes, what):
    """Raise AskedError if a value is set for all runs that `axes`, paths that differ between them, would replace.

    written: the scenario as written, in which an entry of a list goes by its number or its name. what: whose axes.
    """
    places = {axis: document.numbered(written, renames.path(axis)) for axis in axes}
    for path in values:
        place = document.numbered(written, renames.path(path))
        for axis, other in places.items():
            if document.is_within(place, other):
                raise AskedError(
                    f"{path} is set, but {what} {axis}, so that it would have no effect: leave one of them out."
                )


def path(what, given):
    """A path as a text, with the home folder in place of ~. Raises AskedError if it is none, empty, or has a NUL."""
    if not isinstance(given, (str, os.PathLike)):
        raise AskedError(f"{what} is {given!r:.40}, which is no path: give a text or a Path.")
    if given == "":  # a Path would make the current folder of it
        raise AskedError(f'{what} is empty: give a path; the current folder is ".".')
    if "\0" in os.fsdecode(given):
        raise AskedError(f"{what} is {given!r:.40}, and no path has a character NUL: leave it out.")
    found = os.path.expanduser(given)
    # Nothing is left that starts with ~ (./~, a user who is not there): Arrow and polars would look for a home again.
    return os.path.abspath(found) if os.path.normpath(found).startswith("~") else found


def text(what, given):
    """What was given to the function `what`, if it is a text. Raises AskedError otherwise."""
    if not isinstance(given, str):
        told = f"{what} takes a text, and not {type(given).__name__}"
        raise AskedError(f"{told}: give what pathlib.Path(file).read_text() returns, or what is like it.")
    return given


def function(what, given):
    """A function, or None if none is given. Raises AskedError if what was given for `what` is none."""
    if given is not None and not callable(given):
        raise AskedError(f"{what} is {given!r:.40}, which is no function: give one, or leave it out.")
    return given


def listed(names, what=""):
    """Names (ids, paths) as a list: a single one need not be in brackets. Raises AskedError if there is no name.

    what: which argument it is, if a name alone would not tell.
    """
    if isinstance(names, (str, bytes, os.PathLike, Real)):
        return [names]
    try:
        return list(names)
    except TypeError:
        fact = f"{what} is {names!r:.40}" if what else f"{names!r:.40} is no name"
        raise AskedError(f"{fact}: give one, or a list of them.") from None


def rising(edges):
    """Edges of classes of sizes in bytes, which may be texts such as "1 kB". Raises AskedError if they do not rise."""
    try:
        found = [size_of(edge) if isinstance(edge, str) else edge for edge in listed(edges)]
        rise = all(low < high for low, high in itertools.pairwise(found))
    except (TypeError, ValueError) as error:
        raise AskedError(f"edges are sizes, as texts or in bytes: {error}.") from None
    if len(found) < 2 or not rise:
        raise AskedError(f"edges are {edges!r:.60}: give at least two sizes, each larger than the one before.")
    return found


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


def truth(what, given):
    """True or False. Raises AskedError if what was given for `what` is neither."""
    if not isinstance(given, bool):
        raise AskedError(f"{what} is {given!r:.40}: give True or False.")
    return given


def number(what, given, least):
    """A finite number that is at least `least`. Raises AskedError if it is none."""
    if not (isinstance(given, Real) and least <= given < math.inf):
        raise AskedError(f"{what} is {given!r:.40}: give a number that is at least {least:g}.")
    return given


def span(what, length):
    """A length of time, in s: a text such as "1 ms", or s. Raises AskedError if it is none, or negative."""
    return _quantity(what, length, seconds, 0.0, 'a length of time such as "1 ms", or a number of s')


def rate(what, given):
    """A rate above 0, in bit/s: a text such as "1 GB/s", or bit/s. Raises AskedError if it is none."""
    return _quantity(
        what, given, bits_per_second, math.ulp(0.0), 'a rate above 0 such as "1 GB/s", or a number of bit/s'
    )


def _quantity(what, given, read, least, example):
    try:
        found = read(given)
    except (ValueError, OverflowError):
        found = math.nan
    if not least <= found < math.inf:
        raise AskedError(f"{what} is {given!r:.40}: give {example}.")
    return found


def instance(what, given, kind, remedy):
    """What was given to the function `what`, if it is of the class `kind`. Otherwise AskedError tells the remedy."""
    if not isinstance(given, kind):
        told = f"{given!r:.60}" if given is None or isinstance(given, (str, os.PathLike)) else type(given).__name__
        raise AskedError(f"{what} takes a {kind.__name__}, and not {told}: {remedy}.")
    return given
