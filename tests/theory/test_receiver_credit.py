"""Ultra Ethernet's receiver credit (RCCC): a receiver grants a share of what its link brings, whatever goes back.

A receiver has turns of G bytes, the next after G bytes at 99 % of the rate of the link to it (uet-htsim,
`UecPullPacer`). So flows that always have something to send have 99 % of that link between them, once what they sent
without leave has drained from its queue, and share it evenly. (A turn has to be shorter than the largest window: nobody
keeps more.)
"""

import pytest
from fabrics import column, run, scenario

SENDERS = ["a0", "a1", "a2", "a3"]


@pytest.mark.parametrize("back", ["2 Gbit/s", "8 Gbit/s", "32 Gbit/s"])
def test_flows_have_what_is_granted_of_the_link_to_their_receiver(back):
    """8 Gbit/s to it, and more or less from it."""
    ways = [{"a": name, "b": "s"} for name in SENDERS] + [{"a": "s", "b": "b", "rate_back": back}]
    credit = {"congestion_control": "rccc", "rccc": {"grant": "1024 B"}}
    described = scenario(
        {"graph": {"hosts": [*SENDERS, "b"], "switches": ["s"], "links": ways}},
        [{"from": SENDERS, "to": "b"}],
        "12 ms",
        links={"lanes": 2, "lane_arbiter": {"strict": {"order": [1, 0]}}},
        switches={"buffer": "100 kB"},
        adapters={"ack": "20 B"},
        delay="500 ns",
        scheme={"transport": {"uet": credit | {"control_lane": 1, "timeout": "1 ms"}}},
        measure={"warm_up": "6 ms"},
    )
    rates = column(run(described), "flows", "rate") / 8e9
    assert rates.sum() == pytest.approx(0.99, abs=0.003)
    assert rates.tolist() == pytest.approx([0.99 / 4] * 4, rel=0.02)
