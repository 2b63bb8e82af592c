//! Losses as columns of the table `flows` and rows of the table `summary`.

use congestree_probes::Column;
use congestree_wire::{FlowId, IndexVec};

use crate::observe::losses::Losses;
use crate::observe::outcome::SummaryRow;
use crate::observe::still::Still;
use crate::tune::features::Feature;

/// A count: its name, its meaning for a flow and as a sum, and how it is found.
type Count = (&'static str, &'static str, fn(&Losses) -> u64);
const DROPPED: Count = ("dropped", "data packets dropped or trimmed after the warm-up", |losses| losses.dropped);
const RESENT: Count = ("resent", "data packets retransmitted after the warm-up", |losses| losses.resent);
const TIMEOUTS: Count =
    ("timeouts", "how often only a timer detected a loss, after the warm-up", |losses| losses.timeouts);
/// Counts for transports whose packets have headers.
const CONTROL: [Count; 4] = [
    ("acks", "ACKs that the sender received after the warm-up", |losses| losses.acks),
    ("nacks", "NACKs that the sender received after the warm-up", |losses| losses.nacks),
    ("grants", "credit grants that the sender received after the warm-up", |losses| losses.grants),
    ("requests", "credit requests that the sender sent after the warm-up", |losses| losses.requests),
];

impl Still<'_> {
    /// What every flow has lost so far; empty for flows on links that lose nothing.
    pub(crate) fn losses(&self) -> IndexVec<FlowId, Losses> {
        if self.loss_counts().is_empty() {
            return IndexVec::default();
        }
        let drops = |flow: FlowId| self.switches.output_queues.dropped(flow);
        let planned = self.planned_flows();
        let mut dropped: IndexVec<FlowId, u64> = self.ends.flows.ids().take(planned).map(drops).collect();
        // A finite flow is counted with the flow of its source.
        for flow in self.ends.flows.ids().skip(planned) {
            dropped[self.reporting_flow(flow)] += drops(flow);
        }
        let losses = dropped.with_ids().map(|(flow, &dropped)| {
            let (loss_counts, control) = self.ends.connections.told(flow);
            Losses {
                dropped,
                resent: loss_counts.resent,
                timeouts: loss_counts.timeouts,
                acks: control.acks,
                nacks: control.nacks,
                grants: control.grants,
                requests: control.requests,
            }
        });
        losses.collect()
    }

    /// The counts to report: drops if links may lose packets, repairs if there are transports.
    fn loss_counts(&self) -> Vec<Count> {
        let mut counts = Vec::new();
        if self.switches.output_queues.may_drop() {
            counts.push(DROPPED);
        }
        if !self.ends.connections.senders.is_empty() {
            counts.extend([RESENT, TIMEOUTS]);
        }
        if self.has(Feature::Headers) {
            counts.extend(CONTROL);
        }
        counts
    }

    /// What every flow has lost since the warm-up.
    fn recent_losses(&self) -> Vec<Losses> {
        self.after_warm_up(&self.losses(), &self.records.before.losses)
    }

    /// Columns about losses, by flow.
    pub(crate) fn loss_columns(&self) -> Vec<Column> {
        let losses = self.recent_losses();
        let column = |(name, meaning, pick): Count| {
            Column::new(name, "", meaning, losses.iter().map(pick).collect::<Vec<u64>>())
        };
        self.loss_counts().into_iter().map(column).collect()
    }

    /// Losses of all flows together, as rows of the table `summary`.
    pub(crate) fn loss_rows(&self) -> Vec<SummaryRow> {
        let losses = self.recent_losses();
        let row = |(name, meaning, pick): Count| (name, losses.iter().map(pick).sum::<u64>() as f64, "", meaning);
        self.loss_counts().into_iter().map(row).collect()
    }
}
