"""What a scenario says to no effect, where a name or a formula stands for many hosts or links."""

import warnings

import pytest

import congestree
from congestree.notes import too_late, without_effect
from congestree.runs import running

CLOS = {
    "topology": {"clos": {"down": [2, 2], "up": [1], "rates": ["10 Gbit/s", "20 Gbit/s"], "delays": ["1 us", "2 us"]}},
    "links": {"rate": "40 Gbit/s", "delay": "3 us"},
    "traffic": [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.5}}}],
    "measure": {"duration": "10 us"},
}
STAGGERED = {
    "topology": {"two-switch": {"local": 12, "remote": 2}},
    "links": {"rate": "8 Gbit/s"},
    "traffic": [{"from": "local", "to": "B_C", "stagger": "20 us"}],
    "measure": {"duration": "100 us"},
}


def overruled(**values):
    return without_effect.overruled(congestree.check(CLOS, values=values)["scenario"])


def test_rates_and_delays_of_levels_leave_none_to_the_links():
    rate, delay = overruled()
    assert rate.startswith("links.rate = 40 Gbit/s has no effect") and "10 Gbit/s, 20 Gbit/s from the hosts up" in rate
    assert delay.startswith("links.delay = 3 us has no effect") and "change topology.clos.delays" in delay
    runs = [congestree.run(CLOS, values={"links.rate": rate}) for rate in ("1 Gbit/s", "40 Gbit/s")]
    assert runs[0].fingerprint["trajectory"] == runs[1].fingerprint["trajectory"]


def test_a_level_that_has_it_or_levels_without_values_are_not_told():
    assert [said.split()[0] for said in overruled(**{"links.rate": "20 Gbit/s"})] == ["links.delay"]
    assert overruled(**{"topology": {"clos": {"down": [2, 2], "up": [1]}}}) == []


def test_a_sweep_over_a_rate_that_no_level_has_is_told(tmp_path):
    over = {"links.rate": ["10 Gbit/s", "40 Gbit/s"]}
    with pytest.warns(congestree.errors.Note, match=r"varies nothing: links\.rate = 40 Gbit/s has no effect"):
        congestree.sweep(CLOS, over=over, out=tmp_path / "a", workers=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", congestree.errors.Note)
        over = {"topology.clos.rates": [["10 Gbit/s", "20 Gbit/s"], ["5 Gbit/s", "5 Gbit/s"]]}
        congestree.sweep(CLOS, over=over, out=tmp_path / "b", workers=1)


def late(senders, **values):
    """Traffic of these senders that may start after the end of the run."""
    answer = congestree.check(STAGGERED, values={"traffic.0.from": senders, **values})
    groups = running.network(STAGGERED, routes=False)["groups"]
    return too_late.sentences(answer["scenario"], answer["facts"]["hosts"], lambda: groups)


def test_a_group_of_hosts_counts_as_its_hosts():
    """It counted as one host, which starts at once; the last of twelve would start at 220 us."""
    alike = [late(senders) for senders in ("local", ["local"], [f"B_{number + 1}" for number in range(12)])]
    assert alike[0] == alike[1] == alike[2] and "may lack some of its sources: stagger = 20 us" in alike[0][0]
    # The last of both groups starts at 13 x 20 us, and that of five hosts at 80 us.
    assert not late(["local", "remote"], **{"measure.duration": "261 us"})
    assert late(["local", "remote"], **{"measure.duration": "260 us"})
    assert not late([f"B_{number + 1}" for number in range(5)])
    assert not late("B_1")


def test_check_counts_them_so(congestree_cli, tmp_path):
    (tmp_path / "staggered.json").write_text(congestree.document.to_json(STAGGERED))
    assert "may lack some of its sources" in congestree_cli("check", "staggered.json").stderr
    assert congestree_cli("check", "staggered.json", "--set", "measure.duration=221 us").stderr == ""
