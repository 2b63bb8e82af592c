"""Real fabrics as files: how they are read, named and routed, and which faults are found in them."""

import json
import re
from pathlib import Path

import pytest

from congestree.formats import fabrics
from congestree.formats.fabrics import lfts, rates
from congestree.formats.fabrics.model import FabricError
from congestree.runs import running

SAMPLES = Path(__file__).parent / "fabrics"
CLUSTER, TABLES, TOPO = (SAMPLES / name for name in ("cluster.txt", "cluster-lfts.dump", "cluster.topo"))
NET = """
# A net file as ibsim reads it: bit masks of widths and speeds, and nothing else.
width=3
Switch 8 "S1"
[1] "H1"[1]
[2] "H1"[2]  w=1
[4] "S2"[3]  s=7
[5] "S2"[1]

speed=3
Switch 8 "S2"
[3] "S1"[4]
[1] "S1"[5]
[8] "H2"

Hca 2 "H1"
[1] "S1"[1]
[2] "S1"[2]

Ca 1 "H2"  # "the second"
[1] "S2"[8]
"""


def written(tmp_path, text, name="net"):
    """The path of a file with this text."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def checked(fabric, **options):
    """The engine's verdict on the scenario made of a fabric."""
    return running.check(fabrics.scenario_text(fabric, **{"rate": 8 * 10**9, **options}))


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
    assert any("L1/P2" in note for note in fabric.notes)


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


def test_forwarding_tables_become_routes():
    fabric = fabrics.read(CLUSTER, routes=TABLES)
    assert fabric.routes["leaf-4"] == [3, 3, 3, 3, 3, 3, 1, 2]
    assert lfts.holes(fabric) == 2
    assert checked(fabric)["scenario"]["routing"]["ports"]["leaf-4"] == [3, 3, 3, 3, 3, 3, 1, 2]


def test_tables_are_matched_by_name_where_there_are_no_ids():
    assert fabrics.read(TOPO, routes=TABLES).routes == fabrics.read(CLUSTER, routes=TABLES).routes


def test_the_output_of_ibroute_is_understood(tmp_path):
    text = TABLES.read_text()
    text = re.sub(r"\('(.*)'\):", r"(\1):\n  Lid  Out   Destination\n       Port     Info", text)
    text = re.sub(r"(0x\w{4} \d{3}) # (.*)", r"\1 : (\2)", text)
    text = re.sub(r"(?m)^(Unicast .*)$", r"\1", text).replace("lids dumped", "valid lids dumped")
    text = text.replace("0x0007 001 :", "0x0001 000 : (Switch portguid 0x00a1000000000001: 'leaf-1')\n0x0007 001 :", 1)
    routes = fabrics.read(CLUSTER, routes=written(tmp_path, text, "ibroute.txt")).routes
    assert routes == fabrics.read(CLUSTER, routes=TABLES).routes


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("0x0007 001 #", "0x0007 002 #", 2, "sends what is for node11 mlx5_0 to another host, node12 mlx5_0"),
        ("0x0009 003 #", "0x0009 041 #", 4, "has 40 ports, so there is no port 41"),
        ("0x0007 001 #", "0x0007 #", 2, "cut short"),
        ("guid 0x00a1000000000002", "guid 0x00a1000000000009", None, None),
        ("portguid 0x00b2000000000011", "portguid 0x00b2000000000021", 2, "LID 7 is node11 mlx5_0 in the topology"),
        ("Lid 2 guid 0x00a1000000000002 ('leaf-2')", "Lid 92 guid 0x9 ('leaf-9')", 11, "leaf-9 is not in"),
        ("Lid 2 guid 0x00a1000000000002", "Lid 1 guid 0x00a1000000000001", 11, "stand here twice"),
        ("Unicast lids", "Broadcast", 1, "belongs to no switch"),
    ],
)
def test_tables_of_another_fabric_are_refused(tmp_path, old, new, line, says):
    text = TABLES.read_text().replace(old, new, 1)
    path = written(tmp_path, text, "tables")
    if says is None:  # the name is enough
        assert fabrics.read(CLUSTER, routes=path).routes
        return
    with pytest.raises(FabricError, match=re.escape(says)) as error:
        fabrics.read(CLUSTER, routes=path)
    assert error.value.line == (2 if line == 1 else line)
    assert len(str(error.value).splitlines()) == 3


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("hello\n", None, "no node is described"),
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


def report_of(path, **options):
    fabric = fabrics.read(path)
    options = {"rate": 8 * 10**9, **options}
    return fabrics.report(fabric, fabrics.network_of(fabric, **options), options["rate"])


def test_the_report_finds_degraded_and_missing_links():
    found = report_of(CLUSTER)
    assert [row["switches"] for row in found["levels"]] == [4, 2]
    assert [(s["width_and_speed"], s["links"]) for s in found["speeds"]] == [("4xHDR", 14), ("4xQDR", 1)]
    assert [(d["link"], d["expected"]) for d in found["degraded"]] == [
        ("leaf-3 port 3 - spine-1 port 3", "200 Gbit/s (4xHDR)")
    ]
    assert [(m["switch"], m["kind"], m["has"], m["usual"], m["ports"]) for m in found["missing"]] == [
        ("leaf-4", "links up", 1, 2, [4])
    ]


def test_a_link_below_what_its_port_could_do_is_degraded(tmp_path):
    text = CLUSTER.read_text().replace('"node11 mlx5_0" lid 7 4xHDR', '"node11 mlx5_0" lid 7 4xHDR (Could be NDR)')
    found = report_of(written(tmp_path, text))["degraded"]
    # Both ends must support it; only the switch says so here, and the host does not contradict.
    assert any(d["expected"] == "400 Gbit/s (4xNDR)" and "ports could do" in d["because"] for d in found)


def crossed_tree():
    """A tree of 8 leaves, 8 switches in the middle and 4 at the top in two halves, with a second link from every leaf
    to the other half: by shortest paths some routes go up again after going down.

    The wiring is that of the credit-loops demonstration of ibutils.
    """
    other = {1: 8, 2: 5, 3: 6, 4: 7, 5: 1, 6: 2, 7: 3, 8: 4}
    lines = []
    for leaf in range(1, 9):
        lines += [f"MTS400 leaf{leaf}", f" P1 -> HCA h{2 * leaf - 1} P1", f" P2 -> HCA h{2 * leaf} P1"]
        lines += [f" P3 -> MTS400 mid{leaf} P1", f" P4 -> MTS400 mid{other[leaf]} P2", ""]
    for mid in range(1, 9):
        half = 1 if mid <= 4 else 3
        lines += [f"MTS400 mid{mid}", f" P3 -> MTS400 top{half} P{(mid - 1) % 4 + 1}"]
        lines += [f" P4 -> MTS400 top{half + 1} P{(mid - 1) % 4 + 1}", ""]
    return "\n".join(lines)


def test_credit_loops_are_found_and_levels_go_around_them(tmp_path):
    path = written(tmp_path, crossed_tree(), "crossed.topo")
    assert report_of(path, routing="shortest-path")["credit_loop"]
    assert report_of(path, routing="d-mod-k")["credit_loop"] is None


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


SHARP = """
Switch	41 "S-a1"		# "leaf" enhanced port 0 lid 1 lmc 0
[1]	"H-b1"[1](b1)		# "one mlx5_0" lid 11 2xHDR
[2]	"H-b2"[1](b2)		# "two mlx5_0" lid 12 2xHDR
[3]	"S-a2"[7]		# "spine" lid 2 4xHDR
[41]	"H-c1"[1](c1)		# "Mellanox Technologies Aggregation Node" lid 21 4xHDR

Switch	41 "S-a2"		# "spine" enhanced port 0 lid 2 lmc 0
[7]	"S-a1"[3]		# "leaf" lid 1 4xHDR
[8]	"H-b3"[1](b3)		# "three mlx5_0" lid 13 1xHDR
[41]	"H-c2"[1](c2)		# "Mellanox Technologies Aggregation Node" lid 22 4xHDR

Ca	1 "H-b1"		# "one mlx5_0"
[1](b1)	"S-a1"[1]		# lid 11 lmc 0 "leaf" lid 1 2xHDR

Ca	1 "H-b2"		# "two mlx5_0"
[1](b2)	"S-a1"[2]		# lid 12 lmc 0 "leaf" lid 1 2xHDR

Ca	1 "H-b3"		# "three mlx5_0"
[1](b3)	"S-a2"[8]		# lid 13 lmc 0 "spine" lid 2 1xHDR

Ca	1 "H-c1"		# "Mellanox Technologies Aggregation Node"
[1](c1)	"S-a1"[41]		# lid 21 lmc 0 "leaf" lid 1 4xHDR

Ca	1 "H-c2"		# "Mellanox Technologies Aggregation Node"
[1](c2)	"S-a2"[41]		# lid 22 lmc 0 "spine" lid 2 4xHDR
"""


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


def test_the_report_has_the_words_of_the_file(tmp_path):
    """Two lanes of HDR are as fast as four of EDR."""
    speeds = report_of(written(tmp_path, SHARP))["speeds"]
    said = {s["rate"]: s["width_and_speed"] for s in speeds}
    assert said == {"100 Gbit/s": "2xHDR", "200 Gbit/s": "4xHDR", "50 Gbit/s": "1xHDR"}
