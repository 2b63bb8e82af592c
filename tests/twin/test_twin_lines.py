"""The table `isolation_series` has the lines and queues that are in use in the twin, at switches and at hosts; and the
memory that is reported for lines is what those of the twin need.

By hand: `PYTHONPATH=. python tests/twin/test_twin_lines.py 0 500`.
"""

import json
import random
import sys
from collections import Counter, defaultdict
from itertools import pairwise

import pytest
from comparing import PARTS, SEEDS, check_tables, engine_rows, in_chunks
from random_isolation import random_isolation
from reference import Fabric
from reference.quantities import span
from reference.switches.set_aside import Lines


class Watched:
    """What is in use after each instant, while a fabric runs."""

    def __init__(self, fabric, monkeypatch):
        self.fabric, self.end = fabric, fabric.setup.duration
        self.inputs = [entry.aside for switch in fabric.switches for entry in switch.inputs]
        stagings = [host.staging for host in fabric.hosts if host.staging is not None]
        self.hosts = [staging.lines for staging in stagings if staging.lines is not None]
        self.allocated = []  # (time, place)
        self.uses = []  # (time, {place: (lines, queues, ports without a free queue)})
        self.most = Counter()  # the longest list of destinations, and the highest numbers in lines of switches
        new_line = Lines.new_line

        def makes(lines, output, hops, destinations, queue=None):
            line = new_line(lines, output, hops, destinations, queue)
            if line is not None and queue is None:
                at_host = any(lines is own for own in self.hosts)
                self.allocated.append((fabric.now, "hosts" if at_host else "switches"))
            return line

        monkeypatch.setattr(Lines, "new_line", makes)
        self.look(0)
        while fabric.agenda and fabric.agenda[0][0] <= self.end:
            fabric.work_instant()
            self.look(fabric.now)

    def look(self, now: int) -> None:
        places = ("switches", self.inputs), ("hosts", self.hosts)
        self.uses.append((now, {place: self.use(lines) for place, lines in places}))
        for line in [line for lines in self.inputs for line in lines.lines.values()]:
            found = {"output": line.output, "hops": line.hops, "number": line.number}
            found |= {"destinations": len(line.destinations), "host": max(line.destinations)}
            self.most |= Counter(found)

    @staticmethod
    def use(lines: list[Lines]) -> tuple[int, int, int]:
        aside = [len(each.aside()) for each in lines]
        full = sum(queues == len(each.queues) for queues, each in zip(aside, lines, strict=True))
        return sum(len(each.lines) for each in lines), sum(aside), full

    def bins(self, width: int) -> dict:
        """By bin and place: the means of what is in use, the most queues and full ports, and what was allocated."""
        found = defaultdict(lambda: [0.0] * 3 + [0] * 3)
        for (begin, use), (until, _) in pairwise([*self.uses, (self.end, None)]):
            while begin < until:
                at = begin // width
                part = min((at + 1) * width, until) - begin
                for place, values in use.items():
                    cell = found[at, place]
                    length = min(width, self.end - at * width)
                    cell[:3] = [mean + value * part / length for mean, value in zip(cell, values, strict=False)]
                    cell[3:5] = max(cell[3], values[1]), max(cell[4], values[2])
                begin += part
        last = -(-self.end // width) - 1
        for (at, place), count in Counter((min(time // width, last), place) for time, place in self.allocated).items():
            found[at, place][5] = count
        return found

    def cells(self) -> tuple[int, int]:
        """Cells of CAM and of SRAM for the lines of one input (Gran, supplement of Paper VI, section 8)."""
        rule, hosts = self.fabric.setup.isolation, len(self.fabric.hosts)
        fields = {"output": 6, "hops": 6, "number": 4, "host": max(hosts - 1, 1).bit_length()}
        for what, bits in fields.items():
            assert self.most[what] < 1 << bits, f"{what} needs more than {bits} bits"
        assert self.most["destinations"] <= rule.destinations and self.most["number"] < max(rule.lines, 1)
        searched = sum(fields[what] for what in ("output", "hops", "number")) + rule.destinations * fields["host"]
        return rule.lines * searched, rule.lines * (3 + 32)  # stop, sentStop, propagated, and a timer


def isolating(seed: int) -> dict:
    """A scenario whose schemes isolate, with bins that do not divide the run."""
    scenario, rng = random_isolation(seed), random.Random(f"lines {seed}")
    width = max(span(scenario["measure"]["duration"]) // rng.randint(2, 9) + rng.randint(0, 5_000), 1)
    return scenario | {"measure": scenario["measure"] | {"probes": ["isolation"], "bin": f"{width} ps"}}


def check(scenario: dict, parts: int, monkeypatch) -> int:
    """The two agree; returns how many bins have queues in use."""
    width = span(scenario["measure"]["bin"])
    with monkeypatch.context() as patches:
        seen = Watched(Fabric(json.loads(json.dumps(scenario))), patches)
    found, cells = seen.bins(width), seen.cells()
    columns = "lines", "queues", "exhausted", "most_queues", "most_exhausted", "allocated"
    for tables in (engine_rows(scenario), engine_rows(scenario, parts=parts)):
        summary = {row["name"]: row["value"] for row in tables["summary"]}
        assert (summary["cam_cells"], summary["sram_cells"]) == cells
        for row in tables["isolation_series"]:
            at = round(row["time"] * 1e12 / width)
            told = [row[column] for column in columns]
            assert told == pytest.approx(found[at, row["place"]], rel=1e-6, abs=1e-9), (at, row["place"], parts)
    return sum(row["queues"] > 0 for row in tables["isolation_series"])


@in_chunks(SEEDS // 4)
def test_as_many_lines_and_queues_are_in_use_as_in_the_twin(seeds, monkeypatch):
    check_tables(isolating, seeds, lambda scenario, seed: check(scenario, PARTS[seed % len(PARTS)], monkeypatch))


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        with pytest.MonkeyPatch.context() as patch:
            check(isolating(number), PARTS[number % len(PARTS)], patch)
