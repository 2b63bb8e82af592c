"""The how-to for a marking policy works: its file and its line, in a copy of the sources, make a policy that a scenario
can name and that marks packets.
"""

import os
import subprocess
from pathlib import Path

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
def test_the_how_to_adds_a_marking_policy():
    titled = {b.title: b.text for b in blocks(PAGE) if b.title}
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    copy = target / "howto"
    changed = {
        NEW: titled[NEW],
        LIST: with_line((ROOT / LIST).read_text(), titled[LIST]),
        "crates/scenario/tests/howto.rs": RUN,
        "crates/scenario/tests/howto.toml": titled["every-nth.toml"],
    }
    copy_sources(copy, changed)
    cargo(copy, target, "congestree-schemes", "--lib", "every_nth")
    cargo(copy, target, "congestree-scenario", "--test", "howto")


def copy_sources(folder, changed):
    """Copy the Rust workspace, but for what is changed. What is the same as last time is left alone, and so not built
    again.
    """
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "crates"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    names = tracked.stdout.split() or [str(p.relative_to(ROOT)) for p in ROOT.glob("crates/**/*") if p.is_file()]
    texts = {
        name: (ROOT / name).read_text() for name in ["Cargo.toml", "Cargo.lock", *names] if (ROOT / name).is_file()
    }
    # A version of its own: else cargo takes what was built here for builds of the checkout, whatever changes there.
    texts["Cargo.toml"] = texts["Cargo.toml"].replace('\nversion = "', '\nversion = "0.0.0-howto.', 1)
    texts |= changed
    for old in [p for p in folder.glob("crates/**/*") if p.is_file() and str(p.relative_to(folder)) not in texts]:
        old.unlink()
    for name, text in texts.items():
        path = folder / name
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def with_line(text, line):
    """The text with a line at the end of its list `parts!`."""
    head, found, rest = text.partition("parts! {")
    assert found
    body, end, tail = rest.partition("\n    }\n}\n")
    return head + found + body + "\n" + line.rstrip() + end + tail


def cargo(folder, target, package, *arguments):
    """Test a package in the copy; libraries that are built already are not built again."""
    command = ["cargo", "test", "--quiet", "--offline", "-p", package, *arguments]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
