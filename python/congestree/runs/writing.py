"""Files that commands write: each is written next to its place and then moved there, so that it is whole or absent."""

import contextlib
import json
import math
import os
import re
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
    if isinstance(error, (FileNotFoundError, FileExistsError, NotADirectoryError)):
        for folder in reversed(Path(path).parents):
            if folder.is_file():
                return f"{folder} is a file; name a folder"
            if not folder.exists():
                return f"there is no folder {folder}; make it first"
        if Path(path).is_file():
            return "it is a file; name a folder"
    # pyarrow's message: Error writing bytes to file. Detail: [errno 28] No space left on device
    return re.sub(r".*Detail: \[[\w ]*errno \d+\] ", "", error.strerror or str(error))


def write_file(path, write):
    """Let `write(temporary path)` make a file, then move it to `path` in one step.

    A link is replaced by the file, so that nothing outside the folder changes. A device or a pipe, such as /dev/null
    or a link to it, is written to: root would put a file in its place for the whole machine.
    """
    path = Path(path)
    if path.is_dir():
        raise CongestreeError(f"{path} cannot be written: it is a folder; name a file in it.")
    if path.exists() and not path.is_file():
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


def draft_of(path):
    """Where this process writes what is then moved to `path`."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def write_json(path, value):
    """Write a value as JSON, in one step."""
    text = json_text(value)
    write_file(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def json_text(value):
    """A value as JSON for people to read, too."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def finite(value):
    """A value as JSON can have it: nan and infinity, which it lacks, become null."""
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
