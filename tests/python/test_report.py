"""Reports of runs, studies and papers agree with the tables and claims."""

import json
import re
from pathlib import Path

import polars as pl
import pytest

import congestree
from congestree import report
from congestree.errors import CongestreeError
from congestree.gallery import here, statements, value_in_words
from congestree.gallery.published import interval
from congestree.gallery.statements import figures_of
from congestree.report import of_run, of_study
from congestree.report.of_study import measures_of, told
from congestree.report.page import Code, Document, Mark, Paragraph, Part, Table, render

from .conftest import LOOKED


def test_the_report_of_a_run_says_what_explain_says_and_how_to_run_it_again(looked, tmp_path):
    text = report.html(looked)
    for sentence in congestree.trees.explain(looked):
        assert sentence.replace(">", "&gt;").replace("'", "&#x27;") in text
    assert text.count("<figure>") == 5
    assert "<script" not in text and "default-src 'none'" in text
    toml = re.findall(r"<pre><code>(.*?)</code></pre>", text, re.S)[1]
    path = tmp_path / "scenario.toml"
    path.write_text(toml.replace("&quot;", '"').replace("&gt;", ">").replace("&#x27;", "'"), encoding="utf-8")
    assert congestree.run(path).fingerprint == looked.fingerprint


def test_a_setting_that_another_replaces_is_said_to_be_replaced(looked):
    switches = congestree.check("pfc-incast")["scenario"]["switches"]
    replaced = dict(of_run.settings({"switches": switches}).rows)["switches.buffer"]
    assert switches["buffer"] and replaced == "not used: switches.shared_memory replaces it"
    assert dict(of_run.settings(looked.scenario).rows)["switches.buffer"] == looked.scenario["switches"]["buffer"]


def test_time_lost_is_told_only_where_somebody_looked(looked):
    assert of_run.worst(looked).columns[-1] == ">time lost"
    blind = congestree.run({**LOOKED, "measure": {"duration": "50 us"}})
    table = of_run.worst(blind)
    assert table.columns == ["flow", "class", ">rate"] and {len(row) for row in table.rows} == {3}


def test_names_of_the_slowest_and_the_fastest_flow_are_not_written_over_each_other():
    """With a victim at the full rate the rates of the other flows are close to each other."""
    figure = congestree.plots.plot_classes(
        congestree.run(LOOKED, values={"traffic.1.from": "B_C", "traffic.1.to": "A_V"})
    )
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    assert len(boxes) == 2 and not boxes[0].overlaps(boxes[1])


def test_classes_of_many_flows_are_a_median_and_a_band(looked):
    figure = congestree.plots.plot_rates(looked, window="20 us")
    axes = figure.axes[0]
    assert len(axes.lines) == 3  # median and worst of the crowd, and the victim
    labels = [line.get_label() for line in axes.lines]
    assert labels[0] == "crowd: median of 24" and labels[1].startswith("least: ") and labels[2] == "victim"
    least = min((f for f in looked.flows.iter_rows(named=True) if f["class"] == "crowd"), key=lambda f: f["bytes"])
    carried = {f["name"]: f["bytes"] for f in looked.flows.iter_rows(named=True)}
    assert carried[labels[1].removeprefix("least: ")] == least["bytes"]


def test_runs_and_studies_of_marking_policies_have_reports(tmp_path):
    """Their triggers have no value unless the scenario gives one."""
    shipped = Path(__file__).parents[2] / "scenarios" / "naive-marking.toml"
    run = congestree.run(shipped, values={"measure.duration": "200 us"})
    assert "[scheme.mark.naive]" in report.html(run)
    over = {"scheme.preset": ["none", "naive", "input-triggered", "input-output-triggered"]}
    study = congestree.sweep(LOOKED, over=over, out=tmp_path, workers=1)
    assert "input-output-triggered" in report.html(study)


def test_the_report_of_a_study_has_means_and_intervals(tmp_path):
    over = {"seed": [1, 2], "adapters.window": [1, 4]}
    values = {"traffic.0.jitter": "1 us", "measure": {"duration": "100 us"}}
    study = congestree.sweep(LOOKED, over=over, values=values, out=tmp_path / "study", workers=1)
    text = report.html(tmp_path / "study")
    assert "4 of 4 runs finished" in text
    value = measures_of(study)[0]
    for row in study.mean(value, by=["adapters.window"]).iter_rows(named=True):
        assert f">{told(value, row['mean'])}<" in text and f">{told(value, row['interval'])}<" in text
    assert "congestree sweep scenario.toml" in text


def test_an_empty_study_and_other_folders_are_told_in_a_sentence(tmp_path):
    (tmp_path / "study.json").write_text('{"points": []}')
    with pytest.raises(congestree.CongestreeError, match="is empty: it has no points"):
        report.html(tmp_path)
    (tmp_path / "study.json").write_text('{"points": [{"hash": "0123456789abcdef", "values": {"seed": 1}}]}')
    with pytest.raises(congestree.CongestreeError, match="goes on with it"):
        report.html(tmp_path)
    (tmp_path / "study.json").unlink()
    with pytest.raises(
        congestree.CongestreeError, match=r"holds no finished run, study or reproduction.*congestree run"
    ):
        report.html(tmp_path)
    (tmp_path / "one").mkdir()
    (tmp_path / "one/manifest.json").write_text("{}")
    with pytest.raises(congestree.CongestreeError, match=r"many folders of results; name one of them, such as .*one$"):
        report.html(tmp_path)
    with pytest.raises(congestree.CongestreeError, match="is a file; name the folder of a finished run"):
        report.html(tmp_path / "one/manifest.json")


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


def test_a_study_in_which_nothing_differs_tells_of_all_classes(tmp_path):
    """It described only the first class, and drew windows of 1.5 packets."""
    scenario = Path(__file__).parents[2] / "scenarios" / "hot-spot.toml"
    over = {"seed": [1, 2], "adapters.window": [2, 4]}
    study = congestree.sweep(scenario, over=over, values={"measure.duration": "2 ms"}, out=tmp_path, workers=1)
    assert measures_of(study) == ["rate.contenders", "rate.victim"]
    text = report.html(study)
    assert "rate.victim is the same at all points" in text
    axis = congestree.plots.plot_lines(study, "window", "rate.victim", unit="bit/s").axes[0].xaxis
    assert all(float(place).is_integer() for place in axis.get_majorticklocs())


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


def test_everything_in_a_page_is_escaped():
    evil = "<script>boom()</script>\x01"
    text = render(
        Document(evil, evil, [Part(evil, [Paragraph(evil), Code(evil), Table([evil, ">n"], [(evil, 1)], evil)]),
                              Part("m", [Table(["x"], [(Mark(1.0, 2.0, 0.5, 3.0),)])])])
    )  # fmt: skip
    assert "<script" not in text and text.count("&lt;script&gt;") == 9 and "␁" in text


def test_rates_are_over_as_many_packets_as_a_line_needs(looked):
    """Ten packets of a flow in the middle, within bounds; the title gives the whole bins that were used."""
    from congestree.report import pictures

    window = pictures.window(looked)
    middle = sorted(looked.flows["packets"])[looked.flows.height // 2]
    assert window == pytest.approx(looked.duration * min(max(10 / middle, 1 / 40), 1 / 8))
    width = looked.flow_series["time"].unique().sort()[1]
    title = congestree.plots.plot_rates(looked, window=2.4 * width).axes[0].get_title("left")
    assert title.endswith(f"rates over {2e6 * width:g} us")


def test_names_along_an_axis_have_points_and_no_line(tmp_path):
    over = {"seed": [1, 2], "scheme.preset": ["none", "naive"]}
    study = congestree.sweep(LOOKED, over=over, values={"measure": {"duration": "50 us"}}, out=tmp_path, workers=1)
    (axes,) = congestree.plots.plot_lines(study, "preset", "rate.victim").axes
    points = [line for line in axes.lines if len(line.get_xdata()) == 2]
    assert points and all(line.get_linestyle() == "None" for line in points)
    assert "under each of these schemes" in report.html(tmp_path)


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


def test_a_tuning_is_told_where_its_answer_is(tmp_path):
    (tmp_path / "result.json").write_text("{}")
    (tmp_path / "runs/0123456789abcdef").mkdir(parents=True)
    with pytest.raises(congestree.CongestreeError, match=r"holds a tuning.*result\.json.*such as .*0123456789abcdef"):
        report.html(tmp_path)


class Tied:
    """A study of three settings: two are equal, and one application did not finish."""

    def __init__(self):
        self.axes = {"setting": ["a", "b", "c"]}
        self.refused = {"setting d": "scheme: goes with nothing\n  write another"}
        self.runs = pl.DataFrame({"stopped": [None, "deadlock: a circle", None]})

    def __iter__(self):
        return iter([object()] * 3)

    def __len__(self):
        return 3

    def mean(self, value, by):
        rows = {"marked": [(0.0, 0), (7.0, 0), (0.0, 0)], "same": [(1.0, 0)] * 3, "completion.job": [(1.0, 1)] * 3}
        means = [
            {"setting": key, "mean": mean, "interval": float("nan")}
            for key, (mean, _) in zip("abc", rows[value], strict=True)
        ]
        counts = [{"runs": 1, "missing": missing} for _, missing in rows[value]]
        return pl.DataFrame([row | count for row, count in zip(means, counts, strict=True)])

    def short(self, path, value):
        return value


def test_settings_that_tie_are_all_told_of_and_so_are_runs_that_have_no_value():
    said = of_study.findings(Tied(), ["setting"], ["marked", "same", "completion.job"])
    assert (
        said.pop(0) == "Left out because they make no sense: 1 more of the grid; the first: scheme: goes with nothing."
    )
    assert said[0] == "1 of the runs ended before their time; they count with what they had measured by then."
    assert said[1] == "marked is highest at setting b: 7; and lowest at setting a (and 1 more alike): 0."
    assert said[2] == "same is the same at all points: 1."
    assert said[3] == "3 of 6 runs have no completion.job: not by their end. Its means are over the others."


class Near(Tied):
    """Three settings: chance separates a from the others, but not b from c."""

    def mean(self, value, by):
        rows = zip("abc", (1.0, 4.0, 5.0) if value == "rate.x" else (1.0, 1.2, 1.4), strict=True)
        return pl.DataFrame([{"setting": k, "mean": m, "interval": 0.6, "runs": 3, "missing": 0} for k, m in rows])


def test_what_is_highest_by_less_than_chance_is_told_with_what_it_may_not_beat():
    *_, first, second = of_study.findings(Near(), ["setting"], ["rate.x", "marked"])
    assert "highest at setting c (and 1 more whose 95 % interval overlaps with its own): 5 bit/s" in first
    assert "lowest at setting a: 1 bit/s." in first and "intervals of the two" not in first
    assert second.endswith("The 95 % intervals of the two overlap.")


def test_a_grid_of_three_settings_has_a_line_for_each_combination(tmp_path):
    """No plot averages over runs that differ in a setting, as long as there is room for their lines."""
    over = {"adapters.window": [1, 2, 4], "switches.buffer": ["4 packets", "8 packets"], "seed": [1, 2]}
    over["traffic.1.rate"] = ["1 Gbit/s", "2 Gbit/s"]
    values = {"measure": {"duration": "20 us"}}
    study = congestree.sweep(LOOKED, over=over, values=values, out=tmp_path / "study", workers=1)
    by = ["buffer", "traffic.1.rate"]
    (ax,) = congestree.plots.plot_lines(study, "window", "rate.victim", by=by).axes
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == [f"buffer {b} packets, rate {r} Gbit/s" for b in (4, 8) for r in (1, 2)]
    assert ax.get_title("left") == "mean and 95 % interval over seeds"
    for line, label in zip(ax.lines, labels, strict=True):
        for window, mean in zip(*line.get_data(), strict=True):
            rows = [r for r in study.runs.iter_rows(named=True) if r["adapters.window"] == window]
            mine = [
                r["rate.victim"] for r in rows if f"buffer {r['switches.buffer']}, rate {r['traffic.1.rate']}" == label
            ]
            assert len(mine) == 2 and mean == pytest.approx(sum(mine) / 2)
    text = report.html(tmp_path / "study")
    assert "by switches.buffer and traffic.1.rate." in text and "mean over runs that differ" not in text


def test_exchanged_arguments_and_lists_are_refused_with_what_to_write(looked, tmp_path):
    for swapped in ((looked, "page.html"), (tmp_path, "page.html")):
        with pytest.raises(CongestreeError, match="exchange the two arguments"):
            report.write(*swapped)
    with pytest.raises(CongestreeError, match="not of list; write one report for each"):
        report.write(tmp_path / "page.html", [looked, looked])
    assert list(tmp_path.iterdir()) == []


def test_a_long_scenario_is_folded_and_a_short_one_is_not():
    """A fabric of 256 links, one after the other, made a page of 40 screens of a page of 4."""

    def page(lines):
        return render(Document("report", "", [Part("again", [Code("\n".join(["x = 1"] * lines))])]))

    assert "<summary>1,500 lines" in page(1500) and page(1500).count("x = 1") == 1500
    assert "<details" not in page(100)
