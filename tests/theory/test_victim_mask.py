"""An output that waits for credits does not enter the congestion state unless its Victim_Mask allows it."""

import pytest

import congestree

PLAIN = {"single-switch": {"hosts": 2}}
PRINTED = {
    "graph": {
        "hosts": ["H1", "H2"],
        "switches": ["S"],
        "links": [{"a": "H1", "b": "S", "port_b": 3}, {"a": "H2", "b": "S", "port_b": 37}],
    }
}
SLOW = {
    "links": {"rate": "16 Gbit/s", "flow_control": {"byte-credits": {"credit_delay": "20 ns"}}},
    "switches": {"buffer": "32 KiB"},
    "adapters": {"header": "26 B", "drain_rate": "8 Gbit/s", "receive_buffer": "32 KiB"},
    "traffic": [{"from": "H1", "to": "H2"}],
    "measure": {"duration": "2 ms"},
}


def marks(mask, topology=PLAIN):
    fecn = {"enter": "8 KiB", "gap": "4 KiB", "victim_mask": mask, "marking_rate": 0}
    scheme = {"mark": {"fecn": fecn}, "notify": "cnp", "react": "none"}
    run = congestree.run(SLOW | {"topology": topology, "scheme": scheme})
    assert run.ports["blocked"].max() > 5e-4, "the host is slow enough to hold the switch up"
    return run.ports["marked"].sum()


def test_a_victim_never_marks():
    """A returned credit is used at once by the packet that starts with it: there is never one to spare."""
    assert marks("none") == 0


@pytest.mark.parametrize("mask", ["hosts", "all", {"ports": [2]}])
def test_a_masked_victim_marks(mask):
    assert marks(mask) > 100


def test_the_mask_is_by_port():
    assert marks({"ports": [1]}) == 0


def test_the_mask_has_the_numbers_that_are_printed_on_the_ports():
    """As in the registers of a switch some of whose ports have no cable."""
    assert marks({"ports": [37]}, PRINTED) == marks("hosts", PRINTED) > 100
    assert marks({"ports": [2]}, PRINTED) == 0
