//! Control packets of transports: answers, requests and grants, and the headers of all packets.
//!
//! What a packet carries for its transport beyond number and time stamp is in a table beside the packets, indexed by
//! their places in the pool. So a packet stays one cache line, and networks whose transports need no more have no
//! table. A switch that tells paths apart reads the entropy here; one that trims writes here that it did.
//!
//! Where receivers grant credit, each host has one instance of the role [`Grants`], whose turns are its only timer.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::react::Feedback;
use congestree_schemes::transport::{Arrived, Condition, Grant, Grants, Header, Role};
use congestree_units::{Span, Time};
use congestree_wire::{FlowId, HostId, Packet, PacketId, PacketKind};

use crate::event::{Event, FlowEnd};
use crate::fabric::Fabric;
use crate::host::answers::feedback::sign_of;
use crate::host::packets::Carries;
use crate::plan::Plan;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Tells receivers that grant credit their hosts and line rates.
    pub(crate) fn place_grants(&mut self, plan: &Plan) {
        if !plan.scheme.transport.grants_credit() {
            return;
        }
        for host in self.ends.hosts.ids() {
            // Credit is granted for arriving data. So the rate is that of the direction towards the host; the way
            // back may have another.
            let line = self.links.rates[usize::from(self.links.ins[host.port()].rate)].rate();
            let farthest = || {
                let towards = plan.flows.iter().filter(|flow| flow.destination == Some(host));
                towards.map(|flow| self.idle_round_trip(flow.source, host)).max().unwrap_or(Span::ZERO)
            };
            self.ends.headers.grants.extend(plan.scheme.transport.grants(line, farthest));
            self.ends.headers.turn_at.push(Time::NEVER);
        }
    }

    /// The header of a packet that has arrived; without headers, it is made from the packet itself.
    #[inline]
    pub(crate) fn header_of(&self, id: PacketId, packet: &Packet) -> Header {
        match self.has_headers() {
            true => *self.ends.headers.of(id),
            false => {
                Header { number: packet.sequence, stamp: packet.injected, behind_gap: packet.last, ..Header::default() }
            }
        }
    }

    /// A control packet of a flow sets out to one of the flow's ends.
    pub(in crate::host) fn send_control(&mut self, id: FlowId, header: Header, to: FlowEnd, carries: Carries) {
        let flow = &self.ends.flows[id];
        let (host, destination) = match to {
            FlowEnd::Receiver => (flow.host, flow.target),
            FlowEnd::Sender => (flow.target, flow.host),
        };
        let lane = self.ends.headers.lane.unwrap_or(flow.lane);
        let told = if self.reacts_to_acks() { header.feedback } else { Feedback::Clear };
        let packet = Packet {
            destination,
            sequence: header.number,
            lane,
            buffer_lane: lane,
            epoch: 0,
            sign: sign_of(told),
            injected: header.stamp,
            last: header.behind_gap,
            ..self.packet_of(id, PacketKind::Ack, self.rules.adapter.ack.0 as u32)
        };
        let header = self.has_headers().then_some(header);
        self.dispatch(host, packet, header, carries);
    }

    /// A control packet of a transport has arrived: an answer for the sender, or a message for the receiver.
    #[inline(never)]
    pub(crate) fn receive_control(&mut self, packet: &Packet, header: Header) {
        let id = packet.flow;
        match header.role {
            Role::Trimmed | Role::Request => {
                let (size, marked) = (packet.size, packet.marked());
                let sequence = if header.role == Role::Request { header.cause } else { packet.sequence };
                let arrived = Arrived { sequence, size, marked, header };
                self.asks_for_credit(&arrived, id);
                if let Some(answer) = self.ends.connections.receivers[id].answers.on_control(&arrived, packet.injected)
                {
                    self.send_control(id, answer, FlowEnd::Sender, Carries::Last);
                }
            }
            Role::Data | Role::Ack | Role::Nack | Role::Grant => self.hear_answer(packet, &header),
        }
    }

    /// Tells the receiving host how much credit the flow of a packet could use.
    pub(in crate::host) fn asks_for_credit(&mut self, packet: &Arrived, flow: FlowId) {
        let host = self.ends.flows[flow].target;
        let Some(grants) = self.ends.headers.grants.get_mut(host) else { return };
        let header = &packet.header;
        if header.role != Role::Request {
            grants.on_packet(
                self.now,
                match (header.role, header.last_hop) {
                    (Role::Trimmed, true) => Condition::TrimmedAtReceiver,
                    (Role::Trimmed, false) => Condition::TrimmedInFabric,
                    _ => Condition::Whole { marked: packet.marked },
                },
            );
        }
        let asker = &mut self.ends.connections.receivers[flow].asker;
        grants.on_request(asker, flow.0, header.quanta, header.role != Role::Data);
        self.arm_grants(host);
    }

    /// Makes sure that a host is called for its next turn to grant.
    fn arm_grants(&mut self, host: HostId) {
        let at = self.ends.headers.grants[host].next_turn();
        if at < self.ends.headers.turn_at[host] {
            let at = at.max(self.now);
            self.ends.headers.turn_at[host] = at;
            self.schedule(at, Event::Grants { host });
        }
    }

    /// A host grants the credit that is due.
    #[inline(never)]
    pub(crate) fn grant_turn(&mut self, host: HostId) {
        self.ends.headers.turn_at[host] = Time::NEVER;
        if let Some(Grant { flow, quanta }) = self.ends.headers.grants[host].turn(self.now) {
            let header = Header { role: Role::Grant, quanta, ..Header::default() };
            self.send_control(FlowId(flow), header, FlowEnd::Sender, Carries::Nothing);
        }
        self.arm_grants(host);
    }
}
