//! Tells probes about complete messages of transports: how long each was, and how often its sender had to repeat
//! itself.
//!
//! This is the only action of the receiving end that looks at the sending end. In a network in parts the sending end
//! may be in another part. There each end reports what it knows, and the sender tells the receiver where a message
//! ends.

use congestree_kernel::Agenda;
use congestree_probes::{Probe, Transfer};
use congestree_schemes::Transport;
use congestree_wire::FlowId;

use crate::fabric::Fabric;
use crate::partition::border::Letter;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// All packets of a flow up to some number have come in: a message may be complete.
    pub(crate) fn tell_transfer(&mut self, id: FlowId) {
        let expected = self.ends.connections.receivers[id].answers.expected();
        let transfer = self.as_its_sender_knows(id);
        if self.border.cut() {
            if self.ends.connections.receivers[id].awaits == Some(expected) {
                self.probe.transferred(transfer);
            }
            return;
        }
        let sender = &self.ends.connections.senders[id];
        if expected == sender.end && sender.bytes > 0 {
            self.probe.transferred(transfer);
        }
    }

    /// The present state of the message that a flow is sending, if its transport marks the ends of messages.
    fn as_its_sender_knows(&self, id: FlowId) -> Transfer {
        let sender = &self.ends.connections.senders[id];
        let loss_counts = sender.transport.loss_counts();
        Transfer {
            flow: id.0,
            class: self.ends.cold[id].class,
            number: sender.number,
            bytes: sender.bytes,
            created: self.ends.flows[id].created,
            started: sender.started,
            finished: self.now,
            resent: loss_counts.resent - sender.before.resent,
            timeouts: loss_counts.timeouts - sender.before.timeouts,
        }
    }

    /// A flow begins a message: its receiver is told where the message ends, before any packet of it can arrive.
    pub(crate) fn tell_group(&mut self, id: FlowId) {
        let (end, bytes) = (self.ends.connections.senders[id].end, self.ends.connections.senders[id].bytes);
        if bytes == 0 || !self.tells_transfers() {
            return;
        }
        let host = self.ends.cold[id].destination;
        match self.border.is_away(host.port()) {
            true => self.border.write(Letter::Group { host, flow: id, end }),
            false => self.ends.connections.receivers[id].awaits = Some(end),
        }
        self.tell_sender(id);
    }

    /// What a sender knows about its message may have changed.
    pub(crate) fn tell_sender(&mut self, id: FlowId) {
        if self.tells_transfers() && self.ends.connections.senders[id].bytes > 0 {
            self.probe.transferring(self.as_its_sender_knows(id));
        }
    }

    /// Another part combines what both ends know.
    fn tells_transfers(&self) -> bool {
        self.probe.wants_transfers() && self.border.cut()
    }
}
