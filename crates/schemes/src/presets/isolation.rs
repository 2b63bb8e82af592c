//! Presets that isolate congested flows, and the throttling with which they were first compared.

use congestree_units::{Bytes, Span};

use super::rates::{dcqcn, paper_red};
use super::{Preset, cnp, plain};
use crate::host::react::dcqcn::DcqcnParams;
use crate::host::react::{ReactParams, cct};
use crate::switch::isolate::{self, IsolateParams, bfc, ccfit, ecocc, fbicm, hfdi};
use crate::switch::mark::{MarkParams, fecn, root};

/// The InfiniBand congestion control with which isolation was first compared.
pub(super) fn throttling() -> Vec<Preset> {
    vec![
        injection_throttling(
            "ith",
            "Injection throttling: InfiniBand congestion control with the thresholds and the timer of Gran's Paper V, for packets of 2 KiB on the wire.",
            4,
        ),
        injection_throttling(
            "ib-ith",
            "Injection throttling with the thresholds of Gran's Paper VI, for packets of 2 KiB on the wire.",
            6,
        ),
    ]
}

/// Schemes that isolate congested flows.
pub(super) fn isolation() -> Vec<Preset> {
    vec![
        isolates(
            "fbicm",
            "FBICM: isolates congested flows by destination, in switches with one queue at each input (Gran's Paper V).",
            IsolateParams::Fbicm(fbicm::FbicmParams::default()),
        ),
        throttles(
            "ccfit",
            "CCFIT: FBICM plus marking at the roots: isolation at once, throttling a little later (Gran's Paper V).",
            IsolateParams::Ccfit(ccfit::CcfitParams::default()),
        ),
        isolates(
            "hfdi",
            "HFDI: isolates hot flows, in switches with virtual output queues (Gran's Paper VI).",
            IsolateParams::Hfdi(hfdi::HfdiParams::default()),
        ),
        throttles(
            "ecocc",
            "EcoCC: HFDI plus marking at the roots; the root itself needs no set-aside queue (Gran's Paper VI).",
            IsolateParams::Ecocc(ecocc::EcoccParams::default()),
        ),
        Preset {
            isolate: congestion_isolation(),
            ..dcqcn(
                "qcz-dcqcn",
                "Congestion isolation of 802.1Qcz and DCQCN with ECN, independent of each other; with the thresholds of the DCQCN paper.",
                paper_red(),
                50,
                DcqcnParams::paper(),
            )
        },
        Preset {
            isolate: congestion_isolation(),
            mark: MarkParams::Root(root::RootParams {
                packet_size: Bytes(0),
                marking_rate: 0,
                only_set_aside: true,
                ..Default::default()
            }),
            ..dcqcn(
                "ici",
                "Integrated congestion isolation: only packets isolated at a root are marked for DCQCN (ICI, arXiv 2511.04639).",
                paper_red(),
                50,
                DcqcnParams::paper(),
            )
        },
        isolates(
            "bfc",
            "Backpressure flow control: per-flow queues at every output, stopped hop by hop (BFC, Goyal et al., NSDI 2022).",
            IsolateParams::Bfc(bfc::BfcParams::default()),
        ),
    ]
}

/// Congestion isolation (802.1Qcz): packets for destinations that make a queue too long go to a separate queue, and the
/// upstream neighbour is notified by a frame (CIP). Readings: by destination instead of by flow; as many congested
/// queues as FBICM needs for several trees at one input.
fn congestion_isolation() -> IsolateParams {
    let in_band = isolate::Notices::InBand(isolate::InBand::default());
    IsolateParams::Ccfit(ccfit::CcfitParams { queues: 4, notices: in_band, ..Default::default() })
}

/// Isolation alone.
fn isolates(name: &'static str, summary: &'static str, isolate: IsolateParams) -> Preset {
    Preset { isolate, ..plain(name, summary) }
}

/// The throttling with which Papers V and VI compare isolation: the congestion state is entered above this many packets
/// and left two packets below.
fn injection_throttling(name: &'static str, summary: &'static str, enter: u64) -> Preset {
    Preset {
        mark: MarkParams::Fecn(fecn::FecnParams {
            enter: Some(Bytes(PACKET.0 * enter)),
            gap: Bytes(PACKET.0 * 2),
            share: Some(MARKED),
            ..Default::default()
        }),
        notify: cnp(),
        react: quick_cct(),
        packet: Some(PACKET),
        ..plain(name, summary)
    }
}

/// Isolation, and throttling at the roots that it finds.
fn throttles(name: &'static str, summary: &'static str, isolate: IsolateParams) -> Preset {
    Preset {
        mark: MarkParams::Root(root::RootParams { share: Some(MARKED), ..Default::default() }),
        notify: cnp(),
        react: quick_cct(),
        ..isolates(name, summary, isolate)
    }
}

/// Share of the packets that Papers V and VI mark: their "85 per cent" is read as the part that is left unmarked.
const MARKED: f64 = 0.15;

/// A full packet on the wire of Papers V and VI.
const PACKET: Bytes = Bytes(2048);

/// The table of Paper III with the timer of Paper V.
fn quick_cct() -> ReactParams {
    ReactParams::Cct(cct::CctParams { timer: Span::from_us(8), ..Default::default() })
}
