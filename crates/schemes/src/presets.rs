//! Schemes by name: the parts of published schemes.

use congestree_units::{Bytes, Rate, Span};

use crate::host::notify::{CnpParams, NotifyParams};
use crate::host::react::dcqcn::{DcqcnParams, WindowBound};
use crate::host::react::hpcc::{HpccParams, PintParams};
use crate::host::react::power_tcp::PowerTcpParams;
use crate::host::react::swift::SwiftParams;
use crate::host::react::{self, ReactParams, cct, dctcp, lipd, pcn, timely};
use crate::host::transport::efl::{EflParams, Prediction};
use crate::host::transport::irn::IrnParams;
use crate::host::transport::uet::{CongestionControl, UetParams};
use crate::host::transport::{self, TransportParams, new_reno};
use crate::switch::isolate::{self, IsolateParams, bfc, ccfit, ecocc, fbicm, hfdi};
use crate::switch::mark::{
    MarkParams, fecn, input_output_triggered, input_triggered, naive, none, np_ecn, output_triggered, red, root, tcd,
};

/// The parts of a scheme.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// The name a scenario uses.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// What switches and hosts set aside.
    pub isolate: IsolateParams,
    /// What switches mark.
    pub mark: MarkParams,
    /// How marks come back.
    pub notify: NotifyParams,
    /// What sources do.
    pub react: ReactParams,
    /// How losses are repaired.
    pub transport: TransportParams,
}

/// All presets, in the order in which `congestree list` shows them.
pub fn all() -> Vec<Preset> {
    [san(), rates_and_windows(), telemetry(), detection(), throttling(), isolation(), transports(), ultra()].concat()
}

/// Control of system area networks: marks, and source rates adjusted by ACKs.
fn san() -> Vec<Preset> {
    let lipd = || ReactParams::Lipd(lipd::LipdParams::default());
    vec![
        plain("none", "No congestion management: flow control alone."),
        Preset {
            mark: MarkParams::Naive(naive::NaiveParams::default()),
            react: lipd(),
            ..plain("naive", "Marks the packets in a full input buffer; LIPD sources (HPL-2002-4 section 5).")
        },
        Preset {
            mark: MarkParams::InputTriggered(input_triggered::InputTriggeredParams::default()),
            react: lipd(),
            ..plain(
                "input-triggered",
                "A full input buffer marks all traffic for the outputs of its packets; LIPD sources (HPL-2002-4 section 5).",
            )
        },
        Preset {
            mark: MarkParams::InputOutputTriggered(input_output_triggered::InputOutputTriggeredParams::default()),
            react: lipd(),
            ..plain(
                "input-output-triggered",
                "Marks by full input buffers and above a threshold of packets per output; LIPD sources (HPL-2002-4 section 5).",
            )
        },
        Preset {
            mark: MarkParams::OutputTriggered(output_triggered::OutputTriggeredParams::default()),
            react: lipd(),
            ..plain(
                "output-triggered",
                "Marks only above a threshold of packets per output; LIPD sources (ECN evaluation section IV.C).",
            )
        },
    ]
}

/// InfiniBand, RoCE and data centre Ethernet: marks and round-trip times.
fn rates_and_windows() -> Vec<Preset> {
    vec![
        Preset {
            mark: MarkParams::Fecn(fecn::FecnParams::default()),
            notify: cnp(),
            react: ReactParams::Cct(cct::CctParams::default()),
            ..plain(
                "ib-cc",
                "InfiniBand congestion control: FECN, BECN in notification packets, CCT; with the values of Gran's Paper III, Table I.",
            )
        },
        dcqcn(
            "dcqcn-paper",
            "DCQCN with the timers of its paper (Zhu et al., SIGCOMM 2015): rate cuts and CNPs at most every 50 us, recovery every 55 us.",
            paper_red(),
            50,
            DcqcnParams::paper(),
        ),
        dcqcn(
            "dcqcn-paper-window",
            "DCQCN with the timers of its paper, and a window of the bandwidth-delay product.",
            paper_red(),
            50,
            DcqcnParams { window: WindowBound::Bdp, ..DcqcnParams::paper() },
        ),
        dcqcn(
            "dcqcn-vendor",
            "DCQCN with the factory settings of RoCE adapters: rate cuts and CNPs at most every 4 us, recovery every 300 us.",
            red::RedParams::for_25_gbps(),
            4,
            DcqcnParams::vendor(),
        ),
        dcqcn(
            "dcqcn-vendor-window",
            "DCQCN with the factory settings of RoCE adapters, and a window of the bandwidth-delay product.",
            red::RedParams::for_25_gbps(),
            4,
            DcqcnParams { window: WindowBound::Bdp, ..DcqcnParams::vendor() },
        ),
        Preset {
            mark: MarkParams::Red(red::RedParams::step(Bytes(97_500), Some(Rate::from_gbps(10)))),
            react: ReactParams::Dctcp(dctcp::DctcpParams::default()),
            ..plain(
                "dctcp",
                "DCTCP windows (RFC 8257), with step marking above 65 packets at 10 Gbit/s (Alizadeh et al., SIGCOMM 2010).",
            )
        },
        reacts(
            "timely",
            "TIMELY: rates follow the gradient of the round-trip time, no marks (Mittal et al., SIGCOMM 2015).",
            ReactParams::Timely(timely::TimelyParams::default()),
        ),
    ]
}

/// Telemetry written by switches, and delay.
fn telemetry() -> Vec<Preset> {
    vec![
        reacts(
            "hpcc",
            "HPCC: windows from in-band telemetry (INT), no marks; with the values of its paper (Li et al., SIGCOMM 2019).",
            ReactParams::Hpcc(HpccParams::default()),
        ),
        reacts(
            "hpcc-pint",
            "HPCC with one byte of telemetry (PINT, SIGCOMM 2020), on a network with a round trip of 13 us.",
            ReactParams::Hpcc(HpccParams {
                round_trip: Some(Span::from_us(13)),
                pint: Some(PintParams::default()),
                ..HpccParams::default()
            }),
        ),
        reacts(
            "power-tcp",
            "PowerTCP: windows from in-band telemetry (INT) (Addanki et al., NSDI 2022).",
            ReactParams::PowerTcp(PowerTcpParams::default()),
        ),
        reacts(
            "theta-power-tcp",
            "PowerTCP from round-trip times alone, without telemetry (Addanki et al., NSDI 2022).",
            ReactParams::PowerTcp(PowerTcpParams::theta()),
        ),
        reacts(
            "swift",
            "Swift: windows that keep the round-trip time at a target (Kumar et al., SIGCOMM 2020), with the values of Bolt's authors.",
            ReactParams::Swift(SwiftParams::default()),
        ),
    ]
}

/// Markers that distinguish blocked from congested outputs.
fn detection() -> Vec<Preset> {
    vec![
        Preset {
            mark: ternary(),
            ..dcqcn(
                "tcd-dcqcn",
                "DCQCN with the timers of its paper and ternary detection: outputs blocked by flow control are not congested (TCD, Zhang et al., SIGCOMM 2021).",
                paper_red(),
                50,
                DcqcnParams::paper(),
            )
        },
        Preset {
            mark: ternary(),
            react: ReactParams::Timely(timely::TimelyParams::default()),
            ..plain("tcd-timely", "TIMELY with ternary detection: delays caused by flow control are ignored (TCD).")
        },
        Preset {
            mark: ternary(),
            notify: cnp(),
            react: ReactParams::Cct(cct::CctParams::default()),
            ..plain("tcd-ib-cc", "InfiniBand congestion control with ternary detection in place of FECN (TCD).")
        },
        Preset {
            mark: MarkParams::NpEcn(np_ecn::NpEcnParams::default()),
            react: ReactParams::Pcn(pcn::PcnParams::default()),
            ..plain(
                "pcn",
                "PCN: packets held by pauses are not marked, and sources slow down to the arrival rate (Cheng et al., NSDI 2020).",
            )
        },
    ]
}

/// The InfiniBand congestion control with which isolation was first compared.
fn throttling() -> Vec<Preset> {
    vec![
        injection_throttling(
            "ith",
            "Injection throttling: InfiniBand congestion control with the thresholds and the timer of Gran's Paper V.",
            4,
        ),
        injection_throttling("ib-ith", "Injection throttling with the thresholds of Gran's Paper VI.", 6),
    ]
}

/// Schemes that set congested flows aside.
fn isolation() -> Vec<Preset> {
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

/// Transports with repair of losses.
fn transports() -> Vec<Preset> {
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
fn ultra() -> Vec<Preset> {
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
            "Ultra Ethernet with both: a packet needs room in the window as well as credit (UEC 1.0, section 3.6).",
            UetParams { congestion_control: CongestionControl::Both, ..Default::default() },
        ),
    ]
}

/// Flow control alone: nothing set aside, no marks, no reaction, no repair.
fn plain(name: &'static str, summary: &'static str) -> Preset {
    Preset {
        name,
        summary,
        isolate: IsolateParams::None(isolate::none::NoParams::default()),
        mark: MarkParams::None(none::NoParams::default()),
        notify: NotifyParams::Ack,
        react: ReactParams::None(react::none::NoParams::default()),
        transport: TransportParams::None(transport::none::NoParams::default()),
    }
}

/// A reaction on switches that mark nothing.
fn reacts(name: &'static str, summary: &'static str, react: ReactParams) -> Preset {
    Preset { react, ..plain(name, summary) }
}

/// DCQCN, with notifications at most once in this many microseconds.
fn dcqcn(name: &'static str, summary: &'static str, mark: red::RedParams, interval: u64, react: DcqcnParams) -> Preset {
    Preset {
        mark: MarkParams::Red(mark),
        notify: NotifyParams::Cnp(CnpParams { interval: Span::from_us(interval), ..Default::default() }),
        react: ReactParams::Dcqcn(react),
        ..plain(name, summary)
    }
}

/// Kmin 5 KB, Kmax 200 KB, Pmax 1 % at 40 Gbit/s (Zhu et al., table 14).
fn paper_red() -> red::RedParams {
    red::RedParams {
        min: Bytes(5_000),
        max: Bytes(200_000),
        probability: 0.01,
        for_rate: Some(Rate::from_gbps(40)),
        ..Default::default()
    }
}

/// Congestion isolation (802.1Qcz): packets for destinations that make a queue too long go to a separate queue, and the
/// upstream neighbour is notified by a frame (CIP). Readings: by destination instead of by flow; as many congested
/// queues as FBICM needs for several trees at one input.
fn congestion_isolation() -> IsolateParams {
    let in_band = isolate::Notices::InBand(isolate::InBand::default());
    IsolateParams::Ccfit(ccfit::CcfitParams { queues: 4, notices: in_band, ..Default::default() })
}

/// Ternary detection, with the threshold at 25 Gbit/s and in proportion.
fn ternary() -> MarkParams {
    MarkParams::Tcd(tcd::TcdParams { for_rate: Some(Rate::from_gbps(25)), ..Default::default() })
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

/// Isolation alone.
fn isolates(name: &'static str, summary: &'static str, isolate: IsolateParams) -> Preset {
    Preset { isolate, ..plain(name, summary) }
}

/// The throttling with which Papers V and VI compare isolation: the congestion state is entered above this many packets
/// and left two packets below.
fn injection_throttling(name: &'static str, summary: &'static str, enter: u64) -> Preset {
    Preset {
        mark: MarkParams::Fecn(fecn::FecnParams {
            enter: Some(packets(enter)),
            gap: packets(2),
            share: Some(MARKED),
            ..Default::default()
        }),
        notify: cnp(),
        react: quick_cct(),
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

/// So many packets of 2 KiB.
fn packets(count: u64) -> Bytes {
    Bytes(2048 * count)
}

fn cnp() -> NotifyParams {
    NotifyParams::Cnp(CnpParams::default())
}

/// The table of Paper III with the timer of Paper V.
fn quick_cct() -> ReactParams {
    ReactParams::Cct(cct::CctParams { timer: Span::from_us(8), ..Default::default() })
}

/// The preset of this name.
pub fn preset(name: &str) -> Option<Preset> {
    all().into_iter().find(|preset| preset.name == name)
}
