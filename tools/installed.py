"""How much an installation takes, and how much a command loads: for the page about installing.

    python tools/installed.py docs/data/trust/installed.json

Sizes are those of the files of the installed package and of what it requires. Seconds are processor time of a fresh
process, the least of two (clocks of a busy machine wander); modules are counted, which never wanders.
"""

import importlib.metadata
import json
import os
import re
import subprocess
import sys
from pathlib import Path

COMMANDS = {
    "import congestree": None,
    "congestree --help": ["--help"],
    "congestree check hot-spot": ["check", "hot-spot"],
    "congestree run hot-spot": ["run", "hot-spot", "--out", "{out}"],
    "congestree run hot-spot --plot": ["run", "hot-spot", "--plot", "--out", "{out}"],
}
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
use = resource.getrusage(resource.RUSAGE_SELF)
print("\\n", len(set(sys.modules) - before), use.ru_utime + use.ru_stime)
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
    """For each command, the modules that it loads and its processor time (s)."""
    found = {}
    for name, arguments in COMMANDS.items():
        told = []
        for _ in range(2):
            command = [sys.executable, "-c", CODE, *(a.format(out=folder) for a in arguments or ())]
            done = subprocess.run(
                command, capture_output=True, text=True, check=True, env={**os.environ, "NO_COLOR": "1"}
            )
            modules, seconds = done.stdout.split()[-2:]
            told.append((float(seconds), int(modules)))
        found[name] = {"modules": told[0][1], "cpu_s": round(min(told)[0], 3)}
    return found


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
