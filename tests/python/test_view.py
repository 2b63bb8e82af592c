"""The data in the page of a run agrees with its tables; what cannot be shown is stated in a sentence."""

import re

import numpy as np
import pyarrow as pa
import pytest

import congestree
from congestree import view
from congestree.errors import AskedError
from congestree.view import frames as over_time
from congestree.view.frames import Frames, quantities
from congestree.view.layout import Fabric
from congestree.view.limits import MOST_FRAMES
from congestree.view.packing import Packer, unpack

from .conftest import LOOKED


class Drawn:
    """A run that has only a network: this many hosts at each switch except spines."""

    def __init__(self, switches, links, hosts=2):
        guests = [(f"h{i}x{k}", name) for i, name in enumerate(switches) for k in range(hosts) if "spine" not in name]
        self.hosts = len(guests)
        ends = [*guests, *((b, a) for a, b in guests), *links, *((b, a) for a, b in links)]
        self.table = pa.table({"from": [a for a, _ in ends], "to": [b for _, b in ends]})

    def arrow(self, name, columns=None):
        assert name == "ports"
        return self.table.select(columns)


def test_what_is_packed_comes_out_again():
    packer = Packer()
    values = np.abs(np.random.default_rng(1).normal(size=(7, 11))) * 1e9
    packer.rounded("a", values)
    packer.exact("b", [1, 2, 3], "u16")
    packer.rounded("gaps", np.array([[np.nan, 8.0, 0.0]]))
    header, arrays = unpack(packer.pack({"said": "ä<"}))
    assert header["said"] == "ä<"
    assert np.abs(arrays["a"] / values - 1).max() <= 2**-11
    assert arrays["b"].tolist() == [1, 2, 3]
    assert np.allclose(arrays["gaps"], [[np.nan, 8.0, 0.0]], equal_nan=True)


def test_the_numbers_of_links_are_those_of_the_tables(looked):
    header, arrays = unpack(view.gather([looked])[0])
    found = {q["id"]: arrays[q["array"]] for q in header["runs"][0]["quantities"]}
    assert set(found) == {"use", "held", "blocked"}
    rate = looked.ports["rate"].to_numpy()
    expected = np.zeros_like(found["use"])
    for row in looked.port_series.iter_rows(named=True):
        at = round(row["time"] / 10e-6)
        expected[row["port"], at] = 100 * 8 * row["bytes"] / 10e-6 / rate[row["port"]]
    assert expected.max() > 50
    assert np.allclose(found["use"], expected, rtol=2**-11, atol=1e-3)


def test_credits_are_those_of_the_looks_and_gone_where_a_link_is_held():
    run = congestree.run(LOOKED, values={"measure.probes": ["trees", "ports", "credits"]})
    frames = Frames(run)
    found = {q.id: q.values for q in quantities(run, frames, run.ports.height)}
    credits, held = found["credits"], found["blocked"] > 99
    for row in run.credit_series.iter_rows(named=True):
        assert credits[row["port"], round(row["time"] / 10e-6) - 1] == row["credit"]
    idle = run.ports["packets"].to_numpy() == 0
    assert held.any() and idle.any()
    assert (credits[idle] == np.nanmax(credits)).any() and np.nanmean(credits[held]) < np.nanmax(credits) / 2


def test_the_trees_are_those_of_the_tables(looked):
    header, arrays = unpack(view.gather([looked])[0])
    rows = header["runs"][0]["trees"]["rows"]
    assert arrays[rows["bytes"]].tolist() == looked.trees["bytes"].to_list()
    times = arrays[header["runs"][0]["times"]][arrays[rows["frame"]]]
    assert np.allclose(times, looked.trees["time"].to_numpy())
    links = header["runs"][0]["trees"]["links"]
    first, last = arrays[links["first"]], arrays[links["last"]]
    held = [int(((first <= k) & (last > k)).sum()) for k in range(20)]
    table = [
        looked.tree_links.filter(
            (looked.tree_links["from"] <= t * (1 + 1e-9)) & (looked.tree_links["to"] > t * (1 + 1e-9))
        ).height
        for t in arrays[header["runs"][0]["times"]]
    ]
    assert held[:-1] == table[:-1] and max(held) > 0


def test_with_fewer_frames_than_looks_a_frame_is_the_mean_of_its_bins(looked):
    whole, some = Frames(looked), Frames(looked, 10)
    assert (len(whole.times), len(some.times), some.step) == (20, 10, 2)
    ports = looked.ports.height
    every = {q.id: q.values for q in quantities(looked, whole, ports)}["use"]
    half = {q.id: q.values for q in quantities(looked, some, ports)}["use"]
    assert np.allclose(half, every.reshape(ports, 10, 2).mean(axis=2))
    assert "one in 2" in " ".join(view.gather([looked], 10)[2])


@pytest.mark.parametrize("frames", [0, -1, 1, 20_001, 100_000, 1.5, "x", True])
def test_more_frames_than_a_page_counts_and_other_numbers_are_refused(looked, frames):
    """Of a run of 70,000 samples no link was in a tree from frame 4,464 on: 16 bits count no further than 65,535."""
    with pytest.raises(
        AskedError, match=r"frames (is .*: give a whole number|are too (few: at least 2|many: at most 20))"
    ):
        view.html(looked, frames=frames)


def test_the_most_frames_are_counted_in_16_bits_and_allowed(looked):
    assert np.iinfo(np.uint16).max > MOST_FRAMES
    assert len(Frames(looked, MOST_FRAMES).times) == 20


def test_the_longest_table_is_read_once_and_quantities_keep_their_order(looked, monkeypatch):
    read, columns = [], over_time._columns
    monkeypatch.setattr(
        over_time, "_columns", lambda run, table, *names: read.append(table) or columns(run, table, *names)
    )
    found = [quantity.id for quantity in quantities(looked, Frames(looked), looked.ports.height)]
    assert read.count("port_series") == 1
    assert found == [known for known in over_time._ORDER if known in found] and {"use", "held", "blocked"} <= {*found}


def test_bins_that_are_longer_than_looks_stand_for_all_of_them():
    run = congestree.run(LOOKED, values={"measure.bin": "40 us"})
    frames = Frames(run)
    use = next(q for q in quantities(run, frames, run.ports.height) if q.id == "use").values
    assert use.shape[1] == 20
    assert np.allclose(use.reshape(-1, 5, 4).std(axis=2), 0)
    assert use.max() > 50
    header, arrays = unpack(view.gather([run])[0])
    packed = next(q["array"] for q in header["runs"][0]["quantities"] if q["id"] == "use")
    assert np.allclose(arrays[packed], use, rtol=2**-11, atol=1e-3)


STORM = {
    "links.flow_control.pfc.watchdog": {"detection_time": "50 us", "restoration_time": "100 us"},
    "links.flow_control.pfc.storms": [{"host": "sink", "start": "100 us", "stop": "600 us"}],
}


@pytest.mark.parametrize("storm", [{}, STORM], ids=["incast", "storm"])
def test_pauses_are_the_share_of_time_between_their_frames(storm):
    """In a pause storm the watchdog acts: for a time pauses are received and ignored."""
    from congestree.gallery.shipped import scenario_path

    wanted = {"measure.probes": ["trees", "ports", "pauses", "buffers"], "measure.warm_up": "0 s"} | storm
    run = congestree.run(scenario_path("pfc-incast"), values=wanted)
    frames = Frames(run)
    found = {q.id: q.values for q in quantities(run, frames, run.ports.height)}
    lengths = np.diff(np.concatenate([[0.0], frames.times]))
    paused = (found["paused"] / 100 * lengths).sum(axis=1)
    told = np.zeros(run.ports.height)
    np.add.at(told, run.pause_counters["port"].to_numpy(), run.pause_counters["rx_pause_duration"].to_numpy())
    assert told.max() > 0
    assert ("storm" in run.pauses["event"]) == bool(storm)
    assert np.allclose(paused, told, rtol=1e-3, atol=lengths.max() * 1e-3)
    assert found["buffer"].max() == run.buffer_series["mean"].max()


@pytest.mark.parametrize(
    ("shipped", "probes", "both"),
    [
        ("pfc-incast", (["buffers"], ["output-queues"]), {"buffer", "output-queue"}),
        ("infiniband-test-bed", (["credits"], ["events"]), {"credits", "credits-at-marks"}),
    ],
)
def test_two_runs_have_one_id_for_one_measurement(shipped, probes, both):
    """The queue at the output of one run was compared with the input buffer of the other, the first of them found."""

    def recorded(*wanted):
        values = {"measure.probes": ["ports", "trees", *wanted], "measure.sampling_interval": "100 us"}
        return congestree.run(shipped, values=values)

    header, _ = unpack(view.gather([recorded(*one) for one in probes])[0])
    labels = [{q["id"]: q["label"] for q in run["quantities"]} for run in header["runs"]]
    assert all(labels[0][name] == labels[1][name] for name in labels[0].keys() & labels[1].keys())
    run = recorded(*probes[0], *probes[1])
    found = {q.id: q.label for q in quantities(run, Frames(run), run.ports.height)}
    assert both <= found.keys() and len(set(found.values())) == len(found)


@pytest.mark.parametrize(
    ("kind", "switches", "links"),
    [
        ("levels", ["leaf1", "leaf2", "spine"], [("leaf1", "spine"), ("leaf2", "spine")]),
        (
            "groups",
            [f"g{g}r{r}" for g in range(4) for r in range(3)],
            [(f"g{g}r{a}", f"g{g}r{b}") for g in range(4) for a in range(3) for b in range(a)]
            + [
                ("g0r0", "g1r0"),
                ("g0r1", "g2r0"),
                ("g0r2", "g3r0"),
                ("g1r1", "g2r1"),
                ("g1r2", "g3r1"),
                ("g2r2", "g3r2"),
            ],
        ),
        (
            "groups",  # a dragonfly+: groups without triangles, recognised by their names
            [f"{kind}{g}_{n}" for kind in ("leaf", "spine") for g in range(3) for n in range(2)],
            [(f"leaf{g}_{a}", f"spine{g}_{b}") for g in range(3) for a in range(2) for b in range(2)]
            + [("spine0_0", "spine1_0"), ("spine0_1", "spine2_0"), ("spine1_1", "spine2_1")],
        ),
        (
            "rows",
            [f"t{x}_{y}" for x in range(3) for y in range(4)],
            [(f"t{x}_{y}", f"t{(x + 1) % 3}_{y}") for x in range(3) for y in range(4)]
            + [(f"t{x}_{y}", f"t{x}_{(y + 1) % 4}") for x in range(3) for y in range(4)],
        ),
        ("free", ["a", "b", "c", "d", "e"], [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "a"), ("a", "c")]),
    ],
)
def test_a_fabric_is_laid_out_by_its_structure(kind, switches, links):
    drawn = Drawn(switches, links)
    fabric = Fabric(drawn, drawn.hosts)
    assert fabric.kind == kind
    places = np.column_stack([fabric.x, fabric.y])
    apart = np.sqrt(((places[:, None] - places[None]) ** 2).sum(axis=2)) + 9 * np.eye(len(places))
    assert np.isfinite(places).all() and apart.min() > 0.2


def test_a_run_that_recorded_nothing_over_time_is_told_what_to_do(tmp_path):
    run = congestree.run(LOOKED, values={"measure": {"duration": "200 us"}})
    with pytest.raises(congestree.CongestreeError, match=r"nothing to view: run it again with --set 'measure.probes="):
        view.write(tmp_path / "a.html", run)
    assert not list(tmp_path.iterdir())


def test_a_run_without_looks_is_shown_and_says_so():
    run = congestree.run(LOOKED, values={"measure": {"duration": "200 us", "bin": "10 us", "probes": ["ports"]}})
    said = view.gather([run])[2]
    assert said[0].startswith("This run has not looked for congestion trees; run it again with")


@pytest.mark.parametrize("looks", [["trees"], []])
def test_a_run_that_ended_before_its_first_sample_is_shown_by_its_bins(looks):
    job = {"name": "job", "from": "all", "program": {"all-to-all": {"bytes": "4 kB"}}}
    measure = {"duration": "20 ms", "until_jobs_end": True, "probes": ["flows", "ports", *looks]}
    links = {"rate": "100 Gbit/s", "delay": "100 ns"}
    network = {"topology": {"single-switch": {"hosts": 4}}, "links": links}
    run = congestree.run({**network, "traffic": [job], "measure": measure})
    assert run.duration < 20e-6
    frames, said = Frames(run), view.gather([run])[2]
    assert list(frames.times) == [run.duration] and not frames.sampled
    assert ("The run ended before its first sample: make measure.sampling_interval shorter." in said) == bool(looks)
    assert any("has not looked for congestion trees" in sentence for sentence in said) != bool(looks)


def test_a_run_without_a_sample_or_a_series_is_told_what_to_do():
    run = congestree.run(LOOKED, values={"measure.duration": "5 us", "measure.probes": ["trees"]})
    with pytest.raises(congestree.CongestreeError, match=r"nothing to view: the run ended before its first sample"):
        view.gather([run])


@pytest.mark.parametrize(("duration", "ends"), [("70 us", [20e-6, 40e-6, 60e-6, 70e-6]), ("10 us", [10e-6])])
def test_a_run_without_looks_is_shown_to_its_end(tmp_path, duration, ends):
    """A last bin that the run ends within was left out, and of a run of half a bin there was no page."""
    measure = {"duration": duration, "warm_up": "0 s", "bin": "20 us", "probes": ["ports", "flows"]}
    run = congestree.run(LOOKED, values={"measure": measure})
    frames = Frames(run)
    assert frames.times == pytest.approx(ends) and frames.times[-1] == run.duration
    use = next(q for q in quantities(run, frames, run.ports.height) if q.id == "use").values
    expected = np.zeros_like(use)
    lengths = np.diff([0.0, *ends])
    for row in run.port_series.iter_rows(named=True):
        at = round(row["time"] / 20e-6)
        expected[row["port"], at] = 100 * 8 * row["bytes"] / lengths[at] / run.ports["rate"][row["port"]]
    assert use == pytest.approx(expected) and use[:, -1].max() > 90
    header, arrays = unpack(view.gather([run])[0])
    assert arrays[header["runs"][0]["times"]].tolist() == frames.times.tolist()
    assert view.write(tmp_path / "a.html", run).stat().st_size > 10_000


def test_flows_that_are_left_out_are_told(looked, monkeypatch):
    flows = looked.flows.height
    assert "listed here" not in " ".join(view.gather([looked])[2])
    monkeypatch.setattr("congestree.view.flows.MOST_FLOWS", 5)
    monkeypatch.setattr("congestree.view.flows.MOST_POINTS", 3 * 20)
    assert view.gather([looked])[2][-2:] == [
        f"Of {flows} flows, 5 are listed here, those in congestion trees first.",
        "Rates over time are shown for the first 3 of 5 flows listed here.",
    ]


def test_runs_of_different_networks_are_refused(looked):
    other = congestree.run(LOOKED, values={"topology.two-switch.local": 4})
    with pytest.raises(congestree.CongestreeError, match="not of the same network") as refused:
        view.html(looked, other)
    assert "view them one by one" in str(refused.value)


def test_an_unfinished_run_and_a_missing_table_are_told_with_the_remedy(tmp_path):
    from congestree import report

    congestree.run(LOOKED, out=tmp_path / "run")
    (tmp_path / "run/ports.parquet").unlink()
    for show in (view.html, report.html):
        with pytest.raises(congestree.CongestreeError, match=r"There is no file .*ports\.parquet.*do the run again"):
            show(congestree.Run.load(tmp_path / "run"))
    (tmp_path / "run/manifest.json").unlink()
    with pytest.raises(congestree.CongestreeError, match=r"no finished run.*: congestree run FILE --out .*run"):
        congestree.Run.load(tmp_path / "run")


def test_the_folder_of_a_study_is_told_with_one_of_its_runs(tmp_path):
    study = congestree.sweep(LOOKED, over={"seed": [1, 2]}, values={"measure": {"duration": "20 us"}}, out=tmp_path)
    with pytest.raises(congestree.CongestreeError, match="many runs; name one of them, such as") as told:
        congestree.Run.load(tmp_path)
    assert congestree.Run.load(str(told.value).rpartition("such as ")[2]).seed in {run.seed for run in study}


def test_without_the_bundle_there_is_one_clear_message(looked, monkeypatch, tmp_path):
    monkeypatch.setattr("congestree.view.page.BUNDLE", tmp_path / "viewer.js")
    with pytest.raises(congestree.CongestreeError, match="make viewer"):
        view.html(looked)


def test_the_page_escapes_names():
    from congestree.view.page import compose

    text = compose("x = '</script>'", "AAAA", "</title><script>boom()</script>", ["<b>\x00"])
    assert text.count("<script") == 2 and "<b>" not in text and "␀" in text
    assert re.search(r"script-src 'sha256-[\w+/]+='", text)


def test_the_widget_carries_the_same_data(looked):
    pytest.importorskip("anywidget")
    widget = view.widget(looked, height=400)
    assert widget.data == view.gather([looked])[0]
    assert widget.height == 400
    assert "export" in str(widget._esm)[-2000:] or widget._esm


def test_a_bin_that_the_end_of_the_run_cuts_short_is_as_long_as_it_is(looked):
    """Bins of 300 us in a run of 1 ms: the samples of the last 100 us see a third of a bin."""
    values = {"measure": {"duration": "1 ms", "bin": "300 us", "sampling_interval": "100 us"}}
    values["measure"]["probes"] = ["trees", "ports", "flows"]
    run = congestree.run(LOOKED, values=values)
    frames = Frames(run)
    found = {q.id: q.values for q in quantities(run, frames, run.ports.height)}
    port = int(np.argmax(run.ports["utilisation"].to_numpy()))
    last = run.port_series.filter((run.port_series["port"] == port) & (run.port_series["time"] > 850e-6))
    use = 100 * 8 * last["bytes"][0] / 100e-6 / run.ports["rate"][port]
    assert use > 60 and found["use"][port, -1] == pytest.approx(use, rel=1e-6)


@pytest.mark.parametrize(
    ("sampling", "bin", "most"), [("1 us", "10 us", 50), ("1 us", "10 us", None), ("7 us", "3 us", 9)]
)
def test_every_frame_shows_the_mean_over_its_bins_also_if_two_share_one(sampling, bin, most):
    """The last of 50 frames lay in the bin of the one before, and all the others showed their last bin only."""
    measure = {"duration": "2305 us", "bin": bin, "sampling_interval": sampling, "probes": ["trees", "ports"]}
    run = congestree.run(LOOKED, values={"measure": measure})
    frames = Frames(run, most)
    assert (frames.first[1:] < frames.last[:-1]).any() == (sampling == "1 us")
    series, rate = run.port_series, run.ports["rate"].to_numpy()
    at = np.rint(series["time"].to_numpy() / frames.bin).astype(int)
    carried = np.zeros((len(rate), at.max() + 1))
    carried[series["port"], at] = series["bytes"]
    use = next(q for q in quantities(run, frames, len(rate)) if q.id == "use").values
    for k, (first, last) in enumerate(zip(frames.first, frames.last, strict=True)):
        length = min(last * frames.bin, run.duration) - first * frames.bin
        assert use[:, k] == pytest.approx(100 * 8 * carried[:, first:last].sum(axis=1) / length / rate)
    assert use.std(axis=1).max() > 1


@pytest.mark.parametrize(("sampling", "told"), [("300 us", True), ("10 us", False), ("7 us", False)])
def test_what_comes_after_the_last_sample_is_told_to_be_missing(sampling, told):
    run = congestree.run(LOOKED, values={"measure.duration": "500 us", "measure.sampling_interval": sampling})
    said = view.gather([run])[2]
    assert ("The last sample was at 300 us; what came after, until 500 us, is not shown." in said) == told
    assert any("The last sample" in sentence for sentence in said) == told
