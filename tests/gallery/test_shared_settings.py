"""Changes of a scenario do not affect others: settings that several share stay as written, however many are made."""

import subprocess
import sys

import pytest

from congestree.gallery import shipped

CHECK = """
import copy, importlib, pkgutil, sys
paper = importlib.import_module("congestree.data.gallery." + sys.argv[1].replace("-", "_"))
names = {part.name for part in pkgutil.iter_modules(paper.__path__)} - {"claims", "figures", "tried"}
modules = [importlib.import_module(f"{paper.__name__}.{name}") for name in sorted(names)]
def settings():
    return {(m.__name__, key): value for m in modules for key, value in vars(m).items()
            if key.isupper() and isinstance(value, (dict, list))}
before = copy.deepcopy(settings())
runs = next(m for m in modules if m.__name__.endswith(".runs")).runs
for quick in (True, False):
    runs(quick)
changed = [key for key, value in settings().items() if value != before[key]]
sys.exit(f"changed by making scenarios: {changed}" if changed else 0)
"""


@pytest.mark.parametrize("paper", shipped.papers())
def test_making_scenarios_leaves_what_they_share_as_it_is(paper):
    """A scenario of `hpcc2019` once wrote its parameters into the table of schemes, from which others took them."""
    done = subprocess.run([sys.executable, "-c", CHECK, paper], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
