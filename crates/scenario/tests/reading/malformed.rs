//! The diagnostics about wrong scenarios: each file in `tests/malformed/` has its expected diagnostics beside it.
//!
//! `CONGESTREE_ACCEPT=1 cargo test -p congestree-scenario --test reading malformed` writes the current diagnostics.

use std::fs;
use std::path::{Path, PathBuf};

use congestree_scenario::{Format, expand, read};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/malformed");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("there is a folder of malformed scenarios")
        .map(|file| file.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension != "txt"))
        .collect();
    files.sort();
    files
}

/// The diagnostics about a file, printed; those about its runs if the rest is valid.
fn said(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a scenario is text");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let format = if name.ends_with(".json") { Format::Json } else { Format::Toml };
    let outcome = read(&text, format, &name).and_then(|_| expand(&text, format, &name));
    match outcome {
        Ok(_) => panic!("{name} is not malformed"),
        Err(diagnostics) => format!("{diagnostics}\n"),
    }
}

#[test]
fn every_malformed_scenario_gets_the_diagnostics_it_should() {
    let accept = std::env::var_os("CONGESTREE_ACCEPT").is_some();
    let mut changed = Vec::new();
    let files = files();
    assert!(files.len() >= 60, "only {} malformed scenarios", files.len());
    for path in files {
        let (said, expected) = (said(&path), path.with_extension("txt"));
        let before = fs::read_to_string(&expected).unwrap_or_default();
        if said == before {
            continue;
        }
        if accept {
            fs::write(&expected, &said).expect("the snapshot can be written");
        } else {
            changed.push(format!("{}\n--- expected\n{before}+++ said\n{said}", path.display()));
        }
    }
    assert!(changed.is_empty(), "{}\n(accept with CONGESTREE_ACCEPT=1)", changed.join("\n"));
}

#[test]
fn diagnostics_are_for_people() {
    let programmers = [
        "Some(",
        "None",
        "Err(",
        "Ok(",
        "::",
        "serde",
        "invalid type",
        "u32",
        "u64",
        "f64",
        "panicked",
        "variant",
        "struct",
        "\\\"",
        "Span(",
        "Bytes(",
        "Null",
    ];
    for path in files() {
        let said = said(&path);
        for word in programmers {
            assert!(!said.contains(word), "{} says {word}:\n{said}", path.display());
        }
        for diagnostic in said.trim_end().split("\n\n") {
            let lines: Vec<&str> = diagnostic.lines().collect();
            assert_eq!(lines.len(), 3, "not place, fact and remedy:\n{diagnostic}");
            assert!(lines[1..].iter().all(|line| line.starts_with("  ") && line.len() > 8), "{diagnostic}");
        }
    }
}
