"""Older names, which work for one release: their current names, and a warning to the code that uses them.

The engine has the list (crates/scenario/src/renamed.rs) and renews the text of scenarios itself; `_renamed.py` is made
from it. This module covers the part of Python: dotted paths of values, scenarios as dicts, result tables and their
columns, and the hash of a scenario, which is still computed from the names that it was first computed from.
"""

import functools
import sys
import warnings
from typing import NamedTuple

from ._renamed import RENAMED


class Renamed(NamedTuple):
    """A name that has changed, as the engine's list has it."""

    what: str
    place: str
    old: str
    new: str
    gone_in: str


LIST = tuple(map(Renamed._make, RENAMED))
SCENARIO = tuple(one for one in LIST if one.what in ("key", "word"))
TABLES = {one.old: one for one in LIST if one.what == "table"}
ROWS = {one.old: one for one in LIST if one.what == "row"}
COLUMNS = {}
"""By table, and then by older name."""
for _one in LIST:
    if _one.what == "column":
        COLUMNS.setdefault(_one.place, {})[_one.old] = _one


FACTS = {}
"""By function, and then by older name."""
for _one in LIST:
    if _one.what == "fact":
        FACTS.setdefault(_one.place, {})[_one.old] = _one


class OlderName(FutureWarning):
    """A name that a later release will not accept any more."""


def notice(text, kind=OlderName):
    """Warn about an older name (or give a warning of another kind) at the line outside this package that caused it."""
    frame, level = sys._getframe(1), 2
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "congestree":
        frame, level = frame.f_back, level + 1
    warnings.warn(text, kind, level)


def _say(one, old, new):
    notice(f"{old} is an older name: write {new}, as the older one goes in release {one.gone_in}")


def notice_text(text, form, name):
    """Warn about older names in the text of a scenario."""
    from . import _engine

    for said in _engine.notices(text, form, name):
        notice(said)


def path(dotted):
    """A dotted path of a scenario in current names; warns if the path was an older one."""
    for one in SCENARIO:
        head, new = f"{one.place}.{one.old}", f"{one.place}.{one.new}"
        if dotted == head or dotted.startswith(head + "."):
            _say(one, head, new)
            dotted = new + dotted[len(head) :]
    return dotted


def renewed(scenario):
    """The scenario (a dict) in current names. It is changed itself: it may have a million messages."""
    for one in SCENARIO:
        _renew(scenario, one)
    return scenario


def first_named(scenario):
    """A copy of a scenario (a dict) in its oldest names."""
    scenario = _copy(scenario)
    for one in reversed(SCENARIO):
        _undo(scenario, one)
    return scenario


def _copy(value):
    if isinstance(value, dict):
        return {k: _copy(v) for k, v in value.items()}
    return [_copy(v) for v in value] if isinstance(value, (list, tuple)) else value


def _places(value, way):
    """All (container, key) at the end of a path; `*` is any entry of a list."""
    step, *rest = way
    if step == "*":
        found = [(value, i) for i in range(len(value))] if isinstance(value, list) else []
    else:
        found = [(value, step)] if isinstance(value, dict) and step in value else []
    return [place for container, key in found for place in _places(container[key], rest)] if rest else found


def _renew(scenario, one):
    for container, key in _places(scenario, one.place.split(".")):
        table, (new, *inner) = container[key], one.new.split(".")
        if one.what == "word":
            container[key] = _word(table, one.old, new)
        elif isinstance(table, dict) and table.get(one.old) is not None and table.get(new) is None:
            value = table.pop(one.old)
            for name in reversed(inner):
                value = {name: value}
            table[new] = value


def _undo(scenario, one):
    for container, key in _places(scenario, one.place.split(".")):
        table, names = container[key], one.new.split(".")
        if one.what == "word":
            container[key] = _word(table, one.new, one.old)
            continue
        value = table
        for name in names:  # a bare word is a table without keys
            value = {} if value == name else value.get(name) if isinstance(value, dict) else None
        if value is not None:
            del table[names[0]]
            table[one.old] = value


def _word(value, word, other):
    if value == word:
        return other
    return {other: value[word]} if isinstance(value, dict) and list(value) == [word] else value


def table(name):
    """The current name of a result table; warns if the name was an older one."""
    if (one := TABLES.get(name)) is None:
        return name
    _say(one, name, one.new)
    return one.new


def row(name):
    """The current name of a row of `summary`; warns if the name was an older one."""
    if (one := ROWS.get(name)) is None:
        return name
    _say(one, name, one.new)
    return one.new


def column(table, name):
    """The current name of a column; warns if the name was an older one."""
    if not isinstance(name, str) or (one := COLUMNS.get(table, {}).get(name)) is None:
        return name
    _say(one, f"{table}.{name}", f"{table}.{one.new}")
    return one.new


class Facts(dict):
    """What a function returns: facts by name, also found by their older names, with a notice."""

    def __init__(self, function, facts):
        super().__init__(facts)
        self._older = FACTS.get(function, {})

    def __missing__(self, name):
        if (one := self._older.get(name)) is None:
            raise KeyError(name)
        _say(one, f'{one.place}(...)["{name}"]', f'{one.place}(...)["{one.new}"]')
        return self[one.new]

    def get(self, name, default=None):
        """A fact, or `default` if there is none of this name."""
        return self[name] if name in self or name in self._older else default


def stored(table, columns, there):
    """These columns as a stored table calls them that has the columns `there`."""
    older = {one.new: old for old, one in COLUMNS.get(table, {}).items() if one.new not in there}
    return columns and [older.get(name, name) for name in columns]


def arrow(table, found):
    """A stored table, or a part of it, in current names."""
    older, names = COLUMNS.get(table, {}), found.schema.names
    if not older.keys().isdisjoint(names):
        found = found.rename_columns([older[name].new if name in older else name for name in names])
    if table == "summary" and "name" in names:
        rows = found.column("name").to_pylist()
        if not ROWS.keys().isdisjoint(rows):
            import pyarrow as pa

            at = names.index("name")
            rows = pa.array([ROWS[row].new if row in ROWS else row for row in rows], pa.string())
            found = found.set_column(at, found.schema.field(at), rows)
    return found


def in_pandas(table, found):
    """A pandas frame that finds its columns by their older names, too, with a notice."""
    return _pandas_frames(table)(found) if table in COLUMNS else found


@functools.cache
def _pandas_frames(table):
    import pandas

    class Frame(pandas.DataFrame):
        """A frame some of whose columns had other names; frames derived from it use the current ones."""

        @property
        def _constructor(self):
            return pandas.DataFrame

        def __getitem__(self, key):
            if isinstance(key, list):
                return super().__getitem__([column(table, one) for one in key])
            return super().__getitem__(column(table, key))

        def __getattr__(self, name):
            return super().__getattr__(column(table, name))

    Frame.__name__ = Frame.__qualname__ = "DataFrame"
    return Frame


def frame(table, found):
    """A polars frame that finds its columns by their older names, too, with a notice."""
    return _frames(table)._from_pydf(found._df) if table in COLUMNS else found


@functools.cache
def _frames(table):
    import polars

    class Frame(polars.DataFrame):
        """A frame some of whose columns had other names."""

        def __getitem__(self, key):
            if isinstance(key, (list, tuple)):
                return super().__getitem__(type(key)(column(table, one) for one in key))
            return super().__getitem__(column(table, key))

        def get_column(self, name, **options):
            return super().get_column(column(table, name), **options)

    Frame.__name__ = Frame.__qualname__ = "DataFrame"
    return Frame
