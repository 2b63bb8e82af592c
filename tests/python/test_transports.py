"""Reports and plots of lossy links: drops, transfers, senders, queueing delay."""

import json

import numpy as np
import pytest

import congestree
from congestree import plots, transports
from congestree.errors import CongestreeError
from congestree.gallery import shipped

LOSSY = """
name = "two over one"
topology.dumbbell = { pairs = 2, trunk_rate = "1 Gbit/s", trunk_delay = "10 us" }
links = { rate = "10 Gbit/s", delay = "1 us", flow_control = "none" }
switches = { output_queue = "30 kB", switching = "store-and-forward", arbiter = { fifo = {} } }
adapters = { mtu = "960 B", header = "40 B", ack = "40 B" }
scheme.transport.new-reno = { least_timeout = "1 ms" }

[[traffic]]
name = "large"
from = "S_1"
to = "R_1"
message = "200 kB"
arrivals.messages = { count = 3, every = "1 ms" }

[[traffic]]
name = "small"
from = "S_2"
to = "R_2"
message = "960 B"
arrivals.messages = { count = 10, every = "500 us" }
start = "200 us"

[measure]
duration = "40 ms"
bin = "100 us"
probes = ["transfers", "transport", "output-queues", "flows"]
"""

EFL = 'scheme = { preset = "efl", transport.efl = { timeout = "5 ms" } }'


@pytest.fixture(scope="module")
def lossy(tmp_path_factory):
    return congestree.run(LOSSY, out=tmp_path_factory.mktemp("lossy"))


def test_drops_are_counted_by_flow_and_in_the_summary(lossy):
    flows, summary = lossy.flows, dict(zip(lossy.summary["name"], lossy.summary["value"], strict=True))
    assert flows["dropped"].to_list()[0] > 0
    for name in ("dropped", "resent", "timeouts"):
        assert summary[name] == flows[name].sum()
    assert lossy.ports["dropped"].sum() >= summary["dropped"]


def test_nothing_is_said_of_losses_where_nothing_can_be_lost(finished):
    assert "dropped" not in finished.summary["name"].to_list()
    assert "dropped" not in finished.flows.columns


def test_a_transfer_is_told_from_its_first_bit_to_its_last_byte(lossy):
    rows = {row["class"]: row for row in transports.by_class(lossy)}
    assert {name: row["transfers"] for name, row in rows.items()} == {"large": 3, "small": 10}
    # A lone packet of 1000 bytes: two hops at 10 Gbit/s, one at 1 Gbit/s, and 12 us on the way.
    alone = 2 * 0.8e-6 + 8e-6 + 12e-6
    _, times = transports.transfer_times(lossy)["small"]
    assert min(times) >= alone - 1e-12
    assert rows["small"]["p50"] == pytest.approx(np.median(times))
    assert rows["large"]["mean"] > 600 * 8 * 1000 / 1e9 / 3
    late = transports.by_class(lossy, after=2e-3)
    assert sum(row["transfers"] for row in late) < 13


def test_transfers_are_drawn_as_a_scatter_and_a_distribution(lossy):
    figure = transports.plot_transfers(lossy)
    left, right = figure.axes
    # Microseconds or milliseconds, as the axis says.
    factor = {"us": 1e6, "ms": 1e3}[left.get_ylabel().partition("(")[2].rstrip(")")]
    for points, (sizes, times) in zip(left.collections, transports.transfer_times(lossy).values(), strict=True):
        assert np.allclose(points.get_offsets(), np.column_stack([sizes, times * factor]))
    assert sum(len(c.get_offsets()) for c in left.collections) == 13
    assert [line.get_ydata()[-1] for line in right.lines] == [1.0, 1.0]
    assert all(ax.get_xlabel() and ax.get_ylabel() for ax in figure.axes)
    with pytest.raises(CongestreeError, match="There is no class of traffic huge"):
        transports.plot_transfers(lossy, classes=["huge"])


def test_a_plot_of_some_outputs_and_senders_says_of_how_many():
    everyone = {"name": "x", "from": "all", "pattern": "uniform", "message": "20 kB"}
    run = congestree.run(
        {
            "topology": {"k-ary-n-tree": {"k": 4, "n": 2}},
            "links": {"rate": "10 Gbit/s", "flow_control": "none"},
            "switches": {"output_queue": "30 kB", "switching": "store-and-forward"},
            "scheme": {"transport": {"new-reno": {}}},
            "traffic": [everyone | {"arrivals": {"poisson": {"load": 0.8}}}],
            "measure": {"duration": "200 us", "probes": ["transport", "output-queues"]},
        }
    )
    senders, outputs = run.transport["flow"].n_unique(), run.output_queue_series["port"].n_unique()
    assert transports.plot_senders(run).axes[0].get_title("left") == f"senders: 6 of {senders}"
    assert transports.plot_senders(run, flows=run.transport["flow"][0]).axes[0].get_title("left") == "senders"
    shown = transports.plot_output_queues(run).axes[0].get_title("left")
    assert shown == f"queues at outputs: the 8 longest of {outputs}"
    assert transports.plot_output_queues(run, ports="s0_0->h0").axes[0].get_title("left") == "queues at outputs"


def test_senders_have_rate_round_trip_time_and_phase(lossy):
    figure = transports.plot_senders(lossy, queue="A->B")
    rates, delays, strips = figure.axes
    assert len(rates.lines) == 2
    actual = delays.lines[-1]
    assert actual.get_label() == "actual (A->B)"
    measured = lossy.transport["round_trip"].to_numpy()
    shortest = measured[measured > 0].min()
    # In microseconds: the empty network, and up to a full queue of 30 kB at 1 Gbit/s.
    assert actual.get_ydata().min() == pytest.approx(shortest * 1e6, rel=1e-6)
    assert shortest * 1e6 < actual.get_ydata().max() <= shortest * 1e6 + 240
    assert len(strips.collections) > 2
    figure.canvas.draw()
    with pytest.raises(CongestreeError, match="There is no sender with the id 7"):
        transports.plot_senders(lossy, flows=[7])


@pytest.mark.parametrize(
    ("transport", "said"),
    [
        ("irn = {}", "window (packets)"),
        ('new-reno = { least_timeout = "1 ms" }', "window over round trip (Gbit/s)"),
        ('go-back-n = { timeout = "1 ms" }', "sending rate (bit/s)"),
    ],
)
def test_senders_without_a_rate_are_not_drawn_as_if_they_sent_nothing(transport, said):
    run = congestree.run(LOSSY.replace('new-reno = { least_timeout = "1 ms" }', transport))
    first, *_ = transports.plot_senders(run).axes
    assert first.get_ylabel() == said
    highest = max(np.nanmax(line.get_ydata()) for line in first.lines)
    assert highest > 0 or "no rate and no window" in first.texts[0].get_text()


def test_a_sender_is_told_with_every_new_phase():
    run = congestree.run(LOSSY.replace('scheme.transport.new-reno = { least_timeout = "1 ms" }', EFL))
    states = run.transport.filter(run.transport["flow"] == 0)
    begin = list(zip(states["event"], states["phase"], strict=True))[:2]
    assert begin == [("group", "bandwidth-probing"), ("sent", "delay-probing")]
    times = states["time"].to_list()
    # Twenty packets of 1000 bytes at 10 Gbit/s: the last begins after nineteen of them.
    assert times[1] - times[0] == pytest.approx(19 * 0.8e-6)
    assert states["rate"].to_list()[:2] == [10e9, 200e6]
    idle = states.filter(states["phase"] == "idle")
    assert len(idle) == 3
    assert set(idle["event"]) == {"ack"}


def test_queues_at_outputs_are_drawn_as_delays_with_crosses_where_packets_were_dropped(lossy):
    (ax,) = transports.plot_output_queues(lossy, ports=["A->B"]).axes
    delay, lost, _ = (line.get_ydata() for line in ax.lines)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["A->B", "packets dropped"]
    assert 0 < delay.max() <= 240
    assert len(lost) > 0
    with pytest.raises(CongestreeError, match="no link A->C"):
        transports.plot_output_queues(lossy, ports=["A->C"])


@pytest.mark.parametrize(("bin_", "middles"), [("15 ms", [7.5e-3, 22.5e-3, 35e-3]), ("1 s", [20e-3])])
def test_a_last_bin_ends_with_the_run(bin_, middles):
    """Of 40 ms."""
    at, delay = transports.queueing_delay(congestree.run(LOSSY, values={"measure.bin": bin_}), "A->B")
    assert at == pytest.approx(middles) and len(delay) == len(at)


def test_everything_recorded_is_drawn_and_told(lossy, congestree_cli, tmp_path):
    names = [path.stem for path in plots.draw_all(lossy, tmp_path / "plots")]
    assert {"output-queues", "transfers", "senders"} <= set(names)
    (tmp_path / "lossy.toml").write_text(LOSSY)
    said = congestree_cli("run", "lossy.toml").stdout
    assert "dropped" in said
    assert "Transfers that have arrived whole" in said
    told = json.loads(congestree_cli("run", "lossy.toml", "--json").stdout)
    assert [row["transfers"] for row in told["transfers"]] == [3, 10]


def test_times_of_less_than_a_decade_have_an_axis_with_room_for_its_labels():
    """Fifteen messages of one size: they take 570 to 620 us."""
    run = congestree.run(shipped.scenario_path("uec-incast"))
    left, right = transports.plot_transfers(run).axes
    assert {left.get_xscale(), left.get_yscale(), right.get_xscale()} == {"linear"}


def test_a_run_without_a_transfer_says_so_in_no_row():
    run = congestree.run(LOSSY.replace("40 ms", "10 us").replace("100 us", "1 us"))
    assert transports.by_class(run) == []
    transports.plot_transfers(run).canvas.draw()
