"""What sources make is the load that was declared, whatever arrivals and sizes: counted on a link never full."""

import numpy as np
import pytest

import congestree

RATE, MTU, HEADER = 100e9, 1000, 48
LOAD = 0.4
ARRIVALS = {"poisson": {"poisson": {"load": LOAD}}, "steady": {"steady": {"load": LOAD}}}
SIZES = {
    "one packet": ({"message": f"{MTU} B"}, MTU),
    "many packets": ({"message": "50 kB"}, 50_000),
    "uneven": ({"message": "2500 B"}, 2_500),
}


def offered(arrivals, size, duration_us=4_000):
    """A source beside a sink that takes all: shares of the link that are made and delivered, and messages made."""
    run = congestree.run(
        {
            "topology": {"single-switch": {"hosts": 2}},
            "links": {"rate": "100 Gbit/s"},
            "adapters": {"mtu": f"{MTU} B", "header": f"{HEADER} B"},
            "traffic": [{"name": "all", "from": "H1", "to": "H2", "arrivals": arrivals, **size}],
            "measure": {"duration": f"{duration_us} us"},
        }
    )
    return float(run.flows["bytes"].sum()) * 8 / (duration_us * 1e-6) / RATE


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("arrivals", ARRIVALS)
def test_what_is_delivered_on_an_idle_path_is_the_load_that_was_declared(arrivals, size):
    """Header and payload count. Poisson arrivals of n messages differ from their mean by 1/sqrt(n): four of these."""
    more, payload = SIZES[size]
    wire = payload + HEADER * int(np.ceil(payload / MTU))
    messages = LOAD * RATE / 8 * 4e-3 / wire
    slack = 4 / np.sqrt(messages) if arrivals == "poisson" else 1.5 / messages
    assert offered(ARRIVALS[arrivals], more) == pytest.approx(LOAD, rel=slack + 0.001)
