"""The engine against its twin in applications: what ranks send and compute when, and what messages and steps take.

By hand: `PYTHONPATH=. python tests/twin/test_twin_applications.py 0 500`.
"""

import math
from collections import Counter

from comparing import PARTS, SEEDS, by_hand, check_reached, check_seeds, differences, engine_rows, in_chunks
from random_applications import random_applications, random_overtaking
from reference import run


@in_chunks(SEEDS)
def test_ranks_go_on_as_in_their_twin(seeds):
    check_told(random_applications, seeds)


@in_chunks(SEEDS // 2)
def test_messages_overtake_each_other_as_in_their_twin(seeds):
    check_told(random_overtaking, seeds)


def check_told(draw, seeds) -> None:
    """Engine and twin agree about deliveries, and the tables of jobs do."""

    def told_alike(seed: int, fabric) -> bool:
        difference = tables_differ(draw(seed), fabric, PARTS[seed % len(PARTS)])
        assert difference is None, f"seed {seed}: {difference}"
        return True

    check_seeds(draw, seeds, told_alike)


def differs(scenario: dict) -> str | None:
    """Deliveries differ, or the tables of jobs."""
    result = run(scenario)
    return differences(scenario, result) or tables_differ(scenario, result.fabric, 3)


def tables_differ(scenario: dict, fabric, parts: int) -> str | None:
    """The tables differ about when jobs, ranks and steps begin and finish, or messages are sent and received."""
    ours = tables_of(fabric)
    # A table of deliveries keeps a run in one part.
    bare = scenario | {"measure": scenario["measure"] | {"probes": ["messages"]}}
    for tables in (engine_rows(scenario), engine_rows(bare, parts=parts)):
        for table, rows in ours.items():
            theirs = [{column: in_ps(row[column]) for column in rows[0]} for row in tables[table]] if rows else []
            for one, other in zip(sorted(rows, key=str), sorted(theirs, key=str), strict=True):
                if one != other:
                    return f"{table}: the twin has {one}; the engine has {other}"
    return None


def in_ps(value):
    """A time of a table in ps; none if it is no number. Other values stay."""
    if not isinstance(value, float):
        return value
    return None if math.isnan(value) else round(value * 1e12)


def tables_of(fabric) -> dict[str, list[dict]]:
    """What the twin has for tables of the engine: jobs, ranks, steps, messages."""
    found = {"jobs": [], "ranks": [], "messages": [], "steps": []}
    for job in fabric.jobs:
        name = job.entry.name
        found["jobs"].append({"job": name, "ranks": len(job.ranks), "finished": job.finished})
        for number, rank in enumerate(job.ranks):
            host = fabric.graph.hosts[rank.host.number]
            computing = sum(ends - begins for begins, ends in rank.computed)
            row = {"job": name, "rank": number, "host": host, "finished": rank.finished, "computing": computing}
            found["ranks"].append(row)
        for message, at in job.told:
            row = {"job": name, "from": message.sender, "to": message.receiver, "tag": message.tag}
            found["messages"].append(row | {"bytes": message.size, "sent": message.made, "delivered": at})
        found["steps"] += steps_of(job)
    return found


def steps_of(job) -> list[dict]:
    """When the first rank began each step, when the last one did, and when all had finished."""
    rows, repeat = [], job.entry.job.get("repeat", 1)
    for number in range(repeat):
        for place, step in enumerate(job.program.steps):
            course = job.courses.get((repeat - 1 - number, place), [])
            begun, ended = ([when for ends, *when in course if ends == which] for which in (False, True))
            done = len(ended) == step.ranks
            row = {"job": job.entry.name, "round": number, "step": place, "name": step.name, "bytes": step.size}
            row |= {"started": min(begun)[0] if begun else None, "joined": max(begun)[0] if begun else None}
            row |= {"latest": max(begun)[1] if begun else 0, "finished": max(ended)[0] if done else None}
            rows.append(row | {"last": max(ended)[1] if ended else 0})
    return rows


def test_the_random_scenarios_reach_what_they_are_about():
    """Messages take all paths, are announced, wait for receives and are awaited; jobs finish, and some end the run."""

    def counts(fabric):
        for job in fabric.jobs:
            yield Counter(job.way(message.sender, message.receiver) for message, _ in job.told)
            yield {"announced": sum(job.is_announced(message.size) for message, _ in job.told)}
            yield {"finished": job.finished is not None, "steps": len(job.courses)}
            yield {job.send_end: any(rank.finished for rank in job.ranks)}
        yield {"ended": fabric.setup.until_jobs_end and all(job.finished is not None for job in fabric.jobs)}
        yield {"side by side": len(fabric.jobs) > 1}

    ways, ends = ("network", "memory", "node"), ("left", "acknowledged", "delivered")
    what = (*ways, *ends, "announced", "finished", "steps", "ended", "side by side")
    check_reached(random_applications, counts, dict.fromkeys(what, 5))


def test_messages_overtake_each_other_in_random_scenarios():
    """Some overtake those before them; others are complete, and wait because a receive could take them instead."""

    def counts(fabric):
        return [line.counts for job in fabric.jobs for line in job.lines.values()]

    check_reached(random_overtaking, counts, {"overtook": 20, "kept in order": 10})


if __name__ == "__main__":
    by_hand(random_applications, differs)
