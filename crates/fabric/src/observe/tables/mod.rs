//! The tables of every run, whatever probes it has: flows, ports, failures, and the summary.

mod faults;
mod flows;
mod losses;
mod ports;
mod summary;

use crate::observe::baseline::Growing;
use crate::observe::still::Still;

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
