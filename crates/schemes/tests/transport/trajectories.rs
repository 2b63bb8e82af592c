//! Trajectories as text: the behaviour of each transport, ACK by ACK, in one small scenario. A change of behaviour
//! shows up as a change of these files; `CONGESTREE_ACCEPT=1 cargo test` writes them again.

use std::fmt::Write;
use std::path::Path;

use congestree_schemes::TransportParams;
use congestree_schemes::transport::efl::{EflParams, Prediction};
use congestree_schemes::transport::go_back_n::GoBackNParams;
use congestree_schemes::transport::irn::IrnParams;
use congestree_schemes::transport::new_reno::NewRenoParams;
use congestree_units::{Bytes, Rate, Span, Time};

use crate::pipe::{Pipe, Run, What};

const PIPE: Pipe = Pipe {
    line: Rate::from_gbps(10),
    bottleneck: Rate::from_gbps(4),
    queue: 400,
    delay: Span::from_us(50),
    packet: Bytes(192),
};

/// A group of 15 packets, then a long one; the state after every event that changes it.
fn story(params: &TransportParams, pipe: Pipe, packets: u32, lose: &mut dyn FnMut(Time, What) -> bool) -> String {
    let mut run = Run::new(pipe, params, lose);
    for end in [15, 15 + packets] {
        assert!(run.until_done(end, Time(Span::from_ms(10_000).0)), "{params:?}");
    }
    let mut text =
        String::from("time (us)  event  phase                 rate (Mbit/s)  window  RTT (us)  predicted (us)\n");
    let mut before = None;
    for (at, event, gauges) in &run.trace {
        let mut shown = *gauges;
        shown.measured = Span(shown.measured.0 / 10_000 * 10_000);
        if before.replace(shown) == Some(shown) {
            continue;
        }
        let _ = writeln!(
            text,
            "{:9.2}  {event:5}  {:20}  {:13.1}  {:6.2}  {:8.2}  {:14.2}",
            at.as_secs() * 1e6,
            gauges.phase.name(),
            gauges.rate * 8e-6,
            gauges.window,
            gauges.measured.as_secs() * 1e6,
            gauges.predicted.as_secs() * 1e6,
        );
    }
    let _ = writeln!(text, "{:?}, {} packets sent", run.loss_counts(), run.sent);
    text
}

/// Loses these packets, each the first time that it is sent.
fn each_once(numbers: &[u32]) -> impl FnMut(Time, What) -> bool {
    let mut left = numbers.to_vec();
    move |_, what| {
        let found = left.iter().position(|&number| what == What::Data(number));
        found.map(|place| left.remove(place)).is_some()
    }
}

/// Number of packets of the long group, enough for each transport to reach a steady state.
fn length(params: &TransportParams) -> u32 {
    match params {
        TransportParams::NewReno(_) => 150,
        TransportParams::GoBackN(_) | TransportParams::Irn(_) => 200,
        _ => 1200,
    }
}

/// The story in which a packet in the middle of the long group is lost.
fn check(name: &str, params: TransportParams) {
    let middle = length(&params) / 2;
    check_losing(name, params, each_once(&[middle]));
}

fn check_losing(name: &str, params: TransportParams, mut lose: impl FnMut(Time, What) -> bool) {
    let packet = if matches!(params, TransportParams::NewReno(_)) { Bytes(1500) } else { PIPE.packet };
    let story = story(&params, Pipe { packet, ..PIPE }, length(&params), &mut lose);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transport").join(format!("{name}.txt"));
    if std::env::var_os("CONGESTREE_ACCEPT").is_some() {
        std::fs::write(&file, &story).expect("the trajectory can be written");
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(kept == story, "the trajectory of {name} has changed; accept it with CONGESTREE_ACCEPT=1:\n{story}");
}

fn efl() -> EflParams {
    EflParams { rtt_min: Some(Span::from_us(100)), ..Default::default() }
}

#[test]
fn the_trajectory_of_efl() {
    check("efl", TransportParams::Efl(efl()));
}

#[test]
fn the_trajectory_of_bandwidth_probing_alone() {
    let params = EflParams { delay_probing: false, prediction: Prediction::None, ..efl() };
    check("efl-bandwidth-probe", TransportParams::Efl(params));
}

#[test]
fn the_trajectory_of_plain() {
    let params = EflParams { probe_packets: 0, prediction: Prediction::None, ..efl() };
    check("efl-plain", TransportParams::Efl(params));
}

#[test]
fn the_trajectory_of_selective_repeat() {
    check("efl-selective", TransportParams::Efl(EflParams { selective: true, ..efl() }));
}

#[test]
fn the_trajectory_of_new_reno() {
    check("new-reno", TransportParams::NewReno(NewRenoParams::default()));
}

#[test]
fn the_trajectory_of_new_reno_without_slow_start() {
    let params = NewRenoParams { slow_start: false, ack_every: 2, initial_window: 4, ..Default::default() };
    check("new-reno-additive", TransportParams::NewReno(params));
}

/// The third packet of the second group's probe is lost, and so the rate is zero and packets go at the floor.
#[test]
fn the_trajectory_of_a_loss_in_the_bandwidth_probe() {
    check_losing("efl-loss-in-the-probe", TransportParams::Efl(efl()), each_once(&[17]));
    let params = EflParams { delay_probing: false, prediction: Prediction::None, ..efl() };
    check_losing("efl-bandwidth-probe-loss-in-the-probe", TransportParams::Efl(params), each_once(&[17]));
}

/// Nothing gets through for a while: the timer halves the rate, again and again down to the floor.
#[test]
fn the_trajectory_of_a_silence() {
    let silence = |at: Time, _| (5e-4..4e-3).contains(&at.as_secs());
    check_losing("efl-silence", TransportParams::Efl(efl()), silence);
}

#[test]
fn the_trajectory_of_go_back_n() {
    let params = GoBackNParams { window: Some(60), ..Default::default() };
    check("go-back-n", TransportParams::GoBackN(params.clone()));
    let params = GoBackNParams { selective: true, ..params };
    check_losing("go-back-n-selective", TransportParams::GoBackN(params), each_once(&[100, 110, 111]));
}

/// Three losses in one window: one recovery, and no packet but those three goes twice.
#[test]
fn the_trajectory_of_irn() {
    let params = IrnParams { window: Some(60), timeout_low: Span::from_us(200), ..Default::default() };
    check_losing("irn", TransportParams::Irn(params), each_once(&[100, 110, 111]));
}

/// Four losses in one window: one halving, a partial ACK for each but the last.
#[test]
fn the_trajectory_of_new_reno_with_several_losses_in_a_window() {
    let lost = each_once(&[75, 76, 79, 84]);
    check_losing("new-reno-several-losses", TransportParams::NewReno(NewRenoParams::default()), lost);
}
