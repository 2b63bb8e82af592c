"""Names, ranks and verdicts of the gallery, without a run."""

import numpy as np
import pytest

from congestree.data.gallery.common.judge import Finding, plain, reason, verdict
from congestree.data.gallery.common.names import name, parse
from congestree.data.gallery.common.study import spearman
from congestree.data.gallery.hp_common.scenario import controlled, two_switch
from congestree.data.gallery.hp_common.study import Sample


def test_a_name_is_read_back():
    assert parse(name("fig5", 2, L=10, thr="none", buf=4)) == ("fig5", {"L": 10, "thr": "none", "buf": 4}, 2)
    assert parse(name("fig8a", 0, fn="lipd", on="0.05")) == ("fig8a", {"fn": "lipd", "on": 0.05}, 0)


def test_spearman_is_the_correlation_of_ranks():
    assert spearman([1, 2, 3, 4], [10, 20, 30, 35]) == pytest.approx(1)
    assert spearman([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)
    assert spearman([1, 2, 3, 4], [1, 1, 1, 1]) == 0
    assert spearman([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]) == pytest.approx(0.8)


def test_a_sample_is_its_mean_and_says_its_spread():
    sample = Sample([0.15, 0.16, 0.17])
    assert float(sample) == pytest.approx(0.16)
    assert sample.spread() == "deterministic start 0.15, random starts 0.16 to 0.17"


@pytest.mark.parametrize(
    ("text", "holds", "expected"),
    [
        ({"check": "sim", "accept": "x > 1"}, True, "reproduced"),
        ({"check": "sim", "accept": "x > 1"}, np.False_, "not reproduced"),
        ({"check": "analytic", "accept": "x > 1"}, True, "analytic"),
        ({"check": "analytic", "accept": "x > 1"}, False, "not reproduced"),
        ({"check": "sim", "measure_only": True}, None, "measured"),
    ],
)
def test_a_verdict_follows_from_check_and_finding(text, holds, expected):
    assert verdict(text, Finding(1.0, holds)) == expected


def test_what_is_not_reproduced_says_why():
    text = {"check": "sim", "accept": "x > 1", "deviation": "The buffer is too small."}
    assert reason(text, Finding(1.0, False, "one run")) == "The buffer is too small. one run"


def test_values_become_plain():
    assert plain({4: np.float64(1 / 3), "a": np.array([1, 2])}) == {"4": 0.333333, "a": [1, 2]}


def test_flows_start_in_order_locals_first():
    scenario = two_switch(3, 2, dynamic=1, mean_on_ms=1, victim=None)
    assert [(t["name"], t["start"]) for t in scenario["traffic"]] == [
        ("local", "0 us"),
        ("local-dynamic", "200 us"),
        ("remote", "300 us"),
        ("remote-dynamic", "400 us"),
        ("victim", "500 us"),
    ]


def test_a_policy_has_a_short_name():
    assert controlled("io8") == {"mark": {"input-output-triggered": {"output_threshold": 8}}, "react": "lipd"}
    with pytest.raises(ValueError, match="unknown"):
        controlled("unknown")
