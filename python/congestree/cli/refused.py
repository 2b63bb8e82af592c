"""What is refused of a command line before it is read: names that are not UTF-8, and an --out without a name."""

import os
import sys

from . import console


def refuse_words(words):
    """Exit with 2 if a word cannot be an argument."""
    for word in words:
        if not _is_text(word):
            shown = os.fsencode(word).decode(errors="replace")
            _refuse(f"{shown} is not UTF-8, as names of files and all other arguments must be: rename it.")
    for word, value in zip(words, [*words[1:], None], strict=True):
        # As of --out "$UNSET": an empty path is the current folder, which nobody has named.
        if word == "--out=" or (word in ("--out", "-o") and value == ""):
            _refuse("--out is empty: name what is to be written, or leave it out. The current folder is --out .")


def _is_text(word):
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse(sentence):
    console.say_error(sentence)
    sys.exit(2)
