"""A byte order mark, which editors of Windows put before a text, changes nothing of what is read."""

import codecs
import json
from dataclasses import asdict
from pathlib import Path

import pytest

from congestree.applications import jobs
from congestree.formats import fabrics, opensm, programs, roce, traces, workloads

from .opensm.settings import CCMGR, OPENSM
from .roce.tables import CONFIG, LOOKUP
from .test_workloads import CONFIG as HPCC
from .test_workloads import FLOWS, MATRIX, PAIR, TOPOLOGY

HERE = Path(__file__).parent
DATA = HERE.parent / "data"
CLUSTER = HERE / "fabrics" / "cluster.txt"


def fabric(path, routes=None):
    found = fabrics.read(path, routes=routes)
    return [(node.id, node.name, node.lid, sorted(node.ports)) for node in found.nodes.values()], found.routes


def flows(path):
    return workloads.form_of(path), workloads.read(path).flows


def trace(path):
    return programs.as_goal(path.read_bytes(), "the trace", None)


SAMPLES = {
    "ibnetdiscover.txt": (CLUSTER.read_text(), fabric),
    "cluster.topo": ((HERE / "fabrics" / "cluster.topo").read_text(), fabric),
    "lfts.dump": ((HERE / "fabrics" / "cluster-lfts.dump").read_text(), lambda path: fabric(CLUSTER, path)),
    "tree.topo": (
        next((DATA / "htsim").rglob("*.topo")).read_text(),
        lambda path: (fabrics.htsim.is_htsim(path), fabrics.htsim.read(path).row()),
    ),
    "infra.yaml": (
        (DATA / "infragraph" / "clos-2tier-4-servers.yaml").read_text(),
        lambda path: (fabrics.infragraph.is_infragraph(path), fabrics.infragraph.read(path).summary()),
    ),
    "topology.txt": (TOPOLOGY, lambda path: (workloads.form_of(path), workloads.hpcc.read_topology(path))),
    "flow.txt": (FLOWS, flows),
    "config.txt": (HPCC, lambda path: (workloads.form_of(path), workloads.hpcc_config.read(path, 10**11, PAIR))),
    "two.cm": (MATRIX, flows),
    "opensm.conf": (OPENSM.lstrip(), lambda path: asdict(opensm.read(path))),
    "ccmgr.conf": ("# of ccmgr" + CCMGR, lambda path: asdict(opensm.read(path))),
    "nic.txt": ("rp_time_reset 300\n", roce.read),
    "config_db.json": (json.dumps(CONFIG), roce.read),
    "pg_profile_lookup.ini": (LOOKUP, lambda path: roce.read(path, profiles=["pg_lossless_100000_40m_profile"])),
    "trace.0.json": ('[{"Id": 1, "Name": "x", "NodeType": 4, "runtime": 3}]', lambda path: traces.info([path])[:2]),
    "trace.vef": ("VEF 2 1 0 0 0 0\n0 0 1 100 0 5 -1\n", trace),
    "pair.goal": ("num_ranks 2 rank 0 { send 8b to 1 } rank 1 { recv 8b from 0 }", lambda path: jobs.read(path).rows()),
    "pair.csv": ("rank,label,kind\n0,a,calc\n", lambda path: jobs.read(path).rows()),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_with_a_byte_order_mark_is_read_as_without(tmp_path, name):
    text, read = SAMPLES[name]
    path = tmp_path / name
    path.write_bytes(text.encode())
    plain = read(path)
    path.write_bytes(codecs.BOM_UTF8 + text.encode())
    assert plain and read(path) == plain


@pytest.mark.parametrize("text", [OPENSM.partition("comment\n")[2], CCMGR.lstrip()], ids=["opensm", "ccmgr"])
def test_a_mark_before_an_option_of_opensm_is_told(tmp_path, text):
    """OpenSM and ccmgr would not know the option; the complaint was that the option "?" is unknown."""
    path = tmp_path / "cc.conf"
    path.write_bytes(codecs.BOM_UTF8 + text.encode())
    first = text.split()[0]
    with pytest.raises(opensm.SettingsError, match=f'cc.conf:1: a byte order mark stands before "{first}"'):
        opensm.read(path)
