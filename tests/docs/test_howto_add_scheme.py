"""The how-to for a marking policy works: its file and its line, in a copy of the sources, make a policy that a scenario
can name and that marks packets.
"""

import os
import shutil
import subprocess

import pytest
from blocks import ROOT, blocks

PAGE = ROOT / "docs/howto/add-a-marking-policy.md"
NEW = "crates/schemes/src/mark/every_nth.rs"
LIST = "crates/schemes/src/mark.rs"

# What the page's `make setup` and `congestree run` do, without Python: read the scenario, run it, look at the marks.
RUN = """
use congestree_fabric::{AgendaKind, Values, run};
use congestree_scenario::{Format, read, schema};

#[test]
fn a_scenario_can_name_the_new_policy() {
    let text = include_str!("howto.toml");
    let checked = read(text, Format::Toml, "howto.toml").unwrap_or_else(|complaints| panic!("{complaints}"));
    let outcome = run(&checked.plan, AgendaKind::Wheel, &mut |_| true);
    let flows = outcome.tables.iter().find(|table| table.name == "flows").unwrap();
    let marked = flows.columns.iter().find(|column| column.name == "marked").unwrap();
    let Values::U64(marked) = &marked.values else { panic!("marks are counts") };
    assert!(marked.iter().sum::<u64>() > 0);
}

#[test]
fn the_schema_and_the_messages_know_it() {
    assert!(schema().to_string().contains("One of so many departures is marked."));
    let wrong = include_str!("howto.toml").replace("every = 4", "evry = 4");
    let complaints = read(&wrong, Format::Toml, "howto.toml").unwrap_err().to_string();
    assert!(complaints.contains("scheme.mark.every-nth"), "{complaints}");
}
"""


@pytest.mark.slow
def test_the_how_to_adds_a_marking_policy(tmp_path):
    titled = {b.title: b.text for b in blocks(PAGE) if b.title}
    copy_sources(tmp_path)
    (tmp_path / NEW).write_text(titled[NEW])
    add_line(tmp_path / LIST, titled[LIST])
    tests = tmp_path / "crates/scenario/tests"
    (tests / "howto.rs").write_text(RUN)
    (tests / "howto.toml").write_text(titled["every-nth.toml"])
    cargo(tmp_path, "test", "--quiet", "--offline", "-p", "congestree-schemes", "--lib", "every_nth")
    cargo(tmp_path, "test", "--quiet", "--offline", "-p", "congestree-scenario", "--test", "howto")


def copy_sources(folder):
    """Copy the Rust workspace, without what was built."""
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "crates"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    names = tracked.stdout.split() or [str(p.relative_to(ROOT)) for p in ROOT.glob("crates/**/*") if p.is_file()]
    for name in ["Cargo.toml", "Cargo.lock", *names]:
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)


def add_line(path, line):
    """Put the line at the end of the list `parts!`."""
    head, found, rest = path.read_text().partition("parts! {")
    assert found
    body, end, tail = rest.partition("\n    }\n}\n")
    path.write_text(head + found + body + "\n" + line.rstrip() + end + tail)


def cargo(folder, *arguments):
    """Run cargo in the copy; libraries that are built already are not built again."""
    target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
    environment = {**os.environ, "CARGO_TARGET_DIR": target, "CARGO_INCREMENTAL": "0"}
    done = subprocess.run(["cargo", *arguments], cwd=folder, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
