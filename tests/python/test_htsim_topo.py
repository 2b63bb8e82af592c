"""Fat trees of htsim: read as they are counted, built, and written again."""

import csv
from pathlib import Path

import pytest

import congestree
from congestree.formats import fabrics
from congestree.formats.fabrics import FabricError, htsim
from congestree.runs import running

DATA = Path(__file__).parents[1] / "data" / "htsim"


def expected():
    with open(DATA / "expected-topo.csv", newline="") as file:
        return {row.pop("file"): row for row in csv.DictReader(file)}


@pytest.mark.parametrize("file", expected())
def test_a_tree_has_the_values_that_were_counted(file):
    wanted = {key: int(value) for key, value in expected()[file].items() if value}
    assert htsim.read(DATA / file).row() == wanted


@pytest.mark.parametrize("file", expected())
def test_a_tree_is_built_with_as_many_hosts_and_written_with_the_same_values(file):
    tree = htsim.read(DATA / file)
    if tree.nodes > 1024:
        pytest.skip("large; tests/large builds such")
    scenario, _ = htsim.scenario_of(tree)
    found = congestree.check(scenario)
    assert found["facts"]["hosts"] == tree.nodes
    text = htsim.text(found["scenario"])
    assert text.startswith(f"Nodes {tree.nodes}\nTiers {len(tree.tiers)}\nPodsize {tree.podsize}\n")
    for tier in tree.tiers:
        for name in ("downlink_speed_gbps", "radix_down", "downlink_latency_ns"):
            assert f"{name} {tier[name]}" in text.lower()


def test_two_links_side_by_side_at_the_top_are_a_bundle(tmp_path):
    scenario, _ = htsim.scenario_of(htsim.read(DATA / "topo/test.topo"))
    assert scenario["topology"]["clos"]["bundle"] == [1, 2]
    network = running.network(scenario)
    top = [link for link in network["links"] if link["b"].startswith("spine")]
    assert len(top) == 16 and {link["rate"] for link in top} == {100 * 10**9}
    assert sum(link["a"] == "s1_0" and link["b"] == "spine0" for link in top) == 2
    (tmp_path / "again.topo").write_text(htsim.text(congestree.check(scenario)["scenario"]))
    again = htsim.read(tmp_path / "again.topo")
    assert htsim.scenario_of(again) == htsim.scenario_of(htsim.read(DATA / "topo/test.topo"))


def test_the_latency_of_switches_is_no_part_of_a_topology_file(tmp_path):
    path = tmp_path / "slow.topo"
    path.write_text((DATA / "topo/test.topo").read_text().replace("Tier 0", "Tier 0\nSwitch_Latency_ns 300"))
    scenario, _ = htsim.scenario_of(htsim.read(path))
    written, (note,) = fabrics.topology_of(scenario)
    assert set(written) == {"topology"} and "the 300 ns that a switch takes" in note


def test_the_command_reads_and_writes_them(congestree_cli, tmp_path):
    study, tree = tmp_path / "study.toml", tmp_path / "tree.topo"
    said = congestree_cli("import", str(DATA / "topo/fat_tree_128_8os.topo"), "-o", str(study)).stdout
    assert "128" in said
    congestree_cli("export", str(study), "--format", "htsim", "-o", str(tree))
    assert htsim.read(tree).row()["t0_radix_up"] == 1
    assert fabrics.htsim.is_htsim(tree) and not htsim.is_htsim(DATA / "cm/foo2.cm")


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        (("Nodes 8", "Nodes 9"), "these radices make 8 hosts in pods of 4, and 9 in pods of 4 are announced"),
        (("Tiers 3", "Tiers 2"), "2 tiers are announced, and 3 described"),
        (("Bundle 2", "Bundle 3"), "bundles of 3 do not divide the radix_down of tier 2, 4"),
        (("Radix_Up 2", "Radix_Up x"), "Radix_Up is x"),
        (("Podsize 4", "Podsize 4 5"), "'Podsize 4 5' says nothing that is known"),
        (("Tier 1", "Tier 2"), "tier 2 comes after 1 tiers"),
        (("Radix_Down 2", "Radix_Down 0"), "tier 0 has no radix_down"),
    ],
)
def test_what_does_not_go_together_is_said(tmp_path, change, fact):
    broken = tmp_path / "broken.topo"
    broken.write_text((DATA / "topo/test.topo").read_text().replace(*change, 1))
    with pytest.raises(FabricError, match=fact):
        htsim.read(broken)
