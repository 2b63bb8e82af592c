"""Forwarding tables of real fabrics become routes, and those of another fabric are refused."""

import re

import pytest

from congestree.formats import fabrics
from congestree.formats.fabrics import lfts
from congestree.formats.fabrics.model import FabricError

from .fabric_files import CLUSTER, TABLES, TOPO, checked, written


def test_forwarding_tables_become_routes():
    fabric = fabrics.read(CLUSTER, routes=TABLES)
    assert fabric.routes["leaf-4"] == [3, 3, 3, 3, 3, 3, 1, 2]
    assert lfts.holes(fabric) == 2
    assert checked(fabric)["scenario"]["routing"]["ports"]["leaf-4"] == [3, 3, 3, 3, 3, 3, 1, 2]


def test_tables_are_matched_by_name_where_there_are_no_ids():
    assert fabrics.read(TOPO, routes=TABLES).routes == fabrics.read(CLUSTER, routes=TABLES).routes


def test_ports_have_the_numbers_of_their_device(tmp_path):
    of_ibdm = written(tmp_path, re.sub(r"\bP(\d+)\b", r"U1/P\1", TOPO.read_text()), "ibdm.topo")
    one, other = (fabrics.read(path, routes=TABLES) for path in (TOPO, of_ibdm))
    assert "U1/P4" in of_ibdm.read_text()
    assert other.notes == one.notes
    assert checked(other)["scenario"]["topology"] == checked(one)["scenario"]["topology"]
    assert other.routes == one.routes
    text = of_ibdm.read_text().replace("U1/P4", "U1/P24")  # ports without a link lie between: nothing moves up
    moved = fabrics.read(written(tmp_path, text, "moved.topo"))
    assert set(moved.nodes["leaf-1"].ports) == {1, 2, 3, 24}


def test_tables_of_a_system_of_several_devices_are_refused(tmp_path):
    text = re.sub(r"SWITCH40 leaf-1\n( .*\n)*", "", TOPO.read_text())  # the other ends of its links are enough
    path = written(tmp_path, re.sub(r"leaf-1 P(\d)", r"leaf-1 L\1/P1", text), "large.topo")
    with pytest.raises(FabricError, match=r"leaf-1 of .* is a system of several devices") as error:
        fabrics.read(path, routes=TABLES)
    assert error.value.line == 1


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
