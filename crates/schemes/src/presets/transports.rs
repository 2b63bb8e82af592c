//! Presets of transports that repair losses.

use congestree_units::{Bytes, Rate};

use super::{Preset, plain};
use crate::host::transport::efl::{EflParams, Prediction};
use crate::host::transport::irn::IrnParams;
use crate::host::transport::uet::{CongestionControl, UetParams};
use crate::host::transport::{TransportParams, new_reno};
use crate::switch::mark::{MarkParams, red};

/// Transports with repair of losses.
pub(super) fn transports() -> Vec<Preset> {
    vec![
        repairs(
            "efl",
            "Delay-based rate control with two-stage probing and a predicted round-trip time (EFL section III).",
            TransportParams::Efl(EflParams::default()),
        ),
        repairs(
            "efl-bw-probe",
            "EFL with bandwidth probing alone and the measured round-trip time (EFL section IV, BW probe).",
            TransportParams::Efl(EflParams {
                delay_probing: false,
                prediction: Prediction::None,
                ..Default::default()
            }),
        ),
        repairs(
            "efl-plain",
            "EFL without probing and prediction (EFL section IV, Plain).",
            TransportParams::Efl(EflParams { probe_packets: 0, prediction: Prediction::None, ..Default::default() }),
        ),
        repairs(
            "new-reno",
            "TCP NewReno (RFC 5681, RFC 6582, RFC 6298).",
            TransportParams::NewReno(new_reno::NewRenoParams::default()),
        ),
        repairs(
            "irn",
            "IRN: selective repeat in a window of the bandwidth-delay product, for RoCE on lossy links (Mittal et al., SIGCOMM 2018).",
            TransportParams::Irn(IrnParams::default()),
        ),
    ]
}

/// Ultra Ethernet.
pub(super) fn ultra() -> Vec<Preset> {
    vec![
        ultra_ethernet(
            "uec-nscc",
            "Ultra Ethernet with the sender's window alone (NSCC; UEC 1.0, section 3.6); for links of 100 Gbit/s and a round trip of 12 us.",
            UetParams::default(),
        ),
        ultra_ethernet(
            "uec-rccc",
            "Ultra Ethernet with the receiver's credit alone (RCCC; UEC 1.0, section 3.6); for links of 100 Gbit/s and a round trip of 12 us.",
            UetParams { congestion_control: CongestionControl::Rccc, ..Default::default() },
        ),
        ultra_ethernet(
            "uec-both",
            "Ultra Ethernet with both: a packet needs room in the window as well as credit (UEC 1.0, section 3.6); for links of 100 Gbit/s and a round trip of 12 us.",
            UetParams { congestion_control: CongestionControl::Both, ..Default::default() },
        ),
    ]
}

/// A transport, on switches that mark nothing.
fn repairs(name: &'static str, summary: &'static str, transport: TransportParams) -> Preset {
    Preset { transport, ..plain(name, summary) }
}

/// Ultra Ethernet: marks from 0.2 to 0.8 of a bandwidth-delay product, but not in front of a host that grants credit.
fn ultra_ethernet(name: &'static str, summary: &'static str, transport: UetParams) -> Preset {
    Preset {
        mark: MarkParams::Red(red::RedParams {
            min: Bytes(30_000),
            max: Bytes(120_000),
            probability: 1.0,
            for_rate: Some(Rate::from_gbps(100)),
            spare_last_hop: transport.credit().is_some(),
            ..Default::default()
        }),
        transport: TransportParams::Uet(transport),
        ..plain(name, summary)
    }
}
