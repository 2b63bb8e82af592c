"""The quick version of the paper that a class of tests names, made once."""

import pytest

from congestree import gallery


@pytest.fixture(scope="class")
def made(request, tmp_path_factory):
    paper = request.cls.paper
    return gallery.reproduce(paper, out=tmp_path_factory.mktemp(paper), quick=True)
