"""Scenario documents as text and as plain dicts: reading, writing, and changing one value by its path.

This module does not know what a scenario means; the engine checks that.
"""

import contextlib
import json
import math
import os
import re
import tomllib
from pathlib import Path

from . import reading
from .errors import AskedError, there_are

FORMS = ("toml", "json")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SINGLE = (str, int, float, bool, type(None))
_BARE_LIST = re.compile(r"\s*\[([^\[\]{}\"'=\n]*)\]\s*")


def read_text(path):
    """The text of a scenario file and its format ("toml" or "json")."""
    return reading.read_text(path), format_of(path)


def format_of(path):
    """The format of a file, by its name: JSON if it ends in .json, else TOML."""
    return "json" if Path(path).suffix.lower() == ".json" else "toml"


def parse(text, form, name="the scenario"):
    """A document as a dict."""
    try:
        document = json.loads(text) if form == "json" else tomllib.loads(text)
    except RecursionError:
        raise AskedError(f"{name} cannot be read: its tables and lists are nested too deeply.") from None
    except ValueError as error:  # malformed, or a number of thousands of digits
        raise AskedError(f"{name} is not valid {form.upper()}: {error}.") from None
    if not isinstance(document, dict):
        raise AskedError(f"{name} must be a table of keys and values.")
    return document


def set_value(document, path, value):
    """A copy of the document with the value at a dotted path ("traffic.0.message", or "traffic.NAME.message") replaced
    or added.

    A choice written as a bare word on the way (`react = "lipd"`) becomes a table when the
    path goes on with that word ("scheme.react.lipd.floor").
    """
    document = plain(document, absent=True)
    keys = path.split(".")
    place = document
    for depth, key in enumerate(keys[:-1]):
        index = _index(place, key, path)
        here = place[index] if isinstance(place, list) else place.get(index)
        if isinstance(here, str) and here == keys[depth + 1]:
            here = place[index] = {here: {}}
        elif not isinstance(here, (dict, list, tuple)):
            here = place[index] = {}
        place = here
    place[_index(place, keys[-1], path)] = plain(value, absent=True)
    return document


def plain(value, *, absent=False):
    """A copy of a value as documents have it, in dicts, lists, texts and numbers, whatever library it is from.

    absent: whether it has what is None in a table, and so is absent. What no document can hold is as it was: who writes
    the document refuses it. Raises AskedError if the value contains itself.
    """
    if type(value) in _SINGLE:
        return value
    with _refusing(value):
        return _copied(value, absent)


def _copied(value, absent):
    if type(value) in _SINGLE:
        return value
    if isinstance(value, dict):
        return {key: _copied(below, absent) for key, below in value.items() if absent or below is not None}
    if isinstance(value, (list, tuple)):
        return [_copied(below, absent) for below in value]
    if isinstance(value, (str, int, float)) and not hasattr(value, "tolist"):  # as those of NumPy have
        return value
    found = _converted(value)
    return found if found is value or isinstance(found, dict) else _copied(found, absent)


def value_at(document, path):
    """The value at a dotted path of a document, which has one there."""
    for key in path.split("."):
        document = document[_index(document, key, path)]
    return document


def chosen(choice):
    """The name of what a document chooses, and its settings, empty for a bare word.

    >>> chosen({"red": {"max": "1 MB"}}), chosen("none")
    (('red', {'max': '1 MB'}), ('none', {}))
    """
    return (choice, {}) if isinstance(choice, str) else next(iter(choice.items()))


def get(document, path):
    """The value at a dotted path of nested dicts, or None."""
    for key in path.split("."):
        if not isinstance(document, dict) or key not in document:
            return None
        document = document[key]
    return document


def without(document, path):
    """A copy of nested dicts without what is at a dotted path; the same if nothing is."""
    key, _, rest = path.partition(".")
    if not isinstance(document, dict) or key not in document:
        return document
    if rest:
        return {**document, key: without(document[key], rest)}
    return {other: value for other, value in document.items() if other != key}


def _index(place, key, path):
    """The key of a table as it is, or the index of an entry of a list, which goes by its number or its name."""
    if not isinstance(place, list):
        return key
    # Python has digits that it reads as no number, such as ², and refuses to read one of thousands of digits.
    if key.isascii() and key.isdigit() and len(key) < 20 and int(key) < len(place):
        return int(key)
    names = [entry.get("name") if isinstance(entry, dict) else None for entry in place]
    if key in names:
        return names.index(key)
    told = [name for name in names if isinstance(name, str)]
    named = f", or go by their names: {there_are(key, told)}" if told else "."
    raise AskedError(f'"{path}" names entry {key} of a list of {len(place)}; entries count from 0{named}')


def numbered(document, path):
    """A dotted path in which entries of lists go by their numbers, for comparisons with other paths.

    >>> numbered({"traffic": [{"name": "crowd"}]}, "traffic.crowd.rate")
    'traffic.0.rate'
    """
    keys, place = path.split("."), document
    for at, key in enumerate(keys):
        try:
            index = _index(place, key, path)
            place = place[index]
        except (AskedError, KeyError, TypeError):  # it leads to what the document does not have, or not yet
            break
        keys[at] = str(index)
    return ".".join(keys)


def is_within(path, other):
    """Whether a dotted path is another one or leads further from there."""
    return f"{path}.".startswith(f"{other}.")


def meet(path, other):
    """Whether one of two dotted paths is the other or leads further from there."""
    return is_within(path, other) or is_within(other, path)


def read_assignment(text):
    """`path=value` from a command line: the value as TOML if it is TOML, else as a string."""
    path, equals, value = text.partition("=")
    path, value = path.strip(), value.strip()
    if not equals or not path:
        raise AskedError(f'"{text}" should be PATH=VALUE, such as links.rate="10 Gbit/s".')
    return path, read_value(value)


def read_value(text):
    """A value from a command line: TOML if it is TOML, else a string, or a list of strings without quotation marks.

    A shell takes the marks away: of --set measure.probes=["trees"] the command gets [trees].

    >>> read_value("2"), read_value("8 Gbit/s"), read_value("[none, naive]"), read_value("[50 kB, 3]")
    (2, '8 Gbit/s', ['none', 'naive'], ['50 kB', 3])
    """
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        pass
    listed = _BARE_LIST.fullmatch(text)
    words = [word.strip() for word in listed[1].split(",")] if listed else []
    return [read_value(word) for word in words] if all(words) and words else text


def to_toml(document):
    """A document as TOML: plain values first, then one section for each table. What is None is absent, and left out.

    Raises AskedError with the path of a number that is not finite, which TOML has and scenarios have not.
    """
    lines = []
    with _refusing(document):
        _write_table(document, (), lines)
    return "\n".join(lines).strip() + "\n"


def _write_table(table, path, lines):
    table = {key: value for key, value in table.items() if value is not None}
    plain = {k: v for k, v in table.items() if not _is_section(v)}
    for key, value in plain.items():
        lines.append(f"{_key(key)} = {_value(value)}")
    for key, value in table.items():
        if not _is_section(value):
            continue
        here = (*path, key)
        for entry in value if isinstance(value, list) else [value]:
            if isinstance(value, list) or not entry or any(not _is_section(v) for v in entry.values()):
                brackets = "[[{}]]" if isinstance(value, list) else "[{}]"
                lines += ["", brackets.format(".".join(map(_key, here)))]
            _write_table(entry, here, lines)


def _is_section(value):
    if isinstance(value, dict):
        return True
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value)


def _key(key):
    return key if _BARE_KEY.fullmatch(key) else quoted(key)


def quoted(text):
    """A text as a basic string of TOML: that of JSON, but TOML has no halves of a character and no bare U+007F."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items() if v is not None) + "}"
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("not finite")
    if isinstance(value, (int, float)):
        return repr(int(value) if isinstance(value, int) else float(value))
    return _value(_plain(value))


def to_json(document, *, ascii=True):
    """A document as JSON, whatever library its numbers are from; ascii: whether other characters are written as \\u...

    Raises AskedError with the path of a number that is not finite.
    """
    with _refusing(document):
        return json.dumps(document, default=_plain, allow_nan=False, ensure_ascii=ascii)


@contextlib.contextmanager
def _refusing(document):
    """What of a document cannot be written, as a sentence."""
    try:
        yield
    except RecursionError:
        raise AskedError("A scenario has a few tables within each other; this one has more than can be read.") from None
    except ValueError as error:
        if "Circular" in str(error):
            raise AskedError("A table of the scenario contains itself.") from None
        for path, value in _numbers(document):
            if not math.isfinite(value):
                raise AskedError(f"{path} is {value}: a number of a scenario is a finite one.") from None
        raise


def _numbers(value, path=""):
    """Every floating-point number of a document with its path."""
    if isinstance(value, float):
        yield path, value
    elif isinstance(value, dict):
        for key, below in value.items():
            yield from _numbers(below, f"{path}.{key}" if path else str(key))
    elif isinstance(value, (list, tuple)):
        for number, below in enumerate(value):
            yield from _numbers(below, f"{path}.{number}")
    elif not isinstance(value, (str, int, type(None))):
        yield from _numbers(_plain(value), path)


def _plain(value):
    """What is no table, list, text or number, as documents have it. Raises AskedError if they have nothing like it."""
    if (found := _converted(value)) is not value:
        return found
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    raise AskedError(
        f"A scenario cannot hold {str(value)!r:.60} ({kind}): give a text, a number, true or false, a list or a table."
    )


def _converted(value):
    """A part of a scenario, a number or column of another library, or a path, as documents have them; else itself."""
    if hasattr(type(value), "_choice"):  # a `Part`, whose module imports this one
        return value.to_dict()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    for name in ("tolist", "to_list"):  # NumPy and pandas; polars
        if convert := getattr(value, name, None):
            return convert()
    return value
