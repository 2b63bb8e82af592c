//! The watchdog for outputs that are paused for too long, as in SONiC switches.
//!
//! It watches outputs of switches that are paused while packets wait. After `detect` it drops those packets, or sends
//! them in spite of the pause, until a check every `restore` finds that the pause has ended. While its link is down an
//! output cannot be told of the end of a pause: `detect` begins anew when it is up.
//!
//! Drops come before all decisions of an instant, at idle outputs, until there is nothing left to drop: a packet that
//! was behind a dropped one takes part in the decisions of that instant.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::{Span, Time};
use congestree_wire::{Packet, PacketId, PacketKind, PortId};

use crate::event::{Due, Event};
use crate::fabric::Fabric;
use crate::plan::QueueMap;
use crate::switch::arbiter::{Decision, QueuePosition};
use crate::switch::transit::Transit;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Schedules the next check.
    pub(crate) fn check_later(&mut self, port: PortId, lane: u8, after: Span, due: Due) {
        let place = self.at(port, lane);
        self.links.pauses.held[place].check_at = self.now + after;
        self.schedule(self.now + after, Event::Pause { port, lane, due });
    }

    /// A pause has lasted long: if packets wait, it counts as a storm.
    pub(crate) fn detect(&mut self, port: PortId, lane: u8) {
        let place = self.at(port, lane);
        let Some(watchdog) = self.links.pauses.watchdog else { return };
        if self.links.pauses.held[place].check_at != self.now || self.links.faults.is_down(port) {
            return;
        }
        if self.switches.occupancy.waiting(place) == 0 {
            return self.check_later(port, lane, watchdog.detect, Due::Detect);
        }
        self.go_on(port, lane);
        self.links.pauses.held[place].ignored = true;
        self.probe.storm(self.now, port.0, lane, true);
        self.check_later(port, lane, watchdog.restore, Due::Restore);
    }

    /// The link of a port is up: pauses that it has heard of count from now on.
    pub(crate) fn detect_anew(&mut self, port: PortId) {
        let Some(watchdog) = self.links.pauses.watchdog.filter(|_| !self.rules.is_host(port)) else { return };
        for lane in 0..self.lanes() as u8 {
            if self.links.pauses.held[self.at(port, lane)].since != Time::NEVER {
                self.check_later(port, lane, watchdog.detect, Due::Detect);
            }
        }
    }

    /// A storm may have ended.
    pub(crate) fn restore(&mut self, port: PortId, lane: u8) {
        let place = self.at(port, lane);
        let Some(watchdog) = self.links.pauses.watchdog else { return };
        if self.links.pauses.held[place].check_at != self.now {
            return;
        }
        if self.links.pauses.held[place].asserted {
            return self.check_later(port, lane, watchdog.restore, Due::Restore);
        }
        self.links.pauses.held[place].ignored = false;
        self.links.pauses.held[place].check_at = Time::NEVER;
        self.probe.storm(self.now, port.0, lane, false);
    }

    /// The watchdog drops what waits for this output and lane.
    #[inline]
    pub(crate) fn drops(&self, output: PortId, lane: u8) -> bool {
        self.watchdog_drops() && self.links.pauses.held[self.at(output, lane)].ignored
    }

    /// Something may have to be dropped before any port decides.
    #[inline(always)]
    pub(crate) fn drops_first(&self) -> bool {
        self.fails() || self.pauses() && self.watchdog_drops()
    }

    #[inline(always)]
    fn watchdog_drops(&self) -> bool {
        self.links.pauses.watchdog.is_some_and(|watchdog| watchdog.drop)
    }

    /// Before any port decides, idle outputs drop what waits in the lanes in which their watchdog drops packets. The
    /// packet that is then next at an input takes part in the same round.
    #[inline]
    pub(crate) fn drop_ignored(&mut self) {
        if !self.watchdog_drops() {
            return;
        }
        self.drop_before_deciding(|fabric, port, lane| {
            let busy = fabric.links.outs[port].busy_until > fabric.now;
            let held = fabric.rules.is_host(port) || busy || fabric.retries() && fabric.is_full(port);
            !held && fabric.drops(port, lane) && fabric.drop_waiting(port, lane)
        });
    }

    /// Lane by lane, the outputs that are about to decide drop what they may, until none of them drops anything: a
    /// packet that comes to the head of an input is dropped, too. `drop` returns whether there was anything at an
    /// output in a lane.
    pub(crate) fn drop_before_deciding(&mut self, drop: impl Fn(&mut Self, PortId, u8) -> bool) {
        let mut dropped = true;
        while dropped {
            dropped = false;
            self.deciding.sort_unstable();
            for place in 0..self.deciding.len() {
                let port = self.deciding[place];
                for lane in 0..self.lanes() as u8 {
                    dropped |= drop(self, port, lane);
                }
            }
        }
    }

    /// Drops everything that waits for this output and lane and can be read. Returns whether there was anything.
    #[cold]
    pub(crate) fn drop_waiting(&mut self, output: PortId, lane: u8) -> bool {
        let mut dropped = false;
        loop {
            match self.choose(output, lane) {
                Decision::Send { id, place } => self.drop_chosen(output, lane, id, place),
                Decision::Wait { input_free, .. } => {
                    if input_free != Time::NEVER {
                        self.wake_by(output, input_free);
                    }
                    return dropped;
                }
                Decision::Nothing => return dropped,
            }
            dropped = true;
        }
    }

    fn drop_chosen(&mut self, output: PortId, lane: u8, id: PacketId, place: QueuePosition) {
        let Packet { input, kind, flow, buffer_lane, destination, units, size, .. } = self.packets[id];
        let base = self.links.ins[input].base;
        let transit = Transit { input, output, local: (output - base) as u16, lane, kind, size, destination };
        self.take_out(output, lane, id, place);
        self.control_dropped(transit);
        if self.counts() && kind == PacketKind::Data {
            self.left(output, (input - base) as u16, lane, buffer_lane);
        }
        if let QueuePosition::Queue(queue) = place
            && let Some(next) = self.request_next(queue, transit)
        {
            self.consider(next);
        }
        if self.queue_map() == QueueMap::Single {
            self.next_at_head(input, lane, self.now);
            for port in 0..u32::from(self.links.ins[input].radix) {
                self.consider(self.links.ins[input].base + port);
            }
        }
        self.switches.output_queues.count_drop(output, flow, kind == PacketKind::Data);
        self.probe.dropped(self.now, output.0, self.reporting_flow(flow).0);
        if self.fails() {
            self.count_discarded(output);
        }
        if units > 0 {
            self.give_back(input, buffer_lane, destination, units, self.now);
        }
        self.packets.remove(id);
    }
}
