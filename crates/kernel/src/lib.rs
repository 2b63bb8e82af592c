//! The event list and the random streams of a simulation. This crate knows nothing about networking.
//!
//! An event is an instant and a *rank*: 64 bits that order events within the instant and tell the owner what to
//! do. Events are handed out in the order (time, rank), which is total as long as no two events share both.

pub mod agenda;
pub mod rng;

pub use agenda::{Agenda, Entry, heap::HeapAgenda, wheel::Wheel};
pub use rng::{Rng, mix};
