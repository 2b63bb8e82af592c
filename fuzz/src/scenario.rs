//! Whatever a scenario says, in TOML or JSON, reading it ends in a plan or in diagnostics that a person can use: no panic, no
//! hang, no more memory than it may take.

#![no_main]

use congestree_scenario::{Format, expand_within, read_within};
use libfuzzer_sys::fuzz_target;

/// What a plan may take (B): small, as thousands are built in a second.
const MEMORY: u64 = 200 << 20;
/// Runs of a sweep that are all expanded.
const RUNS: usize = 8;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let format = if text.trim_start().starts_with('{') { Format::Json } else { Format::Toml };
    match read_within(text, format, "", MEMORY) {
        Ok(checked) if checked.facts.runs <= RUNS => {
            let _ = expand_within(text, format, "", MEMORY);
        }
        Ok(_) => {}
        Err(diagnostics) => {
            assert!(!diagnostics.list.is_empty());
            for diagnostic in &diagnostics.list {
                assert!(!diagnostic.fact.is_empty() && !diagnostic.remedy.is_empty(), "{diagnostics}");
            }
        }
    }
});
