"""A run on several cores is the same as on one: the same fingerprints and tables.

Every shipped scenario and random networks are cut in `crates/scenario/tests/laws/parts`; here a run uses several cores
as a user would.
"""

import pytest

import congestree
from congestree.runs import running

WIDE = """
topology.fat-tree = { radix = 8, layers = 3 }
links.rate = "100 Gbit/s"
links.delay = "100 ns"
switches.buffer = "32 KiB"
measure.duration = "30 us"

[[traffic]]
from = "all"
pattern = "uniform"
arrivals.poisson.load = 0.9

[[traffic]]
from = ["h5", "h40", "h77", "h99", "h111"]
to = "h3"
"""


def check_same(one, other):
    assert one.fingerprint == other.fingerprint
    assert set(one.tables) == set(other.tables)
    for name in one.tables:
        assert one.arrow(name).schema.equals(other.arrow(name).schema, check_metadata=True), name
        assert one.table(name).equals(other.table(name)), name  # to Arrow no NaN is that of another


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"measure.until_jobs_end": True},
        {"scheme.route": "ecmp"},
        {"scheme.route": "ecmp", "links.flow_control": "pfc", "switches.buffer": "256 KiB"},
        # Notifications are small and need credit, which without a delay would make windows too short.
        {"scheme.preset": "ib-cc", "links.flow_control": {"byte-credits": {"credit_delay": "100 ns"}}},
        {"measure.probes": ["flows", "classes", "ports", "queues", "latency", "counters"], "measure.warm_up": "5 us"},
        {
            "scheme.preset": "ib-cc",
            "links.flow_control": {"byte-credits": {"credit_delay": "100 ns"}},
            "measure.probes": ["events"],
        },
        {"measure.probes": ["trees", "input-queues", "credits", "deliveries"], "measure.sampling_interval": "2 us"},
    ],
    ids=["credits", "no-jobs", "ecmp", "pfc-and-ecmp", "infiniband-cc", "probes", "events", "looks-and-deliveries"],
)
def test_a_network_that_can_be_cut_is_cut_and_runs_alike(values):
    alone = congestree.run(WIDE, values=values, threads=1)
    assert alone.manifest["parts"] == 1
    for threads in (2, 3, 7):
        cut = congestree.run(WIDE, values=values, threads=threads)
        assert cut.manifest["parts"] == threads
        assert cut.manifest["link_packets"] == alone.manifest["link_packets"] >= alone.manifest["packet_hops"]
        check_same(cut, alone)


def test_a_run_on_several_cores_can_be_interrupted_and_keeps_what_it_has(tmp_path):
    def stop(now, end, hops):
        raise KeyboardInterrupt

    run = running.run(WIDE, values={"measure.duration": "1 s"}, threads=2, on_progress=stop, out=tmp_path / "out")
    assert run.interrupted
    assert 0 < run.manifest["packet_hops"] == int(run.value("packet_hops"))


def test_the_scenario_can_say_how_many_cores():
    assert congestree.run(WIDE + "\n[run]\nthreads = 2\n").manifest["parts"] == 2


def test_a_network_in_which_little_happens_is_not_cut():
    """On a machine with one core none is; `crates/scenario/tests/laws/parts/size.rs` asks for 64."""
    assert congestree.run("short-transfers-over-tcp").manifest["parts"] == 1


@pytest.mark.parametrize(
    ("scenario", "says"),
    [
        (WIDE, "nothing crosses a link in less than"),
        (WIDE + "\n[links.flow_control.byte-credits]\n", "nothing crosses a link in less than"),
        # Neighbours that pause each other do so within the delay of their link.
        (
            WIDE.replace("100 ns", "1 ns").replace("32 KiB", "1 MiB") + "\n[links.flow_control.pfc]\n",
            "but so little happens in that time that it uses one",
        ),
        (WIDE.replace("[[traffic]]", 'measure.probes = ["events"]\n\n[[traffic]]', 1), "can use several cores"),
        (
            WIDE.replace("delay =", 'lanes = 2\nlinks.hop_lanes = "by-route"\nlinks.delay =')
            + '\n[scheme.route.ugal]\nknows = "global"\n',
            "because its switches know at once what waits at others",
        ),
    ],
)
def test_check_says_whether_a_run_can_use_several_cores(scenario, says):
    assert says in running.check(scenario)["parts"]
