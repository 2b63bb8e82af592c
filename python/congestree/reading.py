"""Files that the user names, opened with one set of messages: what is wrong with a file and what to do about it."""

import os
import stat
from pathlib import Path

from .errors import AskedError, CongestreeError

# The largest file that is read (B): a gigabyte. What never ends (a device, a pipe) is read no further.
LARGEST = 1 << 30


class PlaceError(CongestreeError):
    """A file cannot be used: where (path, and line if there is one), the fact, and the remedy."""

    exit_code = 2

    def __init__(self, path, line, fact, remedy):
        place = f"{path}:{line}" if line else str(path)
        super().__init__(f"{place}\n  {fact}\n  {remedy}")
        self.path, self.line, self.fact, self.remedy = str(path), line, fact, remedy


_pipes = None  # what has been read of pipes, by device and inode; None: it is not kept


def keep_pipes():
    """Keep what is read of pipes from now on, so that they can be read several times: first to see what a file is.

    For the command line, where a pipe has one content. A program may see another one under the same name.
    """
    global _pipes
    _pipes = _pipes or {}


def read_bytes(path):
    """The content of a file; raises CongestreeError if it cannot be read."""
    try:
        if _pipes is None or not stat.S_ISFIFO((found := os.stat(path)).st_mode):
            return _content(path)
        place = found.st_dev, found.st_ino
        if place not in _pipes:
            _pipes[place] = _content(path)
        return _pipes[place]
    except FileNotFoundError:
        raise AskedError(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise AskedError(f"{path} is a folder; name a file in it.") from None
    except (OSError, ValueError) as error:
        raise CongestreeError(f"{str(path)!r} cannot be read: {getattr(error, 'strerror', error)}.") from None


def _content(path):
    with open(path, "rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise AskedError(f"{path} has more than {LARGEST:,} bytes, which no file that is read here needs.")
    return content


def is_beside(path, folder):
    """Whether a file that another file names exists in the folder of that file or below it, with links followed."""
    try:
        return Path(path).resolve().is_relative_to(Path(folder).resolve()) and Path(path).is_file()
    except (OSError, RuntimeError, ValueError):  # too long a name, a cycle of links, a NUL: no file has such a name
        return False


def read_text(path, exact=False):
    """The text of a file; raises CongestreeError if it cannot be read or is not UTF-8.

    Line ends of any kind become \\n, and a byte order mark at the beginning is left out, unless `exact` keeps them.
    """
    try:
        text = read_bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        raise AskedError(f"{path} is not a text file in UTF-8.") from None
    return text if exact else text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
