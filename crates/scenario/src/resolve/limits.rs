//! Sizes and rates beyond which nothing can be meant.

use congestree_units::{Bytes, Rate};

use crate::resolve::Findings;

/// Larger messages could not be sent within a run.
pub(in crate::resolve) const LARGEST_MESSAGE: Bytes = Bytes(1_000_000_000_000_000);

/// Larger packets could not be meant.
pub(in crate::resolve) const LARGEST_PACKET: Bytes = Bytes(16 << 20);

/// Slower than any link that could be meant; spans and rates below stay far from the ends of their range.
const SLOWEST: Rate = Rate(1_000);

/// Complains about a rate that is zero or nearly so.
pub(in crate::resolve) fn check_rate(rate: Option<Rate>, path: &str, findings: &mut Findings<'_>) {
    match rate {
        Some(Rate(0)) => {
            findings.complain(path, "the rate is zero, so nothing would ever move", "give a rate above zero")
        }
        Some(rate) if rate < SLOWEST => {
            findings.complain(
                path,
                format!("a rate of {rate} is too slow to be meant"),
                format!("make it at least {SLOWEST}"),
            );
        }
        _ => {}
    }
}
