"""Packets that were lost: what `explain` and the report say of the column `dropped`, and what is said before a run."""

import json
from types import SimpleNamespace

import pyarrow as pa
import pytest

import congestree
from congestree import report
from congestree.evaluation import losses
from congestree.report import of_run

LOSSY = """
topology.single-switch.hosts = 5
links = { rate = "10 Gbit/s", flow_control = "none" }
switches.output_queue = "8 kB"
scheme.transport.new-reno = {}
traffic = [{ from = ["H1", "H2", "H3"], to = "H4" }, { from = ["H1", "H2", "H3"], to = "H5" }]
measure.duration = "1 ms"
"""


@pytest.fixture(scope="module")
def lossy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lossy")
    path = folder / "lossy.toml"
    path.write_text(LOSSY)
    return congestree.run(path, out=folder / "run")


def test_outputs_with_losses_are_told_the_most_first(lossy, congestree_cli):
    drops = dict(lossy.ports.select("name", "dropped").iter_rows())
    found = losses.rows(lossy)
    assert {row["port"]: row["dropped"] for row in found} == {name: count for name, count in drops.items() if count}
    assert [row["dropped"] for row in found] == sorted((row["dropped"] for row in found), reverse=True)
    assert {row["port"] for row in found} == {"S->H4", "S->H5"}
    first, second = found
    said = (
        f"{sum(drops.values()):,} packets were lost at 2 outputs: {first['dropped']:,} at {first['port']} and "
        f"{second['dropped']:,} at {second['port']}."
    )
    assert losses.sentences(lossy) == [said]
    assert " ".join(congestree_cli("explain", lossy.folder).stdout.split()) == said
    assert json.loads(congestree_cli("explain", lossy.folder, "--json").stdout) == {"losses": found}
    assert said.replace(">", "&gt;") in report.html(lossy)


@pytest.mark.parametrize(
    ("drops", "trims", "said"),
    [
        ([0, 0], None, []),
        ([0, 1], None, ["1 packet was lost at p1."]),
        ([2000, 0], {}, ["2,000 packets were lost at p0."]),
        ([2000, 0], {"size": "64 B"}, ["2,000 packets were lost or trimmed at p0."]),
        ([3, 1, 2, 1], None, ["7 packets were lost at 4 outputs: 3 at p0, 2 at p2, 1 at p1 and 1 at another."]),
        ([5, 4, 3, 2, 1], None, ["15 packets were lost at 5 outputs: 5 at p0, 4 at p1, 3 at p2 and 3 at 2 others."]),
    ],
)
def test_the_sentence_is_as_short_as_can_be(drops, trims, said):
    ports = pa.table({"name": [f"p{i}" for i in range(len(drops))], "dropped": drops})
    scenario = {"switches": {"trim": trims}, "measure": {"warm_up": "0 s"}}
    run = SimpleNamespace(_scenario=scenario, arrow={"ports": ports}.get)
    assert losses.sentences(run) == said


def test_parallel_links_are_told_apart():
    names, drops = ["L->R", "R->L", "L->R", "L->b"], [143, 0, 83, 5]
    scenario = {"switches": {}, "measure": {"warm_up": "0 s"}}
    run = SimpleNamespace(_scenario=scenario, arrow={"ports": pa.table({"name": names, "dropped": drops})}.get)
    assert [row["port"] for row in losses.rows(run)] == ["L->R (1)", "L->R (2)", "L->b"]
    assert losses.sentences(run) == [
        "231 packets were lost at 3 outputs: 143 at L->R (1), 83 at L->R (2) and 5 at L->b."
    ]


@pytest.mark.parametrize(("scenario", "what"), [("uec-incast", "dropped or trimmed"), (LOSSY, "dropped")])
def test_the_report_says_that_packets_were_trimmed_where_they_are(scenario, what):
    """Of packets that were trimmed it said that they were dropped, and two lines below that they were trimmed."""
    run = congestree.run(scenario)
    dropped, resent = (int(run.value(name)) for name in ("dropped", "resent"))
    assert dropped and f"{dropped:,} packets were {what} and {resent:,} sent again." in of_run.findings(run, None)


def test_a_lossless_run_has_none(small):
    assert losses.sentences(congestree.run(small)) == []


PAUSED = {
    "topology": {"single-switch": {"hosts": 4}},
    "links": {"rate": "100 Gbit/s", "delay": "100 ns"},
    "measure": {"duration": "1 ms"},
}


def notes_on(entry, pfc, buffer="5 MB", **more):
    paused = {**PAUSED, "links": {**PAUSED["links"], "flow_control": {"pfc": pfc}}, "switches": {"buffer": buffer}}
    return congestree.check({**paused, "traffic": [{"name": "some", **entry}], **more})["notes"]


LISTED = {"list": [{"from": "H1", "to": "H4", "message": "1 MB", "at": "0 s"}]}
APPLICATION = {"from": "all", "program": {"all-to-all": {"bytes": "1 MB"}}}
STREAM = {"from": ["H1", "H2"], "to": "H4"}


@pytest.mark.parametrize("entry", [{"from": "all", "arrivals": "injected"}, LISTED, APPLICATION])
def test_messages_that_pauses_may_lose_for_good_are_told_before_the_run(entry):
    """They were never delivered, and nothing was said."""
    by_transport = entry is APPLICATION
    (told,) = notes_on(entry, {"watchdog": {"action": "drop"}})
    assert "watchdog drops packets" in told and "nothing sends those of some again" in told
    assert ("or give scheme.transport" in told) == by_transport
    (told,) = notes_on(entry, {"losses": "count", "watchdog": {"action": "forward"}})
    assert "in spite of a pause" in told
    (told,) = notes_on(entry, {"losses": "count"}, buffer="5 kB")
    assert "losses = count lets packets be dropped" in told and '"refuse"' in told
    for pfc, buffer in (({}, "5 MB"), ({"losses": "count"}, "5 MB"), ({"losses": "stop"}, "5 kB")):
        assert notes_on(entry, pfc, buffer) == []
    if by_transport:
        assert notes_on(entry, {"watchdog": {}}, scheme={"transport": {"go-back-n": {}}}) == []
    assert notes_on(STREAM, {"watchdog": {}}) == []


SHORT = {"measure.duration": "40 ms"}


def test_short_transfers_over_tcp_have_losses_repairs_and_timeouts():
    run = congestree.run("short-transfers-over-tcp")
    assert all(run.value(name) > 0 for name in ("dropped", "resent", "timeouts"))
    assert losses.too_short(run) == []


def test_who_reads_a_run_that_ends_before_a_timeout_is_told_of_flows_that_wait_for_it(congestree_cli, tmp_path):
    run = congestree.run("short-transfers-over-tcp", values=SHORT, out=tmp_path / "short")
    assert run.value("dropped") > 0 == run.value("timeouts")
    flows = sum(dropped > resent for dropped, resent in run.flows.select("dropped", "resent").iter_rows())
    (said,) = losses.too_short(run)
    assert said == (
        f"{flows} flows had lost packets that were not sent again before the end: the run of 40 ms is no longer than "
        "scheme.transport.new-reno.least_timeout (200 ms). Make measure.duration longer, to see such losses repaired."
    )
    assert said in congestree.report.html(tmp_path / "short")
    printed = congestree_cli("run", "short-transfers-over-tcp", "--set", "measure.duration=40 ms", "--out", "again")
    assert said in " ".join(printed.stdout.split())


def test_a_run_in_which_nothing_was_lost_or_that_is_longer_than_timeouts_is_not_called_too_short():
    def told(**values):
        run = congestree.run("short-transfers-over-tcp", values=values)
        return run.value("timeouts"), losses.too_short(run)

    assert told(**SHORT, **{"switches.output_queue": "60 MB"}) == (0, [])
    timeouts, said = told(**SHORT, **{"scheme.transport.new-reno.least_timeout": "1 ms"})
    assert timeouts > 0
    assert said == []
