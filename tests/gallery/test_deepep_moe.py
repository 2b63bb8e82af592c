"""Experts on InfiniBand, the quick version: the table's beginning, and one disturbance."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import polars
import pytest
from verdicts import QuickVersion, module, texts

import congestree

ADOPTED = Path(__file__).parents[2] / "docs/data/deepep-moe.json"

TABLE = ("deepep-dispatch-32", "deepep-combine-16", "deepep-combine-32")


class TestDeepepMoe(QuickVersion):
    paper = "deepep-moe"
    firm = ("deepep-combine-8", *TABLE)

    def test_every_claim_has_a_verdict_and_a_reason_where_it_needs_one(self, made):
        """Those of larger runs are left out."""
        told = {claim["id"] for claim in made.claims}
        assert {"deepep-fixed", "deepep-control", "deepep-static", "safe-storage-static", *TABLE} <= told
        assert not {"deepep-dispatch-256", "safe-skew"} & told


def test_runs_of_the_study_differ_in_what_disturbs_control_and_routes_alone():
    runs = module("deepep-moe", "runs").runs()
    study = [scenario for name, scenario in runs.items() if name.startswith("study_")]
    assert len({str(scenario["traffic"][0]) for scenario in study if "zipf" not in str(scenario)}) == 1
    assert len({str(scenario["links"]) + str(scenario["adapters"]) for scenario in runs.values()}) == 1


def test_what_is_said_of_the_table_is_of_several_draws_of_experts():
    """One draw is within the range that others are outside of: it says nothing of the routes."""
    rows = [row for row in json.loads(ADOPTED.read_text(encoding="utf-8")) if row["id"].startswith("deepep-")]
    draws = module("deepep-moe", "runs").DRAWS
    for row in rows:
        assert lengths(row["seeds"]) == {draws}, row["id"]


def lengths(seeds):
    """How many repetitions the numbers of a value have."""
    if isinstance(seeds, dict):
        return set().union(*map(lengths, seeds.values()))
    return {len(seeds) if seeds else 1}


def ports(scenario):
    """The ports that carry packets of a scenario."""
    rows = congestree.run(scenario).table("ports")
    return set(rows.filter(rows["packets"] > 0)["port"].to_list())


@pytest.mark.parametrize(("kind", "much"), [("storage", 128), ("slow", 50)])
def test_over_static_routes_an_incast_shares_no_port_with_the_exchange(kind, much):
    """Whatever it is, the exchange takes as long: what is claimed of it cannot fail."""
    whole = module("deepep-moe", "scenario").study("whole", kind, much, "off", "static")
    exchange, *others = whole["traffic"]
    alone = ports(whole | {"traffic": [exchange]})
    disturbing = ports(whole | {"traffic": others, "measure": {"duration": "100 us"}})
    assert len(alone) == 256 and len(disturbing) > 8 and not alone & disturbing


def test_what_equals_the_quiet_fabric_in_every_case_could_not_fail():
    """Judged by parts of a row that are all 1: nothing of them depends on what disturbs."""
    for row in json.loads(ADOPTED.read_text(encoding="utf-8")):
        text = texts("deepep-moe")[row["id"]]
        if row["id"].startswith("safe-"):
            judged = [
                number
                for part in set(re.findall(r"'(o\w+, \w+)'", text["judge"]))
                for number in row["value"][part].values()
            ]
            assert (set(judged) == {1.0}) == ("cannot_fail" in text), row["id"]


def test_the_slow_link_is_that_of_the_storage_host_alone():
    scenario = module("deepep-moe", "scenario")
    links = scenario.fabric("static", "50 Gbit/s")["topology"]["graph"]["links"]
    slow = [link for link in links if {"rate", "rate_back"} & set(link)]
    assert len(links) == 512 and len(slow) == 1
    assert scenario.STORAGE in (slow[0]["a"], slow[0]["b"])
    towards = "rate" if slow[0]["b"] == scenario.STORAGE else "rate_back"
    assert slow[0][towards] == "50 Gbit/s"
    assert "routing" in scenario.fabric("adaptive", "50 Gbit/s")
    assert pytest.approx(sum(scenario.PUBLISHED["dispatch"].values())) == 909


def test_a_rank_takes_until_it_has_all_that_it_is_sent_and_the_first_exchange_is_left_out():
    """Two ranks, three exchanges; rank 1 comes 1 us late to each but the first, so that rank 0 waits for it."""
    sent = {0: (0.0, 10.0, 20.0), 1: (0.0, 11.0, 21.0)}
    rows = [
        {
            "from": rank,
            "to": 1 - rank,
            "tag": tag,
            "sent": (at + 5 * tag) * 1e-6,
            "delivered": (at + 5 * tag + 2) * 1e-6,
        }
        for rank, times in sent.items()
        for at in times
        for tag in (0, 1)
    ]
    view = module("deepep-moe", "study").View(SimpleNamespace(table=lambda name: polars.DataFrame(rows)))
    assert view.ranks["dispatch"].round(6).tolist() == [[3.0, 1.0], [3.0, 1.0]]
    assert view.took("combine") == pytest.approx(2.0)
