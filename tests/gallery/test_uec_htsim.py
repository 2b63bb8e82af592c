"""Ultra Ethernet against its key: every row has a claim, and runs that leave nothing to chance are met."""

import hashlib
import json
import tomllib
from collections import Counter
from pathlib import Path

from verdicts import module

import congestree
from congestree.gallery import papers, shipped

FOLDER = shipped.papers()["uec-htsim"]
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
    assert said in " ".join((FOLDER / "README.md").read_text(encoding="utf-8").split())


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
