"""Points of a sweep in words and in cells: short labels, path ends that tell them apart, swept values in columns, and
their order."""

import json


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


def parts_named(text):
    """The names in a table of parts without settings, written as JSON: {"mark": {"red": {}}} is red; else None."""
    try:
        table = json.loads(text) if isinstance(text, str) and text.startswith("{") else None
    except ValueError:
        return None
    names = []
    for part in (table or {}).values():
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
