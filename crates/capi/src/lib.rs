//! The live simulation for programs in C and whatever speaks with C: `include/congestree.h`.
//!
//! A simulation is a number, not a pointer: what is called with one that is closed, or never was, is refused like any other
//! bad call. What C gives and gets passes through [`border`], the only module of congestree with unsafe code.

mod border;
mod counters;
mod failure;
mod sessions;
