//! The behaviour of parts of InfiniBand, step by step, in named situations: each has a text file in `snapshots/`.
//!
//! `CONGESTREE_ACCEPT=1 cargo test -p congestree-schemes --test snapshots` writes the files for the current behaviour.
//! Before accepting, you should be able to say from the head of the file why each line is right.

use std::fs;
use std::path::{Path, PathBuf};

use congestree_units::Time;

mod markings;
mod rates;
mod throttles;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots")
}

/// Compares the trace with the file of this name, or writes it.
fn check(name: &str, told: &str) {
    let path = folder().join(format!("{name}.txt"));
    if std::env::var_os("CONGESTREE_ACCEPT").is_some() {
        fs::write(&path, told).expect("the snapshot can be written");
    }
    let before = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(told, before, "{} (accept with CONGESTREE_ACCEPT=1)", path.display());
}

#[test]
fn no_snapshot_is_left_over() {
    if std::env::var_os("CONGESTREE_ACCEPT").is_some() {
        return; // They are being written.
    }
    let mut there: Vec<String> = fs::read_dir(folder())
        .expect("there is a folder of snapshots")
        .map(|file| file.expect("the folder can be listed").file_name().to_string_lossy().into_owned())
        .filter_map(|name| name.strip_suffix(".txt").map(str::to_owned))
        .collect();
    there.sort();
    let mut wanted: Vec<&str> = throttles::ALL.iter().chain(markings::ALL).chain(rates::ALL).copied().collect();
    wanted.sort_unstable();
    assert_eq!(there, wanted);
}

fn us(time: Time) -> String {
    format!("{:.3} us", time.0 as f64 / 1e6)
}
