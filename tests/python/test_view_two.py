"""Two runs in one page: flows are found in both, and what stands side by side counts the same."""

import numpy as np

import congestree
from congestree import view
from congestree.view.packing import unpack


def test_flows_are_counted_among_their_like_whatever_is_listed(monkeypatch):
    """By this number, the page finds a flow among those of another run, of which it may list others."""
    run = congestree.run(
        {
            "topology": {"single-switch": {"hosts": 4}},
            "links": {"rate": "8 Gbit/s", "delay": "10 ns"},
            "traffic": [{"name": "a", "from": ["H2", "H3"], "to": "H1", "queue_pairs": 5}],
            "measure": {"duration": "100 us", "probes": ["ports", "flows"], "bin": "10 us"},
        }
    )
    monkeypatch.setattr("congestree.view.flows._chosen", lambda *_: np.array([9, 1, 6, 3]))
    header, arrays = unpack(view.gather([run])[0])
    listed = header["runs"][0]["flows"]
    assert run.flows["name"].to_list() == ["H2->H1"] * 5 + ["H3->H1"] * 5
    assert arrays[listed["rank"]].tolist() == [4, 1, 1, 3]
