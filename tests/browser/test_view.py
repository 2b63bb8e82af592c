"""The page of a run in a real browser: the drawing agrees with the tables."""

import contextlib
import os
import re
import time
from pathlib import Path

import pytest

import congestree
from congestree import report, view
from congestree.quantities import in_words

ROOT = Path(__file__).parents[2]
MIDDLE = "#sample=60&by=use"
TIME = 600e-6


@pytest.fixture(scope="module")
def path(seen, tmp_path_factory):
    return view.write(tmp_path_factory.mktemp("view") / "seen.html", seen)


def tree_at(run, time):
    rows = run.trees.filter((run.trees["time"] - time).abs() < 1e-9).sort("branches", descending=True)
    return rows.row(0, named=True)


def place_of_root(page, port, run=0):
    script = """([run, port]) => { const v = window.congestree;
        return v.scene.project(run, ...v.scene.geometry.root(port)); }"""
    return page.evaluate(script, [run, port])


def test_a_click_on_a_root_shows_its_name_and_its_numbers(open_page, path, seen):
    page = open_page(path, MIDDLE)
    tree = tree_at(seen, TIME)
    page.click(place_of_root(page, tree["root"]))
    assert page.text(".card .name") == tree["name"]
    numbers = page.numbers()
    assert numbers["branches"] == [str(tree["branches"])]
    assert numbers["links that only victims wait for"] == [str(tree["held"])]
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
    assert numbers["use after the warm-up"] == [f"{100 * total['utilisation']:.3g} %"]
    assert numbers["bytes"] == [in_words(total["bytes"], "B")]
    page.keep("link")
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
    assert page.numbers()["rate after the warm-up"] == [in_words(flow["rate"], "bit/s")]
    assert "crowd" in page.text(".card .kind")
    assert "It fed the tree at" in page.text(".card")
    page.keep("flow")
    assert page.errors == []


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


def test_the_page_has_the_licences_of_what_it_is_built_from(open_page, path):
    page = open_page(path, MIDDLE)
    page.page.focus(".congestree")
    page.page.keyboard.press("?")
    page.page.click("dialog summary")
    shown = page.text("dialog pre")
    for part in ("@deck.gl/core", "uplot", "apache-arrow"):
        assert re.search(rf"^{part} [\d.]+: \S+$", shown, re.M), part
    assert shown.strip() == (view.page.BUNDLE.parent / "LICENSES.txt").read_text(encoding="utf-8").strip()
    assert page.errors == []


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


def test_a_screen_reader_gets_the_sentences(open_page, path, seen):
    page = open_page(path, MIDDLE)
    said = congestree.trees.explain(seen)
    findings = page.text(".findings")
    assert all(sentence in findings for sentence in said)
    assert page.page.get_attribute(".stage canvas[role=img]", "aria-label")
    page.page.focus(".congestree")
    page.page.keyboard.press("n")
    page.settle()
    assert tree_at(seen, TIME)["name"] in page.text(".live")
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll('button, input, select')].filter(e =>
        !(e.getAttribute('aria-label') || e.innerText || e.closest('label'))).length"""
    )
    assert unnamed == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_the_colours_of_the_system(open_page, path, seen, scheme):
    """Contrast of 4.5 at least, as WCAG 2.2 requires for text (criterion 1.4.3)."""
    page = open_page(path, MIDDLE, color_scheme=scheme)
    assert page.page.get_attribute(".congestree", "data-theme") == scheme
    page.page.focus(".congestree")
    page.page.keyboard.press("n")
    page.settle()
    found = page.evaluate(
        """() => {
        const parts = (c) => c.match(/[\\d.]+/g).map(Number);
        const light = (c) => { const [r, g, b] = parts(c).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 :
            ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const under = (e) => { while (e) { const c = getComputedStyle(e).backgroundColor;
            if (parts(c)[3] !== 0) return c; e = e.parentElement; } return 'rgb(255, 255, 255)'; };
        const texts = [...document.querySelectorAll('.congestree *')].filter(e => e.checkVisibility() &&
            !e.closest('.legend') && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()));
        return texts.map(e => { const [a, b] = [light(getComputedStyle(e).color), light(under(e))];
            return [e.className || e.tagName, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)]; }); }"""
    )
    assert len(found) > 30
    assert [(what, ratio) for what, ratio in found if ratio < 4.5] == []


def test_tab_goes_through_all_controls(open_page, path, seen):
    page = open_page(path, MIDDLE)
    page.page.focus(".congestree")
    page.page.keyboard.press("n")
    page.settle()
    controls = """[...document.querySelectorAll('button, input, select, summary')].filter(e => e.checkVisibility())"""
    count = page.evaluate(f"() => {controls}.length")
    reached = set()
    for _ in range(count + 4):
        page.page.keyboard.press("Tab")
        reached.add(page.evaluate(f"() => {controls}.indexOf(document.activeElement)"))
    assert reached - {-1} == set(range(count))
    assert page.errors == []


WICKED = ['"><img src=x onerror=boom()>', "</script><script>boom()</script>", "a'b\"c&amp;", "tab\there\x07\u202e"]


@pytest.fixture(scope="module")
def wicked():
    """A run whose names contain markup that must stay text."""
    evil, end, quotes, control = WICKED
    scenario = {
        "name": f"</title>{end}",
        "description": evil,
        "topology": {
            "graph": {
                "hosts": [evil, quotes, control],
                "switches": [end],
                "links": [{"a": name, "b": end} for name in (evil, quotes, control)],
            }
        },
        "links": {"rate": "8 Gbit/s"},
        "traffic": [{"name": evil, "from": [evil, control], "to": quotes}],
        "measure": {"duration": "100 us", "probes": ["trees", "ports", "flows"], "sampling_interval": "10 us"},
    }
    return congestree.run(scenario)


def test_nothing_from_a_scenario_runs_as_script(open_page, wicked, tmp_path):
    """Names with quotes, angle brackets and control characters are shown as text."""
    evil, end, quotes, _ = WICKED
    page = open_page(view.write(tmp_path / "evil.html", wicked), "#sample=8")
    page.evaluate("() => { window.booms = 0; window.boom = () => window.booms++; }")
    page.page.focus(".congestree")
    page.page.keyboard.press("n")
    page.settle()
    shown = set()
    for word in ("img", "script", "a'b", "tab"):
        page.page.keyboard.press("/")
        page.page.keyboard.type(word)
        page.page.wait_for_selector(".hits li")
        page.page.keyboard.press("Enter")
        page.settle()
        shown.add(page.text(".card .name"))
    assert shown == {evil, end, quotes, "tab␉here␇\\u202e"}
    assert page.evaluate("() => window.booms") == 0
    assert page.evaluate("() => document.querySelectorAll('img').length") == 0
    assert page.page.title().startswith(f"</title>{end}")
    assert page.errors == []


def test_nothing_from_a_scenario_runs_in_a_report(open_page, wicked, tmp_path):
    page = open_page(report.write(tmp_path / "evil.html", wicked), ready="h1")
    evil, end, quotes, _ = WICKED
    assert page.text("h1") == f"</title>{end}"
    shown = page.text("body")
    assert evil in shown and quotes in shown and "␇" in shown
    assert page.evaluate("() => document.scripts.length") == 0
    assert page.evaluate("() => [...document.images].every(i => i.src.startsWith('data:'))")
    assert page.errors == []


def busy():
    """The load of the machine: processes that want to run, for each processor; 1 on a machine of our own."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


@pytest.mark.slow
def test_648_hosts_and_500_looks_are_below_15_mb_and_open_in_3_s(open_page, tmp_path):
    run = congestree.run(forest(36, 2, "500 us", "1 us", load=0.3))
    assert len(run.arrow("flows")) and run.ports.height == 2592
    path = view.write(tmp_path / "large.html", run)
    assert path.stat().st_size < 15e6
    page = open_page(path)
    assert page.evaluate("() => window.congestree.model.times.length") == 500
    took = page.evaluate("() => performance.getEntriesByName('congestree-ready')[0].startTime / 1000")
    print(f"648 hosts, 500 samples: {path.stat().st_size / 1e6:.1f} MB, opened in {took:.1f} s, load {busy():.1f}")
    assert took < 3 * busy()
    page.keep("large")
    assert page.errors == []


@pytest.mark.slow
@pytest.mark.parametrize(("radix", "links", "load", "least"), [(18, 8748, 0.1, 30), (40, 96000, 0.03, 10)])
def test_the_slider_plays_smoothly(open_page, tmp_path, radix, links, load, least):
    """The frame rate when no other process runs.

    When others run, the processor time of a frame is examined instead: at most two times its share, since the page and
    the process that puts it on the screen run in parallel.
    """
    run = congestree.run(forest(radix, 3, "40 us", "2 us", load))
    assert run.ports.height == links and run.trees.height
    page = open_page(view.write(tmp_path / "huge.html", run))
    script = """async (s) => { const v = window.congestree; const before = v.scene.drawn;
        const end = performance.now() + 1000 * s;
        while (performance.now() < end) { if (!v.model.state.playing) v.model.set({frame: 0, speed: 60, playing: true});
            await new Promise(r => setTimeout(r, 20)); }
        return v.scene.drawn - before; }"""
    page.evaluate(script, 1)
    used, all_used, began = processor_time(), time_of_all(), time.monotonic()
    drawn = page.evaluate(script, 3)
    took, used, all_used = time.monotonic() - began, processor_time() - used, time_of_all() - all_used
    others = (all_used - used) / took / os.cpu_count()
    said = f"{drawn / took:.1f} pictures a second, {1000 * used / drawn:.0f} ms of a processor each"
    print(f"{links} links: {said}; others took {100 * others:.0f} % of the machine")
    page.keep(f"links-{links}")
    assert used / drawn <= 2 / least
    assert drawn / took >= least or others > 0.1
    assert page.errors == []


def time_of_all():
    """Seconds that the processors of this machine have computed so far, for whomever."""
    user, nice, system, _, _, *interrupts = map(int, Path("/proc/stat").read_text().splitlines()[0].split()[1:8])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


def processor_time():
    """Seconds that the processes of this test's browser have computed so far."""
    mine, tick = {os.getpid()}, os.sysconf("SC_CLK_TCK")
    times = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            times[int(folder.name)] = int(fields[1]), (int(fields[11]) + int(fields[12])) / tick
    found = [None]
    while found:
        found = [pid for pid, (parent, _) in times.items() if parent in mine and pid not in mine]
        mine.update(found)
    return sum(times[pid][1] for pid in mine - {os.getpid()})


def forest(radix, layers, duration, every, load):
    hosts = 2 * (radix // 2) ** layers
    crowd = [f"h{(7 * k * radix + k) % hosts}" for k in range(1, 13)]
    return {
        "name": f"forest on {hosts} hosts",
        "topology": {"fat-tree": {"radix": radix, "layers": layers}},
        "links": {"rate": "20 Gbit/s", "delay": "10 ns"},
        "traffic": [
            {"name": "everyone", "from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": load}}},
            {"name": "crowd", "from": crowd, "to": "h3"},
        ],
        "measure": {"duration": duration, "probes": ["trees", "ports"], "sampling_interval": every, "bin": every},
    }


def test_the_small_page_is_one_file_without_addresses(path):
    """Nothing in it is fetched from outside, and its policy forbids it."""
    text = path.read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    assert not re.search(r"<(?:link|img|iframe|script)[^>]*(?:src|href)=", text)
