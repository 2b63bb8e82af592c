//! The tables of every run, whatever probes it has: flows, ports, failures, and the summary. [`UNPROBED`] lists them, and
//! those of applications.

mod faults;
mod flows;
mod losses;
mod ports;
mod summary;

use crate::observe::baseline::Growing;
use crate::observe::still::Still;

/// A table that no probe records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnprobedTable {
    /// Its name.
    pub name: &'static str,
    /// What a row of it is.
    pub row: &'static str,
    /// What a scenario must have for its run to make it; `None`: every run does.
    pub with: Option<&'static str>,
}

/// All tables that no probe records.
pub const UNPROBED: &[UnprobedTable] = &[
    always("flows", "A row for each flow: totals after the warm-up, unless a column says otherwise."),
    always("ports", "A row for each direction of each link: totals after the warm-up, unless a column says otherwise."),
    always("summary", "A row for each number that describes the run as a whole."),
    only("jobs", "A row for each application.", "a `program` in traffic"),
    only("ranks", "A row for each rank of each application.", "a `program` in traffic"),
    only(
        "steps",
        "A row for each step and round.",
        "a `program` in traffic whose steps have names (`collective`, `training`, `moe`, `chakra`)",
    ),
    only("faults", "A row for each failure of a link that has begun.", "`links.faults`"),
];

const fn always(name: &'static str, row: &'static str) -> UnprobedTable {
    UnprobedTable { name, row, with: None }
}

const fn only(name: &'static str, row: &'static str, with: &'static str) -> UnprobedTable {
    UnprobedTable { name, row, with: Some(with) }
}

impl Still<'_> {
    /// What was counted after the warm-up; what has only appeared since was not there before.
    fn after_warm_up<C: Growing>(&self, now: &[C], before: &[C]) -> Vec<C> {
        if self.now < self.rules.warm_up {
            return vec![C::default(); now.len()];
        }
        let none = C::default();
        let before = before.iter().chain(std::iter::repeat(&none));
        now.iter().zip(before).map(|(now, before)| now.since(before)).collect()
    }
}
