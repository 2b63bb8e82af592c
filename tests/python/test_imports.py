"""Modules are imported by the names that the reference gives them, wherever their files are."""

import ast
import sys
import tomllib
import typing
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest

import congestree


@pytest.mark.parametrize("name", congestree._MODULES)
def test_a_module_is_imported_by_its_documented_name(name):
    module = import_module(f"congestree.{name}")
    assert module is getattr(congestree, name)
    assert module.__spec__.name == module.__name__ and sys.modules[module.__name__] is module


def test_names_for_programs_that_check_types_are_those_that_are_found():
    """Such programs read the imports, and do not call `__getattr__`; they read hints only beside the marker."""
    source = Path(congestree.__file__)
    block = next(node for node in ast.parse(source.read_text(encoding="utf-8")).body if isinstance(node, ast.If))
    assert block.test.id == "TYPE_CHECKING" and not congestree.TYPE_CHECKING
    told = {alias.asname: (one.module, alias.name) for one in block.body for alias in one.names}
    modules = {name: home.rpartition(".") for name, home in congestree._MODULES.items()}
    assert told == {
        **{name: (home, name) for name, home in congestree._HOMES.items()},
        **{name: (package or None, module) for name, (package, _, module) in modules.items()},
    }
    assert all(one.level == 1 for one in block.body)
    assert source.with_name("py.typed").is_file()


def test_the_marker_of_hints_is_in_every_package():
    project = Path(__file__).parents[2] / "pyproject.toml"
    packed = tomllib.loads(project.read_text(encoding="utf-8"))["tool"]["maturin"]["include"]
    assert {"path": "python/congestree/py.typed", "format": ["sdist", "wheel"]} in packed


def test_fields_that_are_lists_take_any_sequence():
    """A list was refused by the hints, and tuples are what is kept of it."""
    hints = typing.get_type_hints(congestree.scenario.Traffic)
    assert typing.get_args(hints["from_"])[:2] == (str, Sequence[str])
    built = congestree.scenario.Links.from_dict({"rate": "1 Gbit/s", "faults": {"failures": [{"link": ["a->b"]}]}})
    assert isinstance(built.faults.failures, tuple)


def test_what_is_within_is_imported_once():
    from congestree.measures import jain_index
    from congestree.opensm import files

    assert jain_index is congestree.measures.jain_index
    assert import_module("congestree.opensm.files") is import_module("congestree.formats.opensm.files") is files


def test_a_module_that_is_not_there_is_told_as_always():
    with pytest.raises(ModuleNotFoundError, match=r"congestree\.measure\b"):
        import_module("congestree.measure")
