"""A real browser for the tests: Debian's Chromium, without a window and without a network.

Where it is missing the tests are skipped; where CI is set they fail instead. Pictures are kept in runs/screenshots.
"""

import os
import shutil
from pathlib import Path

import pytest

import congestree
from congestree import view

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "runs" / "screenshots"
ARGUMENTS = [
    "--no-sandbox",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
SEEN = """
name = "crowd"
[topology.k-ary-n-tree]
k = 2
n = 4
[links]
rate = "8 Gbit/s"
delay = "10 ns"
[[traffic]]
name = "crowd"
from = ["h4", "h8", "h9", "h12"]
to = "h0"
[[traffic]]
name = "passer-by"
from = "h10"
to = "h2"
[measure]
duration = "1 ms"
probes = ["trees", "ports", "flows"]
sampling_interval = "10 us"
bin = "10 us"
"""


@pytest.fixture(scope="session")
def chromium():
    """The browser, for all tests."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("There is no Chromium here, and where CI is set there must be: install it as .ci/run does.")
        pytest.skip("There is no Chromium here: install it (Debian: apt install chromium).")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


class Page:
    """A page that was opened from disk, and the errors that it reported."""

    def __init__(self, browser, path, fragment="", ready="[data-ready]", **options):
        self.context = browser.new_context(viewport={"width": 1400, "height": 860}, offline=True, **options)
        self.page = self.context.new_page()
        self.errors = []
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(Path(path).resolve().as_uri() + fragment)
        self.page.wait_for_selector(ready, state="attached", timeout=120_000)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    def evaluate(self, script, argument=None):
        return self.page.evaluate(script, argument)

    def text(self, selector):
        return self.page.inner_text(selector)

    def click(self, place):
        """Click on a place of the fabric, given in pixels of its canvas."""
        box = self.page.locator(".stage").bounding_box()
        self.page.mouse.click(box["x"] + place[0], box["y"] + place[1])
        self.settle()

    def settle(self):
        self.page.wait_for_timeout(150)

    def numbers(self):
        """The rows of the table of the selected thing: {name: [values]}."""
        return self.evaluate(
            """() => Object.fromEntries([...document.querySelectorAll('.numbers tr')].map(row =>
            [row.querySelector('th').innerText, [...row.querySelectorAll('td')].map(cell => cell.innerText)]))"""
        )

    def keep(self, name, shown=False):
        """Keeps a picture of the page; `make accept` takes over those that the documents show."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png")
        document = ROOT / "docs/images" / f"view-{name}.png"
        if shown and os.environ.get("CONGESTREE_ACCEPT"):
            from PIL import Image

            Image.open(PICTURES / f"{name}.png").convert("RGB").quantize(256, method=Image.Quantize.MAXCOVERAGE).save(
                document, optimize=True
            )
        assert document.exists() == shown, f"{document} is a picture of this page, or should be: make accept"


@pytest.fixture
def open_page(chromium):
    """Opens pages, and closes them at the end of the test."""
    opened = []

    def open_one(path, fragment="", **options):
        opened.append(Page(chromium, path, fragment, **options))
        return opened[-1]

    yield open_one
    for page in opened:
        page.context.close()


@pytest.fixture(scope="session")
def seen():
    """A run with samples on a small tree."""
    return congestree.run(SEEN)


@pytest.fixture(scope="session")
def controlled():
    """A run with samples on that tree, with congestion control."""
    return congestree.run(SEEN, values={"scheme.preset": "input-output-triggered", "name": "controlled"})


@pytest.fixture(scope="session")
def path(seen, tmp_path_factory):
    """The page of that run without congestion control."""
    return view.write(tmp_path_factory.mktemp("view") / "seen.html", seen)
