"""Execution traces of jobs: their summary, and the messages about those that could never run.

The traces in tests/data/chakra are those of astra-sim and of the Chakra project (with their licences); the counts were
made by a separate decoder, not by this one.
"""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from congestree.cli import app
from congestree.errors import CongestreeError
from congestree.formats import traces

DATA = Path(__file__).parent.parent / "data" / "chakra"
SHARED = Path(__file__).parents[3] / "shared" / "data" / "chakra"
cli = CliRunner()
METADATA, LOAD, COMP, SEND, RECV, COLL = 1, 2, 4, 5, 6, 7


def varint(number):
    """A number as protobuf writes it: seven bits a byte, the lowest first."""
    out = bytearray()
    while True:
        number, low = number >> 7, number & 0x7F
        out.append(low | (0x80 if number else 0))
        if not number:
            return bytes(out)


def field(number, value):
    """A field: whole numbers as varints, everything else after its length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def node(id, kind, deps=(), duration=0, packed=True, **attributes):
    """A node of a trace as a message, its attributes as 64-bit integers."""
    body = field(1, id) + field(2, f"n{id}".encode()) + field(3, kind)
    if packed and deps:
        body += field(5, b"".join(map(varint, deps)))
    elif deps:
        body += b"".join(field(5, dep) for dep in deps)
    body += field(7, duration)
    for name, value in attributes.items():
        body += field(10, field(1, name.encode()) + field(9, value))
    return body


def trace(*nodes):
    """A file: each message after its length, first the metadata."""
    return b"".join(varint(len(body)) + body for body in (field(1, b"0.0.4"), *nodes))


def told(*paths):
    """The exit code, stdout as JSON, and stderr."""
    result = cli.invoke(app, ["job", "info", *map(str, paths), "--json"])
    return result.exit_code, json.loads(result.stdout), result.stderr


def test_a_collective_of_four_ranks_is_counted():
    code, facts, _ = told(DATA / "all_reduce_4")
    assert code == 0 and [f["rank"] for f in facts] == [0, 1, 2, 3]
    first = facts[0]
    assert (first["bytes"], first["version"], first["format"]) == (81, "0.0.4", "et")
    assert (first["nodes"], first["comm_coll"], first["collectives"]) == (1, 1, "ALL_REDUCE=1")
    assert (first["coll_bytes"], first["attributes"]) == (1048576, "comm_size comm_type is_cpu_op")


def test_a_ring_written_out_goes_together():
    code, facts, _ = told(DATA / "ring_8")
    assert code == 0 and len(facts) == 8
    for one in facts:
        assert (one["bytes"], one["nodes"], one["comp"], one["comm_send"], one["comm_recv"]) == (29581, 35, 7, 14, 14)
        assert (one["ctrl_deps"], one["data_deps"], one["duration_us"]) == (0, 34, 49)
        assert (one["send_bytes"], one["recv_bytes"], one["ranks"]) == (1835008, 1835008, 8)
        assert one["attributes"] == "comm_dst comm_size comm_src comm_tag comm_type"
        assert one["format"] == "et, gzip (bytes: unpacked)"


def test_json_has_its_own_keys():
    code, facts, _ = told(DATA / "small_chakra.0.json")
    assert code == 0
    assert (facts["bytes"], facts["nodes"], facts["comp"], facts["comm_coll"], facts["collectives"]) == (
        1753,
        7,
        4,
        3,
        "",
    )
    assert (facts["ctrl_deps"], facts["data_deps"], facts["dangling_deps"], facts["duration_us"]) == (7, 6, 7, 695)
    assert facts["attributes"] == "Id Name NodeType ctrlDeps data_deps is_cpu_op runtime"


def test_operations_and_nodes_that_the_schema_does_not_know_are_counted_as_such(tmp_path):
    names = ["AllReduce", "all_reduce", 12, "AllSum"]
    nodes = [{"id": k, "name": "", "type": "COMM_COLL_NODE", "comm_type": name} for k, name in enumerate(names)]
    nodes += [{"id": 8, "name": "", "type": "FOO_NODE"}, {"id": 9, "name": "", "type": 0}]
    (tmp_path / "t.0.json").write_text(json.dumps({"nodes": nodes}))
    code, facts, _ = told(tmp_path / "t.0.json")
    assert (code, facts["collectives"], facts["invalid"]) == (0, "ALL_REDUCE=2;unknown=2", 2)


@pytest.mark.skipif(
    not SHARED.exists(), reason="the whole collection stands beside this checkout only where it is made"
)
def test_the_whole_collection_has_the_counts_that_others_made():
    import csv

    with open(SHARED / "expected.csv") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        found, troubles, _ = traces.info([SHARED / row["file"]])
        assert not troubles
        assert {k: str(found[0][k]) for k in row if k != "file"} == {k: v for k, v in row.items() if k != "file"}


def test_packed_and_single_dependencies_are_the_same(tmp_path):
    for packed in (True, False):
        body = trace(node(5, COMP), node(9, COMP, [5, 5, 7], packed=packed))
        (tmp_path / "t.0.et").write_bytes(body)
        _, facts, _ = told(tmp_path / "t.0.et")
        assert (facts["nodes"], facts["data_deps"], facts["dangling_deps"]) == (2, 3, 1)


@pytest.mark.parametrize("packed", [False, True])
def test_a_trace_that_is_cut_tells_where_and_what_stands_before(tmp_path, packed):
    whole = trace(node(1, COMP), node(2, COMP, duration=7), node(3, COMP, [1]))
    cut = gzip.compress(whole)[:-12] if packed else whole[:-4]
    (tmp_path / "t.0.et").write_bytes(cut)
    code, facts, said = told(tmp_path / "t.0.et")
    assert code == 1 and 1 <= facts["nodes"] <= 2
    assert said.count("cut in the middle") == 1 and "byte" in said and "copy or record it again" in said


def test_json_that_is_cut_tells_the_line(tmp_path):
    (tmp_path / "t.0.json").write_text((DATA / "small_chakra.0.json").read_text()[:800])
    code, facts, said = told(tmp_path / "t.0.json")
    assert code == 1 and facts["nodes"] == 2
    assert "t.0.json:" in said and "cut in the middle" in said


def test_a_cycle_is_named_once(tmp_path):
    body = trace(node(1, COMP), node(2, COMP, [1, 4]), node(3, COMP, [2]), node(4, COMP, [3]), node(5, COMP, [4]))
    (tmp_path / "t.0.et").write_bytes(body)
    code, facts, said = told(tmp_path / "t.0.et")
    assert code == 1 and facts["nodes"] == 5
    assert "3 nodes wait for each other in a cycle" in said and "take one of their dependencies out" in said
    assert all(f"{i} (n{i})" in said for i in (2, 3, 4)) and "5 (n5)" not in said


def test_a_cycle_of_control_dependencies_is_a_remark(tmp_path):
    """Recorders write calls into them; the training trace of the Chakra project has such cycles."""
    whole = trace(node(1, COMP) + field(4, varint(2)), node(2, COMP, [1]))
    (tmp_path / "t.0.et").write_bytes(whole)
    code, facts, said = told(tmp_path / "t.0.et")
    assert (code, facts["ctrl_deps"], facts["data_deps"]) == (0, 1, 1)
    assert "2 nodes wait for each other in a cycle" in said and "control dependencies" in said


def test_a_message_to_later_nodes_is_no_cycle(tmp_path):
    (tmp_path / "t.0.et").write_bytes(trace(node(2, COMP, [1]), node(1, COMP)))
    assert told(tmp_path / "t.0.et")[0] == 0


def message(id, kind, src, dst, tag=0):
    return node(id, kind, comm_src=src, comm_dst=dst, comm_tag=tag, comm_size=64)


def test_a_rank_that_nobody_receives_from_is_told(tmp_path):
    (tmp_path / "j.0.et").write_bytes(trace(message(1, SEND, 0, 1), message(2, SEND, 0, 2)))
    (tmp_path / "j.1.et").write_bytes(trace(message(1, RECV, 0, 1)))
    (tmp_path / "j.2.et").write_bytes(trace(node(1, COMP)))
    code, facts, said = told(tmp_path)
    assert code == 1 and len(facts) == 3
    assert "j.0.et: node 2" in said and "rank 0 sends to rank 2, which receives nothing from it" in said
    assert "add a receive" in said and said.count("rank 0 sends") == 1


def test_tags_that_differ_are_told(tmp_path):
    (tmp_path / "j.0.et").write_bytes(trace(message(1, SEND, 0, 1, 5), message(2, SEND, 0, 1, 6)))
    (tmp_path / "j.1.et").write_bytes(trace(message(1, RECV, 0, 1, 5), message(8, RECV, 0, 1, 7)))
    code, _, said = told(tmp_path)
    assert code == 1 and "tag 6 to rank 1, which never receives it" in said


def test_what_is_no_trace_is_told_in_a_sentence(tmp_path):
    for name, body, said in [
        ("a.0.et", b"", "the file is empty"),
        ("b.0.et", b"\xff" * 99, "not a message of a Chakra trace"),
        ("c.0.json", b'{"x": 1}', "no list of nodes"),
        ("d.0.json", b'{"nodes": [{"Name": "x"}]}', "has no id"),
        ("e.0.et", trace(node(1, COMP), node(1, COMP)), "two nodes with the id 1"),
    ]:
        (tmp_path / name).write_bytes(body)
        code, _, text = told(tmp_path / name)
        assert code == 1 and said in text and name in text, name
    with pytest.raises(CongestreeError, match="There is no file"):
        traces.info([tmp_path / "nowhere.et"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(CongestreeError, match="There is no trace in"):
        traces.info([tmp_path / "empty"])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak of a process")
def test_a_trace_five_hundred_times_as_long_takes_the_memory_of_a_short_one(tmp_path):
    code = """
import sys
from congestree.formats import traces
for path in sys.argv[1:]:
    nodes = traces.info([path])[0][0]["nodes"]
    print(nodes, next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
    chain = [node(id, COMP, [id - 1] if id > 1 else []) for id in range(1, 101)]
    (tmp_path / "short.et").write_bytes(trace(*chain))
    body = b"".join(varint(len(more)) + more for more in (node(id, COMP, [id - 1]) for id in range(101, 50_001)))
    (tmp_path / "long.et").write_bytes(trace(*chain) + body)
    words = [sys.executable, "-c", code, tmp_path / "short.et", tmp_path / "long.et"]
    (few, before), (many, after) = (
        map(int, line.split()) for line in subprocess.check_output(words, text=True).splitlines()
    )
    size = (tmp_path / "long.et").stat().st_size
    assert (few, many) == (100, 50_000) and (after - before) << 10 < size / 3


def test_a_small_packed_file_with_no_end_of_nodes_is_told_at_the_second(tmp_path):
    """A message of no bytes is a node without a name, of id 0."""
    (tmp_path / "zeros.0.et.gz").write_bytes(gzip.compress(bytes(64 << 20)))
    code, counted, text = told(tmp_path / "zeros.0.et.gz")
    assert code == 1 and "two nodes with the id 0" in text and counted["bytes"] < 1000


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak of a process")
def test_a_small_packed_file_with_a_large_node_takes_no_memory_for_it(tmp_path):
    """Names of files give the MiB in them: a message, a text of a node, a text next to the nodes."""
    endless = varint(17 << 20) + bytes(1 << 20)
    (tmp_path / "17.0.et.gz").write_bytes(gzip.compress(trace() + endless))
    text = b'{"nodes": [{"id": 1, "name": "' + b"a" * (300 << 20)
    (tmp_path / "300.0.json.gz").write_bytes(gzip.compress(text, 1))
    text = b'{"version": "' + b"a" * (300 << 20)
    (tmp_path / "301.0.json.gz").write_bytes(gzip.compress(text, 1))
    code = "from congestree.cli import main; import sys; sys.argv[0] = 'congestree'; main()"
    for path in sorted(tmp_path.iterdir()):
        words = [sys.executable, "-c", code, "job", "info", path]
        done = subprocess.run(words, capture_output=True, text=True, preexec_fn=lambda: limit_memory(1200 << 20))
        assert done.returncode == 1 and "a node would have more than 16 MiB" in done.stderr, (path, done.stderr)


def limit_memory(size):
    """A process that needs more is ended."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def test_who_waits_a_million_times_for_another_waits_once(tmp_path):
    (tmp_path / "again.0.et").write_bytes(trace(node(1, COMP), node(2, COMP, [1, 7] * 500_000)))
    code, counted, _ = told(tmp_path / "again.0.et")
    assert code == 0 and counted["data_deps"] == 2 and counted["dangling_deps"] == 1


def test_for_people_there_is_a_table():
    text = cli.invoke(app, ["job", "info", str(DATA / "ring_8")]).stdout
    assert "8 traces, 8 ranks" in text and "14" in text and "1.75 MiB" in text
    text = cli.invoke(app, ["job", "info", str(DATA / "all_reduce_4" / "all_reduce.0.et")]).stdout
    assert "ALL_REDUCE=1" in text
