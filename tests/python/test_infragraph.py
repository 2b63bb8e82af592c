"""InfraGraph descriptions: expanded as their own package expands them, made scenarios, and written again."""

import json
from pathlib import Path

import pytest

import congestree
from congestree.formats.fabrics import FabricError, infragraph, infragraph_writer

DATA = Path(__file__).parents[1] / "data" / "infragraph"
EXPECTED = json.loads((DATA / "expected.json").read_text())


@pytest.mark.parametrize("file", EXPECTED)
def test_a_description_is_expanded_to_as_many_components_and_edges(file):
    assert infragraph.is_infragraph(DATA / file)
    assert infragraph.read(DATA / file).summary() == EXPECTED[file]


def test_a_dragonfly_of_servers_has_a_host_for_every_adapter(congestree_cli, tmp_path):
    study = tmp_path / "study.toml"
    said = congestree_cli("import", str(DATA / "dragonfly-a4-p2-h2-servers.yaml"), "-o", str(study)).stderr
    assert "no delays" in said
    found = congestree.check(study, values={"allow_credit_loops": True})
    assert {key: found["facts"][key] for key in ("hosts", "switches", "links")} == {
        "hosts": 72,
        "switches": 36,
        "links": 162,
    }
    assert found["scenario"]["topology"]["graph"]["groups"]["server3"] == ["server3_nic0", "server3_nic1"]


def test_a_cycle_of_routes_is_told_when_it_is_imported(congestree_cli, tmp_path):
    """The scenario would be refused later, and the file has nothing on routes that could be at fault."""
    said = congestree_cli("import", str(DATA / "dragonfly-a4-p2-h2-servers.yaml"))
    assert "router0->router1" in said.stdout and "credit loop, so the scenario will be refused" in said.stderr
    said = congestree_cli("import", str(DATA / "clos-2tier-4-servers.yaml"), "--json")
    assert json.loads(said.stdout)["credit_loop"] is None and "loop" not in said.stderr


def test_rates_are_read_and_a_network_is_written_and_read_again(congestree_cli, tmp_path):
    scenario, notes = infragraph.scenario_of(infragraph.read(DATA / "clos-2tier-4-servers.yaml"))
    network = congestree.network(scenario)
    assert sorted({link["rate"] for link in network["links"]}) == [100 * 10**9, 400 * 10**9]
    assert any("144 edges inside devices" in note for note in notes)
    again = tmp_path / "again.json"
    again.write_text(infragraph_writer.text(network))
    found = infragraph.read(again).summary()
    assert (found["links_between_instances"], found["components"]["nic"], found["connected"]) == (20, 8, True)
    once_more, _ = infragraph.scenario_of(infragraph.read(again))
    assert congestree.check(once_more)["facts"]["hosts"] == 8
    written = congestree_cli("export", "fat-tree-648-uniform", "--format", "infragraph", "-o", "out.json")
    assert written.returncode == 0 and infragraph.read(tmp_path / "out.json").summary()["components"]["nic"] == 648


def test_latencies_are_read_and_written(tmp_path):
    """Links of a dragonfly between groups are long; others give the latency in another unit, or not at all."""
    described = {
        "topology": {"dragonfly": {"p": 1, "a": 2, "h": 1, "global_delay": "1.5 us"}},
        "links": {"rate": "100 Gbit/s", "delay": "50 ns"},
        "traffic": [{"from": "all", "pattern": "uniform"}],
        "measure": {"duration": "1 us"},
        "allow_credit_loops": True,
    }

    def delays(scenario):
        network = congestree.network({**scenario, "allow_credit_loops": True})
        return sorted(link[f"delay{way}"] for link in network["links"] for way in ("", "_back"))

    written = tmp_path / "written.json"
    written.write_text(infragraph_writer.text(congestree.network(described)))
    again, notes = infragraph.scenario_of(infragraph.read(written))
    assert delays(again) == delays(described) and notes and not any("delay" in note for note in notes)

    tree = json.loads(written.read_text())
    tree["links"][0]["physical"]["latency"] = {"choice": "us", "us": 2}
    del tree["links"][1]["physical"]["latency"]
    written.write_text(json.dumps(tree))
    again, notes = infragraph.scenario_of(infragraph.read(written), delay="7 ns")
    assert set(delays(again)) == {2_000_000, 7000} and any("have no delay: 7 ns" in note for note in notes)
    tree["links"][0]["physical"]["latency"] = {"choice": "ns", "ns": -1}
    written.write_text(json.dumps(tree))
    with pytest.raises(FabricError, match="the latency of link link0"):
        infragraph.scenario_of(infragraph.read(written))


ALL = {"instance": "host", "component": "port"}
GOOD = (DATA / "clos-2tier-4-servers.yaml").read_text()


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("device: server", "device: toaster", "instance host is a device toaster, which is not described"),
        ("link: leaf-link", "link: leaf-lnk", "an edge is of the link leaf-lnk, which is not described"),
        ("instance: host[3]", "instance: host[9]", "host[9] counts from 0 to 3"),
        ("instance: host[3]", "instance: guest[3]", "there is no instance guest[3]"),
        ("scheme: one2one", "scheme: one2none", "an edge has the scheme 'one2none'"),
        (
            "gigabits_per_second: 400",
            "gigabits_per_second: -4",
            "the bandwidth of link spine-link cannot be",
        ),
        ("count: 4", "count: many", "the count of host is 'many'"),
        ("name: closfabric", "name: [", "this is no YAML"),
        ("gigabits_per_second: 400", "gigabits_per_second: .inf", "the bandwidth of link spine-link cannot be"),
        ("physical:", "physical: here\n  was:", "physical is no entry"),
    ],
)
def test_descriptions_that_make_no_sense_are_refused_in_a_sentence(before, after, said, tmp_path):
    assert before in GOOD
    path = tmp_path / "bad.yaml"
    path.write_text(GOOD.replace(before, after))
    with pytest.raises(FabricError) as error:
        infragraph.scenario_of(infragraph.read(path))
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("edges", "said"),
    [
        (["ep1"], "edges is not a list of entries"),
        ([{"ep1": "host", "ep2": "host", "scheme": "one2one"}], "ep1 is no entry"),
        ([{"ep1": ALL, "ep2": ALL, "scheme": "many2many"}], "there are more than 1,000,000 edges"),
    ],
)
def test_edges_that_are_none_or_too_many_are_refused_in_a_sentence(edges, said, tmp_path):
    tree = {
        "devices": [{"name": "d", "components": [{"name": "port", "choice": "port"}]}],
        "instances": [{"name": "host", "device": "d", "count": 2000}],
        "edges": edges,
    }
    (tmp_path / "bad.json").write_text(json.dumps(tree))
    with pytest.raises(FabricError) as error:
        infragraph.read(tmp_path / "bad.json")
    assert said in str(error.value)


def test_components_that_edges_leave_out_and_ports_that_they_share_are_told(tmp_path):
    """Two servers of two adapters each, at a switch of four ports."""

    def notes(*ports):
        ends = [{"instance": f"server[{number}]", "component": "nic"} for number in range(2)]
        tree = {
            "devices": [
                {"name": "server", "components": [{"name": "nic", "count": 2, "choice": "nic"}]},
                {"name": "leaf", "components": [{"name": "port", "count": 4, "choice": "port"}]},
            ],
            "instances": [{"name": "server", "device": "server", "count": 2}, {"name": "leaf", "device": "leaf"}],
            "edges": [
                {"scheme": "one2one", "ep1": end, "ep2": {"instance": "leaf", "component": port}}
                for end, port in zip(ends, ports, strict=True)
            ],
        }
        (tmp_path / "infra.json").write_text(json.dumps(tree))
        _, notes = infragraph.scenario_of(infragraph.read(tmp_path / "infra.json"))
        return [note for note in notes if "port" in note or "one2one" in note]

    assert notes("port[0:2]", "port[2:4]") == []
    assert notes("port", "port[2:4]") == []
    assert notes("port[0:2]", "port[1:3]") == [
        "1 ports have several links, as leaf[0].port[1]: each is a link of its own here"
    ]
    assert notes("port[0]", "port[2:4]") == [
        "one2one joins 2 and 1 components: 1 are left out, from server[0].nic[1] on"
    ]


def test_a_link_that_differs_by_direction_is_not_written():
    """The format has one rate and one latency for both."""
    links = [{"a": "a", "b": "s", "rate": "100 Gbit/s", "delay": "100 ns"}, {"a": "b", "b": "s"}]
    scenario = {
        "topology": {"graph": {"hosts": ["a", "b"], "switches": ["s"], "links": links}},
        "links": {"rate": "100 Gbit/s", "delay": "100 ns"},
        "traffic": [{"from": "all", "pattern": "uniform"}],
        "measure": {"duration": "1 us"},
    }
    assert infragraph_writer.text(congestree.network(scenario))
    for key, value in (("rate_back", "40 Gbit/s"), ("delay_back", "700 ns")):
        links[0][key] = value
        with pytest.raises(FabricError, match="the link from a to s differs by direction"):
            infragraph_writer.text(congestree.network(scenario))
        del links[0][key]


def test_numbers_do_not_run_into_names_that_end_in_digits(tmp_path):
    """The eleventh dgx and the first of dgx1 are two hosts."""
    server = {"components": [{"name": "nic", "count": 1, "choice": "nic"}]}
    leaf = {"name": "leaf", "components": [{"name": "port", "count": 14, "choice": "port"}]}
    tree = {
        "name": "two kinds",
        "devices": [{"name": "old", **server}, {"name": "new", **server}, leaf],
        "links": [{"name": "wire"}],
        "instances": [
            {"name": "dgx", "device": "old", "count": 12},
            {"name": "dgx1", "device": "new", "count": 2},
            {"name": "leaf", "device": "leaf", "count": 1},
        ],
        "edges": [
            {
                "scheme": "one2one",
                "link": "wire",
                "ep1": {"instance": name, "component": "nic"},
                "ep2": {"instance": "leaf", "component": ports},
            }
            for name, ports in (("dgx", "port[0:12]"), ("dgx1", "port[12:14]"))
        ],
    }
    path = tmp_path / "infra.json"
    path.write_text(json.dumps(tree))
    graph = infragraph.scenario_of(infragraph.read(path))[0]["topology"]["graph"]
    assert len(graph["links"]) == 14
    assert graph["hosts"][-3:] == ["dgx11_nic0", "dgx1_0_nic0", "dgx1_1_nic0"]
