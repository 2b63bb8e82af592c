//! Credits that come back in messages (credit-based flow control, CBFC, UEC 1.0 section 5.2).
//!
//! Room is counted in cells, lane by lane. Elsewhere a credit comes back for every packet, after a delay. Here the
//! receiver counts the cells that have left its buffer (*freed*, a cyclic number) and sends the count in a CF_Update:
//! 8 bytes in band at the next packet boundary, for one lane; lanes with news take turns. Two CF_Updates are at least
//! `spacing` bytes of link time apart. As the count is absolute, a lost message costs only time: the count is sent
//! again after the transmission time of `repeat` bytes (only where messages can be lost), unless it still waits for the
//! link then.
//!
//! Of a packet that was lost on the link the receiver has seen nothing. So its credits are missing until the sender
//! says how many cells it has *consumed*, in a CC_Update of 64 bytes, sent every `heal`, and at once when a link that
//! was down is up. When it arrives, everything sent before it has arrived or been lost, so here it frees the cells that
//! were lost until then.

use std::cmp::Reverse;

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::{Span, Time};
use congestree_wire::{Packet, PacketId, PortId};

use crate::event::{Event, OnLink};
use crate::fabric::Fabric;
use crate::link::credits::tellers::{CONSUMED, CellCounts, CreditTellers, FREED};
use crate::link::cyclic::Cyclic;
use crate::link::frames::{ControlFrame, Frame};
use crate::partition::mail::Letter;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Cells behind the link into `port` are free from `at` on, and the sender will be told.
    #[inline(never)]
    pub(crate) fn free_cells(&mut self, port: PortId, lane: u8, cells: u16, at: Time) {
        let place = self.at(port, lane);
        self.links.messages.lanes[place].leaving.push(Reverse((at, u32::from(cells))));
        self.expect_message(port, at);
    }

    /// A message may be due at a port from `at` on, or when the spacing allows it.
    fn expect_message(&mut self, port: PortId, at: Time) {
        let teller = &mut self.links.messages.tellers[port];
        let at = at.max(teller.next_at);
        if at < teller.due_at {
            teller.due_at = at;
            self.schedule(at, Event::Link { port, due: OnLink::Credit });
        }
    }

    /// A message may be due: it is sent for the next lane with news.
    pub(crate) fn message_is_due(&mut self, port: PortId) {
        let now = self.now;
        if self.links.messages.tellers[port].due_at != now {
            return;
        }
        let (count, first) = (self.lanes(), self.at(port, 0));
        let CreditTellers { lanes, tellers, .. } = &mut self.links.messages;
        let (lanes, teller) = (&mut lanes[first..first + count], &mut tellers[port]);
        teller.due_at = Time::NEVER;
        for lane in lanes.iter_mut() {
            lane.settle(now);
            lane.settle_heard(now);
        }
        let in_turn = (1..=count).map(|k| (teller.turn + k) % count);
        let may_be_lost = |lane: &CellCounts| teller.repeat.is_some() && lane.told != lane.heard;
        let neighbours = &mut self.links.neighbours;
        let mut waits = |k: usize| neighbours.unsent(port).any(|notice| notice.frees(k));
        let Some(next) = in_turn
            .clone()
            .find(|&k| lanes[k].freed != lanes[k].told)
            .or_else(|| in_turn.clone().find(|&k| may_be_lost(&lanes[k]) && !waits(k)))
        else {
            return self.expect_more(port);
        };
        lanes[next].told = lanes[next].freed;
        (teller.turn, teller.next_at) = (next, now + teller.spacing);
        let notice = ControlFrame::Freed { lane: next as u8, count: lanes[next].freed };
        self.tell(port, Frame { bytes: FREED, after: Span::ZERO, notice });
        self.expect_more(port);
    }

    /// Schedules the next message of a port: at once for lanes with news, otherwise when more cells leave, or when a
    /// message that may be lost is repeated.
    fn expect_more(&mut self, port: PortId) {
        if let Some(at) = self.links.messages.next_due(port, self.rules.lanes, self.now) {
            self.expect_message(port, at);
        }
    }

    /// A message starts on the link out of a port, and will arrive at `at`.
    pub(crate) fn note_told(&mut self, port: PortId, lane: u8, count: Cyclic, at: Time) {
        if self.links.messages.tellers[port].repeat.is_some() {
            let place = self.at(port, lane);
            self.links.messages.lanes[place].on_the_way.push_back((at, count));
        }
    }

    /// The sender at a port learns how many cells have left the buffer behind its link.
    pub(crate) fn hear_freed(&mut self, port: PortId, lane: u8, count: Cyclic) {
        let place = self.at(port, lane);
        let heard = &mut self.links.messages.heard[place];
        let cells = count.since(*heard);
        *heard = count;
        self.credit(port, lane, cells, self.now);
    }

    /// A packet that would have arrived by now was lost on the link into `port`, whose receiver does not know of its
    /// cells. If the receiver is in another part of the network, it was told when the packet started.
    pub(crate) fn lose_cells(&mut self, port: PortId, lane: u8, cells: u16) {
        if !self.border.is_away(port) {
            self.note_lost(port, lane, cells, self.now);
        }
    }

    /// A packet that would arrive at `at` is lost on the link into `port`.
    pub(crate) fn note_lost(&mut self, port: PortId, lane: u8, cells: u16, at: Time) {
        let place = self.at(port, lane);
        self.links.messages.lanes[place].lost.push((at, u32::from(cells)));
    }

    /// A packet that starts on a link to another part of the network will be lost there; it would arrive at `at`.
    pub(crate) fn tell_lost(&mut self, id: PacketId, at: Time) {
        let Packet { input, buffer_lane, units, .. } = self.packets[id];
        if self.tells_credit() && units > 0 {
            self.border.write(Letter::Lost { at, port: input, lane: buffer_lane, cells: units });
        }
    }

    /// In how many scheduled events, in an undivided network, senders will say what they have consumed: one for each.
    pub(crate) fn scheduled_heals(&self) -> usize {
        if self.tells_credit() { self.links.outs.len() } else { 0 }
    }

    /// Every sender says from time to time what it has consumed.
    pub(crate) fn start_messages(&mut self) {
        if self.tells_credit() {
            for port in self.links.outs.ids().filter(|&port| !self.border.is_away(port)).collect::<Vec<_>>() {
                self.schedule(self.now + self.links.messages.heal, Event::Link { port, due: OnLink::Heal });
            }
        }
    }

    /// A port that is down says it when it is up, and one that has not yet said it need not do so twice.
    pub(crate) fn heal_is_due(&mut self, port: PortId) {
        let is_said = |notice: &mut ControlFrame| *notice == ControlFrame::Consumed;
        if !self.links.faults.is_down(port) && !self.links.neighbours.unsent(port).any(is_said) {
            self.tell_consumed(port, Span::ZERO);
        }
        self.schedule(self.now + self.links.messages.heal, Event::Link { port, due: OnLink::Heal });
    }

    /// A sender says what it has consumed, and the receiver acts on it `after` its arrival. After a failure that is the
    /// forwarding delay: packets that were on the wire count as lost when they would have been forwarded.
    pub(crate) fn tell_consumed(&mut self, port: PortId, after: Span) {
        self.tell(port, Frame { bytes: CONSUMED, after, notice: ControlFrame::Consumed });
    }

    /// A CC_Update arrives at the receiver of a port: packets that have not arrived by now were lost.
    pub(crate) fn hear_consumed(&mut self, port: PortId) {
        for lane in 0..self.lanes() as u8 {
            let place = self.at(port, lane);
            let cells = self.links.messages.lanes[place].take_lost(self.now);
            if cells > 0 {
                self.links.messages.lanes[place].leaving.push(Reverse((self.now, cells)));
                self.expect_message(port, self.now);
            }
        }
    }
}

#[cfg(test)]
mod tests;
