//! Whatever the file, reading it ends in a plan or in useful diagnostics; never in a panic.
//!
//! A bounded loop of mutations of good scenarios and of the malformed ones. `CONGESTREE_FUZZ=100000` makes it longer.

use std::fs;
use std::path::Path;

use congestree_kernel::Rng;
use congestree_scenario::{Diagnostics, Format, expand, read};

use crate::random::random_scenario;

/// Fragments of scenarios, and some that do not belong there.
const PIECES: &[&str] = &[
    "\"",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "=",
    ".",
    ",",
    "\n",
    "#",
    "\\",
    "'",
    "\u{0}",
    "µ",
    "é",
    "\u{202e}",
    "-",
    "1e400",
    "nan",
    "inf",
    "true",
    "0",
    "-1",
    "0.5",
    "99999999999999999999999",
    "\"0 ns\"",
    "\"0 B\"",
    "\"64 KiB\"",
    "\"4 packets\"",
    "\"1 Gbit/s\"",
    "\"99999999 s\"",
    "\"all\"",
    "\"uniform\"",
    "\"greedy\"",
    "2026-01-01",
    "[traffic]",
    "[[traffic]]",
    "[sweep]\nseed = [1, 2]\n",
    "[scheme.mark.naive]\n",
    "a.b.c = 1\n",
    "null",
    "{}",
    "[]",
    "hosts = 4\n",
    "program = \"barrier\"\n",
    "program.text = \"num_ranks 2 rank 0 { send 8b to 1 }\"\n",
    "program.goal = \"tests/malformed/fabrics/waits.goal\"\n",
    "job.ranks = 3\n",
    "job.placement = \"random\"\n",
    "window = 1\n",
];

fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=rng.below(3) {
        let at = rng.below(bytes.len() as u64 + 1) as usize;
        let to = (at + rng.below(30) as usize).min(bytes.len());
        match rng.below(8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..to)),
            2 if at < bytes.len() => bytes[at] = rng.below(256) as u8,
            3 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            4 => drop(bytes.splice(at..to, bytes[at..to].repeat(2))),
            5 => {
                let mut lines: Vec<&[u8]> = bytes.split(|&b| b == b'\n').collect();
                let (a, b) = (rng.below(lines.len() as u64) as usize, rng.below(lines.len() as u64) as usize);
                lines.swap(a, b);
                bytes = lines.join(&b'\n');
            }
            _ => {
                let piece = PIECES[rng.below(PIECES.len() as u64) as usize];
                let end = if rng.below(2) == 0 { at } else { to };
                drop(bytes.splice(at..end, piece.bytes()));
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn check_diagnostics(diagnostics: &Diagnostics, text: &str) {
    assert!(!diagnostics.list.is_empty());
    let lines = text.split('\n').count() as u32;
    for diagnostic in &diagnostics.list {
        assert!(!diagnostic.fact.is_empty() && !diagnostic.remedy.is_empty(), "{diagnostics}\n{text}");
        // Of a topology in another file nothing is known here.
        let elsewhere = diagnostic.file.is_some();
        assert!(
            elsewhere || diagnostic.line.is_none_or(|line| (1..=lines + 1).contains(&line)),
            "{diagnostics}\n{text}"
        );
        assert!(diagnostic.column.is_none_or(|column| column >= 1), "{diagnostics}\n{text}");
        for word in ["Some(", "Err(", "::", "please report", "invalid type", "unknown variant", "missing field"] {
            assert!(!diagnostic.fact.contains(word) || text.contains(word), "{diagnostics}\n{text}");
        }
    }
}

fn check_reading(text: &str, format: Format) -> bool {
    match read(text, format, "fuzz") {
        Ok(checked) => {
            if checked.facts.runs <= 8
                && let Err(diagnostics) = expand(text, format, "fuzz")
            {
                check_diagnostics(&diagnostics, text);
            }
            true
        }
        Err(diagnostics) => {
            check_diagnostics(&diagnostics, text);
            false
        }
    }
}

#[test]
fn no_file_makes_the_reader_panic() {
    let rounds = std::env::var("CONGESTREE_FUZZ").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(4_000u64);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/malformed");
    let mut corpus: Vec<String> = fs::read_dir(folder)
        .expect("there is a folder of malformed scenarios")
        .map(|file| file.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| fs::read_to_string(path).expect("a scenario is text"))
        .collect();
    corpus.sort();
    // Only a few per cent of the valid ones stay valid; there are always four times as many of them as of the others.
    let many = 4 * corpus.len() as u64;
    corpus.extend((0..many).map(random_scenario));
    let mut rng = Rng::stream(1, "fuzz", 0);
    let mut good = 0;
    for _ in 0..rounds {
        let text = mutate(&corpus[rng.below(corpus.len() as u64) as usize], &mut rng);
        good += u64::from(check_reading(&text, Format::Toml));
    }
    assert!(good > rounds / 100, "only {good} of {rounds} mutations were still in order: the fuzzer is too rough");
}

#[test]
fn no_json_makes_the_reader_panic() {
    let mut rng = Rng::stream(2, "fuzz", 0);
    for seed in 0..500 {
        let checked = read(&random_scenario(seed % 50), Format::Toml, "").expect("a good scenario");
        let written = serde_json::to_string(&checked.scenario).expect("a scenario is plain values");
        check_reading(&mutate(&written, &mut rng), Format::Json);
    }
}

#[test]
fn every_beginning_of_a_file_is_read_or_refused() {
    let text = random_scenario(3);
    for (end, _) in text.char_indices() {
        check_reading(&text[..end], Format::Toml);
    }
}
