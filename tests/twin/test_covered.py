"""The coverage in docs/reference/twin.md is correct: every part and key is in it, on the side where it belongs.

A part is covered if the random scenarios name it that engine and twin both run; a key if, moreover, the twin reads it.
`PYTHONPATH=. python tests/twin/test_covered.py` writes the tables of the page.
"""

import json
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest
import test_twin_checked
import test_twin_detours
import test_twin_faults
import test_twin_flow_queues
import test_twin_lanes
import test_twin_messages
import test_twin_trimming
from comparing import SEEDS
from generators import GENERATORS
from random_detours import random_trimmed
from reference import Fabric
from reference.network.regular import KINDS
from reference.quantities import choice
from test_regular import ARRANGEMENTS

PAGE = Path(__file__).parents[2] / "docs/reference/twin.md"
TREATED = {
    "Network": "topology arrangement routing destination_lanes hop_lanes",
    "Links": "flow_control control threshold counts pause_duration losses action lane_arbiter reroute",
    "Switches": "queues memory read_ports arbiter matching switching victim",
    "Marks and reactions": "preset mark feedback fill victim_mask choice notify react timer_runs per table alpha_grows "
    "clamp_target window model signal",
    "Isolation": "isolate schedule suspect stop_at notices root_release sampled_queues "
    "flow_sampling flow_entries pacing windows_measured",
    "Ways and transports": "route knows transport prediction delivery congestion_control paths",
    "Traffic": "pattern arrivals flows sizes after",
    "Applications": "program order operation algorithm protocol gate phase copies placement send_end",
    "Measuring": "probe",
}
BESIDE = {
    "topology": {*KINDS, "file"},
    "arrangement": {*ARRANGEMENTS},
    "probe": {"deliveries", "flows", "classes", "ports", "queues", "latency", "counters"}
    | {"output-queues", "pauses", "buffers", "messages", "completions", "trees", "regions"}
    | {"input-queues", "credits", "hol-blocking", "transfers", "isolation", "events"}
    | {"transport", "detections", "injection-audit"},
    "losses": {"stop"},
}
"""What other tests than those by `GENERATORS` compare: `test_regular` graphs, `test_twin_files` one in a file,
`test_twin_measures` tables, `test_pauses` runs that stop at a loss; further tables are in `test_twin_applications`,
`test_twin_completions`, `test_twin_trees`, `test_twin_regions`, `test_twin_samples`, `test_twin_blocking`,
`test_twin_transfers`, `test_twin_transport`, `test_twin_lines`, `test_twin_marks`, `test_twin_detections` and
`test_twin_injection`."""


SELDOM = {
    4: "staging towards",
    8: "beside carried efl go-back-n hearing losing making nscc paths rccc new-reno ways",
}
"""Generators of which tests compare only this fraction of `SEEDS`, since each scenario takes long."""
OFTEN = {
    "applications": SEEDS,
    "checked": test_twin_checked.ALL,
    "detours": test_twin_detours.ALL,
    "faults": test_twin_faults.ALL,
    "flow queues": test_twin_flow_queues.ALL,
    "lanes": test_twin_lanes.ALL,
    "messages": test_twin_messages.ALL,
    "trimming": test_twin_trimming.ALL,
}
"""Generators of which tests compare more than half of `SEEDS`."""
DRAWN = defaultdict(
    lambda: SEEDS // 2,
    OFTEN,
    **{name: SEEDS // part for part, names in SELDOM.items() for name in names.split()},
)
"""Scenarios of each generator: no more than its test compares."""


class Heard(dict):
    """A table of a scenario that records which keys are read."""

    def __init__(self, table: dict, path: tuple, asked: set):
        super().__init__({key: heard(value, (*path, key), asked) for key, value in table.items()})
        self.path, self.asked = path, asked

    def note(self, key) -> None:
        """Record that a key was read."""
        if super().get(key) is not None:
            self.asked.add((*self.path, key))

    def get(self, key, default=None):
        self.note(key)
        return super().get(key, default)

    def __getitem__(self, key):
        self.note(key)
        return super().__getitem__(key)


def heard(value, path: tuple, asked: set):
    """A scenario, or a part of one, that notes what the twin reads of it; items of a list are where the list is."""
    if isinstance(value, dict):
        return Heard(value, path, asked)
    return [heard(item, path, asked) for item in value] if isinstance(value, list) else value


def names(scenario, lists: dict[str, set]):
    """The parts that a scenario names, with the lists on which they are."""
    if isinstance(scenario, dict):
        for key, value in scenario.items():
            name = next(iter(value)) if isinstance(value, dict) and len(value) == 1 else value
            if key in lists and isinstance(name, str) and name in lists[key]:
                yield key, name
            yield from names(value, lists)
    elif isinstance(scenario, list):
        for item in scenario:
            yield from names(item, lists)


def tables() -> tuple[str, str]:
    """The two tables of the page: parts by list, and keys by section, as the catalogue and the scenarios have them."""
    engine = pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    lists, sections = defaultdict(dict), {}
    for entry in json.loads(engine.catalogue()):
        if entry["kind"] == "section":
            sections[entry["name"]] = [parameter["name"] for parameter in entry["parameters"]]
        else:
            lists[entry["kind"]][entry["name"]] = None
    named, asked = set(), set()
    for name, draw in GENERATORS.items():
        for seed in range(DRAWN[name]):
            scenario = draw(seed)
            named.update(names(scenario, lists))
            # A key that is absent has the default, and both use it.
            named.update(names(json.loads(engine.check(json.dumps(scenario), "json"))["scenario"], lists))
            Fabric(heard(scenario, (), asked))
    for kind, others in BESIDE.items():
        named |= {(kind, name) for name in others}
    kinds = [kind for group in TREATED.values() for kind in group.split()]
    assert sorted(kinds) == sorted(lists), "every list stands in TREATED once"
    parts = [
        (f"**{group}**: `{kind}`", [*lists[kind]], [name for name in lists[kind] if (kind, name) in named])
        for group, of_group in TREATED.items()
        for kind in of_group.split()
    ]
    keys = [
        (f"`{section}`", names, [key for key in names if (*section.split("."), key) in asked])
        for section, names in sections.items()
    ]
    return as_table("parts of a list", parts), as_table("keys of a section", keys)


def as_table(what: str, rows) -> str:
    """Rows of what exists and what is covered, as Markdown."""

    def cell(names) -> str:
        return " ".join(f"`{name}`" for name in names)

    lines = [f"| {what} | in the twin | not in the twin |", "| --- | --- | --- |"]
    for label, all_names, covered in rows:
        lines.append(f"| {label} | {cell(covered)} | {cell(name for name in all_names if name not in covered)} |")
    return "\n".join(lines) + "\n"


def test_the_page_says_what_the_twin_covers():
    page = PAGE.read_text(encoding="utf-8")
    for table in tables():
        assert table in page, "run `PYTHONPATH=. python tests/twin/test_covered.py`, and read what it changes"


AT_LEAST = dict.fromkeys(("messages", "flow queues", "ugal", "by-hop", "trimming", "link-level retry", "faults"), SEEDS)
"""Networks with a rule that tests compare: a hundred, or as many as there are seeds."""


def rules(scenario: dict):
    """The rules of `AT_LEAST` that a scenario has."""
    links, scheme = scenario["links"], scenario["scheme"]
    found = {
        "messages": "messages" in choice(links.get("flow_control", "none"))[1],
        "flow queues": choice(scheme.get("isolate", "none"))[0] == "bfc",
        "ugal": choice(scheme.get("route", "none"))[0] == "ugal",
        "by-hop": links.get("hop_lanes") == "by-hop",
        "trimming": "trim" in scenario["switches"],
        "link-level retry": "retry" in links,
        "faults": "faults" in links,
    }
    return [rule for rule, there in found.items() if there]


def test_as_many_networks_as_there_are_seeds_are_compared_for_each_rule():
    found = Counter()
    for name, draw in (GENERATORS | {"trimmed": random_trimmed}).items():
        for seed in range(DRAWN[name]):
            found.update(rules(draw(seed)))
    assert {rule: found[rule] for rule, least in AT_LEAST.items() if found[rule] < least} == {}


def test_the_readme_lists_every_generator():
    here = Path(__file__).parent
    listed = re.findall(r"^\| `(random_\w+)` \|", (here / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert listed == sorted(path.stem for path in here.rglob("random_*.py"))
    assert list(here.glob("random_*.py")) == [], "generators are in the folder random"


def written(page: str, new: tuple[str, str]) -> str:
    """The page with these tables."""
    blocks, tables_left = [], list(new)
    for block in page.split("\n\n"):
        blocks.append(tables_left.pop(0).rstrip("\n") if block.startswith("| ") and tables_left else block)
    return "\n\n".join(blocks).rstrip("\n") + "\n"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), tables()), encoding="utf-8")
