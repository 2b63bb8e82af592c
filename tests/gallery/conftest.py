"""The quick version of the paper that a class of tests names, made once."""

import pytest

from congestree import gallery
from congestree.gallery import papers
from congestree.runs.results import scenario_hash
from congestree.runs.running import check

MADE = {}
"""The folder of each paper that was made."""


@pytest.fixture(scope="class")
def made(request, tmp_path_factory):
    paper = request.cls.paper
    MADE[paper] = out = tmp_path_factory.mktemp(paper)
    if request.cls.repeats in MADE:
        lend(MADE[request.cls.repeats], paper, out)
    return gallery.reproduce(paper, out=out, quick=True)


def lend(done, paper, out):
    """The runs of a paper are not repeated if another paper has made the same run, under any name."""
    known = {folder.name.rpartition("-")[2]: folder for folder in done.glob("runs/*")}
    (out / "runs").mkdir()
    for name, scenario in papers.module(paper, "runs").runs(quick=True).items():
        place = papers.run_folder(out, name, scenario_hash(check(scenario)["scenario"]))
        if folder := known.get(place.name.rpartition("-")[2]):
            place.symlink_to(folder)
