"""One command at a time in a folder of results.

The lock is the operating system's, on an empty file in the folder: it is released when its holder ends, for whatever
reason, so that nothing ever stays locked.
"""

import contextlib
import os
import time
from pathlib import Path

from ..errors import CongestreeError

LOCK = ".lock"
# Seconds to wait for the holder of the lock: one that is about to end needs a moment.
PATIENCE = 2.0


@contextlib.contextmanager
def alone(folder, patience=None):
    """Hold a folder while something is written there; raises CongestreeError if another command does.

    patience: how long (s) to wait for the other one; by default `PATIENCE`.
    """
    from .writing import writing

    path = Path(folder) / LOCK
    until = time.monotonic() + (PATIENCE if patience is None else patience)
    while True:
        with writing(path):
            file = _opened(path)
        if _lock(file) and _is_there(file, path):
            break
        holder = _holder(file)
        file.close()
        if time.monotonic() > until:
            raise CongestreeError(
                f"Another command ({holder}) is writing to {folder}: wait until it has finished, or name another "
                "folder."
            )
        time.sleep(0.05)
    try:
        with contextlib.suppress(OSError):  # of a full disk: the name is for people only
            file.truncate(0)
            file.write(f"process {os.getpid()}".encode())
            file.flush()
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # Windows removes no file that is open
                path.unlink()
    finally:
        with contextlib.suppress(OSError):
            file.close()


def _opened(path):
    """The file of the lock, in a folder that its previous holder may have removed."""
    try:
        return open(path, "ab+")
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        return open(path, "ab+")


def _is_there(file, path):
    """Whether the file still exists in its place: its previous holder may have removed the one that we opened."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except OSError:
        return False


def _holder(file):
    file.seek(0)
    return file.read(40).decode(errors="replace").strip() or "it does not say which"


def _lock(file):
    """Whether the lock was obtained; on a file system without locks everyone obtains it."""
    try:
        import fcntl
    except ImportError:
        return _lock_windows(file)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _lock_windows(file):
    import msvcrt

    file.seek(1 << 30)  # far beyond the bytes that are written there
    try:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    finally:
        file.seek(0)
    return True
