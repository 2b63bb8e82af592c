//! Credit that receivers grant: which of the flows to a host may send how much, in which order, and when.
//!
//! A host whose transport grants has one part of this role for all flows to it. Credit is counted in *quanta* and told as
//! a number that counts from [`FIRST`] and never falls, so that a lost grant does no harm: the next one tells the same and more.
//!
//! The contract, which `tests/uet` holds every part to:
//!
//! - before `next_turn` there is nothing to be had, and a turn leads to at most one grant, the next turn being later;
//! - what a flow was granted never falls;
//! - who asks for more than it has gets a turn within as many turns as there are flows that ask.

use congestree_units::{Rate, Time};

use super::uet::rccc::Rccc;

/// Bytes of a quantum.
pub const QUANTUM: u64 = 256;
/// Quanta are counted from here, so that differences never fall below zero.
pub const FIRST: u32 = 100_000_000;

/// A grant to a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The flow.
    pub flow: u32,
    /// Up to here it has credit, in quanta.
    pub quanta: u32,
}

/// What a host grants to the flows that come to it.
pub trait Grants {
    /// A flow says up to where it could use credit. `asker` is its place here, none before it asked for the first time. Who
    /// insists gets a turn even if it has what it asks for.
    fn on_request(&mut self, asker: &mut Option<u32>, flow: u32, quanta: u32, insists: bool);

    /// A packet has come in: whole, and marked or not, or trimmed before the last hop.
    fn on_packet(&mut self, now: Time, marked: bool, trimmed: bool);

    /// The link to the host carries so much from now on: it is slow for a time, or whole again.
    fn on_rate(&mut self, _line: Rate) {}

    /// When the next turn is; never if nobody is to get anything.
    fn next_turn(&self) -> Time;

    /// The turn that is due at `now`.
    fn turn(&mut self, now: Time) -> Option<Grant>;
}

/// What any transport's receivers grant.
#[derive(Clone, Debug)]
pub enum AnyGrants {
    /// In turn, at just less than the rate of the link.
    Rccc(Rccc),
}

impl Grants for AnyGrants {
    fn on_request(&mut self, asker: &mut Option<u32>, flow: u32, quanta: u32, insists: bool) {
        let AnyGrants::Rccc(part) = self;
        part.on_request(asker, flow, quanta, insists);
    }

    fn on_packet(&mut self, now: Time, marked: bool, trimmed: bool) {
        let AnyGrants::Rccc(part) = self;
        part.on_packet(now, marked, trimmed);
    }

    fn on_rate(&mut self, line: Rate) {
        let AnyGrants::Rccc(part) = self;
        part.on_rate(line);
    }

    fn next_turn(&self) -> Time {
        let AnyGrants::Rccc(part) = self;
        part.next_turn()
    }

    fn turn(&mut self, now: Time) -> Option<Grant> {
        let AnyGrants::Rccc(part) = self;
        part.turn(now)
    }
}
