//! Tells probes about complete messages of transports: how long each was, and how often its sender had to repeat
//! itself.
//!
//! This is the only action of the receiving end that looks at the sending end. In a network in parts the sending end
//! may be in another part. There each end reports what it knows, and the sender tells the receiver where a message
//! ends.

use congestree_kernel::Agenda;
use congestree_probes::{Probe, Transfer};
use congestree_wire::FlowId;

use crate::fabric::Fabric;
use crate::host::connection::EarlierGroup;
use crate::partition::mail::Letter;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Packets of a flow from the number `before` on have come in, and no gap is left before what is expected now:
    /// messages may be complete.
    pub(crate) fn tell_transfers(&mut self, id: FlowId, before: u32) {
        let receiver = &mut self.ends.connections.receivers[id];
        let expected = receiver.answers.expected();
        if self.border.cut() {
            while let Some(&(number, _)) = receiver.awaits.front().filter(|(_, end)| *end <= expected) {
                receiver.awaits.pop_front();
                let row = Transfer { number, finished: self.now, ..Transfer::of_flow(id.0, self.ends.cold[id].class) };
                self.probe.transferred(row);
            }
            return;
        }
        let complete = self.ends.connections.senders[id].under_way().filter(|group| group.end > before);
        for group in complete.take_while(|group| group.end <= expected) {
            self.probe.transferred(self.as_its_sender_knows(id, &group));
        }
    }

    /// The present state of a message of a flow, if its transport marks the ends of messages.
    fn as_its_sender_knows(&self, id: FlowId, group: &EarlierGroup) -> Transfer {
        Transfer {
            number: group.number,
            bytes: group.bytes,
            created: group.created,
            started: group.started,
            finished: self.now,
            resent: u64::from(group.repeated.resent),
            timeouts: u64::from(group.repeated.timeouts),
            ..Transfer::of_flow(id.0, self.ends.cold[id].class)
        }
    }

    /// A flow begins a message: its receiver is told where the message ends, before any packet of it can arrive.
    pub(crate) fn tell_group(&mut self, id: FlowId) {
        if !self.tells_transfers() {
            return;
        }
        let Some(EarlierGroup { end, number, .. }) = self.ends.connections.senders[id].under_way().last() else {
            return;
        };
        let host = self.ends.cold[id].destination;
        match self.border.is_away(host.port()) {
            true => self.border.write(Letter::Group { host, flow: id, number, end }),
            false => self.ends.connections.receivers[id].awaits.push_back((number, end)),
        }
        self.tell_sender(id);
    }

    /// What a sender knows about its messages may have changed.
    pub(crate) fn tell_sender(&mut self, id: FlowId) {
        if self.tells_transfers() {
            for group in self.ends.connections.senders[id].under_way() {
                self.probe.transferring(self.as_its_sender_knows(id, &group));
            }
        }
    }

    /// Another part combines what both ends know.
    fn tells_transfers(&self) -> bool {
        self.probe.wants_transfers() && self.border.cut()
    }
}
