//! The outcome of a run, put together from the counters of its owners.

use congestree_kernel::Agenda;
use congestree_probes::{Names, Probe, Table};
use congestree_units::Time;
use congestree_wire::{FlowId, Packet, PortId};

use crate::fabric::Fabric;
use crate::observe::baseline::Baseline;
use crate::observe::outcome::{Outcome, Stop, names};
use crate::observe::still::Still;
use crate::plan::Plan;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The end of the warm-up: totals count from here.
    pub(crate) fn warmed_up(&mut self) {
        self.records.before = self.still().baseline();
        self.records.set_next_check(self.now, &self.rules);
        self.probe.warmed_up();
    }

    /// Ends the run: audits, and makes the outcome.
    pub(crate) fn finish(mut self, plan: &Plan, names: &Names) -> Outcome {
        for port in self.links.outs.ids() {
            let since = self.links.outs[port].blocked_since;
            if since != Time::NEVER {
                self.probe.blocked(port.0, since, self.now);
            }
        }
        if self.regions() && self.probe.wants_regions() {
            self.tell_last_windows();
        }
        self.audit_at_end();
        self.probe.finish(self.now);
        self.describe_stop(names);
        let of_probe = self.probe.tables(names);
        let still = self.still();
        Outcome { tables: still.tables(plan, names, of_probe), ..still.outcome() }
    }

    /// Describes in words why the run stopped, now that names are known.
    fn describe_stop(&mut self, names: &Names) {
        if let Some(Stop::Deadlock(cycle)) = &mut self.records.stop {
            let links =
                self.records.deadlock.iter().map(|&(port, lane)| format!("{} lane {lane}", names.ports[port.index()]));
            *cycle = format!(
                "each of these links waits for room behind it that only the next can give: {}",
                links.collect::<Vec<String>>().join(", ")
            );
        }
        if let (Some(Stop::Loss(_)), Some(loss)) = (&self.records.stop, self.links.pauses.loss) {
            let from = self.links.outs[loss.input].peer;
            let link = &names.ports[from.index()];
            // No headroom is enough for an output whose watchdog goes on sending.
            let advice = match self.links.pauses.held[self.at(from, loss.lane)].ignored {
                true => {
                    "The watchdog of that link was sending in spite of the pause: write losses = \"count\", or its action = \"drop\""
                }
                false => "Leave more headroom: lower xoff, or make the buffer larger",
            };
            let text = format!(
                "at {} a packet of {} B came in by {link} lane {}, whose buffer held {} B and had no room for it. \
                 {advice}",
                self.now, loss.size, loss.lane, loss.held
            );
            self.records.stop = Some(Stop::Loss(text));
        }
    }

    /// The names that tables show.
    pub(crate) fn names(&self, plan: &Plan) -> Names {
        self.still().names(plan)
    }

    /// Totals of flows and ports so far.
    pub(crate) fn totals(&self, plan: &Plan, names: &Names) -> Vec<Table> {
        let still = self.still();
        let mut tables = vec![still.flow_table(plan, &still.flow_counts()), still.port_table(plan, names)];
        keep_sent(&mut tables, plan);
        tables
    }
}

impl Still<'_> {
    /// The present totals, which later ones are counted from.
    fn baseline(&self) -> Baseline {
        Baseline { at: self.now, ports: self.port_counts(), flows: self.flow_meters(), losses: self.losses() }
    }

    fn names(&self, plan: &Plan) -> Names {
        names(&plan.graph, &plan.classes, &self.links.outs.iter().map(|out| out.peer).collect::<Vec<PortId>>())
    }

    /// Time after the warm-up, in seconds.
    pub(crate) fn measured(&self) -> f64 {
        self.now.since(self.records.before.at.max(self.rules.warm_up)).as_secs()
    }

    /// All tables, with those of the probe between those of the owners and the summary.
    fn tables(&self, plan: &Plan, names: &Names, of_probe: Vec<Table>) -> Vec<Table> {
        let counts = self.flow_counts();
        let mut tables = vec![self.flow_table(plan, &counts), self.port_table(plan, names)];
        tables.extend(self.job_tables(plan));
        tables.extend(self.fault_table(plan));
        tables.extend(of_probe);
        tables.push(self.summary(plan, &counts));
        keep_sent(&mut tables, plan);
        tables
    }

    /// The outcome without its tables.
    fn outcome(&self) -> Outcome {
        Outcome {
            tables: Vec::new(),
            end: self.now,
            parts: 1,
            events: self.records.events,
            packet_hops: self.records.packet_hops,
            link_packets: self.links.outs.iter().map(|out| out.packets).sum(),
            peak_packets: self.packets.peak(),
            peak_flows: self.ends.flows.len(),
            bytes_per_packet: self.packet_bytes(),
            bytes_per_port: self.port_bytes(),
            trajectory: self.records.trajectory,
            results: self.records.results,
            stop: self.records.stop.clone(),
        }
    }

    /// Memory per packet, by the most packets in flight at once: packets, the data stored beside them, and credits on
    /// their way back.
    fn packet_bytes(&self) -> usize {
        let peak = self.packets.peak().max(1);
        let beside = self.links.returning.bytes() + self.ends.headers.bytes() + self.control.inband.bytes();
        size_of::<Packet>() + beside.div_ceil(peak)
    }

    /// Memory of all port tables, per port.
    fn port_bytes(&self) -> f64 {
        let bytes = size_of_val(&*self.links.outs)
            + size_of_val(&*self.links.ins)
            + size_of_val(&*self.links.meters)
            + size_of_val(&*self.links.out_lanes)
            + size_of_val(&*self.switches.request_sets)
            + size_of_val(&*self.switches.waiting_lanes)
            + self.switches.queues.bytes()
            + size_of_val(&*self.switches.reads);
        bytes as f64 / self.links.outs.len() as f64
    }
}

/// Leaves out rows of flows that no source ever sends.
fn keep_sent(tables: &mut [Table], plan: &Plan) {
    let sent = plan.sent_flows();
    for table in tables.iter_mut().filter(|table| matches!(table.name, "flows" | "flow_series")) {
        table.keep("flow", |flow| sent[FlowId(flow)]);
    }
}
