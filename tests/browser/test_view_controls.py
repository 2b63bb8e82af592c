"""Slider, timeline, keys and address of the page of a run."""

import pytest
from looking import MIDDLE, TIME, tree_at

import congestree
from congestree import view
from congestree.quantities import in_words


def test_the_keyboard_does_it_all(open_page, path, seen):
    page = open_page(path, "#sample=1")
    keys = page.page.keyboard
    page.page.focus(".congestree")
    look = "() => window.congestree.model.state.frame"
    for key, expected in (("End", 99), ("ArrowLeft", 98), ("Shift+ArrowLeft", 88), ("Home", 0), ("ArrowRight", 1)):
        keys.press(key)
        assert page.evaluate(look) == expected, key
    keys.press("End")
    keys.press("n")
    page.settle()
    assert page.text(".card .name") == tree_at(seen, 1e-3)["name"]
    keys.press("Escape")
    page.settle()
    assert page.page.locator(".card .name").count() == 0
    keys.press("Home")
    keys.press("Space")
    page.page.wait_for_function("() => window.congestree.model.state.frame > 3", timeout=60_000)
    keys.press("Space")
    assert page.evaluate("() => window.congestree.model.state.playing") is False
    keys.press("?")
    page.page.wait_for_selector("dialog[open]")
    assert page.errors == []


@pytest.fixture(scope="module")
def seldom(seen):
    """The same run with ten samples."""
    return congestree.run(seen.scenario, values={"measure.sampling_interval": "100 us", "name": "seldom"})


def test_the_slider_stands_over_its_instant_however_few_looks_there_are(open_page, seldom, tmp_path):
    page = open_page(view.write(tmp_path / "seldom.html", seldom), "#sample=1")
    bands, slider = (page.page.locator(name).bounding_box() for name in (".timeline .bands", ".timeline .slider"))
    for look in range(1, 11):
        x = bands["x"] + bands["width"] * look / 10
        page.page.mouse.click(min(x, slider["x"] + slider["width"] - 1), slider["y"] + slider["height"] / 2)
        page.settle()
        assert page.text(".timeline .clock") == in_words(look * 100e-6, "s")
    assert page.errors == []


def test_a_click_on_a_band_shows_a_look_at_which_that_tree_stood(open_page, seldom, tmp_path):
    page = open_page(view.write(tmp_path / "seldom.html", seldom), "#sample=10")
    largest = tree_at(seldom, TIME)["tree"]
    rows = seldom.trees.filter(seldom.trees["tree"] == largest).sort("time")
    first = rows["time"][0]
    bands = page.page.locator(".timeline .bands").bounding_box()
    x = bands["x"] + bands["width"] * (first - 30e-6) / 1e-3  # within the band, which begins with the sample before
    page.page.mouse.click(x, bands["y"] + 8)
    page.settle()
    assert page.text(".timeline .clock") == in_words(first, "s")
    assert page.text(".card .name") == rows["name"][0]
    assert page.numbers()["branches"] == [str(rows["branches"][0])]


def test_one_slider_goes_through_the_looks_of_both_runs(open_page, seen, tmp_path):
    longer = congestree.run(seen.scenario, values={"measure.duration": "2 ms", "measure.sampling_interval": "50 us"})
    page = open_page(view.write(tmp_path / "both.html", seen, longer), "#sample=1")
    times = page.evaluate("() => [...window.congestree.model.times]")
    assert times == pytest.approx([i * 10e-6 for i in range(1, 101)] + [1e-3 + i * 50e-6 for i in range(1, 21)])
    page.page.focus(".congestree")
    page.page.keyboard.press("End")
    page.settle()
    assert page.text(".timeline .clock") == in_words(2e-3, "s")
    assert page.errors == []


def test_a_run_that_has_ended_shows_nothing_at_a_later_instant(open_page, seen, controlled, tmp_path):
    """The last sample of the shorter run was shown until the longer one ended: its trees, and its use of links."""
    shorter = congestree.run(controlled.scenario, values={"measure.duration": "200 us", "name": "shorter"})
    root = f"1:{tree_at(seen, TIME)['name']}"
    page = open_page(view.write(tmp_path / "both.html", seen, shorter), f"#sample=60&by=use&difference=yes&port={root}")
    assert {name: values[1] for name, values in page.numbers().items() if name == "use"} == {"use": "–"}
    assert page.text(".caption-1").endswith("shorter: ended at 200 us")
    drawn = """() => window.congestree.scene.parts.map(part => [Math.max(...part.values), part.members().length])"""
    (use, links), (ended, gone) = page.evaluate(drawn)
    assert use > 0 and links > 0 and ended == gone == 0
    page.page.keyboard.press("Escape")
    trees = seen.trees.filter((seen.trees["time"] - TIME).abs() < 1e-9).height
    assert page.text(".card h2").startswith(f"{trees} congestion tree")
    page.page.keyboard.press("Home")
    page.settle()
    assert page.text(".caption-1").endswith("shorter")
    assert page.errors == []


def test_what_one_of_two_runs_recorded_has_no_difference(open_page, seen, controlled, tmp_path):
    few = congestree.run(seen.scenario, values={"measure.probes": ["trees", "flows"]})
    page = open_page(view.write(tmp_path / "both.html", few, controlled), "#sample=60&by=use&difference=yes")
    assert page.text(".legend .scale").split("\n") == ["use: 0", "100 %; only B recorded it"]
    assert page.evaluate("() => window.congestree.scene.parts.map(part => Math.max(...part.values) > 0)") == [
        False,
        True,
    ]
    both = open_page(view.write(tmp_path / "alike.html", seen, controlled), "#sample=60&by=use&difference=yes")
    assert both.text(".legend .scale").split("\n") == ["B: less use", "more than A"]


BRANCHES = """(instant) => { const { model, scene } = window.congestree; const [part] = scene.parts;
    return part.forest.links(instant).filter(link => link.role === 1 && !part.forest.of(link.port, 0).length)
        .map(link => model.data.fabric.ports[link.port]); }"""


@pytest.mark.parametrize("kind", ["port", "node", "flow"])
def test_what_is_chosen_follows_the_time(open_page, path, kind):
    """Sentences and lists stayed those of the instant at which it was chosen."""
    page = open_page(path, MIDDLE)
    branch = page.evaluate(BRANCHES, 59)[0]
    name = {"port": branch, "node": "h4", "flow": "0"}[kind]
    page.evaluate("(hash) => window.congestree.model.read(hash)", f"{MIDDLE}&{kind}=0:{name}")
    before = page.text(".card")
    page.page.focus(".congestree")
    page.page.keyboard.press("Home")
    page.settle()
    fresh = open_page(path, page.evaluate("() => location.hash"))
    assert page.text(".card") == fresh.text(".card") != before
    assert ("In this sample it is a branch" in before) == (kind == "port")
    assert page.errors == []


def test_a_list_stays_open_and_keeps_the_focus_while_time_passes(open_page, path):
    page = open_page(path, f"{MIDDLE}&node=0:h4")
    page.page.focus("details.list button")
    page.page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.closest('details').open") is True
    page.page.click("details.list summary")
    page.page.focus(".congestree")
    page.page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.querySelector('details.list').open") is False


def test_the_tip_follows_the_time(open_page, path):
    page = open_page(path, MIDDLE + "&trees=no")
    branch = page.evaluate(BRANCHES, 59)[0]
    middle = """(name) => { const { scene, model } = window.congestree; const { source, target } = scene.geometry;
        const p = model.data.fabric.ports.indexOf(name);
        return scene.project(0, (source[3 * p] + target[3 * p]) / 2, (source[3 * p + 1] + target[3 * p + 1]) / 2); }"""
    x, y = page.evaluate(middle, branch)
    box = page.page.locator(".stage").bounding_box()
    page.page.mouse.move(box["x"] + x, box["y"] + y)
    page.page.wait_for_selector(".tip:not([hidden])")
    before = page.text(".tip")
    assert before.startswith(f"{branch}: use ")
    page.page.keyboard.press("Home")
    assert page.text(".tip") == f"{branch}: use {page.evaluate(USE, branch)}" != before
    page.page.keyboard.press("ArrowDown")
    assert page.text(".tip").startswith(f"{branch}: queue behind ")


USE = """(name) => { const { model } = window.congestree;
    model.set({ chosen: { kind: "port", run: 0, id: model.data.fabric.ports.indexOf(name) } });
    return document.querySelector(".numbers td").innerText; }"""


def test_space_is_the_own_key_of_what_it_presses(open_page, path):
    """A box is ticked and a list opened with it, as everywhere; elsewhere it plays."""
    page = open_page(path, MIDDLE)
    state = "() => { const { trees, playing } = window.congestree.model.state; return [trees, playing]; }"
    page.page.focus("input[type=checkbox]")
    page.page.keyboard.press("Space")
    assert page.evaluate(state) == [False, False]
    was = page.evaluate("() => document.querySelector('aside summary').parentElement.open")
    page.page.focus("aside summary")
    page.page.keyboard.press("Space")
    assert page.evaluate("() => document.querySelector('aside summary').parentElement.open") is not was
    assert page.evaluate(state) == [False, False]
    page.page.focus(".congestree")
    page.page.keyboard.press("Space")
    assert page.evaluate(state) == [False, True]


def test_the_address_remembers_what_is_seen(open_page, path, seen):
    page = open_page(path, "#sample=1")
    page.page.focus(".congestree")
    page.page.keyboard.press("End")
    page.page.keyboard.press("n")
    page.page.keyboard.press("ArrowDown")
    page.page.keyboard.press("d")
    page.settle()
    fragment = page.evaluate("() => location.hash")
    again = open_page(path, fragment)
    assert again.evaluate("() => window.congestree.model.write()") == fragment[1:]
    assert again.text(".card .name") == page.text(".card .name") == tree_at(seen, 1e-3)["name"]
    assert again.page.get_attribute(".congestree", "data-theme") == "dark"
    again.keep("dark")
    assert again.errors == []


def test_an_address_may_have_an_older_name_of_a_quantity(open_page, tmp_path):
    run = congestree.run("pfc-incast", values={"measure.probes": ["ports", "buffers"]})
    page = open_page(view.write(tmp_path / "buffers.html", run), "#sample=60&by=queue")
    assert page.evaluate("() => window.congestree.model.state.by") == "buffer"
    assert page.text(".legend .scale").startswith("buffer behind")


BETWEEN = """() => { const [{ trees }] = window.congestree.model.data.runs; const shown = new Set(trees.rows.tree);
    return trees.lives.filter(life => !shown.has(life.tree)); }"""


def test_a_tree_between_two_samples_that_are_shown_has_its_root_and_its_life(open_page, seen, tmp_path):
    """A click on its root showed a link without a name and was an error; its band was empty."""
    brief = congestree.run(seen.scenario, values={"traffic.crowd.start": "620 us", "traffic.crowd.stop": "690 us"})
    page = open_page(view.write(tmp_path / "five.html", brief, frames=5), "#sample=1")
    tree = page.evaluate(BETWEEN)[0]
    [port] = brief.trees.filter(brief.trees["tree"] == tree["tree"])["root"].unique()
    page.evaluate("(id) => window.congestree.model.set({ chosen: { kind: 'tree', run: 0, id } })", tree["tree"])
    colours = page.evaluate(
        """([tree, at]) => { const canvas = document.querySelector(".timeline .bands");
        const row = window.congestree.model.data.runs[0].trees.lives.findIndex(life => life.tree === tree) + 1;
        const ratio = window.devicePixelRatio, pen = canvas.getContext("2d");
        return at.map(share => [...pen.getImageData(share * canvas.width, (row * 17 - 2) * ratio, 1, 1).data]); }""",
        [tree["tree"], [(tree["born_s"] + tree["died_s"]) / 2 / brief.duration, 0.95]],
    )
    assert colours[0] != colours[1]
    page.page.click(".card .plainly >> text='Show it'")
    page.page.wait_for_function("() => window.congestree.model.state.camera", timeout=5_000)
    page.page.click(f".list button >> text='{tree['root']}'")
    assert page.evaluate("() => window.congestree.model.state.chosen") == {"kind": "port", "run": 0, "id": port}
    assert page.text(".card .name") == tree["root"] == brief.ports["name"][port]
    assert page.errors == []


def test_the_clock_tells_all_samples_apart(open_page, seen, tmp_path):
    """Three digits were the same text for several samples in a row."""
    long = congestree.run(seen.scenario, values={"measure.duration": "2.1 ms", "measure.sampling_interval": "5 us"})
    page = open_page(view.write(tmp_path / "long.html", long), "#sample=1")
    told, box = page.evaluate(
        """() => { const { model } = window.congestree; const clock = document.querySelector(".timeline .clock");
        const told = [], wide = new Set();
        for (let frame = 0; frame < model.times.length; frame++) {
            model.set({ frame });
            const heading = document.querySelector(".card h2").textContent;
            if (!heading.endsWith(` at ${clock.textContent}`)) throw new Error(heading);
            told.push(clock.textContent);
            wide.add(clock.scrollWidth > clock.clientWidth || document.querySelector(".slider").clientWidth);
        }
        return [told, [...wide]]; }"""
    )
    assert len(set(told)) == len(told) == 420
    assert [told[at] for at in (0, 199, 200, 401, 402)] == ["5 us", "1 ms", "1.005 ms", "2.01 ms", "2.015 ms"]
    assert len(box) == 1 and box[0] > 100
    assert page.errors == []
