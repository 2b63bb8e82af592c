//! The table `flows`: what each flow did.

use std::sync::Arc;

use congestree_probes::{Column, Named, Table};

use crate::host::flow::FlowMeter;
use crate::observe::outcome::per_second;
use crate::observe::still::Still;
use crate::plan::Plan;
use crate::tune::features::Feature;

impl Still<'_> {
    pub(crate) fn flow_table(&self, plan: &Plan, counts: &[FlowMeter]) -> Table {
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
                Column::new(
                    "destination",
                    "",
                    "receiving host (*: the destination differs from message to message)",
                    named(vec![to()]),
                ),
                Column::new("sent", "", "data packets started after the warm-up", each(|c| c.sent)),
                Column::new("packets", "", "data packets delivered after the warm-up", each(|c| c.packets)),
                Column::new("bytes", "B", "wire bytes of these packets", each(|c| c.bytes)),
                Column::new(
                    "rate",
                    "bit/s",
                    "delivered wire bits per second after the warm-up",
                    counts.iter().map(|c| per_second(c.bytes * 8, measured)).collect::<Vec<f64>>(),
                ),
                Column::new("marked", "", "marked data packets delivered after the warm-up", each(|c| c.marked)),
            ],
        };
        if self.has(Feature::FiniteFlows) {
            let (begun, finished): (Vec<u64>, Vec<u64>) = self.ends.finite.counts_by_account().unzip();
            let meaning = "flows (one per message) of this row that have started, whole run";
            table.columns.push(Column::new("flows_started", "", meaning, begun));
            let meaning = "flows (one per message) of this row that have finished, whole run";
            table.columns.push(Column::new("flows_finished", "", meaning, finished));
        }
        table.columns.extend(self.loss_columns());
        table.columns.extend(self.order_columns());
        table.columns.extend(self.fault_columns());
        table
    }

    /// What each flow did after the warm-up.
    pub(crate) fn flow_counts(&self) -> Vec<FlowMeter> {
        self.after_warm_up(&self.flow_meters(), &self.records.before.flows)
    }

    /// Columns about packets that overtook each other, if they may.
    fn order_columns(&self) -> Vec<Column> {
        if self.switches.path_choice.orders.is_empty() {
            return Vec::new();
        }
        let orders = &self.switches.path_choice.orders.rows()[..self.planned_flows()];
        let late: Vec<u64> = orders.iter().map(|order| order.late).collect();
        let extent: Vec<u32> = orders.iter().map(|order| order.extent).collect();
        vec![
            Column::new("reordered", "", "data packets that arrived after a packet sent later, whole run", late),
            Column::new(
                "reorder_extent",
                "",
                "the most by which the number of such a packet was below the highest number that had arrived",
                extent,
            ),
        ]
    }
}
