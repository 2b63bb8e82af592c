"""What tables say of small networks in which it can be counted by hand."""

import polars
import pytest

import congestree

DUMBBELL = {
    "topology": {
        "graph": {
            "hosts": ["a", "b", "c"],
            "switches": ["S", "T"],
            "links": [{"a": end, "b": at} for end, at in (("a", "S"), ("b", "S"), ("S", "T"), ("T", "c"))],
        }
    },
    "links": {"rate": "8 Gbit/s", "delay": "100 ns"},
    "adapters": {"mtu": "980 B"},
    "traffic": [{"name": "x", "from": "a", "to": "c"}],
}
"""Packets of 1,000 B, which take 1 us each."""


def run(measure, links=None, **more):
    return congestree.run({**DUMBBELL, **more, "links": DUMBBELL["links"] | (links or {}), "measure": measure})


def sent_by(run, port):
    return run.port_series.filter(run.port_series["port"] == port)["bytes"].to_list()


@pytest.mark.parametrize(
    ("end", "width", "expected"),
    [
        ("100 us", "30 us", [30_000, 30_000, 30_000, 10_000]),
        ("99.5 us", "33 us", [33_000, 33_000, 33_000, 500]),
        ("10500 ns", "1 ms", [10_500]),
    ],
)
def test_a_last_bin_has_what_was_sent_until_the_end(end, width, expected):
    found = run({"duration": end, "bin": width, "probes": ["ports"]})
    assert sent_by(found, 0) == pytest.approx(expected, rel=1e-12)


def test_a_run_that_ends_early_has_no_bytes_of_after_its_end():
    """The job is over while another host still sends."""
    hosts = ["H1", "H2", "H3", "H4"]
    traffic = [
        {"name": "endless", "from": "H1", "to": "H2"},
        {"name": "job", "from": ["H3", "H4"], "program": {"ping-pong": {"bytes": "7777 B", "count": 3}}},
    ]
    measure = {"duration": "1 ms", "bin": "10 us", "until_jobs_end": True, "probes": ["ports"]}
    found = congestree.run(
        {
            "topology": {"single-switch": {"hosts": len(hosts)}},
            "links": DUMBBELL["links"],
            "traffic": traffic,
            "measure": measure,
        }
    )
    times = found.port_series.filter(found.port_series["port"] == 0)["time"].to_list()
    assert found.duration < 1e-3
    lengths = [min(10e-6, found.duration - time) for time in times]
    assert sent_by(found, 0) == pytest.approx([1e9 * length for length in lengths], rel=1e-9, abs=1e-3)


@pytest.mark.parametrize(("pattern", "count"), [("uniform", 12), ({"groups": {"size": 2}}, 4)])
def test_flows_are_those_that_a_source_sends(pattern, count, tmp_path):
    """With a reaction a source has a flow for each host: those to itself and to hosts out of reach are none."""
    traffic = {
        "name": "u",
        "from": "all",
        "pattern": pattern,
        "message": "20 KiB",
        "arrivals": {"poisson": {"load": 0.9}},
    }
    scenario = {
        "topology": {"single-switch": {"hosts": 4}},
        "links": {"rate": "10 Gbit/s", "delay": "100 ns"},
        "scheme": {"preset": "ib-cc"},
        "traffic": [traffic],
        "measure": {"duration": "1 ms", "bin": "100 us", "probes": ["flows", "trees"]},
    }
    found = congestree.run(scenario)
    assert found.flows.height == count == congestree.check(scenario)["facts"]["flows"]
    assert found.flow_series.height == 10 * count
    assert not found.flows.filter(found.flows["source"] == found.flows["destination"]).height
    assert found.value("jain_index") == pytest.approx(congestree.measures.jain_index(found.flows["rate"]))
    study = congestree.sweep(scenario, over={"seed": [1]}, measures=["slowest:u", "fairness:u"], out=tmp_path / "study")
    slowest, fairness = (study.arrow()[name][0].as_py() for name in ("slowest:u", "fairness:u"))
    of_sources = found.flows.group_by("source").agg(polars.col("rate").sum())["rate"]
    assert slowest == pytest.approx(of_sources.min()) and slowest > 0
    assert fairness == pytest.approx(congestree.measures.jain_index(of_sources))


def test_links_are_busy_with_what_they_send_again():
    again = {"errors": {"packets": 0.05}, "retry": {}}
    found = run({"duration": "1 ms", "bin": "100 us", "probes": ["ports"]}, links=again)
    port = found.ports.row(0, named=True)
    assert port["replayed"] > 20 and port["packets"] + port["replayed"] == 1001
    assert port["utilisation"] == pytest.approx(1.001)
    assert sent_by(found, 0) == pytest.approx([100_000] * 10)


def test_a_packet_that_is_sent_again_is_as_old_as_its_first_start():
    transport = {"go-back-n": {"timeout": "10 us", "selective": True}}
    measure = {"duration": "200 us", "bin": "20 us", "probes": ["deliveries", "latency"]}
    found = run(measure, links={"errors": {"packets": 0.2}}, scheme={"transport": transport})
    rows = found.deliveries.sort("sequence")
    late = rows.filter(rows["injected_ps"] > rows["created_ps"])
    assert rows["created_ps"].is_sorted() and late.height > 5
    total = {row["kind"]: row["max"] for row in found.latency.to_dicts()}
    assert total["total"] > 13e-6 and total["network"] == pytest.approx(3.5e-6, rel=0.01)


def test_output_queues_are_known_with_credits_too():
    """Two hosts share the link behind their switch: what waits for it fills both inputs."""
    traffic = [{"name": "x", "from": ["a", "b"], "to": "c"}]
    measure = {"duration": "200 us", "bin": "20 us", "probes": ["output-queues", "input-queues"]}
    found = run(measure, traffic=traffic, switches={"buffer": "32 KiB"})
    queues, inputs = found.output_queue_series, found.input_queue_series
    last = queues.filter((queues["name"] == "S->T") & (queues["time"] > 179e-6)).row(0, named=True)
    sampled = inputs.filter(inputs["time"] > 179e-6)
    assert 60_000 < last["mean"] <= last["most"] <= 2 * 32 * 1024
    assert sampled["bytes"].max() <= last["most"]
    label = congestree.transports.plot_output_queues(found).axes[0].get_ylabel()
    assert label == "time to send what waits,\nif nothing holds the link (us)", "which credits do"
