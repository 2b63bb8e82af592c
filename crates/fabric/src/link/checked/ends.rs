//! What the two ends of every link know where the receiver checks frames.

use std::collections::VecDeque;

use congestree_units::{Span, Time};
use congestree_wire::{IndexVec, PacketId, PortId};

#[cfg(test)]
use crate::link::checked::errors::Lost;
use crate::link::checked::errors::{Errors, Fate};
use crate::link::checked::receiver::Receiver;
use crate::link::checked::retry::Retry;
use crate::link::checked::sender::{Kept, Sender};
use crate::link::cyclic::Cyclic;
use crate::link::port::Out;
use crate::link::wiring::Wiring;
use crate::plan::Plan;

/// A frame on its link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flying {
    pub(super) frame: Kept,
    pub(super) number: Cyclic,
    pub(super) fate: Fate,
}

/// What a port keeps where frames are checked.
#[derive(Clone, Debug)]
pub(super) struct LinkEnd {
    /// Frames on the link out of the port, oldest first.
    pub(super) flight: VecDeque<Flying>,
    /// The sending end of the link out of the port.
    pub(super) sender: Sender,
    /// The time for which the replay timer is on the agenda.
    pub(super) timer_at: Time,
    /// If no word arrives for this long, all frames are sent again.
    pub(super) timeout: Span,
    /// The receiving end of the link into the port.
    pub(super) receiver: Receiver,
    /// With retry: packets that another part of the network has started on the link into the port, and that have not
    /// been accepted yet; oldest first.
    pub(super) coming: VecDeque<PacketId>,
    /// When a word may be sent; never if none is due.
    pub(super) word_at: Time,
    /// Least time from one word to the next.
    pub(super) spacing: Span,
    /// Frames sent by the port that arrived damaged, or were not noticed.
    pub(super) damaged: u64,
    /// Frames that the port has sent again.
    pub(super) replayed: u64,
    pub(super) replayed_bytes: u64,
}

/// All links, if frames are checked.
#[derive(Debug, Default)]
pub(crate) struct CheckedLinks {
    pub(super) errors: Option<Errors>,
    pub(super) retry: Option<Retry>,
    /// By port.
    pub(super) ends: IndexVec<PortId, LinkEnd>,
}

impl CheckedLinks {
    /// The links of a plan.
    pub(crate) fn new(plan: &Plan, wiring: &Wiring) -> Self {
        if !plan.checks.any() {
            return Self::default();
        }
        let retry = plan.checks.retry.map(|retry| Retry::new(retry, plan.largest()));
        let link = |out: &Out| (wiring.rates[usize::from(out.rate)], out.propagation(plan.switch.forwarding_delay));
        let end = |out: &Out| {
            let times = retry.map(|retry| retry.times(link(out), link(&wiring.outs[out.peer])));
            let (timeout, spacing) = times.unwrap_or_default();
            LinkEnd {
                flight: VecDeque::new(),
                sender: Sender::new(),
                timer_at: Time::NEVER,
                timeout,
                receiver: Receiver::default(),
                coming: VecDeque::new(),
                word_at: Time::NEVER,
                spacing,
                damaged: 0,
                replayed: 0,
                replayed_bytes: 0,
            }
        };
        Self {
            errors: plan.checks.errors.map(|errors| Errors::new(errors, plan.seed, wiring.outs.len())),
            retry,
            ends: wiring.outs.iter().map(end).collect(),
        }
    }

    /// What happens to the next frame of `size` bytes that a port sends.
    pub(super) fn fate(&mut self, port: PortId, size: u32) -> Fate {
        let fate = self.errors.as_mut().map_or(Fate::Whole, |errors| errors.fate(port, size));
        self.ends[port].damaged += u64::from(fate != Fate::Whole);
        fate
    }

    /// Merges what the ports of a part of a network have counted, and the state of both ends of their links.
    pub(crate) fn take_in(&mut self, part: &Self, owns: impl Fn(PortId) -> bool) {
        for (port, end) in part.ends.with_ids().filter(|&(port, _)| owns(port)) {
            let own = &mut self.ends[port];
            (own.damaged, own.replayed, own.replayed_bytes) = (end.damaged, end.replayed, end.replayed_bytes);
            (own.sender, own.receiver) = (end.sender.clone(), end.receiver);
        }
    }

    /// Another part of the network has started a packet on the link into a port; the link has retry.
    pub(crate) fn expect(&mut self, input: PortId, packet: PacketId) {
        self.ends[input].coming.push_back(packet);
    }

    /// Whether the next control word that arrives at a port is lost.
    pub(crate) fn loses_word(&mut self, port: PortId) -> bool {
        self.errors.as_mut().is_some_and(|errors| errors.loses_word(port))
    }

    /// For tests: from now on all frames or control words are lost, or none is.
    #[cfg(test)]
    pub(crate) fn lose_from_now(&mut self, lost: Lost) {
        self.errors.as_mut().expect("links check").lose_from_now(lost);
    }

    /// Everything on the link out of a port is lost. Returns the number of frames.
    pub(crate) fn lose_frames(&mut self, port: PortId) -> u64 {
        let flight = &mut self.ends[port].flight;
        flight.iter_mut().for_each(|flying| flying.fate = Fate::Unseen);
        flight.len() as u64
    }

    /// By port: frames that were damaged on the link, and frames that were sent again.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.ends.iter().map(|end| (end.damaged, end.replayed))
    }

    /// Bytes of frames that a port has sent again.
    pub(crate) fn replayed_bytes(&self, port: PortId) -> u64 {
        self.ends.get(port).map_or(0, |end| end.replayed_bytes)
    }
}
