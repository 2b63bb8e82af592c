"""A run directory: `manifest.json` and one Parquet file for each table.

Every file is whole or absent (`writing`), and the manifest comes last: a folder with a manifest is a finished run,
whatever happened while it was written.
"""

import contextlib
import json
import os
import re
from pathlib import Path

from ..errors import AskedError, CongestreeError
from .parquet import Spool, field_facts, footer_sum
from .writing import draft_of, json_text, unbroken, writing

MANIFEST = "manifest.json"
# Kinds of folders of results, by the file that marks them.
KINDS = {MANIFEST: "a run", "study.json": "a sweep", "question.json": "a search", "claims.json": "a reproduction"}
# What commands write in such folders: tables, and the files that mark them; `prepare` tries whether it may write.
DRAFTS = re.compile(rf"\.([a-z_]+\.parquet|{'|'.join(map(re.escape, KINDS))})\.\d+\.part|\.writable-\d+")
PARTS_OF_A_MANIFEST = {
    "scenario": dict, "tables": dict, "seed": int, "duration_s": int | float, "fingerprint": dict, "hash": str,
}  # fmt: skip


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
    """Remove the drafts of killed commands in a folder in which no other process writes now.

    Browsers and copying programs have drafts with an end of ".part", too, and those are not ours to remove.
    """
    for draft in {path for path in folder.glob(".*") if DRAFTS.fullmatch(path.name)}.difference(wanted):
        draft.unlink(missing_ok=True)


def save(folder, manifest, tables, spool=None):
    """Write a run directory. Rows of a spool go before those here.

    An older run in the same folder is replaced when all files of this one have been written; other files stay.
    Answers what the manifest lists of the tables.
    """
    folder = Path(folder)
    prepare(folder)
    with Spool(folder) if spool is None else contextlib.nullcontext(spool) as drafts:
        with writing(folder):
            clear_drafts(folder, drafts.drafts())
        listing = {}
        for name, table in tables.items():
            rows, footer = drafts.finish(name, table)
            listing[name] = {"file": f"{name}.parquet", "footer": footer, **entry(table), "rows": rows}
        _replace(folder, {**manifest, "tables": listing}, drafts)
    return listing


def _replace(folder, manifest, drafts):
    """Move a run that has been written to its place, and remove what an older one there has had besides."""
    path = folder / MANIFEST
    files = {entry["file"] for entry in manifest["tables"].values()}
    for file in (path, *(folder / file for file in files)):
        if file.is_dir():
            raise CongestreeError(f"{file} cannot be written: it is a folder; remove it, or name another folder.")
    draft = draft_of(path)
    with writing(folder), unbroken():
        try:
            draft.write_text(json_text(manifest), encoding="utf-8")
            older = _files_of_run(folder) - files
            path.unlink(missing_ok=True)
            for file in older:
                (folder / file).unlink(missing_ok=True)
            drafts.place()
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)


def _files_of_run(folder):
    """The files of tables that the manifest in a folder lists, whatever else it says."""
    try:
        names = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["tables"]
        return {f"{name}.parquet" for name in names if re.fullmatch(r"[a-z_]+", name)}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def entry(table):
    """What a manifest says of an Arrow table: its number of rows and its columns."""
    columns = {f.name: {"type": str(f.type), **field_facts(f)} for f in table.schema}
    return {"rows": table.num_rows, "columns": columns}


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
            raise AskedError(f"There is no folder {folder}; name that of a finished run.") from None
        if folder.is_file():
            raise AskedError(f"{folder} is a file; name the folder of a finished run.") from None
        if one := next(iter(sorted([*folder.glob(f"runs/*/{MANIFEST}"), *folder.glob(f"*/{MANIFEST}")])), None):
            raise AskedError(f"{folder} holds many runs; name one of them, such as {one.parent}") from None
        raise AskedError(
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
