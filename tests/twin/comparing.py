"""The engine compared with its readable twin: the results of both for a scenario, and where they first differ."""

import json
import os
import sys
from collections import Counter
from functools import lru_cache

import on_path  # noqa: F401
import pytest
from reference import run

SEEDS = int(os.environ.get("TWIN_SEEDS", "100"))
CHUNK = 20
PARTS = (2, 3, 7)
"""Numbers of parts into which the networks are cut that can be, one number a seed in turn."""


def engine_says(scenario: dict) -> tuple[list, list]:
    """Deliveries and ports as the engine has them, in the twin's form and order."""
    from congestree import _engine

    output = _engine.run(json.dumps(scenario), "json", agenda=os.environ.get("AGENDA", "wheel"))
    tables, meta = output.tables(), json.loads(output.meta())
    assert meta["stopped"] is None, meta["stopped"]

    def rows(table: str, *columns: str) -> list[tuple]:
        values = [tables[table][column]["values"] for column in columns]
        return list(zip(*(value if isinstance(value, list) else value.tolist() for value in values), strict=True))

    deliveries = rows("deliveries", "flow", "sequence", "time_ps", "marked", "injected_ps")
    return deliveries, [(name, round(blocked * 1e12)) for name, blocked in rows("ports", "name", "blocked")]


def engine_rows(scenario: dict, **how) -> dict[str, list[dict]]:
    """All tables as the engine has them, as rows."""
    engine = pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    output = engine.run(json.dumps(scenario), "json", **how)
    assert json.loads(output.meta())["stopped"] is None
    tables = {}
    for table, columns in output.tables().items():
        values = [column["values"] for column in columns.values()]
        lists = [value if isinstance(value, list) else value.tolist() for value in values]
        tables[table] = [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]
    return tables


def differences(scenario: dict, result=None) -> str | None:
    """The first difference between the two, with all that is needed to examine it; or nothing.

    `result` is the result of the twin, if it is known already.
    """
    result = result or run(scenario)
    deliveries, ports = engine_says(scenario)
    names = [flow.name for flow in result.flows]

    def shown(delivery) -> str:
        if delivery is None:
            return "nothing"
        flow, sequence, time, marked, injected = delivery
        return f"{names[flow]} #{sequence} at {time} ps, injected at {injected} ps{', marked' if marked else ''}"

    ours = sorted(result.deliveries, key=lambda d: (d[2], d[0], d[1]))
    theirs = sorted(deliveries, key=lambda d: (d[2], d[0], d[1]))
    for k in range(max(len(ours), len(theirs))):
        one, other = (ours[k] if k < len(ours) else None), (theirs[k] if k < len(theirs) else None)
        if one != other:
            return f"delivery {k}: the twin has {shown(one)}; the engine has {shown(other)}"
    blocked = sorted((name, blocked) for name, _, blocked in result.ports)
    for one, other in zip(blocked, sorted(ports), strict=True):
        if one != other:
            return f"blocked: the twin has {one} ps; the engine has {other} ps"
    return None


def differs_in_parts(scenario: dict, parts: int, result, threads: int = 2) -> str | None:
    """How the engine's run in this many parts differs from the result of the twin, or nothing; nor if it cannot be
    cut.

    A table of deliveries keeps a run in one part. When packets arrived, and how they were marked, is in the
    fingerprint of the results nevertheless, which the twin's deliveries have as well.
    """
    from congestree import _engine

    bare = scenario | {"measure": scenario["measure"] | {"probes": ["ports"]}}
    output = _engine.run(json.dumps(bare), "json", parts=parts, threads=threads)
    meta = json.loads(output.meta())
    if meta["parts"] == 1:
        return None
    assert meta["stopped"] is None, meta["stopped"]
    wanted = fingerprint(result.deliveries)
    if any(entry.by_message for entry in result.fabric.setup.entries):
        # Such flows have numbers of their own in it: it is compared with that of the whole run, which is the twin's.
        wanted = json.loads(_engine.run(json.dumps(bare), "json", parts=1).meta())["fingerprint"]["results"]
    if (found := meta["fingerprint"]["results"]) != wanted:
        return f"deliveries in {meta['parts']} parts: the twin has {wanted}; the engine has {found}"
    table = output.tables()["ports"]
    names, blocked = ([*table[column]["values"]] for column in ("name", "blocked"))
    ours, theirs = (
        sorted((name, blocked) for name, _, blocked in result.ports),
        sorted((name, round(time * 1e12)) for name, time in zip(names, blocked, strict=True)),
    )
    other = [pair for pair in zip(ours, theirs, strict=True) if pair[0] != pair[1]]
    return f"blocked in {meta['parts']} parts: the twin and the engine have {other}" if other else None


def fingerprint(deliveries) -> str:
    """The fingerprint of results: a sum over all deliveries, whatever their order."""
    total = 0
    for flow, sequence, time, marked, _ in deliveries:
        x = (time ^ marked << 40) * 0x9E37_79B9_7F4A_7C15 ^ (flow << 32 | sequence) * 0xD6E8_FEB8_6659_FD93
        x &= 2**64 - 1
        total += (x ^ x >> 32) * 0xD6E8_FEB8_6659_FD93
    return f"{total & 2**64 - 1:016x}"


def in_chunks(seeds: int):
    """Gives a test this many seeds, a few at a time, as its argument `seeds`."""
    chunks = [range(first, min(first + CHUNK, seeds)) for first in range(0, seeds, CHUNK)]
    return pytest.mark.parametrize("seeds", chunks, ids=lambda chunk: str(chunk.start))


@lru_cache(maxsize=SEEDS)
def twin_says(draw, seed: int):
    """The result of the twin for a scenario. Tests of one file are run by one process, and share it."""
    return run(draw(seed))


@lru_cache(maxsize=SEEDS)
def check_once(draw, seed: int) -> None:
    """The scenario of a seed runs the same way in both; if not, it is shown. Tests of one file need not repeat it."""
    check(draw(seed), f"seed {seed}: ", twin_says(draw, seed))


def check_seeds(draw, seeds, reaches=lambda seed, fabric: True) -> None:
    """The scenario of each seed runs the same way in both, cut into parts or not, and reaches its rules."""
    pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    for seed in seeds:
        scenario = draw(seed)
        result = twin_says(draw, seed)
        check_once(draw, seed)
        # Mostly on one thread: in networks as small as these, two wait for each other most of the time.
        threads = 2 if seed % 8 == 0 else 1
        in_parts = differs_in_parts(scenario, PARTS[seed % len(PARTS)], result, threads)
        assert in_parts is None, f"seed {seed}: {in_parts}\n{json.dumps(scenario)}"
        assert reaches(seed, result.fabric), f"seed {seed} has nothing of what it is to show\n{json.dumps(scenario)}"


def check_tables(draw, seeds, compared) -> None:
    """Tables of the scenario of each seed agree; `compared(scenario, seed)` says how much there was to compare."""
    pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    found = 0
    for seed in seeds:
        scenario = draw(seed)
        try:
            found += compared(scenario, seed)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}\n{json.dumps(scenario)}") from None
    assert found > 0, "there was nothing to compare"


def check_reached(draw, counts, least: dict[str, int], seeds: int = SEEDS // 2) -> None:
    """Everything that the scenarios are for occurs more often than required: in the first few, if it does so early.

    Rules that are never reached would be compared in vain, and so would those that are only reached in scenarios that
    no other test compares: these are compared here. `counts` gives the counters of the parts of a fabric.
    """
    reached = Counter()
    for seed in range(seeds):
        result = twin_says(draw, seed)
        check_once(draw, seed)
        for each in counts(result.fabric):
            reached.update(each)
        if all(reached[what] > count for what, count in least.items()):
            return
    pytest.fail(f"too few of some: {reached}")


def of_outputs(fabric, part: str) -> list[dict]:
    """The counters of a part of every output of every switch."""
    return [getattr(output, part).counts for switch in fabric.switches for output in switch.outputs]


def of_senders(fabric) -> list[dict]:
    """What the sending end of every flow has counted."""
    return [flow.sender.counts for flow in fabric.flows]


def of_receivers(fabric) -> list[dict]:
    """What the receiving end of every flow has counted."""
    return [flow.receiver.counts for flow in fabric.flows]


def check(scenario: dict, label: str = "", result=None) -> None:
    """The scenario runs the same way in both; if not, it is shown."""
    difference = differences(scenario, result)
    assert difference is None, f"{label}{difference}\n{json.dumps(scenario)}"


def by_hand(draw, differs=differences) -> None:
    """Compare one seed, or all seeds in a range, as given on the command line, and print the differences."""
    seeds = [int(text) for text in sys.argv[1:]]
    bad = 0
    for seed in range(*seeds) if len(seeds) == 2 else seeds:
        try:
            difference = differs(draw(seed))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # the engine's panics are not exceptions of the usual kind
            difference = f"{type(error).__name__}: {error}"
        if difference is not None:
            bad += 1
            print(f"seed {seed}: {difference}", flush=True)
    print(f"{bad} seeds differ")
