"""Two runs in one page: flows are found in both, and what stands side by side counts the same."""

import numpy as np
import pytest

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


@pytest.mark.parametrize("frames", [None, 37])
def test_of_two_runs_that_differ_in_length_alone_what_is_shown_at_an_instant_agrees(frames):
    """The longer one had longer frames, and other values at the same instant."""
    runs = [congestree.run(MARKED, values={"measure.duration": time}) for time in ("500 us", "1 ms")]
    (short, one), (long, other) = quantities_of(*runs, frames=frames)
    here, there = np.nonzero(np.isclose(short[:, None], long[None, :], rtol=1e-9, atol=0))
    assert len(here) > 15
    assert {"use", "held", "blocked", "marks"} <= set(one) == set(other)
    for key, values in one.items():
        assert np.allclose(values[:, here], other[key][:, there], rtol=1e-3, equal_nan=True), key


def test_runs_with_samples_at_other_instants_keep_as_many_of_them_as_alone():
    short = congestree.run(MARKED)
    long = congestree.run(MARKED, values={"measure.duration": "2 ms", "measure.sampling_interval": "1.5 us"})
    [(alone, _)] = quantities_of(short)
    (beside, _), (longer, _) = quantities_of(short, long)
    assert beside.tolist() == alone.tolist() and len(longer) < 1400
