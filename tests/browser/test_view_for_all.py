"""The page of a run can be read and used by everybody: screen readers, contrast and the keyboard alone."""

import pytest
from looking import MIDDLE, TIME, tree_at

import congestree


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
