"""Every topology with about 65,536 hosts or more: time of a processor and memory to read, plan and build it.

    .venv/bin/python tools/experiments/large.py            # all of them
    .venv/bin/python tools/experiments/large.py torus      # those whose name has this in it

Each is a run of a nanosecond in a process of its own, so that the tables of the engine are there, too; *check* is the
part before that, with the search for cycles of waits. It fails if either takes 10 s of a processor, or 2 GB.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

MOST_SECONDS, MOST_BYTES = 10, 2e9
LEAF = {"hosts_per_switch": 16}
TOPOLOGIES = {
    "dragonfly": {"dragonfly": {"p": 12, "a": 24, "h": 12}},
    "dragonfly+": {"dragonfly-plus": {"p": 16, "leaves": 16, "h": 16}},
    "hyper-x": {"hyper-x": {"dimensions": [16, 16, 16], **LEAF}},
    "torus": {"torus": {"dimensions": [16, 16, 16], **LEAF}},
    "mesh": {"mesh": {"dimensions": [16, 16, 16], **LEAF}},
    "clos, two levels": {"clos": {"down": [256, 256], "up": [256]}},
    "clos, three levels, two to one": {"clos": {"down": [32, 32, 64], "up": [16, 32]}},
    "clos, rails of eight": {"clos": {"down": [256, 256], "up": [128], "rails": 8}},
    "fat-tree": {"fat-tree": {"radix": 74, "layers": 3}},
    "k-ary-n-tree": {"k-ary-n-tree": {"k": 41, "n": 3}},
}
"""The largest single switch has 65,535 ports, one fewer than all others have hosts."""

LANES = {"dragonfly": 2, "torus": 2}


def scenario(name):
    direct = not name.startswith(("clos", "fat-tree", "k-ary"))
    links = {"rate": "400 Gbit/s", "delay": "100 ns", "flow_control": {"byte-credits": {}}}
    if direct:
        links |= {"hop_lanes": "by-route", "lanes": LANES.get(name, 1)}
    return {
        "topology": TOPOLOGIES[name],
        **({"routing": "minimal"} if direct else {}),
        "links": links,
        "switches": {"buffer": "64 KiB", "forwarding_delay": "200 ns"},
        "traffic": [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.1}}}],
        "measure": {"duration": "1 ns"},
    }


def measured(action, path):
    """CPU seconds and bytes of a process that checks or runs a scenario, and whether it went well."""
    code = f"import congestree, sys; congestree.{action}(congestree.Scenario.load(sys.argv[1]))"
    child = os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, "-c", code, str(path)])
    _, status, used = os.wait4(child, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss << 10, status == 0  # the kernel counts in KiB


def main(words):
    failed = False
    print(f"{'':32}check s     MB   run s     MB")
    for name in TOPOLOGIES:
        if words and not any(word in name for word in words):
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "large.json"
            path.write_text(json.dumps(scenario(name)))
            check, before, fine = measured("check", path)
            run, after, also = measured("run", path)
        good = fine and also and max(check, run) < MOST_SECONDS and max(before, after) < MOST_BYTES
        failed |= not good
        line = f"{name:32}{check:7.1f}{before / 1e6:7.0f}{run:8.1f}{after / 1e6:7.0f}"
        print(line + ("" if good else "  too much"), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
