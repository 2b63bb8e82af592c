"""What was computed for the tests of one file is forgotten with it; `on_path` is there for all of them."""

import on_path  # noqa: F401
import pytest


@pytest.fixture(scope="module", autouse=True)
def forgotten():
    """The results of the twin, and what was compared, are kept for the tests of one file."""
    from comparing import check_once, twin_says

    yield
    twin_says.cache_clear()
    check_once.cache_clear()
