"""Pages and reports run no script of a scenario, fetch nothing, and have the licences of their parts."""

import re

import pytest
from looking import MIDDLE

import congestree
from congestree import report, view


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


@pytest.mark.parametrize("by", ["constructor", "toString", "__proto__", "no-such"])
def test_an_address_with_a_quantity_that_is_none_is_passed_over(open_page, path, by):
    """Every object of JavaScript has the first three, and the page could not be drawn."""
    page = open_page(path, f"#sample=60&by={by}")
    assert page.page.input_value("select.by") == "use"
    assert page.errors == []


def test_the_small_page_is_one_file_without_addresses(path):
    """Nothing in it is fetched from outside, and its policy forbids it."""
    text = path.read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    assert not re.search(r"<(?:link|img|iframe|script)[^>]*(?:src|href)=", text)
