//! Sizes and rates beyond which a value is certainly an error.

use congestree_schemes::check::too_slow;
use congestree_units::{Bytes, Rate};

use crate::resolve::Collector;

/// Larger messages could not be sent within a run.
pub(in crate::resolve) const LARGEST_MESSAGE: Bytes = Bytes(1_000_000_000_000_000);

/// Larger packets are certainly an error.
pub(in crate::resolve) const LARGEST_PACKET: Bytes = Bytes(16 << 20);

/// Reports a rate that is zero or nearly so.
pub(in crate::resolve) fn check_rate(rate: Option<Rate>, path: &str, collector: &mut Collector<'_>) {
    if let Some((fact, remedy)) = rate.and_then(too_slow) {
        collector.report(path, fact, remedy);
    }
}
