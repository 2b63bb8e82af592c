"""Two runs on one page: what is the same in both stands side by side, and each sentence says whose it is."""

import pytest
from looking import MIDDLE

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


HITS = "() => [...document.querySelectorAll('.hits li')].map(hit => hit.innerText.split('\\n'))"


def test_flows_of_both_runs_are_found_by_name(unlike):
    """Those that only B has were said not to be there."""
    for name, what in (("h11->h5", "flow in B"), ("h10->h2", "flow"), ("h4->h0", "flow")):
        unlike.page.fill("input[type=search]", name)
        assert unlike.evaluate(HITS) == [[name, what]]
    unlike.page.fill("input[type=search]", "h11->h5")
    unlike.page.keyboard.press("Enter")
    unlike.settle()
    assert unlike.text(".card .kind") == "flow of the class another in B"
    assert unlike.errors == []


def test_flows_with_the_same_ends_are_told_apart_by_their_classes(open_page, seen, tmp_path):
    traffic = [{"name": name, "from": "h10", "to": "h2", "rate": "100 MB/s"} for name in ("one", "$& two")]
    runs = [congestree.run({**seen.scenario, "traffic": traffic[:n], "name": f"of {n}"}) for n in (1, 2)]
    page = open_page(view.write(tmp_path / "alike.html", *runs))
    page.page.fill("input[type=search]", "h10->h2")
    assert page.evaluate(HITS) == [["h10->h2", "flow of the class one"], ["h10->h2", "flow of the class $& two in B"]]


def test_a_run_shows_nothing_before_its_first_sample(open_page, seen, tmp_path):
    """The first sample of the other stood there, as if it were of that instant."""
    late = congestree.run(seen.scenario, values={"measure.sampling_interval": "150 us", "name": "late"})
    root = seen.trees["name"][0]
    page = open_page(view.write(tmp_path / "late.html", seen, late), f"#sample=14&by=use&port=1:{root}")
    assert page.numbers()["use"][1] == "–"
    assert page.text(".caption-1").endswith("late: first sample at 150 us")
    drawn = "() => window.congestree.scene.parts.map(part => [Math.max(...part.values), part.members().length])"
    (use, links), unsampled = page.evaluate(drawn)
    assert use > 0 and links > 0 and unsampled == [0, 0]
    page.page.keyboard.press("Escape")
    trees = seen.trees.filter((seen.trees["time"] - 140e-6).abs() < 1e-9).height
    assert page.text(".card h2").startswith(f"{trees} congestion tree")
    page.page.keyboard.press("ArrowRight")
    page.settle()
    assert page.text(".caption-1").endswith("late")
    assert page.evaluate(drawn)[1] > [0, 0]
    assert page.errors == []


def test_what_a_run_has_not_recorded_of_a_flow_has_no_value(unlike, seen, reordered):
    """It was told as 0 ns, and nothing was told of A if a flow of B was chosen."""
    lost = dict(zip(seen.tree_losses["flow"], seen.tree_losses["lost"], strict=True))
    for run, of in enumerate((seen, reordered)):
        flow = of.flows["name"].to_list().index("h4->h0")
        unlike.evaluate(FLOW, [run, flow])
        in_a = in_words(lost.get(seen.flows["name"].to_list().index("h4->h0"), 0.0), "s")
        assert unlike.numbers()["time lost behind others"] == [in_a, "–"]
    assert unlike.errors == []


def test_each_sentence_about_a_link_says_of_which_run_it_is(open_page, seen, tmp_path):
    again = congestree.run(seen.scenario, values={"name": "again"})
    root = seen.trees["name"][0]
    page = open_page(view.write(tmp_path / "again.html", seen, again), f"{MIDDLE}&port=0:{root}")
    said = page.evaluate("() => [...document.querySelectorAll('.card .said')].map(said => said.innerText)")
    assert sum(sentence.startswith("A: ") for sentence in said) == len(said) / 2 > 0
    assert [sentence.replace("A: ", "B: ") for sentence in said[: len(said) // 2]] == said[len(said) // 2 :]
    notes = "() => [...document.querySelectorAll('.list')].at(-1).innerText.split('\\n')"
    now = page.evaluate(notes)
    assert now[0].startswith("Trees now") and {note[:3] for note in now[2::2]} == {"A, ", "B, "}
    assert page.errors == []
