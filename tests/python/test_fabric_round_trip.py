"""An exported fabric is imported as the same fabric: the same nodes, links, rates, delays and routes."""

import json

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from congestree import _engine
from congestree.formats import fabrics

RATES = ["8 Gbit/s", "200 Gbit/s", "54.545454545 Gbit/s", "20 Gbit/s", "13.5 Gbit/s"]
DELAYS = ["0 ns", "5 ns", "1.001 us"]
TOPOLOGIES = st.one_of(
    st.builds(
        lambda local, remote: {"two-switch": {"local": local, "remote": remote}}, st.integers(1, 6), st.integers(1, 6)
    ),
    st.builds(lambda hosts: {"single-switch": {"hosts": hosts}}, st.integers(3, 40)),
    st.builds(lambda rate: {"test-bed": {"trunk_rate": rate}}, st.sampled_from(RATES)),
    st.builds(lambda k, n: {"k-ary-n-tree": {"k": k, "n": n}}, st.integers(2, 4), st.integers(1, 3)),
    st.builds(lambda half: {"fat-tree": {"radix": 2 * half}}, st.integers(2, 6)),
    st.builds(lambda s, h: {"chain": {"switches": s, "hosts_per_switch": h}}, st.integers(2, 5), st.integers(1, 4)),
    st.deferred(lambda: GRAPHS),
)


@st.composite
def graphs(draw):
    """Any connected graph, with parallel links, printed port numbers, and rates and delays of each direction."""
    switches = [f"sw {i}" for i in range(draw(st.integers(1, 5)))]
    hosts = [f"node{i} mlx5_0" for i in range(draw(st.integers(3, 9)))]
    # Three hosts on the first switch, so that .topo files show it to be one.
    pairs = [(h, switches[0] if i < 3 else draw(st.sampled_from(switches))) for i, h in enumerate(hosts)]
    pairs += [(switches[draw(st.integers(0, i - 1))], switches[i]) for i in range(1, len(switches))]
    if len(switches) > 1:
        some = st.lists(st.sampled_from(switches), min_size=2, max_size=2, unique=True)
        pairs += [tuple(pair) for pair in draw(st.lists(some, max_size=4))]
    pairs = draw(st.permutations(pairs))
    free = {name: list(draw(st.permutations(range(1, 41)))) for name in switches}
    links = []
    for a, b in pairs:
        link = {"a": a, "b": b}
        for key, values in (("rate", RATES), ("rate_back", RATES), ("delay", DELAYS), ("delay_back", DELAYS)):
            if draw(st.booleans()):
                link[key] = draw(st.sampled_from(values))
        for end in "ab":
            if link[end] in free:
                link[f"port_{end}"] = free[link[end]].pop()
        links.append(link)
    return {"graph": {"hosts": hosts, "switches": switches, "links": links}}


GRAPHS = graphs()


def network(topology, rate, delay):
    """The network of a scenario with this topology."""
    kind, inside = next(iter(topology.items()))
    hosts = inside["hosts"][:2] if kind == "graph" else {"two-switch": ["B_1", "A_1"], "chain": ["S1_1", "S2_1"],
        "single-switch": ["H1", "H2"], "test-bed": ["H1", "H2"]}.get(kind, ["h0", "h1"])  # fmt: skip
    scenario = {
        "topology": topology,
        "allow_credit_loops": True,
        "links": {"rate": rate, "delay": delay},
        "traffic": [{"from": hosts[0], "to": hosts[1]}],
        "measure": {"duration": "1 us"},
    }
    return json.loads(_engine.network(json.dumps(scenario), "json"))


def imported(folder, net, form):
    """The network after an export to files and an import of them."""
    fabric = fabrics.fabric_of(net)
    (folder / "fabric").write_text(fabrics.write(fabric, form), encoding="utf-8")
    (folder / "tables").write_text(fabrics.write(fabric, "lfts"), encoding="utf-8")
    again = fabrics.read(folder / "fabric", routes=folder / "tables")
    text = "allow_credit_loops = true\n" + fabrics.scenario_text(again, rate=1000)
    return json.loads(_engine.network(text, "toml"))


def comparable(net, blanks=" "):
    """What must be the same: by names, since the order of nodes may change where a format has none."""

    def name(text):
        return text.replace(" ", blanks)

    def end(link, one, direction):
        return name(link[one]), link[f"port_{one}"], link[f"rate{direction}"], link[f"delay{direction}"]

    at = {host: position for position, host in enumerate(net["hosts"])}
    order = sorted(net["hosts"], key=name)
    return {
        "hosts": [name(host) for host in net["hosts"]],
        "switches": sorted(map(name, net["switches"])),
        "links": sorted(sorted([end(link, "a", ""), end(link, "b", "_back")]) for link in net["links"]),
        "routes": {name(switch): [ports[at[host]] for host in order] for switch, ports in net["routes"].items()},
    }


@pytest.mark.parametrize("form", ["ibnetdiscover", "topo"])
@settings(max_examples=60, deadline=None)
@given(topology=TOPOLOGIES, rate=st.sampled_from(RATES), delay=st.sampled_from(DELAYS))
def test_what_is_exported_is_imported_again(tmp_path_factory, form, topology, rate, delay):
    net = network(topology, rate, delay)
    blanks = "_" if form == "topo" else " "
    assert comparable(imported(tmp_path_factory.mktemp(form), net, form)) == comparable(net, blanks)


def test_an_imported_fabric_runs_packet_by_packet_as_the_one_that_was_exported(tmp_path):
    import congestree

    topology = {"topology": {"k-ary-n-tree": {"k": 3, "n": 2}}}
    rest = {
        "links": {"rate": "40 Gbit/s", "delay": "10 ns"},
        "traffic": [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.7}}}],
        "measure": {"duration": "50 us"},
    }
    net = json.loads(_engine.network(json.dumps(topology | rest), "json"))
    fabric = fabrics.fabric_of(net)
    for form in ("ibnetdiscover", "lfts"):
        (tmp_path / form).write_text(fabrics.write(fabric, form), encoding="utf-8")
    again = fabrics.read(tmp_path / "ibnetdiscover", routes=tmp_path / "lfts")
    fabric_file = tmp_path / "fabric.toml"
    fabric_file.write_text(fabrics.scenario_text(again, rate=1000, whole=False), encoding="utf-8")
    one = congestree.run(topology | rest)
    other = congestree.run({"topology": {"file": str(fabric_file)}} | rest)
    assert one.manifest["fingerprint"]["results"] == other.manifest["fingerprint"]["results"]
    assert one.manifest["packet_hops"] == other.manifest["packet_hops"] > 1000
