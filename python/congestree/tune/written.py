"""A scenario as it is written, and the same with other values.

The engine copies some values into others when it resolves a scenario: `adapters.window` into every entry of `traffic`
that has none of its own. So a setting is put into the scenario as written, as `--set` and a sweep do it.
"""

from dataclasses import dataclass, field

from .. import document, renames
from ..runs import arguments, running

CHOOSING = ("scheme", "scheme.preset")
"""Paths that say which preset a scheme begins with."""


@dataclass(frozen=True)
class Written:
    """A scenario as written, without sweep (tree), and the file that it is from (source), or "" if it is from none."""

    tree: dict = field(repr=False)
    source: str = ""

    @classmethod
    def read(cls, scenario, values=None):
        """A scenario in any form that `congestree.run` takes, with values at dotted paths."""
        text, form, source = running.as_text(scenario, {**arguments.by_path(values), "sweep": {}})
        tree = document.parse(text, form)
        del tree["sweep"]
        return cls(tree, source)

    def resolved(self):
        """The scenario with every default written out. Raises ScenarioError if it makes no sense."""
        found = running.resolved(self.tree, self.source)
        found.pop("sweep", None)
        return found

    def put(self, values):
        """The same with values at dotted paths; None takes one out.

        A part of a preset keeps the preset's other values if one of its values is set. (In a sweep a part that is
        named replaces the whole part of the preset.)
        """
        values = {renames.path(path): value for path, value in values.items()}
        parts = {path: value for path, value in values.items() if path.startswith("scheme.") and path not in CHOOSING}
        put = Written(applied(self.tree, {p: value for p, value in values.items() if p not in parts}), self.source)
        scheme = put.tree.get("scheme")
        if parts and isinstance(scheme, dict) and "preset" in scheme:
            put = Written({**put.tree, "scheme": put.resolved()["scheme"]}, self.source)
        return Written(applied(put.tree, parts), self.source)


def applied(scenario, values):
    """A scenario (a dict) with values at dotted paths; None takes one out."""
    changed = dict(scenario)
    for path, value in values.items():
        if value is None:
            changed = document.without(changed, path)
            continue
        section = path.partition(".")[0]  # the others, long lists of traffic among them, need no copy
        part = {section: changed[section]} if section in changed else {}
        changed |= document.set_value(part, path, value)
    return changed
