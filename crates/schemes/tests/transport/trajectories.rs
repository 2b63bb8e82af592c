//! Trajectories as text: what each transport does, ACK by ACK, in one small story. A change of behaviour shows up as a
//! change of these files; `CONGESTREE_ACCEPT=1 cargo test` writes them anew.

use std::fmt::Write;
use std::path::Path;

use congestree_schemes::TransportParams;
use congestree_schemes::transport::efl::{EflParams, Prediction};
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

/// A group of 15 packets, then a long one in the middle of which a packet is lost once; the state after every event that
/// changes it.
fn story(params: &TransportParams, pipe: Pipe, packets: u32) -> String {
    let mut lost = false;
    let mut lose = |_: Time, what: What| what == What::Data(packets / 2) && !std::mem::replace(&mut lost, true);
    let mut run = Run::new(pipe, params, &mut lose);
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
    let _ = writeln!(text, "{:?}, {} packets sent", run.tally(), run.sent);
    text
}

fn check(name: &str, params: TransportParams) {
    let story = match params {
        TransportParams::NewReno(_) => story(&params, Pipe { packet: Bytes(1500), ..PIPE }, 150),
        _ => story(&params, PIPE, 1200),
    };
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
