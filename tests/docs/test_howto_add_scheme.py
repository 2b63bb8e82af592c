"""The how-tos for new parts work: their files and lines, in a copy of the sources, make parts that scenarios can name,
and that behave as described. All are added to one copy, which is built once."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from blocks import ROOT, blocks

PAGES = [
    "add-a-marking-policy",
    "add-a-reaction",
    "add-a-telemetry-reaction",
    "add-a-path-choice",
    "add-a-topology",
    "add-a-transport",
    "add-an-isolating-scheme",
    "add-a-probe",
]
# The lists to which the pages add lines, and where in them: at the end, or at the end of a group.
LISTS = {
    "crates/probes/src/recordings.rs": "\nrecordings! {",
    "crates/schemes/src/host/react.rs": "parts! {",
    "crates/schemes/src/host/transport.rs": "parts! {",
    "crates/schemes/src/switch/isolate.rs": "parts! {",
    "crates/schemes/src/switch/mark.rs": "parts! {",
    "crates/schemes/src/switch/route.rs": "parts! {",
    "crates/topology/src/graphs/mod.rs": "    small {",
}
# Most files of a folder, as `test_bounds.py` has it.
MOST_FILES = 12

# A package of its own for the pages' scenarios: only the parts of the workspace that it needs are built.
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

# What `make setup` and `congestree run` of the pages do, without Python: read the scenario, run it, print its tables.
RUN = """
use congestree_fabric::{AgendaKind, Values, run};
use congestree_scenario::{Format, read, schema};

/// The numbers of a column of a table, after the scenario was run.
fn column(text: &str, table: &str, column: &str) -> Vec<f64> {
    let checked = read(text, Format::Toml, "howto.toml").unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let outcome = run(&checked.plan, AgendaKind::Wheel, &mut |_| true);
    let table = outcome.tables.iter().find(|found| found.name == table).unwrap();
    let column = table.columns.iter().find(|found| found.name == column).unwrap();
    match &column.values {
        Values::U64(values) => values.iter().map(|&value| value as f64).collect(),
        Values::F64(values) => values.clone(),
        _ => panic!("no numbers"),
    }
}

/// What a scenario is told that has `wrong` in the place of `right`.
fn told(text: &str, right: &str, wrong: &str) -> String {
    assert!(text.contains(right));
    read(&text.replace(right, wrong), Format::Toml, "howto.toml").unwrap_err().to_string()
}

#[test]
fn a_scenario_can_name_the_new_policy() {
    assert!(column(include_str!("every-nth.toml"), "flows", "marked").iter().sum::<f64>() > 0.0);
}

#[test]
fn the_schema_and_the_messages_know_the_new_policy() {
    assert!(schema().to_string().contains("One of this many departures is marked."));
    let text = include_str!("every-nth.toml");
    assert!(told(text, "every = 4", "evry = 4").contains("scheme.mark.every-nth"));
    let diagnostics = told(text, "every = 4", "output_threshold = 0");
    assert!(diagnostics.contains("scheme.mark.every-nth.output_threshold"), "{diagnostics}");
    assert!(diagnostics.contains("every output would count as congested"), "{diagnostics}");
}

/// Without being told where it sits, or without being asked for its window, the flow would have the whole link.
#[test]
fn a_reaction_is_told_where_it_sits_and_its_window_holds() {
    let share = column(include_str!("pipe-window.toml"), "flows", "bytes").iter().sum::<f64>() / 4e6;
    assert!((share - 0.5).abs() < 0.05, "{share} of the link");
}

/// Four senders at line rate would fill the memory of the switch up to where it pauses them.
#[test]
fn a_reaction_to_telemetry_keeps_the_queue_at_its_target() {
    let text = include_str!("queue-target.toml");
    let (time, mean) = (column(text, "output_queue_series", "time"), column(text, "output_queue_series", "mean"));
    let later = time.iter().zip(&mean).filter(|(time, _)| **time >= 2e-3);
    let most = later.map(|(_, mean)| *mean).fold(0.0, f64::max);
    assert!((10e3..30e3).contains(&most), "{most} B wait");
}

#[test]
fn packets_of_one_flow_take_all_paths() {
    let packets = column(include_str!("two-choices.toml"), "ports", "packets");
    assert_eq!(packets.iter().filter(|&&packets| packets > 0.0).count(), 14);
}

#[test]
fn packets_cross_the_new_topology() {
    let packets = column(include_str!("star.toml"), "ports", "packets");
    assert_eq!(packets.len(), 18);
    assert_eq!(packets.iter().filter(|&&packets| packets > 0.0).count(), 4);
    assert!(told(include_str!("star.toml"), "arms = 3", "arms = 1").contains("topology.star.arms"));
}

#[test]
fn the_new_transport_gets_all_messages_across() {
    let text = include_str!("stop-and-wait.toml");
    assert_eq!(column(text, "transfers", "bytes"), [100e3; 10]);
    assert!(column(text, "transfers", "resent").iter().sum::<f64>() > 0.0);
    assert!(told(text, "100 us", "0 s").contains("a loss would be assumed at once"));
}

/// Three flows take turns with packets of 2,068 B at 8 Gbit/s.
#[test]
fn the_new_probe_makes_its_table() {
    let longest = column(include_str!("silences.toml"), "silences", "longest");
    assert_eq!(longest.len(), 3);
    assert!(longest.iter().all(|time| (6.2e-6..6.3e-6).contains(time)), "{longest:?}");
}

/// Without isolation the victim would get a fifth of its link.
#[test]
fn nobody_waits_behind_what_the_new_scheme_isolates() {
    let text = include_str!("one-ward.toml");
    let rates = column(text, "flows", "rate");
    assert!(rates.last().is_some_and(|&victim| victim > 6e9), "{rates:?}");
    let none = text.replace("one-ward", "none");
    let rates = column(&none, "flows", "rate");
    assert!(rates.last().is_some_and(|&victim| victim < 2e9), "{rates:?}");
}
"""


@pytest.mark.slow
def test_the_how_tos_add_what_they_say():
    found = [block for page in PAGES for block in blocks(ROOT / f"docs/howto/{page}.md") if block.title]
    changed = {"crates/howto/Cargo.toml": PACKAGE, "crates/howto/tests/howto.rs": RUN}
    for block in found:
        if block.title in LISTS:
            text = changed.get(block.title) or (ROOT / block.title).read_text()
            changed[block.title] = with_line(text, LISTS[block.title], block.text)
        elif block.title.startswith("crates/"):
            changed[block.title] = block.text
        else:
            changed[f"crates/howto/tests/{block.title}"] = block.text
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    copy = target / "howto"
    copy_sources(copy, changed)
    assert crowded(copy) == []
    units = [
        Path(block.title).stem for block in found if block.title.startswith("crates/") and block.title not in LISTS
    ]
    # The common checks that hold a part to what it declares, and whatever stands above.
    wanted = [*units, *COMMON, *re.findall(r"^fn (\w+)\(\) \{$", RUN, re.M)]
    passed = re.findall(r"^test (\S+) \.\.\. ok$", cargo_test(copy, target, wanted), re.M)
    assert all(any(word in name for name in passed) for word in wanted), passed


COMMON = [
    "a_source_declares",
    "a_router_that_uses",
    "defaults_make_sense",
    "an_undetermined_packet",
    "silence_restores",
]


def crowded(folder):
    """Folders with more files than the bound allows, once the new ones are added."""
    folders = {path.parent for path in folder.glob("crates/*/src/**/*.rs")}
    return sorted(str(path) for path in folders if len(list(path.glob("*.rs"))) > MOST_FILES)


def copy_sources(folder, changed):
    """Copy the Rust workspace, except changed files. Files that are the same as last time are not touched, and so not
    built again."""
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
    # A version of its own: else cargo takes the builds from here for builds of the checkout, whatever changes there.
    texts["Cargo.toml"] = texts["Cargo.toml"].replace('\nversion = "', '\nversion = "0.0.0-howto.', 1)
    texts |= changed
    for old in [p for p in folder.glob("crates/**/*") if p.is_file() and str(p.relative_to(folder)) not in texts]:
        old.unlink()
    for name, text in texts.items():
        path = folder / name
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def with_line(text, begin, line):
    """The text with a line at the end of its list, or of the group, that begins so."""
    head, found, rest = text.partition(begin)
    assert found, begin
    # The lists of parts are within `AnyPart / PartParams: Part { ... }`.
    body, end, tail = rest.partition("\n}\n" if begin.startswith("\n") else "\n    }\n")
    assert end, begin
    return head + found + body + "\n" + line.rstrip() + end + tail


def cargo_test(folder, target, wanted):
    """Run the requested tests in the copy; returns the output of cargo.

    All in one call, so that all packages agree on the features of the libraries that they use: as `make test` builds
    them, and so not built again. The packages of the copy are built in the shortest time.
    """
    profile = os.environ.get("RUST_PROFILE", "dev")
    command = ["cargo", "test", "--offline", "--profile", profile]
    command += [part for name in ("schemes", "topology", "probes", "howto") for part in ("-p", f"congestree-{name}")]
    command += ["--lib", "--test", "common_checks", "--test", "transport", "--test", "howto"]
    for crate in sorted(path.parent.name for path in folder.glob("crates/*/Cargo.toml")):
        for setting in ("opt-level=0", "debug=0"):
            command += ["--config", f"profile.{profile}.package.congestree-{crate}.{setting}"]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
    done = subprocess.run(
        [*command, "--", *wanted], cwd=folder, capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
