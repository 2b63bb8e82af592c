"""Generated pages are up to date."""

import re
import subprocess
import sys

from blocks import ROOT

from congestree import results


def test_generated_pages_are_up_to_date():
    done = subprocess.run(
        [sys.executable, ROOT / "tools/pages.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_whoever_lacks_a_table_is_told_its_probe():
    page = (ROOT / "docs/reference/tables.md").read_text(encoding="utf-8")
    probes = dict(re.findall(r"^## `(\w+)`\n\nProbe `([\w-]+)`", page, re.M))
    assert probes == results.PROBE_OF
