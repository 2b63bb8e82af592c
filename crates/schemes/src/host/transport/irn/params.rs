//! Parameters of IRN, and what it declares of itself.

use congestree_units::Span;
use serde::{Deserialize, Serialize};

use crate::check::{Diagnostics, Setting};
use crate::host::bounds::{LossTimer, MostWindow, WindowUnit};
use crate::host::react::LinkView;
use crate::host::transport::{ReceiverParams, TransportKind, check_timeout};

/// Parameters of IRN.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct IrnParams {
    /// The most unacknowledged packets. Absent: as many as keep the link of the host busy for `round_trip`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub window: Option<u32>,
    /// Round-trip time for the bandwidth-delay product; the paper takes that of the longest path of the network.
    /// Absent: that of the flow's own path in the idle network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_trip: Option<Span>,
    /// With fewer packets in flight than this, `timeout_low` is used. Default 3.
    pub few: u32,
    /// Retransmission timeout while few packets are in flight (RTO_low). Default 100 us.
    pub timeout_low: Span,
    /// Retransmission timeout while more packets are in flight (RTO_high). Default 320 us.
    pub timeout_high: Span,
}

impl Default for IrnParams {
    fn default() -> Self {
        Self {
            window: None,
            round_trip: None,
            few: 3,
            timeout_low: Span::from_us(100),
            timeout_high: Span::from_us(320),
        }
    }
}

impl TransportKind for IrnParams {
    fn check(&self, _setting: &Setting, found: &mut Diagnostics) {
        let (low, high) = (self.timeout_low, self.timeout_high);
        for (key, time) in [("timeout_low", low), ("timeout_high", high)] {
            check_timeout(key, time, "a loss would be assumed at once", found);
        }
        if low > high {
            let fact = format!("the timeout for few packets in flight ({low}) is longer than that for many ({high})");
            found.report("timeout_low", fact, "make it at most timeout_high");
        }
        if self.few == 0 {
            let fact = format!("there are never fewer than zero packets in flight: {low} would never be used");
            found.report("few", fact, "make it at least 1, such as 3");
        }
        if let Some(window) = self.window.filter(|&window| window < self.few) {
            let fact =
                format!("with a window of {window} there are always few packets in flight: {high} would never be used");
            found.report("few", fact, format!("make it at most {window}, or the window larger"));
        }
        let Some(round_trip) = self.round_trip else { return };
        if round_trip == Span::ZERO {
            found.report("round_trip", "no packet would fit into the window", "give a time above zero");
        }
        if self.window.is_some() {
            let fact = "the window is given, so a round trip has no effect";
            found.report("round_trip", fact, "leave out one of them");
        }
        if low <= round_trip && low > Span::ZERO {
            let fact =
                format!("no answer is back before {round_trip}, so that packets would count as lost after {low}");
            found.report("timeout_low", fact, "make it longer than round_trip");
        }
    }

    /// Every packet is answered, and what is out of order is kept.
    fn receiver(&self) -> Option<ReceiverParams> {
        Some(ReceiverParams { every: 1, flush: None, keep: true })
    }

    fn leaves_the_rate(&self) -> bool {
        true
    }

    fn follows_on(&self) -> bool {
        true
    }

    fn has_headers(&self) -> bool {
        true
    }

    /// A window that is given is what was asked for.
    fn most_window(&self, path: LinkView) -> Option<MostWindow> {
        self.round_trip.filter(|_| self.window.is_none())?;
        let packets = path.with_round_trip(self.round_trip).packets_in_flight();
        Some(MostWindow::of(packets.into(), "round_trip", WindowUnit::RoundTrip))
    }

    fn loss_timers(&self) -> Vec<LossTimer> {
        vec![
            LossTimer { key: "timeout_high", span: self.timeout_high, fewer_than: None },
            LossTimer { key: "timeout_low", span: self.timeout_low, fewer_than: Some(self.few) },
        ]
    }
}
