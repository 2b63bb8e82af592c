//! Letters of other parts, opened: what they say happens here.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{PacketId, PortId};

use crate::event::Event;
use crate::fabric::Fabric;
use crate::partition::border::{Border, Letter};
use crate::partition::cut::Cut;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// This fabric is one part of several from now on.
    pub(crate) fn draw_border(&mut self, cut: &Cut, part: u16) {
        self.border = Border { part, parts: cut.parts, of_port: cut.of_port.clone(), ..Border::default() };
        for port in self.links.outs.ids() {
            let peer = self.links.outs[port].peer;
            self.links.ins[port].away = self.border.is_away(peer);
        }
        let border = &self.border;
        let has_ranks = self.ranks.as_mut().is_some_and(|ranks| ranks.keep_own(|host| !border.is_away(host.port())));
        if !has_ranks {
            self.border.over_at = Time::START;
        }
    }

    /// A packet leaves a port by a link of the cut, its tail at `until`, and would be routable beyond it at `at`. One that is
    /// lost with its link on the way never gets there: its room comes back here.
    #[cold]
    #[inline(never)]
    pub(crate) fn leaves_part(&mut self, port: PortId, until: Time, at: Time, id: PacketId) {
        if self.checks_frames() {
            return self.launch_away(port, id, until);
        }
        let input = self.links.outs[port].peer;
        if self.fails() && self.links.faults.will_lose(port, at) {
            self.schedule(at, Event::Arrive { input, packet: id });
        } else {
            self.border.packet(at, input, id);
        }
    }

    /// What this part has to tell others, by part, in the order in which it came about at each port.
    pub(crate) fn post(&mut self, mut deliver: impl FnMut(u16, Letter)) {
        let mut packets = std::mem::take(&mut self.border.packets);
        for (at, input, id) in packets.drain(..) {
            let (packet, part) = (self.packets[id], self.border.of_port[input.index()]);
            self.packets.remove(id);
            deliver(part, Letter::Packet { at, input, packet });
            if self.has_headers() {
                deliver(part, Letter::Header { input, header: *self.ends.headers.of(id) });
            }
            if let Some(bound) = self.switches.ways.detours.bound(id) {
                deliver(part, Letter::Detour { input, bound });
            }
            if self.telemeters() {
                deliver(part, Letter::Telemetry { input, written: self.control.inband.written(id) });
            }
        }
        self.border.packets = packets;
        let mut letters = std::mem::take(&mut self.border.letters);
        for letter in letters.drain(..) {
            match letter.port() {
                Some(port) => deliver(self.border.of_port[port.index()], letter),
                None => (0..self.border.parts)
                    .filter(|&part| part != self.border.part)
                    .for_each(|part| deliver(part, letter.clone())),
            }
        }
        self.border.letters = letters;
    }

    /// Takes in what another part has told.
    pub(crate) fn open(&mut self, letter: Letter) {
        match letter {
            Letter::Packet { at, input, packet } => {
                let packet = self.packets.add(packet);
                self.border.last_in = Some(packet);
                self.schedule(at, Event::Arrive { input, packet });
            }
            Letter::Header { header, .. } => {
                if let Some(packet) = self.border.last_in {
                    self.ends.headers.put(packet, header);
                }
            }
            Letter::Telemetry { written, .. } => {
                if let Some(packet) = self.border.last_in {
                    self.control.inband.set_written(packet, &written);
                }
            }
            Letter::Detour { bound, .. } => {
                if let Some(packet) = self.border.last_in {
                    self.switches.ways.detours.note(packet, bound);
                }
            }
            Letter::Credit { at, output, lane, units } => self.credit(output, lane, u32::from(units), at),
            Letter::Finished { flow, at, host } => self.end_flow(flow, at, host),
            Letter::Message { flow, message, .. } => {
                if let Some(ranks) = &mut self.ranks {
                    ranks.hear(flow, message);
                }
            }
            Letter::Notice { at, port, notice } => self.set_out(port, at, notice),
        }
    }
}
