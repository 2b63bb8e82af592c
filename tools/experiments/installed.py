"""How much an installation takes, and how much a command loads: for the page about installing.

    python tools/experiments/installed.py docs/data/trust/installed.json

Sizes are those of the files of the installed package and of what it requires. Processor time is that of a fresh
process and of those that it starts, the least of seven; time on the clock is from start to end, the median of seven
rounds in which all commands take turns (it needs a machine with nothing else to do); modules are counted, which never
wanders: all, which depend on the versions of the libraries, too, and congestree's own, which tests compare.
"""

import importlib.metadata
import json
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

COMMANDS = {
    "import congestree": None,
    "congestree --help": ["--help"],
    "congestree check hot-spot": ["check", "hot-spot"],
    "congestree run hot-spot": ["run", "hot-spot", "--out", "{out}"],
    "congestree run hot-spot --plot": ["run", "hot-spot", "--plot", "--out", "{out}"],
}
ROUNDS = 7
CODE = """
import sys
before = set(sys.modules)
sys.argv = ["congestree", *sys.argv[1:]]
import contextlib, io, resource
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    if len(sys.argv) == 1:
        import congestree
    else:
        from congestree.cli import main
        main()
uses = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
loaded = set(sys.modules) - before
own = sum(name.partition(".")[0] == "congestree" for name in loaded)
print("\\n", len(loaded), own, sum(use.ru_utime + use.ru_stime for use in uses))
"""


def sizes():
    """Bytes of the package and of every library that it requires, directly or not."""
    found, waiting = {}, ["congestree"]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        try:
            package = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        places = {Path(package.locate_file(file)).resolve() for file in package.files or ()}
        found[name] = sum(place.stat().st_size for place in places if place.is_file())
        for text in package.requires or ():
            if ";" not in text or "extra" not in text:
                waiting.append(re.match(r"[\w.-]+", text)[0].lower())
    package = Path(__import__("congestree").__file__).parent
    found["congestree"] = sum(
        p.stat().st_size for p in package.rglob("*") if p.is_file() and "__pycache__" not in p.parts
    )
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def loads(folder):
    """For each command, the modules that it loads, its processor time and its time on the clock (s)."""
    told = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, arguments in COMMANDS.items():
            command = [sys.executable, "-c", CODE, *(a.format(out=folder) for a in arguments or ())]
            begun = time.perf_counter()
            done = subprocess.run(
                command, capture_output=True, text=True, check=True, env={**os.environ, "NO_COLOR": "1"}
            )
            wall = time.perf_counter() - begun
            modules, own, seconds = done.stdout.split()[-3:]
            told[name].append((int(modules), int(own), float(seconds), wall))
    return {
        name: {
            "modules": rows[0][0],
            "own_modules": rows[0][1],
            "cpu_s": round(min(row[2] for row in rows), 3),
            "wall_s": round(statistics.median(row[3] for row in rows), 3),
        }
        for name, rows in told.items()
    }


def main():
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        figures = {"python": sys.version.split()[0], "loads": loads(folder), "bytes": sizes()}
    text = json.dumps(figures, indent=2) + "\n"
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text)
    print(text)


if __name__ == "__main__":
    main()
