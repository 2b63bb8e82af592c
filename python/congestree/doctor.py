"""Check the installation: what is installed, what the machine has, how fast it is, what optional parts lack.

Each finding is a dict: `what` was looked at, what was `found`, `state` ("good", "note" or "bad"), and a `remedy` where
there is something to do.
"""

import importlib.metadata
import importlib.util
import json
import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path

from .errors import CongestreeError
from .gallery import shipped
from .quantities import in_words
from .runs import memory
from .studies import pool

# What a run needs, and what parts of the package need besides: (library, name to import, what for, how to get it).
NEEDED = ("numpy", "pyarrow", "polars", "typer", "rich", "matplotlib")
OPTIONAL = (
    ("pandas", "tables as pandas frames (run.pandas)", "pip install 'congestree[pandas]'"),
    ("distributed", "sweeps on a Dask cluster (congestree sweep --scheduler)", "pip install 'congestree[dask]'"),
    ("optuna", "searches for settings (congestree tune)", "pip install 'congestree[tune]'"),
    ("yaml", "InfraGraph files in YAML (congestree import)", "pip install 'congestree[formats]'"),
    ("anywidget", "runs as a widget of a notebook (congestree.view.widget)", "pip install 'congestree[notebook]'"),
)
PROGRAMS = (
    ("valgrind", "instruction counts of congestree bench", "install valgrind"),
    ("ffmpeg", "congestion trees as films (.mp4)", "install ffmpeg"),
)
# A case of the benchmark that takes about a second, checks included.
CASE = "e-fat-tree-648-backlogged"
# Slower than this share of the published speed, and something is the matter.
SLOW = 0.25


def findings(bench=True):
    """All findings, in groups: {group: [finding, ...]}."""
    from . import __version__

    required = _required()
    groups = {
        "congestree": [
            _note("version", __version__),
            _note("installed in", str(Path(__file__).parent)),
            _engine(),
            _shipped(),
            _viewer(),
        ],
        "machine": [
            _note("system", f"{platform.system()} {platform.release()}, {platform.machine()}"),
            _note("Python", f"{platform.python_version()}, {sys.executable}"),
            _cores(),
            _memory(),
            *_folders(),
        ],
        "libraries": [_library(name, required) for name in NEEDED],
        "optional": [*(_optional(*part) for part in OPTIONAL), *(_program(*part) for part in PROGRAMS)],
    }
    if bench:
        groups["speed"] = [_speed()]
    return groups


def is_well(groups):
    """Whether nothing is bad."""
    return all(finding["state"] != "bad" for group in groups.values() for finding in group)


def _note(what, found, state="good", remedy=""):
    return {"what": what, "found": found, "state": state, "remedy": remedy}


def _engine():
    try:
        from . import _engine

        version = json.loads(_engine.run(_TINY, "toml").meta())["engine_version"]
    except Exception as error:  # any failure of the engine is a finding to be reported
        return _note("engine", f"cannot be used: {error}", "bad", "install congestree again")
    from . import __version__

    if version != __version__:
        return _note(
            "engine", f"version {version}", "bad", f"it is not that of the package, {__version__}: install again"
        )
    return _note("engine", f"version {version}, runs")


def _shipped():
    scenarios, papers = len(shipped.scenarios()), len(shipped.papers())
    found = f"{scenarios} scenarios, {papers} papers"
    if scenarios and papers:
        return _note("shipped", found)
    return _note("shipped", found, "bad", "the files of the package are not complete: install it again")


def _viewer():
    """The browser part is built, not checked in: a package that was made without it lacks `congestree view`."""
    from .view import page

    try:
        return _note("viewer", f"{len(page.bundle()) / 1e6:.1f} MB, for congestree view")
    except CongestreeError:
        return _note("viewer", "not built", "bad", "in the checkout: make viewer, then pip install . again")


def _cores():
    usable, all_ = pool.default_workers(), os.cpu_count() or 1
    found = f"{usable} of {all_} usable; sweeps and runs of large networks use as many"
    return _note("cores", found if usable != all_ else f"{usable}; sweeps and runs of large networks use all")


def _memory():
    free = memory.available()
    if free is None:
        return _note("memory", "this system does not tell what is free", "note", "give --limit-memory")
    found = f"{in_words(free, 'B')} free; a run may take {in_words(memory.default_limit(), 'B')}"
    return _note("memory", found) if free > 1 << 30 else _note("memory", found, "note", "little: close other programs")


def _folders():
    for what, find in (("this folder", Path.cwd), ("temporary folder", lambda: Path(tempfile.gettempdir()))):
        try:
            folder = find()
        except FileNotFoundError:
            yield _note(what, "does not exist any more", "note", "go to another one")
            continue
        free = shutil.disk_usage(folder).free
        if not os.access(folder, os.W_OK):
            yield _note(what, f"{folder} is not writable", "note", "name another with --out")
        elif free < 1 << 30:
            yield _note(what, f"{folder}: {in_words(free, 'B')} free", "note", "little room for results")
        else:
            yield _note(what, f"{folder}: {in_words(free, 'B')} free")


def _required():
    """The versions that congestree requires: {library: its requirement}, empty for sources that are not installed."""
    try:
        from packaging.requirements import Requirement  # which matplotlib requires

        told = importlib.metadata.requires("congestree") or ()
    except (ImportError, importlib.metadata.PackageNotFoundError):
        return {}
    return {one.name: one for one in map(Requirement, told) if one.marker is None}


def _library(name, required):
    asked = f"{name}{required[name].specifier}" if name in required else name
    remedy = f"pip install {asked if asked == name else repr(asked)}"
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return _note(name, "not installed", "bad", remedy)
    if name in required and not required[name].specifier.contains(version, prereleases=True):
        return _note(name, f"{version}, which is not one of those that congestree works with", "bad", remedy)
    return _note(name, version)


def _optional(name, purpose, remedy):
    if importlib.util.find_spec(name) is not None:
        return _note(name, f"installed: {purpose}")
    return _note(name, f"not installed: {purpose}", "note", remedy)


def _program(name, purpose, remedy):
    path = shutil.which(name)
    if path:
        return _note(name, f"{path}: {purpose}")
    return _note(name, f"not found: {purpose}", "note", remedy)


def _speed():
    """A second of the benchmark, compared with the published speed."""
    from . import benchmark

    try:
        result = benchmark.measure(CASE, benchmark.CASES[CASE], times=1)
    except Exception as error:
        return _note(CASE, f"cannot be run: {error}", "bad", "install congestree again")
    rate = result["packet_hops_per_s"]
    published = published_speed(CASE)
    found = f"{rate / 1e6:.1f} M packet-hops/s in {result['cpu_s']:.2f} s on one core"
    if published is None:
        return _note(CASE, found)
    share = rate / published
    found += f", {share:.0%} of the published {published / 1e6:.1f} M"
    if share < SLOW:
        remedy = "an engine built without optimisation (make quick, pip install of a debug build), or a busy machine"
        return _note(CASE, found, "note", remedy)
    return _note(CASE, found)


def published_speed(case):
    """Packet-hops per second of a case in the table of the documentation, or None if it is not shipped."""
    try:
        table = json.loads((shipped.DATA / "bench.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return next((row["packet_hops_per_s"] for row in table if row["name"] == case), None)


_TINY = """
topology.single-switch.hosts = 2
links.rate = "8 Gbit/s"
measure.duration = "10 us"
[[traffic]]
from = "H1"
to = "H2"
"""
