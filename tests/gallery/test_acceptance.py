"""Acceptance criteria are data: formulas, their intervals, and that they agree with the specification."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from congestree.data.gallery.common import acceptance, comparison, parts
from congestree.data.gallery.common.acceptance import judge
from congestree.data.gallery.common.study import Sample
from congestree.gallery import shipped

CLAIMS = {
    id: text
    for folder in shipped.papers().values()
    for id, text in tomllib.loads((folder / "claims.toml").read_text(encoding="utf-8")).items()
}
SPECIFIED = json.loads((Path(__file__).parent / "specification.json").read_text(encoding="utf-8"))
"""What the specification of the papers' claims accepts, by claim; null where it requires a measurement."""
WHERE = {
    "p6-fig7-p1-ibith": {64, 1024},  # nodes
    "p6-fig7-p2-ibith-no-removal": {0.2},  # ms
    "p6-order-overall": {29, 43, 55, 58, 75, 83},  # gains of another table, which has claims of its own
    "p3-s5a-link-underused": {32},  # Gbit/s of the link
    "p4-tmax-formula": {0.2, 13.5},  # constants of the formula that is computed
    "p4-s3-tree-kinds": {5},  # ms
    "hpl2002-fig6-fimd-recovery": {2068, 4.24},  # with other packets; additional
    "hpl2002-fig6-lipd-recovery": {2068, 135},
    "hpl2002-fig6-aimd-recovery": {2068, 135},
    "hpl2002-fig6-lipd-shape": {254, 255},  # the closed form; additional
    "hpl2002-fig7-lipd-fimd-interswitch": {4},  # slots
    "rcm-fig6-dcqcn-50": {45, 55},  # what counts as a half, in the metric
    "rcm-fig6-dcqcn-incast-throttled": {90},  # what counts as throttled, in the metric
    "rcm-s3.1-region": {0},
}
"""Numbers of a sentence that give a place or a time, not an amount."""
CURVES = {"root": {"2": 0.7, "4": 0.9, "6": 0.97, "10": 0.96}, "link": {"2": 0.6, "4": 0.8, "6": 0.9, "10": 0.9}}


@pytest.mark.parametrize(
    ("formula", "value", "holds"),
    [
        ("0.1 <= x <= 0.2", 0.1, True),
        ("0.1 <= x <= 0.2", 0.21, False),
        ("x > 1", [2, 3, 1.5], True),
        ("x > 1", [2, 3, 1], False),
        ("some(x > 2.5)", [2, 3, 1], True),
        ("count(x > 1.5) == 2", [2, 3, 1], True),
        ("x > 1", None, False),
        ("'root'[4] >= 0.85 and 'root'[6:] >= 0.95", CURVES, True),
        ("'root'[4:] >= 0.95", CURVES, False),
        ("'root'[4:] > 'link'[4:]", CURVES, True),
        ("each('(root|link)')[4] >= 0.8", CURVES, True),
        ("each('(root|link)')[4] > 0.8", CURVES, False),
        ("rising('root'[:6])", CURVES, True),
        ("rising('root')", CURVES, False),
        ("rising('root', 0.02)", CURVES, True),
        ("falling('root'[6:])", CURVES, True),
        ("rank('link') > 0.8", CURVES, True),
        ("spread('root'[6:]) <= 0.0101 and max('root') == 0.97", CURVES, True),
        ("first('root') == 0.7 and last('root') == 0.96", CURVES, True),
        ("but('root', 2) > 0.8", CURVES, True),
        ("abs('root' - 0.9) <= 0.21 and not 'link'[2] > 1", CURVES, True),
        ("x[1] / x[0] <= 0.5 or x[0] < 0", [4, 2], True),
        ("'there' and 'n' == 3", {"there": True, "n": 3}, True),
        ("'there'", {"there": False}, False),
        ("sum('a') == 'b'", {"a": {"p": 1, "q": 2}, "b": 3}, True),
        ("-x == -2", 2, True),
        ("-x < 0", -2, False),
        ("not x > 1", 2, False),
        ("some(x > 5)", [2, 3, 1], False),
        ("x[0] > 2 or x[1] > 2", [1, 1], False),
        ("'root'[:4] < 0.9", CURVES, False),
        ("x[-1] == 3 and x[-3] == 1", [1, 2, 3], True),
        ("min('root') == 0.7", CURVES, True),
        ("falling('root'[4:], 0.02)", CURVES, False),
        ("falling('root'[4:], 0.08)", CURVES, True),
        ("'top' >= 'root'", {"top": 0.97} | CURVES, True),
        ("'top' > 'root'", {"top": 0.97} | CURVES, False),
        ("'a'[2:2] > 'b'[2:2]", {"a": {"1": 2, "2": 3}, "b": {"2": 1, "3": 9}}, True),
        ("'a'", {"a": {"p": True, "q": False}}, False),
    ],
)
def test_a_formula_judges_a_value(formula, value, holds):
    assert judge(formula, value).holds is holds


def test_what_decides_is_the_closest_or_the_one_that_fails():
    assert str(judge("'root'[4:] >= 0.85", CURVES).decides) == "0.9 >= 0.85 (root, 4)"
    assert str(judge("'root'[4:] >= 0.95", CURVES).decides) == "0.9 >= 0.95 (root, 4)"
    assert str(judge("0.1 <= x <= 0.2", 0.11).decides) == "0.11 >= 0.1"
    assert str(judge("abs(x - 0.25) <= 0.04", [0.25, 0.28]).decides) == "0.03 <= 0.04 (|x - 0.25|, 1)"
    assert str(judge("x > 1", [0.1, 0.9]).decides) == "0.1 > 1 (0)"
    assert str(judge("x > 1", [0.5, None]).decides) == "0.5 > 1 (0)"
    assert str(judge("x > 1", [2, None]).decides) == "nan > 1 (1)"
    assert str(judge("not x > 5", 2).decides) == "2 > 5"
    assert str(judge("x[1] > 5", [1, 2]).decides) == "2 > 5 (1)"


def test_what_decides_where_one_is_enough_is_the_one_that_holds_best_or_fails_least():
    assert str(judge("some(x > 5)", [9, 7, 1]).decides) == "9 > 5 (0)"
    assert str(judge("some(x > 5)", [1, 4, 3]).decides) == "4 > 5 (1)"


def test_how_close_a_comparison_is_counts_in_proportion():
    assert str(judge("'a' > 100 and 'b' > 1", {"a": 101, "b": 1.5}).decides) == "101 > 100 (a)"


def test_an_interval_decides_not_only_the_mean():
    """Student's quantile for three seeds is 4.303, so that 1.1, 1.2, 1.3 are 1.2 +- 4.303 * 0.1 / sqrt(3)."""
    sample = Sample([1.1, 1.2, 1.3])
    mean, half = comparison.interval(sample.values)
    assert (mean, half) == (pytest.approx(1.2), pytest.approx(0.2484, abs=1e-4))
    assert judge("x > 0.95", sample).holds is True
    assert judge("x > 1.0", sample).holds is None
    assert judge("x > 1.44", sample).holds is None
    assert judge("x > 1.45", sample).holds is False
    assert judge("x > 1.0 and x > 2", sample).holds is False


def test_two_seeds_have_an_interval_too():
    """Student's quantile for two is 12.706: 1.0 and 1.2 are 1.1 +- 12.706 * 0.1."""
    assert comparison.interval([1.0, 1.2]) == (pytest.approx(1.1), pytest.approx(1.2706))
    assert judge("x > 1", Sample([1.1, 1.0])).holds is None
    assert judge("not x > 1", Sample([1.1, 1.0])).holds is None
    assert judge("x > 1", Sample([1.1])).holds is True


def test_functions_of_several_numbers_are_by_seed():
    """Of those that have seeds, as many as all of them have; a number without goes with each."""
    value = {"a": Sample([1, 2, 3]), "b": 4, "c": Sample([1, 3])}
    made = {name: acceptance.FUNCTIONS[name](value).values.tolist() for name in ("min", "max", "mean", "sum", "spread")}
    assert made == {"min": [1, 2], "max": [4, 4], "mean": [2, 3], "sum": [6, 9], "spread": [3, 2]}


def test_seeds_are_compared_in_pairs():
    """Each seed of the one is 0.1 above that of the other, however much seeds differ."""
    value = {"a": Sample([1.1, 2.11, 3.09]), "b": Sample([1.0, 2.0, 3.0])}
    assert judge("'a' > 'b'", value).holds is True
    assert judge("'a' / 'b' > 1", value).holds is None
    assert judge("mean(x) > 1.9", value).holds is None


def test_the_interval_that_is_shown_is_the_one_that_decides():
    """Of the difference, if the bound has seeds: those of the value alone say nothing about it."""
    value = {"a": Sample([1.1, 2.11, 3.09]), "b": Sample([1.0, 2.0, 3.0]), "c": 4, "d": Sample([1.2, 2.2, 3.2])}
    assert str(judge("'a' > 'b'", value).decides) == "2.1 - 2 = 0.1 ± 0.025 > 0 (a)"
    assert str(judge("'a' < 'c' * 2", value).decides) == "2.1 ± 2.5 < 8 (a)"
    assert str(judge("'c' > 'b'", value).decides) == "4 - 2 = 2 ± 2.5 > 0 (c)"
    assert str(judge("'c' > -'b'", value).decides) == "4 + 2 = 6 ± 2.5 > 0 (c)"
    assert str(judge("'b' == 'a'", value).decides) == "2 ± 2.5 == 2.1 (b)"
    assert str(judge("'a' > 'b'", {"a": Sample([2, 3]), "b": Sample([1, 2])}).decides) == "2.5 > 1.5 (a)"


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize("value", [NAN, None, Sample([2, 2.1, NAN]), Sample([2, 2.1, INF]), Sample([INF, INF])])
@pytest.mark.parametrize(
    "formula",
    ["x > 1", "x < 1", "not x > 1", "not (x > 1 or x > 2)", "x == x", "count(x > 1) <= 1", "not count(x > 1)"],
)
def test_no_number_makes_no_formula_hold(formula, value):
    assert judge(formula, value).holds is False


def test_a_missing_number_matters_only_where_it_could_decide():
    assert judge("'a' > 1 or 'b' > 1", {"a": None, "b": 2}).holds is True
    assert judge("not ('a' > 1 and 'b' > 1)", {"a": None, "b": 0}).holds is True
    assert judge("'a' > 1 and 'b' > 1", {"a": None, "b": Sample([0.9, 1.2])}).holds is False


def test_equal_means_equal_in_every_seed():
    assert judge("x == 0", Sample([0, 0, 0])).holds is True
    assert judge("x == 0", Sample([-1, 0, 1])).holds is False


@pytest.mark.parametrize("formula", ["x >", "__import__('os')", "x.real > 1", "y > 1", "lambda: 1", "[x] > 1"])
def test_nothing_but_a_formula_is_evaluated(formula):
    with pytest.raises(ValueError, match=r"formula|function|name"):
        judge(formula, 1.0)


def test_a_number_that_is_missing_is_told():
    for formula, value in [
        ("'b' > 1", {"a": 2}),
        ("x[2] > 0", [1, 2]),
        ("x[-3] > 0", [1, 2]),
        ("x['a'] > 0", [1, 2]),
        ("'a' > 'b'", {"a": {"1": 2, "2": 3}, "b": {"3": 1, "4": 9}}),
        ("x[5:] > 0", {"1": 2}),
        ("'a' > 'b'", {"a": {"1": 2, "2": 3}, "b": {"2": 1, "3": 9}}),
        ("'a'[3:] - 'b'[3:] > 0", {"a": {"3": 5, "4": 5, "5": 0}, "b": {"3": 1, "4": 1}}),
        ("each('(. trees): v/.*') >= 1", {"1 trees: v/a": 0.2, "1 trees: v/b": 2.0}),
    ]:
        with pytest.raises(parts.Unjudgeable):
            judge(formula, value)


def test_every_claim_that_accepts_something_is_judged_by_a_formula():
    for id, text in CLAIMS.items():
        assert ("judge" in text) == ("accept" in text and text["check"] != "external"), id
        if "judge" in text:
            acceptance.parsed(text["judge"])


def test_every_claim_of_the_specification_is_here_with_what_it_accepts():
    assert set(SPECIFIED) <= set(CLAIMS)
    changed = {id for id, accept in SPECIFIED.items() if CLAIMS[id].get("accept") != accept}
    assert {id for id in changed if not CLAIMS[id].get("differs")} == set()


def test_the_numbers_of_a_formula_are_those_of_the_sentence():
    """Bounds unchanged, as a share where the sentence has per cent, or as one less or more; keys unchanged."""
    number = r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?"
    for id, text in CLAIMS.items():
        if "judge" not in text or "differs" in text:
            continue
        said = set(map(float, re.findall(number, re.sub(r"(?<=\d)-(?=\d)|after \d+ ms", " ", text["accept"]))))
        have = acceptance.numbers(text["judge"]) | set(map(float, re.findall(r"\d+(?:\.\d+)?", text["judge"])))
        have |= {a * b for a in have for b in (1000, -1)}
        known = set(map(float, re.findall(number, f"{text['metric']} {text['scenario']} {text.get('paper', '')}")))
        for n in said:
            forms = (n, n / 100, 1 + n, 1 - n, 1 + n / 100, 1 - n / 100, n * 1000)
            same = any(abs(form - other) <= 1e-9 * max(1.0, abs(form)) for form in forms for other in have)
            assert same or n in known | WHERE.get(id, set()), (id, n, text["accept"], text["judge"])


def test_reasons_stand_where_a_verdict_needs_them():
    for id, text in CLAIMS.items():
        for key in ("cannot_fail", "straddles", "same_as", "differs"):
            assert key not in text or "judge" in text or text["check"] == "external", (id, key)
        if "same_as" in text:
            first = CLAIMS[text["same_as"]]
            assert "same_as" not in first and "judge" in first, id


def test_a_formula_without_a_comparison_is_one_number_with_its_seeds():
    value = {"rcm": Sample([1.0, 3.0]), "dcqcn": Sample([2.0, 4.0]), "idle": 5}
    assert acceptance.number("100 * ('rcm' / 'dcqcn')", value).values.tolist() == [50.0, 75.0]
    assert acceptance.number("'idle'", value).values.tolist() == [5.0]
    with pytest.raises(parts.Unjudgeable, match="x has 3 numbers"):
        acceptance.number("x", value)
