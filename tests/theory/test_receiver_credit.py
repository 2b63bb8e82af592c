"""Ultra Ethernet's receiver credit (RCCC): a receiver grants a share of its link's rate, whatever it sends itself.

A receiver has turns of G bytes, the next after G bytes at 99 % of the rate of the link to it (uet-htsim,
`UecPullPacer`). So flows that always have something to send have 99 % of that link together, once the packets that they
sent without credit have drained from its queue, and share it evenly. (A turn has to be shorter than the largest window,
which limits the credit of a sender.)
"""

import numpy as np
import pytest
from fabrics import column, run, scenario

SENDERS = ["a0", "a1", "a2", "a3"]


def receiver(duration: str, *, rate_back="8 Gbit/s", links=None, **measure):
    """Four flows to one host, over 8 Gbit/s to it; a turn is of 1024 B."""
    ways = [{"a": name, "b": "s"} for name in SENDERS] + [{"a": "s", "b": "b", "rate_back": rate_back}]
    credit = {"congestion_control": "rccc", "rccc": {"grant": "1024 B"}, "control_lane": 1, "timeout": "1 ms"}
    described = scenario(
        {"graph": {"hosts": [*SENDERS, "b"], "switches": ["s"], "links": ways}},
        [{"from": SENDERS, "to": "b"}],
        duration,
        links={"lanes": 2, "lane_arbiter": {"strict": {"order": [1, 0]}}} | (links or {}),
        switches={"buffer": "100 kB"},
        adapters={"ack": "20 B"},
        delay="500 ns",
        scheme={"transport": {"uet": credit}},
        measure=measure,
    )
    return run(described)


@pytest.mark.parametrize("back", ["2 Gbit/s", "8 Gbit/s", "32 Gbit/s"])
def test_flows_have_what_is_granted_of_the_link_to_their_receiver(back):
    """8 Gbit/s to it, and more or less from it."""
    rates = column(receiver("12 ms", rate_back=back, warm_up="6 ms"), "flows", "rate") / 8e9
    assert rates.sum() == pytest.approx(0.99, abs=0.003)
    assert rates.tolist() == pytest.approx([0.99 / 4] * 4, rel=0.02)


def test_a_receiver_grants_what_its_link_brings_while_that_is_slow():
    """8 Gbit/s to it, and a fourth of that from 6 to 24 ms; what had been granted drains first."""
    failure = {"link": ["s", "b"], "at": "6 ms", "until": "24 ms", "rate": "2 Gbit/s"}
    result = receiver("36 ms", links={"faults": {"failures": [failure]}}, probes=["deliveries"])
    times = column(result, "deliveries", "time_ps") / 1e9
    for begin, end, rate in ((3, 6, 8), (16, 24, 2), (27, 36, 8)):
        packets = np.count_nonzero((times >= begin) & (times < end))
        assert packets * 8000 / (end - begin) / 1e-3 == pytest.approx(0.99 * rate * 1e9, rel=0.004), begin
