//! What parts of InfiniBand do, step by step, in named situations: each has a text file in `snapshots/`.
//!
//! `CONGESTREE_ACCEPT=1 cargo test -p congestree-schemes --test snapshots` writes down what they do now. Whoever accepts
//! should be able to say from the head of the file why each line is right.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use congestree_schemes::cct_table::{CctTable, Curve};
use congestree_schemes::mark::fecn::{Choice, Fecn, FecnParams, Fill, VictimMask};
use congestree_schemes::mark::red::{Red, RedParams};
use congestree_schemes::mark::{Departing, FillView, OutputView, PortView, Shift};
use congestree_schemes::react::cct::{Cct, CctParams, TimerRuns};
use congestree_schemes::react::dcqcn::{Dcqcn, DcqcnParams};
use congestree_schemes::react::dctcp::{Dctcp, DctcpParams};
use congestree_schemes::react::timely::{Timely, TimelyParams};
use congestree_schemes::react::{Feedback, LinkView, Sent};
use congestree_schemes::{Marker, ReactionPoint};
use congestree_units::{Bytes, Rate, Span, Time};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots")
}

/// Compares what is told with the file of this name, or writes it.
fn check(name: &str, told: &str) {
    let path = folder().join(format!("{name}.txt"));
    if std::env::var_os("CONGESTREE_ACCEPT").is_some() {
        fs::write(&path, told).expect("the snapshot can be written");
    }
    let before = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(told, before, "{} (accept with CONGESTREE_ACCEPT=1)", path.display());
}

#[test]
fn no_snapshot_is_left_over() {
    if std::env::var_os("CONGESTREE_ACCEPT").is_some() {
        return; // They are being written.
    }
    let mut there: Vec<String> = fs::read_dir(folder())
        .expect("there is a folder of snapshots")
        .map(|file| file.expect("the folder can be listed").file_name().to_string_lossy().replace(".txt", ""))
        .collect();
    there.sort();
    let mut wanted: Vec<&str> = THROTTLES.iter().chain(MARKINGS).chain(RATES).copied().collect();
    wanted.sort_unstable();
    assert_eq!(there, wanted);
}

// ---- throttles -------------------------------------------------------------------------------------------------------

const THROTTLES: &[&str] = &[
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

fn us(time: Time) -> String {
    format!("{:.3} us", time.0 as f64 / 1e6)
}

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
            let sent = Sent { start, time: PACKET, full: PACKET };
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

// ---- rates and windows of Ethernet hosts -----------------------------------------------------------------------------

const RATES: &[&str] = &[
    "dcqcn-byte-counter",
    "dcqcn-notifications-in-a-row",
    "dcqcn-paper",
    "dcqcn-vendor",
    "dctcp",
    "red-line",
    "timely",
];

/// 25 Gbit/s, packets of 1,000 bytes, a round trip of 8 us.
const LINK: LinkView = LinkView { line: Rate::from_gbps(25), packet: Bytes(1_000), round_trip: Span::from_us(8) };

/// A source that hears of marks at these times and sends a megabyte every 320 us: its rates in between.
fn rates(title: &str, params: &DcqcnParams, notified: &[u64], looks: &[u64], sends: bool) -> String {
    let mut source = Dcqcn::new(params);
    source.at_link(LINK);
    let mut told = format!("{title}\n{:>12}{:>14}{:>14}{:>10}\n", "at", "rate", "target", "alpha");
    let sent: Vec<u64> = (1..=100).map(|i| i * 320).filter(|_| sends).collect();
    let mut times: Vec<(u64, u8)> = notified.iter().map(|&at| (at, 0)).collect();
    times.extend(sent.iter().map(|&at| (at, 1)).chain(looks.iter().map(|&at| (at, 2))));
    times.sort_unstable();
    let last = looks.iter().chain(notified).max().copied().unwrap_or(0);
    for (us, what) in times.into_iter().filter(|(us, _)| *us <= last) {
        let now = Time(us * 1_000_000);
        match what {
            0 => source.on_feedback(now, Feedback::Congested),
            1 => source.on_sent(now, Bytes(1_000_000)),
            _ => {}
        }
        if what != 1 {
            let (rate, target) = (source.rate(now) / 1e6, source.target(now) / 1e6);
            let why = if what == 0 { "  notified" } else { "" };
            let alpha = source.alpha(now);
            let _ = writeln!(told, "{us:>9} us{rate:>9.2} Mb/s{target:>9.2} Mb/s{alpha:>10.6}{why}");
        }
    }
    told
}

#[test]
fn dcqcn_as_in_its_paper() {
    let title =
        "One notification, timers alone: halved, five times half of the way back, then 5 and never 50 Mbit/s more.";
    let looks: Vec<u64> = (1..=12).map(|i| 100 + 55 * i).collect();
    let params = DcqcnParams { byte_counter: Bytes(1 << 40), ..Default::default() };
    check("dcqcn-paper", &rates(title, &params, &[100], &looks, false));
}

#[test]
fn dcqcn_as_adapters_come_set() {
    let title = "Two notifications 600 us apart: recovery every 300 us, half, then 5, then 50 Mbit/s more each time.";
    let looks: Vec<u64> = [50, 399, 400, 699].into_iter().chain((3..=9).map(|i| 100 + 300 * i)).collect();
    check("dcqcn-vendor", &rates(title, &DcqcnParams::vendor(), &[100, 700], &looks, false));
}

#[test]
fn dcqcn_with_notifications_in_a_row() {
    let title = "Notifications every 10 us, a cut at most every 50 us: those between are made up for at its end.";
    let notified: Vec<u64> = (0..12).map(|i| 10 * i).collect();
    let params = DcqcnParams { byte_counter: Bytes(0), ..Default::default() };
    check(
        "dcqcn-notifications-in-a-row",
        &rates(title, &params, &notified, &[119, 120, 149, 150, 155, 205, 210], false),
    );
}

#[test]
fn dcqcn_with_a_byte_counter() {
    let title =
        "A megabyte every 320 us, a counter of two: it raises the rate beside the timer, and both past F is hyper.";
    let params = DcqcnParams { byte_counter: Bytes(2_000_000), stages: 1, ..Default::default() };
    let looks: Vec<u64> = [639, 640, 1_279, 1_280, 1_319, 1_320, 1_375].into();
    check("dcqcn-byte-counter", &rates(title, &params, &[0, 50], &looks, true));
}

#[test]
fn dctcp_windows() {
    let mut told =
        String::from("A window that doubles, then shrinks by half of alpha: rounds, and packets marked in each.\n");
    let mut source = Dctcp::new(&DctcpParams { initial_window: 4, ..Default::default() });
    let mut outstanding = 0u32;
    let send = |source: &mut Dctcp, outstanding: &mut u32| {
        while *outstanding < source.window().unwrap_or(0) {
            source.on_sent(Time::START, Bytes(1_000));
            *outstanding += 1;
        }
    };
    send(&mut source, &mut outstanding);
    for marked in [0, 0, 0, 8, 4, 0, 0, 1, 0, 30, 30, 30, 0] {
        let round = outstanding;
        for i in 0..round {
            source.on_feedback(Time::START, if i < marked { Feedback::Congested } else { Feedback::Clear });
            outstanding -= 1;
            send(&mut source, &mut outstanding);
        }
        let (size, alpha) = (source.size(), source.alpha());
        let _ = writeln!(
            told,
            "{round:>4} acknowledged, {:>2} marked: window {size:>7.3}, alpha {alpha:.6}",
            marked.min(round)
        );
    }
    check("dctcp", &told);
}

#[test]
fn timely_gradients() {
    let mut told =
        String::from("Round-trip times below, between and above the thresholds (50 us, 500 us), 10 Mbit/s a step.\n");
    let mut source = Timely::new(&TimelyParams { segment: Bytes(1), ..Default::default() });
    source.at_link(LINK);
    for us in [20, 30, 60, 80, 100, 100, 90, 80, 70, 60, 55, 52, 51, 300, 600, 1_000, 400, 100, 40, 30] {
        source.on_ack(Time::START, Feedback::Clear, Span::from_us(us));
        let _ = writeln!(told, "{us:>6} us   {:>9.2} Mb/s", source.rate() / 1e6);
    }
    check("timely", &told);
}

#[test]
fn the_line_of_red() {
    let mut told =
        String::from("100 and 400 kB at 25 Gbit/s, Pmax 0.2, here at 50 Gbit/s: the largest die that marks.\n");
    for waiting in [0u32, 200_000, 200_001, 350_000, 500_000, 800_000, 800_001, 2_000_000] {
        let mut marker = Red::new(&RedParams::for_25_gbps());
        let rate = Rate::from_gbps(50);
        marker.at_port(PortView { number: 1, to_host: false, buffer: Bytes(1 << 20), lane: 0, rate });
        marker.on_fill(FillView { before: 0, after: waiting }, || true, |_| 0);
        let view = OutputView { now: Time::START, present: 0, last_blocked: None };
        let marks = |i: &u32| marker.clone().on_departure(view, Departing { size: 1_000 }, || f64::from(*i) / 1e4);
        let most = (0..10_000).filter(marks).max();
        let _ =
            writeln!(told, "{waiting:>9} B   {}", most.map_or("none".into(), |i| format!("{:.4}", f64::from(i) / 1e4)));
    }
    check("red-line", &told);
}

// ---- marking ---------------------------------------------------------------------------------------------------------

const MARKINGS: &[&str] = &[
    "fecn-every-third",
    "fecn-one-queue",
    "fecn-one-threshold",
    "fecn-small-packets",
    "fecn-sum",
    "fecn-sum-per-input",
    "fecn-victim",
    "fecn-victim-towards-a-host",
    "fecn-weight-zero",
];

/// What happens to an output.
#[derive(Clone, Copy)]
enum Step {
    /// The queue of an input goes to so many bytes, while a full packet has credit.
    Fill(usize, u32),
    /// The same without credit.
    Starved(usize, u32),
    /// A data packet of so many bytes leaves.
    Leaves(u32),
}
use Step::{Fill as Goes, Leaves, Starved};

/// Thresholds 4000 B and 1500 B; every packet of the state marked.
fn plain() -> FecnParams {
    FecnParams { enter: Some(Bytes(4_000)), gap: Bytes(2_500), marking_rate: 0, ..Default::default() }
}

/// An output with queues at three inputs: every step, the fills after it, and what it did.
fn states(title: &str, params: FecnParams, to_host: bool, steps: &[Step]) -> String {
    let mut told = format!("{title}\n");
    let mut marker = Fecn::new(&params);
    marker.at_port(PortView { number: 7, to_host, buffer: Bytes(65_536), lane: 0, rate: Rate::from_gbps(20) });
    let mut queues = [0; 3];
    let (mut congested, view) = (false, OutputView { now: Time::START, present: 1, last_blocked: None });
    for &step in steps {
        let did = match step {
            Goes(input, after) | Starved(input, after) => {
                let before = std::mem::replace(&mut queues[input], after);
                let shift = marker.on_fill(
                    FillView { before, after },
                    || matches!(step, Goes(..)),
                    |bytes| queues.iter().filter(|&&held| held > bytes).count() as u16,
                );
                congested = shift == Shift::Entered || (congested && shift != Shift::Left);
                let credit = if matches!(step, Goes(..)) { "" } else { ", no credit" };
                format!("queue {input}: {before} -> {after} B{credit}")
            }
            Leaves(size) => {
                let marked = marker.on_departure(view, Departing { size }, || 0.5);
                format!("{size} B leave{}", if marked { ", marked" } else { "" })
            }
        };
        let state = if congested { "congested" } else { "calm" };
        let _ = writeln!(told, "  {did:<36} {:<20} {state}", format!("{queues:?}"));
    }
    told
}

#[test]
fn one_queue() {
    let title = "Entered above 4000 B in any one queue, left when all are at 1500 B or below.";
    let steps = [
        Goes(0, 2_000),
        Goes(1, 4_000),
        Leaves(2_000),
        Goes(0, 4_001),
        Leaves(2_000),
        Goes(0, 1_500),
        Leaves(2_000),
        Goes(1, 1_501),
        Goes(1, 1_500),
        Leaves(2_000),
    ];
    check("fecn-one-queue", &states(title, plain(), false, &steps));
}

#[test]
fn one_threshold() {
    let title = "Gap 0: left at the fill at which it was not yet entered.";
    let steps = [Goes(0, 4_000), Goes(0, 4_001), Goes(0, 4_000), Goes(0, 6_000), Goes(0, 3_000)];
    check("fecn-one-threshold", &states(title, FecnParams { gap: Bytes(0), ..plain() }, false, &steps));
}

#[test]
fn a_victim_of_what_is_downstream() {
    let title = "Towards a switch, without credit: not entered until the next change finds credit.";
    let steps = [Starved(0, 8_000), Leaves(2_000), Starved(0, 9_000), Goes(0, 5_000), Leaves(2_000), Starved(0, 2_000)];
    check("fecn-victim", &states(title, plain(), false, &steps));
}

#[test]
fn a_victim_of_a_slow_host() {
    let title = "Towards a host, without credit: the Victim_Mask has hosts, so it is entered.";
    let mut told = states(title, plain(), true, &[Starved(0, 8_000), Leaves(2_000)]);
    told += "\n";
    let none = FecnParams { victim_mask: VictimMask::None, ..plain() };
    told += &states("The same with an empty mask.", none, true, &[Starved(0, 8_000), Leaves(2_000)]);
    check("fecn-victim-towards-a-host", &told);
}

#[test]
fn a_sum() {
    let title = "The sum of all queues: three times 1400 B are above 4000 B.";
    let steps = [Goes(0, 1_400), Goes(1, 1_400), Goes(2, 1_400), Goes(0, 0), Goes(1, 101), Goes(1, 100)];
    check("fecn-sum", &states(title, FecnParams { fill: Fill::Sum, ..plain() }, false, &steps));
}

#[test]
fn a_sum_per_input() {
    let title = "The sum times the inputs that contribute: entered at 2 x 2100 B, left at 1 x 1500 B.";
    let steps = [
        Goes(0, 1_400),
        Goes(1, 600),
        Goes(1, 700),
        Goes(2, 1),
        Goes(0, 1_501),
        Goes(2, 0),
        Goes(1, 0),
        Goes(0, 1_500),
    ];
    check("fecn-sum-per-input", &states(title, FecnParams { fill: Fill::SumPerInput, ..plain() }, false, &steps));
}

#[test]
fn weight_zero() {
    let title = "Threshold weight 0: never.";
    let params = FecnParams { threshold: 0, enter: None, ..plain() };
    check("fecn-weight-zero", &states(title, params, true, &[Goes(0, 65_536), Leaves(2_000)]));
}

#[test]
fn small_packets() {
    let title = "Packet_Size 512 B: smaller packets are spared.";
    let steps = [Goes(0, 8_000), Leaves(511), Leaves(512), Leaves(64), Leaves(2_000)];
    check("fecn-small-packets", &states(title, plain(), false, &steps));
}

#[test]
fn every_third() {
    let title = "Marking_Rate 2, every third: small packets and calm times are not counted.";
    let params = FecnParams { marking_rate: 2, choice: Choice::EveryNth, ..plain() };
    let steps = [
        Goes(0, 8_000),
        Leaves(2_000),
        Leaves(64),
        Leaves(2_000),
        Goes(0, 0),
        Leaves(2_000),
        Goes(0, 8_000),
        Leaves(2_000),
        Leaves(2_000),
        Leaves(2_000),
        Leaves(2_000),
    ];
    check("fecn-every-third", &states(title, params, false, &steps));
}
