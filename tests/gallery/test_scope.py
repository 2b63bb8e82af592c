"""Paper IV on 72 hosts: every claim gets a verdict, those independent of the size hold, every figure is drawn."""

import json

import pytest
from verdicts import check_verdicts, module, not_holding, texts

from congestree import gallery
from congestree.runs.running import check
from congestree.studies import pool

PAPER = "gran2012-scope"

FIRM = {
    "p4-table2-hot-off-hot",
    "p4-table2-hot-off-nonhot",
    "p4-table2-hot-on-nonhot",
    "p4-sA-nonhot-gain",
    "p4-fig5a-peak1530",
    "p4-sB-always-better",
    "p4-s3b-qp-needed",
    "p4-frame1-budget",
    "p4-s3-tree-kinds",
}
"""What holds on a small network, too: who gains, and by what order."""


def test_seeds_with_and_without_congestion_control_are_those_of_other_places(monkeypatch):
    """The last may have one run only; without an earlier one, all later seeds would stand in another place."""
    study = module(PAPER, "study").Study
    monkeypatch.setattr(study, "view", int)
    runs = {f"windy_p-1_cc-{cc}_x-2_r{rep}": rep for cc in ("on", "off") for rep in range(3)}
    del runs["windy_p-1_cc-on_x-2_r2"]
    ((on, off),) = study(runs).grid("windy", float).values()
    assert on.values.tolist() == off.values.tolist() == [0, 1]
    del runs["windy_p-1_cc-off_x-2_r0"]
    with pytest.raises(LookupError):
        study(runs).grid("windy", float)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    out = tmp_path_factory.mktemp(PAPER)
    runs = module(PAPER, "runs")
    folders, jobs = {}, []
    for name, scenario in runs.at(runs.SMALL).items():
        folders[name] = out / name
        jobs.append(pool.Job(check(scenario)["scenario"], folders[name], name))
    pool.refuse_failures(pool.execute(jobs))
    return gallery.Results(folders)


@pytest.fixture(scope="module")
def claims(results):
    return [gallery.tidy(claim) for claim in module(PAPER, "claims").claims(results)]


def test_every_claim_has_a_verdict_that_names_its_level(claims):
    listed = texts(PAPER)
    check_verdicts(claims, listed)
    for claim in claims:
        assert claim["value"] is not None, claim["id"]
        assert json.dumps(claim["value"]), claim["id"]
        if listed[claim["id"]]["check"] == "sim":
            assert "small level: 72 hosts" in claim["reason"], claim["id"]


def test_what_does_not_depend_on_the_size_holds(claims):
    assert not_holding(claims, texts(PAPER), FIRM) == {}


def test_every_figure_is_drawn(results, tmp_path):
    for name, draw in module(PAPER, "figures").FIGURES.items():
        draw(results).savefig(tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").stat().st_size > 10_000


def test_every_quick_run_is_one_of_the_full_ones_and_every_run_has_a_figure():
    full, quick = module(PAPER, "runs").runs(), module(PAPER, "runs").runs(quick=True)
    assert all(full[name] == scenario for name, scenario in quick.items())
    needs = tuple(beginning for needed in module(PAPER, "figures").NEEDS.values() for beginning in needed)
    assert [name for name in full if not name.startswith(needs)] == []


def test_roles_are_dealt_evenly_and_nobody_contributes_to_itself():
    place = module(PAPER, "placement").place
    for seed in range(1, 30):
        placed = place(648, 8, 0.25, 0.2, seed)
        assert len(set(placed.hot)) == 8
        for subsets, total in ((placed.both, 162), (placed.contributors, 389)):
            sizes = [len(members) for members in subsets]
            assert sum(sizes) == total
            assert max(sizes) - min(sizes) <= 1
            assert all(hot not in members for hot, members in zip(placed.hot, subsets, strict=True))
        everybody = sum(placed.both + placed.contributors, placed.others)
        assert sorted(everybody) == list(range(648))


def test_hot_hosts_that_move_are_distinct_in_every_slot():
    slots = module(PAPER, "placement").place(648, 8, 0, 0.2, 1, slots=100).hot
    assert len(slots) == 100
    assert all(len(set(slot)) == 8 for slot in slots)
    assert len({tuple(slot) for slot in slots}) == 100
