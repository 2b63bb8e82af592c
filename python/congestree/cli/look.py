"""`congestree list` and `congestree schema`: the things that exist, by name."""

import json
import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ..errors import AskedError, there_are
from . import console
from .options import AsJson


class What(StrEnum):
    """What can be listed."""

    parts = "parts"
    presets = "presets"
    topologies = "topologies"
    scenarios = "scenarios"
    papers = "papers"
    spaces = "spaces"
    measures = "measures"


ONE = {what: what.value.removesuffix("s") for what in What} | {What.topologies: "topology"}
"""What one of them is called."""


def list_(
    what: Annotated[
        What | None,
        typer.Argument(
            help="parts, presets (whole schemes), topologies, scenarios, papers, spaces (what can be tuned) or "
            "measures (possible goals); all if left out."
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Argument(help="Only what has this name, or is of this kind (react, mark ...), with its parameters."),
    ] = None,
    as_json: AsJson = False,
):
    """List parts, presets, topologies, scenarios, papers, and the spaces and measures of `tune`, in a line each.

    With a name, parameters are listed, too: what they mean, and their defaults. JSON always has them.

    [bold]Examples[/bold]

      congestree list parts

      congestree list parts dcqcn

      congestree list topologies --json

      congestree list spaces ib-cc
    """
    found = {kind.value: _collect(kind, as_json) for kind in ([what] if what else What)}
    if name is not None:
        found = {kind: _named(name, kind, entries) for kind, entries in found.items()}
    if as_json:
        console.print_json(found[what.value] if what else found)
        return
    for kind, entries in found.items():
        if name is not None and kind in ("parts", "presets", "topologies"):
            _show_parts(kind, entries)
        elif name is not None and kind == "spaces":
            _show_spaces(entries)
        elif kind == "parts":
            rows = [(of, part["name"], part["summary"]) for of, part in _by_kind(entries)]
            console.table("Parts", ("kind", "name", "what it is"), rows)
        else:
            console.table(kind.capitalize(), ("name", "what it is"), [(e["name"], e["summary"]) for e in entries])
        console.say()


def _named(name, kind, entries):
    """The entries that have a name, or are of the kind of that name."""
    found = [entry for entry in entries if name in (entry["name"], entry.get("kind"))]
    if not found:
        _say_if_elsewhere(name, kind)
        known = dict.fromkeys([entry["name"] for entry in entries] + [e["kind"] for e in entries if "kind" in e])
        raise AskedError(f'Nothing among {kind} is called "{name}"; {there_are(name, known)}')
    return found


def _say_if_elsewhere(name, kind):
    """Raise AskedError for a name that another list has: what it is, and the command that shows it."""
    for other in What:
        if other.value == kind:
            continue
        for entry in _collect(other, whole=False):
            # Measures go by their names with what they are of, such as rate:CLASS, and are not listed singly.
            shown = f" {name}" if entry["name"] == name else ""
            if shown or (other is What.measures and re.split(r"[\[:]", entry["name"])[0] == name):
                raise AskedError(f'"{name}" is a {ONE[other]}: `congestree list {other.value}{shown}`.')


def _collect(what, whole):
    """The entries of a kind; if `whole`, papers with the names of their figures, for which all of them are loaded."""
    from .. import _engine, gallery
    from ..gallery import papers, shipped

    if what is What.scenarios:
        entries = []
        for name, path in shipped.scenarios().items():
            title, description = shipped.describe_scenario(path)
            entries.append({"name": name, "summary": description or title, "path": str(path)})
        return entries
    if what is What.papers:
        tell = gallery.describe if whole else lambda name: {"name": name, "summary": papers.summary(name)}
        return [tell(name) for name in shipped.papers()]
    if what in (What.spaces, What.measures):
        return _of_tuning(what)
    catalogue = json.loads(_engine.catalogue())
    distinct = list({(e["kind"], e["name"]): e for e in catalogue}.values())
    own = {"topology": What.topologies, "preset": What.presets}
    return [entry for entry in distinct if own.get(entry["kind"], What.parts) is what]


def _of_tuning(what):
    from ..evaluation.goals.measured import MEASURES
    from ..tune.families import SPACES

    if what is What.spaces:
        return [
            {
                "name": space.name,
                "summary": space.about,
                "parameters": [{"name": p.name, "range": p.in_words(), "meaning": p.about} for p in space.parameters],
            }
            for space in SPACES.values()
        ]
    return [
        {
            "name": f"{name}:{m.of.upper()}" if m.must else f"{name}[:{m.of.upper()}]" if m.of else name,
            "summary": f"{m.about} ({m.best or 'max or min'})",
        }
        for name, m in MEASURES.items()
    ]


def _show_spaces(spaces):
    rows = []
    for space in spaces:
        rows.append((space["name"], "", space["summary"]))
        rows += [(f"  {p['name']}", p["range"], p["meaning"]) for p in space["parameters"]]
    console.table("Spaces", ("name", "range", "meaning"), rows)


def _by_kind(entries):
    """Parts of a kind one after the other; with the kind of the first one, and "" for the others."""
    kinds, last = list(dict.fromkeys(e["kind"] for e in entries)), None
    for entry in sorted(entries, key=lambda e: kinds.index(e["kind"])):
        yield "" if entry["kind"] == last else entry["kind"], entry
        last = entry["kind"]


def _show_parts(title, entries):
    rows = []
    for kind, entry in _by_kind(entries):
        rows.append((kind, entry["name"], "", entry["summary"]))
        rows += [("", f"  {p['name']}", _default(p), p["meaning"]) for p in entry["parameters"]]
    console.table(title.capitalize(), ("kind", "name", "default", "meaning"), rows)


def _default(parameter):
    """The default of a parameter in a word or two; of a choice with parameters its name."""
    if parameter["required"]:
        return "required"
    default = parameter["default"]
    if isinstance(default, dict) and len(default) == 1:
        return next(iter(default))
    return "" if default is None else default if isinstance(default, str) else json.dumps(default)


def schema(
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File to write instead of stdout.")] = None,
):
    """Print the JSON Schema of scenario files.

    [bold]Example[/bold]

      congestree schema --out scenario.schema.json
    """
    from .. import _engine

    text = json.dumps(json.loads(_engine.schema()), indent=2, ensure_ascii=False) + "\n"
    console.give(text, out or "-")
