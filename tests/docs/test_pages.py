"""Generated pages are up to date."""

import subprocess
import sys

from blocks import ROOT


def test_generated_pages_are_up_to_date():
    done = subprocess.run(
        [sys.executable, ROOT / "tools/pages.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
