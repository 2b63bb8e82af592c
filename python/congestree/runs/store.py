"""A run directory: `manifest.json` and one Parquet file for each table.

Every file is written next to its place and then moved there, and the manifest comes last: a folder with a manifest is a
finished run, whatever happened while it was written.
"""

import contextlib
import json
import math
import os
import re
import zlib
from pathlib import Path

from ..errors import CongestreeError

MANIFEST = "manifest.json"
# Kinds of folders of results, by the file that marks them.
KINDS = {MANIFEST: "a run", "study.json": "a sweep", "question.json": "a search", "claims.json": "a reproduction"}
PARTS_OF_A_MANIFEST = {
    "scenario": dict, "tables": dict, "seed": int, "duration_s": int | float, "fingerprint": dict, "hash": str,
}  # fmt: skip
# Pages have checksums, so that damage is reported and not read as data.
WRITING = {"compression": "zstd", "write_page_checksum": True}
READING = {"page_checksum_verification": True}
# Rows of a long table that are read at a time.
PIECE = 1 << 16


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


def prepare(folder, mark=None):
    """Make sure before a long run that its results can be written; mark: as for `keep_apart`."""
    folder = Path(folder)
    keep_apart(folder, mark)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()


def keep_apart(folder, mark):
    """Refuse a folder with results of another kind than `mark` (`KINDS`): readers could mistake one for the other."""
    for file, kind in KINDS.items():
        if mark and file != mark and (Path(folder) / file).is_file():
            raise CongestreeError(
                f"{folder} holds {kind} already ({file}), and the two would be confused. Name another folder "
                f"for {KINDS[mark]} (--out)."
            )


def clear_drafts(folder, wanted=()):
    """Remove the drafts of killed commands in a folder in which no other process writes now."""
    for draft in {*folder.glob(".*.part"), *folder.glob(".writable-*")}.difference(wanted):
        draft.unlink(missing_ok=True)


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
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    with writing(path):
        try:
            write(temporary)
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)


def write_json(path, value):
    """Write a value as JSON, in one step."""
    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    write_file(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def finite(value):
    """A value as JSON can have it: nan and infinity, which it lacks, become null."""
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def write_table(path, table):
    """Write an Arrow table as Parquet, in one step."""
    import pyarrow.parquet as pq

    write_file(path, lambda temporary: pq.write_table(table, temporary, **WRITING))


class Spool:
    """Long tables that are written during the run, so that no run is too long for the memory.

    `take` is called with rows, `finish` moves the files to their places; leaving the context without it keeps nothing.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self.writers = {}  # name -> (temporary path, writer)
        self.rows = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for path, writer in self.writers.values():
            with contextlib.suppress(OSError):  # of a full disk: the rest is not needed any more
                writer.close()
            path.unlink(missing_ok=True)

    def take(self, name, columns):
        """Write some rows, as the engine has them."""
        import pyarrow.parquet as pq

        table = arrow_table(columns)
        if name not in self.writers:
            path = self.folder / f".{name}.parquet.{os.getpid()}.part"
            with writing(path):
                self.writers[name] = (path, pq.ParquetWriter(path, table.schema, **WRITING))
                self.rows[name] = 0
        path, writer = self.writers[name]
        with writing(path):
            writer.write_table(table)
        self.rows[name] += table.num_rows

    def drafts(self):
        """The files that are being written."""
        return {path for path, _ in self.writers.values()}

    def finish(self, name, rest):
        """Write the last rows of a table and move it to its place; answers how many rows it has."""
        path, writer = self.writers[name]
        with writing(path):
            writer.write_table(rest)
            writer.close()
            os.replace(path, self.folder / f"{name}.parquet")
        del self.writers[name]
        return self.rows[name] + rest.num_rows


def save(folder, manifest, tables, spool=None):
    """Write a run directory; an older run in the same folder is replaced. Rows of a spool go before those here."""
    folder = Path(folder)
    prepare(folder)
    with writing(folder):
        (folder / MANIFEST).unlink(missing_ok=True)
        clear_drafts(folder, spool.drafts() if spool is not None else ())
        for old in folder.glob("*.parquet"):
            old.unlink()
    listing = {}
    for name, table in tables.items():
        rows = table.num_rows
        if spool is not None and name in spool.writers:
            rows = spool.finish(name, table)
        else:
            write_table(folder / f"{name}.parquet", table)
        listing[name] = {
            "file": f"{name}.parquet",
            "rows": rows,
            "footer": footer_sum(folder / f"{name}.parquet"),
            "columns": {f.name: {"type": str(f.type), **field_facts(f)} for f in table.schema},
        }
    write_json(folder / MANIFEST, {**manifest, "tables": listing})


def is_finished(folder):
    """Whether a finished run is in this folder, which was neither interrupted nor stopped for want of memory."""
    try:
        manifest = json.loads((Path(folder) / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    stopped = not isinstance(manifest, dict) or manifest.get("interrupted") or manifest.get("out_of_memory")
    return not stopped


def is_whole(folder):
    """Whether a finished run is in this folder, with all its tables, as far as the last parts of their files show."""
    try:
        tables = load_manifest(folder)["tables"] if is_finished(folder) else {}
        ends = {name: footer_sum(Path(folder) / f"{name}.parquet") for name in tables}
        return bool(ends) and all(tables[name].get("footer") in (None, ends[name]) for name in ends)
    except (OSError, AttributeError, CongestreeError):
        return False


def forget(folder):
    """Have a run count as not finished, so that it is done again."""
    with writing(folder):
        (Path(folder) / MANIFEST).unlink(missing_ok=True)


def made_of(folder):
    """Pages and pictures in a run directory that were made of the run, with the hash of what it was: (paths, hash)."""
    try:
        was = load_manifest(folder)["hash"]
        made = [*folder.glob("report.html"), *folder.glob("view.html"), *sorted(folder.glob("plots/*.*"))]
        return {path: path.stat().st_mtime_ns for path in made}, was
    except (CongestreeError, KeyError, OSError):
        return {}, None


def load_manifest(folder):
    """The manifest of a run directory."""
    folder = Path(folder)
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        if not folder.exists():
            raise CongestreeError(f"There is no folder {folder}; name that of a finished run.") from None
        if folder.is_file():
            raise CongestreeError(f"{folder} is a file; name the folder of a finished run.") from None
        if one := next(iter(sorted([*folder.glob(f"runs/*/{MANIFEST}"), *folder.glob(f"*/{MANIFEST}")])), None):
            raise CongestreeError(f"{folder} holds many runs; name one of them, such as {one.parent}") from None
        raise CongestreeError(
            f"{folder} holds no finished run: there is no {MANIFEST} in it. Run it to its end: "
            f"congestree run FILE --out {folder}"
        ) from None
    except (OSError, ValueError) as error:
        raise CongestreeError(
            f"{path} cannot be read: {error}. Do the run again, for instance: congestree run FILE --out {folder}"
        ) from None
    if not isinstance(manifest, dict) or not {"scenario", "tables"} <= set(manifest):
        raise CongestreeError(f"{path} is not the manifest of a run: it has no scenario and tables.")
    for key, kind in PARTS_OF_A_MANIFEST.items():
        if key in manifest and not isinstance(manifest[key], kind):
            raise CongestreeError(f"{path} is not the manifest of a run: its {key} is {str(manifest[key])!r:.60}.")
    for name in manifest["tables"]:
        if not re.fullmatch(r"[a-z_]+", str(name)):
            raise CongestreeError(f"{path} is not the manifest of a run: {str(name)!r:.60} is the name of no table.")
    return manifest


def footer_sum(path):
    """The CRC-32 of the last part of a Parquet file, its index: pages have their own checksum, this part has none."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        if size < 8:
            return None
        file.seek(-8, os.SEEK_END)
        length = int.from_bytes(file.read(4), "little") + 8
        if length > size:
            return None
        file.seek(-length, os.SEEK_END)
        return zlib.crc32(file.read())


def load_table(folder, name, columns=None, footer=None):
    """One table of a run directory as an Arrow table, mapped from the file; all of its columns, or these.

    `footer` is the sum that the manifest has of the file's footer; raises CongestreeError if the file is damaged.
    """
    import pyarrow.parquet as pq

    # `read_table` does the same, but loads pandas first.
    with reading(folder, name, footer) as path, pq.ParquetFile(path, memory_map=True, **READING) as file:
        table = file.read(columns=columns)
    return table if columns is None else table.select(columns)


def load_pieces(folder, name, columns=None, footer=None):
    """One table of a run directory piece by piece, as record batches, of which one at a time is in memory."""
    import pyarrow.parquet as pq

    with reading(folder, name, footer) as path, pq.ParquetFile(path, **READING) as file:
        for group in range(file.num_row_groups):  # of all groups at once the reader would keep some of each
            yield from file.iter_batches(PIECE, columns=columns, row_groups=[group])


def load_shape(folder, name, footer=None):
    """How many rows a table has, and its schema; none of the rows is read."""
    import pyarrow.parquet as pq

    with reading(folder, name, footer) as path, pq.ParquetFile(path) as file:
        return file.metadata.num_rows, file.schema_arrow


@contextlib.contextmanager
def reading(folder, name, footer=None):
    """The path of a table; damage to it and failures to read it as a sentence."""
    from pyarrow import ArrowException

    path = Path(folder) / f"{name}.parquet"
    try:
        if footer is not None and footer_sum(path) != footer:
            remedy = f"remove {path.parent}, and the command that made it makes it again"
            raise OSError(f"it is not as it was written; {remedy}")
        yield path
    except FileNotFoundError:
        raise CongestreeError(
            f"There is no file {path}, which belongs to this run: do the run again, for instance: "
            f"congestree run FILE --out {folder}"
        ) from None
    except (OSError, ArrowException) as error:
        raise CongestreeError(f"{path} cannot be read: {str(error).rstrip('.')}.") from None


def arrow_table(columns):
    """The engine's columns ({name: {values, unit, meaning}}) as an Arrow table; numbers are not copied."""
    import pyarrow as pa

    arrays, fields = [], []
    for name, column in columns.items():
        array = _arrow_array(column["values"])
        facts = {"unit": column["unit"], "meaning": column["meaning"]}
        arrays.append(array)
        fields.append(pa.field(name, array.type, metadata=facts))
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def _arrow_array(values):
    """NumPy numbers or a list of texts as an Arrow array.

    It is made from buffers, as `pyarrow.array` would first import pandas to check whether they are pandas objects.
    """
    import numpy as np
    import pyarrow as pa

    if isinstance(values, list):
        pieces = [text.encode() for text in values]
        ends = np.zeros(len(pieces) + 1, dtype=np.int64)
        np.cumsum([len(piece) for piece in pieces], out=ends[1:])
        if ends[-1] > np.iinfo(np.int32).max:  # more than offsets of 32 bits can address
            return pa.array(values, type=pa.string())
        buffers = pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(b"".join(pieces))
        return pa.StringArray.from_buffers(len(pieces), *buffers)
    kind = pa.from_numpy_dtype(values.dtype)
    bits = np.packbits(values, bitorder="little") if values.dtype == bool else np.ascontiguousarray(values)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(bits)])


def field_facts(field):
    """Unit and meaning of an Arrow field."""
    facts = {k.decode(): v.decode() for k, v in (field.metadata or {}).items()}
    return {"unit": facts.get("unit", ""), "meaning": facts.get("meaning", "")}
