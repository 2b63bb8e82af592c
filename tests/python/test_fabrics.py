"""Real fabrics as files: how they are read and named, and which mistakes in them are told."""

import json
import re

import pytest

from congestree.formats import fabrics
from congestree.formats.fabrics import lfts, rates
from congestree.formats.fabrics.model import FabricError

from .fabric_files import CLUSTER, NET, SHARP, TOPO, checked, written


def test_rates_are_data_rates():
    for word, gbits in {
        "4xSDR": 8,
        "1xQDR": 8,
        "4xFDR10": 40,
        "4xEDR": 100,
        "2xHDR": 100,
        "4xNDR": 400,
        "12xXDR": 2400,
    }.items():
        assert rates.RATES[word] == gbits * 10**9
    assert rates.RATES["4xFDR"] == 54_545_454_545
    assert rates.word_of(8 * 10**9) == "4xSDR"
    for rate in rates.RATES.values():
        assert rates.RATES[rates.word_of(rate)] == rate
    assert rates.rate_text(54_545_454_545) == "54.545454545 Gbit/s"


def test_ibnetdiscover_gives_names_ports_rates_and_ids():
    fabric = fabrics.read(CLUSTER)
    assert fabric.form == "ibnetdiscover"
    assert list(fabric.hosts())[:2] == ["node11 mlx5_0", "node12 mlx5_0"]
    leaf = fabric.nodes["S-00a1000000000003"]
    assert (leaf.name, leaf.lid, leaf.size, leaf.guid) == ("leaf-3", 3, 40, 0x00A1000000000003)
    assert leaf.ports[3].rate == 32 * 10**9
    host = fabric.hosts()["node15 mlx5_0"]
    assert (host.lid, host.guid, host.rate) == (11, 0x00B2000000000051, 200 * 10**9)


TWO_ENDS = """
Switch 2 "S"  # "leaf" enhanced port 0 lid 1 lmc 0
[1] "H"[1](b1)  # "one" lid 7 {}
[2] "I"[1](b2)  # "two" lid 8 4xNDR

Ca 1 "H"  # "one"
[1](b1) "S"[1]  # lid 7 lmc 0 "leaf" lid 1 {}

Ca 1 "I"  # "two"
[1](b2) "S"[2]  # lid 8 lmc 0 "leaf" lid 1 4xNDR
"""


@pytest.mark.parametrize(
    ("here", "there", "rate", "note"),
    [
        ("4xhdr", "4xHDR", 200, None),
        ("4xHDR", "", 200, None),
        ("4xGDR Could be 4xNDR", "4xHDR", 200, "net:3: '4xGDR' is no width and speed that is known; the other end"),
        ("4x undefined (16)", "4xHDR", 200, "net:3: '4x undefined (16)' is no width and speed"),
        ("4xHDR", "16xHDR", 200, "net:7: '16xHDR' is no"),
        ("4xHDR", "???", 200, "net:7: '???' is no"),
        ("4xEDR", "4xHDR", 100, "the slower is taken: lines 3 and 7 (4xEDR, 4xHDR)"),
        ("", "", None, "the file says no width and speed of 1 of 2 links"),
    ],
)
def test_an_end_whose_speed_cannot_be_read_has_that_of_the_other(tmp_path, here, there, rate, note):
    fabric = fabrics.read(written(tmp_path, TWO_ENDS.format(here, there)))
    rates = {fabric.nodes[end].ports[1].rate for end in "SH"}
    assert rates == {rate and rate * 10**9}
    assert len(fabric.notes) == (note is not None) and (note or "") in "".join(fabric.notes)


def test_ibsim_files_are_read_by_the_same_reader(tmp_path):
    fabric = fabrics.read(written(tmp_path, NET))
    assert fabric.form == "ibsim"
    assert list(fabric.hosts()) == ["H1/P1", "H1/P2", "the second"]
    assert fabric.notes == ["H1 has 2 linked ports: each is a host of its own"]
    s1 = fabric.nodes["S1"]
    # 1x and 4x are enabled unless the file says otherwise; a link uses the best that both ends support.
    assert [s1.ports[n].rate // 10**9 for n in (1, 2, 4, 5)] == [8, 2, 16, 8]
    assert checked(fabric)["facts"]["hosts"] == 3


def test_without_a_word_on_speeds_the_rate_is_ours_to_say(tmp_path):
    text = re.sub(r"(?m)^(?:width|speed).*\n|  [ws]=.*", "", NET)
    fabric = fabrics.read(written(tmp_path, text))
    assert "--rate" in fabric.notes[0]
    assert checked(fabric, rate=10**11)["scenario"]["links"]["rate"] == "100 Gbit/s"


def test_files_may_include_others(tmp_path):
    written(tmp_path, 'Ca 1 "H2"\n[1] "S"[2]\n', "hosts.net")
    path = written(
        tmp_path, 'include "hosts.net"\ndo Reset\nSwitch 2 "S"\n[1] "H1"\n[2] "H2"\n\nHca 1 "H1"\n[1] "S"[1]\n'
    )
    fabric = fabrics.read(path)
    assert sorted(fabric.hosts()) == ["H1", "H2"]
    assert "Reset" in fabric.notes[0]


def test_topo_files_say_the_same_as_ibnetdiscover():
    one, other = fabrics.read(CLUSTER), fabrics.read(TOPO)
    assert other.form == "topo"
    assert [name.replace(" ", "_") for name in one.hosts()] == list(other.hosts())
    assert sorted(node.name for node in one.switches()) == sorted(node.name for node in other.switches())

    def ends(fabric):
        return {
            frozenset((p.node.name.replace(" ", "_"), p.number, p.rate) for p in (link.a, link.b))
            for link in fabric.links()
        }

    assert ends(one) == ends(other)


def test_ports_and_types_of_old_systems_are_understood(tmp_path):
    text = """
Chassis BIG CFG: leaf3=R
   L1/P10 -12x-5G-> NodeType n1 P1
   L1/P2 -> NodeType n2 P1
   L2/P1 -> NodeType n3 P2
"""
    fabric = fabrics.read(written(tmp_path, text, "a.topo"))
    assert list(fabric.hosts()) == ["n1", "n2", "n3"]
    assert {n: p.peer for n, p in fabric.nodes["BIG"].ports.items()} == {1: "n2", 2: "n1", 3: "n3"}
    assert fabric.nodes["n1"].ports[1].rate == 48 * 10**9
    assert [note.split()[0] for note in fabric.notes if "numbered in this order" in note] == ["BIG"]


@pytest.mark.parametrize("planes", [2, 5])
def test_planes_that_no_link_joins_are_named(tmp_path, planes):
    """The two ports of a host are two hosts of the simulation, and there is no way between them."""
    lines = []
    for plane in range(1, planes + 1):
        hosts = [f" P{at} -> HCA h{at} P{plane}" for at in (1, 2)]
        lines += [f"MTS8 leaf{plane}", *hosts, f" P3 -> MTS8 top{plane} P1", ""]
    lines += ["MTS8 spare", ""]  # without hosts it is in nobody's way
    fabric = fabrics.read(written(tmp_path, "\n".join(lines), "planes.topo"))
    with pytest.raises(FabricError, match="each is a network of its own here") as error:
        fabrics.network_of(fabric, rate=10**9)
    assert f"its {planes} parts" in str(error.value)
    assert "leaf1 with h1/P1 (2 hosts), leaf2 with h1/P2 (2 hosts)" in str(error.value)
    assert ("and 2 more" in str(error.value)) == (planes == 5)
    one = fabrics.read(written(tmp_path, "\n".join(lines[:5] + lines[-2:]), "plane.topo"))
    assert len(fabrics.network_of(one, rate=10**9)["hosts"]) == 2


def test_types_that_look_like_switches_can_be_named_hosts(tmp_path):
    path = written(tmp_path, "MTS8 sw\n P1 -> MTS1 a P1\n P2 -> MTS1 b P1\n", "a.topo")
    with pytest.raises(FabricError, match="--host-type"):
        fabrics.read(path)
    assert list(fabrics.read(path, host_types=("MTS1",)).hosts()) == ["a", "b"]
    with pytest.raises(FabricError, match="types are MTS1, MTS8"):
        fabrics.read(path, host_types=("MTS2",))


def test_names_are_made_unique(tmp_path):
    text = (
        CLUSTER.read_text()
        .replace("node12 mlx5_0", "node11 mlx5_0")
        .replace('"spine-1"', '""')
        .replace("spine-2", "all")
    )
    fabric = fabrics.read(written(tmp_path, text))
    names = [*fabric.hosts(), *(node.name for node in fabric.switches())]
    assert len(set(names)) == len(names) == 14
    assert {"node11 mlx5_0 (H-00b2000000000020)", "S-00a1000000000005", "all (S-00a1000000000006)"} <= set(names)
    checked(fabric)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("hello\n", None, "no node is described"),
        (TWO_ENDS.format("4x", "4xGDR"), 3, "'4x' is no width and speed that is known"),
        ('Switch 8 "S"\n[1] "H"[1]\n', 2, 'leads to "H", which the file does not describe'),
        ('Switch 8 "S"\n[1] "H"[1]\n\nCa 1 "H"\n', 2, "where no link is described"),
        ('Switch 8 "S"\n[1] "H"[1]\n\nCa 2 "H"\n[1] "S"[2]\n', 2, "but that one leads to port 2"),
        ('Switch 8 "S"\n[1] "S"[1]\n', 2, "leads to itself"),
        ('Switch 8 "S"\n[9] "H"[1]\n', 2, "has 8 ports"),
        ('Switch 8 "S"\n[1] "H"[1]\n[1] "H"[2]\n', 3, "has a link already, in line 2"),
        ('Switch 8 "S"\n[1] "H\n', 2, "cut short"),
        ("Switch 8\n", 1, "not a description of a node"),
        ('Switch 8 "S"\n\nSwitch 8 "S"\n', 3, "described twice"),
        ('Switch 8 "S"\n\n[1] "H"[1]\n', 3, "belongs to no node"),
        ('Switch 8 "S"\n[1] "H"[1] w=77\n', 2, "no width or speed"),
        ('Switch 8 "S"\n[1] "H"[1] x=1\n', 2, "no option x"),
        ('module "x"\n', 1, "modules are not understood"),
        ('include "net"\n', None, "includes itself"),
        ('Switch 2 "S"\n[1] "H" w=1\n\nCa 1 "H"\n[1] "S" w=2\n', 2, "no width or speed in common"),
        ("SW a\n P1 -> SW b\n", 2, "cut short"),
        ("SW a\n P1 -> SW b P1\n P1 -> SW c P1\n", 3, "in line 2"),
        ("SW a\n P1 -> SW b P1\n\nSW b\n P2 -> SW a P1\n", 5, "in line 2"),
        ("SW a\n P1 -> SW b P1\nHCA b\n P1 -> SW a P1\n", 3, "of type HCA here and SW in line 2"),
        ("SW a\n P1 -4x-3G-> HCA b P1\n", 2, "no speed of 3G"),
        ("\n P1 -> HCA b P1\n P2 -> HCA c P1\n", 2, "belongs to no system"),
        ("SW a\n P1 -> SW a P1\n", 2, "leads to itself"),
        ("SW\n P1 -> SW b P1\n P2 -> SW c P1\n", 1, "neither a system nor a port"),
        ("Unicast lids [0x0-0x1] of switch Lid 1 (x):\n0x1 001\n", 1, "--routes"),
    ],
)
def test_mistakes_have_line_fact_and_remedy(tmp_path, text, line, says):
    with pytest.raises(FabricError, match=re.escape(says)) as error:
        fabrics.read(written(tmp_path, text))
    assert error.value.line == line, error.value
    assert len(str(error.value).splitlines()) == 3


def test_ten_thousand_ports_are_read_in_seconds(tmp_path):
    import time

    scenario = {"topology": {"k-ary-n-tree": {"k": 12, "n": 3}}, "links": {"rate": "8 Gbit/s"},
                "traffic": [{"from": "h0", "to": "h1"}], "measure": {"duration": "1 us"}}  # fmt: skip
    from congestree import _engine

    fabric = fabrics.fabric_of(json.loads(_engine.network(json.dumps(scenario), "json")))
    assert sum(len(node.ports) for node in fabric.nodes.values()) > 10_000
    paths = {form: written(tmp_path, fabrics.write(fabric, form), form) for form in fabrics.FORMATS}
    begun = time.perf_counter()
    again = fabrics.read(paths["ibnetdiscover"], routes=paths["lfts"])
    fabrics.read(paths["topo"])
    assert time.perf_counter() - begun < 20  # generous, for a busy machine; 3 s is usual
    assert again.routes == fabric.routes


def test_what_sums_up_inside_a_switch_is_no_host(tmp_path):
    """It would get traffic of hosts otherwise, and a spine with such a host would be a leaf."""
    fabric = fabrics.read(written(tmp_path, SHARP))
    assert list(fabric.hosts()) == ["one mlx5_0", "two mlx5_0", "three mlx5_0"]
    assert [sorted(node.ports) for node in fabric.switches()] == [[1, 2, 3], [7, 8]]
    (note,) = [note for note in fabric.notes if "SHARP" in note]
    assert note.startswith("2 aggregation nodes")
    dump = written(
        tmp_path,
        "Unicast lids [0x0-0x16] of switch Lid 1 guid 0x00a1 ('leaf'):\n"
        "0x000b 001 # Channel Adapter portguid 0x00b1: 'one mlx5_0'\n"
        "0x0015 041 # Channel Adapter portguid 0x00c1: 'Mellanox Technologies Aggregation Node'\n"
        "0x0016 003 # Channel Adapter portguid 0x00c2: 'Mellanox Technologies Aggregation Node'\n",
        "dump",
    )
    lfts.read(dump, fabric)
    assert fabric.routes == {"leaf": [1, 0, 0]}


def test_lines_that_are_not_known_are_told_and_those_about_nodes_are_not(tmp_path):
    """A misspelt `width=` would leave the widths as they were."""
    plain = CLUSTER.read_text()
    usual = "vendid=0x2c9\ndevid=0xcb20\nsysimgguid=0xa1\nChassis 1 (guid 0x5)\nNon-Chassis Nodes\n"
    path = tmp_path / "fabric.txt"
    path.write_text(usual + plain)
    notes = fabrics.read(path).notes
    path.write_text(f"widht=2\n{plain}\nhello\n")
    (told,) = [note for note in fabrics.read(path).notes if note not in notes]
    assert told == f"{path}:1: `widht=2` is no line that is known, and was left out, with 1 more"
    path.write_text(f"widht=2\n{plain}")
    assert f"{path}:1: `widht=2` is no line that is known, and was left out" in fabrics.read(path).notes
