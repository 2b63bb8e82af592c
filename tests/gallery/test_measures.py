"""Names, ranks and verdicts of the gallery, without a run."""

import json

import numpy as np
import pytest

from congestree.data.gallery.common.judge import (
    BOTH_SIDES,
    OLDER,
    Claims,
    Finding,
    again,
    judged,
    plain,
    reason,
    repetitions,
    verdict,
    with_repetitions,
)
from congestree.data.gallery.common.names import name, parse
from congestree.data.gallery.common.study import Missing, Study, spearman
from congestree.data.gallery.hp_common.scenario import controlled, two_switch
from congestree.data.gallery.hp_common.study import Sample
from congestree.gallery import papers


def test_a_name_is_read_back():
    assert parse(name("fig5", 2, L=10, thr="none", buf=4)) == ("fig5", {"L": 10, "thr": "none", "buf": 4}, 2)
    assert parse(name("fig8a", 0, fn="lipd", on="0.05")) == ("fig8a", {"fn": "lipd", "on": 0.05}, 0)


def test_spearman_is_the_correlation_of_ranks():
    assert spearman([1, 2, 3, 4], [10, 20, 30, 35]) == pytest.approx(1)
    assert spearman([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)
    assert spearman([1, 2, 3, 4], [1, 1, 1, 1]) == 0
    assert spearman([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]) == pytest.approx(0.8)
    # Ties at their mean rank: 1, 2.5, 2.5, 4 and 1, 2, 3, 4, covariance 4.5 and variances 4.5 and 5.
    assert spearman([1, 7, 7, 9], [1, 2, 3, 4]) == pytest.approx(4.5 / (4.5 * 5) ** 0.5)


@pytest.mark.parametrize("order", [[3.09, 3.17, 3.55, 3.25], [3.09, 3.06, 3.36, 3.56]])
def test_a_correlation_of_eight_tenths_is_not_below_eight_tenths(order):
    """Two orders of starts in Paper II, for which claims.toml requires x >= 0.8."""
    assert spearman(range(4), order) >= 0.8


def test_a_sample_is_its_mean_and_says_its_spread():
    sample = Sample([0.15, 0.16, 0.17])
    assert float(sample) == pytest.approx(0.16)
    assert sample.spread() == "deterministic start 0.15, random starts 0.16 to 0.17"


JUDGED = {"accept": "> 1", "judge": "x > 1"}


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ({"check": "sim"} | JUDGED, 2.0, "reproduced"),
        ({"check": "sim"} | JUDGED, np.float64(0.5), "not reproduced"),
        ({"check": "sim"} | JUDGED, Sample([0.9, 1.3, 1.1]), "undecided"),
        ({"check": "sim", "cannot_fail": "By construction."} | JUDGED, 2.0, "cannot fail here"),
        ({"check": "sim", "cannot_fail": "By construction."} | JUDGED, 0.5, "not reproduced"),
        ({"check": "analytic"} | JUDGED, 2.0, "analytic"),
        ({"check": "analytic"} | JUDGED, 0.5, "not reproduced"),
        ({"check": "external"} | JUDGED, 2.0, "external"),
        ({"check": "sim", "measure_only": True}, 2.0, "measured"),
    ],
)
def test_a_verdict_follows_from_check_and_judgement(text, value, expected):
    assert verdict(text, judged(text, value)) == expected


def test_what_is_not_reproduced_says_why():
    text = {"check": "sim", "deviation": "The buffer is too small."} | JUDGED
    assert reason(text, "not reproduced", "one run") == "The buffer is too small. one run"
    assert reason(text, "reproduced", "one run") == "one run"
    assert reason(text, "undecided", "one run") == f"{BOTH_SIDES}. one run"
    assert reason(text | {"open": "More seeds"}, "undecided", "one run") == "More seeds. one run"
    assert reason(text | {"cannot_fail": "By construction"}, "cannot fail here", "") == "By construction"


def test_a_row_is_stored_with_its_seeds_and_judged_again():
    value = {"a": Sample([1.1, 1.2, 1.3]), "b": [2, Sample([3.0, 3.5])], "c": 4}
    seeds = repetitions(value)
    assert seeds == {"a": [1.1, 1.2, 1.3], "b": [None, [3.0, 3.5]], "c": None}
    back = with_repetitions(plain(value), seeds)
    assert (back["a"].values.tolist(), back["b"][0], back["c"]) == ([1.1, 1.2, 1.3], 2, 4)
    row = {"value": plain(value), "seeds": seeds, "verdict": "reproduced", "reason": "three seeds"}
    text = {"check": "sim", "accept": "", "judge": "'a' > 0.9"}
    assert again(text, row) == ("reproduced", "1.2 ± 0.25 > 0.9 (a)", "three seeds")
    assert again(text | {"judge": "'a' > 1.1"}, row)[0] == "undecided"
    assert again(text | {"judge": "'d' > 1.1"}, row) == ("measured", None, f"{OLDER}. three seeds")
    refuted = again(text | {"judge": "'a' > 2", "deviation": "Too small"}, row)
    assert refuted == ("not reproduced", "1.2 ± 0.25 > 2 (a)", "Too small. three seeds")


def evaluated(folder, formula, value):
    """The rows of one claim with this formula, whose check finds this value."""
    (folder / "claims.toml").write_text(f'[one]\ncheck = "sim"\naccept = ""\njudge = "{formula}"\n', encoding="utf-8")
    claims = Claims(folder, lambda results: results)
    claims.check("one")(lambda study: Finding(value))
    return claims.evaluate(papers.Results({}))


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize("value", [NAN, INF, None, Sample([2.0, NAN]), Sample([2.0, 2.1, INF]), [2.0, INF]])
@pytest.mark.parametrize("formula", ["x > 1", "not x > 1"])
def test_no_number_is_not_reproduced_at_the_run_and_on_the_page(tmp_path, formula, value):
    (row,) = evaluated(tmp_path, formula, value)
    assert row["verdict"] == "not reproduced"
    stored = json.loads(json.dumps(papers.tidy(row), allow_nan=False))
    text = {"check": "sim", "accept": "", "judge": formula}
    assert again(text, stored) == (row["verdict"], row["decides"], row["reason"])


def test_what_has_no_repetitions_stores_none():
    for value in (4, Sample([4.0]), {"a": 4, "b": Sample([4.0])}, [1, 2], {"a": [1, {"b": 2}]}):
        assert repetitions(value) is None
    with pytest.raises(ValueError, match="shorter"):
        with_repetitions([1.0, 2.0], [[1.0, 1.1]])


def test_a_row_with_a_note_has_the_words_of_today():
    text = {"check": "sim", "accept": "", "judge": "x > 2", "deviation": "Two of three seeds are below"}
    row = {"value": 1.5, "verdict": "not reproduced", "reason": "One seed is below. us", "note": "us"}
    assert again(text, row) == ("not reproduced", "1.5 > 2", "Two of three seeds are below. us")
    assert again(text | {"judge": "x > 1"}, row) == ("reproduced", "1.5 > 1", "us")


def test_arithmetic_with_samples_is_by_repetition():
    a, b = Sample([1.0, 2.0, 3.0]), Sample([2.0, 2.0, 6.0])
    assert (a / b).values.tolist() == [0.5, 1.0, 0.5]
    assert (1 - a).values.tolist() == [0.0, -1.0, -2.0]
    assert (6 / a).values.tolist() == [6.0, 3.0, 2.0]
    assert (-a).values.tolist() == [-1.0, -2.0, -3.0]
    assert (np.float64(2) * a).values.tolist() == [2.0, 4.0, 6.0]
    assert (a - Sample([1.0])).values.tolist() == [0.0, 1.0, 2.0]
    assert (a + Sample([1.0, 1.0])).values.tolist() == [2.0, 3.0]
    assert max(a, b) is b
    assert f"{a:.1f}" == "2.0"


def test_repetitions_of_two_runs_are_paired_by_their_number():
    """A run whose second repetition is missing has no third either: it would stand beside the second of another."""

    class Numbers(Study):
        view = int

    study = Numbers({"a_r0": 1, "a_r1": 2, "a_r2": 3, "b_r0": 1, "b_r2": 3, "c_r1": 2, "d_r1": 5, "d_r0": 4})
    assert (study.sample("a", float) - study.sample("d", float)).values.tolist() == [-3.0, -3.0]
    for family in ("b", "c", "e"):
        with pytest.raises(Missing):
            study.sample(family, float)


def test_values_become_plain():
    assert plain({4: np.float64(1 / 3), "a": np.array([1, 2])}) == {"4": 1 / 3, "a": [1, 2]}


@pytest.mark.parametrize("value", [0.02000004, {"a": Sample([0.02000004, 0.02000004])}])
def test_what_is_stored_gets_the_verdict_of_the_run(tmp_path, value):
    """A number just above its bound stays above it: six digits of it would not."""
    (row,) = evaluated(tmp_path, "x <= 0.02", value)
    assert row["verdict"] == "not reproduced"
    stored = json.loads(json.dumps(papers.tidy(row)))
    text = {"check": "sim", "accept": "", "judge": "x <= 0.02"}
    assert again(text, stored) == (row["verdict"], row["decides"], row["reason"])


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
