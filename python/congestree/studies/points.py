"""Points of a sweep in words and in cells: short labels, path ends that tell them apart, swept values in columns, and
their order."""

import json

LONG = 40
"""Characters of a value that has room in a table, a legend or on an axis."""


def label(values):
    """A point in words: "seed 2, load 0.8"."""
    return ", ".join(f"{end} {cell(value)}" for end, value in zip(ends(values), values.values(), strict=True))


def ends(paths):
    """The shortest end of each path that distinguishes it from the others: ["seed", "0.load", "1.load"]."""
    shortest = []
    for path in paths:
        parts = path.split(".")
        found = (".".join(parts[-n:]) for n in range(1, len(parts) + 1))
        alone = (end for end in found if sum(f".{other}".endswith(f".{end}") for other in paths) == 1)
        shortest.append(next(alone, path))
    return shortest


def shortened(values):
    """Of the values of an axis, as cells, those that people are told in other words: {value: what is told}.

    A table that only names parts is told as their names: {"preset": "none"} is "none". If values are long, tables are
    told by their key ("torus"), with the values that differ if several have it ("clos up=[4]"), and what is still too
    long, or the same as another, by its number in the sweep ("#2").
    """
    named = [parts_named(value) for value in values]
    told = {v: name for v, name in zip(values, named, strict=True) if name is not None and named.count(name) == 1}
    rest = [value for value in values if value not in told]
    if all(len(str(value)) <= LONG for value in rest):
        return told
    keyed = _by_key(rest)
    texts = [str(keyed.get(value) or told.get(value, value)) for value in values]
    for value in rest:
        key = keyed.get(value)
        if key is not None and len(key) <= LONG and texts.count(key) == 1:
            told[value] = key
        elif len(str(value)) > LONG:
            told[value] = f"#{values.index(value) + 1}"
    return told


def _by_key(values):
    """Tables of one key by this key, with the values that differ if several have it."""
    groups, found = {}, {}
    for value in values:
        if len(table := _table(value)) == 1:
            ((key, inner),) = table.items()
            groups.setdefault(key, {})[value] = inner if isinstance(inner, dict) else {"": inner}
    for key, tables in groups.items():
        ways = dict.fromkeys(way for inner in tables.values() for way in inner)
        differ = [way for way in ways if len({json.dumps(inner.get(way)) for inner in tables.values()}) > 1]
        for value, inner in tables.items():
            told = ", ".join(f"{way}={cell(inner[way])}".lstrip("=") for way in differ if way in inner)
            found[value] = f"{key} {told}".strip()
    return found


def _table(text):
    """A table written as JSON; an empty one if a text is none."""
    try:
        table = json.loads(text) if isinstance(text, str) and text.startswith("{") else {}
    except ValueError:
        return {}
    return table if isinstance(table, dict) else {}


def parts_named(text):
    """The names in a table of parts without settings, written as JSON: {"mark": {"red": {}}} is red; else None."""
    names = []
    for part in _table(text).values():
        if isinstance(part, dict) and list(part.values()) == [{}]:
            (part,) = part
        if not isinstance(part, str):
            return None
        names.append(part)
    return ", ".join(names) or None


def cell(value):
    """A swept value as a table cell: numbers and texts as they are, tables as JSON."""
    return value if isinstance(value, (str, int, float, bool)) else json.dumps(value)


def kind(value):
    """The kind of a column of such cells: "bool", "number" or "text"."""
    return "bool" if isinstance(value, bool) else "number" if isinstance(value, (int, float)) else "text"


def in_order(values, order):
    """Each of the values once, in this order; those that are not in it come last, in their own."""
    rank = {value: number for number, value in reversed(list(enumerate(order)))}
    return sorted(dict.fromkeys(values), key=lambda value: rank.get(value, len(order)))
