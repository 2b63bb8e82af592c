"""The engine against its readable twin where sources pace in bit/s while links change or packets take several paths.

As `test_twin`, on other scenarios. By hand: `PYTHONPATH=. python tests/twin/test_twin_rates.py 0 5000`.
"""

import pytest
from comparing import SEEDS, by_hand, check, check_seeds, engine_rows, in_chunks
from random_rates import random_rates
from reference import run
from reference.reactions.dcqcn import Dcqcn
from reference.reactions.telemetry import Hpcc


@in_chunks(SEEDS // 2)
def test_rates_over_links_that_change_are_those_of_the_twin(seeds):
    check_seeds(random_rates, seeds)


def test_the_random_scenarios_reach_what_they_are_about(monkeypatch):
    """Links whose rates no source uses, and paths that are all equal, would be compared in vain."""
    reached = set()
    look_again, hears = Dcqcn.look_again, Hpcc.hears

    def looks(self):
        if not self.allowed and self.flow.last_rate != self.line and self.rate < self.line:
            reached.add("DCQCN paces over a link that is slow")
        look_again(self)

    def hear(self, ack, now):
        if len(ack.records) == len(self.last) and [hop[4] for hop in ack.records] != [hop[4] for hop in self.last]:
            reached.add("an ACK tells of another way")
        if any(wire.rate != wire.own_rate for *_, wire in ack.records):
            reached.add("HPCC hears of a link that is slow")
        hears(self, ack, now)

    monkeypatch.setattr(Dcqcn, "look_again", looks)
    monkeypatch.setattr(Hpcc, "hears", hear)
    seeds = iter(range(SEEDS // 2))
    while len(reached) < 3 and (seed := next(seeds, None)) is not None:
        run(random_rates(seed))
    assert len(reached) == 3, reached


@pytest.mark.parametrize("reaction", ["hpcc", "power-tcp"])
def test_the_window_of_a_flow_that_begins_on_a_slow_link_is_that_for_the_whole_one(reaction):
    """A window for the round trip over the slow link would be several times as large."""
    delays = {}
    for flows in ("by-pair", "by-message"):
        scenario = {
            "topology": {"two-switch": {"local": 1, "remote": 1}},
            "links": {
                "rate": "100 Gbit/s",
                "delay": "100 ns",
                "faults": {"failures": [{"link": ["A", "B"], "at": "2 us", "keeps": 0.05}]},
            },
            "switches": {"buffer": "1 MiB"},
            "scheme": {"preset": reaction},
            "traffic": [
                {
                    "from": "A_V",
                    "to": "B_V",
                    "start": "10 us",
                    "message": "200 kB",
                    "arrivals": {"messages": {"count": 1}},
                    "flows": flows,
                }
            ],
            "measure": {"duration": "1 ms", "probes": ["deliveries", "ports"]},
        }
        check(scenario)
        rows = engine_rows(scenario)["deliveries"]
        delays[flows] = [row["time_ps"] - row["injected_ps"] for row in rows]
    assert delays["by-message"] == delays["by-pair"]


if __name__ == "__main__":
    by_hand(random_rates)
