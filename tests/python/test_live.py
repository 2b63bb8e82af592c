"""A simulation that is driven from outside does the same as a run, whenever it receives its messages."""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from decimal import Decimal

import polars as pl
import pytest

import congestree
from congestree import ScenarioError
from congestree.live.driving import Live, LiveError
from congestree.runs.results import scenario_hash

from .injected import answers, scenario

MESSAGES = [
    ("0 us", 0, "H1", "H4", 40_000),
    ("0 us", 1, "H2", "H4", 90_000),
    ("3 us", 2, "H3", "H4", 5_000),
    ("3 us", 0, "H1", "H2", 70_000),
    ("20 us", 1, "H2", "H1", 1),
]


def by_list():
    """The same messages as a list of a scenario."""
    rows = [{"from": a, "to": b, "message": f"{size} B", "at": at} for at, _, a, b, size in MESSAGES]
    return scenario(traffic=[{"name": "live", "list": rows}])


RECORDING = {"duration": "1 ms", "audit": True, "probes": ["completions", "credits"], "sampling_interval": "10 us"}


def driven_with_probes():
    live = Live(scenario(measure=RECORDING))
    for at, rank, a, b, size in MESSAGES:
        live.inject(a, b, size, at=at, rank=rank)
    while live.advance():
        pass
    return live


def ahead_of_time():
    with Live(scenario()) as live:
        for at, rank, a, b, size in MESSAGES:
            live.inject(a, b, size, at=at, rank=rank)
        return live.drain(), live.close()


def test_a_scenario_for_injected_messages_reads_back_with_all_its_defaults():
    """Its record in a run was refused by report and view: the caller who injects a message gives its size."""
    resolved = congestree.check(scenario())["scenario"]
    assert congestree.check(resolved)["scenario"] == resolved


def test_what_is_injected_is_delivered_as_in_a_run():
    notices, result = ahead_of_time()
    assert sorted(n.what for n in notices) == [1, 2, 3, 4, 5] and all(n.kind == "delivered" for n in notices)
    run = congestree.run({**by_list(), "measure": {"duration": "1 ms", "audit": True, "probes": ["completions"]}})
    assert sorted(n.time for n in notices) == pytest.approx(sorted(run.completions["finished"].to_list()))
    assert result["packet_hops"] > 0


def test_probes_record_what_they_record_in_a_run():
    live = driven_with_probes()
    driven, run = live.finish(), congestree.run({**by_list(), "measure": RECORDING})
    assert driven.tables == run.tables and driven.duration == run.duration
    assert driven.completions.height == len(MESSAGES)
    assert driven.completions.equals(run.completions), "to the ps"
    assert driven.credit_series.select("time", "credit").equals(run.credit_series.select("time", "credit"))
    assert driven.ports.equals(run.ports) and driven.summary.equals(run.summary)
    assert driven.manifest["cpu_s"] > 0 and driven.stopped is None
    with pytest.raises(LiveError, match="closed"):
        live.finish()


def test_a_driven_run_in_a_folder_is_not_said_to_follow_from_its_scenario(tmp_path):
    congestree.sweep(scenario(), over={"seed": [1]}, out=tmp_path / "study", workers=1)
    live = driven_with_probes()
    with pytest.raises(congestree.CongestreeError, match="holds a sweep already"):
        live.finish(tmp_path / "study")
    assert live.now == live.end, "it is open still"
    run = live.finish(tmp_path / "driven")
    stored = congestree.Run.load(tmp_path / "driven")
    assert stored.completions.equals(run.completions) and stored.folder == tmp_path / "driven"
    assert stored.manifest["driven"] == {"messages": len(MESSAGES), "changes": []}
    page = congestree.report.html(stored)
    assert "cannot be repeated from its scenario" in page and "congestree run" not in page
    with Live(scenario(measure=RECORDING)) as other:
        hashes = {run.manifest["hash"], other.finish().manifest["hash"], scenario_hash(run.scenario)}
    assert len(hashes) == 3


def test_the_time_of_a_message_alone_is_its_formula():
    with Live(scenario()) as live:
        live.inject("H1", "H2", 20_000)
        (notice,) = live.advance()
        wire = (20_000 + 20 * 10) * 8 / 10e9
        assert notice.time == pytest.approx(wire + 2 * 1e-6 + 200e-9, rel=0.01)
        assert live.now == notice.time and live.open_messages == 0


def test_after_draining_it_is_when_the_last_of_it_happened():
    """More can be requested then; the fingerprints are those of a single run."""
    with Live(scenario()) as live:
        live.inject("H1", "H2", 20_000)
        (notice,) = live.drain()
        assert notice.time <= live.now < notice.time + 10e-6 < live.end
        live.inject("H2", "H1", 20_000)
        (again,) = live.drain()
        assert again.time > notice.time + 16e-6 and live.now >= again.time
        later = live.now
        assert live.drain() == [] and live.now == later
    with Live(scenario()) as live:
        live.inject("H1", "H2", 10**9)
        assert live.drain() == [] and live.now == live.end and live.open_messages == 1


def test_a_replay_has_the_same_fingerprint_however_it_was_told():
    """All at once; in reverse order; each message only when its time has come, in small steps."""
    _, whole = ahead_of_time()
    with Live(scenario()) as live:
        for at, rank, a, b, size in reversed(MESSAGES):
            live.inject(a, b, size, at=at, rank=rank)
        live.drain()
        assert live.close() == whole
    with Live(scenario()) as live:
        waiting, times = sorted(MESSAGES, key=lambda m: -m[1]), []
        for step in range(1000):
            now = f"{step} us"
            while live.now < step * 1e-6:
                times += live.advance(now)
            for message in [m for m in waiting if m[0] == now]:
                live.inject(*message[2:], rank=message[1])
        live.drain()
        result = live.close()
        assert {k: result[k] for k in ("trajectory", "results")} == {k: whole[k] for k in ("trajectory", "results")}
        assert len(times) == 5


def test_a_cycle_of_waits_is_found_however_long_nothing_happened_before():
    """Packets round a ring wait for each other in its one lane; the first check for this, at 1 ms, finds no work."""
    ring = scenario(
        allow_credit_loops=True,
        topology={"torus": {"dimensions": [5], "hosts_per_switch": 1}},
        switches={"buffer": "4 KiB", "forwarding_delay": "200 ns"},
        measure={"duration": "20 ms", "audit": True},
    )
    with Live(ring) as live:
        hosts = live.hosts
        for place, host in enumerate(hosts):
            live.inject(host, hosts[(place + 2) % len(hosts)], "1 MiB", at="3 ms")
        with pytest.raises(LiveError, match="wait for each other in a cycle"):
            while live.advance():
                pass
        assert 3e-3 < live.now < 6e-3, "not at the end of the scenario"


def test_what_was_delivered_before_a_cycle_of_waits_is_told():
    ring = scenario(
        allow_credit_loops=True,
        topology={"torus": {"dimensions": [5], "hosts_per_switch": 1}},
        switches={"buffer": "4 KiB", "forwarding_delay": "200 ns"},
        measure={"duration": "20 ms"},
    )
    with Live(ring) as live:
        first = live.inject(0, 1, "1 kB")
        for place in range(5):
            live.inject(place, (place + 2) % 5, "1 MiB", at="3 ms")
        with pytest.raises(LiveError, match="wait for each other in a cycle") as caught:
            live.drain()
        (notice,) = caught.value.notices
        assert (notice.kind, notice.what) == ("delivered", first) and notice.time < 3e-3
    calls = [{"call": "open", "scenario": ring}, {"call": "inject", "from": "h0", "to": "h1", "bytes": 1000}]
    calls += [{"call": "inject", "from": i, "to": (i + 2) % 5, "bytes": 1 << 20, "at": "3 ms"} for i in range(5)]
    *_, drained = answers(*calls, {"call": "drain"})
    assert "cycle" in drained["error"] and [notice["what"] for notice in drained["notices"]] == [1]


def test_foreign_events_stop_it_and_may_inject_in_their_instant():
    def driven(order):
        with Live(scenario()) as live:
            for rank in order:
                live.schedule("5 us", rank, rank=rank)
            told = []
            while notices := live.advance():
                for notice in notices:
                    told.append((notice.kind, notice.what, notice.time))
                    if notice.kind == "due":
                        live.inject(notice.what, 3, 10_000, rank=notice.what)
            return told, live.close()

    first, result = driven([0, 1, 2])
    assert first[:3] == [("due", 0, 5e-6), ("due", 1, 5e-6), ("due", 2, 5e-6)]
    assert [kind for kind, _, _ in first[3:]] == ["delivered"] * 3
    second, other = driven([2, 0, 1])
    assert second[:3] == first[:3] and result == other


def test_marking_changes_while_it_goes_on():
    """Marks come with a queue of 2 kB, stop with a threshold that no queue reaches, and come again."""
    step = {"scheme.mark.red.min": "2 kB", "scheme.mark.red.max": "2 kB"}
    never = {"scheme.mark.red.min": "1 MB", "scheme.mark.red.max": "1 MB"}
    marking = {"preset": "dcqcn-paper", "mark": {"red": {"min": "2 kB", "max": "2 kB", "probability": 1.0}}}
    with Live(scenario(scheme=marking)) as live:
        counts = []
        for changed in (None, never, step):
            if changed is not None:
                live.change(changed)
            for sender in ("H1", "H2", "H3"):
                live.inject(sender, "H4", 30_000)
            told = []
            while live.open_messages:
                told += live.advance()
            counts.append(int(live.observe()["flows"]["marked"].sum()))
            assert sum(notice.marked for notice in told) == counts[-1] - sum(counts[-2:-1])
            assert [notice.packets for notice in told] == [15] * 3
        assert 0 < counts[0] == counts[1] < counts[2]
        first, second = live.finish().manifest["driven"]["changes"]
    assert (first["values"], second["values"]) == (never, step) and 0 < first["at"] < second["at"]


CROWDED = {
    "topology": {"test-bed": {"trunk_rate": "32 Gbit/s"}},
    "links": {"rate": "16 Gbit/s", "delay": "20 ns"},
    "switches": {"buffer": "64 KiB"},
    "traffic": [
        {"name": "incast", "from": ["H2", "H3", "H6", "H7"], "to": "H5", "stop": "100 us"},
        {"name": "later", "from": "H6", "to": "H5", "start": "400 us", "rate": "2 Gbit/s"},
        {"name": "driven", "from": "H7", "arrivals": "injected"},
    ],
    "measure": {"duration": "600 us"},
}


@pytest.mark.parametrize(
    ("scheme", "changed"),
    [
        ({"preset": "ib-cc", "mark": {"fecn": {"fill": "voq", "enter": "8 KiB", "marking_rate": 0}}}, "fecn.enter"),
        ({"preset": "ib-cc", "mark": {"fecn": {"fill": "sum", "enter": "8 KiB", "marking_rate": 0}}}, "fecn.enter"),
        ({"preset": "ecocc"}, "root.marking_rate"),
    ],
)
def test_markers_that_change_among_full_queues_know_when_these_are_empty(scheme, changed):
    """Their counts are right: they mark on in the incast, and nothing of the flow that is alone afterwards."""
    marked = {}
    with Live(CROWDED | {"scheme": scheme | {"react": "none"}}) as live:
        for until in ("50 us", "100 us", "600 us"):
            live.advance(until)
            flows = live.observe()["flows"]
            marked[until] = {
                name: flows.filter(pl.col("class") == name)["marked"].sum() for name in ("incast", "later")
            }
            if until == "50 us":
                live.change({f"scheme.mark.{changed}": {"fecn.enter": "9 KiB", "root.marking_rate": 1}[changed]})
    assert 0 < marked["50 us"]["incast"] < marked["100 us"]["incast"]
    assert marked["600 us"]["later"] == 0


def test_markers_that_change_while_a_link_is_slow_have_the_thresholds_of_the_whole_link():
    """The link is whole again when packets come; `for_rate` had scaled the threshold to a tenth for ever."""
    red = {"min": "100 kB", "max": "100 kB", "probability": 1.0, "for_rate": "100 Gbit/s"}
    slow = {"link": ["S", "H4"], "at": "100 us", "until": "300 us", "keeps": 0.1}
    network = {
        "topology": {"single-switch": {"hosts": 4}},
        "links": {"rate": "100 Gbit/s", "delay": "100 ns", "flow_control": "pfc", "faults": {"failures": [slow]}},
        "switches": {"shared_memory": {"size": "8 MB"}},
        "scheme": {"preset": "dcqcn-vendor", "react": "none", "mark": {"red": red}},
        "traffic": [{"name": "injected", "from": "all", "arrivals": "injected"}],
        "measure": {"duration": "3 ms"},
    }
    marked = []
    for at in (None, "50 us", "200 us", "350 us"):
        with Live(network) as live:
            if at is not None:
                live.advance(at)
                live.change({"scheme.mark.red.probability": 0.99})
            live.advance("400 us")
            for sender in ("H1", "H2"):
                live.inject(sender, "H4", "300 kB")
            live.drain()
            marked.append(int(live.observe()["flows"]["marked"].sum()))
    assert marked[0] > 0 and len(set(marked)) == 1


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda live: live.inject("H1", "H9", 1), 'no host "H9"'),
        (lambda live: live.inject(0, 9, 1), "no host 9"),
        (lambda live: live.inject("H1", "H1", 1), "would send to itself"),
        (lambda live: live.inject("H1", "H2", 0), "0 B cannot be sent"),
        (lambda live: live.inject("H1", "H2", -1), "too large or negative"),
        (lambda live: live.inject("H1", "H2", 1, at="1 us"), "in the past"),
        (lambda live: live.inject("H1", "H2", 1, at="1 h"), "is no time"),
        (lambda live: live.inject("H1", "H2", 1, at="2 ms"), "end of the scenario"),
        (lambda live: live.inject("H1", "H2", 1, entry="x"), 'no entry of traffic "x"'),
        (lambda live: live.schedule("1 us", 1), "in the past"),
        (lambda live: live.advance("1 us"), "in the past"),
        (lambda live: live.advance(float("nan")), "is no time"),
        (lambda live: live.advance("1 s"), "end of the scenario"),
        (lambda live: live.advance(True), "True is no time"),
        (lambda live: live.advance(b"1"), "b'1' is no time"),
        (lambda live: live.schedule(True, 1), "True is no time"),
        (lambda live: live.inject("H1", "H2", 1, at=True), "True is no time"),
        (lambda live: live.inject("H1", "H2", True), "True is no size"),
        (lambda live: live.inject("H1", "H2", b"5"), "b'5' is no size"),
        (lambda live: live.inject("H1", "H2", 1.6), "1.6 is no whole number of bytes"),
        (lambda live: live.inject("H1", "H2", "1.6 B"), "'1.6 B' is no whole number of bytes"),
        (lambda live: live.change({"links.rate": "1 Gbit/s"}), "below scheme.mark"),
    ],
)
def test_bad_calls_are_refused_and_change_nothing(call, told):
    def run(bad):
        with Live(scenario()) as live:
            live.inject("H1", "H2", 5000)
            live.advance("2 us")
            if bad:
                with pytest.raises(LiveError, match=told):
                    call(live)
            live.drain()
            return live.close()

    assert run(True) == run(False)


def test_hosts_and_sizes_may_be_numbers_of_numpy():
    import numpy

    with Live(scenario()) as live:
        live.inject(numpy.int64(0), numpy.uint8(1), numpy.int32(5000), at=numpy.float32(0))
        assert [notice.kind for notice in live.advance()] == ["delivered"]
        with pytest.raises(LiveError, match="counted from 0"):
            live.inject(numpy.int64(9), 1, 1)


@pytest.mark.parametrize(("size", "packets"), [(5000.0, 3), (1e3 * 4.02, 2), ("4.02 kB", 2), ("0.5 KiB", 1)])
def test_sizes_are_whole_numbers_however_they_are_written(size, packets):
    with Live(scenario()) as live:
        live.inject("H1", "H2", size, at=Decimal("2e-6"))
        assert [notice.packets for notice in live.advance()] == [packets]


def test_nothing_goes_on_after_close_and_nothing_opens_without_an_entry():
    live = Live(scenario())
    live.close()
    for call in (live.close, live.drain, live.advance, live.observe, lambda: live.inject(0, 1, 1), lambda: live.now):
        with pytest.raises(LiveError, match="closed"):
            call()
    with pytest.raises(LiveError, match='arrivals = "injected"'):
        Live(by_list())


def test_what_is_wrong_with_a_scenario_is_told_as_elsewhere(tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text('topology.single-switch.hosts = 3\nlinks.rate = 5\n[[traffic]]\nfrom = "all"\n')
    with pytest.raises(ScenarioError) as elsewhere:
        congestree.check(path)
    with pytest.raises(LiveError) as live:
        Live(path)
    assert str(live.value) == str(elsewhere.value).rstrip()


def test_a_scenario_says_nothing_that_the_driver_says():
    bad = scenario(traffic=[{"from": "all", "arrivals": "injected", "message": "1 KiB"}])
    with pytest.raises(congestree.errors.ScenarioError, match="the caller sets size, destination and time"):
        congestree.check(bad)


def test_totals_can_be_seen_on_the_way():
    with Live(scenario()) as live:
        live.inject("H1", "H2", 20_000)
        seen = []
        for step in range(1, 40):
            live.advance(f"{step} us")
            ports = live.observe()["ports"]
            seen.append(
                ports.filter(ports["name"].str.starts_with("H1->"))["bytes"].sum() if "bytes" in ports.columns else 0
            )
        assert seen == sorted(seen) and seen[0] < seen[-1]


def test_what_waits_now_can_be_seen():
    """Three senders at full rate into one: the queue at its port grows, the senders are held, and then all is over."""
    with Live(scenario()) as live:
        for sender in ("H1", "H2", "H3"):
            live.inject(sender, "H4", 200_000)
        live.advance("100 us")
        ports = {row["name"]: row for row in live.observe()["ports"].iter_rows(named=True)}
        (last,) = (row for name, row in ports.items() if name.endswith("->H4"))
        assert last["waiting"] > 20_000 and not last["held"]
        assert sum(row["waiting"] for row in ports.values()) == last["waiting"]
        assert any(row["held"] for name, row in ports.items() if name.startswith("H"))
        live.drain()
        ports = live.observe()["ports"]
        assert ports["waiting"].sum() == 0 and not ports["held"].any()


def test_waiting_is_of_switches_and_totals_are_of_after_the_warm_up():
    crowded = scenario(
        topology={"single-switch": {"hosts": 5}},
        links={"rate": "100 Gbit/s", "delay": "500 ns"},
        switches={"buffer": "32 KiB"},
        measure={"duration": "1 ms", "warm_up": "10 us"},
    )
    with Live(crowded) as live:
        for sender, receiver in (("H1", "H5"), ("H2", "H5"), ("H3", "H5"), ("H1", "H4")):
            live.inject(sender, receiver, "1 MiB")
        live.advance("9 us")
        tables = live.observe()
        assert tables["ports"]["bytes"].sum() == tables["flows"]["sent"].sum() == 0
        assert tables["ports"]["utilisation"].is_nan().all() and tables["flows"]["rate"].is_nan().all()
        live.advance("20 us")
        ports = live.observe()["ports"]
        waiting = dict(zip(ports["name"], ports["waiting"], strict=True))
        assert all(bytes_ == 0 for name, bytes_ in waiting.items() if name.startswith("H"))
        assert waiting["S->H5"] > 0 and ports["bytes"].sum() > 0
        assert live.units("ports") == dict(zip(ports.columns, live.units("ports").values(), strict=True))
        assert (live.units("ports")["waiting"], live.units("flows")["rate"]) == ("B", "bit/s")
        assert "0 for a host's own port" in live.meanings("ports")["waiting"]
        with pytest.raises(LiveError, match="no table 'queues': there are flows, ports"):
            live.units("queues")


@contextmanager
def ended_after(seconds):
    """A signal as Ctrl-C sends it, after this long; it must have come by the end."""

    def handler(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def long_one(size):
    """A simulation with much to do."""
    live = Live({**scenario(), "links": {"rate": "100 Gbit/s"}, "measure": {"duration": "100 s"}})
    return live, [live.inject(host, "H4", size) for host in ("H1", "H2")]


def test_ctrl_c_ends_it_at_once_and_loses_nothing():
    live, _ = long_one("8 GB")
    first, ticks, over = live.inject("H3", "H2", 1), [], threading.Event()

    def in_another_thread():
        while not over.wait(0.02):
            ticks.append(time.monotonic())

    thread, begun = threading.Thread(target=in_another_thread), time.monotonic()
    thread.start()
    with ended_after(0.5):
        live.drain()
    took = time.monotonic() - begun
    over.set()
    thread.join()
    assert took < 3 and len(ticks) > 5, "the interpreter is free meanwhile"
    assert live.now > 0 and live.open_messages == 2
    (kept,) = live.advance()
    assert kept.what == first and 0 < kept.time < live.now, "delivered before Ctrl-C"
    before = live.now
    assert live.advance(before) == [] and live.now == before
    live.close()


def test_threads_take_turns():
    live, _ = long_one("8 GB")
    with ThreadPoolExecutor(1) as other:
        assert other.submit(lambda: live.open_messages).result() == 2
        busy = other.submit(live.advance, "50 ms")
        with pytest.raises(LiveError, match="Another thread"):
            while not busy.done():
                assert live.now >= 0
        assert busy.result() == [] and live.now == 0.05
        assert other.submit(live.close).result()["packet_hops"] > 0


def test_a_simulation_that_was_interrupted_has_the_same_trajectory():
    def driven(interrupted):
        live, _ = long_one("1 GB")
        if interrupted:
            with ended_after(0.1):
                live.drain()
            assert live.open_messages == 2
        live.drain()
        return live.close()

    assert driven(interrupted=True) == driven(interrupted=False)
