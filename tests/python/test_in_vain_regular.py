"""What a scenario says to no effect, where a name or a formula stands for many hosts or links."""

import congestree
from congestree.evaluation import in_vain
from congestree.runs import running

STAGGERED = {
    "topology": {"two-switch": {"local": 12, "remote": 2}},
    "links": {"rate": "8 Gbit/s"},
    "traffic": [{"from": "local", "to": "B_C", "stagger": "20 us"}],
    "measure": {"duration": "100 us"},
}


def late(senders, **values):
    """Traffic of these senders that may start after the end of the run."""
    answer = congestree.check(STAGGERED, values={"traffic.0.from": senders, **values})
    groups = running.network(STAGGERED, routes=False)["groups"]
    return in_vain.after_the_end(answer["scenario"], answer["facts"]["hosts"], lambda: groups)


def test_a_group_of_hosts_counts_as_its_hosts():
    """It counted as one host, which starts at once; the last of twelve would start at 220 us."""
    alike = [late(senders) for senders in ("local", ["local"], [f"B_{number + 1}" for number in range(12)])]
    assert alike[0] == alike[1] == alike[2] and "may lack some of its sources: stagger = 20 us" in alike[0][0]
    # The last of both groups starts at 13 x 20 us, and that of five hosts at 80 us.
    assert not late(["local", "remote"], **{"measure.duration": "261 us"})
    assert late(["local", "remote"], **{"measure.duration": "260 us"})
    assert not late([f"B_{number + 1}" for number in range(5)])
    assert not late("B_1")


def test_check_counts_them_so(congestree_cli, tmp_path):
    (tmp_path / "staggered.json").write_text(congestree.document.to_json(STAGGERED))
    assert "may lack some of its sources" in congestree_cli("check", "staggered.json").stderr
    assert congestree_cli("check", "staggered.json", "--set", "measure.duration=221 us").stderr == ""
