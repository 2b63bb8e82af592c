"""Messages of an application follow each other, unless its transport sends block by block: and then that is told."""

import json

import pytest

import congestree
from congestree import _engine
from congestree.notes import blockwise

RING = """
topology.single-switch.hosts = 4
links = { rate = "100 Gbit/s", delay = "1 us" }
switches.buffer = "64 KiB"

[[traffic]]
name = "sum"
from = "all"
job.send_end = "delivered"
program.collective = { operation = "all-reduce", algorithm = "ring", bytes = "64 KiB" }

[measure]
duration = "10 ms"
until_jobs_end = true
"""
TOLD = "sum: over the transport new-reno, a message to a host begins only when the last packet of the message before"


def test_the_price_of_a_transport_is_as_told():
    """Six steps of two slices of 8 KiB: both follow each other, or each waits for the last ACK of the one before."""
    schemes = ({"preset": "none"}, {"preset": "irn"}, {"transport": "new-reno"})
    bare, irn, over = (congestree.run(RING, values={"scheme": scheme}) for scheme in schemes)
    steps, slices, sending, one_way = 6, 2, 8192 * 8 / 100e9, 2e-6
    assert bare.job_completions()["sum"] == pytest.approx(steps * (sending + one_way), rel=0.15)
    assert irn.job_completions()["sum"] == pytest.approx(bare.job_completions()["sum"], rel=0.05)
    assert over.job_completions()["sum"] > 0.9 * steps * slices * (sending + 2 * one_way)
    assert blockwise.sentences(bare.scenario) == blockwise.sentences(irn.scenario) == []
    assert blockwise.sentences(over.scenario)[0].startswith(TOLD)
    without = congestree.check("short-transfers-over-tcp")["scenario"]
    assert "new-reno" in without["scheme"]["transport"]
    assert blockwise.sentences(without) == [], "it has no application"


TRANSPORTS = {part["name"]: part for part in json.loads(_engine.catalogue()) if part["kind"] == "transport"}


@pytest.mark.parametrize("name", sorted(TRANSPORTS.keys() - {"none"}))
def test_it_is_told_of_a_transport_whose_messages_do_not_follow_on(name):
    scenario = congestree.check(RING)["scenario"]
    scenario["scheme"]["transport"] = {name: {}}
    said = blockwise.sentences(scenario)
    assert len(said) == (not TRANSPORTS[name]["follows_on"])
    assert all("than with go-back-n, irn, uet or no transport." in sentence for sentence in said)


def test_commands_and_reports_tell_it(congestree_cli, tmp_path):
    path = tmp_path / "ring.toml"
    path.write_text(RING.replace("[measure]", '[scheme]\ntransport = "new-reno"\n[measure]'))
    assert TOLD in congestree_cli("check", path).stderr
    for command in (("run", path, "--out", "done"), ("job", "report", path)):
        assert TOLD in " ".join(congestree_cli(*command).stdout.split()), command
    assert TOLD in congestree.report.html(tmp_path / "done")
