"""Every scheme on one fabric, the quick version: each has its row, and what sets them apart is there."""

import re

import pytest
from verdicts import QuickVersion

from congestree.data.gallery.every_scheme import runs
from congestree.data.gallery.every_scheme.scenario import FAIR
from congestree.data.gallery.every_scheme.schemes import CASES


@pytest.fixture
def rows(made):
    found = {claim["id"].removeprefix("every-"): claim["value"] for claim in made.claims}
    return {case: found[case] for case in CASES}


class TestEveryScheme(QuickVersion):
    paper = "every-scheme"
    firm = ("every-alone-blocks", "every-isolation-frees", "every-isolation-parking-lot")
    part_of_full = False

    def test_flow_control_alone_gives_the_victim_what_a_far_sender_has(self, rows):
        """Three inputs share the hot link at its switch, one of them for six senders: a third of it, over six."""
        for case in ("credits-none", "credits-none-fifo", "pfc-none"):
            incast = rows[case]["incast"]
            assert incast["far part"] == pytest.approx(1 / 3, rel=0.03)
            assert incast["victim"] == pytest.approx(incast["hot link"] / 18, rel=0.05)
            assert incast["notices"] == 0
        assert rows["pfc-none"]["incast"]["pauses"] > 100
        assert rows["credits-none"]["incast"]["pauses"] == 0

    def test_setting_aside_frees_the_victim_and_leaves_the_parking_lot(self, rows):
        for case in ("credits-fbicm", "credits-hfdi", "credits-voqnet", "pfc-hfdi"):
            assert rows[case]["incast"]["victim"] > FAIR - 0.05
            assert rows[case]["incast"]["far part"] == pytest.approx(1 / 3, rel=0.03)

    def test_links_lose_where_they_are_lossy_and_nowhere_else(self, rows):
        for case, (links, _) in CASES.items():
            if links in ("credits", "pfc"):
                assert rows[case]["incast"]["dropped"] == rows[case]["exchange"]["dropped"] == 0, case
        assert rows["drop-go-back"]["incast"]["dropped"] > 0.1
        assert rows["drop-irn"]["incast"]["resent"] > 0

    def test_spraying_gives_a_victim_more_than_one_way_has(self, rows):
        for case in ("credits-nscc", "pfc-rccc", "trim-both"):
            assert rows[case]["incast"]["victim"] > FAIR + 0.1


def test_runs_differ_only_in_what_a_scheme_needs():
    named = runs.runs(quick=True)
    for kind in ("incast", "exchange"):
        alike = [scenario for name, scenario in named.items() if name.startswith(kind)]
        assert len(alike) == len(CASES)
        assert len({str(scenario["traffic"]) for scenario in alike}) == 1
        assert len({str(scenario["topology"]) for scenario in alike}) == 1
    memory = {str(re.findall(r"'(?:buffer|output_queue)': '(\d+ KiB)'", str(s["switches"]))) for s in named.values()}
    assert memory == {"['128 KiB']", "['32 KiB']"}  # the latter for each destination (VOQnet)


def test_every_change_that_was_tried_is_one_of_a_case_and_makes_sense():
    import congestree
    from congestree.data.gallery.every_scheme import changes, claims

    for change in changes.CHANGES:
        assert change.claim in claims.CLAIMS.texts
        assert change.column in claims.MEASURES[change.kind]
        before = changes.scenario(change, 1)
        resolved, changed = (
            dict(leaves(congestree.check(before, values=values)["scenario"])) for values in ({}, change.values)
        )
        differ = {path for path in resolved | changed if resolved.get(path) != changed.get(path)}
        assert 1 <= len(differ) <= 2, (change, differ)


def leaves(tree, path=""):
    """Every value of a scenario with its path."""
    if not isinstance(tree, dict):
        return [(path, str(tree))]
    return [leaf for key, branch in tree.items() for leaf in leaves(branch, f"{path}.{key}")]
