"""Modules are imported by the names that the reference gives them, wherever their files are."""

import sys
from importlib import import_module

import pytest

import congestree


@pytest.mark.parametrize("name", congestree._MODULES)
def test_a_module_is_imported_by_its_documented_name(name):
    module = import_module(f"congestree.{name}")
    assert module is getattr(congestree, name)
    assert module.__spec__.name == module.__name__ and sys.modules[module.__name__] is module


def test_what_is_within_is_imported_once():
    from congestree.measures import jain_index
    from congestree.opensm import files

    assert jain_index is congestree.measures.jain_index
    assert import_module("congestree.opensm.files") is import_module("congestree.formats.opensm.files") is files


def test_a_module_that_is_not_there_is_told_as_always():
    with pytest.raises(ModuleNotFoundError, match=r"congestree\.measure\b"):
        import_module("congestree.measure")
