//! Whatever a GOAL file holds, reading it ends in a program or in a diagnostic with a place; a program that was read is written
//! and read again as the same.

#![no_main]

use congestree_scenario::goal;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match goal::read(text) {
        Ok(found) => {
            let again = goal::read(&goal::write(&found.program));
            assert!(again.is_ok_and(|again| again.program == found.program), "what was written reads differently");
        }
        Err(troubles) => {
            assert!(!troubles.is_empty());
            assert!(troubles.iter().all(|trouble| trouble.at <= text.len() && !trouble.fact.is_empty()));
        }
    }
});
