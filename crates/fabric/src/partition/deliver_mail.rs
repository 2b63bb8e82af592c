//! Writing mail to other parts, and carrying out what mail from them says.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{Packet, PacketId, PortId};
use prefetch_index::prefetch_index;

use crate::event::Event;
use crate::fabric::Fabric;
use crate::link::frames::ControlFrame;
use crate::partition::border::Border;
use crate::partition::cut::Cut;
use crate::partition::mail::{Credit, Letter, Mail};
use crate::tune::variants::Variant;

/// Credits between the one being taken in and the one whose lane is prefetched.
const AHEAD: usize = 8;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// This fabric is one part of several from now on.
    pub(crate) fn draw_border(&mut self, cut: &Cut, part: u16) {
        self.border = Border::new(part, cut.parts, cut.of_port.clone());
        for port in self.links.outs.ids() {
            let peer = self.links.outs[port].peer;
            self.links.ins[port].away = self.border.is_away(peer);
        }
        let has_ranks = self.ranks.as_mut().is_some_and(|ranks| ranks.keep_own(&self.border));
        if !has_ranks {
            self.border.over_at = Time::START;
        }
    }

    /// A packet leaves a port over a link of the cut; its tail leaves at `until`, and it would be routable at the far
    /// end at `at`. A packet that is lost on the way with its link never gets there: its room is given back here.
    #[cold]
    #[inline(never)]
    pub(crate) fn leaves_part(&mut self, port: PortId, until: Time, at: Time, id: PacketId) {
        let input = self.links.outs[port].peer;
        if self.checks_frames() {
            self.packets[id].heads_for(input);
            self.launch_away(port, id, until);
        } else if self.fails() && self.links.faults.will_lose(port, at) {
            self.packets[id].heads_for(input);
            self.tell_lost(id, at);
            self.schedule(at, Event::Arrive { input, packet: id });
        } else {
            self.send_away(port, at, id);
        }
    }

    /// Hands a packet over to the part at the far end of this port, where it will be routable at `at`.
    pub(crate) fn send_away(&mut self, port: PortId, at: Time, id: PacketId) {
        let input = self.links.outs[port].peer;
        // These fields are set in the copy: writing them into the packet first, and then reading them back with their
        // neighbours, would stall the processor.
        let mut packet = Packet { ready: at, ..self.packets[id] };
        packet.heads_for(input);
        self.packets.remove(id);
        let (has_headers, telemeters, tagged) = (self.has_headers(), self.telemeters(), self.queues_flows());
        let mail = self.border.mail(input, at);
        mail.packets.push(packet);
        if has_headers {
            mail.headers.push(*self.ends.headers.of(id));
        }
        if telemeters {
            mail.written.push(self.control.inband.written(id));
        }
        if tagged {
            mail.packet_states.push(*self.switches.flow_queues.packet_state_mut(id));
        }
        mail.bound.extend(self.switches.path_choice.detours.bound(id));
    }

    /// A port of another part will hear a control frame.
    #[cold]
    pub(crate) fn tell_away(&mut self, port: PortId, at: Time, notice: ControlFrame) {
        self.border.write(match notice {
            ControlFrame::Isolation { place, .. } => {
                Letter::Line { at, port, says: self.control.isolation.take_out(place) }
            }
            ControlFrame::Region { degree, output, place } => {
                let (about, flows) = self.control.regional.take_out(place);
                Letter::Region { at, port, degree, output, about, flows }
            }
            notice => Letter::Notice { at, port, notice },
        });
    }

    /// Takes in the mail of another part.
    pub(crate) fn open(&mut self, mail: &mut Mail) {
        if mail.is_empty() {
            return;
        }
        debug_assert!(mail.is_aligned(), "what goes beside one packet would come in beside another");
        let (mut headers, mut written) = (mail.headers.drain(..), mail.written.drain(..));
        let (mut states, mut bound) = (mail.packet_states.drain(..), mail.bound.drain(..));
        for packet in mail.packets.drain(..) {
            let (at, input) = (packet.ready, packet.input);
            self.packets.fetch_free(AHEAD);
            let packet = self.packets.add(packet);
            if self.retries() {
                self.links.checked.expect(input, packet);
            } else {
                self.schedule(at, Event::Arrive { input, packet });
            }
            if let Some(header) = headers.next() {
                self.ends.headers.put(packet, header);
            }
            if let Some(written) = written.next() {
                self.control.inband.set_written(packet, &written);
            }
            if let Some(state) = states.next() {
                *self.switches.flow_queues.packet_state_mut(packet) = state;
            }
            if let Some(bound) = bound.next() {
                self.switches.path_choice.detours.note(packet, bound);
            }
        }
        mail.frames.drain(..).for_each(|frame| self.expect_frame(frame));
        let mut queues = mail.credit_queues.drain(..);
        for (place, &Credit { at, output, units, lane }) in mail.credits.iter().enumerate() {
            if let Some(later) = mail.credits.get(place + AHEAD) {
                prefetch_index(&self.links.out_lanes, self.at(later.output, later.lane));
            }
            if let Some(queue) = queues.next() {
                self.expect_queue_credit(output, lane, queue, at);
            }
            self.credit(output, lane, u32::from(units), at);
        }
        mail.credits.clear();
        self.switches.path_choice.came.append(&mut mail.came);
        mail.letters.drain(..).for_each(|letter| self.open_letter(letter));
    }

    /// Takes in a letter.
    fn open_letter(&mut self, letter: Letter) {
        match letter {
            Letter::Finished { flow, at, host } => self.end_flow(flow, at, host),
            Letter::Message { flow, message, .. } => {
                if let Some(ranks) = &mut self.ranks {
                    ranks.hear(flow, message);
                }
            }
            Letter::Inside { at, message, .. } => self.expect_inside(at, message),
            Letter::SendEnds { at, rank, send, .. } => self.send_ends(at, rank, send),
            Letter::Group { flow, number, end, .. } => {
                self.ends.connections.receivers[flow].awaits.push_back((number, end));
            }
            Letter::LimitAsked { pacer, at, when, output, number, .. } => {
                let limit = self.limit_at(pacer, at, when);
                self.probe.limit_when_marked(output.0, number, limit);
            }
            Letter::Notice { at, port, notice } => self.set_out(port, at, notice),
            Letter::Lost { at, port, lane, cells } => self.note_lost(port, lane, cells, at),
            Letter::Region { at, port, degree, output, about, flows } => {
                let place = self.control.regional.say(about, flows);
                self.set_out(port, at, ControlFrame::Region { degree, output, place });
            }
            Letter::Line { at, port, says } => {
                let line = says.line();
                let place = self.control.isolation.say(says);
                self.set_out(port, at, ControlFrame::Isolation { line, place });
            }
        }
    }
}
