//! Whatever an execution trace holds (protobuf, JSON, packed or not), counting it ends in counts, with one error at most, and making a
//! program of it in a program or in one error.

#![no_main]

use congestree_traces::{Manner, info, program};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let path = std::env::temp_dir().join(format!("congestree-fuzz-{}.et", std::process::id()));
    std::fs::write(&path, data).expect("the folder for temporary files can be written");
    let (counted, error, remark) = info(&path, &mut || true);
    assert!(counted.nodes <= counted.header.bytes, "a node takes a byte or more");
    assert!([error, remark].iter().flatten().all(|one| !one.place.is_empty() && !one.fact.is_empty()));
    for ranks in [None, Some(3)] {
        let manner = Manner { ranks, most: 100_000, ..Manner::default() };
        if let Err(error) = program(std::slice::from_ref(&path), &manner) {
            assert!(!error.place.is_empty() && !error.fact.is_empty());
        }
    }
});
