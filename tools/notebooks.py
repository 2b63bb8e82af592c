"""The view in real notebooks: JupyterLab and marimo, driven by a headless Chromium.

    pip install jupyterlab marimo anywidget playwright      # none of them belongs to congestree
    python tools/notebooks.py

A notebook shows a run; the view is drawn, takes keys and a search, and leaves the cells around it alone, whatever keys
mean to the notebook. `tests/browser/test_widget.py` tests the same module without either.
"""

import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import congestree

SCENARIO = {
    "name": "crowd",
    "topology": {"k-ary-n-tree": {"k": 2, "n": 4}},
    "links": {"rate": "8 Gbit/s", "delay": "10 ns"},
    "traffic": [{"name": "crowd", "from": ["h4", "h8", "h9", "h12"], "to": "h0"}],
    "measure": {
        "duration": "500 us",
        "probes": ["trees", "ports", "flows"],
        "sampling_interval": "10 us",
        "bin": "10 us",
    },
}
CELL = 'import congestree\ncongestree.view.widget(congestree.Run.load("seen"), height=560)'
KEYS = ("End", "n", "d", "d", "x", "0", "0", "z", "m", "y", "ArrowDown", "Shift+ArrowDown")
"""Of the view; in Jupyter's command mode some of them delete and cut cells, and restart the kernel."""
PORT = 8_907


def jupyter(folder):
    """A notebook of two cells, and what serves it; the page is to be run by its menu."""
    cells = [
        {"cell_type": "code", "id": f"c{i}", "metadata": {}, "source": text, "outputs": [], "execution_count": None}
        for i, text in enumerate((CELL, "1 + 1"))
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (folder / "seen.ipynb").write_text(json.dumps(notebook))
    options = ("--no-browser", "--allow-root", f"--port={PORT}", "--IdentityProvider.token=", "--ServerApp.password=")
    return ["jupyterlab", *options], "/lab/tree/seen.ipynb", ".jp-Notebook .jp-CodeCell"


def marimo(folder):
    """The same as an app, which runs when it is opened."""
    body = CELL.replace("\n", "\n    ")
    cells = f"@app.cell\ndef _():\n    {body}\n    return\n\n@app.cell\ndef _():\n    1 + 1\n    return\n"
    (folder / "seen.py").write_text(f"import marimo\n\napp = marimo.App()\n\n{cells}")
    return ["marimo", "edit", "seen.py", "--headless", "--no-token", "--port", str(PORT)], "/", "[data-cell-id]"


def look(page, address, cells):
    """Opens the notebook, runs it, and uses the view; raises AssertionError if it does not work as it should."""
    from playwright.sync_api import Error as Unready

    page.goto(f"http://127.0.0.1:{PORT}{address}")
    page.wait_for_selector(cells)
    for _ in range(10):
        if page.locator(".jp-Dialog .jp-mod-accept").count():  # which kernel? the one that the notebook names
            page.click(".jp-Dialog .jp-mod-accept")
        if "lab" in address:
            page.wait_for_timeout(3000)
            page.click("text=Run >> nth=0")
            page.click("text=Run All Cells >> nth=0")
        else:
            page.keyboard.press("Control+Shift+r")
        with contextlib.suppress(Unready):
            page.wait_for_selector(".congestree[data-ready]", timeout=20_000)
            break
    before = page.locator(cells).count()
    page.focus(".congestree")
    for key in KEYS:
        page.keyboard.press(key)
        page.wait_for_timeout(100)
    assert page.locator(cells).count() == before, "keys of the view went to the cells"
    assert page.inner_text(".card .name"), "no tree was chosen"
    page.focus(".search input")
    page.keyboard.type("h9->h0")
    page.wait_for_selector(".hits li")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert page.inner_text(".card .name") == "h9->h0"


def main():
    """Both, one after the other."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as home, sync_playwright() as play:
        folder = Path(home)
        congestree.run(SCENARIO, out=folder / "seen")
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for make in (jupyter, marimo):
            words, address, cells = make(folder)
            with open(folder / "log.txt", "w") as log:
                server = subprocess.Popen([sys.executable, "-m", *words], cwd=folder, stdout=log, stderr=log)
            try:
                for _ in range(120):
                    with contextlib.suppress(OSError):
                        urllib.request.urlopen(f"http://127.0.0.1:{PORT}/")
                        break
                    time.sleep(0.5)
                look(browser.new_page(viewport={"width": 1400, "height": 900}), address, cells)
                print(f"{make.__name__}: shown, and used")
            finally:
                server.terminate()
                server.wait(30)


if __name__ == "__main__":
    main()
