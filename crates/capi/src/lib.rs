//! The live simulation for programs in C and in languages that can call C: `include/congestree.h`.
//!
//! A simulation is a number, not a pointer: a call with the number of one that is closed, or never existed, is refused
//! like any other bad call. All values from and to C pass through [`border`], the only module of congestree with unsafe
//! code.

mod border;
mod counters;
mod failure;
mod sessions;
