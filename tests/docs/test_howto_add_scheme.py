"""The how-tos for a marking policy and for a reaction work: their files and lines, in a copy of the sources, make parts
that scenarios can name, and that do what they say.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest
from blocks import ROOT, blocks

PAGES = ["docs/howto/add-a-marking-policy.md", "docs/howto/add-a-reaction.md"]
LISTS = ["crates/schemes/src/mark.rs", "crates/schemes/src/react.rs"]

# A package of its own for what the page's scenarios do: of the workspace, only what it needs is built.
PACKAGE = """
[package]
name = "congestree-howto"
version.workspace = true
edition.workspace = true
publish.workspace = true

[dev-dependencies]
congestree-fabric = { workspace = true, features = ["lean"] }
congestree-scenario.workspace = true
"""

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

/// Without being told where it sits, or without being asked for its window, the flow would have the whole link.
#[test]
fn a_reaction_is_told_where_it_sits_and_its_window_holds() {
    let checked = read(include_str!("pipe.toml"), Format::Toml, "pipe.toml").unwrap_or_else(|told| panic!("{told}"));
    let outcome = run(&checked.plan, AgendaKind::Wheel, &mut |_| true);
    let flows = outcome.tables.iter().find(|table| table.name == "flows").unwrap();
    let bytes = flows.columns.iter().find(|column| column.name == "bytes").unwrap();
    let Values::U64(bytes) = &bytes.values else { panic!("bytes are counts") };
    let share = bytes.iter().sum::<u64>() as f64 / 4e6;
    assert!((share - 0.5).abs() < 0.05, "{share} of the link");
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
def test_the_how_tos_add_a_marking_policy_and_a_reaction():
    titled = {b.title: b.text for page in PAGES for b in blocks(ROOT / page) if b.title}
    files = [name for name in titled if name.startswith("crates/") and name not in LISTS]
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    copy = target / "howto"
    changed = {
        **{name: titled[name] for name in files},
        **{name: with_line((ROOT / name).read_text(), titled[name]) for name in LISTS},
        "crates/howto/Cargo.toml": PACKAGE,
        "crates/howto/tests/howto.rs": RUN,
        "crates/howto/tests/howto.toml": titled["every-nth.toml"],
        "crates/howto/tests/pipe.toml": titled["pipe-window.toml"],
    }
    copy_sources(copy, changed)
    wanted = [Path(name).stem for name in files]
    wanted += ["a_source_declares", "scenario_can_name", "told_where_it_sits", "schema_and_the_messages"]
    passed = re.findall(r"^test (\S+) \.\.\. ok$", cargo_test(copy, target, wanted), re.M)
    assert all(any(word in name for name in passed) for word in wanted), passed


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


def cargo_test(folder, target, wanted):
    """Carry out the wanted tests in the copy; answers what cargo says.

    In one call, so that both packages agree on the features of the libraries that they use: as `make test` builds them,
    and so not built again. What is the copy's own is built in the shortest time.
    """
    command = ["cargo", "test", "--offline", "-p", "congestree-schemes", "-p", "congestree-howto"]
    command += ["--lib", "--test", "common_checks", "--test", "howto"]
    for crate in sorted(path.parent.name for path in folder.glob("crates/*/Cargo.toml")):
        for setting in ("opt-level=0", "debug=0"):
            command += ["--config", f"profile.dev.package.congestree-{crate}.{setting}"]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
    done = subprocess.run(
        [*command, "--", *wanted], cwd=folder, capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
