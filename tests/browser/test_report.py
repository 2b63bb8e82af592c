"""Reports in a real browser: they read without scripts, and print."""

import pytest

from congestree import report


@pytest.fixture(scope="module")
def path(seen, tmp_path_factory):
    return report.write(tmp_path_factory.mktemp("report") / "report.html", seen)


def test_a_report_reads_and_prints(open_page, path, chromium, tmp_path):
    page = open_page(path, ready="h1")
    assert page.text("h1") == "crowd"
    broken = "() => [...document.images].filter(i => !i.complete || !i.naturalWidth || !i.alt).length"
    assert page.evaluate(broken) == 0
    assert page.evaluate("() => document.images.length") == 5
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.page.set_viewport_size({"width": 400, "height": 800})
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.page.set_viewport_size({"width": 1000, "height": 1490})
    page.keep("report", shown=True)
    printed = tmp_path / "report.pdf"
    page.page.pdf(path=printed)
    assert printed.read_bytes().startswith(b"%PDF")
    assert page.errors == []
