//! The messages of a source: how large they are, and when they are generated.

use congestree_traffic as plan;
use congestree_units::{Rate, Span, Time};

use crate::resolve::Collector;
use crate::resolve::traffic::finite;
use crate::types::{self, After, Arrivals, Scenario, Traffic};

/// Payload of a message.
pub(super) fn sizes(scenario: &Scenario, entry: &Traffic) -> plan::Sizes {
    match &entry.sizes {
        Some(types::Sizes::Pareto(pareto)) => {
            plan::Sizes::Pareto { shape: pareto.shape, mean: pareto.mean, most: pareto.most }
        }
        Some(types::Sizes::Cdf(table)) => plan::Sizes::Cdf(finite::cdf(table)),
        None => plan::Sizes::Fixed(entry.message.unwrap_or(scenario.adapters.mtu)),
    }
}

/// Bytes of a whole message of fixed size on the wire, headers included.
pub(super) fn wire_bytes(scenario: &Scenario, entry: &Traffic) -> u128 {
    let payload = sizes(scenario, entry).mean().0;
    let packets = payload.div_ceil(scenario.adapters.mtu.0.max(1));
    u128::from(payload) + u128::from(packets) * u128::from(scenario.adapters.header.0)
}

/// Mean bytes of a whole message on the wire, headers included, if sizes are drawn and their mean is needed.
pub(super) fn mean_wire_bytes(scenario: &Scenario, entry: &Traffic) -> Option<f64> {
    if entry.sizes.is_none() || !matches!(entry.arrivals, Arrivals::Poisson(_)) {
        return None;
    }
    let (sizes, adapters) = (sizes(scenario, entry), &scenario.adapters);
    Some(sizes.mean_pieces(1) + sizes.mean_pieces(adapters.mtu.0) * adapters.header.0 as f64)
}

/// When a source generates messages, with a load converted to a mean gap; `mean` is that of the entry
/// ([`mean_wire_bytes`]).
pub(super) fn arrivals(
    scenario: &Scenario,
    entry: &Traffic,
    mean: Option<f64>,
    rate: Rate,
    path: &str,
    collector: &mut Collector<'_>,
) -> plan::Arrivals {
    match &entry.arrivals {
        // Incasts are lists by now.
        Arrivals::Greedy | Arrivals::Incast(_) | Arrivals::Injected => plan::Arrivals::Greedy,
        Arrivals::OnOff(periods) => plan::Arrivals::OnOff { on: periods.on, off: periods.off },
        Arrivals::Gaps(gaps) => plan::Arrivals::Gaps {
            mean: gaps.mean,
            after: match gaps.after {
                After::Made => plan::After::Made,
                After::Done => plan::After::Done,
            },
        },
        Arrivals::Messages(messages) => {
            let every = messages.every.unwrap_or(Span::ZERO);
            plan::Arrivals::Messages { count: messages.count, every, burst: messages.burst.max(1) }
        }
        Arrivals::Steady(steady) => {
            let (payload, wire) = (u128::from(sizes(scenario, entry).mean().0), wire_bytes(scenario, entry));
            let of_link = |load: f64| Rate((rate.0 as f64 * load * payload as f64 / wire.max(1) as f64 + 0.5) as u64);
            let rate = steady.rate.or(steady.load.map(of_link)).unwrap_or(rate);
            plan::Arrivals::Steady { rate: Rate(rate.0.max(1)) }
        }
        Arrivals::Poisson(poisson) => {
            // Wire time of a whole message, headers included, in picoseconds.
            let bits = 8 * 1_000_000_000_000;
            let time = match mean {
                Some(mean) => mean * bits as f64 / rate.0.max(1) as f64,
                None => (wire_bytes(scenario, entry) * bits).div_ceil(u128::from(rate.0.max(1))) as f64,
            };
            let gap = (time / poisson.load + 0.5).floor();
            if gap >= Time::NEVER.0 as f64 / 4.0 {
                let days = gap / 1e12 / 86_400.0;
                let fact = match days < 1e6 {
                    true => format!("at this load a message comes every {days:.0} days"),
                    false => "at this load messages come so rarely that none comes within the run".into(),
                };
                collector.report(format!("{path}.arrivals.poisson.load"), fact, "make it larger");
            }
            plan::Arrivals::Poisson { mean_gap: Span((gap as u64).max(1)) }
        }
    }
}
