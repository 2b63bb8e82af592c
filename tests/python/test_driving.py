"""What the driver of a simulation gets and is told does not depend on how it drives."""

import json
from pathlib import Path

import polars as pl
import pytest

from congestree.live.driving import Live, LiveError

from .injected import answers, scenario

SAMPLED = {"duration": "60 us", "probes": ["credits", "trees", "queues"], "sampling_interval": "1 us", "bin": "1 us"}


def test_what_is_injected_after_a_quiet_time_is_in_no_sample_of_that_time():
    """It was in all samples since the last event, where it had been announced late."""

    def driven(late):
        live = Live(scenario(measure=SAMPLED))
        if late:
            live.advance("5.5 us")
        live.inject("H1", "H4", "8 KiB", at="5.5 us")
        live.drain()
        live.advance("59.5 us")
        live.inject("H1", "H4", "8 KiB")
        live.drain()
        return live.finish()

    late, early = driven(True), driven(False)
    first = early.credit_series.filter((pl.col("port") == 0) & (pl.col("time") < 5.5e-6))
    assert first["credit"].n_unique() == 1 and late.fingerprint == early.fingerprint
    for table in early.tables:
        assert late.table(table).equals(early.table(table)), table


def test_what_is_injected_at_the_end_is_in_no_sample_before_it():
    """`drain` went to the end, as packets come in after it, and left the samples on the way to what came there."""
    before = []
    for more in (False, True):
        live = Live(scenario(measure=SAMPLED, links={"rate": "10 Gbit/s", "delay": "70 us"}))
        live.inject("H1", "H4", "4 KiB")
        assert live.drain() == [] and live.now == live.end
        if more:
            live.inject("H1", "H2", "4 KiB")
        series = live.finish().credit_series
        before.append(series.filter((pl.col("port") == 0) & (pl.col("time") < 59.5e-6)))
    assert before[0].height == 59 and before[0].equals(before[1])


def test_jobs_do_not_end_what_a_driver_ends():
    """They moved the end before the present, after which every call was refused."""
    ends = scenario(measure={"duration": "1 ms", "until_jobs_end": True})
    with pytest.raises(LiveError, match=r"^The driver ends this .* measure\.until_jobs_end: leave it out"):
        Live(ends)


def test_draining_ends_with_the_last_message_where_credits_come_back_in_messages():
    """What senders say of themselves every `heal` is no work: it went on to the end of the scenario."""
    links = {"rate": "10 Gbit/s", "delay": "1 us", "flow_control": {"byte-credits": {"messages": {"heal": "3 us"}}}}
    with Live(scenario(links=links)) as live:
        for _ in range(2):
            begun = live.now
            for source in ("H1", "H2"):
                live.inject(source, "H4", 20_000)
            first, last = live.drain()
            assert begun < first.time < last.time <= live.now < last.time + 5e-6
        live.advance("500 us")
        assert live.drain() == [] and 500e-6 <= live.now < 505e-6


MARKED = {"mark": {"red": {"min": "2 kB", "max": "4 kB", "probability": 1.0}}, "notify": "cnp", "react": "dcqcn"}


@pytest.mark.parametrize("later", [None, scenario(scheme=MARKED, topology={"single-switch": {"hosts": 9}})])
def test_what_becomes_of_the_file_of_an_open_simulation_does_not_matter(later, tmp_path, monkeypatch):
    """Its marking was read again with a change, and its entries with the first message."""
    monkeypatch.chdir(tmp_path)
    path = Path("live.json")
    path.write_text(json.dumps(scenario(scheme=MARKED)))
    with Live(path) as live:
        path.unlink() if later is None else path.write_text(json.dumps(later))
        monkeypatch.chdir("/")
        for source in ("H1", "H2", "H3"):
            live.inject(source, "H4", 30_000)
        live.change({"scheme.mark.red.max": "3 kB"})
        live.change({"scheme.mark.red.min": "1 kB"})
        live.drain()
        first = live.close()
    with Live(scenario(scheme=MARKED)) as live:
        for source in ("H1", "H2", "H3"):
            live.inject(source, "H4", 30_000)
        live.change({"scheme.mark.red": {"min": "1 kB", "max": "3 kB", "probability": 1.0}})
        live.drain()
        assert live.close() == first


def test_a_change_of_what_a_named_file_says_is_no_change_of_the_marking(tmp_path):
    def write(hosts):
        (tmp_path / "network.json").write_text(json.dumps({"topology": {"single-switch": {"hosts": hosts}}}))

    path = tmp_path / "live.json"
    path.write_text(json.dumps(scenario(scheme=MARKED, topology={"file": "network.json"})))
    write(4)
    with Live(path) as live:
        write(5)
        with pytest.raises(LiveError, match=r"differs from that of the open simulation: change nothing but"):
            live.change({"scheme.mark.red.max": "3 kB"})
        write(4)
        live.change({"scheme.mark.red.max": "3 kB"})


def test_messages_are_of_entries_for_them_alone():
    """An entry whose messages are flows of their own took injected ones, too."""
    own = {"name": "own", "from": ["H1"], "to": "H2", "flows": "by-message", "arrivals": {"poisson": {"load": 0.1}}}
    driven = {"name": "live", "from": "all", "arrivals": "injected"}
    with pytest.raises(LiveError, match="No entry of traffic is for injected messages"):
        Live(scenario(traffic=[own]))
    with Live(scenario(traffic=[own, driven])) as live:
        assert live.inject("H1", "H2", 1) == 1
        with pytest.raises(LiveError, match="sends no injected messages of entry 0"):
            live.inject("H1", "H2", 1, entry="own")
    with Live(scenario(traffic=[driven, {**driven, "name": "more"}])) as live:
        with pytest.raises(LiveError, match="Several entries"):
            live.inject("H1", "H2", 1)
        assert live.inject("H1", "H2", 1, entry="more") == 1


def test_a_message_is_found_among_the_completions_by_the_number_of_its_flow():
    """Messages are numbered with the calls, flows as they begin, with those of other traffic."""
    listed = {"name": "own", "list": [{"from": "H3", "to": "H4", "message": "2 kB", "at": "1 us"}]}
    driven = {"name": "live", "from": "all", "arrivals": "injected"}
    recording = {"duration": "1 ms", "probes": ["completions"]}
    live = Live(scenario(traffic=[listed, driven], measure=recording))
    sizes = {live.inject("H1", "H4", 5000, at="9 us"): 5000}
    live.schedule("1 us", "look")
    sizes[live.inject("H2", "H4", 100, at="2 us")] = 100
    notices = [notice for notice in live.drain() if notice.kind == "delivered"]
    rows = {row["number"]: row for row in live.finish().completions.iter_rows(named=True)}
    assert list(sizes) == [1, 3] and [notice.what for notice in notices] == [3, 1] and len(rows) == 3
    for notice in notices:
        row = rows[notice.flow_number]
        assert (row["class"], row["size"], row["finished"]) == ("live", sizes[notice.what], notice.time)


def test_a_driver_is_told_what_has_no_effect():
    quiet = {"node": {"hosts": 2, "rate": "900 Gbit/s", "delay": "10 ns"}, "ack_turnaround": "1 us"}
    red = {"mark": {"red": {"min": "1 MB", "max": "2 MB", "probability": 1.0}}, "notify": "cnp", "react": "dcqcn"}
    said = scenario(adapters=quiet, run={"threads": 4}, scheme=red)
    with Live(said) as live:
        notes = live.notes
    begins = ["scheme.mark.red never marks", "adapters.node has no effect", "run.threads = 4 has no effect"]
    assert all(any(note.startswith(begin) for note in notes) for begin in begins), notes
    with Live(scenario(adapters={"ack_turnaround": "1 us"})) as live:
        assert [note.split(" = ")[0] for note in live.notes] == ["adapters.ack_turnaround"]
    opened, bare = (answers({"call": "open", "scenario": one})[0]["ok"] for one in (said, scenario()))
    assert opened["notes"] == list(notes) and bare["notes"] == []
