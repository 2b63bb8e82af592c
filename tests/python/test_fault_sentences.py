"""Links that failed, in sentences: those side by side together, each packet counted, and in good grammar."""

import congestree
from congestree.evaluation import faults, losses

PAIR = {
    "hosts": ["a", "b"],
    "switches": ["s", "t"],
    "links": [{"a": "a", "b": "s"}, {"a": "b", "b": "t"}, {"a": "s", "b": "t"}, {"a": "s", "b": "t"}],
}


def run_with(*failures, rules=None, measure=None):
    return congestree.run(
        {
            "topology": {"graph": PAIR},
            "links": {"rate": "8 Gbit/s", "delay": "1 us", "faults": {"failures": list(failures)} | (rules or {})},
            "traffic": [{"from": "a", "to": "b"}],
            "measure": {"duration": "400 us"} | (measure or {}),
        }
    )


def said(*failures):
    run = run_with(*failures)
    lost = sum(faults.rows(run)[at]["on_the_wire"] for at in range(len(faults.rows(run))))
    return faults.sentences(run), lost


def test_links_side_by_side_are_told_together():
    sentences, lost = said({"link": ["s", "t"], "at": "101 us", "until": "200 us"})
    assert lost == 1, "a packet takes 2 us, and its head 1 us"
    assert sentences[0] == "All 2 links s<->t were down from 101 us to 200 us; 1 packet was on the wire."


def test_a_link_that_fails_twice_is_told_twice_and_a_slow_one_with_its_rate():
    own = {"link": ["a", "s"]}
    sentences, _ = said(
        {**own, "at": "100 us", "until": "110 us"},
        {**own, "at": "200 us", "until": "210 us"},
        {"link": ["s", "t"], "at": "300 us", "until": "310 us", "rate": "1 Gbit/s"},
    )
    assert [sentence.startswith("a<->s was down") for sentence in sentences[:3]] == [True, True, False]
    assert sentences[2] == "All 2 links s<->t carried only 1 Gbit/s each from 300 us to 310 us."


def test_one_of_several_links_fails_alone():
    """Each is told by its number, which counts the ports of the first node."""
    for number in (1, 2):
        sentences, _ = said({"link": ["s", "t"], "number": number, "at": "101 us", "until": "200 us"})
        assert sentences[0].startswith(f"s<->t ({number}) was down from 101 us to 200 us; ")
    slow = {"link": ["t", "s"], "number": 1, "at": "100 us", "rate": "1 Gbit/s"}
    sentences, _ = said(slow, {"link": ["s", "t"], "number": 2, "at": "100 us", "until": "200 us"})
    assert sentences[0].startswith("s<->t (1) carried only 1 Gbit/s from 100 us")
    assert sentences[1].startswith("s<->t (2) was down from 100 us to 200 us")


def test_a_failure_is_that_of_both_directions():
    down = {"link": ["s", "t"], "number": 2, "at": "101 us", "until": "200 us"}
    run = run_with(down, {"link": ["a", "s"], "at": "300 us", "rate": "1 Gbit/s"})
    ends = list(zip(run.ports["from"], run.ports["to"], strict=True))
    second = [max(port for port, way in enumerate(ends) if way == of) for of in (("s", "t"), ("t", "s"))]
    assert faults.of_ports(run) == [
        {"ports": second, "begin": 101e-6, "end": 200e-6, "down": True},
        {"ports": [ends.index(("a", "s")), ends.index(("s", "a"))], "begin": 300e-6, "end": 400e-6, "down": False},
    ]


def test_some_of_several_links_are_not_all_of_them(monkeypatch):
    monkeypatch.setitem(PAIR, "links", [*PAIR["links"], {"a": "s", "b": "t"}])
    sentences, _ = said(*({"link": ["s", "t"], "number": number, "at": "101 us"} for number in (1, 3)))
    assert sentences[0].startswith("2 of 3 links s<->t were down from 101 us")


def test_a_flow_is_stopped_though_packets_beyond_the_link_still_arrive():
    """When its first link fails, one is beyond it. Near the end of a run, what arrives may be all that can."""
    stopped = "Nothing comes in of a->b since a link went down last, though packets wait."
    sentences, _ = said({"link": ["a", "s"], "at": "101 us"})
    assert sentences[2] == stopped
    near_the_end, _ = said({"link": ["a", "s"], "at": "395 us"})
    assert stopped not in near_the_end
    used = [stopped in said({"link": ["s", "t"], "number": number, "at": "101 us"})[0] for number in (1, 2)]
    assert sorted(used) == [False, True], "one of the two links is not on its way"


def test_a_failure_without_an_end_lasts_until_the_run_ends():
    """A host that is cut off for good is not told to be so for a time."""
    sentences, _ = said({"link": ["a", "s"], "at": "101 us"}, {"link": ["b", "t"], "at": "110 us", "until": "200 us"})
    assert sentences[0].startswith("a<->s was down from 101 us to the end of the run; ")
    assert sentences[1].startswith("b<->t was down from 110 us to 200 us; ")
    assert sentences[2:4] == ["Cut off for a time: b.", "Cut off until the end of the run: a."]
    slow, _ = said({"link": ["a", "s"], "at": "101 us", "keeps": 0.5})
    assert slow == ["a<->s carried only 4 Gbit/s from 101 us to the end of the run."]


def test_numbers_that_count_the_warm_up_differ_from_those_that_do_not_and_both_say_so():
    failure = {"link": ["b", "t"], "at": "50 us", "until": "250 us"}
    run = run_with(failure, rules={"head_of_queue_lifetime": "10 us"}, measure={"warm_up": "200 us"})
    (row,), (port,) = faults.rows(run), losses.rows(run)
    assert row["discarded"] > port["dropped"] > 0
    assert faults.sentences(run)[0].endswith(
        f"{row['discarded']} packets that waited for it were dropped (during the warm-up, too)."
    )
    assert losses.sentences(run) == [f"After the warm-up of 200 us, {port['dropped']} packets were lost at t->b."]
    later = run_with({**failure, "at": "210 us"}, measure={"warm_up": "200 us"})
    assert "warm-up" not in faults.sentences(later)[0], "everything counts after it"


def failing(count, every=20, first=10, link=("a", "s")):
    """A link that is down for 5 us again and again."""
    starts = [first + every * number for number in range(count)]
    return [{"link": list(link), "at": f"{at} us", "until": f"{at + 5} us"} for at in starts]


def test_five_failures_are_told_one_by_one_and_more_together_with_what_they_cost():
    exactly = run_with(*failing(faults.FEW))
    told = faults.sentences(exactly)
    assert [sentence.startswith("a<->s was down") for sentence in told] == [True] * 5 + [False] * (len(told) - 5)
    assert not any("more failures" in sentence for sentence in told)
    # Over a link that drops what waits for it, more than what was on the wire is lost.
    rules = {"head_of_queue_lifetime": "2 us"}
    run = run_with(*failing(faults.FEW + 3, link=("b", "t")), rules=rules)
    last = faults.rows(run)[faults.FEW :]
    lost = sum(row["on_the_wire"] + row["discarded"] for row in last)
    assert sum(row["discarded"] for row in last) > 0 and sum(row["on_the_wire"] for row in last) > 0
    assert faults.sentences(run)[faults.FEW] == f"3 more failures cost {lost} packets."


def test_one_of_the_further_failures_during_the_warm_up_is_enough_to_say_so():
    """The sixth begins before its end, and the seventh does not."""
    run = run_with(*failing(7), measure={"warm_up": "120 us"})
    lost = [row["on_the_wire"] + row["discarded"] for row in faults.rows(run)]
    assert lost[5] and lost[6] and faults.rows(run)[5]["started"] < 120e-6 < faults.rows(run)[6]["started"]
    said = f"2 more failures cost {lost[5] + lost[6]} packets (during the warm-up, too)."
    assert faults.sentences(run)[faults.FEW] == said
    early = run_with(*failing(7), measure={"warm_up": "100 us"})
    assert faults.sentences(early)[faults.FEW] == said.replace(" (during the warm-up, too)", "")


def test_of_two_links_that_fail_in_the_warm_up_only_one_loses_packets():
    """Together they are told as one failure, and alone the other has nothing that would count from the start."""
    down, measure = {"link": ["s", "t"], "at": "101 us", "until": "120 us"}, {"warm_up": "110 us"}
    run = run_with(down, measure=measure)
    assert sorted(row["on_the_wire"] for row in faults.rows(run)) == [0, 1]
    assert faults.sentences(run)[0].endswith("1 packet was on the wire (during the warm-up, too).")
    alone = [faults.sentences(run_with({**down, "number": number}, measure=measure))[0] for number in (1, 2)]
    ends = sorted(sentence.partition("; ")[2] for sentence in alone)
    assert ends == ["0 packets were on the wire.", "1 packet was on the wire (during the warm-up, too)."]


def test_five_names_are_all_told():
    names = ["a", "b", "c", "d", "e"]
    assert faults._few(names) == "a, b, c, d, e"
    assert faults._few([*names, "f"]) == "a, b, c, d, e and 1 more"


def test_with_a_share_of_zero_no_link_fails_and_the_tables_of_failures_are_there():
    """It may stand on an axis beside others of other entries."""
    none, some = {"share": 0.0, "at": "10 us"}, {"share": 1.0, "at": "100 us", "until": "200 us"}
    for reroute in ("none", {"subnet-manager": {"delay": "10 us"}}):
        run = run_with(none, rules={"reroute": reroute})
        whole = congestree.run(run.scenario | {"links": run.scenario["links"] | {"faults": None}})
        assert run.fingerprint == whole.fingerprint
        assert run.arrow("faults").num_rows == 0 and faults.sentences(run) == []
        assert [run.value(name) for name in ("faults", "on_the_wire", "hosts_cut_off", "flows_stopped")] == [0] * 4
        assert "stopped" in run.flows.columns
    both, alone = run_with(some, none), run_with(some)
    assert both.fingerprint == alone.fingerprint != whole.fingerprint and both.value("faults") == 2
