"""Congestion trees in words and pictures: `congestree explain`, `congestree plot --tree` and their functions."""

import itertools
import json
from pathlib import Path

import pytest

import congestree
from congestree.evaluation import trees
from congestree.plots import drawing

SPREADING = """
name = "spreading"
[topology.two-switch]
local = 3
remote = 1
[links]
rate = "8 Gbit/s"
flow_control = "packet-slots"
[switches]
buffer = "4 packets"
[[traffic]]
name = "contenders"
from = ["local", "remote"]
to = "B_C"
[[traffic]]
name = "victim"
from = "A_V"
to = "B_V"
[measure]
duration = "1 ms"
probes = ["trees", "flows"]
sampling_interval = "20 us"
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    return congestree.run(SPREADING, out=tmp_path_factory.mktemp("trees") / "seen")


@pytest.fixture(scope="module")
def calm(tmp_path_factory):
    """A run in which no flow is held."""
    values = {"traffic.0.rate": "50 MB/s", "traffic.1.rate": "50 MB/s"}
    return congestree.run(SPREADING, values=values, out=tmp_path_factory.mktemp("trees") / "calm")


def test_the_tables_have_units_and_are_read_back(seen):
    again = congestree.Run.load(seen.folder)
    assert again.units("trees")["time"] == "s"
    assert again.units("trees")["bytes"] == "B"
    assert again.units("tree_losses") == {"flow": "", "held_by_trees": "s", "held_in_switch": "s", "lost": "s"}
    assert set(trees.TABLES) <= set(again.tables)
    assert seen.scenario["measure"]["sampling_interval"] == "20 us"


@pytest.mark.parametrize("interval", ["20 us", "7 us", "0.9 us", "1300 ns"])
def test_times_of_samples_are_those_of_tables(interval):
    """49 times 20 us are above 980 us in floats, so that no row of the table had the time of that sample."""
    run = congestree.run(SPREADING, values={"measure.sampling_interval": interval})
    times = run.trees["time"].to_list()
    assert len(times) > 40 and set(times) <= set(trees.sample_times(run))


def test_the_looks_are_every_bin_unless_said_otherwise():
    run = congestree.run(SPREADING.replace('sampling_interval = "20 us"', 'bin = "50 us"'))
    assert run.scenario["measure"]["sampling_interval"] == "50 us"
    assert len(trees.sample_times(run)) == 20
    without = congestree.check(SPREADING.replace('"trees", ', "").replace('sampling_interval = "20 us"', ""))
    assert "sampling_interval" not in without["scenario"]["measure"]


def test_explain_names_root_causes_and_victims(seen, congestree_cli):
    said = " ".join(trees.explain(seen))
    assert "Congestion sat at B->B_C, from" in said
    assert "every 20 us: the tree may have begun, and ended, up to so much earlier than told." in said
    assert "a tree 2 links deep" in said
    assert "fed by contenders (4 flows" in said
    assert "held victim (1 flow, from A_V), which did not use it" in said
    lost = "was held up for 1 ms (100% of the run) by congestion trees to which it did not contribute. It got"
    assert f"victim (1 flow, from A_V) {lost}" in said
    printed = congestree_cli("explain", seen.folder).stdout
    assert "Congestion sat at B->B_C" in printed


def test_trees_beyond_the_first_few_are_told_together(seen, monkeypatch):
    facts = trees.summary(seen)
    (tree,) = facts["trees"]

    def told(count):
        monkeypatch.setattr(
            trees.words, "summary", lambda _: facts | dict.fromkeys(("trees", "roots"), [tree] * (trees.FEW + count))
        )
        return " ".join(trees.explain(seen))

    assert "other" not in told(0)
    assert "The other tree was smaller or lived shorter; it held at most 6 links." in told(1)
    assert "The other 2 trees were smaller or lived shorter; none of them held more than 6 links." in told(2)
    # Packets for the root wait for five of them; by the sixth only the victim goes.
    assert "5 links held by it, 1 more that carries only victim traffic, and" in told(0)


def test_explain_tells_what_control_costs_the_sources():
    values = {"scheme.preset": "input-triggered", "measure.bin": "100 us"}
    run = congestree.run(SPREADING, values=values)
    limited = {row["class"]: row["share"] for row in trees.summary(run)["limited"]}
    left = run.flow_series.to_dicts()
    flows = run.flows.to_dicts()
    # Something is delivered of each flow in each of the ten bins, so that the mean over time is that over bins.
    assert len(left) == 10 * len(flows)
    means = {
        name: sum(1 / row["limit"] for row in left if flows[row["flow"]]["class"] == name)
        / sum(10 for flow in flows if flow["class"] == name)
        for name in ("contenders", "victim")
    }
    assert means["contenders"] < 0.6
    assert limited == pytest.approx({name: mean for name, mean in means.items() if mean < trees.HELD_BACK})
    said = trees.explain(run)
    assert any(
        sentence.startswith("Control left contenders (4 flows, from ")
        and sentence.endswith(f"{limited['contenders']:.0%} of their full rate on average.")
        for sentence in said
    ), said


def test_without_control_or_the_probe_nobody_is_said_to_be_held_back(seen):
    assert trees.summary(seen)["limited"] == []
    without = congestree.run(SPREADING.replace('"trees", "flows"', '"trees"'))
    assert trees.summary(without)["limited"] is None
    assert not any("Control" in sentence for sentence in trees.explain(without))


def test_explain_as_json(seen, congestree_cli):
    facts = json.loads(congestree_cli("explain", seen.folder, "--json").stdout)
    assert facts["kind"] == "silent"
    (tree,) = facts["trees"]
    assert (tree["root"], tree["links"], tree["held_links"]) == ("B->B_C", 5, 1)
    assert facts["suffering"][0]["class"] == "victim"
    assert facts["suffering"][0]["between_s"] > 8e-4


def test_a_run_without_congestion_says_so(calm, congestree_cli):
    assert trees.explain(calm) == ["There was no congestion tree: no link was held in 50 samples, one every 20 us."]
    assert json.loads(congestree_cli("explain", calm.folder, "--json").stdout)["trees"] == []


def test_a_root_that_pauses_free_again_and_again_is_told_once(congestree_cli, tmp_path):
    """An incast over pauses: its link is the root of many trees, one after another, and not of three of them only."""
    scenario = {
        "topology": {"fat-tree": {"radix": 4, "layers": 2}},
        "links": {"rate": "100 Gbit/s", "delay": "500 ns", "flow_control": "pfc"},
        "switches": {"shared_memory": {"size": "2 MB"}},
        "traffic": [{"name": "incast", "from": [f"h{i}" for i in range(1, 7)], "to": "h0"}],
        "measure": {"duration": "1 ms", "probes": ["trees"], "sampling_interval": "20 us"},
    }
    run = congestree.run(scenario, out=tmp_path / "incast")
    facts, rows = trees.summary(run), run.trees.to_dicts()
    places = {row["name"] for row in rows}
    assert len(places) < len(facts["trees"])
    assert {life["root"] for life in facts["roots"]} == places and len(facts["roots"]) == len(places)
    assert sum(life["trees"] for life in facts["roots"]) == len(facts["trees"])
    for life in facts["roots"]:
        mine = [row for row in rows if row["name"] == life["root"]]
        assert life["seen_s"] == pytest.approx(20e-6 * len(mine)) and life["born_s"] == mine[0]["time"]
        assert life["trees"] == len({row["tree"] for row in mine})
        assert (life["depth"], life["bytes"]) == tuple(max(row[key] for row in mine) for key in ("depth", "bytes"))
        fed = run.tree_flows.to_dicts()
        fed = [row for row in fed if row["role"] == "contributor" and row["tree"] in {m["tree"] for m in mine}]
        assert life["contributors"]["incast"]["flows"] == len({row["flow"] for row in fed})
    said = [sentence for sentence in trees.explain(run) if sentence.startswith("Congestion sat at ")]
    assert len(said) == len({sentence.split(",")[0] for sentence in said}) == 3
    worst = facts["roots"][0]
    seen = f"({worst['trees']} trees, in {worst['seen_s'] / 1e-3:.0%} of the samples)"
    assert f"Congestion sat at {worst['root']}, from " in said[0] and f", on and off {seen}: up to " in said[0]
    printed = congestree_cli("explain", str(tmp_path / "incast")).stdout.replace("\n", " ")
    assert f"at {len(places) - 3} places, were smaller or lived shorter" in printed


def test_a_run_that_has_not_looked_says_how_to(congestree_cli, finished):
    said = congestree_cli("explain", finished.folder, code=1).stderr
    assert 'the probe "trees" in measure.probes' in said
    assert "trees" in congestree_cli("plot", finished.folder, "--tree", code=1).stderr
    with pytest.raises(congestree.CongestreeError, match='add the probe "trees"'):
        finished.arrow("tree_links")


def test_a_tree_is_drawn_in_its_colour(seen):
    figure = drawing.draw_trees(seen, "0.8 ms")
    ax = figure.axes[0]
    assert "1 tree, 6 links held at 800 us" in ax.get_title(loc="left")
    coloured = [line for line in ax.lines if line.get_marker() == "None"]
    assert len(coloured) == 5 + 1 + 1, "five branches, one link of a victim, and the root"
    assert len({line.get_color() for line in coloured}) == 1
    dashed = [line for line in coloured if line.get_linestyle() == "--"]
    assert len(dashed) == 1
    assert [text.get_text() for text in ax.texts].count("A_V") == 1


def test_no_tree_is_drawn_where_there_is_none(calm):
    ax = drawing.draw_trees(calm).axes[0]
    assert "no tree at" in ax.get_title(loc="left")
    assert not [line for line in ax.lines if line.get_marker() == "None"]
    assert drawing.plot_trees(calm).axes[0].lines[0].get_ydata().max() == 0


def test_of_a_deadlock_nobody_is_told_that_no_link_was_held(congestree_cli, tmp_path):
    """Five switches in a ring, and flows over two of its links each: the cycle has no root, and yet holds all links."""
    names = [(f"h{i}", f"s{i}") for i in range(5)]
    links = [{"a": host, "b": switch} for host, switch in names]
    links += [{"a": f"s{i}", "b": f"s{(i + 1) % 5}"} for i in range(5)]
    graph = {"hosts": [h for h, _ in names], "switches": [s for _, s in names], "links": links}
    ring = {
        "allow_credit_loops": True,
        "topology": {"graph": graph},
        "links": {"rate": "8 Gbit/s"},
        "switches": {"buffer": "4 KiB"},
        "traffic": [{"from": f"h{i}", "to": f"h{(i + 2) % 5}"} for i in range(5)],
        "measure": {"duration": "20 ms", "probes": ["trees", "flows"], "sampling_interval": "500 us"},
    }
    run = congestree.run(ring, out=tmp_path / "ring")
    assert run.stopped.startswith("deadlock")
    said = congestree_cli("explain", str(tmp_path / "ring")).stdout.replace("\n", " ")
    assert "ended before its time: deadlock" in said
    assert "no link was held" not in said


def test_names_of_hosts_are_not_written_over_each_other():
    """As in an imported fabric: names of ten letters and more are vertical, below the hosts."""
    hosts = [f"node1{i} mlx5_0" for i in range(8)]
    graph = {"hosts": hosts, "switches": ["S"], "links": [{"a": host, "b": "S"} for host in hosts]}
    measure = {"duration": "50 us", "probes": ["trees"], "sampling_interval": "10 us"}
    traffic = [{"from": hosts[1:], "to": hosts[0]}]
    scenario = {"topology": {"graph": graph}, "links": {"rate": "8 Gbit/s"}, "switches": {"buffer": "8 KiB"}}
    figure = drawing.draw_trees(congestree.run(scenario | {"traffic": traffic, "measure": measure}))
    figure.canvas.draw()
    words = [text for text in figure.axes[0].texts if text.get_text() in hosts]
    boxes = [word.get_window_extent() for word in words]
    assert len(boxes) == 8 and not any(a.overlaps(b) for a, b in itertools.combinations(boxes, 2))


def test_the_number_of_trees_over_time(seen):
    lines = drawing.plot_trees(seen).axes[0].lines
    assert [line.get_label() for line in lines] == ["links held", "trees"]
    assert lines[0].get_ydata()[-1] == 6, "five branches, and a link by which only the victim goes"
    assert lines[1].get_ydata()[-1] == 1


def test_levels_of_a_fat_tree_lie_above_each_other():
    scenario = {
        "topology": {"k-ary-n-tree": {"k": 2, "n": 3}},
        "links": {"rate": "8 Gbit/s"},
        "traffic": [{"from": ["h1", "h2", "h3"], "to": "h0"}],
        "measure": {"duration": "50 us", "probes": ["trees"]},
    }
    fabric = drawing.Fabric(congestree.run(scenario))
    assert len(fabric.hosts) == 8
    assert sorted(fabric.levels.values()) == [0] * 4 + [1] * 4 + [2] * 4
    heights = {y for _, y in fabric.place.values()}
    assert heights == {0, 1, 2, 3}
    assert len(set(fabric.place.values())) == len(fabric.place), "nobody lies on anybody else"


def test_plot_draws_files(seen, congestree_cli, tmp_path):
    said = congestree_cli("plot", seen.folder, "--tree", "--at", "0.8 ms", "--out", "tree.svg").stdout
    assert "tree.svg" in said
    assert "<svg" in (tmp_path / "tree.svg").read_text()
    said = congestree_cli("plot", seen.folder).stdout
    assert "rates.png" in said and "trees.png" in said
    moving = drawing.animate_trees(seen, tmp_path / "trees.gif", frames=3)
    from PIL import Image

    with Image.open(moving) as picture:
        assert picture.n_frames == 3


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--at", "1 ms"), "add --tree"),
        (("--tree", "--at", "1 ms", "--animate"), "leave one out"),
        (("--tree", "--out", "tree.xyz"), "not a kind of picture"),
    ],
)
def test_plot_refuses_what_makes_no_sense(seen, congestree_cli, options, says):
    assert says in congestree_cli("plot", seen.folder, *options, code=2).stderr


def test_without_ffmpeg_a_film_is_refused_and_a_gif_is_not(seen, tmp_path, monkeypatch):
    from matplotlib import animation

    monkeypatch.setattr(animation.FFMpegWriter, "isAvailable", classmethod(lambda _: False))
    with pytest.raises(
        congestree.CongestreeError, match=r"^For \.mp4 the program ffmpeg must be installed; \.gif works without\.$"
    ):
        drawing.animate_trees(seen, tmp_path / "trees.mp4", frames=2)
    assert list(tmp_path.iterdir()) == []
    assert drawing.animate_trees(seen, tmp_path / "trees.gif", frames=2).exists()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--at", "soon"), "length of time"),
        (("--at", "2 s"), "the run lasts 1 ms"),
        (("--animate", "--out", "trees.txt"), "should end in .gif or .mp4"),
    ],
)
def test_plot_says_what_is_wrong(seen, congestree_cli, options, says):
    assert says in congestree_cli("plot", seen.folder, "--tree", *options, code=2).stderr


def test_a_slow_host_is_named_whole_though_its_name_has_an_arrow():
    """Of S->rack1->slot2 the host was slot2, which there is not."""
    links = [{"a": host, "b": "S"} for host in ("a", "b", "rack1->slot2")]
    run = congestree.run(
        {
            "topology": {"graph": {"hosts": ["a", "b", "rack1->slot2"], "switches": ["S"], "links": links}},
            "links": {"rate": "8 Gbit/s", "delay": "10 ns"},
            "adapters": {"drain_rate": "1 Gbit/s", "receive_buffer": "16 KiB"},
            "traffic": [{"from": ["a", "b"], "to": "rack1->slot2"}],
            "measure": {"duration": "1 ms", "probes": ["trees"]},
        }
    )
    (life,) = trees.summary(run)["trees"]
    assert (life["root"], life["to"]) == ("S->rack1->slot2", "rack1->slot2")
    assert trees.explain(run)[0].startswith(f"Congestion sat at {life['root']}, because rack1->slot2 takes packets too")


def test_one_link_is_a_link():
    values = {"scheme.preset": "naive", "measure.probes": ["trees"], "measure.sampling_interval": "1 ms"}
    run = congestree.run(Path(__file__).parents[2] / "scenarios" / "hot-spot.toml", values=values)
    assert "1 tree, 1 link held at 3 ms" in drawing.draw_trees(run, "3 ms").axes[0].get_title(loc="left")


def test_trees_that_hold_no_others_are_told_as_such():
    """The sentence comes after all trees; "nobody was held up by it" would not say by which tree."""
    run = congestree.run(SPREADING, values={"traffic.1.rate": "1 MB/s", "traffic.1.start": "990 us"})
    facts = trees.summary(run)
    assert facts["trees"] and not facts["suffering"]
    assert trees.explain(run)[-1] == "No flow was held up by a tree to which it did not contribute."


def test_flows_that_come_and_go_are_told_at_those_of_their_sources(seen, congestree_cli, tmp_path):
    """They had ids beyond the table of flows: explain, report and view ended in a traceback."""
    comes = {"flows": "by-message", "message": "8 KiB"}
    values = {f"traffic.{i}.{key}": value for i in (0, 1) for key, value in comes.items()}
    values |= {f"traffic.{i}.arrivals": {"poisson": {"load": 0.5}} for i in (0, 1)}
    run = congestree.run(seen.scenario, values=values, out=tmp_path / "run")
    flows = run.flows
    assert run.tree_flows["flow"].max() < flows.height and run.tree_losses["flow"].max() < flows.height
    facts = trees.summary(run)
    assert set(facts["trees"][0]["contributors"]) == {"contenders"} and facts["trees"][0]["root"] == "B->B_C"
    (sufferer,) = facts["suffering"]
    assert (sufferer["class"], sufferer["flows"]) == ("victim", 1)
    most = max(row["contributors"] for row in run.trees.to_dicts())
    assert most <= flows.filter(flows["class"] == "contenders").height, "sources, however many messages wait"
    for command in ("explain", "report", "view"):
        congestree_cli(command, run.folder)
