//! The table `ports`: what each port has counted.

use congestree_probes::{Column, LINK_NAME, Names, Table};
use congestree_units::{Rate, Time};

use crate::observe::baseline::PortCounts;
use crate::observe::still::Still;
use crate::plan::Plan;
use crate::tune::features::Feature;

/// The meaning of the utilisation column.
const UTILISATION: &str = "these bytes and those that links.retry sent again, divided by what the link could have carried \
                           without failures; up to a packet above 1, because packets count when they start";

impl Still<'_> {
    pub(crate) fn port_table(&self, plan: &Plan, names: &Names) -> Table {
        let counts = self.measured_port_counts();
        let measured = self.measured();
        let rates = plan.whole_rates();
        let used = |(rate, c): (&Rate, &PortCounts)| match measured > 0.0 {
            true => (c.bytes + c.replayed) as f64 / (rate.as_bytes_per_sec() * measured),
            false => f64::NAN,
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
                Column::new("name", "", LINK_NAME, names.ports.clone()),
                Column::new("from", "", "node that sends", names.nodes.clone()),
                Column::new("to", "", "node that receives", to),
                Column::new("rate", "bit/s", "link rate without failures", rates),
                Column::new(
                    "packets",
                    "",
                    "packets started after the warm-up, ACKs included, frames that links.retry sent again not",
                    each(|c| c.packets),
                ),
                Column::new("bytes", "B", "bytes of these packets", each(|c| c.bytes)),
                Column::new("utilisation", "fraction", UTILISATION, used),
                Column::new(
                    "blocked",
                    "s",
                    "time after the warm-up in which flow control blocked the link while a packet waited",
                    held,
                ),
                Column::new("marked", "", "packets marked at this output after the warm-up", each(|c| c.marked)),
            ],
        };
        if self.switches.output_queues.may_drop() {
            let meaning =
                "packets lost or trimmed at this output, or lost on its link, after the warm-up, ACKs included";
            table.columns.push(Column::new("dropped", "", meaning, each(|c| c.dropped)));
        }
        if self.has(Feature::ChecksFrames) {
            let (damaged, replayed): (Vec<u64>, Vec<u64>) = self.links.checked.counts().unzip();
            let meaning = "frames damaged on the link, repeated frames included, whole run";
            table.columns.push(Column::new("damaged", "", meaning, damaged));
            let meaning = "frames that the port sent again on the link, whole run";
            table.columns.push(Column::new("replayed", "", meaning, replayed));
        }
        if self.has(Feature::Regions) {
            let heard = self.links.outs.ids().map(|port| self.control.regional.heard(port)).collect::<Vec<u64>>();
            let meaning = "notices from neighbours that this output received, whole run";
            table.columns.push(Column::new("notices", "", meaning, heard));
        }
        table
    }

    /// What the ports have counted since the warm-up.
    fn measured_port_counts(&self) -> Vec<PortCounts> {
        self.after_warm_up(&self.port_counts(), &self.records.before.ports)
    }

    pub(in crate::observe) fn port_counts(&self) -> Vec<PortCounts> {
        let counts = self.links.outs.with_ids().zip(&self.links.meters).map(|((port, out), meter)| PortCounts {
            packets: out.packets,
            bytes: out.bytes,
            replayed: self.links.checked.replayed_bytes(port),
            blocked: match out.blocked_since {
                Time::NEVER => meter.blocked,
                since => meter.blocked + self.now.since(since),
            },
            marked: meter.marked,
            dropped: self.switches.output_queues.dropped_at(port),
        });
        counts.collect()
    }
}
