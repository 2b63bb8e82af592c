"""The command line: what it prints, where it writes, and how it reports errors."""

import io
import json
import os
import re
import shlex
import subprocess
import time

import pytest

from .conftest import SMALL, command, interrupt, limited


def test_help_has_examples(congestree_cli):
    assert "reproduce" in congestree_cli("--help").stdout
    for name in ("import", "export", "run", "check", "sweep", "reproduce", "list", "bench", "schema"):
        assert "Example" in congestree_cli(name, "--help").stdout, name


def test_no_help_names_a_folder_that_only_a_checkout_has(monkeypatch):
    """The first examples of `run` and `sweep` failed wherever the package was installed."""
    import typer.testing

    from congestree.cli import app

    monkeypatch.setenv("COLUMNS", "300")
    for words, _ in leaves(typer.main.get_command(app)):
        assert "scenarios/" not in typer.testing.CliRunner().invoke(app, [*words, "--help"]).stdout, words


def test_run_writes_results_and_prints_where(congestree_cli, small, tmp_path):
    done = congestree_cli("run", small, "--plot")
    assert "results: runs/small" in done.stdout
    assert "contenders" in done.stdout
    assert (tmp_path / "runs/small/manifest.json").exists()
    drawn = {"rates.png", "utilisation.png", "queues.png", "latency.png"}
    assert {p.name for p in (tmp_path / "runs/small/plots").iterdir()} == drawn


def test_run_takes_values_and_a_seed(congestree_cli, small):
    done = congestree_cli("run", small, "--set", "links.rate=16 Gbit/s", "--seed", 9, "--json", "--out", "here")
    manifest = json.loads(done.stdout)
    assert manifest["seed"] == 9
    assert manifest["scenario"]["links"]["rate"].startswith("16 G")
    assert manifest["results"] == "here"


def test_check_prints_facts_or_all_complaints(congestree_cli, small, tmp_path):
    assert json.loads(congestree_cli("check", small, "--json").stdout)["facts"]["hosts"] == 4
    assert "hosts" in congestree_cli("check", small).stdout
    bad = tmp_path / "bad.toml"
    bad.write_text(SMALL.replace("hosts = 4", "hosts = -4").replace('rate = "8 Gbit/s"', 'rate = "8 parsecs"'))
    done = congestree_cli("check", bad, code=2)
    assert "bad.toml:" in done.stderr
    assert "parsecs" in done.stderr
    complaints = json.loads(congestree_cli("check", bad, "--json", code=2).stdout)["complaints"]
    assert len(complaints) >= 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("small.toml", "--set", "traffic.b.to=H1"), "names entry b of a list of 2"),
        (("small.toml", "--set", "links.rate=nan"), "links.rate is nan"),
        (("small.toml", "--set", "foo"), "should be PATH=VALUE"),
        (("small.toml", "--set", "links.rate=3 parsecs"), "expected a rate"),
        (("small.toml", "--limit-memory", "bogus"), "is not a size of memory"),
        (("small.toml", "--limit-memory", "1 B"), "and the limit is 1"),
        (("nowhere.toml",), "There is no file nowhere.toml."),
        (("nowhere",), "no shipped scenario of that name"),
        (("latin.toml",), "is not a text file in UTF-8"),
        (("broken.toml",), ""),
        (("run",), "is the folder of a run, not a scenario"),
        (("one.cm",), "holds a connection matrix"),
    ],
)
def test_check_prints_whatever_is_wrong_as_json_if_asked(congestree_cli, small, finished, tmp_path, arguments, says):
    """Of half of it nothing was on stdout."""
    (tmp_path / "latin.toml").write_bytes(b'name = "\xff"')
    (tmp_path / "broken.toml").write_text("seed = = 1")
    (tmp_path / "one.cm").write_text("Nodes 4\nConnections 1\n0->1 id 1 start 0 size 100\n")
    (tmp_path / "run").symlink_to(finished.folder)
    told = json.loads(congestree_cli("check", *arguments, "--json", code=2).stdout)
    assert not told["ok"] and says in told["complaints"][0]["fact"], told
    assert set(told["complaints"][0]) == {"file", "path", "line", "column", "fact", "remedy"}


def test_check_warns_of_what_lies_after_the_end_of_the_run(congestree_cli, small):
    """Such traffic is a mistake of a unit or a digit, and the run of it looks like one without it."""
    silent = congestree_cli("check", small, "--set", "traffic.0.start=5 ms", "--set", "measure.duration=5 ms").stderr
    assert "traffic.0 (" in silent and "starts at 5 ms, and a run ends at 5 ms" in silent
    before = ["--set", "traffic.0.stop=1 ms", "--set", "measure.warm_up=1 ms", "--set", "measure.duration=5 ms"]
    assert "stops at 1 ms, and measure.warm_up ends at 1 ms" in congestree_cli("check", small, *before).stderr
    assert json.loads(congestree_cli("check", small, *before, "--json").stdout)["warnings"][0].startswith("traffic.0 (")
    assert json.loads(congestree_cli("check", small, "--json").stdout)["warnings"] == []
    sampled = ["--set", "measure.probes=[trees]", "--set", "measure.duration=5 ms"]
    unsampled = congestree_cli("check", small, *sampled, "--set", "measure.sampling_interval=6 ms").stderr
    assert "first sample is at 6 ms, and a run ends at 5 ms" in unsampled
    assert congestree_cli("check", small, *sampled, "--set", "measure.sampling_interval=5 ms").stderr == ""
    for key in ("jitter", "stagger"):
        late = ["--set", f"traffic.0.{key}=2 ms", "--set", "measure.duration=2 ms"]
        told = congestree_cli("check", small, *late).stderr
        assert "may lack some of its sources: " in told and f"{key} = 2 ms" in told
    stopped = ["--set", "traffic.0.jitter=1 ms", "--set", "traffic.0.stop=1 ms", "--set", "measure.duration=5 ms"]
    assert "since all stop at 1 ms; make jitter smaller" in congestree_cli("check", small, *stopped).stderr
    in_time = ["--set", "traffic.0.start=4.98 ms", "--set", "measure.duration=5 ms"]
    assert congestree_cli("check", small, *in_time).stderr == ""


def test_check_warns_of_incasts_after_the_end(congestree_cli, tmp_path):
    (tmp_path / "incasts.toml").write_text(
        'topology.single-switch.hosts = 4\nlinks.rate = "8 Gbit/s"\nmeasure.duration = "10 ms"\n[[traffic]]\n'
        'from = "all"\nto = "H1"\narrivals.incast = { senders = 2, count = 5, every = "4 ms" }\n'
    )
    told = "traffic.0 (traffic0) lacks 2 of its 5 incasts: one comes every 4 ms from 0 ns on, and a run ends at 10 ms"
    assert told in congestree_cli("check", "incasts.toml").stderr
    assert congestree_cli("check", "incasts.toml", "--set", "measure.duration=17 ms").stderr == ""


def test_cost_adds_up_what_switches_are_made_of(congestree_cli, tmp_path):
    """The numbers of Gran's Paper VI: 64 packets of 2 KiB for each of 64 destinations; 9 lines of 64 + 35 cells."""
    tree = tmp_path / "tree.toml"
    tree.write_text(
        """
        [topology.k-ary-n-tree]
        k = 4
        n = 3
        [links]
        rate = "40 Gbit/s"
        [switches]
        buffer = "128 KiB"
        [[traffic]]
        from = "all"
        pattern = "uniform"
        arrivals = { poisson = { load = 0.5 } }
        [measure]
        duration = "1 ms"
        """
    )

    def cost(*values):
        text = congestree_cli("cost", tree, *(part for value in values for part in ("--set", value)), "--json").stdout
        return json.loads(text)

    voqnet = cost("switches.queues=voqnet", "switches.buffer=64 KiB")
    assert voqnet["inputs"][-1] == {"ports": 8, "switches": 32, "queues": 64, "buffer_bytes": 8 << 20}
    ecocc = cost("scheme.isolate.ecocc.destinations=8")
    assert ecocc["inputs"][-1]["queues"] == 7 + 2
    assert ecocc["inputs"][-1]["buffer_bytes"] == 128 << 10
    assert (ecocc["input"]["cam_cells"], ecocc["input"]["sram_cells"]) == (9 * 64, 9 * 35)
    assert ecocc["all"]["cam_cells"] == 9 * 64 * (32 * 8 + 16 * 4)
    assert "CAM" in congestree_cli("cost", tree).stdout
    # At every output 48 queues of flows and the one with priority, in place of those of the input in the first lane.
    flows = cost("scheme={ isolate = { bfc = { queues = 48 } } }", "links.lanes=2")
    assert flows["inputs"][-1]["queues"] == 48 + 1 + 7 and flows["all"]["queues"] == 32 * 8 * 56 + 16 * 4 * 52

    # Two lanes with 128 KiB each at an input; 4 packets of 2 KiB behind a crossbar; 2 MB for a whole switch.
    paused = ("links.flow_control={ pfc = {} }", "links.lanes=2", "scheme.preset=none")
    assert cost(*paused)["inputs"][-1]["buffer_bytes"] == 2 * (128 << 10)
    crossed = cost(
        "switches.crossbar=40 Gbit/s", "switches.output_packets=4", "adapters={ mtu = '2 KiB', header = '0 B' }"
    )
    assert crossed["inputs"][-1]["output_bytes"] == 8 << 10
    assert crossed["all"]["buffer_bytes"] == ((128 + 8) << 10) * (32 * 8 + 16 * 4)
    # 135 kB of replay buffer at every output of a switch, or as much as its frames may take.
    ports, plain = 32 * 8 + 16 * 4, cost()["all"]["buffer_bytes"]
    assert cost("links.retry={}")["all"]["buffer_bytes"] - plain == ports * 135_000
    few = cost("links.retry={ frames = 10 }", "adapters={ mtu = '2 KiB', header = '0 B' }")
    assert few["inputs"][-1]["output_bytes"] == 10 * 2048
    shared = cost(*paused, "switches={ shared_memory = { size = '2 MB' } }")
    assert (shared["inputs"][-1]["buffer_bytes"], shared["inputs"][-1]["switch_bytes"]) == (0, 2_000_000)
    assert shared["all"]["buffer_bytes"] == 2_000_000 * 48
    assert "of the switch" in congestree_cli("cost", "pfc-incast").stdout
    # A lane for data, and one for trimmed packets with twice its room.
    trims = congestree_cli("cost", "uec-incast").stdout
    assert "Memory of one output (output queues)" in trims and f"{3 * 174300 / 1024:.0f} KiB" in trims


def test_cost_adds_up_output_queues_that_go_by_the_rates_of_links(congestree_cli, tmp_path):
    """In proportion to each, rounded down."""
    bed = tmp_path / "bed.toml"
    bed.write_text(
        """
        topology.test-bed.trunk_rate = "80 Gbit/s"
        links = { rate = "40 Gbit/s", flow_control = "none", lanes = 2 }
        switches.output_queue = "100001 B"
        traffic = [{ from = "H1", to = "H5" }]
        measure.duration = "1 us"
        """
    )

    def cost(*values):
        return json.loads(congestree_cli("cost", bed, *values, "--json").stdout)

    assert cost()["all"]["buffer_bytes"] == 2 * 9 * 100_001
    by_rate = ("--set", "switches.output_queue_rate=80 Gbit/s")
    found = cost(*by_rate)
    assert found["all"]["buffer_bytes"] == 2 * (7 * 50_000 + 2 * 100_001)
    assert {(kind["least_buffer_bytes"], kind["buffer_bytes"]) for kind in found["inputs"]} == {(100_000, 200_002)}
    assert "97.7 KiB to 195 KiB" in congestree_cli("cost", bed, *by_rate).stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("run", "nowhere.toml"), "There is no file nowhere.toml."),
        (("run", "scenarios/hot-spot.toml"), "the shipped scenario of this name is hot-spot, without ending"),
        (("run", "nowhere"), "no shipped scenario"),
        (("run", "."), "folder"),
        (("check", "broken.toml"), "broken.toml"),
        (("sweep", "nowhere.toml"), "There is no file"),
        (("reproduce", "nobody1999"), "no paper"),
        (("reproduce", "hpl2002/fig99"), "no figure"),
        (("bench", "--only", "nothing"), "No case"),
        (("run", "small.toml", "--set", "seed"), "PATH=VALUE"),
        (("run", "small.toml", "--set", "traffic.9.to=H1"), "list of 2"),
        (("run", "small.toml", "--out", "small.toml/results"), "cannot be written"),
        (("schema", "--out", "no/such/folder/x.json"), "cannot be written"),
    ],
)
def test_mistakes_are_sentences(congestree_cli, small, tmp_path, arguments, says):
    (tmp_path / "broken.toml").write_text("seed = = 1")
    failed = congestree_cli(*arguments, code=1 if says == "cannot be written" else 2)
    assert says in failed.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full disk to print to")
@pytest.mark.parametrize(
    "arguments",
    [("check", "small.toml"), ("check", "small.toml", "--json"), ("list", "parts"), ("--version",), ("--help",)],
)
def test_a_full_disk_is_a_sentence(small, tmp_path, arguments):
    with open("/dev/full", "w") as full:
        done = subprocess.run(command(*arguments), cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.stderr == "What is printed cannot be written: No space left on device.\n"
    assert done.returncode == 1


@pytest.mark.skipif(os.name == "nt", reason="limits as Unix has them")
@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("arguments", [("list",), ("schema",), ("--help",), ("list", "--json")], ids=" ".join)
def test_a_disk_that_becomes_full_is_a_sentence(tmp_path, arguments, unbuffered):
    """Without a buffer (PYTHONUNBUFFERED) the rest was missing, and all was well; with one there was a traceback."""
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    options = {"env": environment, "stderr": subprocess.PIPE, "text": True}
    with open(tmp_path / "o", "w") as file:
        done = subprocess.run(limited(200, *arguments), stdout=file, **options)
    assert (done.returncode, done.stderr) == (1, "What is printed cannot be written: File too large.\n")
    assert (tmp_path / "o").stat().st_size == 200


def test_closed_streams_are_no_trouble(small, tmp_path):
    words = shlex.join(command("run", small, "--out", "quiet"))
    done = subprocess.run(["sh", "-c", f"{words} <&- >&- 2>&-"], cwd=tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "quiet" / "manifest.json").exists()


def test_names_that_are_not_utf_8_are_a_sentence(small, tmp_path):
    words = [os.fsencode(word) for word in command("run", small, "--out", "results")]
    done = subprocess.run([*words[:-1], b"results\xff"], cwd=tmp_path, capture_output=True, text=True)
    assert "results\ufffd is not UTF-8" in done.stderr and "Traceback" not in done.stderr
    assert done.returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["small.toml"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_a_folder_that_may_not_be_read_is_a_sentence(congestree_cli, small, tmp_path):
    (tmp_path / "closed").mkdir(mode=0)
    said = congestree_cli("check", "closed/small.toml", code=1).stderr
    assert said == "closed/small.toml cannot be read or written: Permission denied.\n"


def test_out_can_be_written_short(congestree_cli, small, tmp_path):
    congestree_cli("run", small, "-o", "here")
    congestree_cli("report", "here", "-o", "page.html")
    assert (tmp_path / "page.html").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_a_sentence(congestree_cli, small, tmp_path):
    (tmp_path / "closed").mkdir(mode=0o500)
    assert "cannot be written" in congestree_cli("run", small, "--out", "closed/results", code=1).stderr


@pytest.mark.parametrize(
    "arguments", [("run",), ("run", "x", "--workers", "2"), ("nonsense",), ("sweep", "x", "--workers", "0")]
)
def test_a_wrong_command_line_has_exit_code_2(congestree_cli, arguments):
    congestree_cli(*arguments, code=2)


def leaves(command, words=()):
    """All commands with their words, those of groups, too."""
    if not hasattr(command, "commands"):
        return [(words, command)]
    return [leaf for name, inner in command.commands.items() for leaf in leaves(inner, (*words, name))]


def test_a_missing_file_is_told_where_typer_asks_for_its_place_first():
    """As typer 0.16 does, with click 8.5: `congestree run` ended in a traceback."""
    from congestree.cli.options import File

    (argument,) = File.__metadata__
    assert argument.callback(None) is None and argument.callback("a.toml") == "a.toml"


@pytest.mark.parametrize("wrong", [(), ("--no-such-option",)])
def test_a_wrong_command_line_is_told_by_every_command(wrong):
    """The names of arguments are written as they are, in the line of usage, too: brackets may look like markup."""
    import typer.testing

    from congestree.cli import app

    asked = 0
    for words, leaf in leaves(typer.main.get_command(app)):
        if not wrong and not any(parameter.required for parameter in leaf.params):
            continue
        asked += 1
        done = typer.testing.CliRunner().invoke(app, [*words, *wrong])
        assert done.exit_code == 2 and isinstance(done.exception, SystemExit), f"{words}: {done.exception}"
        assert f"congestree {' '.join(words)}" in done.output and "Error" in done.output
    assert asked > 10


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--threads", 2**64), "results: "),
        (("--limit-memory", str(2**64)), "results: "),
        (("--limit-memory", "9" * 400), "results: "),
        (("--seed", 2**64), "at most 18446744073709551615"),
    ],
)
def test_numbers_of_any_length_are_understood_or_refused(congestree_cli, small, arguments, says):
    done = congestree_cli("run", small, *arguments, code=2 if arguments[0] == "--seed" else 0)
    assert says in done.stdout + done.stderr


def test_sweep_ends_with_a_table(congestree_cli, small, tmp_path):
    done = congestree_cli("sweep", small, "--set", "sweep={seed=[1,2]}", "--workers", 2)
    assert "2 runs" in done.stdout
    assert (tmp_path / "runs/small-sweep/runs.parquet").exists()
    facts = json.loads(congestree_cli("sweep", small, "--set", "sweep={seed=[1,2]}", "--json").stdout)
    assert facts["resumed"] == 2
    assert len(facts["table"]) == 2


def test_a_sweep_of_nothing_says_so(congestree_cli, small):
    done = congestree_cli("sweep", small)
    assert "1 run" in done.stdout and "has no [sweep]" in done.stderr and "sweep={" in done.stderr


def test_runs_and_sweeps_say_how_long_jobs_took_and_which_did_not_end(congestree_cli, tmp_path):
    (tmp_path / "job.toml").write_text(
        """
        topology.single-switch.hosts = 4
        links.rate = "8 Gbit/s"
        traffic = [{ name = "sum", from = "all", program.all-reduce-ring.bytes = "64 kB" }]
        measure.duration = "200 us"
        """
    )
    # Six steps of 16 kB at a byte a nanosecond take nearly 100 us.
    sweep = """sweep={"measure.duration"=["200 us", "50 us"]}"""
    table = congestree_cli("sweep", "job.toml", "--set", sweep).stdout
    assert "completion.sum" in table and "not by the end" in table
    assert table.startswith("2 runs\n")
    assert "not by the end" not in congestree_cli("run", "job.toml").stdout
    short = congestree_cli("run", "job.toml", "--set", "measure.duration=50 us").stdout
    assert "completion of sum not by the end" in " ".join(short.split())


def test_list_shows_parts_topologies_scenarios_and_papers(congestree_cli):
    everything = json.loads(congestree_cli("list", "--json").stdout)
    names = {kind: {entry["name"] for entry in entries} for kind, entries in everything.items()}
    assert {"lipd", "fimd", "aimd", "input-triggered"} <= names["parts"]
    assert {"two-switch", "fat-tree", "graph"} <= names["topologies"]
    assert {"hpl2002", "ecn2002"} <= names["papers"]
    told = {entry["name"]: entry["summary"] for entry in everything["scenarios"]}
    assert all(summary.endswith(".") for summary in told.values()), "a sentence, and not the title once more"
    assert "lipd" in congestree_cli("list", "parts").stdout
    assert "floor" not in congestree_cli("list", "parts").stdout
    assert "floor" in congestree_cli("list", "parts", "lipd").stdout
    assert "lipd" in congestree_cli("list", "parts", "react").stdout
    assert [entry["name"] for entry in json.loads(congestree_cli("list", "parts", "lipd", "--json").stdout)] == ["lipd"]
    assert 'did you mean "lipd"?' in congestree_cli("list", "parts", "lipt", code=2).stderr
    for what, name, says in (
        ("parts", "clos", '"clos" is a topology: `congestree list topologies clos`.'),
        ("topologies", "ib-cc", '"ib-cc" is a preset: `congestree list presets ib-cc`.'),
        ("presets", "sonic-buffers", '"sonic-buffers" is a space: `congestree list spaces sonic-buffers`.'),
        ("parts", "rate", '"rate" is a measure: `congestree list measures`.'),
    ):
        assert says in congestree_cli("list", what, name, code=2).stderr
    presets = congestree_cli("list", "presets").stdout
    assert "dcqcn-vendor" in presets and "lipd" not in presets


def test_a_shipped_scenario_can_be_named_without_its_path(congestree_cli):
    name = json.loads(congestree_cli("list", "scenarios", "--json").stdout)[0]["name"]
    congestree_cli("check", name)


def test_schema_is_json(congestree_cli, tmp_path):
    assert json.loads(congestree_cli("schema").stdout)["properties"]["topology"]
    congestree_cli("schema", "--out", "schema.json")
    assert json.loads((tmp_path / "schema.json").read_text())["properties"]


def test_the_version_is_printed(congestree_cli):
    assert congestree_cli("--version").stdout.startswith("congestree ")


def test_help_says_what_is_taken_by_default(congestree_cli):
    for name, default in (
        ("run", "runs/<name of the file>"),
        ("sweep", "one a core"),
        ("plot", "<run>/plots"),
        ("reproduce", "runs/<paper>"),
    ):
        assert default in " ".join(congestree_cli(name, "--help").stdout.replace("│", "").split()), name


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("run", "hot-spott"), 2, 'did you mean "hot-spot"?'),
        (("reproduce", "HPL2002"), 2, 'did you mean "hpl2002"?'),
        (("reproduce", "hpl2002/"), 2, "names no figure behind the slash"),
        (("reproduce", "hpl2002/fig6", "--quick", "--out", "small.toml"), 1, "small.toml is a file; name a folder."),
        (("run", "small.toml", "--out", "small.toml"), 1, "it is a file; name a folder."),
        (("schema", "--out", "no/such/x.json"), 1, "there is no folder no; make it first."),
        (("schema", "--out", "."), 1, "it is a folder; name a file in it."),
        (("explain", "nowhere"), 2, "There is no folder nowhere; name that of a finished run."),
        (("explain", "small.toml"), 2, "small.toml is a file; name the folder of a finished run."),
        (("plot", "strange"), 1, "is not the manifest of a run"),
        (("goal", "make", "all-reduce-rings", "--ranks", "4"), 2, 'did you mean "all-reduce-ring"?'),
        (("goal", "make", "text", "--ranks", "4"), 2, 'There is no program "text" that is made; there are: ping-pong'),
        (("goal", "make", "barrier", "--ranks", "70000"), 2, "70,000 ranks are too many: at most 65,535 are possible."),
        (("import", "small.toml"), 2, "this is a scenario, not the fabric of another tool"),
        (("import", "broken.json"), 2, "this is not JSON"),
        (("import", "picture.png"), 2, "this is not a text file"),
        (("export", "strange"), 2, "strange is a folder, and ibnetdiscover is written of a scenario"),
        (("export", "small.toml", "--format", "cm"), 2, "name the folder of a finished run"),
    ],
)
def test_mistakes_of_names_and_places_say_what_to_do(congestree_cli, small, tmp_path, arguments, code, says):
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "manifest.json").write_text("{}")
    (tmp_path / "broken.json").write_text("[")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\0\0")
    failed = congestree_cli(*arguments, code=code)
    assert says in " ".join(failed.stderr.split())
    assert not failed.stderr.startswith("\n"), "nothing is left of a progress bar"


def test_a_run_that_has_lost_a_table_says_which(congestree_cli, small, tmp_path):
    congestree_cli("run", small, "--out", "seen")
    table = tmp_path / "seen" / "flows.parquet"
    table.unlink()
    assert f"There is no file {table}" in congestree_cli("plot", "seen", code=1).stderr
    table.write_text("no table")
    assert "seen/flows.parquet cannot be read" in congestree_cli("plot", "seen", code=1).stderr


def test_paragraphs_of_help_fill_the_lines_of_any_terminal():
    """Lines of the source end in the middle of the lines of a terminal."""
    import inspect

    from congestree import cli
    from congestree.cli.console import flowing

    assert flowing("What.\n\nOne\ntwo\nthree.\n\n  an example \\\n    of two lines") == (
        "What.\n\nOne two three.\n\n  an example \\\n    of two lines"
    )
    for registered in cli.app.registered_commands:
        for paragraph in inspect.getdoc(registered.callback).split("\n\n"):
            assert "\n" not in paragraph or paragraph.startswith(" "), registered.name


def test_the_study_that_help_shows_has_something_to_show(congestree_cli, tmp_path):
    from congestree.cli.simulate import sweep

    (example,) = re.findall(r"(?m)^\s+congestree (sweep hot-spot .*)$", sweep.sweep.__doc__)
    done = congestree_cli(*shlex.split(example), "--out", str(tmp_path / "study"), "--json")
    assert len({round(row["rate.victim"] / 1e9) for row in json.loads(done.stdout)["table"]}) > 1


def test_what_was_made_of_another_run_in_the_same_folder_is_told(congestree_cli):
    short = ("--set", 'measure.duration="100 us"', "--out", "seen")
    congestree_cli("run", "hot-spot", *short, "--plot")
    congestree_cli("report", "seen")
    again = congestree_cli("run", "hot-spot", *short)
    assert "note" not in again.stderr, "the same run again"
    other = congestree_cli("run", "hot-spot", *short, "--seed", "7", "--plot").stderr.replace("\n", " ")
    assert "note: report.html in seen is of the run that was there before" in other
    third = congestree_cli("run", "hot-spot", *short, "--seed", "8", "--json")
    assert "plots/rates.png" in third.stderr and json.loads(third.stdout)["seed"] == 8


def test_a_folder_of_runs_is_no_run(congestree_cli):
    congestree_cli("run", "hot-spot", "--set", 'measure.duration="100 us"', "--out", "many/one")
    for look in ("explain", "view", "plot"):
        told = congestree_cli(look, "many", code=2).stderr
        assert "many holds many runs; name one of them, such as many/one" in told


def test_a_table_shows_names_as_they_are():
    """Neither brackets nor the names of pictographs between colons mean anything in a cell."""
    from rich.console import Console

    from congestree.cli import console

    shown = Console(file=io.StringIO(), width=60)
    console.table("Ports", ("[red]port", ":key:"), [("a[bold]b", "r1:key:2\x1b")], to=shown)
    assert shown.file.getvalue().split() == ["Ports", "[red]port", ":key:", "a[bold]b", "r1:key:2?"]


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
@pytest.mark.parametrize("arguments", [("--help",), ("doctor", "--no-bench"), ("list", "presets")])
def test_every_command_is_shown_where_letters_are_few(arguments, encoding):
    """As on consoles of Windows, whose own encoding Python takes."""
    environment = {**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}
    done = subprocess.run(command(*arguments), capture_output=True, env=environment, timeout=120)
    assert done.returncode == 0 and b"Traceback" not in done.stderr
    assert done.stdout.decode("utf-8")


def test_what_a_terminal_cannot_show_is_known(monkeypatch):
    from congestree.cli import console

    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding="cp1252"))
    assert console.can_show("· é") and not console.can_show("✓")


def test_ctrl_c_ends_the_building_of_a_network_at_once_however_large_it_is(tmp_path):
    """The engine does not look for signals while it builds a network."""
    (tmp_path / "large.toml").write_text(
        'topology.k-ary-n-tree = { k = 46, n = 3 }\nlinks.rate = "100 Gbit/s"\nscheme.route = "ecmp"\n'
        '[[traffic]]\nfrom = "all"\npattern = "uniform"\n[measure]\nduration = "1 us"\n'
    )
    words = command("export", tmp_path / "large.toml", "-o", tmp_path / "fabric")
    process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    time.sleep(2)
    assert "Interrupted" in interrupt(process)
