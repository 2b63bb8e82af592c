"""Two runs on one page: what is the same in both stands side by side, and each sentence says whose it is."""

import pytest

import congestree
from congestree import view
from congestree.quantities import in_words

FLOW = """([run, id]) => window.congestree.model.set({ chosen: { kind: "flow", run, id } })"""


@pytest.fixture(scope="module")
def reordered(seen):
    """The same network with the crowd after another class, which has taken the place of the passer-by."""
    crowd = seen.scenario["traffic"][0]
    traffic = [{"name": "another", "from": "h11", "to": "h5"}, crowd]
    measure = {"duration": "1 ms", "probes": ["ports", "flows"], "bin": "10 us"}
    return congestree.run({**seen.scenario, "traffic": traffic, "measure": measure, "name": "reordered"})


@pytest.fixture
def unlike(open_page, seen, reordered, tmp_path):
    """The page of both."""
    return open_page(view.write(tmp_path / "unlike.html", seen, reordered))


def test_a_flow_is_compared_with_the_same_one_of_the_other_run(unlike, seen, reordered):
    """It was compared with the flow that had its place in the other scenario."""
    runs = seen.flows.to_dicts(), reordered.flows.to_dicts()
    named = [{flow["name"]: flow for flow in flows} for flows in runs]
    assert [flow["name"] for flow in runs[0]] != [flow["name"] for flow in runs[1]]
    for run, flows in enumerate(runs):
        for at, flow in enumerate(flows):
            unlike.evaluate(FLOW, [run, at])
            same = [of.get(flow["name"]) for of in named]
            assert unlike.text(".card .name") == flow["name"]
            numbers = unlike.numbers()
            assert numbers["mean rate"] == [in_words(of and of["rate"], "bit/s") for of in same]
            assert numbers["packets delivered"] == [str(of["packets"]) if of else "–" for of in same]
    assert [sum(name not in other for name in of) for of, other in (named, named[::-1])] == [1, 1]
    assert unlike.errors == []
