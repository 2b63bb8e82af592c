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


MARKED = {
    "topology": {"single-switch": {"hosts": 4}},
    "links": {"rate": "8 Gbit/s", "delay": "10 ns"},
    "scheme": {"preset": "ib-cc"},
    "traffic": [{"name": "crowd", "from": ["H2", "H3", "H4"], "to": "H1"}],
    "measure": {
        "duration": "500 us",
        "probes": ["trees", "ports", "flows", "events"],
        "sampling_interval": "1 us",
        "bin": "1 us",
    },
}


def quantities_of(*runs, frames=None):
    """Of each run, the instants and {id: values} of what the page of these runs shows of links."""
    header, arrays = unpack(view.gather(list(runs), frames)[0])
    found = [({q["id"]: arrays[q["array"]] for q in run["quantities"]}, run) for run in header["runs"]]
    return [(arrays[run["times"]], values) for values, run in found]


def test_marks_are_a_rate_however_long_frames_are():
    """They were a count, larger where a frame spans more time."""
    run = congestree.run(MARKED)
    for frames in (None, 37):
        [(times, found)] = quantities_of(run, frames=frames)
        spans = np.diff(times, prepend=0.0) * 1e6
        total = (found["marks"] * spans).sum(axis=1)
        expected = np.bincount(run.marks["output_port"], minlength=run.ports.height)
        assert expected.max() > 50 and np.allclose(total, expected, rtol=1e-3)
