//! The laws of isolation, which an audit checks.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_wire::{PacketId, PacketKind, PortId, QueueId};

use crate::fabric::Fabric;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Whether the head of a normal queue belongs to a line of its input that has a set-aside queue.
    fn must_isolate_head(&self, input: PortId, queue: QueueId) -> bool {
        let head = self.switches.inputs.queues[queue].list.head;
        head != PacketId::NONE
            && self.packets[head].kind == PacketKind::Data
            && self.control.isolation.cams[input].isolates(self.packets[head].destination.0)
    }

    /// Checks the lines of an input, or of a host, and the lines that they feed.
    fn check_lines(&self, port: PortId) -> Result<(), String> {
        let cam = &self.control.isolation.cams[port];
        if let Some(destination) = cam.listed_twice() {
            return Err(format!("two lines of port {port} list host {destination}"));
        }
        for (number, line) in cam.lines() {
            let output =
                if self.rules.is_host(port) { port } else { self.links.ins[port].base + u32::from(line.output) };
            let known = |next| self.control.isolation.mirrors[output].hops(next) > 0;
            if line.next.is_some_and(|next| !known(next)) {
                return Err(format!("line {number} of port {port} feeds one that nobody knows"));
            }
        }
        Ok(())
    }

    /// The laws of isolation: no packet that is listed by a line with a queue is left at the head of a normal queue; no
    /// line that feeds another counts as a root; only queues with a line hold packets; a queue is stopped if and only
    /// if its line downstream is stopped; a line feeds only lines that are known, and no destination is in two of them;
    /// every notice has been heard or is in flight; and when the network is empty and every notice has been heard, no
    /// line is left anywhere.
    pub(crate) fn check_isolation(&self) -> Result<(), String> {
        if !self.isolates() {
            return Ok(());
        }
        for input in self.links.ins.ids().skip(self.ends.hosts.len()) {
            for local in 0..self.links.ins[input].radix {
                if self.must_isolate_head(input, self.queue_towards(input, local)) {
                    return Err(format!(
                        "a packet that belongs aside is at the head of a normal queue of input {input}"
                    ));
                }
            }
            if let Some((number, _)) = self.control.isolation.cams[input].counting_upstream() {
                return Err(format!("line {number} of input {input} counts as a root, and feeds a line downstream"));
            }
            for (number, place) in QueueId::each(self.switches.inputs.isolated_queues(input)).enumerate() {
                let queue = &self.switches.inputs.queues[place];
                let line = self.control.isolation.cams[input].line_of(number as u8);
                if line.is_none() && queue.packets > 0 {
                    return Err(format!("set-aside queue {number} of input {input} holds packets and has no line"));
                }
                if queue.stopped != self.queue_is_stopped(input, number as u8) {
                    return Err(format!("set-aside queue {number} of input {input} does not do as it is told"));
                }
            }
        }
        for port in self.links.ins.ids() {
            self.check_lines(port)?;
        }
        let told: u64 = self.control.isolation.counts.notices.iter().sum();
        let under_way = (self.control.isolation.said.len() - self.control.isolation.free.len()) as u64;
        if told != self.control.isolation.counts.heard + under_way {
            let heard = self.control.isolation.counts.heard;
            return Err(format!("{told} notices were told, but {heard} were heard and {under_way} are under way"));
        }
        if under_way == 0 && self.packets.live() == 0 && !self.control.isolation.at_rest() {
            return Err("the network is empty, but lines of an isolation scheme are left".to_owned());
        }
        Ok(())
    }
}
