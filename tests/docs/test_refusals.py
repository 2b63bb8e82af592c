"""Wrong parameters of the schemes of today's fabrics are refused with place and remedy: the number of cases.

That each is refused as its `.txt` says is tested in `crates/scenario/tests/reading/malformed.rs`; here they are
counted.
"""

from pathlib import Path

MALFORMED = Path(__file__).parents[2] / "crates/scenario/tests/malformed"
TODAYS_FABRICS = (
    "scheme.transport.uet",
    "scheme.transport.irn",
    "scheme.react.hpcc",
    "scheme.react.power-tcp",
    "scheme.react.swift",
    "scheme.react.pcn",
    "scheme.mark.tcd",
    "scheme.mark.np-ecn",
    "scheme.isolate.bfc",
    "switches.trim",
    "links.retry",
    "links.errors",
    "links.flow_control.byte-credits",
    "adapters.ack",
    "adapters.drain_rate",
    "adapters.receive_buffer",
    "adapters.message_cost",
    "adapters.queue_depth",
)
"""Where the parameters of Ultra Ethernet, telemetry, detection, isolation by flow, IRN, and host models are."""


def test_at_least_sixty_are_refused_with_place_and_remedy():
    refused = set()
    for said in MALFORMED.glob("*.txt"):
        for complaint in said.read_text(encoding="utf-8").strip().split("\n\n"):
            place, *lines = complaint.splitlines()
            key = place.split()[-1]
            if key.startswith(TODAYS_FABRICS):
                fact, remedy = lines
                assert remedy.startswith("  ") and len(remedy) > 8, complaint
                refused.add((key, fact))
    assert len(refused) >= 60
    for room in TODAYS_FABRICS:
        assert any(key.startswith(room) for key, _ in refused), room
