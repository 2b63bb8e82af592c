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
    assert "look=" in told
    page.page.focus(".search input")
    page.page.keyboard.type("h4->h0")
    page.page.wait_for_selector(".hits li")
    page.page.keyboard.press("Enter")
    page.settle()
    assert page.text(".card .name") == "h4->h0" and page.evaluate("() => window.traits.state") != told
    page.evaluate("(state) => window.tell(state)", told)
    page.settle()
    assert page.text(".card .name") == last["name"][0]
    page.evaluate("() => window.stop_it()")
    assert page.page.locator(".congestree").count() == 0
    assert page.errors == []
