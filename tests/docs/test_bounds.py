"""Bounds that keep the code readable in small pieces: small structs, functions, files and folders, and modules that do
not use each other in a cycle."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CRATES = [path.name for path in sorted((ROOT / "crates").iterdir())]
FIELDS, LINES, FILES, PAGES = 20, 60, 12, 350
PYTHON = ("python/congestree", "reference", "gallery", "tools")
FIELD = re.compile(r"^\s+(?:pub(?:\([^)]*\))? )?\w+: ", re.MULTILINE)
STRUCT = re.compile(r"struct (\w+)[^;{(]*\{\n(.*?)\n\}", re.DOTALL)
COMMENT = re.compile(r"//[^\n]*")
# A path into the crate, with all that its braces hold if it is imported.
PATH = re.compile(r"\b(crate|(?:super::)*super)::((?:\w+::)*(?:\w+|\{[^;]*\}(?=;)))")
FUNCTION = re.compile(r"^(\s*)(?:pub(?:\([^)]*\))? )?(?:const )?(?:unsafe )?fn (\w+)")


def sources():
    """All files of the crates but tests."""
    for crate in CRATES:
        for path in (ROOT / "crates" / crate / "src").rglob("*.rs"):
            if path.name not in ("tests.rs", "small.rs") and "tests" not in path.parts:
                yield path, path.read_text(encoding="utf-8").split("\n#[cfg(test)]\nmod tests {")[0]


def long_functions(text):
    """Functions over the bound, as rustfmt formats them: the closing brace is in the column of `fn`."""
    lines = text.splitlines()
    for first, line in enumerate(lines):
        found = FUNCTION.match(line)
        if found is None or line.endswith((";", "}")):
            continue
        last = next(n for n in range(first, len(lines)) if lines[n] in (f"{found[1]}}}", f"{found[1]}}};"))
        if last - first + 1 > LINES:
            yield found[2], last - first + 1


def test_no_struct_has_more_fields_than_one_can_keep_in_mind():
    large = {
        name: count
        for _, text in sources()
        for name, body in STRUCT.findall(text)
        if (count := len(FIELD.findall(body))) > FIELDS
    }
    assert large == {}


def test_no_function_is_longer_than_a_page():
    assert [(path.name, *found) for path, text in sources() for found in long_functions(text)] == []


def long_bodies(text):
    """Functions of Python over the bound, without signature and docstring: a command has a parameter an option."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            first = node.body[ast.get_docstring(node) is not None and len(node.body) > 1]
            if (lines := node.end_lineno - first.lineno + 1) > LINES:
                yield node.name, lines


def test_no_file_of_the_crates_is_one_that_a_newcomer_dreads():
    long = {
        path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines()) for path, _ in sources()
    }
    assert len(long) > 500
    assert {name: lines for name, lines in long.items() if lines > PAGES} == {}


def test_no_function_of_python_is_longer_than_a_page():
    folders = ("python", "gallery", "reference", "tools", "tests")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert len(paths) > 500
    assert [(path.name, *found) for path in paths for found in long_bodies(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("source", [*(f"crates/{crate}/src" for crate in CRATES), *PYTHON])
def test_no_folder_has_more_files_than_one_can_look_over(source):
    folders = [ROOT / source, *(path for path in (ROOT / source).rglob("*") if path.is_dir())]
    files = {path: [*path.glob("*.rs"), *path.glob("*.py")] for path in folders}
    assert {path.name: len(found) for path, found in files.items() if len(found) > FILES} == {}


def modules(crate):
    """The modules of a crate, each with those that it uses. Tests do not count."""
    root = ROOT / "crates" / crate / "src"
    texts = {}
    for path in root.rglob("*.rs"):
        parts = path.relative_to(root).with_suffix("").parts
        parts = parts[:-1] if parts[-1] in ("mod", "lib") else parts
        texts[parts] = COMMENT.sub("", path.read_text(encoding="utf-8").split("\n#[cfg(test)]\n")[0])
    return {module: set(used(module, text, texts)) for module, text in texts.items()}


def used(module, text, known):
    """What a module uses of others: the longest path that is a module."""
    for start, rest in PATH.findall(text):
        ups = start.count("super")
        base = module[: len(module) - ups] if ups else ()
        for names in spread(rest):
            parts = (*base, *names)
            found = next((parts[:n] for n in range(len(parts), 0, -1) if parts[:n] in known), None)
            if found not in (None, module):
                yield found


def spread(path):
    """All paths of one with braces, which may be nested: `a::{b, c::{d, e}}`."""
    head, brace, inner = path.partition("{")
    names = tuple(name for name in re.split(r"::|\s+", head) if name)
    if not brace:
        return [names]
    depth, parts = 0, [""]
    for char in inner.rpartition("}")[0]:
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [names + rest for part in parts if part.strip() for rest in spread(part.strip())]


def cycles(uses):
    """Sets of modules of which each leads to every other, of more than one."""

    def reach(module):
        seen, todo = set(), [module]
        while todo:
            todo += (new := uses[todo.pop()] - seen)
            seen |= new
        return seen

    reached = {module: reach(module) for module in uses}
    return {frozenset(b for b in reached[a] if a in reached[b]) for a in uses if a in reached[a]}


PAIRS = {
    "scenario": [["resolve::jobs", "resolve::jobs::placing"]],
    "schemes": [["host::transport::grants", "host::transport::uet::rccc"]],
    "traffic": [["matching", "program"]],
    "units": [["text::kind", "text::misread"]],
}
"""Pairs of modules that use each other, by crate. The fabric has none."""


@pytest.mark.parametrize("crate", CRATES)
def test_no_modules_but_listed_pairs_use_each_other_in_a_cycle(crate):
    found = sorted(sorted("::".join(module) for module in cycle) for cycle in cycles(modules(crate)))
    assert found == PAIRS.get(crate, [])


def modules_of_python(folder):
    """The modules of a package, each with those that it imports, at its top or in a function."""
    root = ROOT / folder
    paths = {}
    for path in root.rglob("*.py"):
        parts = path.relative_to(root.parent).with_suffix("").parts
        paths[parts[:-1] if parts[-1] == "__init__" else parts] = path
    uses = {}
    for module, path in paths.items():
        home = module if path.name == "__init__.py" else module[:-1]
        found = imported(home, path.read_text(encoding="utf-8"))
        # `from package import name` is about a module of that name, or about the package.
        uses[module] = {name if name in paths else name[:-1] for name in found} & paths.keys() - {module}
    return uses


def imported(home, text):
    """The full names of all that a module in this package imports, except what only programs that check types read."""
    todo = [ast.parse(text)]
    while todo:
        node = todo.pop()
        if not (isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            todo += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = home[: len(home) - node.level + 1] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            yield from ((*base, alias.name) for alias in node.names)


@pytest.mark.parametrize("folder", ["python/congestree", "reference"])
def test_no_more_than_two_modules_of_python_import_each_other_in_a_cycle(folder):
    uses = modules_of_python(folder)
    assert sum(map(len, uses.values())) > len(uses)
    assert [sorted(map(".".join, cycle)) for cycle in cycles(uses) if len(cycle) > 2] == []


def test_a_cycle_is_found():
    known = dict.fromkeys([("a",), ("b", "c"), ("b", "d")], "")
    text = "use crate::{a::X, b::{c::Y, d}};\nuse super::c::Z;"
    assert set(used(("b", "d"), text, known)) == {("a",), ("b", "c")}
    text = "import a.c\nfrom . import d\nif TYPE_CHECKING:\n    from . import h\ndef f():\n    from ..e.f import g"
    assert set(imported(("a", "b"), text)) == {("a", "c"), ("a", "b", "d"), ("a", "e", "f", "g")}
    uses = {1: {2}, 2: {3}, 3: {1, 4}, 4: set()}
    assert cycles(uses) == {frozenset({1, 2, 3})}


def test_what_is_too_long_is_found():
    body = "    let x = 1;\n" * LINES
    assert list(long_functions(f"pub fn long() {{\n{body}}}\n\nfn short() {{\n    1\n}}\n")) == [("long", LINES + 2)]
    long = 'def long(\n    a,\n):\n    """What it does."""\n' + "    a = 1\n" * LINES
    assert list(long_bodies(long)) == []
    assert list(long_bodies(long + "    a = 2\n")) == [("long", LINES + 1)]
