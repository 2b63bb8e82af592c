"""The C interface installed, its scenario, and the commands of its page."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/howto/c-and-astra-sim.md"
MARKS = [
    pytest.mark.slow,
    pytest.mark.skipif(not all(map(shutil.which, ("cargo", "cc", "c++", "make"))), reason="needs compilers"),
]

HEAD = """
[topology.single-switch]
hosts = 8
[links]
rate = "100 Gbit/s"
delay = "100 ns"
flow_control.byte-credits = {}
[switches]
buffer = "256 KiB"
forwarding_delay = "200 ns"
[adapters]
mtu = "4 KiB"
header = "64 B"
"""
SCENARIO = f"""{HEAD}
[[traffic]]
name = "injected"
from = "all"
arrivals = "injected"
[measure]
duration = "100 ms"
"""


def call(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=1800, **more)


def steps(begin, installed):
    """The commands of a block of the page that begins like this, for what is installed here."""
    text = re.search(rf"```sh\n({re.escape(begin)}.*?)```", PAGE.read_text(), re.S)[1]
    return text.replace(".../congestree", str(ROOT)).replace("$HOME/.local", str(installed))
