"""Who reads a run is told of packets that were sent again although none was lost."""

import pytest

import congestree
from congestree.evaluation import needless

INCAST = """
topology.fat-tree = { radix = 8, layers = 2 }
links = { rate = "400 Gbit/s", delay = "1 us", flow_control.pfc = {} }
switches.buffer = "1 MB"
adapters.mtu = "4096 B"
scheme.preset = "uec-rccc"

[[traffic]]
name = "incast"
from = SENDERS
to = "h0"

[measure]
duration = "0.3 ms"
""".replace("SENDERS", str([f"h{host}" for host in range(1, 32)]))


def told(text, **values):
    return needless.sentences(congestree.run(text, values=values))


def test_a_timeout_shorter_than_the_queue_is_named(congestree_cli, tmp_path):
    path = tmp_path / "incast.toml"
    path.write_text(INCAST)
    said = congestree_cli("run", path, "--out", "done").stdout
    assert "packets were sent again, but none was lost: their ACKs came after the timeout." in " ".join(said.split())
    assert "Make scheme.transport.uet.timeout (100 us) longer" in congestree.report.html(tmp_path / "done")
    assert told(INCAST, **{"scheme.transport.uet.timeout": "1 ms"}) == []


def test_packets_that_overtake_each_other_are_named():
    way = {"scheme.preset": "irn", "scheme.route": "spray", "traffic.0.to": "h31", "traffic.0.from": ["h0", "h4"]}
    (said,) = told(INCAST, **way)
    assert "packets overtook each other, and irn takes the missing ones for lost." in said
    soon = {f"scheme.transport.irn.timeout_{which}": "5 us" for which in ("low", "high")}
    (both,) = told(INCAST, **way, **soon)
    assert "their ACKs came after the timeout." in both
    assert "Besides, packets overtook each other" in both


@pytest.mark.parametrize("scenario", ["uec-incast", "irn-incast"])
def test_packets_that_were_lost_had_to_be_sent_again(scenario):
    assert told(scenario) == []
