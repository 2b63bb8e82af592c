"""Mixtures of experts and training jobs, made from a short description, take the time of their formulas."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import polars
import pytest
from typer.testing import CliRunner

import congestree
from congestree import job_make
from congestree.cli import app
from congestree.errors import AskedError, ScenarioError

RATE, DELAY, FORWARDING, MTU, HEADER = 100e9, 100e-9, 200e-9, 4096, 64
WAY = 2 * DELAY + FORWARDING
ROUTING = Path(__file__).parents[3] / "shared" / "data" / "moe"
cli = CliRunner()


def sent(size):
    """Time of a message on a link."""
    return (size + HEADER * -(-size // MTU)) * 8 / RATE


def scenario(program, hosts=8, job=None, **adapters):
    return {
        "topology": {"single-switch": {"hosts": hosts}},
        "links": {"rate": "100 Gbit/s", "delay": "100 ns", "flow_control": {"byte-credits": {}}},
        "switches": {"buffer": "256 KiB", "forwarding_delay": "200 ns"},
        "adapters": {"mtu": "4 KiB", "header": "64 B", **adapters},
        "traffic": [{"name": "job", "from": "all", "program": program, **({"job": job} if job else {})}],
        "measure": {"duration": "10 s", "until_jobs_end": True},
    }


def moe(routing, tokens=64, **more):
    return {"moe": {"tokens": tokens, "gate": routing, **more}}


def test_tokens_that_all_go_to_all_ranks_take_the_time_of_an_exchange():
    """As many experts as ranks, all of them chosen: 64 copies from each rank to each, there and back."""
    run = congestree.run(scenario(moe({"uniform": {"experts": 8, "chosen": 8}})))
    there, back = (WAY + 7 * sent(64 * size) for size in (7392, 14336))
    assert run.steps["operation"].to_list() == ["dispatch", "combine"]
    assert run.steps["bytes"].to_list() == [8 * 8 * 64 * 7392, 8 * 8 * 64 * 14336]
    assert run.jobs["completion"][0] == pytest.approx(there + back, rel=0.01)


def test_computation_goes_with_the_copies_that_came():
    run = congestree.run(scenario(moe({"uniform": {"experts": 8, "chosen": 8}}, compute="1 us")))
    assert run.ranks["computing"].to_list() == pytest.approx([8 * 64 * 1e-6] * 8)


def test_skew_makes_it_slower_and_one_copy_a_rank_faster():
    times = {}
    for name, routing, copies in [
        ("uniform", {"uniform": {"experts": 64, "chosen": 8}}, "each-expert"),
        ("once", {"uniform": {"experts": 64, "chosen": 8}}, "each-rank"),
        ("zipf", {"zipf": {"experts": 64, "chosen": 8, "exponent": 1.2}}, "each-expert"),
    ]:
        times[name] = congestree.run(scenario(moe(routing, copies=copies))).jobs["completion"][0]
    assert times["once"] < times["uniform"] < times["zipf"]


def captured(path, rows, experts=8):
    lines = [{"row_type": "header", "provenance": {"expert_count": experts}}]
    lines += [
        {"phase": phase, "routing": [{"layer_index": i, "expert_ids": ids} for i, ids in enumerate(layers)]}
        for phase, layers in rows
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_captured_routing_sends_what_it_says(tmp_path):
    """Two experts a rank, four ranks; every token of the prompt goes to experts 0 and 7, others to 2."""
    captured(tmp_path / "routing.jsonl", [("prefill", [[0, 7]]), ("decode", [[2]])])
    routing = {"captured": {"file": str(tmp_path / "routing.jsonl"), "phase": "prefill"}}
    run = congestree.run(scenario(moe(routing, tokens=10), hosts=4))
    assert run.steps["bytes"].to_list() == [4 * 10 * 2 * 7392, 4 * 10 * 2 * 14336]
    # Three ranks send ten copies to rank 0 and as many to rank 3.
    assert run.jobs["completion"][0] == pytest.approx(2 * WAY + sent(30 * 7392) + sent(30 * 14336), rel=0.02)


def bytes_to(run):
    """Payload of the first step, by the rank that receives it."""
    first = run.messages.filter(polars.col("sent") == 0)
    return dict(first.group_by("to").agg(polars.col("bytes").sum()).sort("to").iter_rows())


@pytest.mark.parametrize(
    ("routing", "owner"),
    [
        ([{"layer_index": 1, "expert_ids": [3]}, {"layer_index": 0, "expert_ids": [2]}], 2),
        ([{"layer_index": 7, "expert_ids": [3]}, {"layer_index": 4, "expert_ids": [1]}], 1),
        ([{"expert_ids": [3]}, {"expert_ids": [2]}], 3),
    ],
)
def test_layers_are_those_of_their_numbers(tmp_path, routing, owner):
    """Not those of their places in the list, unless no layer has a number."""
    rows = [{"expert_count": 4}, {"routing": routing}]
    (tmp_path / "routing.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    program = moe({"captured": {"file": str(tmp_path / "routing.jsonl")}}, tokens=1, layers=2, dispatch="100 B")
    told = scenario(program, hosts=4)
    told["measure"]["probes"] = ["messages"]
    assert bytes_to(congestree.run(told)) == {owner: 300}


def test_a_token_need_not_name_all_layers(tmp_path):
    """The second token names layer 1 only, and is no token of layer 0."""
    rows = [{"expert_count": 4}]
    rows += [{"routing": [{"layer_index": 0, "expert_ids": [0]}, {"layer_index": 1, "expert_ids": [3]}]}]
    rows += [{"routing": [{"layer_index": 1, "expert_ids": [3]}]}]
    (tmp_path / "routing.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    program = moe({"captured": {"file": str(tmp_path / "routing.jsonl")}}, tokens=2, dispatch="100 B")
    told = scenario(program, hosts=4)
    told["measure"]["probes"] = ["messages"]
    assert bytes_to(congestree.run(told)) == {0: 600}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no json", "line, |is not JSON"),
        ('{"routing": [{"expert_ids": [1]}]}', "does not say how many experts"),
        ('{"expert_count": 4}', "no token is routed"),
        ('{"expert_count": 4}\n{"routing": [{"expert_ids": [4]}]}', "names expert 4 of 4"),
        ('{"expert_count": 4}\n{"routing": [{"expert_ids": ["a"]}]}', "not a list of numbers"),
        (
            '{"expert_count": 4}\n{"routing": [{"layer_index": 0, "expert_ids": [1]}, {"expert_ids": [1]}]}',
            "layer_index is missing, which others have",
        ),
        ('{"expert_count": 4}\n{"routing": [{"layer_index": -1, "expert_ids": [1]}]}', "layer_index is not a number"),
        ('{"expert_count": 6}\n{"routing": [{"expert_ids": [4]}]}', "spread evenly over 4 ranks"),
    ],
)
def test_a_file_of_routing_that_makes_no_sense_is_told(tmp_path, text, told):
    (tmp_path / "routing.jsonl").write_text(text)
    with pytest.raises(ScenarioError, match=told):
        congestree.check(scenario(moe({"captured": {"file": str(tmp_path / "routing.jsonl")}}), hosts=4))


@pytest.mark.skipif(not ROUTING.exists(), reason="captured routing stands beside this checkout only where it is made")
def test_true_routing_is_skewed():
    """Within a layer the busiest expert has 2 to 4 times the mean; so has its rank, if each has one."""
    routing = {"captured": {"file": str(ROUTING / "granite_length_cap.jsonl")}}
    program = moe(routing, tokens=22, compute="1 us", dispatch="1 KiB", combine="1 KiB")
    run = congestree.run(scenario(program, hosts=32))
    work = run.ranks["computing"]
    assert 2 < work.max() / work.mean() < 4


def test_links_inside_nodes_carry_what_stays_inside():
    """An all-to-all of eight hosts in two nodes: three messages inside at 800 Gbit/s, four outside at 100."""
    program = {"collective": {"operation": "all-to-all", "bytes": "8 MiB"}}
    node = {"hosts": 4, "rate": "800 Gbit/s", "delay": "1 us"}
    run = congestree.run(scenario(program, node=node))
    assert run.jobs["completion"][0] == pytest.approx(WAY + 4 * sent(1 << 20), rel=0.01)
    alone = congestree.run(scenario(program, node=node, hosts=4))
    assert alone.jobs["completion"][0] == pytest.approx(3 * (2 << 20) * 8 / 800e9 + 1e-6, rel=0.01)
    assert run.manifest["packet_hops"] > 0 and alone.manifest["packet_hops"] == 0


@pytest.mark.parametrize(("end", "late"), [("left", 0), ("acknowledged", 2), ("delivered", 1)])
def test_a_send_inside_a_node_ends_when_it_is_said_to(end, late):
    """The link into rank 2 is taken by rank 0 for 10 us. What waits for the send of rank 1 begins after its own 8 us,
    or when the message is in, 18 us and a delay after the start, or one delay later.
    """
    text = (
        "num_ranks 3\nrank 0 { send 1000000b to 2 tag 0 }\n"
        "rank 1 { l1: send 800000b to 2 tag 1\nl2: calc 5000\nl2 requires l1 }\n"
        "rank 2 { recv 1000000b from 0 tag 0\nrecv 800000b from 1 tag 1 }"
    )
    node = {"hosts": 4, "rate": "800 Gbit/s", "delay": "3 us"}
    made = scenario({"text": text}, node=node, hosts=3, job={"send_end": end})
    if end == "acknowledged":
        made["traffic"][0]["window"] = 4
    run = congestree.run(made)
    begun = run.ranks["finished"][1] - 5e-6
    assert begun == pytest.approx(8e-6 if end == "left" else 18e-6 + late * 3e-6, abs=1e-12)


def training(parallel, microbatches=4, **model):
    return {
        "training": {
            "parallel": parallel,
            "model": {"layers": 4, "hidden": 1024, "sequence": 512, **model},
            "microbatches": microbatches,
            "teraflops": 100,
        }
    }


def layer(hidden=1024, tokens=512, teraflops=100):
    """Forward through a layer: 24 T h^2 + 4 T s h operations."""
    return (24 * tokens * hidden**2 + 4 * tokens * tokens * hidden) / (teraflops * 1e12)


def test_one_rank_computes_forward_and_twice_that_back():
    run = congestree.run(scenario(training({}), job={"ranks": 1}))
    assert run.jobs["completion"][0] == pytest.approx(4 * 4 * 3 * layer(), rel=1e-6)
    assert run.ranks["exposed"][0] == pytest.approx(0, abs=1e-12)


def test_a_pipeline_has_its_bubble():
    """(m + p - 1) forwards and backwards of a stage, and the activations on their way: 2 (p - 1) messages."""
    run = congestree.run(scenario(training({"pipeline": 4}), hosts=4))
    stage = 3 * layer()
    message = WAY + sent(512 * 1024 * 2)
    least = (4 + 3) * stage + 2 * 3 * message
    assert least * 0.999 < run.jobs["completion"][0] < least * 1.05 + 8 * message


def test_tensor_neighbours_sum_up_twice_a_layer_each_way():
    run = congestree.run(scenario(training({"tensor": 4}, microbatches=1), hosts=4))
    ring = 2 * 3 * (WAY + sent(512 * 1024 * 2 // 4))
    expected = 4 * 3 * layer() / 4 + 4 * 4 * ring
    assert run.jobs["completion"][0] == pytest.approx(expected, rel=0.05)
    assert run.ranks["exposed"][0] == pytest.approx(4 * 4 * ring, rel=0.05)


def test_gradients_hide_behind_computation_but_for_the_last_layer():
    run = congestree.run(scenario(training({"data": 2}, microbatches=1), hosts=2))
    gradient = 12 * 1024**2 * 2
    ring = 2 * (WAY + sent(gradient // 2))
    compute = 4 * 3 * layer()
    assert compute < run.jobs["completion"][0] < compute + 4 * ring
    assert run.steps["operation"].to_list() == ["all-reduce"] * 4


@pytest.mark.parametrize(
    ("parallel", "model", "told"),
    [
        ({"pipeline": 3}, {}, "4 layers cannot be cut into 3 stages"),
        ({"data": 4, "expert": 3}, {}, "4 data ranks cannot share experts by 3"),
        ({"data": 16}, {}, "do not fit on 8 hosts"),
    ],
)
def test_a_description_that_makes_no_sense_is_told(parallel, model, told):
    job = {"per_host": 1}
    with pytest.raises(ScenarioError, match=told):
        congestree.check(scenario(training(parallel, **model), job=job))


def test_a_scenario_is_made_from_a_short_description(tmp_path):
    out = tmp_path / "small.toml"
    words = "--data 2 --tensor 2 --pipeline 2 --layers 4 --hidden 512 --sequence 128 --microbatches 2 --teraflops 50"
    said = cli.invoke(app, ["job", "make", *words.split(), "--node", "2", "-o", str(out)])
    assert said.exit_code == 0, said.output
    run = congestree.run(out)
    assert run.jobs["ranks"][0] == 8 and run.jobs["completion"][0] > 0
    assert cli.invoke(app, ["job", "make", *words.split()]).stdout.startswith("# Made by")
    wrong = cli.invoke(app, ["job", "make", *words.replace("--layers 4", "--layers 3").split()])
    assert wrong.exit_code != 0 and "3 layers cannot be cut into 2 stages" in wrong.stderr
    with pytest.raises(AskedError, match="no placement"):
        job_make.training(layers=1, hidden=1, sequence=1, teraflops=1, placement="nowhere")


def test_a_job_that_does_not_fit_into_memory_is_written_with_a_note(tmp_path):
    """Its program would take 274 GiB. It was made before anything was written, and the process ended."""
    code = (
        "import resource\nresource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\n"
        "from congestree.runs import memory\nmemory.default_limit = lambda: 1 << 30\n"
        "from congestree.cli import main\nmain()"
    )
    words = "--layers 40 --hidden 12288 --sequence 2048 --teraflops 200 --tensor 8 --data 1024 --node 8"
    out = tmp_path / "big.toml"
    command = [sys.executable, "-c", code, "job", "make", *words.split(), "-o", str(out)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert said.stderr.startswith("note: this machine cannot run big: a program of about ")
    assert "of memory, and the limit is 1.00 GiB" in said.stderr
    assert congestree.Scenario.from_text(out.read_text()).traffic[0].job.ranks == 8192


@pytest.mark.parametrize("placement", ["linear", "round-robin", "random", "by-rail"])
@pytest.mark.parametrize(
    ("ranks", "node"), [(12, 4), (16, 8), (48, 8), (16, 4), (24, 8), (24, 4), (64, 8), (10, 4), (4, 8), (12, 1)]
)
def test_a_job_has_as_many_nodes_as_its_ranks_need_wherever_they_are(placement, ranks, node):
    short = {"layers": 1, "hidden": 8, "sequence": 8, "teraflops": 100}
    text = job_make.training(data=ranks, node=node, placement=placement, **short)
    run = congestree.run(tomllib.loads(text))
    nodes = [int(host.removeprefix("h")) // node for host in run.ranks["host"]]
    assert len(set(nodes)) == -(-ranks // node)
    library = run.scenario["traffic"][0]["program"]["training"]["library"]["node"]
    together = [set(nodes[first : first + library]) for first in range(0, ranks, library)]
    assert all(len(each) == 1 for each in together), "the ranks that collectives take for a node are in one"
    assert library == node or placement in ("random", "by-rail")


@pytest.mark.parametrize("name", ['my "quick" job', "a\nb", "C:\\new", "größer \x7f", "[x]\nseed = 2"])
def test_a_job_may_have_any_name(name):
    """It stood in the scenario as it is, so that some made it no TOML, and others were read as something else."""
    text = job_make.training(layers=1, hidden=1, sequence=1, teraflops=1, data=2, node=2, name=name)
    scenario = congestree.Scenario.from_text(text)
    assert (scenario.name, scenario.seed, scenario.links.rate) == (name, 1, "400 Gbit/s")


@pytest.mark.parametrize("key", ["rate", "node_rate"])
def test_what_is_no_rate_of_a_job_is_told(key):
    with pytest.raises(AskedError, match=r"rate\n  expected a rate"):
        job_make.training(layers=1, hidden=1, sequence=1, teraflops=1, data=2, node=2, **{key: 'a "fast" one'})
