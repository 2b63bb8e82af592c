"""HPCC compared with its authors' figures: every row has a claim, the fabric is theirs, two flows do as they say."""

import json
import tomllib
from pathlib import Path

import numpy as np
from verdicts import module

import congestree
from congestree.gallery import shipped

PAPER = "hpcc2019"
ROOT = Path(__file__).parents[2]


def test_every_row_of_the_key_is_a_claim_and_every_value_is_judged():
    texts = tomllib.loads((shipped.papers()[PAPER] / "claims.toml").read_text(encoding="utf-8"))
    key = module(PAPER, "key")
    rows = list(key.rows())
    assert [key.name(row) for row in rows] == list(texts)[: len(rows)]
    judged = {id for id, text in texts.items() if "judge" in text}
    assert {key.name(row) for row in rows if row["value"]} <= judged and len(judged) == 25 + 7


def test_the_claims_are_what_the_key_and_the_sentences_make():
    written = (shipped.papers()[PAPER] / "claims.toml").read_text(encoding="utf-8")
    assert module(PAPER, "expect").claims() == written


def test_where_no_scheme_pauses_the_statement_is_no_evidence_for_one():
    rows = json.loads((ROOT / "docs/data/hpcc2019.json").read_text(encoding="utf-8"))
    (row,) = (row for row in rows if row["id"] == "hpcc2019-no-pauses")
    said = module(PAPER, "claims").paused_with
    assert row["note"] == said(row["value"]) and "no evidence" in row["note"]
    assert said({"HPCC-INT": 0.0, "DCTCP": 0.1}) == "Ports are paused with DCTCP"
    page = " ".join((shipped.papers()[PAPER] / "README.md").read_text(encoding="utf-8").split())
    assert "Nothing is paused with HPCC, but neither with any other scheme" in page


def test_the_fabric_is_that_of_the_paper():
    graph = module(PAPER, "scenario").fabric()
    assert (len(graph["hosts"]), len(graph["switches"]), len(graph["links"])) == (320, 56, 480)
    degrees = {}
    for link in graph["links"]:
        for end in (link["a"], link["b"]):
            degrees[end] = degrees.get(end, 0) + 1
    assert {degrees[switch] for switch in graph["switches"] if switch.startswith("tor")} == {20}
    assert {degrees[switch] for switch in graph["switches"] if switch.startswith("agg")} == {8}
    assert {degrees[switch] for switch in graph["switches"] if switch.startswith("core")} == {5}


def test_round_trips_are_those_of_hpccs_simulator():
    study = module(PAPER, "study")
    links = study.ways(np.array([0, 0, 0]), np.array([15, 63, 64]))
    assert list(links) == [2, 4, 6]
    assert [round(trip * 1e9) for trip in study.trip(links, 1000)] == [4160, 8200, 12240]


def test_all_scenarios_make_sense_and_offer_the_same_flows():
    runs = module(PAPER, "runs").runs(quick=True)
    offered = set()
    for name, scenario in runs.items():
        congestree.check(scenario)
        if name.startswith("web"):
            header = int(scenario["adapters"]["header"].split()[0])
            load = scenario["traffic"][0]["arrivals"]["poisson"]["load"]
            offered.add(round(load / (1 + header * (1711250 / 1000 + 0.5) / 1711250), 9))
    assert offered == {0.5} and len(runs) == 6


def test_two_flows_share_what_is_said_without_a_queue():
    scenario = module(PAPER, "runs").runs(quick=True)["pair_r0"]
    claims = {row["id"]: row for row in module(PAPER, "claims").claims({"pair_r0": congestree.run(scenario)})}
    assert set(claims) == {"hpcc2019-two-flows-eta", "hpcc2019-two-flows-queue", "hpcc2019-newcomer"}
    assert claims["hpcc2019-two-flows-eta"]["verdict"] == "reproduced", claims
