"""Every example of the documents runs: scenarios are checked, Python is executed, commands print what is shown.

The blocks of a page are executed in order in one folder, in one namespace. A TOML or text block with a title is written
to that file; one of TOML without a topology is a fragment, checked together with a small scenario. In a console block,
the lines shown after a command must appear in its output, in order; "…" stands for anything. The same holds for the
lines of a block `title="printed"` and the output of the Python before it. A command that fails shows why. Blocks that
another test executes say so in a comment, and those that none executes are listed in `unexecuted.py`.
"""

import itertools
import json
import os
import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest
from blocks import PAGES, ROOT, blocks, commands, name, prose
from given import give
from unexecuted import UNEXECUTED, mark

RUN = ("toml", "python", "console")
REPRODUCE = "congestree reproduce "
PRINTED = "printed"
"""The title of a block with what the Python before it prints."""
OLDER = " is an older name: "
"""What is said, on standard error, of a name that a later release will not know."""


def runs(page, block):
    """Whether this test has something to do for a block: it is executed, or some command of it."""
    in_shell = block.language == "sh" and any(executed(page, command) for command in commands(block))
    return not block.note and (block.language in RUN or in_shell)


def executed(page, command):
    """Whether a command of a block for a shell is executed."""
    return mark(name(page), command) not in UNEXECUTED and REPRODUCE not in command


WITH_EXAMPLES = [p for p in PAGES if any(runs(p, b) for b in blocks(p))]
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
    give(page, tmp_path, forking)
    script = []
    for block in blocks(page):
        if block.note:
            continue
        if block.language == "toml":
            check_toml(block, tmp_path)
        elif block.title == PRINTED:
            script.append(block)
        elif block.language == "text" and block.title:
            (tmp_path / block.title).write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            run_script(forking, script, tmp_path)
            run_console(forking, block, tmp_path)
        elif block.language == "sh":
            run_script(forking, script, tmp_path)
            for command in (one for one in commands(block) if executed(page, one)):
                run_command(forking, block, command, tmp_path)
        elif block.language == "python":
            script.append(block)
    run_script(forking, script, tmp_path)
    for made, shown in KEPT.get(name(page), {}).items():
        assert (tmp_path / made).exists()
        if os.environ.get("CONGESTREE_ACCEPT"):
            shutil.copyfile(tmp_path / made, ROOT / shown)


def tries(path):
    """The values of each command after `Try:` in the comments of a scenario; a name alone is another last value."""
    found = re.search(r"^#.*\bTry: (.*)$", path.read_text(encoding="utf-8"), re.M)
    key = None
    for words in map(shlex.split, found[1].split(";") if found else ()):
        values = [value.rstrip(",.") for option, value in itertools.pairwise(words) if option == "--set"]
        values = values or [f"{key}={words[0]}"]
        key = values[-1].partition("=")[0]
        yield values


@pytest.mark.parametrize("path", sorted((ROOT / "scenarios").glob("*.toml")), ids=lambda path: path.stem)
def test_what_a_shipped_scenario_says_to_try_is_a_scenario(path):
    import congestree
    from congestree.cli.options import read_values

    for values in tries(path):
        congestree.check(path, values=read_values(values))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_block_is_executed_or_stands_in_the_list_of_those_that_are_not(page):
    found = blocks(page)
    for number, block in enumerate(found):
        if block.note:
            test = re.fullmatch(r"<!-- executed by (tests/\S+\.py) -->", block.note)
            assert test, f"{block}: after the comment {block.note} nobody executes it"
            assert page.stem in (ROOT / test[1]).read_text(encoding="utf-8"), (
                f"{block}: {test[1]} does not name the page"
            )
        elif block.title == PRINTED:
            assert number and found[number - 1].language == "python", f"{block} does not stand behind a program"
        elif block.language == "text" and block.title:
            later = "".join(other.text for other in found[number + 1 :])
            assert Path(block.title).stem in later, f"{block}: {block.title} is not used on the page"
        elif block.language == "sh":
            assert commands(block), f"{block}: no command"
            for program in re.findall(
                r"^cat > \S+\.py <<'(?:\w+)'\n(.*)\n\w+$", "\n".join(commands(block)), re.M | re.S
            ):
                compile(program, str(block), "exec")
        elif block.language not in RUN:
            assert mark(name(page), block.text) in UNEXECUTED, f"{block}: nobody executes this; see unexecuted.py"


def test_what_stands_in_the_list_is_there_and_not_executed():
    there = set()
    for page in PAGES:
        for block in (b for b in blocks(page) if not b.note and b.language not in RUN and not b.title):
            texts = commands(block) if block.language == "sh" else [block.text]
            there |= {mark(name(page), text) for text in texts}
    assert UNEXECUTED.keys() - there == set()


def test_papers_and_figures_to_reproduce_are_there():
    from congestree.gallery import papers, shipped

    asked = {command for page in PAGES for block in blocks(page) for command in commands(block) if REPRODUCE in command}
    asked |= {
        f"{REPRODUCE}{words[1]}" for page in PAGES for words in inline(page) if words[0] == "reproduce" and words[1:]
    }
    assert len(asked) > 40
    for command in asked:
        paper, _, figures = shlex.split(command.split(REPRODUCE)[1])[0].partition("/")
        assert paper == "all" or paper in shipped.papers(), command
        assert not figures or papers.chosen_figures(paper, figures.split(",")), command


def test_cases_to_measure_are_there():
    from congestree import benchmark

    lines = [command for page in PAGES for block in blocks(page) for command in commands(block)]
    asked = [name for line in lines for name in re.findall(r"^congestree bench .*--only (\S+)", line)]
    assert asked and all(benchmark.choose([name]) for name in asked)


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
    """Whether they are executed or not: subcommands, options, required values, and ranges of numbers."""
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


def inline(page):
    """Commands within sentences, word by word."""
    return [text.split() for text in re.findall(r"`congestree\s([^`]+)`", prose(page))]


@pytest.mark.parametrize("page", [p for p in PAGES if inline(p)], ids=name)
def test_commands_in_sentences_have_options_that_there_are(page):
    import typer

    from congestree.cli import app

    for words in inline(page):
        command, at = typer.main.get_command(app), 0
        while hasattr(command, "commands") and at < len(words) and words[at][0] != "-":
            assert words[at] in command.commands, f"{name(page)}: congestree {' '.join(words)}"
            command, at = command.commands[words[at]], at + 1
        known = {"--help", *(option for parameter in command.params for option in parameter.opts)}
        assert {word.split("=")[0] for word in words if word[0] == "-"} <= known, f"{name(page)}: {words}"


def names_of(node):
    """All names that a scenario can have, by its schema: keys, and parts."""
    if isinstance(node, list):
        return set().union(*map(names_of, node))
    if not isinstance(node, dict):
        return set()
    own = {*node.get("properties", ()), node.get("const"), *node.get("enum", ())}
    return own.union(*map(names_of, node.values()))


def keys_of(value):
    """All keys in a piece of a scenario."""
    if isinstance(value, list):
        return [key for one in value for key in keys_of(one)]
    return [key for own, one in value.items() for key in (own, *keys_of(one))] if isinstance(value, dict) else []


def test_keys_of_scenarios_in_sentences_are_there():
    known = names_of(json.loads((ROOT / "docs/reference/scenario.schema.json").read_text(encoding="utf-8")))
    found = 0
    for page in (p for p in ROOT.glob("docs/**/*.md") if p.parent.name not in ("adr", "docs") or p.stem == "tutorial"):
        for text in re.findall(r"`([a-z][\w.\-\"]* = [^`]+)`", prose(page)):
            keys = keys_of(tomllib.loads(text))
            assert set(keys) <= known, f"{name(page)}: {text}"
            found += 1
    assert found > 80


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
    """Run the Python blocks of a page so far as one program, if the last of them has not been run yet, and compare its
    output with the printed one."""
    path = folder / "page.py"
    said = ["\n".join([f"# {block}", *block.text.splitlines()]) for block in script if block.language == "python"]
    shown = [block for block in script if block.language != "python"]
    text = "\n".join([*said, *(f"# shown: {block}" for block in shown), ""])
    if not script or (path.exists() and path.read_text(encoding="utf-8") == text):
        return
    path.write_text(text, encoding="utf-8")
    done = forking.run([path.name], folder)
    assert done.returncode == 0, f"{script[-1]}:\n{done.stdout}\n{done.stderr}"
    assert OLDER not in done.stderr, f"{script[-1]}:\n{done.stderr}"
    at = 0
    for block in shown:
        at = expect(block.text.splitlines(), done.stdout, at, f"{block}")


def run_command(forking, block, command, folder):
    """Run a command of a block for a shell, which must succeed; the rest, `| jq .key` or `> file`, is done here."""
    words = shlex.split(command)
    key = file = None
    if "|" in words:
        *words, bar, jq, key = words
        assert (bar, jq, key[0]) == ("|", "jq", "."), f"{block}: {command}"
    elif ">" in words:
        *words, _, file = words
    done = execute(forking, block, words, folder)
    assert done.returncode == 0, f"{block}: {command}\n{done.stdout}{done.stderr}"
    assert OLDER not in done.stderr, f"{block}: {command}\n{done.stderr}"
    if key:
        assert key[1:] in json.loads(done.stdout), f"{block}: {command}\n{done.stdout}"
    if file:
        (folder / file).write_text(done.stdout, encoding="utf-8")


def execute(forking, block, words, folder):
    """A finished command of ours."""
    if words[:3] == ["python", "-m", "reference"]:
        return forking.run(words[1:], ROOT)  # it is not installed
    assert words[0] == "congestree", f"{block}: {shlex.join(words)} is for no reader of ours"
    return forking.run(["-m", *words], folder)


def run_console(forking, block, folder):
    """Run the commands of a console block and compare their output; one that fails reports why."""
    for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
        command, *shown = part.rstrip().split("\n")
        done = execute(forking, block, shlex.split(command), folder)
        expect(shown, done.stdout + done.stderr, 0, f"{block}: {command}")
        why = " ".join(done.stderr.split())
        said = [" ".join(line.split()).partition("…")[0].strip() for line in shown]
        shows_failure = any(line and line in why for line in said)
        assert done.returncode == 0 or shows_failure, f"{block}: {command} fails\n{done.stdout}{done.stderr}"


def expect(shown, output, at, where):
    """Printed lines appear in an output, in this order, from one of its lines on; returns where the last one ends.

    Blanks do not count, and `…` stands for anything.
    """
    printed = [" ".join(line.split()) for line in output.splitlines()]
    for line in (" ".join(line.split()) for line in shown):
        if line in ("", "…"):
            continue
        pattern = re.compile(re.escape(line).replace("…", ".*"))
        places = [i for i in range(at, len(printed)) if pattern.fullmatch(printed[i])]
        assert places, f"{where}\nexpected the line: {line}\nprinted:\n" + "\n".join(printed)
        at = places[0] + 1
    return at
