"""Reports of papers agree with their claims, and hold their READMEs."""

import json
import re

import pytest

import congestree
from congestree import report
from congestree.gallery import here, statements, value_in_words
from congestree.gallery.published import interval
from congestree.gallery.statements import figures_of
from congestree.report.page import Paragraph, Table


def test_a_paper_that_was_not_reproduced_is_told_with_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(congestree.CongestreeError, match="congestree reproduce hpl2002 --quick"):
        report.html("hpl2002")
    with pytest.raises(congestree.CongestreeError, match="no paper of that name"):
        report.html("hpl20")


def test_the_report_of_a_paper_marks_values_in_their_intervals(tmp_path):
    claims = [
        {"id": "hpl2002-fig2a-victim", "value": 0.15, "unit": "", "target": 0.15, "verdict": "reproduced",
         "reason": "3 seeds, 0.14 to 0.16"},
        {"id": "hpl2002-fig2a-interswitch", "value": 0.5, "unit": "", "target": 0.3, "verdict": "not reproduced",
         "reason": "<b>because</b>"},
    ]  # fmt: skip
    (tmp_path / "claims.json").write_text(json.dumps(claims))
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/fig2a.png").write_bytes(b"\x89PNG")
    text = report.html(tmp_path)
    assert 'base64,iVBORw==" alt="Figure 2a, drawn from runs made here. The claims beneath' in text
    assert "Figure 2a" in text and "<b>because" not in text
    assert "Inside the axes, as published: mean victim throughput" in text and "(hpl2002-fig2a-sixth-share)" in text
    first, second = re.findall(r'aria-label="([^"]*)"', text)
    assert first == "here 0.15, accepted from 0.13 to 0.18, published 0.15"
    assert second == "here 0.5, accepted from 0.27 to 0.36, published 0.3"
    assert [word for word in re.findall(r'<circle class="(\w+)"', text)] == ["here", "out"]


@pytest.mark.parametrize(
    "text",
    ["{", "{}", "[1]", '[{"id": "hpl2002-fig2a-victim"}]', '[{"id": ["x"], "verdict": "reproduced", "value": 1}]',
     '[{"id": "hpl2002-fig2a-victim", "verdict": "fine", "value": 1}]', "[]"],
)  # fmt: skip
def test_damaged_claims_are_told_in_a_sentence(tmp_path, text):
    (tmp_path / "claims.json").write_text(text)
    with pytest.raises(congestree.CongestreeError, match=r"claims\.json.*[Dd]o the reproduction again"):
        report.html(tmp_path)


def test_claims_stand_with_the_figure_that_they_name():
    groups = {"testbed": [], "websearch": [], "fig2": []}
    assert figures_of({"id": "tune-websearch-vendor"}, {}, groups) == ["websearch"]
    assert figures_of({"id": "paper-fig2-victim"}, {}, groups) == ["fig2"]
    assert figures_of({"id": "paper-s3"}, {"where": "section 3"}, groups) == []


def test_claims_that_name_no_figure_stand_with_the_one_that_has_their_number():
    from congestree.gallery.statements import by_figure

    groups, rest = by_figure(
        "theory", [{"id": "theory-karol-table"}, {"id": "theory-max-min"}], ["waits", "saturation"]
    )
    assert groups == {"waits": [], "saturation": [{"id": "theory-karol-table"}]}
    assert rest == [{"id": "theory-max-min"}]


def test_a_figure_has_beneath_it_what_was_published(tmp_path):
    """A line for each statement, with its mark; at the end those that were only asked or measured."""
    from matplotlib.figure import Figure
    from PIL import Image

    claims = [
        {"id": "d", "value": 2, "unit": "us", "target": None, "verdict": "reproduced"},
        {"id": "a", "value": 0.15, "unit": "", "target": 0.15, "verdict": "reproduced"},
        {"id": "b", "value": 0.5, "unit": "", "target": 0.3, "verdict": "not reproduced"},
        {"id": "c", "value": 7.0, "unit": "", "target": None, "verdict": "measured"},
    ]
    texts = {
        "a": {"metric": "victim", "paper": "about $0.15$"},
        "b": {"metric": "link"},
        "c": {},
        "d": {"accept": "< 3"},
    }
    told = statements.lines_of(claims, texts, value_in_words, here, 80)
    assert told == [
        "✓ victim. Published: about $0.15$. Here: 0.15.",
        "✗ link. Published: 0.3. Here: 0.5.",
        "✓ d. Asked: < 3. Here: 2 us.",
        "· c. Measured, not judged. Here: 7.",
    ]
    many = statements.lines_of(
        [{**claims[1], "id": f"a{n}", "target": n} for n in range(11)], {}, value_in_words, here, 80
    )
    assert len(many) == statements.MOST + 1 and many[-1] == "  and 3 more on the page of claims"
    heights = []
    for shown in ([], claims):
        figure = Figure(figsize=(4, 2))
        lines = statements.lines_of(shown, texts, value_in_words, here, statements.width_of(figure))
        statements.save(figure, tmp_path / "figure.png", lines)
        heights.append(Image.open(tmp_path / "figure.png").height)
    assert heights[0] == 2 * statements.DPI < heights[1]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("0.13 <= x <= 0.18", (0.13, 0.18)),
        ("> 5", (5.0, None)),
        ("x >= 0.9", (0.9, None)),
        ("1.97 +- 0.03", (1.94, 2.0)),
        ("7-33", (7.0, 33.0)),
        ("up to 0.02", (None, 0.02)),
        ("-0.1 or lower", (None, -0.1)),
        ("0.9 or more", (0.9, None)),
        ("victim >= 0.75 x (1 - remote aggregate)", (None, None)),
    ],
)
def test_intervals_are_read_only_where_they_are_said_as_such(said, expected):
    assert interval(said) == pytest.approx(expected) if None not in expected else interval(said) == expected


def test_a_paper_says_what_it_asks_and_how_it_was_read(tmp_path):
    """A colleague has no README: its content is on the page, with the command that was used."""
    (tmp_path / "claims.json").write_text(
        json.dumps([{"id": "hpl2002-fig2a-victim", "value": 0.15, "verdict": "reproduced"}])
    )
    assert "<pre><code>congestree reproduce hpl2002 --out" in report.html(tmp_path)
    (tmp_path / "reproduced.json").write_text(json.dumps({"figures": ["fig2", "fig3"], "quick": True}))
    text = report.html(tmp_path)
    assert "<pre><code>congestree reproduce hpl2002/fig2,fig3 --quick --out" in text
    assert "A lossless network holds packets back instead of dropping them." in text
    assert "What follows is of the reduced version" in text
    headings = re.findall(r"<h2>(.*?)</h2>", text)
    order = ["Question", "In short", "Findings", "How it was read", "Record of expectations"]
    assert [heading for heading in headings if heading in order] == order


def test_the_readmes_of_all_papers_are_read_whole():
    from congestree.gallery import shipped
    from congestree.report import markdown

    for name, folder in shipped.papers().items():
        text = (folder / "README.md").read_text(encoding="utf-8")
        found = markdown.sections(text)
        assert [heading for heading, _ in found][1:] == [markdown.plain(h) for h in re.findall(r"^## (.*)", text, re.M)]
        tables = [block for _, blocks in found for block in blocks if isinstance(block, Table)]
        assert len(tables) == len(re.findall(r"^\|[ :|-]+\|$", text, re.M)), name
        assert all(len(row) == len(table.columns) for table in tables for row in table.rows), name
        said = [block.text for _, blocks in found for block in blocks if isinstance(block, Paragraph)]
        assert said and not re.search(r"\]\(|\*\*|(?<!\w)`", " ".join(said)), name


def test_signs_of_markdown_are_taken_off_but_not_in_code():
    from congestree.report.markdown import plain

    assert plain("*one* **two** [three](x.md) `a*b*c` 2 * 3 * 4") == "one two three a*b*c 2 * 3 * 4"
