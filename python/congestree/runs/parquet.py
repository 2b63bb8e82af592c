"""Tables in Parquet files, with the unit and meaning of each column."""

import contextlib
import os
import zlib
from pathlib import Path

from ..errors import CongestreeError
from .writing import draft_of, write_file, writing

# Pages have checksums, so that damage is reported and not read as data.
WRITING = {"compression": "zstd", "write_page_checksum": True}
READING = {"page_checksum_verification": True}
# Rows of a long table that are read at a time.
PIECE = 1 << 16


def write_table(path, table):
    """Write an Arrow table as Parquet, in one step."""
    import pyarrow.parquet as pq

    write_file(path, lambda temporary: pq.write_table(table, temporary, **WRITING))


class Spool:
    """The tables of a run as drafts in its folder; long ones are written during the run, so that no run is too long for
    the memory.

    `take` is called with rows, `finish` ends a table, `place` moves all of them to their places; leaving the context
    without it keeps nothing, and what was in the folder before is as it was.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self.paths = {}  # name -> draft, from before it exists
        self.writers = {}
        self.rows = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for writer in self.writers.values():
            with contextlib.suppress(OSError):  # of a full disk: the rest is not needed any more
                writer.close()
        for draft in self.paths.values():
            draft.unlink(missing_ok=True)

    def take(self, name, columns):
        """Write some rows, as the engine has them."""
        self._write(name, arrow_table(columns))

    def _write(self, name, table):
        import pyarrow.parquet as pq

        path = self.folder / f"{name}.parquet"
        with writing(path):
            if name not in self.writers:
                draft = self.paths[name] = draft_of(path)
                self.writers[name] = pq.ParquetWriter(draft, table.schema, **WRITING)
            self.writers[name].write_table(table)
        self.rows[name] = self.rows.get(name, 0) + table.num_rows

    def drafts(self):
        """The files that are being written."""
        return set(self.paths.values())

    def finish(self, name, rest):
        """Write the last rows of a table, or all of a short one; answers how many it has, and the sum of its footer."""
        self._write(name, rest)
        with writing(self.folder / f"{name}.parquet"):
            self.writers[name].close()
            return self.rows[name], footer_sum(self.paths[name])

    def place(self):
        """Move the tables, all of which are finished, to their places."""
        for name, draft in self.paths.items():
            os.replace(draft, self.folder / f"{name}.parquet")
        self.paths, self.writers = {}, {}


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
            remedy = f"else remove {path.parent}, and the command that made it makes it again"
            raise OSError(f"it is not as it was written: if another run has replaced it, load that one, {remedy}")
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


def table_of_rows(rows):
    """Rows (dicts, not all with the same keys) as an Arrow table."""
    import pyarrow as pa

    names = dict.fromkeys(name for row in rows for name in row)
    return pa.table({name: _as_column([row.get(name) for row in rows]) for name in names})


def _as_column(values):
    """Values of one kind, or None, as an Arrow array; numbers that no kind of whole numbers can hold are floating ones.

    Arrow itself takes none from 2^63 on, as seeds may be, and beside fractions none above 2^53.
    """
    import pyarrow as pa

    there = [value for value in values if value is not None]
    broken = [isinstance(value, float) for value in there]
    if all(broken) or not all(type(value) is int or is_broken for value, is_broken in zip(there, broken, strict=True)):
        return pa.array(values)
    least, most = min(there), max(there)
    if any(broken) or most >= 2**64 or least < (0 if most >= 2**63 else -(2**63)):
        return pa.array([None if value is None else float(value) for value in values], pa.float64())
    return pa.array(values, pa.uint64() if most >= 2**63 else pa.int64())


def field_facts(field):
    """Unit and meaning of an Arrow field."""
    facts = {k.decode(): v.decode() for k, v in (field.metadata or {}).items()}
    return {"unit": facts.get("unit", ""), "meaning": facts.get("meaning", "")}
