"""The small question, answered."""

import pytest

from congestree import tune

from .question import CROWD, ask


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    """All settings, tried."""
    return tune.tune(ask(CROWD), out=tmp_path_factory.mktemp("whole"), evaluations=100, fresh_seeds=3, workers=2)
