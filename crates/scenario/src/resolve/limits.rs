//! Sizes and rates beyond which a value is certainly an error.

use congestree_schemes::check::too_slow;
use congestree_units::{Bytes, Rate};

use crate::resolve::Collector;

/// Larger messages could not be sent within a run.
pub(in crate::resolve) const LARGEST_MESSAGE: Bytes = Bytes(1_000_000_000_000_000);

/// Larger packets are certainly an error.
pub(in crate::resolve) const LARGEST_PACKET: Bytes = Bytes(16 << 20);

/// Reports a rate that is zero or nearly so; returns whether it is not.
pub(in crate::resolve) fn check_rate(rate: Option<Rate>, path: &str, collector: &mut Collector<'_>) -> bool {
    let wrong = rate.and_then(too_slow);
    let fine = wrong.is_none();
    if let Some((fact, remedy)) = wrong {
        collector.report(path, fact, remedy);
    }
    fine
}
