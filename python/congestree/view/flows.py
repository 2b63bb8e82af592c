"""The flows of a run: source and destination, how much was delivered, and the rate over time."""

import numpy as np
import pyarrow as pa

from ..columns import numbers

MOST_FLOWS = 20_000
"""Flows that are listed: those in trees first, then those that lost most time, then the others in their order."""
MOST_POINTS = 4_000_000
"""Flows times frames of rates over time."""

LEAST = 0.1
"""If the last bin is shorter than this share of a bin, no rate is computed from it."""


def pack_flows(run, frames, packer, key, fabric):
    """Flows of a run as a header; a flow's number is its position in the list, `of` is the total number of flows."""
    table = run.arrow("flows", ["flow", "name", "class", "source", "destination", "packets", "bytes", "rate", "marked"])
    count, ids = table.num_rows, numbers(table["flow"]).astype(int)
    chosen = _chosen(run, ids)
    ranks = _ranks(table)[chosen]
    table = table.take(chosen)
    classes = sorted(set(table["class"].to_pylist()))
    number = {name: i for i, name in enumerate(fabric.names)}
    kind = {name: i for i, name in enumerate(classes)}
    header = {"of": count, "listed": len(chosen), "classes": classes}
    header["id"] = packer.exact(f"{key}.flow.id", ids[chosen], "u32")
    header["class"] = packer.exact(f"{key}.flow.class", [kind[c] for c in table["class"].to_pylist()], "u16")
    for end in ("source", "destination"):
        values = [number.get(name, -1) for name in table[end].to_pylist()]
        header[end] = packer.exact(f"{key}.flow.{end}", values, "i32")
    header["rank"] = packer.exact(f"{key}.flow.rank", ranks, "u32")
    for name in ("packets", "bytes", "rate", "marked"):
        header[name] = packer.exact(f"{key}.flow.{name}", numbers(table[name]), "f64")
    if "tree_losses" in run.tables:
        losses = run.arrow("tree_losses")
        lost = np.zeros(count)
        lost[np.searchsorted(ids, numbers(losses["flow"]))] = numbers(losses["lost"])
        header["lost"] = packer.exact(f"{key}.flow.lost", lost[chosen], "f64")
    if "flow_series" in run.tables:
        header["series"] = _series(run, frames, packer, key, ids[chosen])
    elif "class_series" in run.tables:
        time, name, carried = (numbers(run.arrow("class_series")[c]) for c in _BY_CLASS)
        known = np.array([n in kind for n in name], dtype=bool)
        rows = np.array([kind[n] for n in name[known]], dtype=int)
        values = 8 * frames.spread(
            rows, time[known], frames.per_second(time[known], carried[known], LEAST), len(classes)
        )
        header["by_class"] = packer.rounded(f"{key}.class.series", values)
    return header


def sentences(header, packer):
    """What the page leaves out of the flows; header: of `pack_flows`."""
    said, listed = [], header["listed"]
    if listed < header["of"]:
        first = ", those in congestion trees first" if "lost" in header else ""
        said.append(f"Of {header['of']:,} flows, {listed:,} are listed here{first}.")
    rows = packer.listed[header["series"]]["shape"][0] if "series" in header else listed
    if rows < listed:
        said.append(f"Rates over time are shown for the first {rows:,} of {listed:,} flows listed here.")
    return said


_BY_CLASS = ("time", "class", "bytes")


def _series(run, frames, packer, key, chosen):
    """Rates of the first flows of the list over time."""
    some = chosen[: max(1, MOST_POINTS // len(frames.times))]
    place = np.full(int(chosen.max(initial=-1)) + 1, -1)
    place[some] = np.arange(len(some))
    table = run.arrow("flow_series", ["time", "flow", "bytes"])
    flow = numbers(table["flow"])
    known = np.isin(flow, some)
    time, carried = (numbers(table[name])[known] for name in ("time", "bytes"))
    values = 8 * frames.spread(place[flow[known]], time, frames.per_second(time, carried, LEAST), len(some))
    return packer.rounded(f"{key}.flow.series", values)


def _ranks(table):
    """How many flows with its class, source and destination come before each flow: by these four, the page finds it in
    another run, whose flows may have other numbers."""
    key, count = np.zeros(table.num_rows, dtype=np.int64), np.arange(table.num_rows)
    for name in ("class", "source", "destination"):
        codes = numbers(pa.chunked_array([table[name].combine_chunks().dictionary_encode().indices]))
        key = key * (codes.max(initial=0) + 1) + codes
    order = np.argsort(key, kind="stable")
    begins = np.diff(key[order], prepend=-1) > 0
    ranks = np.empty_like(count)
    ranks[order] = count - np.maximum.accumulate(np.where(begins, count, 0))
    return ranks


def _chosen(run, ids):
    """Rows of the flows that are listed: all, or those that were longest in trees or lost most time to others."""
    count, weight = len(ids), np.zeros(len(ids))
    for name, time, least in (("tree_flows", "time", 1.0), ("tree_losses", "lost", 0.0)):
        if name in run.tables:
            rows = run.arrow(name)
            share = numbers(rows[time]) / max(run.duration, 1e-300)
            np.add.at(weight, np.searchsorted(ids, numbers(rows["flow"])), least + share)
    order = np.argsort(-weight, kind="stable")[:MOST_FLOWS]
    return order if count > MOST_FLOWS else np.arange(count)
