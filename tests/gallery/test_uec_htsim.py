"""Ultra Ethernet against its key: every row has a claim, and runs that leave nothing to chance are met."""

import tomllib

from verdicts import module

import congestree
from congestree.gallery import shelf

FOLDER = shelf.papers()["uec-htsim"]


def test_every_row_of_the_key_is_a_claim_and_every_tail_with_a_value_is_judged():
    texts = tomllib.loads((FOLDER / "claims.toml").read_text(encoding="utf-8"))
    rows = list(module("uec-htsim", "key").rows())
    assert list(texts) == [f"{row['run_id']}/{row['metric']}" for row in rows]
    judged = {id for id, text in texts.items() if "accept" in text}
    tails = {f"{row['run_id']}/tail_fct" for row in rows if row["metric"] == "tail_fct" and row["value"]}
    assert tails <= judged and len(tails) > 50


def test_one_flow_takes_as_long_as_published_to_the_nanosecond():
    runs, judge = module("uec-htsim", "runs").runs(), module("uec-htsim", "claims")
    results = {name: congestree.run(runs[name]) for name in ("r2383", "r2389")}
    claims = {claim["id"]: claim["value"] for claim in judge.claims(results)}
    assert abs(claims["r2383/tail_fct"] - 176.2) < 0.001
    assert (claims["r2383/acks"], claims["r2383/packets_new"], claims["r2383/retransmissions"]) == (124, 490, 0)
    assert abs(claims["r2389/tail_fct"] / 1638.08 - 1) < 0.001
