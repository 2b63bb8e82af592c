//! Acknowledgement turnaround: what an adapter takes from the last byte of a packet until its ACK could leave.
//!
//! An adapter checks, places and only then acknowledges a packet, in so long for each of them, many at a time (a pipeline).
//! When it is over the ACK joins the control packets of its host, in the order in which the data came in. Answers of
//! transports (ACKs and NACKs) wait alike; notifications, requests and grants do not.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Span;
use congestree_wire::PacketId;

use crate::event::Event;
use crate::fabric::Fabric;
use crate::plan::Plan;
use crate::switch::queues::list::List;
use crate::tune::variants::Variant;

/// ACKs in the making. Empty where they take no time.
#[derive(Debug, Default)]
pub(crate) struct Turnaround {
    /// How long each takes.
    pub time: Span,
    /// By host: those that are not ready, the oldest first.
    waiting: Vec<List>,
}

impl Turnaround {
    pub(crate) fn new(plan: &Plan) -> Self {
        let time = plan.adapter.ack_turnaround;
        let hosts = if time > Span::ZERO { plan.graph.hosts.len() } else { 0 };
        Self { time, waiting: vec![List::EMPTY; hosts] }
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// An ACK or NACK of a host: it may leave when the host has turned it around.
    #[inline]
    pub(crate) fn turn_around(&mut self, host: u32, id: PacketId) {
        if !self.turns_around() {
            return self.queue_control(host, id);
        }
        self.ends.answers.turnaround.waiting[host as usize].push(&mut self.packets, id);
        self.schedule(self.now + self.ends.answers.turnaround.time, Event::Answer { host });
    }

    /// The oldest ACK in the making of a host is ready.
    pub(crate) fn answer_is_ready(&mut self, host: u32) {
        let waiting = &mut self.ends.answers.turnaround.waiting[host as usize];
        let id = waiting.head;
        if id != PacketId::NONE {
            waiting.pop(&self.packets);
            self.queue_control(host, id);
        }
    }

    /// A control packet of a host waits for the link.
    #[inline]
    pub(crate) fn queue_control(&mut self, host: u32, id: PacketId) {
        self.ends.hosts[host as usize].control.push(&mut self.packets, id);
        self.ask(host);
    }

    /// From the start of a full packet at one host until its ACK is in there, if nothing else is on its way.
    pub(crate) fn idle_round_trip(&self, from: u32, to: u32) -> Span {
        let (there, back) = (self.rules.adapter.full(), self.rules.adapter.ack);
        self.idle_time(from, to, there) + self.rules.adapter.ack_turnaround + self.idle_time(to, from, back)
    }
}
