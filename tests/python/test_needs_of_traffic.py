"""What a scenario is promised to take holds for its traffic: jobs, hot spots, lists, many flows, backlogs."""

import json

import pytest

import congestree

HEAD = 'links = { rate = "100 Gbit/s", delay = "50 ns" }\n'
TREE = "topology.fat-tree = { radix = 16, layers = 3 }\n" + HEAD


def test_the_packet_hops_of_a_job_are_those_of_all_its_ranks_and_not_of_neighbours():
    """Of 512 ranks that send to 511 others, every 511th send was counted: that of each to the next."""
    text = (
        TREE + 'traffic = [{ from = "all", job.ranks = 512, program.all-to-all.bytes = "1 KiB" }]\n'
        'measure = { duration = "10 ms", until_jobs_end = true }\n'
    )
    estimate = congestree.check(text)["needs"]["packet_hops"]
    assert congestree.run(text).manifest["packet_hops"] == pytest.approx(estimate, rel=0.1)


def hot(duration, more="", probes=()):
    traffic = f'pattern.hot-spot = {{ to = "h0", fraction = 0.9 }}\narrivals.poisson.load = 0.9\n{more}'
    measure = f'[measure]\nduration = "{duration}"\nprobes = {json.dumps(list(probes))}\n'
    return TREE + f'[[traffic]]\nfrom = "all"\nmessage = "2 KiB"\n{traffic}\n{measure}'


@pytest.mark.parametrize("duration", ["100 us", "1 ms", "5 ms"])
def test_packets_to_a_hot_host_are_as_many_as_its_link_carries(duration):
    """The others wait behind them. All that is offered was counted, up to 620 times too much."""
    text = hot(duration)
    estimate, run = congestree.check(text)["needs"]["packet_hops"], congestree.run(text).manifest["packet_hops"]
    assert run / 3 < estimate < run * 3
