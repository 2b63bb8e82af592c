//! What failed, what it cost, and which flows it stopped: the table `faults`, rows of `summary`, a column of `flows`.

use congestree_probes::{Column, Table};
use congestree_schemes::Transport;
use congestree_topology::{Graph, Ports};
use congestree_units::Time;
use congestree_wire::{FlowId, HostId, IndexVec};

use crate::observe::outcome::SummaryRow;
use crate::observe::still::Still;
use crate::plan::{FailurePlan, Plan};
use crate::tune::features::Feature;

/// The two ends of a link that fails and, if it is one of several between them, its number by the ports of the first.
fn ends(graph: &Graph, ports: &Ports, failure: &FailurePlan) -> String {
    let link = &graph.links[failure.link as usize];
    let name = format!("{}<->{}", graph.name(link.a), graph.name(link.b));
    let between = ports.links_between(link.a, link.b);
    match between.iter().position(|&other| other == failure.link) {
        Some(place) if between.len() > 1 => format!("{name} ({})", place + 1),
        _ => name,
    }
}

impl Still<'_> {
    /// A row for every failure that has begun; `None` if nothing can fail.
    pub(crate) fn fault_table(&self, plan: &Plan) -> Option<Table> {
        if !self.has(Feature::Fails) {
            return None;
        }
        let (graph, ports) = (&plan.graph, plan.graph.ports());
        let begun: Vec<(usize, &FailurePlan)> =
            plan.faults.failures.iter().enumerate().filter(|(_, failure)| failure.at <= self.now).collect();
        let text =
            |of: &dyn Fn(&FailurePlan) -> String| begun.iter().map(|(_, failure)| of(failure)).collect::<Vec<_>>();
        let number =
            |of: &dyn Fn(&FailurePlan) -> f64| begun.iter().map(|(_, failure)| of(failure)).collect::<Vec<_>>();
        let costs = || begun.iter().map(|&(place, _)| self.links.faults.costs[place]);
        let until = |failure: &FailurePlan| failure.until.unwrap_or(Time::NEVER).min(self.now);
        let hosts = |failure: &FailurePlan| {
            let names: Vec<&str> = failure.cut_off.iter().map(|&host| graph.hosts[host.index()].as_str()).collect();
            names.join("; ")
        };
        Some(Table {
            name: "faults",
            columns: vec![
                Column::new("link", "", LINK, text(&|failure| ends(graph, &ports, failure))),
                Column::new("started", "s", "when the failure began", number(&|failure| failure.at.as_secs())),
                Column::new(
                    "finished",
                    "s",
                    "when the failure ended, or the run if that was earlier",
                    number(&|f| until(f).as_secs()),
                ),
                Column::new(
                    "rate",
                    "bit/s",
                    "rate of the link during the failure, in the direction of its name; 0: it was down",
                    number(&|failure| failure.rates.map_or(0.0, |(ab, _)| ab.0 as f64)),
                ),
                Column::new(
                    "on_the_wire",
                    "",
                    "packets on the link when it went down, ACKs included: lost, or sent again by links.retry",
                    costs().map(|cost| cost.on_the_wire).collect::<Vec<u64>>(),
                ),
                Column::new(
                    "discarded",
                    "",
                    "packets that waited for the link longer than links.faults.head_of_queue_lifetime, ACKs included",
                    costs().map(|cost| cost.discarded).collect::<Vec<u64>>(),
                ),
                Column::new(
                    "cut_off",
                    "",
                    "hosts that the failure cut off from the largest part of the network, separated by semicolons",
                    text(&hosts),
                ),
            ],
        })
    }

    /// Sums over all failures, as rows of the table `summary`.
    pub(crate) fn fault_rows(&self, plan: &Plan) -> Vec<SummaryRow> {
        if !self.has(Feature::Fails) {
            return Vec::new();
        }
        let begun = plan.faults.failures.iter().filter(|failure| failure.at <= self.now);
        let mut cut_off: Vec<HostId> = begun.clone().flat_map(|failure| failure.cut_off.iter().copied()).collect();
        cut_off.sort_unstable();
        cut_off.dedup();
        let costs = &self.links.faults.costs;
        let on_the_wire: u64 = costs.iter().map(|cost| cost.on_the_wire).sum();
        let discarded: u64 = costs.iter().map(|cost| cost.discarded).sum();
        let stopped = self.stopped().into_iter().filter(|&stopped| stopped).count();
        vec![
            ("faults", begun.count() as f64, "", "link failures that have begun, whole run"),
            (
                "on_the_wire",
                on_the_wire as f64,
                "",
                "packets on links at the moment these went down, ACKs included, whole run",
            ),
            ("discarded", discarded as f64, "", "packets that switches dropped because a link was down, whole run"),
            (
                "hosts_cut_off",
                cut_off.len() as f64,
                "",
                "hosts that failures cut off from the rest of the network for some time",
            ),
            ("flows_stopped", stopped as f64, "", FLOWS_STOPPED),
        ]
    }

    /// The column that says which flows a failure has stopped.
    pub(crate) fn fault_columns(&self) -> Vec<Column> {
        match self.has(Feature::Fails) {
            true => vec![Column::new("stopped", "", STOPPED, self.stopped())],
            false => Vec::new(),
        }
    }

    /// By flow: whether something of it is in flight or waits, but nothing comes in since a link last went down. Flows of
    /// one message are counted with the flow of their source.
    fn stopped(&self) -> Vec<bool> {
        let mut waits: IndexVec<FlowId, bool> =
            self.ends.flows.ids().take(self.planned_flows()).map(|flow| self.waits(flow)).collect();
        for (account, flow) in self.ends.finite.live() {
            waits[account] |= self.waits(flow);
        }
        waits.with_ids().map(|(flow, waits)| *waits && self.links.faults.is_silent(flow, self.now)).collect()
    }

    /// Whether packets of a flow wait or are in flight; with a transport, until they are acknowledged.
    fn waits(&self, flow: FlowId) -> bool {
        let state = &self.ends.flows[flow];
        let unanswered = match self.ends.connections.senders.get(flow) {
            Some(sender) => sender.transport.acknowledged() != sender.end,
            None => {
                let arrived = u64::from(self.ends.receipts[flow].packets);
                u64::from(state.sent) > arrived + self.switches.output_queues.dropped(flow)
            }
        };
        unanswered || state.has_message(self.now)
    }
}

const LINK: &str = "the two ends of the link, and its number if there are several between the two";
const STOPPED: &str = "whether packets of the flow wait or are in transit (with a transport: are not acknowledged), and, since \
                       a link last went down, nothing that left its host afterwards has arrived, nor anything at all in \
                       the second half of that time";
const FLOWS_STOPPED: &str =
    "flows whose packets wait or are in transit while none sent since a link last went down arrives (`stopped`)";
