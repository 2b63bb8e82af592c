"""Public docstrings describe everything that is needed for use: every argument, in its unit, and every error raised.

Public is what `docs/reference/api.md` lists. An argument that means the same everywhere in a module, or in all methods
of a class, is described there once. The errors are found in the sources: those raised by the function itself, and by
what it calls in its own module.
"""

import ast
import functools
import importlib
import inspect
import re
import sys
from pathlib import Path

import pytest
from blocks import ROOT

import congestree
from congestree import errors

sys.path.append(str(ROOT / "tools"))
from docpages import api

UNITS = {
    "after": r"\(s\)",
    "at": r"\bs\b",
    "bin_length": r"seconds",
    "edges": r"\(B\)",
    "end": r"\(s\)",
    "limit_memory": r"bytes|as for",
    "packet_time": r"\bps\b",
    "start": r"\(s\)",
    "times": r"\bs\b",
    "until": r"\bs\b",
    "window": r"\bs\b|seconds",
}
"""Arguments that are quantities, and how a docstring may give their unit."""


def listed():
    """Everything public that can be called or made: (name, object, docstrings of the levels above it)."""
    modules = {n: v for n in congestree.__all__ if inspect.ismodule(v := getattr(congestree, n))}
    for name in congestree.__all__:
        if name not in modules and not name.startswith("__"):
            yield from with_members(f"congestree.{name}", getattr(congestree, name), ())
    for module, value in modules.items():
        for name, each in api.public(value).items():
            if module == "scenario" or inspect.ismodule(each):
                continue
            yield from with_members(f"congestree.{module}.{name}", each, (inspect.getdoc(value),))


def with_members(name, thing, above):
    if inspect.isclass(thing):
        above = (
            *above,
            *(inspect.getdoc(base) or "" for base in thing.__mro__ if base.__module__ == "congestree._base"),
        )
    yield name, thing, above
    if inspect.isclass(thing):
        for member, each in api.members(thing):
            if not isinstance(each, property | functools.cached_property):
                yield f"{name}.{member}", each, (*above, inspect.getdoc(thing) or "")


THINGS = [pytest.param(*one, id=one[0]) for one in listed()]


@pytest.mark.parametrize(("name", "thing", "above"), THINGS)
def test_every_argument_is_told_and_quantities_have_their_unit(name, thing, above):
    own = inspect.getdoc(thing) or ""
    assert own, f"{name} has no docstring"
    try:
        arguments = [a for a in inspect.signature(thing).parameters if a not in ("self", "cls")]
    except ValueError:
        return
    for argument in arguments:
        here = re.search(rf"\b{argument}\b", own)
        there = [doc for doc in above if re.search(rf"`{argument}`|\b{argument}\b[\w, ]*:", doc)]
        assert here or there, f"{name} does not say what {argument} is"
        if argument in UNITS:
            told = "\n".join([own, *there])
            assert re.search(UNITS[argument], told) or "as for" in own, f"{name} does not say the unit of {argument}"


def test_there_are_as_many_as_on_the_page():
    assert len(THINGS) > 150


@functools.cache
def tree_of(path):
    return ast.parse(Path(path).read_text(encoding="utf-8"))


@functools.cache
def functions_of(path):
    """All functions of a module by name, and methods by class and name."""
    found = {}
    for node in tree_of(path).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{one.name}": one for one in node.body if isinstance(one, ast.FunctionDef)}
    return found


def raised(path, name, seen=()):
    """Names of the exceptions raised by a function, or by what it calls in its own module."""
    functions = functions_of(path)
    if name not in functions or name in seen:
        return set()
    owner = name.rpartition(".")[0]

    def of(node):
        found = set()
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name):
            found.add(node.exc.func.id)
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name):
                found |= raised(path, called.id, (*seen, name))
            elif isinstance(called, ast.Attribute) and getattr(called.value, "id", "") in ("self", "cls"):
                found |= raised(path, f"{owner}.{called.attr}", (*seen, name))
        if isinstance(node, ast.Try):
            caught = {
                one.id for handler in node.handlers for one in ast.walk(handler.type) if isinstance(one, ast.Name)
            }
            tried = set().union(*map(of, node.body))
            rest = [part for field in (node.handlers, node.orelse, node.finalbody) for part in field]
            return (set() if "Exception" in caught else tried - caught).union(*map(of, rest))
        return found.union(*map(of, ast.iter_child_nodes(node)))

    return of(functions[name])


def words_for(exception, path):
    """An exception by its name, and those that it is a kind of."""
    module = importlib.import_module(
        ".".join(Path(path).relative_to(ROOT / "python").with_suffix("").parts).removesuffix(".__init__")
    )
    kind = getattr(module, exception, None) or getattr(errors, exception, None)
    if not inspect.isclass(kind):  # made by a function, or built in
        return {exception, "CongestreeError"}
    return {base.__name__ for base in kind.__mro__ if base not in (Exception, BaseException, object)}


@pytest.mark.parametrize(("name", "thing", "above"), THINGS)
def test_every_error_that_is_raised_is_told(name, thing, above):
    bare = inspect.unwrap(getattr(thing, "__func__", thing))
    try:
        path = inspect.getsourcefile(bare)
    except TypeError:
        return
    if path is None or not Path(path).is_relative_to(ROOT / "python"):
        return
    functions = (
        [f"{name.split('.')[-1]}.{m}" for m in ("__init__", "__post_init__")]
        if inspect.isclass(bare)
        else [bare.__qualname__]
    )
    told = "\n".join([inspect.getdoc(thing) or "", *above])
    for exception in {one for function in functions for one in raised(path, function)}:
        if exception in ("AttributeError", "KeyboardInterrupt"):
            continue
        words = words_for(exception, path)
        told_elsewhere = re.search(r"raise[sd]?\b.*\bas\b|as for|as `", inspect.getdoc(thing) or "")
        assert told_elsewhere or any(re.search(rf"\b{word}\b", told) for word in words), (
            f"{name} raises {exception} and does not say so"
        )


SOURCE = re.compile(
    r"\([^()]*\b(?:19|20)\d\d|\[[a-z]+\d{4}\w*\]|RFC \d|IEEE 802|InfiniBand|Ultra Ethernet|"
    r"HPL-|Paper|[Ss]ection [IVX\d]|our own"
)


def test_every_part_of_a_scheme_names_its_source():
    """In the header of its file, or of that which the header leads to."""
    found = 0
    home = ROOT / "crates/schemes/src"
    for listing in home.glob("*/*.rs"):
        for file in re.findall(
            r"^        \w+ = (\w+)::\w+\((?!NoParams)\w+\),", listing.read_text(encoding="utf-8"), re.M
        ):
            folder = listing.with_suffix("")
            path = next(p for p in (folder / f"{file}.rs", folder / file / "mod.rs") if p.exists())
            header = header_of(path)
            for led in re.findall(r"\[`crate::([\w:]+)`\]", header):
                header += header_of(home / f"{led.replace('::', '/')}.rs")
            assert SOURCE.search(header), f"{path.relative_to(ROOT)} says of no source"
            found += 1
    assert found > 40


def header_of(path):
    """The comment at the beginning of a file in Rust."""
    return "\n".join(re.findall(r"^//!(.*)$", path.read_text(encoding="utf-8"), re.M))
