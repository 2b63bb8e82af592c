"""When applications, their ranks and their messages begin and end: computed again from the deliveries of packets."""

import json
import math
import os
import random
from collections import defaultdict

from comparing import engine_rows
from programs_again import Job
from random_programs import random_jobs
from reference.quantities import span

SEEDS = int(os.environ.get("JOBS_SEEDS", "60"))
OF_RANK = "finished", "completion", "computing", "exposed", "messages", "bytes"
OF_JOB = "ranks", "repeat", "messages", "bytes", "started", "finished", "completion", "slowest"
NO_RANK = 2**32 - 1
STEP_TIMES = "started", "joined", "finished"
TIMES = {"finished", "completion", "computing", "exposed", "started"}


def test_jobs_take_what_their_messages_and_computations_take():
    finished = 0
    for seed in range(SEEDS):
        scenario, programs = random_jobs(seed)
        try:
            finished += check(scenario, programs)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}\n{json.dumps(scenario)}") from None
    assert finished > SEEDS // 2, "most jobs do not finish"


def check(scenario: dict, programs: dict) -> int:
    """All three tables agree with the computed values. Returns how many jobs have finished."""
    tables, done = engine_rows(scenario), 0
    for entry in scenario["traffic"]:
        if entry["name"] not in programs:
            continue
        job = Job(scenario, entry, programs[entry["name"]], tables)
        if entry["job"]["send_end"] == "left" and any(message[-1] is None for message in job.messages):
            continue  # it is not known when the last packet left
        rows = {table: [row for row in tables[table] if row["job"] == entry["name"]] for table in ("jobs", "ranks")}
        for row in rows["ranks"]:
            agree(f"rank {row['rank']} of {row['job']}", row, OF_RANK, job.ranks()[row["rank"]])
        agree(f"job {entry['name']}", rows["jobs"][0], OF_JOB, job.whole())
        columns = "from", "to", "tag", "bytes"
        said = [
            (*(row[column] for column in columns), ps(row["sent"]), ps(row["delivered"]))
            for row in tables["messages"]
            if row["job"] == entry["name"]
        ]
        end = span(scenario["measure"]["duration"])
        known = [message for message in job.messages if message[-1] is not None and message[-1] <= end]
        assert sorted(said) == sorted(known), f"messages of {entry['name']}"
        done += job.whole()[5] is not None
    return done


def ps(time: float) -> int | None:
    """A time of a table; nan means that it has not occurred."""
    return None if math.isnan(time) else round(time * 1e12)


def agree(what: str, row: dict, columns: tuple, found: tuple) -> None:
    """A row agrees. No rank is the slowest of a job that has not finished."""
    for column, value in zip(columns, found, strict=True):
        said = ps(row[column]) if column in TIMES else row[column]
        if column == "slowest" and said == NO_RANK:
            said = None
        assert said == value, f"{what}: {column} is {said}, and should be {value}"


def training(seed: int) -> dict:
    """Four ranks with a sum after every computation, some of which compute more slowly, and other traffic."""
    rng = random.Random(f"training {seed}")
    slow = [
        {"ranks": [rank], "factor": rng.choice([1.1, 1.3, 2.0])} for rank in rng.sample(range(4), rng.randint(0, 3))
    ]
    model = {"layers": rng.randint(1, 3), "hidden": 256, "sequence": 128}
    job = {"ranks": 4, "placement": "random", "stragglers": slow}
    program = {"parallel": {"tensor": 4}, "model": model, "microbatches": rng.randint(1, 2), "teraflops": 10}
    return {
        "seed": seed,
        "topology": {"chain": {"switches": 3, "hosts_per_switch": 2}},
        "links": {"rate": "100 Gbit/s", "delay": "100 ns"},
        "switches": {"buffer": "64 KiB", "forwarding_delay": "200 ns"},
        "adapters": {"mtu": "1000 B", "header": "64 B"},
        "traffic": [
            {"name": "job", "from": "all", "program": {"training": program}, "job": job},
            {"name": "others", "from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.3}}},
        ],
        "measure": {"duration": rng.choice(["100 ms", "100 us"]), "until_jobs_end": True, "probes": ["messages"]},
    }


def steps_again(tables: dict, each: int) -> list[tuple]:
    """Begun, joined, latest, finished and last of steps in which every rank sends this many messages, in turn.

    A rank begins a step with its first message, and ends it with the last that arrives for it.
    """
    by_rank, steps = defaultdict(list), []
    for row in sorted(tables["messages"], key=lambda row: (row["sent"], row["tag"])):
        by_rank[row["from"]].append(row)
    for step in range(len(tables["messages"]) // (4 * each)):
        rows = [row for sent in by_rank.values() for row in sent[step * each : (step + 1) * each]]
        begins = {rank: ps(sent[step * each]["sent"]) for rank, sent in by_rank.items()}
        ends = {rank: max(ps(row["delivered"]) for row in rows if row["to"] == rank) for rank in by_rank}
        (joined, latest), (finished, last) = (max((time, rank) for rank, time in of.items()) for of in (begins, ends))
        steps.append((min(begins.values()), joined, latest, finished, last))
    return steps


def test_steps_begin_with_their_first_message_and_end_with_their_last():
    whole = 0
    for seed in range(12):
        tables = engine_rows(training(seed))
        columns = "started", "joined", "latest", "finished", "last"
        said = [tuple(ps(row[c]) if c in STEP_TIMES else row[c] for c in columns) for row in tables["steps"]]
        if ps(tables["jobs"][0]["finished"]) is None:
            begun = [row for row in tables["steps"] if ps(row["started"]) is not None]
            assert len(begun) < len(said), "some steps have not begun"
            for row in tables["steps"][len(begun) :]:
                assert all(ps(row[column]) is None for column in (*STEP_TIMES, "time")), row
            continue
        each = len(tables["messages"]) // (4 * len(said))
        assert said == steps_again(tables, each), seed
        for row in tables["steps"]:
            assert ps(row["time"]) == ps(row["finished"]) - ps(row["joined"])
        whole += 1
    assert whole >= 3
