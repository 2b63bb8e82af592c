"""Execution traces as jobs, and the reports of jobs."""

import json

import pytest
from typer.testing import CliRunner

import congestree
from congestree.applications import job_report
from congestree.cli import app
from congestree.errors import ScenarioError

from .test_traces import COLL, COMP, DATA, RECV, SEND, field, node, trace, varint

RATE, DELAY, FORWARDING, MTU, HEADER = 100e9, 100e-9, 200e-9, 4096, 64
WAY = 2 * DELAY + FORWARDING
ALL_GATHER, BROADCAST, ALL_TO_ALL = 2, 5, 6
cli = CliRunner()


def scenario(traces, hosts=8, chakra=None, job=None, **more):
    """A job on one switch; all that the formulas below need."""
    program = {"chakra": {"traces": [str(path) for path in traces], **(chakra or {})}}
    return {
        "topology": {"single-switch": {"hosts": hosts}},
        "links": {"rate": "100 Gbit/s", "delay": "100 ns", "flow_control": {"byte-credits": {}}},
        "switches": {"buffer": "256 KiB", "forwarding_delay": "200 ns"},
        "adapters": {"mtu": "4 KiB", "header": "64 B"},
        "traffic": [{"name": "job", "from": "all", "program": program, **({"job": job} if job else {})}],
        "measure": {"duration": "1 s", "until_jobs_end": True},
        **more,
    }


def sent(size):
    """Time of a message on a link."""
    return (size + HEADER * -(-size // MTU)) * 8 / RATE


def written(folder, *ranks):
    """Traces of ranks, each a list of nodes."""
    for rank, nodes in enumerate(ranks):
        (folder / f"t.{rank}.et").write_bytes(trace(*nodes))
    return [folder]


def completion(*args, **more):
    return congestree.run(scenario(*args, **more)).jobs["completion"][0]


def test_a_collective_takes_the_time_of_its_algorithm():
    run = congestree.run(scenario([DATA / "all_reduce_4"], chakra={"library": {"chunk": "1 MiB"}}))
    assert run.jobs["ranks"][0] == 4
    assert run.jobs["completion"][0] == pytest.approx(6 * (WAY + sent((1 << 20) // 4)), rel=0.01)
    step = run.steps.row(0, named=True)
    assert (step["operation"], step["bytes"], step["ranks"], step["started"]) == ("all-reduce", 1 << 20, 4, 0.0)
    assert step["time"] == run.jobs["completion"][0]


def test_a_ring_written_out_sends_and_computes_in_turn():
    """14 steps of 128 KiB; in the first seven a rank adds for 7 us the data that has arrived."""
    run = congestree.run(scenario([DATA / "ring_8"]))
    assert run.jobs["completion"][0] == pytest.approx(14 * (WAY + sent(131072)) + 7 * 7e-6, rel=0.01)
    assert run.ranks["computing"].to_list() == pytest.approx([49e-6] * 8)
    exposed = run.jobs["completion"][0] - 49e-6
    assert max(run.ranks["exposed"]) == pytest.approx(exposed, rel=1e-9)


def test_one_trace_for_all_and_parts_of_a_rank(tmp_path):
    """An all-gather's size is that of the part of a rank."""
    written(tmp_path, [node(1, COMP, duration=5), node(2, COLL, [1], comm_type=ALL_GATHER, comm_size=65536)])
    took = completion([tmp_path], job={"ranks": 8}, chakra={"library": {"chunk": "1 MiB"}})
    assert took == pytest.approx(5e-6 + 7 * (WAY + sent(65536)), rel=0.01)


def test_a_collective_of_which_nothing_is_known_holds_up_no_other(tmp_path):
    """Next to one that was recorded for 5 us the other begins at once."""
    nodes = [node(1, COLL, duration=5), node(2, COLL, comm_type=ALL_GATHER, comm_size=64)]
    run = congestree.run(scenario(written(tmp_path, nodes, nodes)))
    assert run.steps["started"][0] == 0.0 and run.steps["finished"][0] < 2e-6
    assert run.jobs["completion"][0] == pytest.approx(5e-6)


def test_dependencies_on_what_comes_later_and_on_nothing(tmp_path):
    written(tmp_path, [node(1, COMP, [2, 99], duration=3), node(2, COMP, duration=4)], [node(1, COMP, duration=1)])
    assert completion([tmp_path]) == pytest.approx(7e-6)


def test_a_cycle_of_control_dependencies_is_none_where_only_data_counts(tmp_path):
    """With a dependency on what comes later as well, for which the trace is read once more."""
    cycle = [node(1, COMP, duration=3) + field(4, varint(2)), node(2, COMP, [1], duration=4)]
    written(tmp_path, [*cycle, node(3, COMP, [4], duration=5), node(4, COMP, duration=1)])
    with pytest.raises(ScenarioError, match='run the trace with order = "data"'):
        congestree.check(scenario([tmp_path]))
    assert completion([tmp_path], chakra={"order": "data"}) == pytest.approx(13e-6)


@pytest.mark.parametrize("duration", [10**12 + 1, 18446744073710, 2**63])
def test_a_computation_longer_than_the_clock_is_refused(tmp_path, duration):
    """In picoseconds it had wrapped around to almost nothing."""
    written(tmp_path, [node(7, COMP, duration=duration)], [node(1, COMP, duration=1)])
    with pytest.raises(ScenarioError, match=r"node 7(.|\n)*it takes longer than 11 days"):
        congestree.check(scenario([tmp_path]))


def test_a_message_larger_than_any_run_could_send_is_refused(tmp_path):
    written(tmp_path, [node(7, SEND, comm_src=0, comm_dst=1, comm_size=10**15 + 1)], [])
    with pytest.raises(ScenarioError, match=r"comm_size is 1000000000000001 B, more than 10\^15 B"):
        congestree.check(scenario([tmp_path]))


def test_a_roofline_where_no_duration_is_given(tmp_path):
    nodes = [node(1, COMP, num_ops=4_000_000, tensor_size=1000), node(2, COMP, num_ops=8, tensor_size=1_000_000)]
    written(tmp_path, nodes, nodes)
    chakra = {"teraflops": 1, "memory_rate": "1000 Gbit/s"}
    assert completion([tmp_path], chakra=chakra) == pytest.approx(4e-6 + 8e-6)
    assert completion([tmp_path]) == 0.0


def test_stragglers_take_longer(tmp_path):
    written(tmp_path, [node(1, COMP, duration=10)], [node(1, COMP, duration=10)])
    run = congestree.run(scenario([tmp_path], job={"stragglers": [{"ranks": [1], "factor": 1.5}]}))
    assert run.ranks["completion"].to_list() == pytest.approx([10e-6, 15e-6])


def test_groups_do_their_own_collectives(tmp_path):
    group = [node(1, COLL, comm_type=ALL_TO_ALL, comm_size=80_000)]
    written(tmp_path, *[group] * 4)
    named = {name.name: name for name in tmp_path.iterdir()}
    for rank in range(4):
        body = node(1, COLL, comm_type=ALL_TO_ALL, comm_size=80_000)
        pg = f"g{rank % 2}".encode()
        text = b"\x0a\x07pg_name\xea\x01" + bytes([len(pg)]) + pg
        named[f"t.{rank}.et"].write_bytes(trace(body + b"\x52" + bytes([len(text)]) + text))
    run = congestree.run(scenario([tmp_path]))
    assert run.steps["ranks"].to_list() == [2, 2]
    assert run.jobs["completion"][0] == pytest.approx(WAY + sent(40_000), rel=0.01)


@pytest.mark.parametrize("ending", [".et", ".json"])
def test_groups_may_be_named_by_numbers(tmp_path, ending):
    paths = [tmp_path / f"t.{rank}{ending}" for rank in range(4)]
    for rank, path in enumerate(paths):
        if ending == ".et":
            path.write_bytes(trace(node(1, COLL, comm_type=0, comm_size=1000, pg_name=rank // 2)))
        else:
            path.write_text(json.dumps({"nodes": [collective(comm_type=0, comm_size=1000, pg_name=rank // 2)]}))
    run = congestree.run(scenario(paths))
    assert run.steps["ranks"].to_list() == [2, 2]
    # By number, too, may the members of a group be given.
    both = congestree.run(scenario(paths, chakra={"groups": {"0": [0, 1], "1": [3, 2]}}))
    assert both.steps["ranks"].to_list() == [2, 2]


def test_a_group_that_no_collective_of_the_traces_names_is_refused(tmp_path):
    """What was written for it had no effect: the ranks that use the name of the traces were the group."""
    paths = [tmp_path / f"t.{rank}.json" for rank in range(4)]
    for rank, path in enumerate(paths):
        path.write_text(json.dumps({"nodes": [collective(comm_type=0, comm_size=9, pg_name=f"tensor{rank // 2}")]}))
    for name, remedy in [
        ("tenser0", "did you mean `tensor0`?"),
        ("data", "leave it out, or name one of tensor0, tensor1"),
    ]:
        with pytest.raises(ScenarioError) as caught:
            congestree.check(scenario(paths, chakra={"groups": {name: [0, 1]}}))
        (complaint,) = caught.value.complaints
        assert complaint["path"] == f"traffic.0.program.chakra.groups.{name}"
        assert complaint["fact"] == f"no collective of the traces is one of the group `{name}`"
        assert complaint["remedy"].startswith(remedy)
    for path in paths:
        path.write_text(json.dumps({"nodes": [collective(comm_type=0, comm_size=9)]}))
    with pytest.raises(ScenarioError, match="leave it out: the traces name no group"):
        congestree.check(scenario(paths, chakra={"groups": {"data": [0, 1]}}))


def collective(**said):
    """A node of a trace in JSON."""
    return {"id": 1, "name": "c", "type": COLL, **said}


@pytest.mark.parametrize("name", ["ALL_REDUCE", "AllReduce", "allreduce", "all-reduce", "0", 0])
def test_operations_may_be_spelled_as_recorders_do(tmp_path, name):
    paths = [tmp_path / f"t.{rank}.json" for rank in range(2)]
    for path in paths:
        path.write_text(json.dumps({"nodes": [collective(comm_type=name, comm_size=1000)]}))
    assert congestree.run(scenario(paths)).steps["operation"].to_list() == ["all-reduce"]


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ({"comm_type": "AllSum"}, 'comm_type is "AllSum", which is no collective operation'),
        ({"comm_type": True}, "comm_type is true, which is no collective operation"),
        ({"comm_type": 0, "pg_name": [1]}, "pg_name is a value of another kind, not the name of a process group"),
        ({"comm_type": 0, "comm_size": -1}, "comm_size is -1, not a number of bytes"),
        ({"type": "FOO_NODE"}, "its type is none of the schema"),
    ],
)
def test_what_a_node_says_that_is_not_understood_is_refused(tmp_path, said, fact):
    (tmp_path / "t.0.json").write_text(json.dumps({"nodes": [collective(**said)]}))
    with pytest.raises(ScenarioError) as caught:
        congestree.check(scenario([tmp_path / "t.0.json"], job={"ranks": 2}))
    assert f"node 1: {fact}" in str(caught.value)


def test_a_root_that_no_operation_needs_is_not_looked_at(tmp_path):
    (tmp_path / "t.0.json").write_text(json.dumps({"nodes": [collective(comm_type=0, comm_size=9, root=7)]}))
    assert congestree.check(scenario([tmp_path / "t.0.json"], job={"ranks": 2}))


@pytest.mark.parametrize(
    ("ranks", "fact", "remedy"),
    [
        ([[node(1, COMP, [2]), node(2, COMP, [1])]], "wait for each other in a cycle", "take one of their"),
        (
            [[node(1, SEND, comm_dst=1, comm_size=9)], [node(1, COMP)]],
            "rank 0 sends to rank 1, which receives nothing from it",
            "add a receive from rank 0",
        ),
        (
            [[node(1, RECV, comm_src=1, comm_size=9)], [node(1, COMP)]],
            "rank 0 waits for a message with tag 0 from rank 1, which never sends it",
            "add a send to rank 0",
        ),
        ([[node(1, SEND, comm_dst=7, comm_size=9)], [node(1, COMP)]], "comm_dst is 7", "give the traces of all"),
        ([[node(1, SEND, comm_size=9)], [node(1, COMP)]], "comm_dst is missing", "give it"),
        (
            [[node(1, COLL, comm_type=0, comm_size=9)], [node(1, COLL, comm_type=6, comm_size=9)]],
            "collective 0 of all ranks is ALL_TO_ALL of 9 B at rank 1 and ALL_REDUCE of 9 B at rank 0",
            "record the traces in one run",
        ),
        (
            [[node(1, COLL, comm_type=0, comm_size=9)], [node(1, COMP)]],
            "rank 1 takes part in 0 collectives of all ranks, rank 0 in 1",
            "give complete traces",
        ),
        (
            [[node(1, COLL, comm_type=77, comm_size=9)], [node(1, COMP)]],
            "node 1: comm_type is 77, which is no collective operation of the schema",
            "a number from 0 to 9",
        ),
        (
            [[node(1, COLL, comm_type=0, comm_size=2**64 - 5)], [node(1, COMP)]],
            "node 1: comm_size is -5, not a number of bytes",
            "that is not negative",
        ),
        ([[node(3, 99, duration=5)]], "node 3: its type is none of the schema", "such as COMP_NODE"),
        (
            [[node(1, COLL, comm_type=BROADCAST, comm_size=9, root=9)]] * 2,
            "collective 0 of all ranks is BROADCAST, whose root is 9, and there are 2 ranks",
            "name a rank of the group",
        ),
        (
            # Each waits for the other before it sends what the other waits for.
            [
                [node(1, RECV, comm_src=1, comm_size=9), node(2, SEND, [1], comm_dst=1, comm_size=9)],
                [node(1, RECV, comm_src=0, comm_size=9), node(2, SEND, [1], comm_dst=0, comm_size=9)],
            ],
            "rank 0 would wait for ever for",
            "in one order",
        ),
    ],
)
def test_what_could_never_run_is_told_once(tmp_path, ranks, fact, remedy):
    with pytest.raises(ScenarioError) as caught:
        congestree.check(scenario(written(tmp_path, *ranks)))
    (complaint,) = caught.value.complaints
    assert complaint["path"] == "traffic.0.program.chakra.traces" and str(tmp_path) in complaint["fact"]
    assert fact in complaint["fact"] and remedy in complaint["remedy"]


def test_a_cut_trace_a_missing_rank_and_no_trace(tmp_path):
    (tmp_path / "t.0.et").write_bytes(trace(node(1, COMP), node(2, COMP))[:-3])
    for name, told in [("t.0.et", "cut in the middle"), ("t.7.et", "there is no such file")]:
        with pytest.raises(ScenarioError, match=told):
            congestree.check(scenario([tmp_path / name]))
    (tmp_path / "t.2.et").write_bytes(trace(node(1, COMP)))
    with pytest.raises(ScenarioError, match="no trace of rank 1"):
        congestree.check(scenario([tmp_path]))
    (tmp_path / "empty").mkdir()
    with pytest.raises(ScenarioError, match="there is no trace in"):
        congestree.check(scenario([tmp_path / "empty"]))


def test_a_scenario_file_names_traces_beside_it(tmp_path):
    written(tmp_path, [node(1, COMP, duration=3)], [node(1, COMP, duration=4)])
    text = json.dumps(scenario(["t.0.et", "t.1.et"]))
    (tmp_path / "job.json").write_text(text)
    assert congestree.run(tmp_path / "job.json").jobs["completion"][0] == pytest.approx(4e-6)
    (tmp_path / "job.json").write_text(text.replace("t.0.et", "../t.0.et"))
    with pytest.raises(ScenarioError, match="outside the folder"):
        congestree.check(tmp_path / "job.json")


def test_a_report_tells_the_slowdown_and_the_link():
    """Four ranks on a switch; four hosts of the other switch send to the host of rank 1 through one link."""
    told = scenario([DATA / "all_reduce_4"], hosts=8, chakra={"library": {"chunk": "1 MiB"}})
    hosts = congestree.network(told)["hosts"]
    told["traffic"][0]["from"] = hosts[:4]
    told["traffic"].append({"name": "others", "from": hosts[4:], "to": hosts[1], "arrivals": "greedy"})
    report = job_report.report(told)
    (job,) = report["jobs"]
    alone = 6 * (WAY + sent((1 << 20) // 4))
    assert job["alone"] == pytest.approx(alone, rel=0.01) and job["ideal"] == pytest.approx(alone, rel=0.01)
    assert job["slowdown"] > 2 and job["slowdown"] == pytest.approx(job["slowdown_ideal"])
    assert job["computing"] == 0 and job["exposed_share"] == pytest.approx(1)
    (group,) = job["steps"]
    assert (group["operation"], group["steps"]) == ("all-reduce", 1)
    held = job["held_by"]
    assert held["lost"] == pytest.approx(held["time"] - held["ideal"])
    assert held["link"]["name"].endswith(f"->{hosts[1]}")
    assert report["explain"]


def test_a_step_without_a_name_of_its_own_is_told_once(tmp_path):
    """Not "held by all-reduce all-reduce"."""
    path = tmp_path / "job.json"
    told = scenario([DATA / "all_reduce_4"], hosts=8, chakra={"library": {"chunk": "1 MiB"}})
    hosts = congestree.network(told)["hosts"]
    ring = {"operation": "all-reduce", "algorithm": "ring", "bytes": "1 MiB"}
    told["traffic"] = [{"name": "ring", "from": hosts[:4], "job": {"ranks": 4}, "program": {"collective": ring}}]
    told["traffic"].append({"name": "others", "from": hosts[4:], "to": hosts[1], "arrivals": "greedy"})
    path.write_text(json.dumps(told))
    said = cli.invoke(app, ["job", "report", str(path)])
    assert said.exit_code == 0, said.output
    (line,) = (line for line in said.stdout.splitlines() if line.startswith("held by  "))
    assert line.split() == ["held", "by", "all-reduce,", "step", "0", "of", "round", "0"]


def test_the_command_tells_it_in_words_and_as_json(tmp_path):
    path = tmp_path / "job.json"
    (tmp_path / "traces").mkdir()
    for trace_ in (DATA / "all_reduce_4").iterdir():
        (tmp_path / "traces" / trace_.name).write_bytes(trace_.read_bytes())
    path.write_text(json.dumps(scenario(["traces"])))
    said = cli.invoke(app, ["job", "report", str(path)])
    assert said.exit_code == 0 and "slowdown 1.000" in said.stdout and "all-reduce" in said.stdout
    facts = json.loads(cli.invoke(app, ["job", "report", str(path), "--json"]).stdout)
    assert facts["jobs"][0]["slowdown"] == 1.0 and facts["jobs"][0]["held_by"] is None


def test_round_robin_uses_all_hosts():
    """However many ranks a host may have."""
    run = congestree.run(scenario([DATA / "ring_8"], hosts=4, job={"placement": "round-robin", "per_host": 4}))
    assert run.ranks["host"].to_list() == 2 * congestree.network(run.scenario)["hosts"]


def test_given_hosts_have_no_more_ranks_than_are_allowed():
    job = {"per_host": 1, "placement": {"given": {"hosts": ["H1", "H2", "H1", "H3"]}}}
    with pytest.raises(ScenarioError, match="`H1` has more ranks than job") as caught:
        congestree.check(scenario([DATA / "all_reduce_4"], job=job))
    assert "traffic.0.job.placement.given.hosts.2" in str(caught.value)
    congestree.check(scenario([DATA / "all_reduce_4"], job={**job, "per_host": 2}))


@pytest.mark.parametrize("placement", ["linear", "round-robin", "random", {"by-rail": {"node": 4}}])
def test_placements_give_every_rank_a_host_of_its_own(placement):
    run = congestree.run(scenario([DATA / "all_reduce_4"], job={"placement": placement}))
    hosts = run.ranks["host"].to_list()
    assert len(set(hosts)) == 4
    if placement == {"by-rail": {"node": 4}}:
        assert hosts == [congestree.network(run.scenario)["hosts"][i] for i in (0, 4, 1, 5)]


def attributes(**values):
    """As protobuf writes them in JSON with the names of its own files."""
    return [{"name": name, "doc_string": "", "int64_val": str(value)} for name, value in values.items()]


def test_attributes_in_json_may_have_descriptions_and_any_kind_of_integer(tmp_path):
    """A collective of 100,000 B, and beside it two computations, one of them on the host's own processor."""
    nodes = [
        {"id": 1, "name": "all", "type": "COMM_COLL_NODE", "attr": attributes(comm_type=0, comm_size=100_000)},
        {"id": 2, "name": "one", "type": "COMP_NODE", "durationMicros": 50, "attr": attributes(is_cpu_op=1)},
        {"id": 3, "name": "two", "type": "COMP_NODE", "durationMicros": 50, "attr": attributes(is_cpu_op=0)},
    ]
    paths = [tmp_path / f"x.{rank}.json" for rank in range(2)]
    for path in paths:
        path.write_text(json.dumps({"nodes": nodes}))
    ranks = congestree.run(scenario(paths)).ranks
    assert (ranks["bytes"] >= 100_000).all() and ranks["finished"].to_list() == pytest.approx([50e-6] * 2)
