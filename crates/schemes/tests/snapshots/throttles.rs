//! Throttles of InfiniBand: the index of the congestion control table and the pace that follows from it.

use std::fmt::Write;

use congestree_schemes::ReactionPoint;
use congestree_schemes::cct_table::{CctTable, Curve};
use congestree_schemes::react::cct::{Cct, CctParams, TimerRuns};
use congestree_schemes::react::{Feedback, Sent};
use congestree_units::{Rate, Span, Time};

use crate::{check, us};

pub(crate) const ALL: &[&str] = &[
    "cct-becns-at-the-timer-period",
    "cct-burst-of-becns",
    "cct-encoded-table",
    "cct-free-or-re-armed",
    "cct-increase-5",
    "cct-limit",
    "cct-min",
    "cct-one-becn",
    "cct-quadratic-table",
    "cct-silence",
];

/// A full packet takes a microsecond.
const PACKET: Span = Span::from_us(1);
/// The timer in these situations, unless they say otherwise.
const TIMER: Span = Span::from_us(10);

/// CCT[i] = 2 i us, timer 10 us.
fn two_us_an_index() -> CctParams {
    let table = CctTable::Linear(Curve { delay: Span::from_us(2), at: 1 });
    CctParams { timer: TIMER, table, ..Default::default() }
}

/// A source that always has a full packet, from 0 until `end`, with BECNs at these times: every step it takes.
fn trajectory(title: &str, params: CctParams, becns: &[u64], end: u64) -> String {
    let mut told = format!("{title}\n");
    let mut source = Cct::new(&params);
    let mut becns = becns.iter().map(|&at| Time(at * 1_000_000)).peekable();
    let mut start = Time::START;
    let mut last = None;
    while start < Time(end * 1_000_000) {
        // What is heard at an instant counts in the decisions of that instant.
        if let Some(&at) = becns.peek().filter(|&&at| at <= start) {
            becns.next();
            let before = source.ccti(at);
            source.on_feedback(at, Feedback::Congested);
            let _ = write!(told, "{:>12}  BECN    index {before} -> {}", us(at), source.ccti(at));
            start = last.map_or(start, |last| source.next_start(last)).max(at);
        } else {
            let sent = Sent { start, time: PACKET, full: PACKET, line: Rate::from_gbps(16) };
            let _ = write!(told, "{:>12}  packet  index {}", us(start), source.ccti(start));
            (last, start) = (Some(sent), source.next_start(sent));
        }
        let _ = writeln!(told, "{:>w$}{}", "next from ", us(start), w = 60 - told.lines().last().map_or(0, str::len));
    }
    told
}

#[test]
fn one_becn() {
    check(
        "cct-one-becn",
        &trajectory("One BECN: two microseconds of silence, until the timer expires.", two_us_an_index(), &[3], 20),
    );
}

#[test]
fn a_burst_of_becns() {
    let title = "Four BECNs within a packet: the index rises by four, and falls by one every 10 us.";
    check("cct-burst-of-becns", &trajectory(title, two_us_an_index(), &[5, 5, 5, 6], 60));
}

#[test]
fn becns_at_the_timer_period() {
    let title = "A BECN at each expiry: the index goes down before it goes up.";
    check("cct-becns-at-the-timer-period", &trajectory(title, two_us_an_index(), &[5, 15, 25, 35], 60));
}

#[test]
fn a_free_timer_and_one_that_is_armed_anew() {
    let becns = [8, 12, 19, 21];
    let mut told = trajectory("A timer that every BECN arms anew, 10 us.", two_us_an_index(), &becns, 45);
    let free = CctParams { timer_runs: TimerRuns::Free, ..two_us_an_index() };
    told += "\n";
    told += &trajectory("The same BECNs, and a timer that expires at 10 us, 20 us, 30 us, ...", free, &becns, 45);
    check("cct-free-or-re-armed", &told);
}

#[test]
fn the_limit() {
    let title = "Six BECNs, limit 3: the index goes no further.";
    let params = CctParams { limit: 3, ..two_us_an_index() };
    check("cct-limit", &trajectory(title, params, &[2, 3, 4, 5, 6, 7], 50));
}

#[test]
fn the_lowest_index() {
    let title = "Lowest index 2: the source starts there and comes back there.";
    let params = CctParams { min: 2, ..two_us_an_index() };
    check("cct-min", &trajectory(title, params, &[7], 40));
}

#[test]
fn a_table_of_codes() {
    let title = "Entries 0:0, 0:1, 1:3, 0:4 (shift:multiplier): rates of 1, 1/2, 2/5 and 1/5; a BECN a microsecond.";
    let codes = ["0:0", "0:1", "1:3", "0:4"].map(|code| code.parse().expect("a code"));
    let params = CctParams { limit: 3, table: CctTable::Encoded(codes.to_vec()), ..two_us_an_index() };
    check("cct-encoded-table", &trajectory(title, params, &[1, 2, 3], 50));
}

#[test]
fn a_quadratic_table() {
    let title = "CCT[i] = 7 us (i/106)^2, increase 32: idle times 0.638, 2.552, 5.741 us.";
    let params = CctParams { table: CctTable::default(), increase: 32, ..two_us_an_index() };
    check("cct-quadratic-table", &trajectory(title, params, &[2, 4, 8], 40));
}

#[test]
fn an_increase_of_five() {
    let title = "Increase 5: one BECN takes five expiries to forget.";
    check("cct-increase-5", &trajectory(title, CctParams { increase: 5, ..two_us_an_index() }, &[4], 70));
}

#[test]
fn silence() {
    let title = "No BECN at all: line rate.";
    check("cct-silence", &trajectory(title, two_us_an_index(), &[], 8));
}
