"""The twin and the generator of scenarios are plain folders: put them on the path."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]


@pytest.fixture(scope="module", autouse=True)
def forgotten():
    """The results of the twin, and what was compared, are kept for the tests of one file."""
    from comparing import check_once, twin_says

    yield
    twin_says.cache_clear()
    check_once.cache_clear()
