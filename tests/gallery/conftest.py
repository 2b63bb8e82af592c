"""The quick version of the paper that a class of tests names, made once."""

from pathlib import Path

import pytest

from congestree import gallery


def pytest_collection_modifyitems(items):
    """All tests of a file go to one worker: what they share takes long to make, and would be made in each."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


@pytest.fixture(scope="class")
def made(request, tmp_path_factory):
    paper = request.cls.paper
    return gallery.reproduce(paper, out=tmp_path_factory.mktemp(paper), quick=True)
