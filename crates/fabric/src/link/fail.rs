//! Faults at work: a link goes down, comes up, or changes its rate, and what was on it or waits for it may be lost.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{Packet, PacketId, PortId};

use crate::event::Event;
use crate::fabric::Fabric;
use crate::link::credits::UNLIMITED;
use crate::link::faults::{Act, Down};
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The next fault is put on the agenda.
    pub(crate) fn expect_fault(&mut self) {
        if let Some(at) = self.links.faults.due() {
            self.schedule(at, Event::Fault);
        }
    }

    /// Carries out the faults that are due.
    #[inline(never)]
    pub(crate) fn fault(&mut self) {
        while self.links.faults.due() == Some(self.now) {
            let (_, act) = self.links.faults.acts[self.links.faults.next];
            self.links.faults.next += 1;
            match act {
                Act::Down { port, failure } => {
                    if !self.border.is_away(port) {
                        self.goes_down(port, failure);
                    }
                    self.links.faults.watch_arrivals(self.now, self.still().planned_flows());
                }
                // Ports of other parts of the network are handled there.
                Act::Discard { port } | Act::Up { port } if self.border.is_away(port) => {}
                Act::Discard { port } => self.discard_from_now_on(port),
                Act::Up { port } => self.comes_up(port),
                Act::Rate { port, rate } => self.change_rate(port, rate),
                Act::RateIn { port, rate } => self.change_rate_in(port, rate),
                Act::Tables { place } => self.put_in(place),
            }
        }
        self.expect_fault();
    }

    fn change_rate(&mut self, port: PortId, rate: u16) {
        let before = std::mem::replace(&mut self.links.outs[port].rate, rate);
        if self.rules.is_host(port) {
            self.links.faults.earlier.push((port, self.now, before));
        }
        self.links.messages.set_pace(port, self.links.rates[usize::from(rate)].rate());
        self.set_retry_times(port);
    }

    /// Packets that arrive at a port from now on were sent at another rate. A host that grants credit paces its
    /// grants by that rate.
    fn change_rate_in(&mut self, port: PortId, rate: u16) {
        self.links.ins[port].rate = rate;
        if self.rules.is_host(port) {
            let line = self.links.rates[usize::from(rate)].rate();
            self.ends.headers.tell_rate(port.host(), line);
        }
    }

    fn goes_down(&mut self, port: PortId, failure: u32) {
        self.note_unblocked(port);
        let out = &mut self.links.outs[port];
        let (busy_until, peer) = (std::mem::replace(&mut out.busy_until, Time::NEVER), out.peer);
        self.links.faults.down[port] = Some(Down { busy_until, discards: false, failure });
        let lost = match self.checks_frames() {
            true => self.links.checked.lose_frames(port),
            false => self.lose_packets(peer),
        };
        self.links.faults.costs[failure as usize].on_the_wire += lost;
    }

    /// Marks the packets on their way to a port as lost. Returns how many there are.
    fn lose_packets(&mut self, input: PortId) -> u64 {
        let on_the_wire = |packet: &Packet| packet.input == input && packet.port == Packet::UNROUTED;
        let lost: Vec<PacketId> = self.live_packets().filter(|&id| on_the_wire(&self.packets[id])).collect();
        lost.iter().for_each(|&id| self.links.faults.mark_lost(id));
        lost.len() as u64
    }

    fn discard_from_now_on(&mut self, port: PortId) {
        if let Some(down) = &mut self.links.faults.down[port] {
            down.discards = true;
            self.consider(port);
        }
    }

    fn comes_up(&mut self, port: PortId) {
        let Some(down) = self.links.faults.down[port].take() else { return };
        self.links.outs[port].busy_until = down.busy_until;
        if self.tells_credit() {
            self.tell_consumed(port, self.rules.forwarding_delay);
        }
        if self.pauses() {
            self.detect_anew(port);
        }
        if down.busy_until > self.now {
            self.wake_by(port, down.busy_until);
        } else {
            self.consider(port);
        }
    }

    fn put_in(&mut self, place: usize) {
        let Some(new) = self.links.faults.tables[place].take() else { return };
        self.switches.routes = new.forwarding;
        self.switches.path_choice.detours.components = new.components;
        if let Some(equal_cost) = new.equal_cost {
            self.switches.path_choice.renew(equal_cost);
        }
    }

    /// A packet that was on a link when it went down would have arrived at a port now.
    #[cold]
    pub(crate) fn never_came(&mut self, input: PortId, id: PacketId) {
        let port = self.links.outs[input].peer;
        self.lose(port, id);
    }

    /// Before any port decides, ports that have been down for long drop what waits for them, until nothing is left.
    #[inline(never)]
    pub(crate) fn drop_at_dead(&mut self) {
        self.drop_before_deciding(|fabric, port, lane| {
            fabric.links.faults.discards(port) && fabric.drop_all(port, lane)
        });
    }

    /// Drops what waits for a dead output in a lane, whether there is room behind it or not. Returns whether there
    /// was anything.
    fn drop_all(&mut self, output: PortId, lane: u8) -> bool {
        let place = self.at(output, lane);
        let state = &mut self.links.out_lanes[place];
        self.links.returning.settle(state, self.now);
        let credit = std::mem::replace(&mut state.credit, UNLIMITED);
        let dropped = self.drop_waiting(output, lane);
        self.links.out_lanes[place].credit = credit;
        dropped
    }

    /// A packet that waited for an output was dropped.
    pub(crate) fn count_discarded(&mut self, output: PortId) {
        if let Some(down) = self.links.faults.down.get(output).copied().flatten() {
            self.links.faults.costs[down.failure as usize].discarded += 1;
        }
    }
}
