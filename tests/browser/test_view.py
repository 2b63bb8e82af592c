"""The page of a run in a real browser: the drawing agrees with the tables."""

import re
from pathlib import Path

from looking import MIDDLE, TIME, place_of_root, tree_at

import congestree
from congestree import view
from congestree.evaluation import faults, losses
from congestree.quantities import in_words

ROOT = Path(__file__).parents[2]


def test_a_click_on_a_root_shows_its_name_and_its_numbers(open_page, path, seen):
    page = open_page(path, MIDDLE)
    tree = tree_at(seen, TIME)
    page.click(place_of_root(page, tree["root"]))
    assert page.text(".card .name") == tree["name"]
    numbers = page.numbers()
    assert numbers["branches"] == [str(tree["branches"])]
    assert numbers["links that only victims wait for"] == [str(tree["held_links"])]
    assert numbers["waiting for the root"] == [in_words(tree["bytes"], "B")]
    assert numbers["of it at the root's switch"] == [in_words(tree["backlog"], "B")]
    assert numbers["flows that feed it"] == [str(tree["contributors"])]
    assert numbers["flows held that do not use it"] == [str(tree["victims"])]
    told = congestree.trees.sentences(congestree.trees.summary(seen))[tree["tree"]]
    assert page.text(".card").replace("\n", " ").count(told[0]) == 1
    page.keep("root", shown=True)
    assert page.errors == []


def test_the_tutorial_shows_what_is_seen(open_page, tmp_path):
    text = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
    scenario = re.search(r'```toml title="hot-spot.toml"\n(.*?)```', text, re.S)[1]
    looks = {"measure.probes": ["trees", "ports", "flows"], "measure.sampling_interval": "100 us"}
    run = congestree.run(scenario, values=looks)
    page = open_page(view.write(tmp_path / "seen.html", run), "#sample=100")
    page.keep("tutorial", shown=True)
    page.click(place_of_root(page, run.ports["name"].to_list().index("B->B_C")))
    assert page.text(".card .name") == "B->B_C"
    held = "[...document.querySelectorAll('.list')].find(l => l.innerText.startsWith('Held by it')).innerText"
    assert "A_V->B_V" in page.evaluate(f"() => {held}")
    assert page.errors == []


def test_the_root_is_drawn_in_the_colour_of_roots_and_disappears_with_the_trees(open_page, path, seen):
    page = open_page(path, MIDDLE)
    place = place_of_root(page, tree_at(seen, TIME)["root"])
    assert near(colour_at(page, place), (213, 94, 0))
    page.page.keyboard.press("t")
    page.settle()
    assert not near(colour_at(page, place), (213, 94, 0))


def colour_at(page, place):
    from io import BytesIO

    from matplotlib.image import imread

    page.page.wait_for_timeout(400)
    box = page.page.locator(".stage").bounding_box()
    clip = {"x": box["x"] + place[0], "y": box["y"] + place[1], "width": 1, "height": 1}
    return [round(255 * float(v)) for v in imread(BytesIO(page.page.screenshot(clip=clip)))[0, 0, :3]]


def near(colour, other):
    return all(abs(a - b) < 12 for a, b in zip(colour, other, strict=True))


def test_a_link_shows_what_the_tables_say_of_it(open_page, path, seen):
    port = tree_at(seen, TIME)["root"]
    name = seen.ports["name"][port]
    page = open_page(path, f"{MIDDLE}&port=0:{name}")
    at = seen.port_series.filter((seen.port_series["time"] - (TIME - 10e-6)).abs() < 1e-9)
    row = at.filter(at["port"] == port).row(0, named=True)
    rate = seen.ports["rate"][port]
    assert page.text(".card .name") == name
    numbers = page.numbers()
    assert close(numbers["use"][0], 100 * 8 * row["bytes"] / 10e-6 / rate)
    assert close(numbers["time held"][0], 100 * row["blocked"] / 10e-6)
    assert close(numbers["queue behind"][0], row["held"])
    total = seen.ports.row(port, named=True)
    assert numbers["mean use"] == [f"{100 * total['utilisation']:.3g} %"]
    assert numbers["bytes"] == [in_words(total["bytes"], "B")]
    page.keep("link")
    assert page.errors == []


def test_a_link_without_a_record_has_no_value(open_page, tmp_path):
    """Credit at marks was 0 B at links that had never marked a packet."""
    run = congestree.run("infiniband-test-bed", values={"measure.probes": ["ports", "events"]})
    path = view.write(tmp_path / "marks.html", run)
    marked, unmarked = (run.ports["name"][port] for port in (run.marks["output_port"][0], 0))
    assert run.ports["name"].to_list().index(unmarked) not in run.marks["output_port"]
    first = 1 + int(run.marks["time"][0] / (run.duration / 100))
    page = open_page(path, f"#sample={first}&by=credits-at-marks&port=0:{unmarked}")
    assert page.numbers()["credit at marks"] == ["–"]
    steps = page.evaluate("() => [...window.congestree.scene.parts[0].values]")
    assert steps[run.marks["output_port"][0]] > 0 and steps[0] == 0
    page.evaluate("(hash) => window.congestree.model.read(hash)", f"sample={first}&port=0:{marked}")
    assert re.fullmatch(r"[1-9].* (Ki)?B", page.numbers()["credit at marks"][0])
    assert page.errors == []


CROWDED = {
    "topology": {"clos": {"down": [32, 4], "up": [16]}},
    "links": {"rate": "8 Gbit/s", "delay": "10 ns"},
    "traffic": [
        {"name": "incast", "from": [f"h{i}" for i in range(40, 80)], "to": "h0"},
        {"name": "uniform", "from": "all", "pattern": "uniform"},
    ],
    "measure": {
        "duration": "400 us",
        "probes": ["trees", "ports", "flows"],
        "sampling_interval": "5 us",
        "bin": "10 us",
    },
}


def test_a_list_that_is_cut_says_of_how_many(open_page, tmp_path):
    run = congestree.run(CROWDED)
    page = open_page(view.write(tmp_path / "crowded.html", run), "#sample=80")
    heads = "() => [...document.querySelectorAll('.list summary')].map(head => head.innerText)"
    now = run.trees.filter((run.trees["time"] - 400e-6).abs() < 1e-9)
    trees = len(congestree.trees.summary(run)["trees"])
    assert page.evaluate(heads) == [f"Roots: the first 12 of {now.height}"]
    assert page.text(".timeline .left") == f"Shown here: the first 60 of {trees} trees"
    most = run.tree_flows.filter(run.tree_flows["role"] != "victim").group_by("tree").len().sort("len").row(-1)
    page.evaluate("(hash) => window.congestree.model.read(hash)", f"sample=80&tree=0:{most[0]}")
    assert f"Fed by: the first 20 of {most[1]}" in page.evaluate(heads)
    page.evaluate("(hash) => window.congestree.model.read(hash)", "sample=80&node=0:leaf0")
    assert page.evaluate(heads) == ["Links: the first 40 of 48"]
    assert page.page.locator(".list li").count() == 40
    assert page.errors == []


def test_of_links_side_by_side_each_has_its_own_other_direction(open_page, tmp_path):
    links = [["a", "L"], ["b", "R"], ["L", "R"], ["L", "R"], ["R", "L"]]
    graph = {"hosts": ["a", "b"], "switches": ["L", "R"], "links": [{"a": a, "b": b} for a, b in links]}
    measure = {"duration": "100 us", "probes": ["ports"], "bin": "10 us"}
    scenario = {"topology": {"graph": graph}, "links": {"rate": "8 Gbit/s"}, "measure": measure}
    run = congestree.run({**scenario, "traffic": [{"from": "a", "to": "b"}]})
    page = open_page(view.write(tmp_path / "parallel.html", run))
    other = """(name) => { const { model } = window.congestree;
        model.set({ chosen: { kind: "port", run: 0, id: model.data.fabric.ports.indexOf(name) } });
        const lists = [...document.querySelectorAll(".list")];
        return lists.find(list => list.innerText.startsWith("Other")).querySelector("button").innerText; }"""
    for number in (1, 2, 3):
        assert page.evaluate(other, f"L->R ({number})") == f"R->L ({number})"
        assert page.evaluate(other, f"R->L ({number})") == f"L->R ({number})"


def test_what_is_counted_after_the_warm_up_is_not_told_of_the_whole_run(open_page, seen, tmp_path):
    late = congestree.run(seen.scenario, values={"measure.warm_up": "250 us", "measure.duration": "500 us"})
    page = open_page(view.write(tmp_path / "late.html", late), f"#sample=40&port=0:{tree_at(seen, TIME)['name']}")
    heads = "() => [...document.querySelectorAll('.numbers th[scope=col]:first-child')].map(head => head.innerText)"
    assert page.evaluate(heads) == ["At 400 us", "After the warm-up of 250 us"]
    page.evaluate("() => window.congestree.model.set({chosen: {kind: 'flow', run: 0, id: 0}})")
    assert page.evaluate(heads) == ["At 400 us", "After the warm-up of 250 us", "In the whole run"]
    of_the_whole = "() => [...document.querySelectorAll('.numbers tbody')].at(-1).innerText"
    assert page.evaluate(of_the_whole).split("\n")[1:] == ["time lost behind others\t0 ns"]


def test_a_link_that_failed_is_told_of(open_page, tmp_path):
    text = (ROOT / "docs/howto/links-that-fail.md").read_text(encoding="utf-8")
    scenario = re.search(r'```toml title="spine.toml"\n(.*?)```', text, re.S)[1]
    run = congestree.run(scenario, values={"measure.probes": ["ports"], "measure.bin": "100 us"})
    page = open_page(view.write(tmp_path / "failed.html", run), "#sample=3&port=0:spine1->leaf0")
    findings = page.text(".findings")
    assert all(said in findings for said in faults.sentences(run) + losses.sentences(run))
    assert "leaf0<->spine1 was down from 120 us to 420 us; " in findings
    assert page.text(".card .said") == "It is down from 120 us to 420 us."
    page.evaluate("(hash) => window.congestree.model.read(hash)", "sample=6&port=0:spine1->leaf1")
    assert page.page.locator(".card .said").count() == 0
    assert page.errors == []


def close(shown, value):
    number = float(re.match(r"[-\d.,]+", shown)[0].replace(",", ""))
    return abs(number - value) <= 0.006 * abs(value) + 1e-9


def test_links_are_coloured_by_their_values(open_page, path, seen):
    page = open_page(path, MIDDLE + "&trees=no")
    script = "() => { const part = window.congestree.scene.parts[0]; return [...part.values]; }"
    steps = page.evaluate(script)
    at = seen.port_series.filter((seen.port_series["time"] - (TIME - 10e-6)).abs() < 1e-9)
    use = dict(zip(at["port"].to_list(), (8 * at["bytes"] / 10e-6).to_list(), strict=True))
    expected = [255 * use.get(port, 0.0) / rate for port, rate in enumerate(seen.ports["rate"])]
    assert any(expected)
    assert all(abs(step - min(255, value)) <= 1.01 for step, value in zip(steps, expected, strict=True))


def test_a_flow_tells_its_rate_and_the_trees_that_it_fed(open_page, path, seen):
    page = open_page(path, MIDDLE)
    page.page.keyboard.press("/")
    page.page.keyboard.type("h4->h0")
    page.page.wait_for_selector(".hits li")
    page.page.keyboard.press("Enter")
    page.settle()
    flow = seen.flows.filter(seen.flows["name"] == "h4->h0").row(0, named=True)
    assert page.text(".card .name") == "h4->h0"
    assert page.numbers()["mean rate"] == [in_words(flow["rate"], "bit/s")]
    assert "crowd" in page.text(".card .kind")
    assert "It fed the tree at" in page.text(".card")
    page.keep("flow")
    assert page.errors == []


def test_two_runs_have_one_slider_and_differences_a_colour(open_page, seen, controlled, tmp_path):
    page = open_page(view.write(tmp_path / "both.html", seen, controlled), f"{MIDDLE}&difference=yes")
    script = "(i) => { const part = window.congestree.scene.parts[i]; return [...part.values]; }"
    steps = page.evaluate(script, 1)
    shares = []
    for run in (seen, controlled):
        at = run.port_series.filter((run.port_series["time"] - (TIME - 10e-6)).abs() < 1e-9)
        use = dict(zip(at["port"].to_list(), (8 * at["bytes"] / 10e-6).to_list(), strict=True))
        shares.append([use.get(port, 0.0) / rate for port, rate in enumerate(run.ports["rate"])])
    expected = [255 * min(1, abs(b - a)) for a, b in zip(*shares, strict=True)]
    assert max(expected) > 50
    assert all(abs(step - value) <= 1.01 for step, value in zip(steps, expected, strict=True))
    tree = tree_at(seen, TIME)
    page.click(place_of_root(page, tree["root"]))
    assert page.text(".card .name") == tree["name"]
    page.keep("both", shown=True)
    assert page.errors == []
