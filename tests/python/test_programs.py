"""Binary GOAL and VEF traces: written by hand from their published descriptions, read, run, cut and damaged."""

import struct
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import congestree
from congestree.applications import jobs
from congestree.errors import CongestreeError, ScenarioError
from congestree.formats import programs

as_goal = partial(programs.as_goal, made=jobs._made)
CHAIN = "VEF 2 2000 0 0 0 FALSE\n0 0 1 1 0 0 -1\n" + "".join(f"{n} 0 1 1 1 0.4 {n - 1}\n" for n in range(1, 2000))

OPERATION = struct.Struct("<IbIQIBBIIII")


def packed(*ranks):
    """A binary schedule; a rank: its operations (waits, kind, peer, size, tag, cpu, nic, ends, starts) as lists."""
    parts = []
    for operations in ranks:
        appendix, rows = [], b""
        for needs, kind, peer, size, tag, cpu, nic, ends, starts in operations:
            places = (len(ends), len(appendix), len(starts), len(appendix) + len(ends))
            rows += OPERATION.pack(needs, kind, peer, size, tag, cpu, nic, *places)
            appendix += [*ends, *starts]
        free = [k for k, one in enumerate(operations) if one[0] == 0]
        words = [len(operations), len(free), *free]
        parts.append(struct.pack(f"<{len(words)}I", *words) + rows + struct.pack(f"<{len(appendix)}I", *appendix))
    place, jumps = 6 + 16 * len(ranks), b""
    for part in parts:
        jumps += struct.pack("<QQ", place, place + len(part))
        place += len(part)
    return struct.pack("<QIBB", 4223, len(ranks), 1, 0) + jumps + b"".join(parts)


ANY = 2**32 - 1
PAIR = packed(
    [(0, 3, 0, 1500, 0, 1, 0, [1], []), (1, 1, 1, 100_000, 7, 0, 0, [], []), (0, 2, ANY, 8, ANY, 0, 0, [], [])],
    [(0, 2, 0, 100_000, 7, 0, 0, [1], []), (1, 1, 0, 8, 8, 0, 0, [], [2]), (1, 3, 0, 3, 0, 0, 0, [], [])],
)  # fmt: skip
AS_TEXT = """num_ranks 2
rank 0 { l0: calc 1500 cpu 1; l1: send 100000b to 1 tag 7; l1 requires l0; l2: recv 8b from -1 tag -1 }
rank 1 { l0: recv 100000b from 0 tag 7; l1: send 8b to 0 tag 8; l1 requires l0; l2: calc 3; l2 irequires l1 }
"""


def test_a_binary_schedule_is_its_text(tmp_path):
    (tmp_path / "pair.bin").write_bytes(PAIR)
    (tmp_path / "pair.goal").write_text(AS_TEXT)
    frame, facts = jobs.read_whole(tmp_path / "pair.bin")
    assert frame.equals(jobs.read(tmp_path / "pair.goal"))
    assert (facts["messages"], facts["never_finished"]) == (2, 0)


def test_what_is_written_is_what_the_format_says(tmp_path):
    """The same bytes as made by hand, and any program reads back."""
    jobs.write(jobs.parse(AS_TEXT)[0], tmp_path / "pair.bin")
    assert (tmp_path / "pair.bin").read_bytes() == PAIR
    frame, _ = jobs.parse(jobs.make("all-reduce-doubling", 6, bytes="10 KiB"))
    jobs.write(frame, tmp_path / "sum.bin")
    assert jobs.read(tmp_path / "sum.bin").equals(frame)


def test_a_binary_schedule_takes_what_the_simulator_has_used_up():
    with pytest.raises(CongestreeError, match=r"was used up by a simulation.*with txt2bin"):
        as_goal((2342).to_bytes(8, "little") + PAIR[8:], "used.bin")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (PAIR[:10], "ends within its head"),
        (PAIR[:40], "no room for the places of 2 ranks"),
        (PAIR[:-1], "rank 1 stands from byte .* the file is cut"),
        (packed([(2, 3, 0, 5, 0, 0, 0, [], [])]), "operation 0 is to wait for 2, and 0 name it"),
        (packed([(0, 3, 0, 5, 0, 0, 0, [9], [])]), "operation 9 follows operation 0, and there are 1"),
        (packed([(0, 7, 0, 5, 0, 0, 0, [], [])]), "operation 0 is of kind 7; 1 is send"),
        (PAIR[:58] + b"\1" + PAIR[59:], "lists 2 operations that wait for nothing, which are not the 2 that do"),
    ],
)  # fmt: skip
def test_a_damaged_schedule_is_told_with_place_and_remedy(changed, said):
    with pytest.raises(CongestreeError, match=said) as told:
        as_goal(changed, "x.bin")
    assert str(told.value).startswith("x.bin") and "txt2bin" in str(told.value)


def test_ranks_that_nobody_receives_from_and_cycles_are_told(tmp_path, congestree_cli):
    (tmp_path / "lost.bin").write_bytes(packed([(0, 1, 1, 10, 0, 0, 0, [], [])], [(0, 2, 0, 10, 5, 0, 0, [], [])]))
    done = congestree_cli("goal", "read", str(tmp_path / "lost.bin"), code=1)
    assert "rank 1 waits for" in done.stderr
    cycle = packed([(1, 3, 0, 1, 0, 0, 0, [1], []), (1, 3, 0, 1, 0, 0, 0, [0], [])])
    (tmp_path / "cycle.bin").write_bytes(cycle)
    with pytest.raises(ScenarioError, match="wait for each other in a cycle"):
        jobs.read(tmp_path / "cycle.bin")


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_bytes_that_flip_are_read_or_told(data):
    """Nothing but a result or one sentence, wherever the damage is."""
    damaged = bytearray(PAIR)
    for _ in range(data.draw(st.integers(1, 3))):
        damaged[data.draw(st.integers(8, len(PAIR) - 1))] = data.draw(st.integers(0, 255))
    try:
        jobs.parse(as_goal(bytes(damaged), "x.bin")[0])
    except (CongestreeError, ScenarioError) as error:
        assert str(error)


TRACE = """VEF 3 4 2 3 8 FALSE
C0 0 1 2
C1 2 0
0 0 1 10000 0 0 -1
1 1 0 64 2 500 0
2 0 1 4096 1 250.4 0
G0 0 2 0 8192 8192 2 100 1
G0 0 2 1 8192 8192 2 0 2
G0 0 2 2 8192 8192 0 3000 -1
3 2 1 777 3 40 G0
G1 1 3 2 600 0 3 0 G0
G1 1 3 0 300 900 3 0 G0
G2 0 6 0 0 0 3 0 G1
G2 0 6 1 0 0 2 0 3
G2 0 6 2 0 0 3 10 G1
"""


def goal_of(text):
    return jobs.parse(as_goal(text.encode(), "t.vef")[0])


def test_a_trace_is_a_program_whose_every_operation_ends():
    frame, facts = goal_of(TRACE)
    assert facts["ranks"] == 3 and facts["never_finished"] == 0 and facts["never_received"] == 0
    plain = frame.filter((frame["tag"] >= 0) & (frame["tag"] < 2**31) & (frame["kind"] == "send"))
    assert sorted(plain.select("rank", "peer", "bytes", "tag").rows()) == [
        (0, 1, 4096, 2),
        (0, 1, 10000, 0),
        (1, 0, 64, 1),
        (2, 1, 777, 3),
    ]
    inside = frame.filter((frame["tag"] >= 2**31) & (frame["kind"] == "send"))
    ring = 2 * (3 - 1) * 8192  # an all-reduce over a ring of three: each sends 2 (n - 1)/n of its vector
    assert inside["bytes"].sum() == pytest.approx(
        ring + 600, rel=0.01
    )  # and a gather of 600 B; the barrier sends nothing


def test_delays_are_those_of_the_trace(tmp_path):
    """On an idle network: a reply is sent 500 ns after the arrival of its message, and the third 1 us after time 0."""
    (tmp_path / "t.vef").write_text(
        "VEF 2 3 0 0 0 FALSE\n7 0 1 1000 0 200 -1\n8 1 0 1000 2 500 7\n9 0 1 1000 0 1000 -1\n"
    )
    jobs.write(jobs.read(tmp_path / "t.vef"), tmp_path / "t.goal")
    scenario = {
        "topology": {"single-switch": {"hosts": 2}},
        "links": {"rate": "8 Gbit/s", "delay": "10 ns"},
        "traffic": [{"name": "t", "from": "all", "program": {"goal": str(tmp_path / "t.goal")}}],
        "measure": {"duration": "1 ms", "until_jobs_end": True, "probes": ["messages"]},
    }
    run = congestree.run(scenario)
    rows = {row["tag"]: row for row in run.messages.iter_rows(named=True)}
    assert rows[7]["sent"] == pytest.approx(200e-9) and rows[9]["sent"] == pytest.approx(1e-6)
    assert rows[8]["sent"] == pytest.approx(rows[7]["delivered"] + 500e-9)


def test_delays_that_are_no_whole_nanoseconds_are_exact_in_tables_and_told_of_goal_files(tmp_path, congestree_cli):
    (tmp_path / "frac.vef").write_text(CHAIN)
    frame, facts = jobs.read_whole(tmp_path / "frac.vef")
    assert frame["time"].sum() == pytest.approx(1999 * 0.4e-9) == facts["computing_s"]
    said = congestree_cli("goal", "read", "frac.vef", "--out", "frac.csv")
    assert "rounded" not in said.stderr and jobs.read(tmp_path / "frac.csv").equals(frame)
    said = congestree_cli("goal", "read", "frac.vef", "--out", "frac.goal")
    assert "note: computations are rounded to whole nanoseconds, as GOAL has them: 1,999 of 1,999" in said.stderr


def test_halves_of_nanoseconds_are_rounded_up_and_given_times_do_not_drift():
    lines = "".join(f"{n} 0 1 1 0 {n}.5 -1\n" for n in range(4)) + "4 0 1 1 1 2.5 3\n"
    frame, _ = goal_of(f"VEF 2 5 0 0 0 FALSE\n{lines}")
    lengths = frame.filter(frame["kind"] == "calc").sort("cpu")["time"].to_list()
    assert lengths == pytest.approx([1e-9] * 4 + [3e-9]), "a clock of 1, 2, 3 and 4 ns, and a delay"


def test_collectives_of_unlike_parts_send_what_the_trace_says():
    frame, _ = goal_of(
        "VEF 3 0 1 3 9 TRUE\nC0 0 1 2\n"
        + "".join(f"G0 0 5 {r} {100 * (r + 1)} 600 0 0 -1\n" for r in range(3))
        + "".join(f"G1 0 4 {r} {60 if r == 1 else 0} {10 * (r + 1)} 3 0 G0\n" for r in range(3))
        + "".join(f"G2 0 7 {r} 30 {r % 2} 3 0 G1\n" for r in range(3))
    )
    sent = frame.filter(frame["kind"] == "send").group_by("tag", "rank").agg("bytes").sort("tag", "rank")
    assert [sorted(row) for row in sent["bytes"].to_list()] == [
        [100, 100], [200, 200], [300, 300], [10, 30], [30, 30], [10, 10], [30, 30]
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("VEF 3 4", "VEF 3 5", "line 1: it promises 5 messages, and there are 4.*cut"),
        ("3 8 FALSE", "3 9 FALSE", "it promises 9 parts of collectives, and there are 8"),
        (
            "G2 0 6 2 0 0 3 10 G1\n",
            "G2 0 6 2 0",
            "line 15: the part of a rank in a collective has 9 fields, this line 5",
        ),
        ("VEF 3", "VEF 0", "there are no ranks"),
        ("C1 2 0", "C1 2 5", "line 3: '5' is no rank"),
        ("1 1 0 64", "0 1 0 64", "message 0 stands in line 4 already"),
        ("64 2 500 0", "64 2 500 9", "there is no message 9"),
        ("64 2 500 0", "64 1 500 0", "rank 1 cannot wait until it sends message 0: rank 0 does"),
        ("64 2 500 0", "64 4 500 0", "'4' is no kind of dependency"),
        ("250.4", "-3", "'-3' is no time"),
        ("G0 0 2 1", "G0 0 1 1", "G0 was all-reduce of C0 in line 7, and is reduce of C0"),
        ("G0 0 2 1 8192 8192", "G0 0 2 1 8192 8191", "ranks sum vectors of different lengths"),
        ("G1 1 3 0", "G1 1 3 1", "rank 1 is not in C1"),
        ("G2 0 6 1 0 0 2 0 3", "3 0 1 5 0 0 -1", "message 3 stands in line"),
        ("777 3 40 G0", "777 3 40 G7", "rank 2 takes no part in G7"),
    ],
)
def test_a_damaged_trace_is_told_with_line_and_remedy(old, new, said):
    assert old in TRACE
    with pytest.raises(CongestreeError, match=said) as told:
        goal_of(TRACE.replace(old, new, 1))
    assert str(told.value).startswith("t.vef, line")


def test_a_rank_that_is_missing_from_a_collective_is_named():
    text = TRACE.replace("G0 0 2 1 8192 8192 2 0 2\n", "").replace(" 3 8 F", " 3 7 F")
    with pytest.raises(CongestreeError, match="rank 1 of C0 never takes part in G0"):
        goal_of(text)


def test_ranks_that_wait_for_each_other_never_finish():
    _, facts = goal_of("VEF 2 2 0 0 0 FALSE\n0 0 1 10 2 0 1\n1 1 0 10 2 0 0\n")
    assert facts["never_finished"] == 4 and facts["waiting"]


def test_lines_of_any_kind_of_space_are_empty():
    assert goal_of(TRACE + "\n\x1f\n \x0b\t\n")[1] == goal_of(TRACE)[1]


@settings(max_examples=80, deadline=None)
@given(st.integers(0, len(TRACE)), st.integers(0, len(TRACE)), st.text("0123456789GCVEF -.\n", max_size=6))
def test_a_trace_with_a_piece_taken_out_is_read_or_told(first, last, instead):
    text = TRACE[: min(first, last)] + instead + TRACE[max(first, last) :]
    try:
        jobs.parse((as_goal(text.encode(), "t.vef") or ("num_ranks 1\n",))[0])
    except (CongestreeError, ScenarioError) as error:
        assert str(error)
