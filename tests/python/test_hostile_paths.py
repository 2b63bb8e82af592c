"""Input is data: a name in a file leads to no file outside its folder, and nothing is read without limit."""

import os
import sys
import threading
from pathlib import Path

import pytest

import congestree
from congestree import reading
from congestree.errors import CongestreeError, ScenarioError
from congestree.formats import workloads
from congestree.runs import writing

HEAD = 'links.rate = "8 Gbit/s"\nmeasure.duration = "1 us"\n'
TRAFFIC = '[[traffic]]\nfrom = "all"\npattern = "uniform"\narrivals.poisson.load = 0.1\n'
SECRET = "secret = 1\n"
FABRICS = Path(__file__).parent / "fabrics"


@pytest.fixture
def home(tmp_path):
    """A folder with a scenario in it, and a file next to the folder that must not be shown."""
    (tmp_path / "secret.toml").write_text(SECRET)
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def refused(home, text, words):
    path = home / "scenario.toml"
    path.write_text(text)
    with pytest.raises(ScenarioError, match=words) as told:
        congestree.check(path)
    assert "secret = 1" not in str(told.value) and "no key" not in str(told.value)


@pytest.mark.parametrize("name", ["../secret.toml", "x/../../secret.toml", "/etc/passwd", "./../secret.toml"])
@pytest.mark.parametrize(
    "key", ["topology.file", "traffic.0.list", "traffic.0.program.goal", "traffic.0.sizes.cdf"], ids=str
)
def test_no_key_of_a_scenario_leads_out_of_its_folder(home, key, name):
    if key == "topology.file":
        text = f'topology.file = "{name}"\n{HEAD}{TRAFFIC}'
    else:
        entry = key.removeprefix("traffic.0.")
        rest = "" if entry == "list" else 'from = "all"\n' + ('pattern = "uniform"\n' if "cdf" in entry else "")
        text = f'topology.single-switch.hosts = 4\n{HEAD}[[traffic]]\n{rest}{entry} = "{name}"\n'
    refused(home, text, "outside the folder of the scenario")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="links and pipes as Unix has them")
def test_links_lead_nowhere_else_and_pipes_are_not_waited_for(home):
    (home / "link.toml").symlink_to("../secret.toml")
    refused(home, f'topology.file = "link.toml"\n{HEAD}{TRAFFIC}', "link to a file outside")
    (home / "below").symlink_to("..")
    refused(home, f'topology.file = "below/secret.toml"\n{HEAD}{TRAFFIC}', "link to a file outside")
    os.mkfifo(home / "pipe.toml")
    refused(home, f'topology.file = "pipe.toml"\n{HEAD}{TRAFFIC}', "device or a pipe")


def test_a_file_beside_the_scenario_is_read_also_through_a_link(home):
    (home / "star.toml").write_text("topology.single-switch.hosts = 4\n")
    (home / "link.toml").symlink_to("star.toml")
    (home / "s.toml").write_text(f'topology.file = "link.toml"\n{HEAD}{TRAFFIC}')
    assert congestree.check(home / "s.toml")["facts"]["hosts"] == 4
    # A scenario built by a program belongs to the program: it may name any file.
    assert congestree.check(congestree.load(home / "s.toml"))["facts"]["hosts"] == 4


@pytest.mark.parametrize("name", ["topo\0logy.txt", "x" * 300, "round", "."], ids=["nul", "long", "cycle", "folder"])
def test_settings_of_another_simulator_may_name_what_no_file_can_be_called(home, name):
    (home / "round").symlink_to("round")
    (home / "config.txt").write_text(f"TOPOLOGY_FILE {name}\n")
    with pytest.raises(CongestreeError, match="not in the folder of this file"):
        workloads.hpcc_config.files(home / "config.txt")


def test_settings_of_another_simulator_name_no_file_outside_their_folder(home):
    (home.parent / "topology.txt").write_text("2 1 1\n0\n")
    (home / "config.txt").write_text("TOPOLOGY_FILE ../topology.txt\n")
    with pytest.raises(CongestreeError, match="not in the folder of this file"):
        workloads.hpcc_config.files(home / "config.txt")


def test_what_never_ends_is_not_read_to_its_end(home, monkeypatch):
    monkeypatch.setattr(reading, "LARGEST", 1 << 16)
    (home / "large").write_bytes(b"x" * (1 << 17))
    for path in [home / "large", *(["/dev/zero"] if sys.platform != "win32" else [])]:
        with pytest.raises(CongestreeError, match="more than 65,536 bytes"):
            reading.read_bytes(path)


def test_results_are_read_from_their_folder_only(home):
    """Tables of a run are called by the names in its manifest; such a name is no path."""
    run = congestree.run(f"topology.single-switch.hosts = 2\n{HEAD}{TRAFFIC}", out=home / "run")
    (home / "run/manifest.json").write_text(
        (home / "run/manifest.json").read_text().replace('"flows": {', '"../../flows": {', 1)
    )
    run.arrow("flows")
    with pytest.raises(CongestreeError, match="name of no table"):
        congestree.Run.load(home / "run")


def test_no_build_script_reaches_out(root):
    """There is none: crates are built from their sources alone."""
    assert not list(root.glob("crates/*/build.rs"))
    for manifest in root.glob("crates/*/Cargo.toml"):
        assert "build =" not in manifest.read_text() and "git =" not in manifest.read_text()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes as Unix has them")
@pytest.mark.parametrize(
    ("command", "text"),
    [
        (("import",), (FABRICS / "cluster.txt").read_text()),
        (("import",), (FABRICS / "cluster.topo").read_text()),
        (("import",), "Nodes 4\nConnections 1\n0->1 id 1 start 0 size 100\n"),
        (("cc", "read"), "rp_time_reset 300\n"),
        (("goal", "read"), "num_ranks 2 rank 0 { send 8b to 1 } rank 1 { recv 8b from 0 }\n"),
    ],
    ids=["ibnetdiscover", "topo", "cm", "mlx5", "goal"],
)
def test_a_command_reads_a_pipe_as_it_reads_a_file(tmp_path, congestree_cli, command, text):
    """It opens the file several times, first to see what it is; a pipe has its content once."""
    (tmp_path / "file").write_text(text)
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_text(text), daemon=True)
    writer.start()
    piped = congestree_cli(*command, "pipe")
    writer.join(20)
    assert piped.stdout.replace("pipe", "file") == congestree_cli(*command, "file").stdout


@pytest.mark.parametrize("name", ["pipe", "link"])
def test_a_device_or_a_pipe_is_written_to_and_not_replaced(tmp_path, name):
    """As root, `--out /dev/null` put a file in the place of the device, for all programs of the machine."""
    pipe, path, read = tmp_path / "pipe", tmp_path / name, []
    os.mkfifo(pipe)
    if name == "link":
        path.symlink_to(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    writing.write_json(path, {"a": 1})
    reader.join(20)
    assert read == ['{\n  "a": 1\n}\n']
    assert pipe.is_fifo() and path.is_symlink() == (name == "link")
    assert {found.name for found in tmp_path.iterdir()} == {"pipe", name}


def test_a_link_to_a_file_is_replaced_and_the_file_is_left_alone(home):
    link = home / "report.html"
    link.symlink_to(home.parent / "secret.toml")
    writing.write_json(link, {"a": 1})
    assert not link.is_symlink() and (home.parent / "secret.toml").read_text() == SECRET


@pytest.mark.skipif(os.name == "nt", reason="links as Unix has them")
@pytest.mark.parametrize("below", ["", "run"])
@pytest.mark.parametrize(
    ("leads", "says"),
    [("gone", r"is a link to gone, which does not exist"), ("link", r"is a link to link, which leads back to it")],
    ids=["dangling", "loop"],
)
def test_a_link_to_nothing_is_named_where_results_cannot_be_written(home, leads, says, below):
    """A file was said to exist, which nobody sees."""
    (home / "link").symlink_to(leads)
    with pytest.raises(CongestreeError, match=f"cannot be written: .*{says}"):
        congestree.run(f"topology.single-switch.hosts = 2\n{HEAD}{TRAFFIC}", out=home / "link" / below)


@pytest.mark.skipif(os.name == "nt", reason="Windows refuses permission")
def test_a_folder_in_the_place_of_the_lock_is_named(home):
    (home / ".lock").mkdir()
    with pytest.raises(CongestreeError, match=r"\.lock cannot be written: it is a folder; remove it"):
        congestree.run(f"topology.single-switch.hosts = 2\n{HEAD}{TRAFFIC}", out=home)
