//! The filter before a marker: it says when the marker need not be asked.
//!
//! Most changes concern short queues, most packets leave unmarked, and where packets are marked queues are long. So the
//! filter holds two fills: changes of a queue that stays at or below the first, or above the second, do not matter. The
//! filter is stored in 32 bits with the lane of the output, which every packet needs anyway: fills are rounded to 64 B,
//! so that in doubt the marker is asked.
//!
//! A marker that uses the total bytes waiting for the output is not told of queues and has no filter: it says from how
//! many bytes on it must be asked.

use congestree_schemes::{AnyMarker, Marker};

/// When a marker need not be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MarkingFilter(u32);

impl MarkingFilter {
    /// The marker need not be asked at all.
    pub(crate) const SHUT: MarkingFilter = MarkingFilter(MarkingFilter::CALM | MarkingFilter::LIVELY);
    /// The marker must be asked when a packet departs.
    const ASKS: u32 = 1 << 31;
    /// The fill up to which changes do not matter.
    const CALM: u32 = MarkingFilter::ASKS - 1 - MarkingFilter::LIVELY;
    /// The fill above which a queue is long and changes do not matter; all ones if there is no such limit.
    const LIVELY: u32 = (1 << 16) - 1;

    pub(crate) fn of(marker: &AnyMarker) -> MarkingFilter {
        let calm = (marker.low_watermark() / 64).min(MarkingFilter::CALM >> 16);
        let lively = marker.high_watermark().div_ceil(64).min(MarkingFilter::LIVELY);
        MarkingFilter(calm << 16 | lively | if marker.ignores_departures() { 0 } else { MarkingFilter::ASKS })
    }

    /// The marker must be told of a queue whose fill was, or is, `high` B and is, or was, no more than `low` B.
    #[inline(always)]
    pub(crate) fn hears(self, low: u32, high: u32) -> bool {
        high > (self.0 & MarkingFilter::CALM) >> 10
            && (low <= (self.0 & MarkingFilter::LIVELY) << 6 || self.0 & MarkingFilter::LIVELY == MarkingFilter::LIVELY)
    }

    /// The marker must be asked when a packet departs.
    #[inline(always)]
    pub(crate) fn asks(self) -> bool {
        self.0 & MarkingFilter::ASKS != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_schemes::MarkParams;
    use congestree_schemes::mark::fecn::FecnParams;
    use congestree_schemes::mark::{FillView, HoldView, PortView, StateChange};
    use congestree_units::{Bytes, Rate};

    /// A marker at a trunk with a buffer of 64 KiB: enters above 4096 B, leaves at 1536 B.
    fn fecn() -> AnyMarker {
        let mut marker = MarkParams::Fecn(FecnParams::default()).build();
        let (buffer, rate) = (Bytes(65_536), Rate::from_gbps(16));
        marker.at_port(PortView { number: 1, to_host: false, buffer, lane: 0, rate, hold: HoldView::NONE });
        marker
    }

    #[test]
    fn a_calm_marker_is_asked_about_queues_above_its_threshold_alone() {
        let filter = MarkingFilter::of(&fecn());
        assert_eq!([filter.hears(0, 4096), filter.hears(0, 4097), filter.hears(5000, 7000)], [false, true, true]);
        assert!(!filter.asks() && !MarkingFilter::SHUT.asks() && !MarkingFilter::SHUT.hears(0, 2_000_000));
    }

    #[test]
    fn a_marker_in_the_congestion_state_hears_when_queues_cross_either_threshold() {
        let mut marker = fecn();
        let shift = marker.on_fill(FillView { before: 4000, after: 6000 }, || true, |_| 1);
        assert_eq!(shift, StateChange::Entered);
        let filter = MarkingFilter::of(&marker);
        assert!(filter.asks());
        let heard = [(0, 1536), (0, 1537), (1500, 2000), (4096, 6144), (4097, 6171), (20_000, 22_000)];
        assert_eq!(heard.map(|(low, high)| filter.hears(low, high)), [false, true, true, true, false, false]);
    }
}
