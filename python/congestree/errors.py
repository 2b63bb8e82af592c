"""Errors that are the user's to mend: whole sentences, shown without a traceback by the CLI."""

import difflib
import re

from ._engine import ScenarioError


class CongestreeError(Exception):
    """Something outside the scenario went wrong: a file, a folder, a name, an interruption."""

    exit_code = 1  # of the command line


class AskedError(CongestreeError):
    """A requested thing does not exist or is not valid."""

    exit_code = 2


class Note(UserWarning):
    """Something works, and may not be what was meant. The command line prints it as a note."""


def nearest(word, known, cutoff=0.6):
    """The known name that is most similar to a word, or None."""
    by_lower = {name.lower(): name for name in known}
    found = difflib.get_close_matches(word[:80].lower(), by_lower, 1, cutoff)
    return by_lower[found[0]] if found else None


def there_are(word, known):
    """The remedy for an unknown name: the one that is probably meant, or a list of all."""
    near = nearest(str(word), known)
    return f'did you mean "{near}"?' if near else f"there are: {', '.join(known) or 'none'}."


def visible(text):
    """Control characters, and those that turn the direction of writing, as signs that can be seen."""
    return re.sub(
        "[\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff]",
        lambda found: chr(0x2400 + ord(found[0])) if ord(found[0]) < 0x20 else f"\\u{ord(found[0]):04x}",
        str(text),
    )


__all__ = ["AskedError", "CongestreeError", "Note", "ScenarioError", "nearest", "there_are", "visible"]
