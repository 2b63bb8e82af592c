//! Presets that mark packets and adjust the rates or windows of sources, or measure without marks.

use congestree_units::{Bytes, Rate, Span};

use super::{Preset, cnp, plain};
use crate::host::notify::{CnpParams, NotifyParams};
use crate::host::react::dcqcn::{DcqcnParams, WindowBound};
use crate::host::react::hpcc::{HpccParams, PintParams};
use crate::host::react::power_tcp::PowerTcpParams;
use crate::host::react::swift::SwiftParams;
use crate::host::react::{ReactParams, cct, dctcp, lipd, pcn, timely};
use crate::switch::mark::{
    MarkParams, fecn, input_output_triggered, input_triggered, naive, np_ecn, output_triggered, red, tcd,
};

/// Control of system area networks: marks, and source rates adjusted by ACKs.
pub(super) fn san() -> Vec<Preset> {
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
pub(super) fn rates_and_windows() -> Vec<Preset> {
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
pub(super) fn telemetry() -> Vec<Preset> {
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
pub(super) fn detection() -> Vec<Preset> {
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

/// A reaction on switches that mark nothing.
fn reacts(name: &'static str, summary: &'static str, react: ReactParams) -> Preset {
    Preset { react, ..plain(name, summary) }
}

/// DCQCN, with notifications at most once in this many microseconds.
pub(super) fn dcqcn(
    name: &'static str,
    summary: &'static str,
    mark: red::RedParams,
    interval: u64,
    react: DcqcnParams,
) -> Preset {
    Preset {
        mark: MarkParams::Red(mark),
        notify: NotifyParams::Cnp(CnpParams { interval: Span::from_us(interval), ..Default::default() }),
        react: ReactParams::Dcqcn(react),
        ..plain(name, summary)
    }
}

/// Kmin 5 KB, Kmax 200 KB, Pmax 1 % at 40 Gbit/s (Zhu et al., table 14).
pub(super) fn paper_red() -> red::RedParams {
    red::RedParams {
        min: Bytes(5_000),
        max: Bytes(200_000),
        probability: 0.01,
        for_rate: Some(Rate::from_gbps(40)),
        ..Default::default()
    }
}

/// Ternary detection, with the threshold at 25 Gbit/s and in proportion.
fn ternary() -> MarkParams {
    MarkParams::Tcd(tcd::TcdParams { for_rate: Some(Rate::from_gbps(25)), ..Default::default() })
}
