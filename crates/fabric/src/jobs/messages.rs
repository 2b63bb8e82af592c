//! Messages between ranks: how they are sent, announced, granted, copied in memory, and matched with the operations
//! that receive them.

use congestree_kernel::Agenda;
use congestree_probes::{MessageFact, Probe};
use congestree_traffic::program::Action;
use congestree_units::{Bytes, Span};
use congestree_wire::FlowId;

use crate::event::Event;
use crate::fabric::Fabric;
use crate::host::flow::NONE;
use crate::jobs::ranks::{COPIED, FINISHES, Ranks, about};
use crate::jobs::under_way::{Leg, UnderWay};
use crate::partition::mail::Letter;
use crate::plan::SendEnd;
use crate::tune::variants::Variant;

impl Ranks {
    /// Sends a message: over its flow, or through the memory of the host.
    pub(super) fn send<A: Agenda, P: Probe, S: Variant>(
        &mut self,
        fabric: &mut Fabric<A, P, S>,
        job: u32,
        rank: u32,
        id: u32,
        bytes: u64,
    ) {
        let now = fabric.now;
        let state = &mut self.jobs[job as usize];
        let inside = state.crosses_hosts(id);
        let own = &mut state.ranks[rank as usize];
        state.pending += 1;
        own.messages += 1;
        own.bytes += bytes;
        let flow = state.plan.flows[id as usize];
        if flow != FlowId::NONE {
            let announced = state.plan.rendezvous.is_some_and(|least| Bytes(bytes) >= least);
            let (leg, bytes) = if announced { (Leg::Request, 1) } else { (Leg::Data, bytes) };
            return self.push(fabric, flow, UnderWay::new(job, id, leg, now), bytes);
        }
        if inside {
            return self.send_inside(fabric, job, rank, id);
        }
        let memory = state.plan.memory;
        let length = memory.rate.map_or(Span::ZERO, |rate| rate.time_for(Bytes(bytes)));
        own.memory_free = own.memory_free.max(now) + length;
        let copied = own.memory_free + memory.delay;
        let global = state.first_rank + rank;
        self.copy(UnderWay::new(job, id, Leg::Data, now));
        if copied == now {
            self.copied(fabric, job, id);
        } else {
            fabric.schedule(copied, Event::Rank { rank: global, about: about(COPIED, id) });
        }
    }

    /// Records a message that does not use the network, behind the others of its two ranks.
    pub(super) fn copy(&mut self, message: UnderWay) {
        let id = self.keep(message);
        self.jobs[message.job as usize].copies.push(&mut self.under_way, id);
    }

    /// The oldest message of two ranks that do not use the network has come in; one of them sends with this operation.
    pub(super) fn copied<A: Agenda, P: Probe, S: Variant>(
        &mut self,
        fabric: &mut Fabric<A, P, S>,
        job: u32,
        send: u32,
    ) {
        let id = self.jobs[job as usize].copies.pop(&self.under_way, send);
        self.arrived(fabric, id);
    }

    /// Puts a message behind the others of its flow, at both ends. If the receiver is in another part of the network,
    /// that part is told: no packet of the message can be there earlier.
    pub(super) fn push<A: Agenda, P: Probe, S: Variant>(
        &mut self,
        fabric: &mut Fabric<A, P, S>,
        flow: FlowId,
        message: UnderWay,
        bytes: u64,
    ) {
        let packets = bytes.max(1).div_ceil(fabric.rules.adapter.mtu.0) as u32;
        let message = UnderWay { missing: packets, ..message };
        self.open_send(flow, message);
        let host = fabric.ends.cold[flow].destination;
        match fabric.border.is_away(host.port()) {
            true => fabric.border.write(Letter::Message { host, flow, message }),
            false => self.hear(flow, message),
        }
        fabric.push_bytes(flow, bytes.max(1), fabric.now);
    }

    /// Records a message at its sender, if the end of the send is seen there.
    fn open_send(&mut self, flow: FlowId, message: UnderWay) {
        let job = &mut self.jobs[message.job as usize];
        job.pending += i64::from(message.leg == Leg::Data && job.plan.send_end != SendEnd::Left);
        if job.plan.send_end == SendEnd::Delivered {
            return;
        }
        let id = self.keep(message);
        let fifo = &mut self.fifos[flow];
        match std::mem::replace(&mut fifo.open_last, id) {
            NONE => fifo.open_first = id,
            last => self.under_way[last as usize].next = id,
        }
    }

    /// The sender of a flow sees the end of its oldest open send, if the sends of its job end in this way.
    pub(super) fn close_send(&mut self, flow: FlowId, by: SendEnd) -> Option<UnderWay> {
        // Flows that come and go are not in this table.
        let fifo = self.fifos.get_mut(flow).filter(|fifo| fifo.open_first != NONE)?;
        let message = self.under_way[fifo.open_first as usize];
        if self.jobs[message.job as usize].plan.send_end != by {
            return None;
        }
        self.unused.push(fifo.open_first);
        fifo.open_first = message.next;
        if fifo.open_first == NONE {
            fifo.open_last = NONE;
        }
        Some(message)
    }

    /// Records a message at its receiver, behind the others of its flow.
    pub(crate) fn hear(&mut self, flow: FlowId, message: UnderWay) {
        self.awaited -= i64::from(message.leg == Leg::Data);
        let (job, packets, message) = (message.job, message.missing, self.keep(message));
        let fifo = &mut self.fifos[flow];
        let end = match fifo.last {
            NONE => {
                (fifo.first, fifo.missing, fifo.end) = (message, packets, fifo.end.wrapping_add(packets));
                fifo.end
            }
            last => {
                let before = &mut self.under_way[last as usize];
                before.next = message;
                before.end.wrapping_add(packets)
            }
        };
        (self.under_way[message as usize].end, self.under_way[message as usize].to_start) = (end, packets);
        fifo.last = message;
        if fifo.coming == NONE && self.foretold && self.jobs[job as usize].plan.send_end == SendEnd::Delivered {
            fifo.coming = message;
        }
    }

    /// A packet of a flow starts on the link into its host and is now certain to come in. Returns the number of
    /// messages for which that now holds of all their packets, and of all packets of earlier messages.
    pub(super) fn certain_messages(&mut self, flow: FlowId, sequence: u32) -> u32 {
        // Flows that come and go are not in this table.
        let Some(fifo) = self.fifos.get(flow) else { return 0 };
        let (mut id, mut certain) = (fifo.coming, 0);
        while id != NONE && sequence.wrapping_sub(self.under_way[id as usize].end) as i32 >= 0 {
            id = self.under_way[id as usize].next;
        }
        if id != NONE {
            self.under_way[id as usize].to_start -= 1;
        }
        id = fifo.coming;
        while id != NONE && self.under_way[id as usize].to_start == 0 {
            (id, certain) = (self.under_way[id as usize].next, certain + 1);
        }
        certain
    }

    /// The last packet of a message starts on the link into its host and is now certain to come in. Returns that
    /// message, if its sender must be told.
    pub(super) fn next_coming(&mut self, flow: FlowId) -> Option<UnderWay> {
        // Flows that come and go are not in this table.
        let fifo = self.fifos.get_mut(flow).filter(|fifo| fifo.coming != NONE)?;
        let message = self.under_way[fifo.coming as usize];
        fifo.coming = message.next;
        Some(message).filter(|message| message.leg == Leg::Data)
    }

    /// A packet of a flow has come in: returns how many messages are complete with it.
    pub(super) fn whole_messages(&mut self, flow: FlowId, sequence: u32) -> u32 {
        let Some(fifo) = self.fifos.get_mut(flow).filter(|fifo| fifo.first != NONE) else { return 0 };
        // Packet numbers wrap around, but a flow has fewer packets in flight than half of all numbers.
        let behind = |end| sequence.wrapping_sub(end) as i32 >= 0;
        if behind(fifo.end) {
            let mut id = self.under_way[fifo.first as usize].next;
            while id != NONE && behind(self.under_way[id as usize].end) {
                id = self.under_way[id as usize].next;
            }
            if id != NONE {
                self.under_way[id as usize].missing -= 1;
            }
            return 0;
        }
        fifo.missing -= 1;
        if fifo.missing > 0 {
            return 0;
        }
        let (mut id, mut whole) = (self.under_way[fifo.first as usize].next, 1);
        while id != NONE && self.under_way[id as usize].missing == 0 {
            (id, whole) = (self.under_way[id as usize].next, whole + 1);
        }
        whole
    }

    /// All packets of a flow before `expected` have come in: returns whether its first message is complete.
    pub(super) fn first_is_whole(&self, flow: FlowId, expected: u32) -> bool {
        let fifo = self.fifos.get(flow).filter(|fifo| fifo.first != NONE);
        fifo.is_some_and(|fifo| expected.wrapping_sub(fifo.end) as i32 >= 0)
    }

    /// What was in flight for a message (data, request or grant) has come in.
    pub(super) fn arrived<A: Agenda, P: Probe, S: Variant>(&mut self, fabric: &mut Fabric<A, P, S>, id: u32) {
        let message = self.under_way[id as usize];
        let state = &mut self.jobs[message.job as usize];
        let send = message.send as usize;
        let Action::Send { to, tag, bytes } = state.plan.program.operations()[send].action else { return };
        if message.leg == Leg::Grant {
            let flow = state.plan.flows[send];
            self.unused.push(id);
            return self.push(fabric, flow, message.on(Leg::Data), bytes);
        }
        state.pending -= 1;
        let from = state.plan.program.rank_of(message.send);
        if message.leg == Leg::Data {
            let (class, made, at) = (state.plan.class, message.made, fabric.now);
            fabric.probe.message(MessageFact { class, from, to, tag, bytes, made, at });
            let by_network = state.plan.flows[send] != FlowId::NONE;
            if by_network && state.plan.send_end == SendEnd::Delivered && !self.foretold {
                state.tell_sender(fabric, message.send, at);
            } else if !by_network && !state.crosses_hosts(message.send) {
                self.done(fabric, message.job, from, message.send);
            }
        }
        let state = &mut self.jobs[message.job as usize];
        match message.receive {
            NONE => {
                if let Some(receive) = state.mailboxes.arrive(&state.plan.program, message.send, from, tag, id) {
                    self.meet(fabric, id, receive);
                }
            }
            receive => self.meet(fabric, id, receive),
        }
    }

    /// A message has been matched with the operation that receives it.
    pub(super) fn meet<A: Agenda, P: Probe, S: Variant>(
        &mut self,
        fabric: &mut Fabric<A, P, S>,
        id: u32,
        receive: u32,
    ) {
        let message = self.under_way[id as usize];
        let (job, send) = (message.job, message.send);
        let state = &mut self.jobs[job as usize];
        self.unused.push(id);
        if message.leg == Leg::Request {
            state.pending += 1;
            let back = state.plan.back[send as usize];
            return self.push(fabric, back, UnderWay { receive, ..message.on(Leg::Grant) }, 1);
        }
        let rank = state.plan.program.rank_of(receive);
        let cpu = state.plan.program.operations()[receive as usize].cpu;
        let end = state.handle(fabric.now, rank, cpu);
        if end == fabric.now {
            return self.done(fabric, job, rank, receive);
        }
        state.pending += 1;
        let rank = state.first_rank + rank;
        fabric.schedule(end, Event::Rank { rank, about: about(FINISHES, receive) });
    }

    fn keep(&mut self, message: UnderWay) -> u32 {
        match self.unused.pop() {
            Some(id) => {
                self.under_way[id as usize] = message;
                id
            }
            None => {
                self.under_way.push(message);
                self.under_way.len() as u32 - 1
            }
        }
    }
}
