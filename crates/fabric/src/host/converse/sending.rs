//! The sending end of a flow with a transport: the work that it is given, and the packets that it sends.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::transport::{Next, Transport};
use congestree_units::{Bytes, Time};
use congestree_wire::{FlowId, HostId, Packet, PacketKind};

use crate::event::{Event, FlowEnd};
use crate::fabric::Fabric;
use crate::host::connection::ConnectionSender;
use crate::host::flow::Supply;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Updates what a flow with a transport sends next, and when.
    #[inline(never)]
    pub(crate) fn refresh_connection(&mut self, id: FlowId) {
        self.begin_group(id);
        let (next, posted_at) = (self.next_of_connection(id), self.posted_at(id));
        let free_at = self.link_free_at(self.ends.flows[id].host);
        let (flow, cold) = (&self.ends.flows[id], &mut self.ends.cold[id]);
        let at = next.map_or(Time::NEVER, |next| next.at.max(flow.next_at));
        let (host, slot) = (flow.host, flow.slot);
        // As for other flows, a permission before the link is free needs no event.
        let decides = free_at.max(self.ends.hosts[host].inject_at);
        let ready = at <= decides;
        let begins_at = if posted_at > self.now && flow.has_packet(self.now) { posted_at } else { Time::NEVER };
        let wake_at = at.min(begins_at);
        if !ready && wake_at < cold.wake_at {
            cold.wake_at = wake_at;
            self.schedule(wake_at, Event::Pace { flow: id });
        }
        self.set_ready(host, slot, ready);
    }

    /// Gives the transport the next message as soon as it is posted, or cuts an endless group whose source has stopped.
    fn begin_group(&mut self, id: FlowId) {
        let (link, posted_at) = (self.link_view(id), self.posted_at(id));
        let endless = matches!(self.ends.flows[id].supply, Supply::Greedy { .. });
        let more = self.ends.flows[id].has_packet(self.now);
        if endless && !more && self.ends.connections.senders[id].end == u32::MAX {
            let before = self.watched_phase(id);
            self.ends.connections.senders[id].cut(self.now);
            self.tell_change(id, before, "end");
            if self.has_headers() {
                self.arm(id, FlowEnd::Sender);
            }
        }
        let before = if more { self.watched_phase(id) } else { None };
        let follows_on = self.ends.connections.follow_on && !endless;
        if !more || !self.ends.connections.senders[id].may_begin(follows_on) || posted_at > self.now {
            return;
        }
        let (mtu, header) = (self.rules.adapter.mtu.0, self.rules.adapter.header.0);
        let (flow, sender) = (&self.ends.flows[id], &mut self.ends.connections.senders[id]);
        let bytes = if endless { 0 } else { flow.remaining };
        if endless {
            sender.begin_endless();
        } else {
            let packets = u32::try_from(bytes.div_ceil(mtu)).unwrap_or(u32::MAX - 1);
            sender.begin_message(bytes, packets, flow.created);
        }
        self.tell_group(id);
        let sender = &mut self.ends.connections.senders[id];
        let last = if bytes > 0 { (bytes - 1) % mtu + 1 } else { mtu };
        sender.transport.on_last(Bytes(last + header));
        sender.transport.on_work(self.now, sender.end, link);
        self.tell_change(id, before, "group");
        if self.has_headers() {
            self.arm(id, FlowEnd::Sender);
        }
    }

    /// Bytes on the wire of the flow's next packet.
    #[inline(never)]
    pub(crate) fn connection_size(&self, id: FlowId) -> u32 {
        let sender = &self.ends.connections.senders[id];
        let payload = sender.payload_of(sender.due.unwrap_or(sender.first), self.rules.adapter.mtu.0);
        (payload + self.rules.adapter.header.0) as u32
    }

    /// What the transport of a flow sends next, if the window of its reaction point allows it.
    fn next_of_connection(&mut self, id: FlowId) -> Option<Next> {
        let ConnectionSender { transport, due, .. } = &mut self.ends.connections.senders[id];
        let next = transport.next();
        *due = next.map(|next| next.sequence);
        let window = self.ends.cold[id].window;
        next.filter(|next| next.fills || transport.in_flight() < window)
    }

    /// Sends the packet that the transport of a flow wants to send, with this many bytes on the wire.
    #[inline(never)]
    pub(crate) fn send_from_connection(&mut self, host: HostId, id: FlowId, size: u32) {
        let (link, now) = (self.link_view(id), self.now);
        let before = self.watched_phase(id);
        let sharers = self.ends.hosts[host].ready;
        let sender = &mut self.ends.connections.senders[id];
        let Some(sequence) = sender.due else { return };
        debug_assert_eq!(sender.transport.next().map(|next| next.sequence), sender.due, "it has changed unnoticed");
        let label = sender.transport.label(now, link, sharers);
        let endless = sender.bytes == 0;
        let again = sequence < sender.transport.sent();
        let (made, end) = if again { sender.repeats(sequence) } else { (self.ends.flows[id].created, sender.end) };
        let last = sequence.wrapping_add(1) == end;
        if sequence >= sender.first {
            sender.started = sender.started.min(now);
        }
        let created = if endless { sender.first_start(now, sequence) } else { made };
        sender.transport.on_sent(now, Bytes(u64::from(size)), link);
        self.tell_sender(id);
        self.tell_change(id, before, "sent");
        let packet = self.packet_of(id, PacketKind::Data, size);
        let flow = &mut self.ends.flows[id];
        flow.sent += 1;
        let packet = Packet { input: host.port(), sequence, last, created, ..packet };
        let header = self.has_headers().then(|| label.into());
        let (until, _) = self.put_on_link(host, packet, header);
        if last && !again && !endless && self.ends.connections.follow_on {
            self.ends.flows[id].remaining = 0;
            if self.follows_on(id) {
                self.next_message(id);
            }
        }
        self.arm(id, FlowEnd::Sender);
        self.refresh_connection(id);
        self.wake_after(host, until);
    }
}
