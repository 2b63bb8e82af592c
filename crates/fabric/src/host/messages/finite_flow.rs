//! A finite flow begins, sends and finishes: every message of its source is a flow of its own. Such sources are those
//! with `traffic.flows = "by-message"`, lists of messages, incasts, and messages of a program that drives the run.
//!
//! The flow that the plan has for such a source never sends. It is the account of the source, under whose id
//! everything is reported, and the template of its flows. A flow begins when its message is made, with a fresh
//! reaction point, and finishes when its last byte has arrived. Then its record is free for the next flow of the same
//! source; ACKs and notifications of the old flow that are still on their way belong to an earlier epoch and are
//! void. So memory grows with the number of flows that exist at one time, not with how many there have been.
//!
//! Nothing in the network decides when such a flow begins, so every part of a network makes all of them, and all
//! parts agree on their numbers and records; flows of hosts in other parts send nothing. The destination tells all
//! parts when a flow has finished, and the flow's record is not reused until they have been told.

use congestree_kernel::Agenda;
use congestree_probes::{Completion, Probe};
use congestree_schemes::notify::Pacer;
use congestree_units::Time;
use congestree_wire::{FlowId, HostId, IndexVec, Packet};

use crate::fabric::Fabric;
use crate::host::flow::{FlowMeter, NONE, ReceivedTotals, WindowState};
use crate::host::messages::finite_flows::{LandedFlow, Record};
use crate::observe::still::Still;
use crate::switch::routes::path_choice::Reordering;
use crate::tune::features::Feature;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The id under which a flow is reported: its own, or for a finite flow that of its source's account.
    #[inline(always)]
    pub(crate) fn reporting_flow(&self, flow: FlowId) -> FlowId {
        if self.has_finite_flows() { self.ends.finite.account_of(flow) } else { flow }
    }

    /// A number unique to the flow among all flows of the run, as a UDP source port is.
    #[inline(always)]
    pub(crate) fn flow_number(&self, flow: FlowId) -> u64 {
        if !self.has_finite_flows() || flow < self.ends.finite.first {
            return u64::from(flow.0);
        }
        u64::from(self.ends.finite.first.0) + self.ends.finite.records[self.ends.finite.place(flow)].number
    }

    /// A message is made, so a flow begins on the account of this flow of the plan. Returns its number.
    pub(crate) fn begin_flow(&mut self, account: FlowId, destination: HostId, bytes: u64) -> u64 {
        let id = match self.ends.finite.take_free(account, self.now) {
            Some(id) => id,
            None => self.new_record(account),
        };
        if self.coalesces() {
            self.put_by(id);
        }
        let number = self.ends.finite.begin(account);
        let packets = bytes.div_ceil(self.rules.adapter.mtu.0);
        let place = self.ends.finite.place(id);
        self.ends.finite.records[place] = Record { account, packets, number, bytes };
        let mut flow = self.ends.flows[account].clone();
        let old = &self.ends.flows[id];
        (flow.slot, flow.throttle, flow.next_at) = (old.slot, old.throttle, self.now);
        (flow.target, flow.remaining, flow.created) = (destination, bytes, self.now);
        self.ends.flows[id] = flow;
        let mut cold = self.ends.cold[account].clone();
        cold.pacer = if self.control.shared_throttles { cold.pacer } else { id };
        cold.epoch = self.ends.cold[id].epoch.wrapping_add(1);
        cold.destination = destination;
        cold.ordered = !self.rules.overtaking;
        self.ends.cold[id] = cold;
        if let Some(pacer) = self.control.pacers.get_mut(id) {
            *pacer = Pacer::default();
        }
        self.place_reaction(id);
        self.ends.receipts[id] = ReceivedTotals::default();
        if !self.border.is_away(self.ends.flows[id].host.port()) {
            self.repost(id);
            self.refresh(id);
        }
        number
    }

    /// A new record for the flows of an account, with a place among the flows of its host.
    fn new_record(&mut self, account: FlowId) -> FlowId {
        let host = self.ends.flows[account].host;
        let (taken, all) = self.ends.finite.places[host];
        if taken == all {
            self.make_places(host);
        }
        self.ends.finite.places[host].0 = taken + 1;
        let mut flow = self.ends.flows[account].clone();
        (flow.slot, flow.throttle) = (taken, NONE);
        let id = self.ends.flows.push(flow);
        self.ends.host_flows[(self.ends.hosts[host].first_flow + taken) as usize] = id;
        self.ends.cold.push(self.ends.cold[account].clone());
        self.ends.receipts.push(ReceivedTotals::default());
        self.ends.answers.coalescing.grow();
        if !self.control.pacers.is_empty() {
            self.control.pacers.push(Pacer::default());
        }
        if !self.switches.path_choice.orders.is_empty() {
            self.switches.path_choice.orders.push(Reordering::default());
        }
        self.ends.finite.records.push(Record { account, packets: 0, number: 0, bytes: 0 });
        id
    }

    /// Doubles the places for the flows of a host, behind those of all other hosts.
    fn make_places(&mut self, host: HostId) {
        let state = &mut self.ends.hosts[host];
        let (first_word, end_word) = (state.first_word as usize, state.end_word as usize);
        let (first_flow, taken) = (state.first_flow as usize, self.ends.finite.places[host].0 as usize);
        let words = 2 * (end_word - first_word);
        state.first_word = self.ends.turns.ready.len() as u32;
        state.end_word = state.first_word + words as u32;
        state.first_flow = self.ends.host_flows.len() as u32;
        self.ends.turns.ready.extend_from_within(first_word..end_word);
        self.ends.turns.ready.resize(state.end_word as usize, 0);
        self.ends.turns.groups.double(first_word, end_word);
        self.ends.host_flows.extend_from_within(first_flow..first_flow + taken);
        self.ends.host_flows.resize(state.first_flow as usize + words * 64, FlowId::NONE);
        self.ends.finite.places[host].1 = words as u32 * 64;
    }

    /// A data packet has arrived: if it was the last one missing, the flow has finished.
    #[inline(never)]
    pub(crate) fn look_for_finish(&mut self, flow: FlowId) {
        if flow < self.ends.finite.first {
            return;
        }
        let record = self.ends.finite.records[self.ends.finite.place(flow)];
        let receipt = self.ends.receipts[flow];
        if u64::from(receipt.packets) < record.packets {
            return;
        }
        if let Some(landed) = &mut self.ends.finite.landed {
            let marked = u64::from(receipt.marked);
            landed.push(LandedFlow { number: record.number, packets: record.packets, marked });
        }
        let (source, destination) = (self.ends.flows[flow].host, self.ends.flows[flow].target);
        self.probe.completed(Completion {
            number: record.number,
            flow: record.account.0,
            class: self.ends.cold[flow].class,
            source: source.0,
            destination: destination.0,
            bytes: record.bytes,
            created: self.ends.flows[flow].created,
            finished: self.now,
            ideal: self.ideal_time(flow, source, destination, record.bytes),
            packets: record.packets,
            marked: u64::from(receipt.marked),
            record: flow.0,
            acked: self.ends.flows[flow].window != WindowState::None,
        });
        self.border.finished(flow, self.now, destination);
        self.end_flow(flow, self.now, destination);
    }

    /// An ACK has arrived, perhaps of a finished flow whose record is in use by another flow now.
    #[inline]
    pub(crate) fn note_acknowledged(&mut self, ack: &Packet) {
        if ack.flow >= self.ends.finite.first {
            self.probe.acknowledged(self.now, ack.flow.0, ack.created, u32::from(ack.acks));
        }
    }

    /// A flow has finished, here or in another part of the network: what it has done here is added to its account.
    pub(crate) fn end_flow(&mut self, flow: FlowId, finished: Time, destination: HostId) {
        let place = self.ends.finite.place(flow);
        let account = self.ends.finite.records[place].account;
        let meter = self.ends.meter_of(flow);
        self.ends.finite.done[account].add(meter);
        if let Some(order) = self.switches.path_choice.orders.get_mut(flow) {
            let order = std::mem::take(order);
            self.switches.path_choice.orders[account].add(order);
        }
        self.ends.finite.records[place].packets = 0;
        self.ends.finite.leave(flow, finished, destination);
    }
}

impl Still<'_> {
    /// The number of flows in the plan.
    pub(crate) fn planned_flows(&self) -> usize {
        match self.has(Feature::FiniteFlows) {
            true => self.ends.finite.first.index(),
            false => self.ends.flows.len(),
        }
    }

    /// The id under which a flow is reported, see `Fabric::reporting_flow`.
    pub(crate) fn reporting_flow(&self, flow: FlowId) -> FlowId {
        if self.has(Feature::FiniteFlows) { self.ends.finite.account_of(flow) } else { flow }
    }

    /// The counts so far of each flow of the plan, including the finite flows on its account.
    pub(crate) fn flow_meters(&self) -> IndexVec<FlowId, FlowMeter> {
        let mut meters: IndexVec<FlowId, FlowMeter> =
            self.ends.flows.ids().take(self.planned_flows()).map(|flow| self.ends.meter_of(flow)).collect();
        if !self.has(Feature::FiniteFlows) {
            return meters;
        }
        for (meter, done) in meters.iter_mut().zip(&self.ends.finite.done) {
            meter.add(*done);
        }
        for (account, flow) in self.ends.finite.live() {
            meters[account].add(self.ends.meter_of(flow));
        }
        meters
    }
}
