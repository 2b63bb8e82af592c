"""What all commands share: sentences instead of tracebacks, progress, tables, JSON.

Exit codes: 1 something could not be done, 2 the command line or the scenario is wrong, or a file that it names,
130 interrupted (143 by SIGTERM, 129 by SIGHUP; see `ending`).
"""

import contextlib
import errno
import functools
import inspect
import io
import json
import os
import re
import sys
import threading
import time
import warnings
from pathlib import Path

from rich.console import Console

from . import ending

err = Console(stderr=True, highlight=False, emoji=False)
# Output to a pipe should not be cut to the width of a terminal that does not exist.
out = Console(highlight=False, width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else 120, emoji=False)


def encode():
    """Write UTF-8 to files and pipes, as all files of ours have; a terminal shows "?" for what it has no sign for."""
    if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
        # Under PYTHONUNBUFFERED: of a text of which the system takes only a part, as on a disk that becomes full, a
        # stream without a buffer drops the rest without a word.
        encoding = sys.stdout.encoding
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(sys.stdout.detach()), encoding, line_buffering=True)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=stream.encoding if stream.isatty() else "utf-8", errors="replace")


def can_show(text):
    """Whether stdout has a sign for every letter of a text."""
    return text.encode(sys.stdout.encoding or "utf-8", "replace").decode(sys.stdout.encoding or "utf-8") == text


@contextlib.contextmanager
def sentences():
    """Errors of the user's making as sentences on stderr."""
    from ..errors import CongestreeError, ScenarioError

    try:
        ending.restore_ctrl_c()
        yield
    except ScenarioError as error:
        say_error(str(error).rstrip())
        sys.exit(2)
    except CongestreeError as error:
        say_error(str(error))
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        say_error("Interrupted.")
        sys.exit(ending.INTERRUPTED)
    except MemoryError:
        say_error("There is not enough memory for this run.")
        sys.exit(1)
    except OSError as error:
        if error.filename is None:
            end_without_output(error)
        say_error(f"{error.filename} cannot be read or written: {error.strerror}.")
        sys.exit(1)


def end_without_output(error):
    """End the command after an OSError without a file: what is printed cannot be written, or the system refuses."""
    if not isinstance(error, BrokenPipeError) and error.errno not in UNWRITABLE:
        if error.errno is None:  # of a library
            raise error
        say_error(f"The system refuses what this command needs: {error.strerror}.")
        sys.exit(1)
    _drop_output()
    if not isinstance(error, BrokenPipeError):  # of a reader that has gone nobody wants to hear
        say_error(f"What is printed cannot be written: {error.strerror}.")
    sys.exit(1)


UNWRITABLE = {getattr(errno, name, None) for name in ("ENOSPC", "EDQUOT", "EFBIG", "EIO", "EBADF", "ESTALE", "ENXIO")}
"""What is wrong with stdout if nothing can be written to it: no room, a limit, or it is there no more."""


def _drop_output():
    """Discard what is still to be printed, so that the end of the program does not fail because of it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def guarded(command):
    """A command whose errors of the user's making end as a sentence and an exit code."""

    @functools.wraps(command)
    def wrapped(*arguments, **options):
        with warnings.catch_warnings(), sentences():
            shown = warnings.showwarning
            say = {"OlderName": say_notice, "Note": lambda message: say_error(f"note: {message}")}
            # A font lacks letters of a name: the picture shows that itself.
            warnings.filterwarnings("ignore", message="Glyph .* missing from")
            warnings.filterwarnings("ignore", message="constrained_layout not applied")  # names leave axes no room
            warnings.showwarning = lambda message, kind, *place: (
                say[kind.__name__](message) if kind.__name__ in say else shown(message, kind, *place)
            )
            return command(*arguments, **{name: _from_home(given) for name, given in options.items()})

    wrapped.__doc__ = flowing(inspect.getdoc(command) or "")
    return wrapped


def _from_home(given):
    """What was given for an option, with paths in which ~ is the home folder: of --out=~/runs shells leave it."""
    if isinstance(given, list):
        return [_from_home(one) for one in given]
    if not isinstance(given, Path):
        return given
    from ..runs import arguments

    return Path(arguments.path("the path", given))


def flowing(text):
    """A text whose paragraphs are filled to any width; indented parts, such as examples, keep their lines."""
    paragraphs = re.split(r"\n\s*\n", text)
    return "\n\n".join(part if part.startswith(" ") else " ".join(part.split("\n")) for part in paragraphs)


def say_error(text):
    """Print a message to stderr, unchanged."""
    err.print(text, markup=False, soft_wrap=True, style="red" if err.is_terminal else None)


def say_notice(text):
    """A notice on stderr: something works, and will not for ever."""
    err.print(f"notice: {text}", markup=False, soft_wrap=True, style="yellow" if err.is_terminal else None)


def say(text=""):
    """Print a line to stdout, not wrapped, so that paths stay whole."""
    out.print(text, markup=False, soft_wrap=True)


def is_stdout(out):
    """Whether what is written goes to stdout, as "-" or by its path: nothing else must then."""
    from ..runs import writing

    return str(out) == "-" or (out is not None and writing.stream_of(out) == 1)


def say_written(out, what="wrote ", more=""):
    """Say where something was written, unless this was stdout."""
    if not is_stdout(out):
        say(f"{what}{out}{more}")


def open_page(out):
    """Open a page that was written in the browser, or say that there is none."""
    import webbrowser

    if not webbrowser.open(out.resolve().as_uri()):
        say_error(f"No browser could be opened; open {out} in one yourself.")


def give(text, out, quiet=False):
    """Write a requested text, or its lines one after the other: to a file, or to stdout if that is "-"."""
    from ..runs import writing

    lines = [text] if isinstance(text, str) else text

    def write(path):
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines)

    if is_stdout(out):
        sys.stdout.writelines(lines)
        sys.stdout.flush()
    else:
        writing.write_file(out, write)
        if not quiet:
            say_written(out)


def paragraph(text):
    """Text wrapped to the width of the terminal."""
    out.print(text, markup=False)


def print_json(value):
    """A value as JSON on stdout; nan and infinity, which JSON lacks, become null."""
    from ..runs import writing

    print(json.dumps(writing.finite(value), indent=2, ensure_ascii=False))


def table(title, columns, rows, to=out):
    """Print rows under a title; a column whose name begins with ">" is aligned to the right."""
    from rich.table import Table
    from rich.text import Text

    to.print(title, style="bold", markup=False)
    grid = Table(header_style="bold", box=None, pad_edge=False)
    for name in columns:
        grid.add_column(
            Text(plain(name.removeprefix(">"))), justify="right" if name.startswith(">") else "left", overflow="fold"
        )
    for row in rows:
        grid.add_row(*("" if v is None else Text(plain(str(v))) for v in row))
    to.print(grid)


def plain(text):
    """A name without characters that a terminal would interpret: control characters are shown as "?"."""
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in text)


@contextlib.contextmanager
def progress(label, show=True):
    """A progress bar on stderr with the time left; yields update(share, note)."""
    if not (show and err.is_terminal):
        yield lambda share, note="": None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=32),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        console=err,
        transient=True,
    ) as bar:
        task = bar.add_task(label, total=1.0, note="")

        def update(share, note=""):
            bar.update(task, completed=share, note=note)

        yield update


PATIENCE = 2.0
"""Seconds after which a terminal is told what takes so long."""


@contextlib.contextmanager
def waiting(what):
    """Say on a terminal what is being done, if it takes long and nobody knows how much of it is left."""
    if not err.is_terminal:
        yield
        return
    from rich.status import Status
    from rich.text import Text

    status = Status(Text(plain(what)), console=err)
    timer = threading.Timer(PATIENCE, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()


@contextlib.contextmanager
def pool_progress(label, show=True):
    """Progress of many runs: a bar on a terminal, otherwise an occasional line."""
    if show and not err.is_terminal:
        yield _lines(label)
        return
    with progress(label, show) as update:
        clock = _Clock()

        def report(state):
            began = clock.began(state)
            note = f"{state.done} of {state.total} {state.what}{_each(state, began)}"
            if state.resumed:
                note += f", {state.resumed} from before"
            if state.failed:
                note += f", {len(state.failed)} failed"
            update(state.share, ", ".join(filter(None, (note, state.note))))

        yield report


def _lines(label):
    clock, said = _Clock(), time.monotonic()

    def report(state):
        nonlocal said
        now, began = time.monotonic(), clock.began(state)
        if now - said < 10:
            return
        said = now
        text = f"{label}: {state.done} of {state.total} {state.what}{_each(state, began)}, {state.share:.0%}"
        left = _left(state, now - began)
        text += "" if left is None else f", about {left:.0f} s left"
        print(", ".join(filter(None, (text, state.note))), file=sys.stderr, flush=True)

    return report


class _Clock:
    """The time at which the part of the work that is counted began."""

    def __init__(self):
        self.what, self.at = None, time.monotonic()

    def began(self, state):
        if state.what != self.what:
            self.what, self.at = state.what, time.monotonic()
        return self.at


def _left(state, elapsed):
    """Seconds left at the pace so far, or None if it is not known; work that was finished before has taken no time."""
    made = state.share - state.resumed / max(state.total, 1)
    return elapsed * (1 - state.share) / made if made > 0 else None


def _each(state, began):
    """The time until the next run is done or has failed, with all workers that there are."""
    ran = state.done + len(state.failed) - state.resumed
    return f", one every {(time.monotonic() - began) / ran:.2g} s" if ran else ""
