"""Commands, and programs of the documents, in processes of their own, without loading the libraries for each of them.

One process has loaded the libraries that commands load on demand, and has used none of them. For each command it makes
a copy of itself, which does what the command line or the interpreter would do: with its own folder, arguments, output
and exit code.
"""

import atexit
import json
import os
import runpy
import select
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

LOADED = (
    *("numpy", "pyarrow.parquet", "pyarrow.compute", "polars", "matplotlib.pyplot", "optuna"),
    *("typer", "typer.rich_utils", "rich.table", "rich.progress"),
)
"""Libraries that most commands need; they are loaded already. Commands load any other library themselves."""


class Forking:
    """The process that copies itself; `run` has a copy do something."""

    def __init__(self, environment):
        self.place = tempfile.TemporaryDirectory(prefix="forking-")
        self.process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
        )

    def run(self, words, folder, given="", timeout=300):
        """A finished process, as of `subprocess.run`; words: "-m" and those of a command, or the path of a program."""
        paths = [Path(self.place.name) / name for name in ("in", "out", "err")]
        paths[0].write_text(given, encoding="utf-8")
        print(json.dumps([words, str(folder), *map(str, paths)]), file=self.process.stdin, flush=True)
        if not select.select([self.process.stdout], [], [], timeout)[0]:
            self.stop()
            raise subprocess.TimeoutExpired(words, timeout)
        code = int(self.process.stdout.readline())
        out, err = (path.read_text(encoding="utf-8") for path in paths[1:])
        return subprocess.CompletedProcess(words, code, out, err)

    def stop(self):
        """End the process and its current command."""
        self.process.kill()
        self.process.wait()
        self.place.cleanup()


def copies():
    """Make copies, one after the other, as requested on the standard input."""
    for name in LOADED:
        __import__(name)
    for line in sys.stdin:
        words, folder, *paths = json.loads(line)
        child = os.fork()
        if child == 0:
            os._exit(become(words, folder, paths))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def become(words, folder, paths):
    """Do what the words request, like a process that was started for it; returns its exit code."""
    os.chdir(folder)
    for number, path in enumerate(paths):
        opened = os.open(path, os.O_RDWR | os.O_CREAT | (os.O_TRUNC if number else 0), 0o666)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = os.fdopen(os.dup(0))
    code = 0
    try:
        if words[0] == "-m":
            sys.argv = words[1:]
            sys.path[0] = folder
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = words
            sys.path[0] = folder
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    copies()
