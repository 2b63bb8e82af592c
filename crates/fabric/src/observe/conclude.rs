//! The outcome of a run, put together from what the owners have counted.

use std::sync::Arc;

use congestree_kernel::Agenda;
use congestree_probes::{Column, Named, Names, Probe, Table};
use congestree_units::{Rate, Span, Time};
use congestree_wire::{Packet, PortId};

use crate::fabric::Fabric;
use crate::host::flow::FlowMeter;
use crate::observe::outcome::{Baseline, Outcome, PortCounts, Stop, SummaryRow, names, per_second, summary_of};
use crate::plan::Plan;
use crate::tune::variants::Variant;

/// What the column of this name is.
const UTILISATION: &str = "those bytes over what the link could have carried, whole all the time; up to a packet above 1, as packets count \
                           when they start";

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Totals count from here.
    pub(crate) fn warmed_up(&mut self) {
        self.records.before =
            Baseline { at: self.now, ports: self.port_counts(), flows: self.flow_meters(), losses: self.losses() };
        self.records.look_from(self.now, &self.rules);
        self.probe.warmed_up();
    }

    fn port_counts(&self) -> Vec<PortCounts> {
        let counts = self.links.outs.with_ids().zip(&self.links.meters).map(|((port, out), meter)| PortCounts {
            packets: out.packets,
            bytes: out.bytes,
            blocked: match out.blocked_since {
                Time::NEVER => meter.blocked,
                since => meter.blocked + self.now.since(since),
            },
            marked: meter.marked,
            dropped: self.switches.output_queues.dropped_at(port),
        });
        counts.collect()
    }

    /// Columns about packets that overtook each other, where they may.
    fn order_columns(&self) -> Vec<Column> {
        if self.switches.ways.orders.is_empty() {
            return Vec::new();
        }
        let orders = &self.switches.ways.orders.rows()[..self.planned_flows()];
        let late: Vec<u64> = orders.iter().map(|order| order.late).collect();
        let extent: Vec<u32> = orders.iter().map(|order| order.extent).collect();
        vec![
            Column::new("reordered", "", "data packets of the whole run that came after one sent later", late),
            Column::new("reorder_extent", "", "most packets by which one of them was behind the latest", extent),
        ]
    }

    /// The names that tables show.
    pub(crate) fn names(&self, plan: &Plan) -> Names {
        names(&plan.graph, &plan.classes, &self.links.outs.iter().map(|out| out.peer).collect::<Vec<PortId>>())
    }

    /// Closes the books.
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
        if let Some(Stop::Deadlock(circle)) = &mut self.records.stop {
            let links =
                self.records.deadlock.iter().map(|&(port, lane)| format!("{} lane {lane}", names.ports[port.index()]));
            *circle = format!(
                "each of these links waits for room behind it that only the next can give: {}",
                links.collect::<Vec<String>>().join(", ")
            );
        }
        if let (Some(Stop::Loss(text)), Some(loss)) = (&mut self.records.stop, self.links.pauses.loss) {
            let link = &names.ports[self.links.outs[loss.input].peer.index()];
            *text = format!(
                "at {} a packet of {} B came in by {link} lane {}, whose buffer held {} B and had no room for it. \
                 Leave more headroom: lower xoff, or make the buffer larger",
                self.now, loss.size, loss.lane, loss.held
            );
        }
        let counts = self.flow_counts();
        let mut tables = vec![self.flow_table(plan, &counts), self.port_table(plan, names)];
        tables.extend(self.job_tables(plan));
        tables.extend(self.fault_table(plan));
        tables.extend(self.probe.tables(names));
        tables.push(self.summary(plan, &counts));
        Outcome {
            tables,
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
            stop: self.records.stop,
        }
    }

    /// Totals of flows and ports so far.
    pub(crate) fn totals(&self, plan: &Plan, names: &Names) -> Vec<Table> {
        vec![self.flow_table(plan, &self.flow_counts()), self.port_table(plan, names)]
    }

    /// Memory of all that goes by packets, by the most packets at once: packets, what stands beside them, and credits on their
    /// way back.
    fn packet_bytes(&self) -> usize {
        let peak = self.packets.peak().max(1);
        let beside = self.links.notes.bytes() + self.ends.headers.bytes() + self.control.inband.bytes();
        size_of::<Packet>() + beside.div_ceil(peak)
    }

    /// Memory of all port tables, by the number of ports.
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

    fn measured(&self) -> f64 {
        self.now.since(self.records.before.at.max(self.rules.warm_up)).as_secs()
    }

    /// What each flow did after the warm-up.
    fn flow_counts(&self) -> Vec<FlowMeter> {
        let none = FlowMeter::default();
        let meters = self.flow_meters();
        let counts = meters.with_ids().map(|(id, now)| {
            let before = self.records.before.flows.get(id).unwrap_or(&none);
            FlowMeter {
                sent: now.sent - before.sent,
                packets: now.packets - before.packets,
                bytes: now.bytes - before.bytes,
                marked: now.marked - before.marked,
            }
        });
        if self.now < self.rules.warm_up { vec![none; self.planned_flows()] } else { counts.collect() }
    }

    fn flow_table(&self, plan: &Plan, counts: &[FlowMeter]) -> Table {
        let measured = self.measured();
        let planned = self.planned_flows();
        let (flows, cold) = (&self.ends.flows.rows()[..planned], &self.ends.cold.rows()[..planned]);
        let hosts: Arc<[String]> = plan.graph.hosts.iter().cloned().chain(["*".to_owned()]).collect();
        let any = hosts.len() as u32 - 1;
        let from = || flows.iter().map(|flow| flow.host.0).collect::<Vec<u32>>();
        let to = || cold.iter().map(|cold| cold.destination.0.min(any)).collect::<Vec<u32>>();
        let named = |parts| Named { list: hosts.clone(), parts };
        let each = |pick: fn(&FlowMeter) -> u64| counts.iter().map(pick).collect::<Vec<u64>>();
        let classes = cold.iter().map(|cold| u32::from(cold.class)).collect();
        let mut table = Table {
            name: "flows",
            columns: vec![
                Column::new("flow", "", "flow id", (0..flows.len() as u32).collect::<Vec<u32>>()),
                Column::new("name", "", "source->destination", named(vec![from(), to()])),
                Column::new(
                    "class",
                    "",
                    "traffic entry",
                    Named { list: plan.classes.as_slice().into(), parts: vec![classes] },
                ),
                Column::new("source", "", "sending host", named(vec![from()])),
                Column::new("destination", "", "receiving host (*: each message goes elsewhere)", named(vec![to()])),
                Column::new("sent", "", "data packets started after the warm-up", each(|c| c.sent)),
                Column::new("packets", "", "data packets delivered after the warm-up", each(|c| c.packets)),
                Column::new("bytes", "B", "wire bytes of those", each(|c| c.bytes)),
                Column::new(
                    "rate",
                    "bit/s",
                    "delivered wire bits per second after the warm-up",
                    counts.iter().map(|c| per_second(c.bytes * 8, measured)).collect::<Vec<f64>>(),
                ),
                Column::new("marked", "", "marked data packets delivered after the warm-up", each(|c| c.marked)),
            ],
        };
        if self.has_finite_flows() {
            let (begun, finished): (Vec<u64>, Vec<u64>) = self.ends.finite.counts_by_account().unzip();
            let meaning = "flows by message of this row that have begun, whole run";
            table.columns.push(Column::new("flows_started", "", meaning, begun));
            let meaning = "flows by message of this row that have finished, whole run";
            table.columns.push(Column::new("flows_finished", "", meaning, finished));
        }
        table.columns.extend(self.loss_columns());
        table.columns.extend(self.order_columns());
        table.columns.extend(self.fault_columns());
        table
    }

    /// What the ports have counted since the warm-up.
    fn measured_port_counts(&self) -> Vec<PortCounts> {
        let none = PortCounts::default();
        let since = |(id, now): (usize, &PortCounts)| {
            let before = self.records.before.ports.get(id).unwrap_or(&none);
            PortCounts {
                packets: now.packets - before.packets,
                bytes: now.bytes - before.bytes,
                blocked: Span(now.blocked.0 - before.blocked.0),
                marked: now.marked - before.marked,
                dropped: now.dropped - before.dropped,
            }
        };
        let counts = self.port_counts();
        if self.now < self.rules.warm_up {
            vec![none; counts.len()]
        } else {
            counts.iter().enumerate().map(since).collect()
        }
    }

    /// The rate of each link while it is whole; at the end of the run some may be slower.
    fn whole_rates(&self, plan: &Plan) -> Vec<Rate> {
        if !self.fails() {
            return self.links.outs.iter().map(|out| self.links.rates[usize::from(out.rate)].rate()).collect();
        }
        let wired = plan.graph.ports();
        wired.hosts.iter().chain(&wired.switches).flatten().map(|port| port.out.rate).collect()
    }

    fn port_table(&self, plan: &Plan, names: &Names) -> Table {
        let counts = self.measured_port_counts();
        let measured = self.measured();
        let rates = self.whole_rates(plan);
        let used = |(rate, c): (&Rate, &PortCounts)| match measured > 0.0 {
            true => c.bytes as f64 / (rate.as_bytes_per_sec() * measured),
            false => 0.0,
        };
        let used = rates.iter().zip(&counts).map(used).collect::<Vec<f64>>();
        let rates = rates.iter().map(|rate| rate.0).collect::<Vec<u64>>();
        let to = self.links.outs.iter().map(|out| names.nodes[out.peer.index()].clone()).collect::<Vec<String>>();
        let held = counts.iter().map(|c| c.blocked.as_secs()).collect::<Vec<f64>>();
        let each = |pick: fn(&PortCounts) -> u64| counts.iter().map(pick).collect::<Vec<u64>>();
        let mut table = Table {
            name: "ports",
            columns: vec![
                Column::new("port", "", "port that sends on the link", (0..counts.len() as u32).collect::<Vec<u32>>()),
                Column::new("name", "", "from->to", names.ports.clone()),
                Column::new("from", "", "node that sends", names.nodes.clone()),
                Column::new("to", "", "node that receives", to),
                Column::new("rate", "bit/s", "link rate, while it is whole", rates),
                Column::new("packets", "", "packets started after the warm-up, ACKs too", each(|c| c.packets)),
                Column::new("bytes", "B", "bytes of those", each(|c| c.bytes)),
                Column::new("utilisation", "fraction", UTILISATION, used),
                Column::new(
                    "blocked",
                    "s",
                    "time after the warm-up that flow control held the link while a packet waited",
                    held,
                ),
                Column::new("marked", "", "packets marked at this output after the warm-up", each(|c| c.marked)),
            ],
        };
        if self.switches.output_queues.may_drop() {
            let meaning = "packets lost at this output or on its link after the warm-up, ACKs too";
            table.columns.push(Column::new("dropped", "", meaning, each(|c| c.dropped)));
        }
        if self.checks_frames() {
            let (damaged, replayed): (Vec<u64>, Vec<u64>) = self.links.checked.counts().unzip();
            let meaning = "frames of the whole run that were damaged on the link, those sent again too";
            table.columns.push(Column::new("damaged", "", meaning, damaged));
            let meaning = "frames that the port has sent again on the link, in the whole run";
            table.columns.push(Column::new("replayed", "", meaning, replayed));
        }
        if self.regions() {
            let heard = self.links.outs.ids().map(|port| self.control.regional.heard(port)).collect::<Vec<u64>>();
            let meaning = "notices of neighbours in the whole run that this output heard";
            table.columns.push(Column::new("notices", "", meaning, heard));
        }
        table
    }

    fn summary(&self, plan: &Plan, counts: &[FlowMeter]) -> Table {
        let measured = self.measured();
        let sum = |pick: fn(&FlowMeter) -> u64| counts.iter().map(pick).sum::<u64>() as f64;
        let delivered_bits = sum(|c| c.bytes) * 8.0;
        let rates: Vec<f64> = counts.iter().filter(|c| c.sent > 0).map(|c| c.bytes as f64).collect();
        let squares: f64 = rates.iter().map(|rate| rate * rate).sum();
        let all: f64 = rates.iter().sum();
        let jain = if squares > 0.0 { all * all / (rates.len() as f64 * squares) } else { f64::NAN };
        let blocked: f64 = self.port_counts().iter().map(|c| c.blocked.as_secs()).sum();
        let mut rows: Vec<SummaryRow> = vec![
            ("measured", measured, "s", "simulated time after the warm-up"),
            ("sent", sum(|c| c.sent), "", "data packets started after the warm-up"),
            ("delivered", sum(|c| c.packets), "", "data packets delivered after the warm-up"),
            ("accepted_load", per_second(1, measured) * delivered_bits, "bit/s", "delivered wire bits per second"),
            (
                "accepted_load_per_host",
                per_second(1, measured) * delivered_bits / plan.graph.hosts.len() as f64,
                "bit/s",
                "the same, by the number of hosts",
            ),
            ("marked", sum(|c| c.marked), "", "marked data packets delivered after the warm-up"),
            ("jain_index", jain, "", "fairness among the flows that sent: 1 if all got the same"),
            ("blocked", blocked, "s", "time that flow control held links while a packet waited, all links, whole run"),
            ("packet_hops", self.records.packet_hops as f64, "", "data packets that crossed a link, whole run"),
        ];
        if self.isolates() {
            rows.extend(self.control.isolation.rows(plan.graph.hosts.len() as u64));
        }
        if self.queues_flows() {
            rows.extend(self.control.flow_isolation.rows());
        }
        rows.extend(self.loss_rows());
        rows.extend(self.fault_rows(plan));
        if self.checks_frames() {
            let (damaged, replayed) =
                self.links.checked.counts().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            rows.push(("damaged", damaged as f64, "", "frames that were damaged on links, whole run"));
            rows.push(("replayed", replayed as f64, "", "frames that links sent again, whole run"));
        }
        if self.has_finite_flows() {
            let (started, finished) = self.ends.finite.counts();
            rows.push(("flows_started", started as f64, "", "flows by message that have begun, whole run"));
            rows.push(("flows_finished", finished as f64, "", "flows by message that have finished, whole run"));
        }
        summary_of(&rows)
    }
}
