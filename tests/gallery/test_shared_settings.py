"""Changes of a scenario do not affect others: settings that several share stay as written, however many are made."""

import json
import subprocess
import sys

import pytest

from congestree.gallery import shipped

CHECK = """
import copy, importlib, json, pkgutil, sys
def settings(modules):
    return {f"{m.__name__}.{key}": value for m in modules for key, value in vars(m).items()
            if key.isupper() and isinstance(value, (dict, list))}
def changed(name):
    paper = importlib.import_module("congestree.data.gallery." + name.replace("-", "_"))
    names = {part.name for part in pkgutil.iter_modules(paper.__path__)} - {"claims", "figures", "tried"}
    modules = [importlib.import_module(f"{paper.__name__}.{name}") for name in sorted(names)]
    before = copy.deepcopy(settings(modules))
    runs = next(m for m in modules if m.__name__.endswith(".runs")).runs
    for quick in (True, False):
        runs(quick)
    return [key for key, value in settings(modules).items() if value != before[key]]
print(json.dumps({name: changed(name) for name in sys.argv[1:]}))
"""


@pytest.fixture(scope="module")
def changed():
    """By paper: the settings that making its scenarios has changed, in a process of its own."""
    command = [sys.executable, "-c", CHECK, *shipped.papers()]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("paper", shipped.papers())
def test_making_scenarios_leaves_what_they_share_as_it_is(paper, changed):
    """A scenario of `hpcc2019` once wrote its parameters into the table of schemes, from which others took them."""
    assert changed[paper] == []
