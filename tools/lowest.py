"""Commands with the lowest version of each library that pyproject.toml allows.

    python tools/lowest.py

It makes an environment of its own, and uses the sources and the engine of this checkout (`make setup`). Which version
is the lowest, and why, is in `tests/docs/test_release.py`. What these versions require in turn is the newest that pip
finds.
"""

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = (
    ["--help"],
    ["run", "--help"],
    ["check", "hot-spot"],
    ["run", "hot-spot", "--set", "measure.probes=['flows', 'ports', 'trees']", "--plot", "--out", "run"],
    ["explain", "run"],
    ["report", "run"],
    ["goal", "read", "job.csv"],
    ["goal", "read", "job.csv", "--out", "job.parquet"],
)
JOB = "rank,label,kind,bytes,peer,time\n0,a,calc,,,1e-6\n0,b,send,1000,1,\n1,c,recv,1000,0,\n"
# A stored run of older names is read as a whole and piece by piece.
TESTS = ["tests/python/test_renames.py", "-k", "stored_run"]
TOOLS = ("pytest>=8", "hypothesis>=6", "PyYAML>=6")


def lowest(requirements):
    """Requirements such as `typer>=0.15.4,<0.27` with the lowest version alone: `typer==0.15.4`."""
    return [re.sub(r"^([\w.-]+)>=([\w.]+).*$", r"\1==\2", requirement) for requirement in requirements]


def main():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned = lowest(project["dependencies"])
    print(*pinned, flush=True)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        python = folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([python, *install, *pinned, *TOOLS], check=True)
        (folder / "job.csv").write_text(JOB)
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        for command in COMMANDS:
            print("congestree", *command, flush=True)
            words = [python, "-P", "-m", "congestree", *command]
            subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
        pytest = [python, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS]
        subprocess.run(pytest, cwd=ROOT, env=environment, check=True)


if __name__ == "__main__":
    main()
