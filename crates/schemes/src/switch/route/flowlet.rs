//! Flowlets: after a pause a flow may take another path. A pause longer than the difference between paths keeps the
//! order.
//!
//! A switch stores the last packet and the path of a flow in a table, indexed by a hash; flows that share an entry are
//! one flow to it, as in hardware. The new path is random, or the one with the fewest bytes waiting.
//!
//! Vanini et al.: Let It Flow: Resilient Asymmetric Load Balancing with Flowlet Switching (NSDI 2017).

use congestree_units::{Span, Time};
use serde::{Deserialize, Serialize};

use crate::check::{Diagnostics, Setting};

use super::least_queue::shortest;
use super::{Passing, Router, RouterKind, drawn, mixed, one_of};

/// Parameters of flowlet switching.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FlowletParams {
    /// Gap between two packets of a flow after which the next packet may take another path. Default 50 us.
    pub gap: Span,
    /// Entries of a switch's flowlet table: flows that it can tell apart. Default 4096.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub entries: u32,
    /// How a new path is chosen.
    pub choice: FlowletChoice,
}

/// How a new path is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FlowletChoice {
    /// Each is equally likely.
    Random,
    /// The one with the fewest bytes waiting.
    LeastQueue,
}

impl Default for FlowletParams {
    fn default() -> Self {
        Self { gap: Span::from_us(50), entries: 4096, choice: FlowletChoice::Random }
    }
}

impl RouterKind for FlowletParams {
    fn check(&self, _setting: &Setting, found: &mut Diagnostics) {
        if self.gap == Span::ZERO {
            let fact = "every packet would choose its way";
            found.report("gap", fact, "give a time above zero, or take scheme.route.spray");
        }
    }

    fn goes_by_queues(&self) -> bool {
        self.choice == FlowletChoice::LeastQueue
    }
}

/// The table of one switch.
#[derive(Clone, Debug)]
pub struct Flowlet {
    params: FlowletParams,
    /// When the last packet came, never if none has, and its path.
    entries: Vec<(Time, u32)>,
}

impl Flowlet {
    /// A switch that has seen no flow.
    pub fn new(params: &FlowletParams) -> Self {
        Self { params: params.clone(), entries: vec![(Time::NEVER, 0); params.entries.max(1) as usize] }
    }
}

impl Router for Flowlet {
    #[inline]
    fn choose(
        &mut self,
        packet: Passing,
        candidates: u32,
        waiting: impl Fn(u32) -> u64,
        draw: impl FnOnce() -> f64,
    ) -> u32 {
        let place = one_of(mixed(packet.label), self.entries.len() as u32);
        let entry = &mut self.entries[place as usize];
        let goes_on = entry.0 != Time::NEVER && packet.now.since(entry.0) < self.params.gap && entry.1 < candidates;
        if !goes_on {
            entry.1 = match self.params.choice {
                FlowletChoice::Random => drawn(draw(), candidates),
                FlowletChoice::LeastQueue => shortest(candidates, draw(), waiting),
            };
        }
        entry.0 = packet.now;
        entry.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_keeps_its_path_until_it_pauses() {
        let mut router = Flowlet::new(&FlowletParams::default());
        let mut at = |us: u64, draw: f64| {
            let packet = Passing { now: Time(us * 1_000_000), label: 3 };
            router.choose(packet, 4, |_| 0, || draw)
        };
        assert_eq!([at(0, 0.3), at(49, 0.9), at(98, 0.9), at(148, 0.9), at(150, 0.0)], [1, 1, 1, 3, 3]);
    }

    #[test]
    fn a_new_path_may_be_the_emptiest() {
        let mut router = Flowlet::new(&FlowletParams { choice: FlowletChoice::LeastQueue, ..Default::default() });
        let packet = Passing { now: Time::START, label: 3 };
        assert_eq!(router.choose(packet, 3, |candidate| [500, 200, 300][candidate as usize], || 0.0), 1);
    }
}
