"""Messages from one rank to another never overtake each other, whichever way they take."""

import random

import pytest
from random_programs import as_goal, random_lines

congestree = pytest.importorskip("congestree")

NODE = {"adapters": {"node": {"hosts": 2, "rate": "8 Gbit/s", "delay": "70 ns"}}}
WAYS = {
    "the network": ({}, {}),
    "links of a node": (NODE, {}),
    "links of a node without delay": ({"adapters": {"node": {"hosts": 2, "rate": "8 Gbit/s"}}}, {}),
    "memory": ({}, {"per_host": 2, "memory_rate": "8 Gbit/s"}),
    "memory with a delay": ({}, {"per_host": 2, "memory_rate": "8 Gbit/s", "memory_delay": "10 ns"}),
    "memory that copies at once, with a delay": ({}, {"per_host": 2, "memory_delay": "10 ns"}),
}


def run(program: str, way: str, **job):
    """The run of a program on a switch with four hosts, which the job ends."""
    adapters, memory = WAYS[way]
    return congestree.run(
        {
            "topology": {"single-switch": {"hosts": 4}},
            "links": {"rate": "16 Gbit/s", "delay": "50 ns"},
            "traffic": [{"name": "p", "from": "all", "program": {"text": program}, "job": memory | job}],
            "measure": {"duration": "1 ms", "until_jobs_end": True, "probes": ["messages"]},
        }
        | adapters
    )


@pytest.mark.parametrize("wait", ["requires", "irequires"])
@pytest.mark.parametrize("way", WAYS)
def test_a_message_without_bytes_does_not_overtake(way, wait):
    """The message that is sent second comes first in the program, and takes no time of its own."""
    program = f"""num_ranks 2
    rank 0 {{ b: send 0b to 1 tag 2; a: send 1000b to 1 tag 1; b {wait} a }}
    rank 1 {{ x: recv 1000b from 0 tag -1; y: recv 0b from 0 tag 2; y requires x }}"""
    messages = run(program, way).messages
    assert messages.sort("delivered", maintain_order=True)["tag"].to_list() == [1, 2]


@pytest.mark.parametrize("send_end", ["left", "delivered"])
@pytest.mark.parametrize("way", WAYS)
def test_a_message_does_not_overtake_those_of_the_round_before(way, send_end):
    program = """num_ranks 2
    rank 0 { b: send 0b to 1 tag 2; a: send 1000b to 1 tag 1; a requires b }
    rank 1 { x: recv 0b from 0 tag -1; y: recv 1000b from 0 tag -1; y irequires x }"""
    messages = run(program, way, repeat=3, send_end=send_end).messages
    assert messages.sort("delivered", maintain_order=True)["tag"].to_list() == [2, 1] * 3


@pytest.mark.parametrize("way", WAYS)
def test_programs_finish_that_only_overtaking_could_stop(way):
    for seed in range(40):
        rng = random.Random(f"lines {seed}")
        program = as_goal(random_lines(rng, rng.randint(2, 4)))
        job = {"repeat": rng.choice([1, 1, 3]), "send_end": rng.choice(["left", "delivered"])}
        assert run(program, way, **job).manifest["stopped"] is None, program
