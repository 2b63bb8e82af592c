"""The trees of a run, by frames: their numbers at each, the links and flows that belong to them, and sentences."""

import numpy as np

from ..columns import numbers
from ..evaluation import trees

TOLD = 400
"""Trees that are described in sentences: those that held most links longest."""


def pack_trees(run, facts, frames, packer, key):
    """Trees of a run as a header, its arrays in the packer under names that begin with `key`.

    facts: the result of `trees.summary`.
    """
    sentences = trees.sentences(facts, TOLD)
    rows = run.arrow("trees")
    frame = _frame_of(frames, numbers(rows["time"]))
    shown = np.flatnonzero(frame >= 0)
    ports = dict(zip(numbers(rows["tree"]).tolist(), numbers(rows["root"]).tolist(), strict=True))
    header = {
        "kind": facts["kind"],
        "samples": facts["samples"],
        "every": facts["every_s"],
        "lives": [_life(life, ports, sentences.get(life["tree"])) for life in facts["trees"]],
        "rows": {"frame": packer.exact(f"{key}.trees.frame", frame[shown], "u32")},
        "links": _links(run, frames, packer, key),
        "flows": _flows(run, frames, packer, key),
    }
    kinds = {"tree": "u32", "root": "u32", "depth": "u32", "branches": "u32", "held": "u32", "bytes": "f64"}
    kinds |= {"backlog": "f64", "contributors": "u32", "victims": "u32"}
    for name, kind in kinds.items():
        column = numbers(rows["held_links" if name == "held" else name])
        header["rows"][name] = packer.exact(f"{key}.trees.{name}", column[shown], kind)
    return header


def _life(life, ports, sentences):
    """A tree from birth to death; ports: the root of each by its number, also of trees that no frame shows."""
    keep = ("tree", "root", "lane", "slow_host", "born_s", "died_s", "seen_s", "depth", "links", "held_links", "bytes")
    values = {name: life[name] for name in keep}
    return {**values, "port": ports[life["tree"]], "kind": life["kind"], "said": sentences or []}


def _frame_of(frames, times):
    """The frame that shows the sample at each of these instants; -1 where none does."""
    if not len(times):
        return np.array([], dtype=int)
    at = np.minimum(frames.of_time(times * (1 - 1e-9)), len(frames.times) - 1)
    return np.where(np.isclose(frames.times[at], times, rtol=1e-6, atol=0), at, -1)


def _links(run, frames, packer, key):
    """Spans of links, as the first frame at which they are seen and the first at which they are no longer."""
    rows = run.arrow("tree_links")
    first, last = (frames.of_time(numbers(rows[name]) * (1 - 1e-9)) for name in ("from", "to"))
    last = np.where(numbers(rows["to"]) >= run.duration * (1 - 1e-9), len(frames.times), last)
    shown = np.flatnonzero(last > first)
    header = {
        "first": packer.exact(f"{key}.links.first", first[shown], "u16"),
        "last": packer.exact(f"{key}.links.last", last[shown], "u16"),
    }
    for name, kind in (("tree", "u32"), ("port", "u32"), ("depth", "u8"), ("carries", "u8")):
        values = numbers(rows[name])[shown]
        header[name] = packer.exact(f"{key}.links.{name}", np.minimum(values, 255) if kind == "u8" else values, kind)
    return header


def _flows(run, frames, packer, key):
    """Who fed a tree and who suffered from it, from the first frame that saw it so to the last."""
    rows = run.arrow("tree_flows")
    first = frames.of_time(numbers(rows["first"]) * (1 - 1e-9))
    last = frames.of_time(numbers(rows["last"]) * (1 - 1e-9))
    victim = numbers(rows["role"]) == "victim"
    header = {
        "first": packer.exact(f"{key}.flows.first", first, "u16"),
        "last": packer.exact(f"{key}.flows.last", np.minimum(last, len(frames.times) - 1), "u16"),
        "victim": packer.exact(f"{key}.flows.victim", victim, "u8"),
    }
    for name, kind in (("tree", "u32"), ("flow", "u32"), ("time", "f64")):
        header[name] = packer.exact(f"{key}.flows.{name}", numbers(rows[name]), kind)
    return header
