"""What all generated scenario classes share: to and from plain dicts, and `replace`.

A *choice* is a part of a scenario with a name of its own ("two-switch", "lipd"). In a file
it is written as its bare name or as a table under that name; here it is an object whose
class has that name as `_choice`.
"""

import dataclasses
import os
import typing
from pathlib import Path

from . import _engine, document, renames
from .errors import AskedError, CongestreeError, there_are
from .runs import arguments, contents, writing


def _types(annotation):
    """All the classes that an annotation such as `A | B | None` or `tuple[A, ...]` names."""
    arguments = typing.get_args(annotation)
    if not arguments:
        return [annotation]
    return [t for a in arguments for t in _types(a)]


def _tables(annotation):
    """All the plain tables, such as dict[str, int], that an annotation names."""
    if typing.get_origin(annotation) is dict:
        return [annotation]
    return [table for argument in typing.get_args(annotation) for table in _tables(argument)]


def _build(annotation, value):
    """A plain value as an object of the class that the annotation names for it, if it names one."""
    parts = [t for t in _types(annotation) if isinstance(t, type) and issubclass(t, Part)]
    if isinstance(value, list):
        return tuple(_build(annotation, v) for v in value)
    if isinstance(value, dict):
        if len(value) == 1:
            name, inside = next(iter(value.items()))
            for part in parts:
                if part._choice == name:
                    return part.from_dict({} if inside is None else inside)
        tables = _tables(annotation)
        for part in parts:
            # Where a choice has no class of its own ({"cdf": rows}), the only class named is that of what is within it.
            if part._choice is None and (not tables or set(value) <= part._keys()):
                return part.from_dict(value)
        if parts and tables:
            within = typing.get_args(tables[0])[1]
            return {key: _build(within, inside) for key, inside in value.items()}
    return value


def _is_default(value, field):
    """Whether a plain value is the default of a field, and not only equal to it, as 1.0 and True are to 1."""
    default = document.plain(field.default) if isinstance(field.default, (tuple, Part)) else field.default
    return value == default and repr(value) == repr(default)


@typing.dataclass_transform(kw_only_default=True, frozen_default=True)
def part(cls):
    """The class as a frozen dataclass with fields by name, whose objects say how to make a changed copy."""
    cls = dataclasses.dataclass(frozen=True, kw_only=True)(cls)
    cls.__setattr__ = cls.__delattr__ = _refuse_change  # in place of those of `dataclass`, which only refuse
    return cls


def _refuse_change(self, name, *_):
    """Parts never change. Code that tries to gets the error of a frozen dataclass, an AttributeError."""
    remedy = f"make a changed copy with .replace({name}=...)"
    if isinstance(self, Document):
        remedy += f', or with .set({{"{name}": ...}}), which also takes paths such as "links.rate"'
    raise dataclasses.FrozenInstanceError(f"{name} of this {type(self).__name__} cannot change: {remedy}.")


class _Named(type):
    """Classes whose fields can be given by their older names, with a notice."""

    def __call__(cls, *args, **fields):
        return super().__call__(*args, **cls._renewed(fields)) if cls._older else super().__call__(*args, **fields)


@dataclasses.dataclass(frozen=True)
class Part(metaclass=_Named):
    """A part of a scenario: frozen, comparable, printable, replaceable.

    args, fields: the keys of the part, in the order in which scenario files have them or by name. Raises
    CongestreeError if one is given under its older and its present name.
    """

    _choice: typing.ClassVar[str | None] = None
    _older: typing.ClassVar[dict[str, str]] = {}

    @classmethod
    def _renewed(cls, fields):
        """The fields under their current names. A field that has become a choice is now the value of another field."""
        for old in cls._older.keys() & fields:
            new, *choice = cls._older[old].split(".")
            renames.notice(f"{cls.__name__}.{old} is an older name: write {cls._older[old]}")
            value = fields.pop(old)
            if fields.get(new) is not None:
                raise CongestreeError(
                    f"{cls.__name__} has {old} and {new}, which is its name now; leave out one of them."
                )
            if choice and value is not None:
                told = document.plain(value)
                value = _build(typing.get_type_hints(cls)[new], told if choice[0] in told else {choice[0]: told})
            fields = {**fields, new: value}
        return fields

    def __getattr__(self, name):
        new, *choice = type(self)._older.get(name, "").split(".")
        if not new:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        renames.notice(f"{type(self).__name__}.{name} is an older name: read {type(self)._older[name]}")
        value = getattr(self, new)
        return value if not choice or getattr(value, "_choice", None) == choice[0] else None

    def to_dict(self):
        """The part as scenario files write it. What is at its default is left out."""
        inside = {
            field.metadata.get("key", field.name): plain
            for field in dataclasses.fields(self)
            if (value := getattr(self, field.name)) is not None
            and not _is_default(plain := document.plain(value), field)
        }
        return inside if self._choice is None else {self._choice: inside}

    @classmethod
    def from_dict(cls, values):
        """The part from a dict of its own keys (without the name of the choice).

        values: {key: value}. Raises CongestreeError with the keys that are not known, or missing.
        """
        if not isinstance(values, dict):
            raise CongestreeError(f"{cls._choice or cls.__name__} is a table of keys, not {values!r:.40}.")
        values = cls._renewed(dict(values)) if cls._older else values
        hints = typing.get_type_hints(cls)
        names = {f.metadata.get("key", f.name): f.name for f in dataclasses.fields(cls)}
        unknown = sorted(set(values) - set(names))
        if unknown:
            raise CongestreeError(
                f"{cls.__name__} has no key {', '.join(map(repr, unknown))}; it has {', '.join(names)}."
            )
        missing = sorted(set(cls._required()) - {names[k] for k in values})
        if missing:
            raise CongestreeError(f"{cls.__name__} needs {', '.join(missing)}.")
        return cls(**{names[k]: _build(hints[names[k]], v) for k, v in values.items()})

    @classmethod
    def _keys(cls):
        return {f.metadata.get("key", f.name) for f in dataclasses.fields(cls)} | cls._older.keys()

    @classmethod
    def _required(cls):
        return [
            f.name
            for f in dataclasses.fields(cls)
            if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
        ]

    def replace(self, **values):
        """A copy with some fields changed: `values` by name."""
        return dataclasses.replace(self, **self._renewed(values))


class Document(Part):
    """A whole scenario: a part that can be read from a file and written to one."""

    @classmethod
    def load(cls, path):
        """Read a TOML or JSON file. The files that it names are then named relative to the current folder.

        path: of the file, or the name of a shipped scenario ("hot-spot"). Raises CongestreeError if it cannot be read,
        ScenarioError if it is no scenario.
        """
        from .gallery import shipped

        path = shipped.scenario_path(arguments.path("path", path))
        folder = os.path.dirname(path)
        return cls.from_text(*document.read_text(path), str(path))._renaming(lambda file: os.path.join(folder, file))

    @classmethod
    def from_text(cls, text, form="toml", name="the scenario"):
        """Read a scenario from text.

        form: "toml" or "json". name: what complaints call the text. Raises ScenarioError with all complaints,
        CongestreeError if there is no such form, or the text is none.
        """
        arguments.text(f"{cls.__name__}.from_text", text)
        if form not in document.FORMS:
            raise AskedError(f"There is no form {form!r:.40} of a scenario; {there_are(form, document.FORMS)}")
        name = str(name)
        renames.notice_text(text, form, name)
        try:
            return cls.from_dict(renames.renewed(document.parse(text, form, name)))
        except CongestreeError:
            _engine.check(text, form, name)  # knows what is wrong, all of it, and where
            raise

    def to_toml(self):
        """The scenario as the text of a TOML file.

        Raises CongestreeError with the path of a number that is not finite, which no scenario can hold.
        """
        return document.to_toml(self.to_dict())

    def to_json(self):
        """The scenario as JSON text. Raises CongestreeError as `to_toml` does."""
        return document.to_json(self.to_dict(), ascii=False)

    def save(self, path):
        """Write the scenario to a file at `path`: JSON if its name ends in .json, else TOML.

        The files that it names are not copied, but named there relative to the folder of that file. `load` finds them
        wherever they are; commands, and functions that are given the path, want them in that folder or below. Raises
        CongestreeError if it cannot be written, or as `to_toml` does.
        """
        path = arguments.path("path", path)
        there = self._renaming(lambda file: os.path.relpath(file, Path(path).parent))
        text = there.to_json() if document.format_of(path) == "json" else there.to_toml()
        writing.write_file(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))

    def _renaming(self, rename):
        """This scenario with `rename(name)` in place of the name of every file."""
        tree = self.to_dict()
        return type(self).from_dict(contents.renamed(tree, rename)) if contents.written(tree) else self

    def set(self, values):
        """A copy with values at dotted paths changed: `s.set({"traffic.0.window": 2})`.

        Raises CongestreeError if `values` are no such table, or make no scenario.
        """
        tree = self.to_dict()
        for path, value in arguments.by_path(values).items():
            tree = document.set_value(tree, renames.path(path), document.plain(value))
        return type(self).from_dict(tree)
