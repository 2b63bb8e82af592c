"""The table `transport` has the states of the twin's senders: after each ACK and timeout, and when their phase changes.

By hand: `PYTHONPATH=. python tests/twin/test_twin_transport.py 0 500`.
"""

import json
import math
import sys
from collections import Counter, defaultdict

import pytest
from comparing import PARTS, SEEDS, check_tables, engine_rows, in_chunks
from random_carried import random_carried
from random_efl import random_efl
from random_go_back import random_go_back
from random_irn import random_irn
from random_nscc import random_nscc
from random_rccc import random_rccc
from random_reno import random_reno
from reaching import around
from reference import Fabric
from reference.transports.efl import EflSender
from reference.transports.go_back_n import GoBackSender
from reference.transports.irn import IrnSender
from reference.transports.new_reno import RenoSender
from reference.transports.ultra.sender import Sender

DRAWS = [random_go_back, random_irn, random_efl, random_reno, random_nscc, random_rccc, random_carried]
EFL_PHASES = {
    "idle": "idle",
    "bandwidth probe": "bandwidth-probing",
    "delay probe": "delay-probing",
    "avoidance": "congestion-avoidance",
}


class Watched:
    """The states of senders, while a fabric runs."""

    def __init__(self, fabric, monkeypatch):
        self.fabric = fabric
        self.rows = defaultdict(list)  # by flow: (time, event, phase, rate, window, round trip, the predicted one)
        self.measured = Counter()  # by sender: the last round trip
        self.predicted = {}  # by sender: the one that EFL expects
        self.last_size = Counter()  # by sender: bytes of the packet that was sent last
        for kind in (GoBackSender, IrnSender, RenoSender, EflSender, Sender):
            for act in ("refill", "start", "hear", "run_out"):
                around(monkeypatch, kind, act, getattr(self, f"on_{act}"))
        around(monkeypatch, EflSender, "predicted", self.on_predicted)
        fabric.run()

    def on_refill(self, inner, sender) -> None:
        """A group may begin or end."""
        was_open, before = sender.open, self.phase(sender)
        inner(sender)
        if self.phase(sender) != before:
            self.note(sender, "end" if was_open else "group")

    def on_start(self, inner, sender, packet) -> None:
        """A packet starts."""
        before = self.phase(sender)
        inner(sender, packet)
        self.last_size[sender] = packet.size
        if self.phase(sender) != before:
            self.note(sender, "sent")

    def on_hear(self, inner, sender, answer) -> None:
        """An answer has arrived."""
        now = self.fabric.now
        if isinstance(sender, Sender):
            counts = answer.kind == "ack" and not answer.header.to_request
            trip = sender.measured(answer.header, now) if counts else None
            inner(sender, answer)
        else:
            known, first, predicted = sender.known(), sender.first, self.predicted.pop(sender, 0)
            inner(sender, answer)
            news = sender.first > first or sender.known() > known
            trip = now - answer.caused if news else None
            self.predicted.setdefault(sender, predicted if trip is None else trip)
        if trip is not None:
            self.measured[sender] = trip
        self.note(sender, "ack")

    def on_predicted(self, inner, sender, round_trip: int) -> int:
        """EFL looks into the future."""
        self.predicted[sender] = inner(sender, round_trip)
        return self.predicted[sender]

    def on_run_out(self, inner, sender) -> None:
        """A timer may have expired."""
        now, dues = self.fabric.now, self.dues(sender)
        expires = any(due is not None and due <= now for due in dues)
        inner(sender)
        if expires:
            self.note(sender, "timer")

    def dues(self, sender) -> list[int | None]:
        """When its timers expire."""
        if isinstance(sender, RenoSender):
            return [sender.due_at]
        if isinstance(sender, Sender):
            oldest = min(sender.sent_at.values(), default=None)
            return [sender.ask_at, None if oldest is None else oldest + sender.rule.timeout]
        return [sender.patience_ends()]

    def note(self, sender, event: str) -> None:
        """A row of the table."""
        trip = self.measured[sender]
        predicted = self.predicted.get(sender, 0) if isinstance(sender, EflSender) else trip
        if isinstance(sender, Sender):
            predicted = sender.round_trip()
        gauges = self.phase(sender), *self.rate_and_window(sender), trip, predicted
        self.rows[sender.flow.number].append((self.fabric.now, event, *gauges))

    def phase(self, sender) -> str:
        """What it does."""
        if isinstance(sender, EflSender):
            return EFL_PHASES[sender.phase]
        if isinstance(sender, Sender):
            idle, repairs = sender.first == sender.end and not sender.open, bool(sender.lost)
        elif isinstance(sender, IrnSender):
            idle, repairs = sender.first == sender.end and not sender.open, sender.recovery is not None
        else:
            idle = sender.first == sender.top and sender.what_next() is None and not sender.open
            repairs = (
                sender.recovers if isinstance(sender, RenoSender) else sender.next < sender.top or sender.repair > 0
            )
        if idle:
            return "idle"
        if not repairs and isinstance(sender, RenoSender) and sender.rule.slow_start and sender.cwnd < sender.ssthresh:
            return "slow-start"
        return "recovery" if repairs else "congestion-avoidance"

    def rate_and_window(self, sender) -> tuple[float, float]:
        """In bit/s, and in packets; zero if it has none of its own."""
        if isinstance(sender, EflSender):
            return sender.rate * 8.0, 0.0
        if isinstance(sender, RenoSender):
            window = min(sender.cwnd, sender.rule.largest_window)
            return window * self.last_size[sender] / sender.srtt * 8.0 if sender.srtt else 0.0, window
        if isinstance(sender, Sender):
            return 0.0, sender.window.cwnd / sender.window.packet if sender.window else 0.0
        return 0.0, float((sender.window() if isinstance(sender, IrnSender) else sender.rule.window) or 0.0)


def with_states(seed: int) -> dict:
    """A scenario with a transport, and this table."""
    scenario = DRAWS[seed % len(DRAWS)](seed)
    return scenario | {"measure": scenario["measure"] | {"probes": ["transport"], "warm_up": "0 ns"}}


def check(scenario: dict, parts: int, monkeypatch) -> int:
    """The two agree; returns how many rows they have."""
    with monkeypatch.context() as patches:
        seen = Watched(Fabric(json.loads(json.dumps(scenario))), patches).rows
    for tables in (engine_rows(scenario), engine_rows(scenario, parts=parts)):
        said = defaultdict(list)
        for row in tables["transport"]:
            trips = (round(row[column] * 1e12) for column in ("round_trip", "predicted_round_trip"))
            gauges = row["event"], row["phase"], row["rate"], row["window"], *trips
            said[row["flow"]].append((round(row["time"] * 1e12), *gauges))
        for flow in sorted(said.keys() | seen.keys()):
            for one, other in zip(said[flow], seen[flow], strict=False):
                assert alike(one, other), f"flow {flow}: the engine has {one}, the twin {other}"
            assert len(said[flow]) == len(seen[flow]), f"flow {flow}"
    return sum(map(len, seen.values()))


def alike(one: tuple, other: tuple) -> bool:
    """The same, up to the rounding of rates and windows."""
    return all(
        math.isclose(a, b, rel_tol=1e-9) if isinstance(a, float) else a == b for a, b in zip(one, other, strict=True)
    )


@in_chunks(SEEDS // 4)
def test_senders_are_in_the_states_of_the_twin(seeds, monkeypatch):
    check_tables(with_states, seeds, lambda scenario, seed: check(scenario, PARTS[seed % 3], monkeypatch))


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        with pytest.MonkeyPatch.context() as patch:
            check(with_states(number), PARTS[number % 3], patch)
