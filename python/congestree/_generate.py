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
text ("20 Gbit/s", "2 KiB", "1.5 us"). A field left at None keeps the engine's default.
What the values may be is checked by the engine, in one place: see `congestree.check`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ._base import Document, Part
'''
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


class Generator:
    """Walks a schema and writes the classes, those a class uses before it."""

    def __init__(self, schema):
        self.schema = schema
        self.definitions = schema.get("$defs") or schema.get("definitions") or {}
        self.written = {}  # class name -> source
        self.names = {}  # id of a schema node -> class name

    def source(self):
        """The text of the module."""
        self.write_class("Scenario", self.schema, base="Document")
        return HEADER + "".join(f"\n\n{source}" for source in self.written.values())

    def resolve(self, node):
        while "$ref" in node:
            extra = {k: v for k, v in node.items() if k != "$ref"}
            node = {**self.definitions[node["$ref"].rsplit("/", 1)[1]], **extra}
        if len(node.get("allOf", ())) == 1:
            node = {**node["allOf"][0], **{k: v for k, v in node.items() if k != "allOf"}}
            return self.resolve(node)
        return node

    def type_of(self, node, hint):
        """The annotation for a schema node; writes the classes that it needs."""
        if isinstance(node, bool):
            return "object"
        name = node["$ref"].rsplit("/", 1)[1] if "$ref" in node else hint
        node = self.resolve(node)
        options = node.get("oneOf") or node.get("anyOf")
        if options:
            return " | ".join(dict.fromkeys(t for o in options for t in self.option(o, name).split(" | ")))
        if "enum" in node or "const" in node:
            return "str" if node.get("const", "") is not None else "None"
        kind = node.get("type", "object" if "properties" in node else None)
        if isinstance(kind, list):
            return " | ".join(dict.fromkeys(self.type_of({**node, "type": k}, name) for k in kind))
        if kind == "array":
            inner = self.type_of(node.get("items", True), hint.removesuffix("s"))
            return f"tuple[{inner}, ...]"
        if kind == "object":
            if node.get("properties"):
                return self.write_class(name, node)
            extra = node.get("additionalProperties")
            inner = self.type_of(extra, hint) if isinstance(extra, dict) else "object"
            return f"dict[str, {inner}]"
        return SCALARS.get(kind, "object")

    def option(self, node, name):
        """One way to write a choice: a bare name, a table under a name, or something else."""
        inside = self.resolve(node)
        keys = inside.get("properties", {})
        if len(keys) == 1 and list(keys) == inside.get("required"):
            key, body = next(iter(keys.items()))
            resolved = self.resolve(body)
            if resolved.get("type", "object") == "object" and not resolved.get("oneOf"):
                if set(resolved) & {"properties"} or resolved.get("additionalProperties") is False:
                    described = {"description": inside.get("description"), **resolved}
                    if not described.get("description"):
                        described["description"] = inside.get("description")
                    return self.write_class(f"{name}/{key}", described, choice=key)
                return f"dict[str, {self.type_of(body, name)}]"
            return f"dict[str, {self.type_of(body, key)}]"
        return self.type_of(node, name)

    def write_class(self, name, node, base="Part", choice=None):
        role, _, key = name.partition("/")
        title = pascal(key or role)
        ident = json.dumps([choice, node], sort_keys=True)
        if self.names.get(title, ident) != ident:
            title = pascal(role) + title
        if title in self.written:
            return title
        self.names[title] = ident
        required = node.get("required", [])
        properties = sorted(node.get("properties", {}).items(), key=lambda p: p[0] not in required)
        lines = []
        for key, value in properties:
            lines += self.field(key, value, key in required, title)
        about = sentence(self.resolve(node).get("description") or f"`{choice or name}` of a scenario.")
        doc = textwrap.indent(wrap(f'"""{about}'), "    ")
        doc += '"""\n' if "\n" not in doc.strip() else '\n    """\n'
        head = f"@dataclass(frozen=True)\nclass {title}({base}):\n{doc}"
        if choice:
            head += f'\n    _choice: ClassVar[str | None] = "{choice}"\n'
        self.written[title] = head + ("\n" + "\n".join(lines) + "\n" if lines else "")
        return title

    def field(self, key, node, required, owner):
        node_r = self.resolve(node) if isinstance(node, dict) else {}
        name = key + "_" if keyword.iskeyword(key) else key
        annotation = self.type_of(node, pascal(key))
        about = sentence(node_r.get("description", ""))
        default = node_r.get("default")
        if not required and default is not None:
            shown = json.dumps(default, ensure_ascii=False)
            if len(shown) <= 60 and "default" not in about.lower():
                about = f"{about} Default: {shown}.".strip()
        if not required and "None" not in annotation.split(" | "):
            annotation += " | None"
        options = [] if required else ["default=None"]
        if name != key:
            options.append(f'metadata={{"key": "{key}"}}')
        value = "" if required and name == key else " = None" if name == key else f" = field({', '.join(options)})"
        comment = textwrap.indent(wrap(f'"""{about}"""', 104), "    ").splitlines() if about else []
        return [f"    {name}: {annotation}{value}", *comment]


def pascal(name):
    """`two-switch` as a class name: TwoSwitch."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", name))


def sentence(text):
    """Text for a docstring, on one line a paragraph."""
    text = re.sub(r"[ \t]*\n(?!\n)[ \t]*", " ", text.strip()).replace("\\", "\\\\").replace('"""', "'''")
    return text + " " if text.endswith('"') else text


def wrap(text, width=100):
    return "\n".join(textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False))


def main():
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
