"""Poisson sources offer the load that they declare, whatever the distribution of their sizes."""

import pytest

import congestree

RATE = 100e9


@pytest.mark.parametrize(
    ("pareto", "mtu", "header", "duration"),
    [
        # Cut at ten times the mean; in packets of which nearly all are full.
        ({"shape": 1.2, "mean": "100 kB", "most": "1 MB"}, 2048, 20, 40e-3),
        # With headers that count, and often a packet that is not full.
        ({"shape": 3, "mean": "300 B"}, 256, 64, 1e-3),
        ({"shape": 1.5, "mean": "2 kB", "most": "8 kB"}, 1000, 100, 2e-3),
    ],
)
def test_pareto_sizes_load_links_as_declared(pareto, mtu, header, duration):
    run = congestree.run(
        {
            "topology": {"single-switch": {"hosts": 4}},
            "links": {"rate": "100 Gbit/s", "delay": "10 ns"},
            "switches": {"buffer": "16 MiB"},
            "adapters": {"mtu": f"{mtu} B", "header": f"{header} B"},
            "traffic": [
                {
                    "from": "all",
                    "pattern": {"shift": {"by": 1}},
                    "arrivals": {"poisson": {"load": 0.3}},
                    "sizes": {"pareto": pareto},
                }
            ],
            "measure": {"duration": f"{duration * 1e6} us"},
        }
    )
    assert run.flows["bytes"].sum() * 8 / (4 * RATE * duration) == pytest.approx(0.3, rel=0.04)
