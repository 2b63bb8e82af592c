"""What is refused before a command begins: names that are not UTF-8, and an --out without a name."""

import contextlib
import functools
import os
import sys

from . import console


def refuse_words(words):
    """Exit with 2 if a word cannot be an argument."""
    for word in words:
        if not _is_text(word):
            _refuse(f"{_shown(word)} is not UTF-8, as names of files and all other arguments must be: rename it.")
    for word, value in zip(words, [*words[1:], None], strict=True):
        # As of --out "$UNSET": an empty path is the current folder, which nobody has named.
        if word == "--out=" or (word in ("--out", "-o") and value == ""):
            _refuse("--out is empty: name what is to be written, or leave it out. The current folder is --out .")


def in_text_folder(command):
    """A command that is refused in a folder whose name is not UTF-8: libraries take paths of results as such text."""

    @functools.wraps(command)
    def wrapped(*arguments, **options):
        with contextlib.suppress(OSError):  # of a folder that has been removed
            if not _is_text(folder := os.getcwd()):
                _refuse(f"{_shown(folder)}, the current folder, is not UTF-8, as paths of results must be: rename it.")
        return command(*arguments, **options)

    return wrapped


def _shown(word):
    return os.fsencode(word).decode(errors="replace")


def _is_text(word):
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse(sentence):
    console.say_error(sentence)
    sys.exit(2)
