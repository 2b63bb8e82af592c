//! The table `summary`: measures of the whole network, one in each row.

use congestree_probes::Table;

use crate::host::flow::FlowMeter;
use crate::observe::outcome::{SummaryRow, per_second, summary_of};
use crate::observe::still::Still;
use crate::plan::Plan;
use crate::tune::features::Feature;

impl Still<'_> {
    pub(crate) fn summary(&self, plan: &Plan, counts: &[FlowMeter]) -> Table {
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
                "the same, divided by the number of hosts",
            ),
            ("marked", sum(|c| c.marked), "", "marked data packets delivered after the warm-up"),
            (
                "jain_index",
                jain,
                "",
                "Jain's fairness index of the flows that sent: 1 if all got the same. By the scheme a source has \
                 one row in `flows`, or one for each destination: between schemes compare the measure `fairness`",
            ),
            (
                "blocked",
                blocked,
                "s",
                "time that flow control blocked links while a packet waited, all links, whole run",
            ),
            ("packet_hops", self.records.packet_hops as f64, "", "data packets that crossed a link, whole run"),
        ];
        if self.has(Feature::Isolates) {
            rows.extend(self.control.isolation.rows(plan.graph.hosts.len() as u64));
        }
        if self.has(Feature::QueuesFlows) {
            rows.extend(self.control.flow_isolation.rows());
        }
        rows.extend(self.loss_rows());
        rows.extend(self.fault_rows(plan));
        if self.has(Feature::ChecksFrames) {
            let (damaged, replayed) =
                self.links.checked.counts().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            rows.push(("damaged", damaged as f64, "", "frames damaged on links, whole run"));
            rows.push(("replayed", replayed as f64, "", "frames that links sent again, whole run"));
        }
        if self.has(Feature::FiniteFlows) {
            let (started, finished) = self.ends.finite.counts();
            rows.push(("flows_started", started as f64, "", "flows (one per message) that have started, whole run"));
            rows.push(("flows_finished", finished as f64, "", "flows (one per message) that have finished, whole run"));
        }
        summary_of(&rows)
    }
}
