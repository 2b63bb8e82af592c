"""Fat trees of htsim: read as they are counted, built, and written again."""

import csv
import itertools
import random
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


def htsim_reads(text):
    """Whether htsim reads a file of two or three tiers: its sums, with its integers."""
    head, tiers = {}, []
    for name, value in (line.lower().split()[:2] for line in text.splitlines() if line and line[0] != "#"):
        if name == "tier":
            tiers.append({"radix_up": 0, "downlink_latency_ns": 0, "oversubscribed": 1, "bundle": 1})
        else:
            (tiers[-1] if tiers else head)[name] = int(value)
    down, up, speed, over, bundle, latency = (
        [tier[key] for tier in tiers]
        for key in ("radix_down", "radix_up", "downlink_speed_gbps", "oversubscribed", "bundle", "downlink_latency_ns")
    )
    pods = head["nodes"] // head["podsize"]
    # Numbers of links up, and of switches above: from tier 0, divided by speeds and oversubscription.
    divisions = [(head["nodes"] * speed[0], speed[1] * over[0])]
    links = divisions[0][0] // divisions[0][1]
    divisions.append((links, pods * down[1]))
    middle = links // (pods * down[1])
    same = [down[0] // up[0] == over[0], middle * bundle[1] == up[0], bundle[0] == 1, *latency]
    if len(tiers) == 3 and all(same):
        divisions.append((links * speed[1], speed[2] * over[1]))
        links = links * speed[1] // (speed[2] * over[1])
        top = links // down[2]
        divisions += [(links, down[2]), (top, middle)]
        same.append(top * bundle[2] // middle == up[1])
    return all(same) and not any(one % other for one, other in divisions)


def clos(down, up, **more):
    """A checked scenario of such a clos; a value of `links` among the rest."""
    links = {"rate": "100 Gbit/s", "delay": more.pop("delay", "1 us")}
    traffic = [{"from": "all", "pattern": "uniform"}]
    scenario = {"topology": {"clos": {"down": down, "up": up, **more}}, "links": links, "traffic": traffic}
    return congestree.check({**scenario, "measure": {"duration": "1 us"}})["scenario"]


@pytest.mark.parametrize("file", expected())
def test_htsim_reads_its_own_files_again(file):
    assert htsim_reads((DATA / file).read_text())
    tree = htsim.read(DATA / file)
    assert not [note for note in tree.notes if "htsim" in note]
    if tree.nodes <= 1024:
        assert htsim_reads(htsim.text(congestree.check(htsim.scenario_of(tree)[0])["scenario"]))


@pytest.mark.parametrize(
    ("down", "up", "more", "told"),
    [
        ([8, 4], [2], {}, [4]),
        ([4, 2], [2], {"bundle": [2]}, []),
        ([8, 4, 4], [2, 1], {}, [4, 4]),
        ([4, 4, 2], [4, 2], {"rates": ["100 Gbit/s", "100 Gbit/s", "50 Gbit/s"]}, [4]),
        ([9, 4], [4], {"rates": ["160 Gbit/s", "180 Gbit/s"]}, [2]),
    ],
)
def test_an_oversubscribed_tree_is_written_as_htsim_wants_to_be_told(down, up, more, told):
    text = htsim.text(clos(down, up, **more))
    assert [int(line.split()[1]) for line in text.splitlines() if "Oversubscribed" in line] == told
    assert htsim_reads(text)


@pytest.mark.parametrize(
    ("down", "up", "more", "fact"),
    [
        ([8, 4], [3], {}, "tier 0 has 8 links of 100 Gbit/s down and 3 of 100 Gbit/s up, and Oversubscribed is 2"),
        ([8, 4], [2], {"rates": ["100 Gbit/s", "400 Gbit/s"]}, "down and 2 of 400 Gbit/s up"),
        ([2, 4], [4], {}, "2 links of 100 Gbit/s down and 4 of 100 Gbit/s up, and Oversubscribed is 1"),
        ([4, 3, 2], [4, 2], {}, "tier 1 has 3 links"),
        ([8, 4], [2], {"delay": "0 ns"}, "tier 0 has no Downlink_Latency_ns above zero"),
        ([8, 4], [2], {"delays": ["5 ns", "0 ns"]}, "tier 1 has no Downlink_Latency_ns"),
    ],
)
def test_a_tree_that_htsim_does_not_read_is_not_written(down, up, more, fact):
    with pytest.raises(FabricError, match=f"htsim does not read this tree: .*{fact}"):
        htsim.text(clos(down, up, **more))


def test_files_that_htsim_does_not_read_are_told(tmp_path):
    """Of random trees those, and no others."""
    draw, path, seen = random.Random(1), tmp_path / "some.topo", []
    for _ in range(400):
        tiers = draw.choice((2, 3))
        down, up = draw.choices((1, 2, 3, 4, 6), k=tiers), draw.choices((1, 2, 3), k=tiers - 1)
        bundle = [1, *draw.choices((1, 1, 2), k=tiers - 1)]
        pod = down[0] * down[1]
        text = f"Nodes {pod * (down[2] if tiers == 3 else 1)}\nTiers {tiers}\nPodsize {pod}\n"
        for number, (count, side, above) in enumerate(itertools.zip_longest(down, bundle, bundle[1:])):
            text += f"Tier {number}\nDownlink_speed_Gbps {draw.choice((100, 100, 100, 150, 200))}\n"
            text += f"Radix_Down {count * side}\nBundle {side}\nDownlink_Latency_ns {draw.choice((0, 1, 1, 1, 1, 1))}\n"
            if above:
                text += f"Radix_Up {up[number] * above}\nOversubscribed {draw.choice((1, 1, 2, 3))}\n"
        path.write_text(text)
        told = any(note.startswith("htsim does not read this tree: tier ") for note in htsim.read(path).notes)
        seen.append(told)
        assert told != htsim_reads(text), text
    assert 10 < seen.count(False) < 390


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


def test_names_in_any_case_and_further_words_are_read_as_htsim_reads_them(tmp_path):
    path = tmp_path / "other.topo"
    path.write_text((DATA / "topo/test.topo").read_text().lower().replace("radix_up 2", "radix_up 2 as htsim says"))
    assert fabrics.htsim.is_htsim(path)
    assert htsim.read(path).row() == htsim.read(DATA / "topo/test.topo").row()


def test_uplinks_of_the_upper_of_two_tiers_are_told_and_passed_over_as_by_htsim(tmp_path):
    path, whole = tmp_path / "spine.topo", (DATA / "topo/leaf_spine_tiny.topo").read_text()
    path.write_text(f"{whole}\nRadix_Up 4\n")
    scenario, (note,) = htsim.scenario_of(htsim.read(path))
    assert scenario == htsim.scenario_of(htsim.read(DATA / "topo/leaf_spine_tiny.topo"))[0]
    assert "tier 1 has a radix_up, and nothing is above it" in note


def test_queues_of_links_that_lose_are_left_out_with_a_note(tmp_path):
    path = tmp_path / "queues.topo"
    whole = (DATA / "topo/leaf_spine_tiny.topo").read_text()
    path.write_text(whole.replace("Radix_Up 2", "Radix_Up 2\nQueue_Up 20000000\nQueue_Down 1001"))
    tree = htsim.read(path)
    assert tree.tiers[0]["queue_up"] == 20_000_000
    scenario, (note,) = htsim.scenario_of(tree)
    assert scenario == htsim.scenario_of(htsim.read(DATA / "topo/leaf_spine_tiny.topo"))[0]
    assert "Queue_Up and Queue_Down are left out: set switches.output_queue" in note


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
        (("Podsize 4", "Podsize"), "'Podsize' says nothing that is known"),
        (("Podsize 4", "Podsice 4"), "'Podsice 4' says nothing that is known"),
        (("Tier 1", "Tier 2"), "tier 2 comes after 1 tiers"),
        (("Radix_Down 2", "Radix_Down 0"), "tier 0 has no radix_down"),
        (("Radix_Down 2", "Radix_Down 2\nradix_down 2"), "radix_down of tier 0 is given twice"),
        (("Radix_Down 4", "Radix_Down 4\nRadix_Up 4"), "tier 2 has a radix_up, and nothing is above it"),
        (("Radix_Down 4", "Radix_Down 4\nQueue_Up 4"), "tier 2 has a queue_up, and nothing is above it"),
        (("Radix_Down 2", "Queue_Up 99999999999"), "Queue_Up is 99999999999"),
    ],
)
def test_what_does_not_go_together_is_said(tmp_path, change, fact):
    broken = tmp_path / "broken.topo"
    broken.write_text((DATA / "topo/test.topo").read_text().replace(*change, 1))
    with pytest.raises(FabricError, match=fact):
        htsim.read(broken)
