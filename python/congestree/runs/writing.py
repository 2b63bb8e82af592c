"""Files that commands write: each is written next to its place and then moved there, so that it is whole or absent."""

import contextlib
import errno
import json
import math
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

from ..errors import CongestreeError


@contextlib.contextmanager
def writing(path):
    """Failures to write, as a sentence."""
    try:
        yield
    except OSError as error:
        raise CongestreeError(f"{path} cannot be written: {_reason(path, error)}.") from None


def _reason(path, error):
    """Why a path cannot be written, and what to do about it."""
    path = Path(path)
    if isinstance(error, (FileNotFoundError, FileExistsError, NotADirectoryError)) or error.errno == errno.ELOOP:
        for folder in reversed(path.parents):
            if folder.is_file():
                return f"{folder} is a file; name a folder"
            if not folder.exists():
                return _link_to_nothing(folder) or f"there is no folder {folder}; make it first"
        if path.is_file():
            return "it is a file; name a folder"
        if why := _link_to_nothing(path):
            return why
    if isinstance(error, IsADirectoryError):
        return "it is a folder; remove it, or name another folder"
    # pyarrow's message: Error writing bytes to file. Detail: [errno 28] No space left on device
    return re.sub(r".*Detail: \[[\w ]*errno \d+\] ", "", error.strerror or str(error))


class Interruptions:
    """Signals that interrupt, held back while they would break something: Ctrl-C, and those that may act like it.

    In its context they take effect at once until `hold` is called, and after `let_through`; those that are held do at
    its end. Only signals that Python handles are meant: what is ignored, or kills, does so here too.
    """

    def __init__(self):
        self._before, self._held, self._first, self._holding = {}, [], None, False

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():  # signals come to no other
            numbers = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
            self._before = {n: handler for n in numbers if callable(handler := signal.getsignal(n))}
            for number in self._before:
                signal.signal(number, self._arrived)
        return self

    def __exit__(self, kind, error, trace):
        self._holding = False  # one that comes between these lines takes effect, and ends them
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._deliver(is_ending=error is not None)

    def _arrived(self, number, frame):
        now = time.monotonic()
        if self._first is None:
            self._first = now
        # Who presses Ctrl-C again that much later means it, whatever is lost.
        if self._holding and not (number == signal.SIGINT and now - self._first > PATIENCE):
            self._held.append((number, frame))
        else:
            self._before[number](number, frame)

    def _handle_next(self):
        number, frame = self._held.pop(0)
        self._before[number](number, frame)

    def _deliver(self, is_ending):
        """Call the handlers of all signals that are held, also after one of them has raised an exception.

        is_ending: that what is to be interrupted ends anyway, for which KeyboardInterrupt alone asks.
        """
        raised = []
        while self._held:
            try:
                self._handle_next()
            except BaseException as error:
                raised.append(error)
        # The same key or signal twice is one wish; an exception of another kind is the wish of who handles it.
        others = [error for error in raised if not isinstance(error, KeyboardInterrupt)]
        if others or (raised and not is_ending):
            raise (others or raised)[0]

    def hold(self):
        """From now on signals are held."""
        self._holding = True

    def let_through(self):
        """Have the signals that were held take effect, and from now on others at once.

        Of several that raise an exception the first does so here; the others are held until the end.
        """
        while self._held:
            self._handle_next()
        self._holding = False

    def forget(self):
        """Have those that are held ask for no more interruption, which is done; handlers of others are called."""
        self._deliver(is_ending=True)


SIGNALS = ("SIGTERM", "SIGHUP", "SIGINT")
PATIENCE = 3.0
"""Seconds after which another Ctrl-C ends even what must not break."""


@contextlib.contextmanager
def unbroken():
    """Hold signals that interrupt back for a moment: they take effect at the end of the block."""
    with Interruptions() as signals:
        signals.hold()
        yield


def _link_to_nothing(path):
    """That a path which does not exist is a link, and where it leads; None if it is none."""
    if not path.is_symlink():
        return None
    try:
        path.stat()
    except OSError as error:
        ends = "which leads back to it" if error.errno == errno.ELOOP else "which does not exist"
        return f"{path} is a link to {os.readlink(path)}, {ends}; remove it, or name another folder"
    return None


def write_file(path, write):
    """Let `write(temporary path)` make a file, then move it to `path` in one step.

    A link is replaced by the file, so that nothing outside the folder changes. A device or a pipe, such as /dev/null
    or a link to it, is written to: root would put a file in its place for the whole machine. So is what a process has
    open, such as /dev/stdout, though it may be a file.
    """
    path = Path(path)
    if path.is_dir():
        raise CongestreeError(f"{path} cannot be written: it is a folder; name a file in it.")
    if (number := stream_of(path)) is not None:
        with writing(path):
            _write_stream(number, path, write)
        return
    if (path.exists() and not path.is_file()) or _is_open(path):
        with writing(path):
            write(path)
        return
    temporary = draft_of(path)
    with writing(path):
        try:
            write(temporary)
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)


def stream_of(path):
    """1 if a path leads to what is stdout now, 2 if to stderr, else None."""
    for number in (1, 2):
        with contextlib.suppress(OSError):
            if os.path.samestat(os.stat(path), os.fstat(number)):
                return number
    return None


def _write_stream(number, path, write):
    """Write to an open stream behind what it has already: opened again, a file would begin anew."""
    (sys.stdout if number == 1 else sys.stderr).flush()
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / path.name
        write(draft)
        with open(draft, "rb") as made, os.fdopen(os.dup(number), "wb") as stream:
            shutil.copyfileobj(made, stream)


def _is_open(path):
    """Whether a path is that of something open, such as /dev/fd/3, or a link that leads to one."""
    for _ in range(MOST_LINKS):
        folder = os.path.realpath(os.path.dirname(path) or ".")
        if OPEN.fullmatch(folder):
            return True
        if not os.path.islink(path):
            return False
        path = os.path.join(folder, os.readlink(path))
    return False


# Folders of what is open: on Linux /dev/fd is a link to one in /proc.
OPEN = re.compile(r"/dev(/fd)?|/proc/\w+(/task/\w+)?/fd")
# As many as Linux follows.
MOST_LINKS = 40


def draft_of(path):
    """Where this process writes what is then moved to `path`."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def write_json(path, value):
    """Write a value as JSON, in one step."""
    text = json_text(value)
    write_file(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def json_text(value):
    """A value as JSON for people to read, too: indented, but a row of a list is a line if it fits, as are numbers.

    A list of a million messages took six million lines, of which nearly half was margin, and every command reads it.
    """
    return _indented(value, "\n", False) + "\n"


def _indented(value, margin, in_list):
    """JSON of a value whose lines begin with this margin; in_list: whether it is an entry of a list."""
    if not isinstance(value, (dict, list, tuple)) or not value:
        return _LINE.encode(value)
    table = isinstance(value, dict)
    kinds = set(map(type, value.values() if table else value))
    if (in_list and kinds <= _PLAIN) or (not table and kinds <= _NUMBERS):
        line = _LINE.encode(value)
        if len(line) <= LONGEST_ROW or not table:
            return line
    inner = margin + "  "
    if table:
        entries = (f"{_key(key)}: {_indented(below, inner, False)}" for key, below in value.items())
    else:
        entries = (_indented(below, inner, True) for below in value)
    left, right = "{}" if table else "[]"
    return f"{left}{inner}{f',{inner}'.join(entries)}{margin}{right}"


def _key(key):
    """A key of a table, all of which are text in JSON."""
    return _LINE.encode(key if isinstance(key, str) else _LINE.encode(key))


_LINE = json.JSONEncoder(ensure_ascii=False)
_NUMBERS = {int, float}
_PLAIN = {str, int, float, bool, type(None)}
# A line that can be read without its parts below each other.
LONGEST_ROW = 160


def finite(value):
    """A value as JSON can have it: nan and infinity, which it lacks, become null."""
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
