//! The Ultra Ethernet transport: packets of a message take many paths, arrive out of order, and are acknowledged and
//! repeated individually.
//!
//! | part | does |
//! | --- | --- |
//! | [`sender`] | numbers, packets in flight, lost packets and their repetition (PDS, RUD and ROD) |
//! | [`receiver`] | received packets, and the ACKs and NACKs that report them (SACK, trimming) |
//! | [`nscc`] | the sender's window, from marks, delay and trims |
//! | [`rccc`] | the receiver's credit: which flow may send how much, in turn |
//! | [`crate::host::paths`] | the entropy of every packet |
//!
//! Ultra Ethernet Specification 1.0, sections 3.5 (packet delivery) and 3.6 (congestion management); details that it
//! leaves open follow the consortium's simulator (uet-htsim, `uec.cpp`).

use congestree_units::{Bytes, Rate, Span};
use serde::{Deserialize, Serialize};

use super::{AnyGrants, AnyReceiver, ReceiverParams, TransportKind};
use crate::check::{Diagnostics, Part, Setting};
use crate::host::bounds::{Fewer, LossTimer, MostWindow, SharedAck, WindowUnit};
use crate::host::paths::{PathsParams, mixed::MixedParams};
use crate::host::react::LinkView;

pub mod nscc;
pub mod rccc;
mod receiver;
mod sender;

pub use nscc::NsccParams;
pub use rccc::RcccParams;
pub use receiver::Selective;
pub use sender::Uet;

/// Parameters of the Ultra Ethernet transport.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct UetParams {
    /// Whether the receiver delivers packets in order, and so whether a message that is complete waits for those before
    /// it.
    pub delivery: DeliveryMode,
    /// Which side limits the data in flight.
    pub congestion_control: CongestionControl,
    /// Network signal congestion control (NSCC): parameters of the sender's window, if it is used.
    pub nscc: NsccParams,
    /// Receiver credit congestion control (RCCC): parameters of the receiver's credit, if it is used.
    pub rccc: RcccParams,
    /// Which paths packets take.
    pub paths: PathsParams,
    /// Base round-trip time of the idle network (T), to which windows, delays and gains are scaled. Absent: that of the
    /// flow's own path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_trip: Option<Span>,
    /// The largest window, and the data that may be sent before the first answer of the receiver, in bandwidth-delay
    /// products. Default 1.5.
    #[schemars(range(min = 0.1, max = 1000.0))]
    pub most_window: f64,
    /// Unmarked packets are acknowledged when this many bytes have arrived since the last ACK. Default 16,384 B. A window
    /// that is not larger than these and a bandwidth-delay product waits for ACKs: on short paths it takes a smaller value
    /// to fill the link.
    pub ack_after: Bytes,
    /// Retransmission timeout: a packet that was sent this long ago and has not been acknowledged counts as lost.
    /// Default 100 us: what uet-htsim has (15 us + 6·8 Q/C) for links of C = 100 Gbit/s and output queues of Q =
    /// 177,000 B. Packets that wait longer without being dropped are repeated in vain: on slower links, and where credits
    /// or pauses let long queues form, make it longer.
    pub timeout: Span,
    /// Virtual lane of ACKs, NACKs, credit requests and grants. Absent: that of the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 14))]
    pub control_lane: Option<u8>,
}

impl Default for UetParams {
    fn default() -> Self {
        Self {
            delivery: DeliveryMode::Unordered,
            congestion_control: CongestionControl::Nscc,
            nscc: NsccParams::default(),
            rccc: RcccParams::default(),
            paths: PathsParams::Mixed(MixedParams::default()),
            round_trip: None,
            most_window: 1.5,
            ack_after: Bytes(16_384),
            timeout: Span::from_us(100),
            control_lane: None,
        }
    }
}

impl UetParams {
    /// The sender's window, if it is used.
    pub fn window(&self) -> Option<&NsccParams> {
        matches!(self.congestion_control, CongestionControl::Nscc | CongestionControl::Both).then_some(&self.nscc)
    }

    /// The receiver's credit, if it is used.
    pub fn credit(&self) -> Option<&RcccParams> {
        matches!(self.congestion_control, CongestionControl::Rccc | CongestionControl::Both).then_some(&self.rccc)
    }
}

impl TransportKind for UetParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        for (key, none, fact) in [
            ("timeout", self.timeout == Span::ZERO, "a loss would be assumed at once"),
            ("round_trip", self.round_trip == Some(Span::ZERO), "no network answers at once"),
            ("ack_after", self.ack_after == Bytes(0), "an ACK would be due before anything has come in"),
        ] {
            if none {
                found.report(key, fact, "give a value above zero");
            }
        }
        if let Some(round_trip) = self.round_trip.filter(|&trip| self.timeout > Span::ZERO && trip >= self.timeout) {
            let fact = format!("no ACK is back before {round_trip} (round_trip), so every packet would count as lost");
            found.report("timeout", fact, "make it several times round_trip");
        }
        if !(0.1..=1000.0).contains(&self.most_window) {
            let fact = format!("{} is not a number of bandwidth-delay products", self.most_window);
            found.report("most_window", fact, "give a number such as 1.5");
        }
        found.check_lane("control_lane", self.control_lane, setting);
        found.within(&format!("paths.{}", self.paths.name()), |found| self.paths.check(setting, found));
        found.within("nscc", |found| self.nscc.check(found));
        found.within("rccc", |found| self.rccc.check(self.window().is_some(), found));
        for (key, used, given) in [
            ("nscc", self.window().is_some(), self.nscc != NsccParams::default()),
            ("rccc", self.credit().is_some(), self.rccc != RcccParams::default()),
        ] {
            if given && !used {
                let fact = "it does not decide, so that these values are of no use";
                let remedy = format!("leave it out, or write congestion_control = \"{key}\" or \"both\"");
                found.report(key, fact, remedy);
            }
        }
    }

    /// Its receivers accept packets in any order.
    fn receiver(&self) -> Option<ReceiverParams> {
        None
    }

    fn build_receiver(&self) -> Option<AnyReceiver> {
        Some(AnyReceiver::Selective(Selective::new(self)))
    }

    fn follows_on(&self) -> bool {
        true
    }

    fn has_headers(&self) -> bool {
        true
    }

    fn hears_of_trims(&self) -> bool {
        true
    }

    /// The window follows the shortest round trip that is measured, if that is shorter than the one given.
    fn most_window(&self, path: LinkView) -> Option<MostWindow> {
        self.window()?;
        let given = self.round_trip.filter(|&given| given < path.round_trip);
        let window = self.most_window * product(path.line, given.unwrap_or(path.round_trip));
        let packets = ((window / path.packet.0 as f64) as u32).max(1);
        let (key, unit) = match given {
            Some(_) => ("round_trip", WindowUnit::ShorterTrip { products: self.most_window, key: "most_window" }),
            None => ("most_window", WindowUnit::Products),
        };
        let each = self.ack_after.0.div_ceil(path.packet.0.max(1)).max(1);
        let each = u32::try_from(each).unwrap_or(u32::MAX);
        let per_ack = Some(SharedAck { each, key: "ack_after", counts_bytes: true, fewer: Fewer::Asked });
        Some(MostWindow { per_ack, ..MostWindow::of(packets.into(), key, unit) })
    }

    fn loss_timers(&self) -> Vec<LossTimer> {
        vec![LossTimer { key: "timeout", span: self.timeout, fewer_than: None }]
    }

    fn control_lane(&self) -> Option<u8> {
        self.control_lane
    }

    fn grants_credit(&self) -> bool {
        self.credit().is_some()
    }

    fn grants(&self, line: Rate, farthest: impl FnOnce() -> Span) -> Option<AnyGrants> {
        let params = self.credit()?;
        let round_trip = self.round_trip.unwrap_or_else(farthest);
        let window = self.most_window * product(line, round_trip);
        Some(AnyGrants::Rccc(rccc::Rccc::new(params, line, round_trip, window as u64)))
    }
}

/// Which side limits the data in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CongestionControl {
    /// The sender decides, by its window.
    Nscc,
    /// The receiver decides, by the credit that it grants.
    Rccc,
    /// Both: a packet needs room in the window as well as credit.
    Both,
    /// No congestion control: everything is sent at the rate of the link.
    None,
}

/// Whether packets are passed on in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeliveryMode {
    /// In the order of arrival (RUD): a message counts as received when all of it has arrived. Messages of a job that a
    /// receive could take for each other keep their order.
    Unordered,
    /// In order: packets that come early wait for the missing ones (ROD). A message counts as received when all of it
    /// and of the earlier messages of its flow has arrived.
    Ordered,
}

/// The bytes in flight that keep a link busy for this time.
fn product(rate: Rate, time: Span) -> f64 {
    rate.as_bytes_per_sec() * time.as_secs()
}
