//! Links whose frames are looked at before they go on.
//!
//! Elsewhere a link is perfect, and a packet goes on from its head. Where links may damage what they carry, the far end
//! waits for the whole frame and looks at its checksum. What it then does with a damaged one is one of two things: without
//! retry the packet is lost, and told so; with retry (Link-Level Retry, UEC 1.0 section 5.1) it is sent again on the same link,
//! with all that came behind it, so that the network above sees neither loss nor another order, only time.
//!
//! Control words (`Ack`, `Nack`) are frames between neighbours (`link/frames.rs`): 8 bytes that go in band at the next packet
//! boundary, before any packet.

pub(crate) mod errors;
mod receiver;
mod retry;
mod sender;

use std::collections::VecDeque;

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::{Span, Time};
use congestree_wire::{Kind, Packet, PacketId};

use crate::event::{Event, OnLink};
use crate::fabric::Fabric;
use crate::link::checked::errors::{Errors, Fate};
use crate::link::checked::receiver::Receiver;
use crate::link::checked::retry::Retry;
use crate::link::checked::sender::{Kept, Sender};
use crate::link::cyclic::Cyclic;
use crate::link::port::Far;
use crate::link::wiring::Wiring;
use crate::plan::Plan;
use crate::tune::variants::Variant;

/// What the receiving end of a link tells the sending one: the number of the frame that it expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// All before it has come in.
    Ack(Cyclic),
    /// So it has, and what follows must be sent again.
    Nack(Cyclic),
}

/// A frame on its link.
#[derive(Clone, Copy, Debug)]
struct Flying {
    frame: Kept,
    number: Cyclic,
    fate: Fate,
}

/// What a port has to do with frames that are looked at.
#[derive(Clone, Debug)]
struct End {
    /// Frames on the link out of the port, oldest first.
    flight: VecDeque<Flying>,
    /// Of the link out of the port.
    sender: Sender,
    /// The replay timer is on the agenda for then.
    timer_at: Time,
    /// If nothing is heard for so long, all is sent again.
    timeout: Span,
    /// Of the link into the port.
    receiver: Receiver,
    /// A word may be told then; never: none is due.
    word_at: Time,
    /// From one word to the next.
    spacing: Span,
    /// Frames out of the port that were damaged, or not seen.
    damaged: u64,
    /// Frames that the port has sent again.
    replayed: u64,
}

/// All links, if frames are looked at.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    errors: Option<Errors>,
    retry: Option<Retry>,
    /// By port.
    ends: Vec<End>,
}

impl Checked {
    /// Those of a plan.
    pub(crate) fn new(plan: &Plan, wiring: &Wiring) -> Self {
        if !plan.checks.any() {
            return Self::default();
        }
        let end = |port: usize| {
            let (timeout, spacing) = retry::times(plan, wiring, port);
            End {
                flight: VecDeque::new(),
                sender: Sender::new(),
                timer_at: Time::NEVER,
                timeout,
                receiver: Receiver::default(),
                word_at: Time::NEVER,
                spacing,
                damaged: 0,
                replayed: 0,
            }
        };
        Self {
            errors: plan.checks.errors.map(|errors| Errors::new(errors, plan.seed, wiring.outs.len())),
            retry: plan.checks.retry.map(|retry| Retry::new(retry, plan.largest())),
            ends: (0..wiring.outs.len()).map(end).collect(),
        }
    }

    /// The next control word that comes in at a port is lost.
    pub(crate) fn loses_word(&mut self, port: u32) -> bool {
        self.errors.as_mut().is_some_and(|errors| errors.loses_word(port))
    }

    /// What is on the link out of a port never comes in; how many frames that is.
    pub(crate) fn lose_frames(&mut self, port: u32) -> u64 {
        let flight = &mut self.ends[port as usize].flight;
        flight.iter_mut().for_each(|flying| flying.fate = Fate::Unseen);
        flight.len() as u64
    }

    /// Frames of each port that were damaged on their link, and those that were sent again.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.ends.iter().map(|end| (end.damaged, end.replayed))
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Something is due on a link whose two ends talk about frames or credits.
    #[inline(never)]
    pub(crate) fn on_link(&mut self, port: u32, due: OnLink) {
        match due {
            OnLink::Frame => self.frame_is_in(port),
            OnLink::Word => self.word_is_due(port),
            OnLink::Replay => self.replay_is_due(port),
            OnLink::Credit => self.message_is_due(port),
            OnLink::Heal => self.heal_is_due(port),
        }
    }

    /// A packet has started on a link; its tail leaves at `until`.
    #[inline(never)]
    pub(crate) fn launch(&mut self, port: u32, packet: PacketId, until: Time) {
        let frame = Kept { packet, size: self.packets[packet].size };
        let number = if self.retries() { self.number(port, frame) } else { Cyclic::default() };
        self.fly(port, frame, number, until);
    }

    /// A frame is on its link from now on.
    fn fly(&mut self, port: u32, frame: Kept, number: Cyclic, until: Time) {
        let checked = &mut self.links.checked;
        let fate = checked.errors.as_mut().map_or(Fate::Whole, |errors| errors.fate(port, frame.size));
        let end = &mut checked.ends[port as usize];
        end.damaged += u64::from(fate != Fate::Whole);
        end.flight.push_back(Flying { frame, number, fate });
        let at = until + self.propagation(port);
        self.schedule(at, Event::Link { port: self.links.outs[port as usize].peer, due: OnLink::Frame });
    }

    /// All of a frame is in at a port.
    fn frame_is_in(&mut self, receiver: u32) {
        let port = self.links.outs[receiver as usize].peer;
        let Some(Flying { frame, number, fate }) = self.links.checked.ends[port as usize].flight.pop_front() else {
            debug_assert!(false, "a frame comes in once");
            return;
        };
        let goes_on = if self.retries() { self.judged(port, number, fate) } else { fate == Fate::Whole };
        if goes_on {
            self.goes_on(port, frame.packet);
        } else if !self.retries() {
            self.lose(port, frame.packet);
        }
    }

    /// A frame goes on at the far end.
    fn goes_on(&mut self, port: u32, packet: PacketId) {
        let out = &self.links.outs[port as usize];
        let (peer, forwarding) = (out.peer, self.rules.forwarding_delay);
        match out.far {
            Far::Host => self.deliver_at(self.now, peer, packet, self.packets[packet].kind),
            _ => self.schedule(self.now + forwarding, Event::Arrive { input: peer, packet }),
        }
    }

    /// Nobody sends a packet again that was lost on a link: it is gone, and its room is given back.
    pub(crate) fn lose(&mut self, port: u32, id: PacketId) {
        let Packet { flow, kind, input, buffer_lane, units, .. } = self.packets[id];
        self.packets.remove(id);
        self.switches.output_queues.count_drop(port, flow, kind == Kind::Data);
        self.probe.dropped(self.now, port, self.told_as(flow));
        let endless = self.links.outs[port as usize].far == Far::Host && self.rules.adapter.receive_units.is_none();
        if units == 0 || endless {
            return;
        }
        if self.tells_credit() {
            self.lose_cells(input, buffer_lane, units);
        } else {
            self.give_back(input, buffer_lane, units, self.now);
        }
    }
}
