"""Whatever a file holds, reading it as a fabric ends in a fabric or in one sentence with place, fact and remedy."""

import re

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from congestree.errors import CongestreeError
from congestree.formats import fabrics

from .fabric_files import CLUSTER, NET, TABLES, TOPO

GOOD = {"ibnetdiscover": CLUSTER.read_bytes(), "ibsim": NET.encode(), "topo": TOPO.read_bytes()}
PIECES = [
    b'"', b"[", b"]", b"(", b")", b"#", b"->", b"-4x-", b"\n", b"\n\n", b" ", b"\t", b"\x00", b"\xff", b"\r", b"\x0b",
    b"Switch", b"Ca", b"Hca 1", b"Rt 1 ", b"lid ", b"lmc 3", b"4xHDR", b"0x", b"-1", b"0", b"255", b"65536", b"9" * 30,
    b"9" * 5000, b"w=8", b"s=9", b"=", b"width=", b"speed=0x7", b'include "x"', b'module "m"', b"@1", b"do it",
    b"Could be 12X", b"rate 5 bit/s", b"delay 999999999999999999999999 ps", b"# exactly: rate 1 bit/s back 1 bit/s",
    b"Unicast lids", b"of switch Lid ", b"guid 0x", b"0xffff 254", b"CFG:", b"P1", b"L1/P1", "é\u202e".encode(),
    "\u0664".encode(), "\u00b2".encode(), b"all",
]  # fmt: skip
SEVERAL = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def mutated(draw, text):
    """A good file with a few bytes, lines or pieces changed, moved or cut off."""
    for _ in range(draw(st.integers(1, 4))):
        at, to = sorted(draw(st.integers(0, len(text))) for _ in range(2))
        text = draw(
            st.sampled_from(
                [
                    text[:at],
                    text[:at] + text[min(to, at + 40) :],
                    text[:at] + draw(st.sampled_from(PIECES)) + text[at:],
                    text[:at] + draw(st.sampled_from(PIECES)) + text[at + 1 :],
                    text[:at] + draw(st.binary(max_size=4)) + text[at:],
                    text[:to] + text[at:],
                ]
            )
        )
    return text


def read(path, routes=None):
    """Reads, and makes the scenario and the report if that goes well; complaints must be fit for people."""
    try:
        fabric = fabrics.read(path, routes=routes)
        options = {"rate": 8 * 10**9}
        fabrics.report(fabric, fabrics.network_of(fabric, routes=routes, **options), options["rate"])
        return fabric
    except CongestreeError as error:
        place, fact, remedy = str(error).split("\n")
        assert re.fullmatch(rf"(?s){re.escape(str(path.parent))}/\w+(?::\d+)?", place), place
        assert fact.startswith("  ") and remedy.startswith("  ") and len(fact) > 8 and len(remedy) > 8
        assert not re.search(r"Traceback|None|invalid literal|object has|Error\b|<class", str(error)), error
        return None


@SEVERAL
@given(data=st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(tmp_path, data):
    (tmp_path / "x").write_bytes(data)
    read(tmp_path / "x")
    (tmp_path / "tables").write_bytes(data)
    (tmp_path / "good").write_bytes(GOOD["ibnetdiscover"])
    read(tmp_path / "good", tmp_path / "tables")


@SEVERAL
@given(lines=st.lists(st.lists(st.sampled_from([*PIECES, b"S", b'"S"', b'"H"', b"[1]"]), max_size=6), max_size=12))
def test_any_sequence_of_words(tmp_path, lines):
    (tmp_path / "x").write_bytes(b"\n".join(b" ".join(line) for line in lines))
    read(tmp_path / "x")


@pytest.mark.parametrize("form", GOOD)
@SEVERAL
@given(data=st.data())
def test_damaged_topologies_are_read_or_refused(tmp_path, form, data):
    (tmp_path / "x").write_bytes(data.draw(mutated(GOOD[form])))
    read(tmp_path / "x")


@SEVERAL
@given(data=st.data())
def test_damaged_tables_are_read_or_refused(tmp_path, data):
    (tmp_path / "good").write_bytes(GOOD["ibnetdiscover"])
    (tmp_path / "tables").write_bytes(data.draw(mutated(TABLES.read_bytes())))
    read(tmp_path / "good", tmp_path / "tables")


@pytest.mark.parametrize("form", ["ibnetdiscover", "ibsim"])
def test_a_truncated_file_is_never_taken_for_a_whole_one(tmp_path, form):
    text = GOOD[form].rstrip()
    last = text.rindex(b"[", 0, text.rindex(b"[") if text.endswith(b"]") else len(text))
    for at in range(0, last, 7):
        (tmp_path / "x").write_bytes(text[:at])
        assert read(tmp_path / "x") is None, text[:at]


def test_every_truncation_of_a_topo_file(tmp_path):
    # One end of a link is enough in this format, so a part that is cut off may have been given before.
    for at in range(0, len(GOOD["topo"]), 7):
        (tmp_path / "x").write_bytes(GOOD["topo"][:at])
        fabric = read(tmp_path / "x")
        assert fabric is None or len(fabric.links()) <= 15
