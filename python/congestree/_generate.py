"""Writes the package `scenario`: one frozen dataclass for each object of the engine's JSON Schema.

    python -m congestree._generate            # writes python/congestree/scenario/ and _renamed.py
    python -m congestree._generate --check    # says whether every file of them is up to date

A module holds the classes of one section of a scenario file (`links`, `scheme`, ...). A section that
would be longer than `LINES` becomes a folder with a module for each of its keys; `__init__.py` has all
names. A test runs the check, so the classes can never drift from what the engine reads.
"""

import json
import keyword
import re
import shutil
import sys
import textwrap
from pathlib import Path

FOLDER = Path(__file__).with_name("scenario")
NAMES = Path(__file__).with_name("_renamed.py")
LINES, FILES = 350, 12  # the most of a module and of a folder
# Where a section is too long for one module and has too many choices for one each: modules that some share.
SHARED = {
    ("traffic", "program"): {
        "benchmarks": ["ping-pong", "natural-ring", "random-ring", "ptrans", "mpifft"],
        "training": ["chakra", "moe", "training"],
        "collectives": [],  # all others
    },
}
PACKAGE = '''"""Scenario classes, generated from the engine's JSON Schema. Do not edit: run `make schema`.

Each class is a table of a scenario file and each field a key of it; values with a unit are
text ("20 Gbit/s", "2 KiB", "1.5 us"). A field that is None is left out: the engine decides.
What the values may be is checked by the engine, in one place: see `congestree.check`.
"""

'''
MODULE = '"""`{keys}` of a scenario, generated from the engine\'s JSON Schema. Do not edit: run `make schema`."""\n\n'
DECORATOR = "@part\n"
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


class Generator:
    """Walks a schema and writes the classes, those a class uses before it."""

    def __init__(self, schema, renamed=()):
        self.schema = schema
        self.renamed = renamed  # {what, place, old, new, gone_in} of names that have changed
        self.definitions = schema.get("$defs", {})
        self.written = {}  # class name -> source
        self.origins = {}  # class name -> the schema that it was made from
        self.places = {}  # class name -> keys of the scenario that lead to where it was first met
        self.path = ()
        self.write_class("Scenario", schema, base="Document")

    def within(self, key, walk, *arguments):
        """Walk on below a key."""
        self.path += (key,)
        found = walk(*arguments)
        self.path = self.path[:-1]
        return found

    def resolve(self, node):
        """A schema node with its reference resolved; keys next to the reference take precedence."""
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
            # Lists are kept as tuples, and may be given as lists.
            return [f"Sequence[{self.annotation(node.get('items', True), hint.removesuffix('s'))}]"]
        if kind == "object":
            if node.get("properties"):
                return [self.write_class(name, node)]
            return [f"dict[str, {self.annotation(node.get('additionalProperties', True), hint)}]"]
        return [SCALARS.get(kind, "object")]

    def option(self, node, name):
        """One way to write a choice: a bare name, a table under a name, or another form."""
        inside = self.resolve(node)
        keys = inside.get("properties", {})
        if len(keys) != 1 or list(keys) != inside.get("required"):
            return self.types(node, name)
        key, body = next(iter(keys.items()))
        if "anyOf" in self.resolve(body):
            return [f"dict[str, {self.annotation(body, key)}]"]
        body = {"description": inside.get("description", ""), **self.resolve(body)}
        if body.get("properties"):
            return [self.within(key, self.write_class, f"{name}/{key}", body, "Part", key)]
        if isinstance(body.get("additionalProperties"), dict):
            return [f"dict[str, {self.annotation(body, key)}]"]
        if body.get("type") == "string":
            return ["dict[str, str]"]
        return [Word(key)]  # a table without keys: its bare name is enough

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
        self.places[title] = self.path
        properties = node.get("properties", {})
        required = node.get("required", [])
        fields = [
            line for k, inner in properties.items() for line in self.within(k, self.field, k, inner, k in required)
        ]
        about = wrap(f'"""{tidy(self.resolve(node).get("description") or title)}', 100)
        doc = textwrap.indent(about + ('\n"""' if "\n" in about else '"""'), "    ")
        tag = f'\n    _choice: ClassVar[str | None] = "{choice}"\n' if choice else ""
        here = [one for one in self.renamed if one["what"] == "key" and one["place"] == ".".join(self.path)]
        if here:
            older = json.dumps({one["old"]: one["new"] for one in here})
            tag += f"\n    _older: ClassVar[dict[str, str]] = {older}\n"
        self.written[title] = DECORATOR + f"class {title}({base}):\n{doc}\n{tag}\n" + "\n".join(fields) + "\n"
        return title

    def field(self, key, node, required):
        """The lines of one field: name, annotation, default, and its description."""
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


class Package:
    """The files that hold a generator's classes."""

    def __init__(self, generator):
        self.sources, self.places = generator.written, generator.places
        self.homes = {}  # class name -> its module, as a tuple of names
        self.deal((), list(self.sources))

    def deal(self, keys, titles):
        """Distribute classes below the same keys: into one module if it is short enough, otherwise one per next key."""
        if keys and sum(self.sources[title].count("\n") + 2 for title in titles) <= LINES:
            self.homes |= dict.fromkeys(titles, keys)
            return
        ways = {}
        for title in titles:
            ways.setdefault(self.way(keys, self.places[title][len(keys) :]), []).append(title)
        if len(ways) >= FILES or titles in ways.values():
            sys.exit(f"{'.'.join(keys)} is too long for one module: say in SHARED which of its classes go together.")
        for way, some in ways.items():
            if way is None:  # the table itself
                self.homes |= dict.fromkeys(some, (*keys, keys[-1] if keys else "scenario"))
            else:
                self.deal((*keys, way), some)

    def way(self, keys, further):
        """The module or folder, below some keys, of a class that is `further` keys down."""
        if not further:
            return None
        shared = SHARED.get(keys, {further[0]: []})
        return next((name for name, choices in shared.items() if further[0] in choices), list(shared)[-1])

    def files(self):
        """The text of every file, by its path within the folder."""
        texts = {Path(*map(module_name, home)).with_suffix(".py"): self.module(home) for home in self.homes.values()}
        for folder in {home[:n] for home in self.homes.values() for n in range(len(home))}:
            texts[Path(*map(module_name, folder), "__init__.py")] = self.names(folder)
        return texts

    def module(self, home):
        """The text of a module: its imports and its classes."""
        classes = "".join(f"\n\n{self.sources[title]}" for title in self.sources if self.homes[title] == home)
        code = re.sub(r'""".*?"""', "", classes, flags=re.DOTALL)
        annotations = re.sub(r'"[^"]*"', "", "\n".join(re.findall(r"^    \w+: .*", code, re.MULTILINE)))
        words = set(re.findall(r"[A-Z]\w*", annotations))
        typing = [name for name in ("ClassVar", "Literal") if name in words]
        library = ["from collections.abc import Sequence"] if "Sequence" in words else []
        library += ["from dataclasses import field"] if " = field(" in classes else []
        library += [f"from typing import {', '.join(typing)}"] if typing else []
        bases = sorted(set(re.findall(r"^class \w+\((\w+)\)", classes, re.MULTILINE)))
        wanted = {"." * len(home) + "._base": [*bases, "part"]}
        for title in self.sources:
            if title in words and self.homes[title] != home:
                wanted.setdefault(relative(home, self.homes[title]), []).append(title)
        return (
            MODULE.format(keys=".".join(home[:-1] if home[-1:] == home[-2:-1] else home))
            + "from __future__ import annotations\n\n"
            + "".join(f"{line}\n" for line in library)
            + ("\n" if library else "")
            + imports(wanted)
            + classes
        )

    def names(self, folder):
        """The text of a folder's `__init__.py`: all names of its modules."""
        wanted = {} if folder else {".._base": ["Document", "Part"]}
        for title, home in self.homes.items():
            if home[: len(folder)] == folder:
                wanted.setdefault("." + module_name(home[len(folder)]), []).append(title)
        listed = sorted(name for names in wanted.values() for name in names)
        about = MODULE.format(keys=".".join(folder)) if folder else PACKAGE
        return about + imports(wanted) + "\n__all__ = [\n" + "".join(f'    "{name}",\n' for name in listed) + "]\n"


def module_name(key):
    """A key as the name of a module."""
    return key.replace("-", "_")


def relative(home, other):
    """How a module names another one."""
    same = next((n for n, (a, b) in enumerate(zip(home, other, strict=False)) if a != b), 0)
    return "." * (len(home) - same) + ".".join(map(module_name, other[same:]))


def imports(wanted):
    """Import statements in the order in which they are usually sorted: the furthest module first."""
    lines = []
    for module, names in sorted(wanted.items(), key=lambda item: (len(item[0].lstrip(".")) - len(item[0]), item[0])):
        listed = sorted(names, key=str.lower)
        line = f"from {module} import {', '.join(listed)}\n"
        if len(line) > 120:
            line = f"from {module} import (\n" + "".join(f"    {name},\n" for name in listed) + ")\n"
        lines.append(line)
    return "".join(lines)


def differences(files, folder=FOLDER):
    """What in the folder is not as it should be: files that differ, are missing, or do not belong there."""
    there = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    there |= {path for path in files if ".." in path.parts and (folder / path).is_file()}
    differ = [path for path in there & files.keys() if (folder / path).read_text(encoding="utf-8") != files[path]]
    return sorted(
        [f"{path} is out of date" for path in differ]
        + [f"{path} is missing" for path in files.keys() - there]
        + [f"{path} does not belong there" for path in there - files.keys()]
    )


def write(files, folder=FOLDER):
    """Write the folder from scratch; files that do not belong there are deleted."""
    shutil.rmtree(folder, ignore_errors=True)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def names(renamed):
    """The text of `_renamed.py`."""
    rows = [tuple(one[key] for key in ("what", "place", "old", "new", "gone_in")) for one in renamed]
    about = '"""Names that have changed, generated from the engine\'s list. Do not edit: run `make schema`."""\n\n'
    return about + "RENAMED = (\n" + "".join(f"    ({', '.join(map(json.dumps, row))}),\n" for row in rows) + ")\n"


def generated():
    """The text of every file, by its path from the folder."""
    from . import _engine

    renamed = json.loads(_engine.renamed())
    files = Package(Generator(json.loads(_engine.schema()), renamed)).files()
    return files | {Path("..", NAMES.name): names(renamed)}


def main():
    """Write the package or check that it is up to date."""
    files = generated()
    if "--check" not in sys.argv[1:]:
        write(files)
        print(f"wrote {len(files)} files")
    elif found := differences(files):
        sys.exit(f"python/congestree/scenario: {'; '.join(found)}. Run `make schema` and commit the result.")
    else:
        print("python/congestree/scenario is up to date")


if __name__ == "__main__":
    main()
