"""Writes `scenario.py`: one frozen dataclass for each object of the engine's JSON Schema.

    python -m congestree._generate            # writes python/congestree/scenario.py
    python -m congestree._generate --check    # says whether the file is up to date

A test runs the check, so the classes can never drift from what the engine reads.
"""

import json
import keyword
import re
import sys
import textwrap
from pathlib import Path

HEADER = '''"""Scenario classes, generated from the engine's JSON Schema. Do not edit: run `make schema`.

Each class is a table of a scenario file and each field a key of it; values with a unit are
text ("20 Gbit/s", "2 KiB", "1.5 us"). A field that is None is left out: the engine decides.
What the values may be is checked by the engine, in one place: see `congestree.check`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ._base import Document, Part
'''
DECORATOR = "@dataclass(frozen=True, kw_only=True)\n"
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


class Generator:
    """Walks a schema and writes the classes, those a class uses before it."""

    def __init__(self, schema):
        self.schema = schema
        self.definitions = schema.get("$defs", {})
        self.written = {}  # class name -> source
        self.origins = {}  # class name -> what it was made from

    def source(self):
        """The text of the module."""
        self.write_class("Scenario", self.schema, base="Document")
        return HEADER + "".join(f"\n\n{source}" for source in self.written.values())

    def resolve(self, node):
        """A schema node with its reference followed; what stands beside the reference wins."""
        while "$ref" in node:
            beside = {k: v for k, v in node.items() if k != "$ref"}
            node = {**self.definitions[node["$ref"].rsplit("/", 1)[1]], **beside}
        return node

    def types(self, node, hint):
        """The annotations that a schema node allows, as a list; writes the classes that it needs."""
        if isinstance(node, bool):
            return ["object"]
        name = node["$ref"].rsplit("/", 1)[1] if "$ref" in node else hint
        node = self.resolve(node)
        if options := node.get("oneOf") or node.get("anyOf"):
            return [t for option in options for t in self.option(option, name)]
        if "const" in node or "enum" in node:
            return [Word(w) for w in node.get("enum", [node.get("const")])]
        kind = node.get("type", "object" if "properties" in node else None)
        if isinstance(kind, list):
            return [t for k in kind for t in self.types({**node, "type": k}, name)]
        if kind == "array":
            return [f"tuple[{self.annotation(node.get('items', True), hint.removesuffix('s'))}, ...]"]
        if kind == "object":
            if node.get("properties"):
                return [self.write_class(name, node)]
            return [f"dict[str, {self.annotation(node.get('additionalProperties', True), hint)}]"]
        return [SCALARS.get(kind, "object")]

    def option(self, node, name):
        """One way to write a choice: a bare name, a table under a name, or something else."""
        inside = self.resolve(node)
        keys = inside.get("properties", {})
        if len(keys) != 1 or list(keys) != inside.get("required"):
            return self.types(node, name)
        key, body = next(iter(keys.items()))
        if "anyOf" in self.resolve(body):
            return [f"dict[str, {self.annotation(body, key)}]"]
        body = {"description": inside.get("description", ""), **self.resolve(body)}
        if body.get("properties"):
            return [self.write_class(f"{name}/{key}", body, choice=key)]
        if isinstance(body.get("additionalProperties"), dict):
            return [f"dict[str, {self.annotation(body, key)}]"]
        if body.get("type") == "string":
            return ["dict[str, str]"]
        return [Word(key)]  # a table without keys: its bare name says as much

    def annotation(self, node, hint, more=()):
        """The annotation for a schema node, all words in one Literal."""
        found = list(dict.fromkeys([*self.types(node, hint), *more]))
        words = [t for t in found if isinstance(t, Word)]
        rest = [t for t in found if not isinstance(t, Word) and t != "None"]
        literal = [f"Literal[{', '.join(json.dumps(w) for w in words)}]"] if words and "str" not in rest else []
        return " | ".join(rest + literal + (["None"] if "None" in found else []))

    def write_class(self, name, node, base="Part", choice=None):
        """Write the class for an object (once); returns its name."""
        role, _, key = name.partition("/")
        title = pascal(key or role)
        origin = json.dumps([choice, node], sort_keys=True)
        if self.origins.get(title, origin) != origin:
            title = pascal(role) + title
        if title in self.written:
            return title
        self.origins[title] = origin
        properties = node.get("properties", {})
        required = node.get("required", [])
        fields = [line for k, inner in properties.items() for line in self.field(k, inner, k in required)]
        about = wrap(f'"""{tidy(self.resolve(node).get("description") or title)}', 100)
        doc = textwrap.indent(about + ('\n"""' if "\n" in about else '"""'), "    ")
        tag = f'\n    _choice: ClassVar[str | None] = "{choice}"\n' if choice else ""
        self.written[title] = DECORATOR + f"class {title}({base}):\n{doc}\n{tag}\n" + "\n".join(fields) + "\n"
        return title

    def field(self, key, node, required):
        """The lines of one field: name, annotation, default, and what it means."""
        name = key + "_" if keyword.iskeyword(key) else key
        default = self.resolve(node).get("default")
        if isinstance(default, list):
            default = tuple(default)
        known = isinstance(default, (str, int, float, bool)) or default == ()
        annotation = self.annotation(node, pascal(key), more=() if required or known else ["None"])
        options = [] if required else [f"default={literal(default if known else None)}"]
        if name != key:
            options.append(f'metadata={{"key": "{key}"}}')
            value = f" = field({', '.join(options)})"
        else:
            value = "" if required else f" = {literal(default if known else None)}"
        about = tidy(self.resolve(node).get("description", ""))
        return [f"    {name}: {annotation}{value}", *textwrap.indent(wrap(f'"""{about}"""', 104), "    ").splitlines()]


class Word(str):
    """A bare word that a choice can be."""


def literal(value):
    """A default as Python writes it, with double quotes."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def pascal(name):
    """`two-switch` as a class name: TwoSwitch."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", name))


def tidy(text):
    """Text for a docstring."""
    text = re.sub(r"\s+", " ", text.strip()).replace("\\", "\\\\")
    return text + " " if text.endswith('"') else text


def wrap(text, width):
    """Text in lines of at most `width` characters."""
    return "\n".join(textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False))


def main():
    """Write the module or check that it is up to date."""
    from . import _engine

    path = Path(__file__).with_name("scenario.py")
    source = Generator(json.loads(_engine.schema())).source()
    if "--check" in sys.argv[1:]:
        if not path.exists() or path.read_text(encoding="utf-8") != source:
            sys.exit("python/congestree/scenario.py is out of date: run `make schema` and commit the result.")
        print("python/congestree/scenario.py is up to date")
    else:
        path.write_text(source, encoding="utf-8")
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
