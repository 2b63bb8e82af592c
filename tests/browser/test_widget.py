"""The widget of notebooks in a real browser: the module that anywidget loads, with the traits of the Python side."""

import pytest

from congestree import view
from congestree.view.page import BUNDLE

HOST = """async ([code, traits, shadow]) => {
    const module = await import(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})));
    const heard = {}, host = document.getElementById('cell');
    const model = {get: name => traits[name], set: (name, value) => { traits[name] = value; }, save_changes: () => {},
        on: (name, act) => { heard[name] = act; }};
    const el = shadow ? host.attachShadow({mode: 'open'}).appendChild(document.createElement('div')) : host;
    window.stop_it = await module.default.render({model, el});
    window.traits = traits;
    window.tell = state => { traits.state = state; heard['change:state'](); }; }"""


@pytest.fixture(scope="module")
def traits(seen):
    pytest.importorskip("anywidget")
    made = view.widget(seen, height=500)
    return {name: getattr(made, name) for name in ("data", "state", "height")}


@pytest.mark.parametrize("shadow", [False, True], ids=["Jupyter", "marimo"])
def test_a_cell_of_a_notebook_shows_the_run(open_page, traits, tmp_path, seen, shadow):
    """Jupyter puts a widget into the page, marimo beneath a shadow root."""
    (tmp_path / "cell.html").write_text("<!doctype html><title>cell</title><div id='cell'></div>", encoding="utf-8")
    page = open_page(tmp_path / "cell.html", ready="#cell")
    page.evaluate("() => { window.heard = []; document.addEventListener('keydown', e => window.heard.push(e.key)); }")
    page.evaluate(HOST, [BUNDLE.read_text(encoding="utf-8"), traits, shadow])
    page.page.wait_for_selector(".congestree[data-ready]")
    assert page.page.locator(".congestree").bounding_box()["height"] == traits["height"]
    page.page.focus(".congestree")
    for key in ("Home", "End", "n"):
        page.page.keyboard.press(key)
    page.settle()
    last = seen.trees.filter(seen.trees["time"] == seen.trees["time"].max()).sort("branches", descending=True)
    assert page.text(".card .name") == last["name"][0]
    told = page.evaluate("() => window.traits.state")
    assert "sample=" in told
    page.page.focus(".search input")
    page.page.keyboard.type("h4->h0")
    page.page.wait_for_selector(".hits li")
    page.page.keyboard.press("Enter")
    page.settle()
    assert page.text(".card .name") == "h4->h0" and page.evaluate("() => window.traits.state") != told
    page.evaluate("(state) => window.tell(state)", told)
    page.settle()
    assert page.text(".card .name") == last["name"][0]
    # Keys must not reach the handler of notebook commands: d d, x and 0 0 would delete, cut and restart in Jupyter.
    assert page.evaluate("() => window.heard") == []
    assert page.page.locator("[data-lm-suppress-shortcuts] > .congestree").count() == 1
    page.evaluate("() => window.stop_it()")
    assert page.page.locator(".congestree").count() == 0
    assert page.errors == []


def test_in_a_narrow_cell_nothing_lies_over_anything(open_page, traits, tmp_path):
    """The width of the cell counts, not that of the window: signs, buttons and fabric have places of their own."""
    (tmp_path / "cell.html").write_text("<!doctype html><div id='cell' style='width: 420px'></div>", encoding="utf-8")
    page = open_page(tmp_path / "cell.html", ready="#cell")
    for width in (420, 690):
        page.evaluate("(width) => { document.getElementById('cell').style.width = `${width}px`; }", width)
        page.evaluate(HOST, [BUNDLE.read_text(encoding="utf-8"), traits, False])
        page.page.wait_for_selector(".congestree[data-ready]")
        page.settle()
        legend, zoom, stage = (page.page.locator(part).bounding_box() for part in (".legend", ".zoom", ".stage"))
        beside = legend["x"] + legend["width"] <= zoom["x"]
        assert beside or legend["y"] >= zoom["y"] + zoom["height"]
        assert stage["x"] + stage["width"] <= 8 + width and stage["height"] >= 240
        page.evaluate("() => window.stop_it()")
