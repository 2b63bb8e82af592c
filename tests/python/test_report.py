"""Reports of runs agree with the tables, and folders without results are told in a sentence."""

import re

import pytest

import congestree
from congestree import report
from congestree.errors import CongestreeError
from congestree.evaluation import trees
from congestree.report import of_run
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


def test_trees_are_summed_up_once_for_a_page(looked, monkeypatch):
    """It takes long for a long run; reports and the browser did it for their numbers, and again for the sentences."""
    monkeypatch.setattr(trees.words, "summary", lambda run: pytest.fail("a second time"))
    assert "Congestion sat at" in report.html(looked) and congestree.view.html(looked)


def test_a_setting_that_another_replaces_is_said_to_be_replaced(looked):
    switches = congestree.check("pfc-incast")["scenario"]["switches"]
    replaced = dict(of_run.settings({"switches": switches}).rows)["switches.buffer"]
    assert switches["buffer"] and replaced == "not used: switches.shared_memory replaces it"
    assert dict(of_run.settings(looked.scenario).rows)["switches.buffer"] == looked.scenario["switches"]["buffer"]


@pytest.mark.parametrize(
    ("scheme", "told"),
    [
        ({}, "without congestion control"),
        ({"preset": "hpcc"}, "with hpcc"),
        ({"react": "hpcc"}, "with hpcc"),
        ({"mark": "red", "react": "dctcp"}, "with red and dctcp"),
        ({"isolate": {"fbicm": {"detect": 3}}}, "with fbicm"),
    ],
)
def test_a_scheme_of_parts_is_told_by_its_parts(scheme, told):
    """It resolves to the preset none, and the question said that there was no congestion control."""
    scenario = congestree.check(LOOKED, values={"scheme": scheme})["scenario"]
    assert of_run.question(scenario).endswith(f"on this network {told}?")


def test_of_a_long_list_only_what_is_told_is_put_into_words():
    class Unread:
        def __str__(self):
            pytest.fail("it is not told")

    told = of_run.traffic({"traffic": [{"list": ["h1"] * of_run.LONGEST + [Unread()]}]}).rows[0][1]
    assert told.startswith("list h1, h1, h1") and told.endswith("…") and len(told) == of_run.LONGEST


LISTED = {"list": [{"from": "B_C", "to": "A_V", "message": "1 MB", "at": "2 us"}]}
DRAWN = {"from": "all", "to": "B_C", "arrivals": {"incast": {"senders": 2, "load": 0.1}}}


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (
            LOOKED["traffic"][1],
            "arrivals greedy; flows by-pair; message 2 KiB; start 0 ns; stagger 0 ns; jitter 0 ns; ",
        ),
        (
            {"from": "all", "program": {"all-to-all": {"bytes": "1 kB"}}},
            "overhead 0 ns, memory_delay 0 ns; start 0 ns; ",
        ),
        (LISTED, "list at 2 us, from B_C, to A_V, message 1 MB; start 0 ns; "),
        (DRAWN, "arrivals incast senders 2, load 0.1; message 2 KiB; start 0 ns; "),
        ({"from": "all", "arrivals": "injected"}, "from all; arrivals injected; "),
    ],
)
def test_traffic_is_not_said_to_have_what_its_program_list_or_arrivals_replace(entry, told):
    """An application and a list had greedy arrivals, and messages that are flows of their own were "by-pair"."""
    scenario = congestree.check({**LOOKED, "traffic": [{"name": "some", **entry}]})["scenario"]
    ((_, said),) = of_run.traffic(scenario).rows
    assert said.endswith(told + "service 0; lane 0")


@pytest.mark.parametrize(
    ("count", "told"), [(4, "1 Gbit/s and 2 Gbit/s and 3 Gbit/s and 4 Gbit/s."), (6, "3 Gbit/s and 3 other rates.")]
)
def test_links_of_many_rates_are_not_said_to_have_the_first_four(count, told):
    hosts = [f"h{n}" for n in range(1, count + 1)]
    links = [{"a": host, "b": "s", "rate": f"{host[1:]} Gbit/s"} for host in hosts]
    network = {"topology": {"graph": {"hosts": hosts, "switches": ["s"], "links": links}}}
    network |= {"links": {"rate": "1 Gbit/s"}, "switches": {"switching": "store-and-forward"}}
    run = congestree.run(network | {"traffic": [{"from": "h1", "to": "h2"}], "measure": {"duration": "10 us"}})
    assert of_run.network(run).endswith(told)


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


def test_a_tuning_is_told_where_its_answer_is(tmp_path):
    (tmp_path / "result.json").write_text("{}")
    (tmp_path / "runs/0123456789abcdef").mkdir(parents=True)
    with pytest.raises(congestree.CongestreeError, match=r"holds a tuning.*result\.json.*such as .*0123456789abcdef"):
        report.html(tmp_path)


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
