"""`congestree serve` answers every line of another program, whatever it holds."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import congestree
from congestree.cli import app
from congestree.live import driving, serving

from .injected import answers, scenario

WRONG = [None, 5, -1, 1.5, "x", "", [1], {"a": 1}, True, float("nan"), float("inf"), 1e300, 10**30, "-5 us"]
CALLS = {
    "open": {"scenario": {}, "values": {}, "seed": 1},
    "inject": {"from": "H1", "to": "H2", "bytes": 100, "at": "1 us", "rank": 0, "entry": "live"},
    "schedule": {"at": "5 us", "what": 1, "rank": 0},
    "advance": {"until": "10 us"},
    "observe": {"table": "ports"},
    "change": {"values": {}},
    "close": {"out": "driven"},
}


def test_every_line_is_answered_whatever_it_holds(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some are names of folders
    for call, arguments in CALLS.items():
        whole = {**arguments, "scenario": scenario()} if call == "open" else arguments
        for key in whole:
            for value in WRONG:
                first = [] if call == "open" else [{"call": "open", "scenario": scenario()}]
                lines = [*first, {"call": call, **whole, key: value}, {"call": "advance"}]
                assert len(answers(*lines)) == len(lines), (call, key, value)
    for line in ('{"call": ["x"]}', '{"call": {}}', '{"id": NaN, "call": "close"}', "[]", "5", '"open"', "\ud800"):
        assert "error" in answers(line)[0], line


@pytest.mark.parametrize("wrong", [{"call": "foo"}, {}, {"call": "inject", "from": "H1"}, {"call": "drain", "x": 1}])
def test_a_refused_call_is_answered_with_its_id(wrong):
    (told,) = answers({"id": 5, **wrong})
    assert told["id"] == 5 and "error" in told


def test_a_file_of_calls_has_lines_where_standard_input_has_them(tmp_path):
    """It was split at every character that ends a line of any text, such as U+2028."""
    path = tmp_path / "calls.jsonl"
    path.write_text('{"call": "no\u2028such", "id": "a\x85b"}\r\n\n{"call": "drain"}\n', encoding="utf-8")
    done = CliRunner().invoke(app, ["serve", str(path)])
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == 2 and told[0]["id"] == "a\x85b" and "There is no such call" in told[0]["error"]


def test_a_byte_order_mark_before_the_calls_is_left_aside(congestree_cli, tmp_path):
    """In a file it was, and on standard input it made an error of the first call."""
    text = '\ufeff{"call": "no such", "id": 1}\n'
    (tmp_path / "calls").write_text(text, encoding="utf-8")
    for told in (congestree_cli("serve", "calls"), congestree_cli("serve", stdin=text)):
        assert json.loads(told.stdout)["id"] == 1


def test_the_page_has_every_call_with_all_that_it_takes():
    page = (Path(__file__).parents[2] / "docs" / "howto" / "drive-a-simulation.md").read_text(encoding="utf-8")
    rows = {row.split("|")[1].strip(" `"): row for row in page.splitlines() if row.count("|") == 5}
    for call, (needed, possible) in serving._ARGUMENTS.items():
        told = [set(re.findall(r"`(\w+)`", cell)) for cell in rows[call].split("|")[2:4]]
        assert needed <= told[0] and told[1] == possible, call


def test_the_line_protocol_answers_every_line():
    calls = [
        {"call": "open", "scenario": scenario(), "id": 7},
        {"call": "inject", "from": "H1", "to": "H2", "bytes": 1000},
        {"call": "schedule", "at": "1 us", "what": "mine"},
        {"call": "advance"},
        {"call": "advance"},
        {"call": "nothing"},
        {"call": "inject", "from": "H1"},
        {"call": "observe", "table": "ports"},
        {"call": "drain"},
        {"call": "close"},
        {"call": "close"},
    ]
    out = []
    serving.serve([*map(json.dumps, calls), "{", "[]", "  "], out.append)
    told = [json.loads(line) for line in out]
    assert told[0]["id"] == 7 and told[0]["ok"]["hosts"][:2] == ["H1", "H2"]
    assert told[1]["ok"] == {"number": 1}
    assert told[3]["ok"]["notices"][0]["what"] == "mine" and told[4]["ok"]["notices"][0]["kind"] == "delivered"
    errors = [5, 6, 10, 11, 12]
    assert [i for i, answer in enumerate(told) if "error" in answer] == errors
    assert told[9]["ok"]["packet_hops"] == 2


def test_an_argument_that_a_call_does_not_know_is_answered_with_those_that_it_takes():
    told = []
    calls = [{"call": "advance", "to": "1 ms"}, {"call": "close", "now": True}]
    serving.serve([json.dumps(call) for call in calls], told.append)
    assert [json.loads(answer)["error"] for answer in told] == [
        'advance knows no "to": it takes until.',
        'close knows no "now": it takes out.',
    ]


def test_close_writes_what_was_recorded(tmp_path):
    recording = scenario(measure={"duration": "1 ms", "probes": ["completions"]})
    (tmp_path / "study.json").write_text("{}")
    *_, delivered, refused, closed, written = answers(
        {"call": "open", "scenario": recording},
        {"call": "inject", "from": "H1", "to": "H2", "bytes": 10_000},
        {"call": "schedule", "at": "1 us", "what": None},
        {"call": "drain"},
        {"call": "close", "out": str(tmp_path)},
        {"call": "close", "out": str(tmp_path / "driven")},
        {"call": "close"},
    )
    due, landed = delivered["ok"]["notices"]
    assert due == {"time": 1e-6, "kind": "due", "what": None}
    counts = {"packets": 5, "marked": 0, "flow_number": 0}
    assert landed | {"time": 0} == {"time": 0, "kind": "delivered", "what": 1, **counts}
    assert "holds a sweep already" in refused["error"] and "No simulation is open" in written["error"]
    run = congestree.Run.load(tmp_path / "driven")
    assert run.completions["finished"].to_list() == [landed["time"]]
    assert closed["ok"] == {**run.fingerprint, "packet_hops": 10, "events": run.manifest["events"]}


def test_another_simulation_can_be_opened_if_results_could_not_be_written(tmp_path, monkeypatch):
    def full(*_):
        raise congestree.CongestreeError("No space left on device.")

    monkeypatch.setattr(congestree.Run, "save", full)
    opening = {"call": "open", "scenario": scenario()}
    _, failed, again = answers(opening, {"call": "close", "out": str(tmp_path / "driven")}, opening)
    assert "No space" in failed["error"] and again["ok"]["hosts"]


def test_the_command_serves_another_program():
    lines = [{"call": "open", "scenario": scenario()}, {"call": "close"}]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(
        [sys.executable, "-m", "congestree", "serve"], input=text, capture_output=True, text=True, check=True
    )
    assert [json.loads(line).keys() for line in io.StringIO(done.stdout)] == [{"ok": 0}.keys()] * 2
    assert driving.Live is congestree.Live
