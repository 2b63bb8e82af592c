//! Credit that receivers grant: which of the flows to a host may send how much, in which order, and when.
//!
//! A host whose transport grants credit has one part of this role for all flows to it. Credit is counted in *quanta*
//! and reported as a number that counts from [`FIRST`] and never decreases, so that a lost grant does no harm: the next
//! one includes it.
//!
//! The contract, which `tests/uet` checks for every part:
//!
//! - before `next_turn` no credit is granted, and a turn leads to at most one grant, the next turn being later;
//! - the credit granted to a flow never decreases;
//! - a flow that requests more than it has gets a turn within as many turns as there are flows that request credit.

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
    /// The number up to which it has credit, in quanta.
    pub quanta: u32,
}

/// In which condition a packet has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Complete.
    Whole {
        /// It carries a mark.
        marked: bool,
    },
    /// Trimmed before the last hop.
    TrimmedInFabric,
    /// Trimmed in front of the receiver.
    TrimmedAtReceiver,
}

/// The credit that a host grants to the flows that send to it.
pub trait Grants {
    /// A flow reports up to which number it could use credit. `asker` is its place here, none before its first request.
    /// A flow that insists gets a turn even if it has what it requests.
    fn on_request(&mut self, asker: &mut Option<u32>, flow: u32, quanta: u32, insists: bool);

    /// A packet has arrived.
    fn on_packet(&mut self, now: Time, condition: Condition);

    /// The link to the host has this rate from now on: it is slow for some time, or back to normal.
    fn on_rate(&mut self, _line: Rate) {}

    /// Time of the next turn; never if no flow is to get credit.
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

    fn on_packet(&mut self, now: Time, condition: Condition) {
        let AnyGrants::Rccc(part) = self;
        part.on_packet(now, condition);
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
