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
    /// A packet of a flow has come in, before which `before` was expected: messages may count as received.
    pub(crate) fn tell_transfers(&mut self, id: FlowId, sequence: u32, before: u32) {
        match self.ends.connections.receivers[id].answers.in_order() {
            true => self.tell_transfers_in_order(id, before),
            false => self.tell_transfer_of(id, sequence),
        }
    }

    /// Tells the message of a packet that has come in, if it is complete.
    fn tell_transfer_of(&mut self, id: FlowId, sequence: u32) {
        let receiver = &mut self.ends.connections.receivers[id];
        if self.border.cut() {
            let place = receiver.awaits.partition_point(|&(_, end)| end <= sequence);
            // What lies between it and the one before it here is complete.
            let begin = place.checked_sub(1).map_or(0, |before| receiver.awaits[before].1);
            let whole = |&(_, end): &(u32, u32)| receiver.answers.has_all(begin..end);
            if let Some(&(number, _)) = receiver.awaits.get(place).filter(|&group| whole(group)) {
                receiver.awaits.remove(place);
                self.tell_number(id, number);
            }
        } else if let Some((begin, group)) = self.ends.connections.senders[id].carries(sequence)
            && receiver.answers.has_all(begin..group.end)
        {
            self.probe.transferred(self.as_its_sender_knows(id, &group));
        }
    }

    /// Packets of a flow from the number `before` on have come in, and no gap is left before what is expected now:
    /// messages may be complete, and all before them.
    fn tell_transfers_in_order(&mut self, id: FlowId, before: u32) {
        let expected = self.ends.connections.receivers[id].answers.expected();
        if self.border.cut() {
            let first = |fabric: &Self| fabric.ends.connections.receivers[id].awaits.front().copied();
            while let Some((number, _)) = first(self).filter(|&(_, end)| end <= expected) {
                self.ends.connections.receivers[id].awaits.pop_front();
                self.tell_number(id, number);
            }
            return;
        }
        let complete = self.ends.connections.senders[id].under_way().filter(|group| group.end > before);
        for group in complete.take_while(|group| group.end <= expected) {
            self.probe.transferred(self.as_its_sender_knows(id, &group));
        }
    }

    /// Tells that a message counts as received, in a network in parts.
    fn tell_number(&mut self, id: FlowId, number: u32) {
        let row = Transfer { number, finished: self.now, ..Transfer::of_flow(id.0, self.ends.cold[id].class) };
        self.probe.transferred(row);
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
