"""Every example of the documents runs: scenarios are checked, Python is executed, commands print what is shown.

The blocks of a page are worked in order in one folder, in one namespace. A TOML or text block with a title is written
to that file; one of TOML without a topology is a fragment, checked together with a small scenario. Of a console block,
the lines shown after a command must appear in its output, in order; "…" stands for anything.
"""

import itertools
import os
import re
import shlex
import shutil
import tomllib

import pytest
from blocks import PAGES, ROOT, blocks, name

RUN = ("toml", "python", "console")
WITH_EXAMPLES = [p for p in PAGES if any(b.language in RUN for b in blocks(p))]
KEPT = {
    "docs/tutorial.md": {"runs/hot-spot-tuning/front.png": "docs/images/tuned-front.png"},
    "docs/howto/let-it-tune.md": {
        "runs/tuned/front.png": "docs/images/tuned-cluster.png",
        "runs/tuned/importance.png": "docs/images/tuned-importance.png",
    },
}
"""Pictures that the examples of a page make, shown in the documents; `make accept` takes over new ones."""
BASE = """
[topology.graph]
hosts = ["a", "b", "c"]
switches = ["S1", "S2", "S3"]
links = [{ a = "a", b = "S1" }, { a = "b", b = "S2" }, { a = "c", b = "S3" },
         { a = "S1", b = "S2" }, { a = "S2", b = "S3" }]
[links]
rate = "8 Gbit/s"
[[traffic]]
from = "all"
pattern = "uniform"
arrivals.poisson = { load = 0.5 }
[measure]
duration = "10 us"
"""


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name)
def test_examples_of_a_page_run(page, forking, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scenarios").symlink_to(ROOT / "scenarios")
    shutil.copytree(ROOT / "tests/data/chakra/all_reduce_4", tmp_path / "traces")
    script = []
    for block in blocks(page):
        if block.note:
            continue
        if block.language == "toml":
            check_toml(block, tmp_path)
        elif block.language == "text" and block.title:
            (tmp_path / block.title).write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            run_script(forking, script, tmp_path)
            run_console(forking, block, tmp_path)
        elif block.language == "python":
            script.append(block)
    run_script(forking, script, tmp_path)
    for made, shown in KEPT.get(name(page), {}).items():
        assert (tmp_path / made).exists()
        if os.environ.get("CONGESTREE_ACCEPT"):
            shutil.copyfile(tmp_path / made, ROOT / shown)


def test_commands_in_plain_blocks_exist():
    """Blocks of shell commands that are too long to run name existing make targets and subcommands."""
    from congestree.cli import COMMANDS

    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    commands = {name.split()[0] for name in COMMANDS}
    for page in PAGES:
        for block in (b for b in blocks(page) if b.language in ("sh", "text", "console")):
            for target in re.findall(r"^(?:\$ )?make ([a-z]+)", block.text, re.M):
                assert target in targets, f"{block}: make {target}"
            for command in re.findall(r"^(?:\$ )?congestree ([a-z]+)", block.text, re.M):
                assert command in commands, f"{block}: congestree {command}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_of_all_blocks_have_options_that_there_are(page):
    """Whether they are run or not: subcommands, options, what is needed, and ranges of numbers."""
    import typer

    from congestree.cli import app

    root = typer.main.get_command(app)
    for block in (b for b in blocks(page) if b.language in ("sh", "text", "console")):
        for line in re.findall(r"^(?:\$ )?congestree (.*)$", block.text.replace("\\\n", " "), re.M):
            words = list(itertools.takewhile(lambda word: word not in ("|", ">"), shlex.split(line, comments=True)))
            command, context = root, root.make_context("congestree", words)
            while hasattr(command, "resolve_command"):  # a group: what follows is a command of it
                rest = [*getattr(context, "_protected_args", ()), *context.args]
                subcommand, command, rest = command.resolve_command(context, rest)
                context = command.make_context(subcommand, rest, parent=context)


def test_the_scenario_of_the_readme_is_shipped():
    shown = next(b.text for b in blocks(ROOT / "README.md") if b.title == "hot-spot.toml")
    assert (ROOT / "scenarios/hot-spot.toml").read_text(encoding="utf-8").endswith(shown)
    assert len(shown.strip().splitlines()) <= 30


def check_toml(block, folder):
    """Check a scenario, or a fragment of one."""
    import congestree

    document = tomllib.loads(block.text)
    if block.title:
        (folder / block.title).write_text(block.text, encoding="utf-8")
    if "topology" not in document:
        whole = tomllib.loads(BASE)
        for section, value in document.items():
            both = isinstance(value, dict) and isinstance(whole.get(section), dict)
            whole[section] = {**whole[section], **value} if both else value
        document = whole
    try:
        congestree.check(document)
    except congestree.ScenarioError as error:
        pytest.fail(f"{block}: {error}")


def run_script(forking, script, folder):
    """Run the Python blocks of a page so far as one program, if the last of them has not been run yet."""
    path = folder / "page.py"
    text = "\n".join(f"# {block}\n{block.text}" for block in script)
    if not script or (path.exists() and path.read_text(encoding="utf-8") == text):
        return
    path.write_text(text, encoding="utf-8")
    done = forking.run([path.name], folder)
    assert done.returncode == 0, f"{script[-1]}:\n{done.stdout}\n{done.stderr}"


def run_console(forking, block, folder):
    """Run the commands of a console block and compare what they print."""
    for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
        command, *shown = part.rstrip().split("\n")
        words = shlex.split(command)
        assert words[0] == "congestree", f"{block}: {command} is for no reader of ours"
        done = forking.run(["-m", *words], folder)
        printed = [" ".join(line.split()) for line in (done.stdout + done.stderr).splitlines()]
        at = 0
        for line in shown:
            line = " ".join(line.split())
            if line in ("", "…"):
                continue
            pattern = re.compile(re.escape(line).replace("…", ".*"))
            places = [i for i in range(at, len(printed)) if pattern.fullmatch(printed[i])]
            assert places, f"{block}: {command}\nexpected the line: {line}\nprinted:\n" + "\n".join(printed)
            at = places[0] + 1
