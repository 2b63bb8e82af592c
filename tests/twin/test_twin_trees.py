"""Congestion trees as the documentation defines them: found again in samples of the twin, in random scenarios."""

import json
import os
import random
from collections import Counter, defaultdict

import pytest
from comparing import engine_rows
from random_checked import random_checked
from random_flow_queues import random_flow_queues
from random_lanes import random_lanes
from random_mixed import random_mixed
from random_pauses import random_pauses
from random_queues import random_queues
from random_scenarios import random_scenario
from reference.quantities import span
from sampling import samples_of
from trees_again import Trees


def random_hashed(seed: int) -> dict:
    """The scenario of this seed: in a tree, whose switches choose among equal paths by the flow."""
    rng = random.Random(f"hashed {seed}")
    while True:
        scenario = rng.choice([random_scenario, random_pauses])(rng.randrange(10**6))
        if scenario["topology"].keys() & {"fat-tree", "k-ary-n-tree"} and "output_buffer" not in scenario["switches"]:
            break
    scenario.pop("routing", None)
    scenario["scheme"]["route"] = rng.choice(["ecmp", "ecmp", {"ecmp": {"same_hash": True}}])
    return scenario


DRAWS = [
    random_scenario,
    random_lanes,
    random_queues,
    random_pauses,
    random_mixed,
    random_flow_queues,
    random_hashed,
    random_checked,
]
SEEDS = int(os.environ.get("TREES_SEEDS", "8"))
MOST = {"depth": "depth", "links": "branches", "held_links": "held_links", "bytes": "bytes"}
OF_TREE = "root", "lane", "slow_host", "depth", "branches", "held_links", "bytes", "backlog", "contributors", "victims"


def looked_at(scenario: dict, seed: int) -> dict:
    """The scenario with samples of trees, at times at which something often happens."""
    end = span(scenario["measure"]["duration"])
    every = random.Random(f"samples {seed}").choice([end // 20, end // 37 + 1, end // 60])
    lanes = scenario["links"].get("hop_lanes")
    if lanes and "by-service" in lanes:  # trees are not followed through these
        scenario = scenario | {"links": scenario["links"] | {"hop_lanes": {"by-lane": lanes["by-service"]}}}
    measure = {"probes": ["trees", "flows"], "sampling_interval": f"{max(every, 1)} ps", "warm_up": "0 ns"}
    return scenario | {"measure": scenario["measure"] | measure}


@pytest.mark.parametrize("draw", DRAWS, ids=lambda draw: draw.__name__)
def test_trees_are_what_is_said_of_them(draw):
    found = 0
    for seed in range(SEEDS):
        scenario = looked_at(draw(seed), seed)
        try:
            found += check(scenario)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}\n{json.dumps(scenario)}") from None
    assert found > SEEDS, "hardly a tree in any of them"


def check(scenario: dict) -> int:
    """All four tables agree with the trees found again. Returns the number of rows of trees."""
    tables = engine_rows(scenario)
    seen = samples_of(json.loads(json.dumps(scenario)))
    setup = seen.fabric.setup
    trees = Trees(seen.samples, seen.every, setup.mtu + setup.header, setup.duration)

    def ps(time: float) -> int:
        return round(time * 1e12)

    said = {(ps(row["time"]), row["tree"]): tuple(row[column] for column in OF_TREE) for row in tables["trees"]}
    agree("trees", said, trees.trees)
    said = {
        (row["tree"], row["port"], row["lane"], ps(row["from"])): (row["depth"], row["carries"], ps(row["to"]))
        for row in tables["tree_links"]
    }
    agree("tree_links", said, trees.links())
    said = {
        (row["tree"], row["flow"], row["role"]): (
            ps(row["first"]),
            ps(row["last"]),
            round(ps(row["time"]) / seen.every),
        )
        for row in tables["tree_flows"]
    }
    agree("tree_flows", said, trees.flows)
    columns = "held_by_trees", "held_in_switch", "lost"
    said = {row["flow"]: [round(ps(row[column]) / seen.every) for column in columns] for row in tables["tree_losses"]}
    agree("tree_losses", said, dict(trees.losses))
    return len(tables["trees"])


def agree(table: str, said: dict, found: dict) -> None:
    """The first row that is not the same."""
    for key in sorted(said.keys() | found.keys()):
        assert said.get(key) == found.get(key), f"{table} {key}: {said.get(key)}, and should be {found.get(key)}"


@pytest.mark.parametrize("draw", [random_scenario, random_pauses], ids=lambda draw: draw.__name__)
def test_what_is_explained_of_them_is_what_was_seen(draw):
    told = 0
    for seed in range(2 * SEEDS):
        scenario = looked_at(draw(seed), seed)
        try:
            told += check_summary(scenario)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}\n{json.dumps(scenario)}") from None
    assert told >= SEEDS // 2, "hardly a tree in any of them"


def check_summary(scenario: dict) -> int:
    """The summary behind `explain` follows from the trees found again. Returns the number of trees."""
    import congestree

    run = congestree.run(scenario)
    facts, names = congestree.trees.summary(run), run.arrow("ports")["name"].to_pylist()
    classes = dict(run.flows.select("flow", "class").rows())
    seen = samples_of(json.loads(json.dumps(scenario)))
    setup = seen.fabric.setup
    trees = Trees(seen.samples, seen.every, setup.mtu + setup.header, setup.duration)
    at_a_time = Counter(time for time, _ in trees.trees)
    assert (facts["samples"], facts["most_at_a_time"]) == (len(seen.samples), max(at_a_time.values(), default=0))
    assert facts["congested"] == pytest.approx(len(at_a_time) / len(seen.samples))
    assert len(facts["trees"]) == len(trees.seen)
    for life in facts["trees"]:
        number, times = life["tree"], trees.seen[life["tree"]]
        rows = [dict(zip(OF_TREE, trees.trees[time, number], strict=True)) for time in times]
        assert names[rows[0]["root"]] == life["root"].partition(" ")[0]
        assert life["born_s"] == pytest.approx(times[0] * 1e-12)
        goes_on = times[-1] == seen.samples[-1].time
        assert life["died_s"] == (None if goes_on else pytest.approx((times[-1] + seen.every) * 1e-12))
        assert life["seen_s"] == pytest.approx(len(times) * seen.every * 1e-12)
        most = {key: max(row[column] for row in rows) for key, column in MOST.items()}
        assert {key: life[key] for key in most} == most
        assert life["slow_host"] == sum(row["slow_host"] for row in rows) / len(rows)
        for role in ("contributor", "victim"):
            flows = Counter(classes[flow] for of, flow, part in trees.flows if (of, part) == (number, role))
            assert {name: group["flows"] for name, group in life[f"{role}s"].items()} == flows
    lost = defaultdict(list)
    for flow, counts in trees.losses.items():
        lost[classes[flow]].append(counts)
    columns = "between_s", "inside_s", "lost_s"
    for row in facts["suffering"]:
        means = [sum(column) / len(column) * seen.every * 1e-12 for column in zip(*lost.pop(row["class"]), strict=True)]
        assert [row[column] for column in columns] == pytest.approx(means)
    assert not lost
    return len(facts["trees"])
