"""Ultra Ethernet against its key: every row has a claim, and runs that leave nothing to chance are met."""

import hashlib
import json
import re
import tomllib
from collections import Counter
from pathlib import Path

from verdicts import module

import congestree
from congestree.gallery import papers, shipped

FOLDER = shipped.papers()["uec-htsim"]
README = " ".join((FOLDER / "README.md").read_text(encoding="utf-8").split())
ADOPTED = Path(__file__).parents[2] / "docs" / "data" / "uec-htsim.json"


def test_every_row_of_the_key_is_a_claim_and_every_tail_with_a_value_is_judged():
    texts = tomllib.loads((FOLDER / "claims.toml").read_text(encoding="utf-8"))
    rows = list(module("uec-htsim", "key").rows())
    assert list(texts) == [f"{row['run_id']}/{row['metric']}" for row in rows]
    judged = {id for id, text in texts.items() if "accept" in text}
    tails = {f"{row['run_id']}/tail_fct" for row in rows if row["metric"] == "tail_fct" and row["value"]}
    assert tails <= judged and len(tails) > 50


def test_the_readme_counts_what_was_adopted():
    """It once reported four undecided rows, and two lines below two."""
    rows = [row for row in json.loads(ADOPTED.read_text(encoding="utf-8")) if row["verdict"] != "measured"]
    count = Counter(row["verdict"] for row in rows)
    near = sum(abs(row["value"] / row["target"] - 1) <= 0.05 for row in rows)
    said = (
        f"Of the {len(rows)} times that have a value, {count['reproduced']} are within a tenth of it with their whole "
        f"interval, and {count['undecided']} {'is' if count['undecided'] == 1 else 'are'} undecided; {near} means are "
        "within a twentieth."
    )
    assert said in README


LISTED = {
    "first_fct": "time of the first flow",
    "fct_spread": "time of the last flow over that of the first",
    "packets_new": "packets sent for the first time",
    "retransmissions": "packets sent again",
    "acks": "ACKs",
    "nacks": "NACKs",
    "pulls": "grants (`pulls`)",
    "rts": "requests (`rts`)",
}


def test_the_readme_counts_the_values_that_are_not_judged():
    """It once said that of all published times only one is outside, where four of the first flow are."""
    rows = [r for r in json.loads(ADOPTED.read_text(encoding="utf-8")) if r["target"] is not None]
    outside = {}
    for metric, words in LISTED.items():
        of = [row for row in rows if row["id"].endswith(f"/{metric}")]
        far = [row for row in of if abs(row["value"] - row["target"]) > 0.1 * row["target"]]
        assert f"| {words} | {len(of) - len(far)} of {len(of)} |" in README
        outside[metric] = {row["id"].partition("/")[0]: (row["value"], row["target"]) for row in far}
    assert set(outside["first_fct"]) == {"r2345", "r2372", "r2385", "r2387"}
    listed = (ADOPTED.parents[1] / "claims.md").read_text(encoding="utf-8")
    assert "| 127.9 | 313 us (2.45 × published) |" in listed
    later = sorted(100 * (here / key - 1) for here, key in outside["first_fct"].values())
    here, key = outside["first_fct"]["r2387"]
    assert f"In r2387 the key has {key:.1f} us and here it takes {here:.1f}" in README
    assert f"the first flow is {later[0]:.0f} to {later[2]:.0f} % later" in README
    (asked, key), (acks, known) = outside["rts"]["r2345"], outside["acks"]["r2345"]
    assert f"that makes {asked:,.0f} requests (`rts`) where the key has {key:,.0f}, and {acks:,.0f} ACKs" in README
    assert f"where it has {known:,.0f}." in README


def test_the_claims_are_those_that_expect_writes():
    assert (FOLDER / "claims.toml").read_text(encoding="utf-8") == module("uec-htsim", "expect").texts()


def test_judged_rows_of_one_scenario_and_one_value_are_one_fact():
    texts = tomllib.loads((FOLDER / "claims.toml").read_text(encoding="utf-8"))
    one, first, repeated = module("uec-htsim", "runs").one, {}, 0
    for id, text in texts.items():
        if "accept" in text:
            run, metric = id.split("/")
            what = (metric, text["target"], json.dumps(one(run) | {"name": ""}, sort_keys=True))
            assert text.get("same_as") == first.get(what), id
            repeated += what in first
            first.setdefault(what, id)
    assert repeated == 6 and "Six of the 55 repeat a run" in README


def test_verdicts_are_of_as_many_draws_in_every_row():
    """More of them, of rows that those left undecided, are told and not judged."""
    judge, runs = module("uec-htsim", "claims"), module("uec-htsim", "runs")
    draws = [100.0, 101.0, 102.0, 103.0, 104.0, 200.0, 202.0]
    found = judge.found(draws, 100.0)
    assert found.value.values.tolist() == draws[:5]
    assert found.note == "+2.0%; 5 seeds, 100 to 104; not judged: 7 seeds, 130.3 ± 45, +30.3%, 100 to 202"
    judged = [row for row in json.loads(ADOPTED.read_text(encoding="utf-8")) if row["verdict"] != "measured"]
    assert {len(row["seeds"]) for row in judged} == {len(runs.SEEDS)}
    told = {row["id"].partition("/")[0]: row["note"] for row in judged if "not judged" in row["note"]}
    assert set(told) == set(runs.MORE) == set(module("uec-htsim", "deviations").TESTED)
    for run, cause in module("uec-htsim", "deviations").TESTED.items():
        assert re.search(r"give (\S+ ± \S+) us", cause)[1] in told[run].partition("19 seeds, ")[2]


def test_rows_that_are_not_sure_have_their_names_in_the_figure():
    rows = json.loads(ADOPTED.read_text(encoding="utf-8"))
    figure = module("uec-htsim", "figures").FIGURES["tails"](papers.Results({}, claims=rows))
    named = {text.get_text() for text in figure.axes[0].texts}
    assert named == {f"{row['id'].partition('/')[0]}: undecided" for row in rows if row["verdict"] == "undecided"}


def test_one_flow_takes_as_long_as_published_to_the_nanosecond():
    runs, judge = module("uec-htsim", "runs").runs(), module("uec-htsim", "claims")
    results = {name: congestree.run(runs[name]) for name in ("r2383", "r2389")}
    claims = {claim["id"]: claim["value"] for claim in judge.claims(results)}
    assert abs(claims["r2383/tail_fct"] - 176.2) < 0.001
    assert (claims["r2383/acks"], claims["r2383/packets_new"], claims["r2383/retransmissions"]) == (124, 490, 0)
    assert abs(claims["r2389/tail_fct"] / 1638.08 - 1) < 0.001


def test_the_permutation_of_8192_hosts_is_the_published_one():
    key = module("uec-htsim", "key")
    lines = key.permutation(8192, 1)
    text = "".join(f"{a}->{b} id {i} start {at} size {n}\n" for i, (a, b, at, n) in enumerate(lines, 1))
    digest = hashlib.sha256(f"Nodes 8192\nConnections 8192\n{text}".encode()).hexdigest()
    assert digest == "2d17033342bae2b24337ed6b4e5d015730e3fe2503b1e17341599632cc2b282f"


def test_messages_of_a_connection_are_one_series_and_begin_when_the_key_says(tmp_path, monkeypatch):
    key = module("uec-htsim", "key")
    folder = tmp_path / "inputs/connection_matrices"
    folder.mkdir(parents=True)
    (folder / "two.cm").write_text("0->1 id 1 start 7 size 10\n0->1 id 2 start 7 size 20\n2->1 id 3 start 0 size 5\n")
    monkeypatch.setenv("CONGESTREE_UEC_KEY", str(tmp_path))
    assert key.flows({"matrix": "two.cm"}) == [(0, 1, 30, 7), (2, 1, 5, 0)]


def test_a_large_tail_is_accepted_within_a_tenth_of_both_run_sets_or_between_them():
    large = module("uec-htsim", "large")
    assert large.accepted([100.0]) == (90.0, 110.00000000000001)
    assert large.accepted([100.0, 105.0]) == (94.5, 110.00000000000001)
    assert large.accepted([100.0, 120.0]) == (100.0, 120.0)
