"""Arguments of Python functions that the engine would refuse with an error of the language."""

import operator

from ..errors import AskedError


def count(what, number):
    """A number of threads or workers (`what`) that is at least 1, as an int. Raises AskedError if it is none."""
    try:
        found = operator.index(number)
    except TypeError:
        found = None
    if found is None or isinstance(number, bool):
        raise AskedError(f"{what} is {number!r:.40}: give a whole number such as 4, or leave it out.")
    if found < 1:
        raise AskedError(f"{found} {what} are too few: at least 1 is needed.")
    return found
