//! What a run writes down of itself: counts, fingerprints, and why it came to a stop.

use congestree_units::Time;
use congestree_wire::PortId;

use crate::observe::books::Audit;
use crate::observe::isolation_watch::IsolationTables;
use crate::observe::outcome::{Baseline, Stop};
use crate::plan::Plan;
use crate::plan::rules::FabricRules;

/// The books of a run; nothing in a network looks at them.
pub(crate) struct Records {
    pub events: u64,
    pub packet_hops: u64,
    /// Sum over all that was sent, which does not depend on the order within an instant.
    pub trajectory: u64,
    /// Sum over all that came in, likewise.
    pub results: u64,
    /// Until then nobody sees what has come in.
    pub unseen_until: Time,
    pub audit: Option<Audit>,
    pub stop: Option<Stop>,
    /// Some flow has missed packets (`FlowCold::missed`): until then nobody need look for them.
    pub any_missed: bool,
    /// The circle of waits that ended the run.
    pub deadlock: Vec<(PortId, u8)>,
    /// Counts at the end of the warm-up, by port and by flow.
    pub before: Baseline,
    /// What probes of isolation want to know.
    pub isolation: IsolationTables,
}

impl Records {
    /// Empty books.
    pub(crate) fn new(plan: &Plan) -> Self {
        Self {
            events: 0,
            packet_hops: 0,
            trajectory: 0,
            results: 0,
            unseen_until: Time::START,
            audit: plan.measure.audit.then(|| Audit::new(plan)),
            stop: None,
            any_missed: false,
            deadlock: Vec::new(),
            before: Baseline::default(),
            isolation: IsolationTables::default(),
        }
    }

    /// Notes when somebody next sees what has come in: at a look for deadlock (which come at even intervals), or at the end of
    /// the warm-up or of the run.
    pub(crate) fn look_from(&mut self, now: Time, rules: &FabricRules) {
        let check = (now.0.checked_div(rules.deadlock_timeout.0))
            .map_or(Time::NEVER, |past| Time((past + 1) * rules.deadlock_timeout.0));
        let warm_up = if now < rules.warm_up { rules.warm_up } else { Time::NEVER };
        self.unseen_until = check.min(warm_up).min(rules.end);
    }
}
