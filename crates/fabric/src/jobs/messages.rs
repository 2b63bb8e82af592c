//! Messages between ranks: sent, announced, granted, copied in memory, and met by the operations that receive them.

use congestree_kernel::Agenda;
use congestree_probes::{MessageFact, Probe};
use congestree_traffic::program::Action;
use congestree_units::{Bytes, Span};
use congestree_wire::FlowId;

use crate::event::Event;
use crate::fabric::Fabric;
use crate::host::flow::NONE;
use crate::jobs::ranks::{COPIED, FINISHES, KIND, Leg, Ranks, UnderWay};
use crate::partition::border::Letter;
use crate::plan::SendEnd;
use crate::tune::variants::Variant;

impl Ranks {
    /// A message is sent: over its flow, or through the memory of the host.
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
        let inside = state.plan.node.filter(|_| state.crosses_hosts(id));
        let own = &mut state.ranks[rank as usize];
        state.pending += 1;
        own.messages += 1;
        own.bytes += bytes;
        let flow = state.plan.flows[id as usize];
        if flow != FlowId::NONE {
            let announced = state.plan.rendezvous.is_some_and(|least| Bytes(bytes) >= least);
            let (leg, bytes) = if announced { (Leg::Request, 1) } else { (Leg::Data, bytes) };
            let message = self.keep(UnderWay::new(job, id, leg, now));
            return self.push(fabric, flow, message, bytes);
        }
        if let Some(node) = inside {
            let start = own.node_out.max(now);
            own.node_out = start + node.rate.time_for(Bytes(bytes));
            let global = state.first_rank + rank;
            let message = self.keep(UnderWay::new(job, id, Leg::Inside, now));
            self.jobs[job as usize].copies[id as usize] = message;
            return fabric.schedule(start, Event::Rank { rank: global, about: COPIED << KIND | id });
        }
        let memory = state.plan.memory;
        let length = memory.rate.map_or(Span::ZERO, |rate| rate.time_for(Bytes(bytes)));
        own.memory_free = own.memory_free.max(now) + length;
        let copied = own.memory_free + memory.delay;
        let global = state.first_rank + rank;
        let message = self.keep(UnderWay::new(job, id, Leg::Data, now));
        if copied == now {
            self.arrived(fabric, message);
        } else {
            self.jobs[job as usize].copies[id as usize] = message;
            fabric.schedule(copied, Event::Rank { rank: global, about: COPIED << KIND | id });
        }
    }

    /// A message that does not take the network has been copied; inside a node, it starts on the link of its sender, and
    /// goes on over that of its receiver when that is free.
    pub(super) fn copied<A: Agenda, P: Probe, S: Variant>(
        &mut self,
        fabric: &mut Fabric<A, P, S>,
        job: u32,
        send: u32,
    ) {
        let id = self.jobs[job as usize].copies[send as usize];
        let message = self.under_way[id as usize];
        let state = &mut self.jobs[message.job as usize];
        let action = state.plan.program.operations()[message.send as usize].action;
        let (Leg::Inside, Action::Send { to, bytes, .. }, Some(node)) = (message.leg, action, state.plan.node) else {
            return self.arrived(fabric, id);
        };
        let receiver = &mut state.ranks[to as usize];
        receiver.node_in = receiver.node_in.max(fabric.now) + node.rate.time_for(Bytes(bytes));
        let (at, rank) = (receiver.node_in + node.delay, state.first_rank + to);
        self.under_way[id as usize].leg = Leg::Data;
        fabric.schedule(at, Event::Rank { rank, about: COPIED << KIND | send });
    }

    /// A message joins the others of a flow. If that leads to another part of the network, the part is told: no packet of the
    /// message can be there before.
    pub(super) fn push<A: Agenda, P: Probe, S: Variant>(
        &mut self,
        fabric: &mut Fabric<A, P, S>,
        flow: FlowId,
        message: u32,
        bytes: u64,
    ) {
        let packets = bytes.max(1).div_ceil(fabric.rules.adapter.mtu.0) as u32;
        self.join(flow, message, packets);
        let line = &mut self.lines[flow];
        if line.leaving == NONE {
            line.leaving = message;
        }
        let (host, message) = (fabric.ends.rests[flow].destination, self.under_way[message as usize]);
        if fabric.border.is_away(host.port()) {
            fabric.border.write(Letter::Message { host, flow, message });
        } else {
            self.awaited -= i64::from(message.leg == Leg::Data);
        }
        fabric.push_bytes(flow, bytes.max(1), fabric.now);
    }

    /// A message was sent in another part of the network, over a flow that leads here.
    pub(crate) fn hear(&mut self, flow: FlowId, message: UnderWay) {
        self.awaited -= i64::from(message.leg == Leg::Data);
        let id = self.keep(message);
        self.join(flow, id, message.missing);
    }

    /// A message goes behind the others of a flow.
    fn join(&mut self, flow: FlowId, message: u32, packets: u32) {
        let line = &mut self.lines[flow];
        let end = match line.last {
            NONE => {
                (line.first, line.missing, line.end) = (message, packets, line.end.wrapping_add(packets));
                line.end
            }
            last => {
                let before = &mut self.under_way[last as usize];
                before.next = message;
                before.end.wrapping_add(packets)
            }
        };
        let state = &mut self.under_way[message as usize];
        (state.next, state.missing, state.end) = (NONE, packets, end);
        line.last = message;
    }

    /// A message that goes to another part of the network has left its host, and is forgotten here.
    pub(super) fn forget_first(&mut self, flow: FlowId) {
        let line = &mut self.lines[flow];
        let id = line.first;
        line.first = self.under_way[id as usize].next;
        if line.first == NONE {
            line.last = NONE;
        }
        self.unused.push(id);
    }

    /// A packet of a flow is in: how many messages are in with it.
    pub(super) fn whole_messages(&mut self, flow: FlowId, sequence: u32) -> u32 {
        let Some(line) = self.lines.get_mut(flow).filter(|line| line.first != NONE) else { return 0 };
        // Numbers of packets go round, and a flow has fewer of them on its way than half of all numbers.
        let behind = |end| sequence.wrapping_sub(end) as i32 >= 0;
        if behind(line.end) {
            let mut id = self.under_way[line.first as usize].next;
            while id != NONE && behind(self.under_way[id as usize].end) {
                id = self.under_way[id as usize].next;
            }
            if id != NONE {
                self.under_way[id as usize].missing -= 1;
            }
            return 0;
        }
        line.missing -= 1;
        if line.missing > 0 {
            return 0;
        }
        let (mut id, mut whole) = (self.under_way[line.first as usize].next, 1);
        while id != NONE && self.under_way[id as usize].missing == 0 {
            (id, whole) = (self.under_way[id as usize].next, whole + 1);
        }
        whole
    }

    /// What is on its way for a message has come in.
    pub(super) fn arrived<A: Agenda, P: Probe, S: Variant>(&mut self, fabric: &mut Fabric<A, P, S>, id: u32) {
        let message = self.under_way[id as usize];
        let state = &mut self.jobs[message.job as usize];
        let send = message.send as usize;
        let Action::Send { to, tag, bytes } = state.plan.program.operations()[send].action else { return };
        if message.leg == Leg::Grant {
            self.under_way[id as usize].leg = Leg::Data;
            let flow = state.plan.flows[send];
            return self.push(fabric, flow, id, bytes);
        }
        state.pending -= 1;
        let from = state.plan.program.rank_of(message.send);
        if message.leg == Leg::Data {
            let (class, made, at) = (state.plan.class, message.made, fabric.now);
            fabric.probe.message(MessageFact { class, from, to, tag, bytes, made, at });
            if state.plan.send_end == SendEnd::Delivered
                || state.plan.flows[send] == FlowId::NONE
                || fabric.transports()
            {
                self.done(fabric, message.job, from, message.send);
            }
        }
        let state = &mut self.jobs[message.job as usize];
        match message.receive {
            NONE => {
                if let Some(receive) = state.mailboxes.arrive(message.send, from, tag, id) {
                    self.meet(fabric, id, receive);
                }
            }
            receive => self.meet(fabric, id, receive),
        }
    }

    /// A message and the operation that receives it have found each other.
    pub(super) fn meet<A: Agenda, P: Probe, S: Variant>(
        &mut self,
        fabric: &mut Fabric<A, P, S>,
        id: u32,
        receive: u32,
    ) {
        let message = &mut self.under_way[id as usize];
        let (job, leg, send) = (message.job, message.leg, message.send);
        let state = &mut self.jobs[job as usize];
        if leg == Leg::Request {
            message.leg = Leg::Grant;
            message.receive = receive;
            state.pending += 1;
            let back = state.plan.back[send as usize];
            return self.push(fabric, back, id, 1);
        }
        self.unused.push(id);
        let rank = state.plan.program.rank_of(receive);
        let cpu = state.plan.program.operations()[receive as usize].cpu;
        let end = state.handle(fabric.now, rank, cpu);
        if end == fabric.now {
            return self.done(fabric, job, rank, receive);
        }
        state.pending += 1;
        let rank = state.first_rank + rank;
        fabric.schedule(end, Event::Rank { rank, about: FINISHES << KIND | receive });
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
