//! Rates and windows of Ethernet hosts, and the line by which RED marks.

use std::fmt::Write;

use congestree_schemes::mark::red::{Red, RedParams};
use congestree_schemes::mark::{Departing, HoldView, OutputView, PortView};
use congestree_schemes::react::dcqcn::{Dcqcn, DcqcnParams};
use congestree_schemes::react::dctcp::{Dctcp, DctcpParams};
use congestree_schemes::react::timely::{Timely, TimelyParams};
use congestree_schemes::react::{Acked, Feedback, LinkView};
use congestree_schemes::{Marker, ReactionPoint};
use congestree_units::{Bytes, Rate, Span, Time};

use crate::check;

pub(crate) const ALL: &[&str] = &[
    "dcqcn-byte-counter",
    "dcqcn-notifications-in-a-row",
    "dcqcn-paper",
    "dcqcn-vendor",
    "dctcp",
    "red-line",
    "timely",
];

/// 25 Gbit/s, packets of 1,000 bytes, a round trip of 8 us.
const LINK: LinkView =
    LinkView { line: Rate::from_gbps(25), packet: Bytes(1_000), round_trip: Span::from_us(8), hops: 1 };

/// A source that hears of marks at these times and sends a megabyte every 320 us: its rates in between.
fn rates(title: &str, params: &DcqcnParams, notified: &[u64], samples: &[u64], sends: bool) -> String {
    let mut source = Dcqcn::new(params);
    source.at_link(LINK);
    let mut told = format!("{title}\n{:>12}{:>14}{:>14}{:>10}\n", "at", "rate", "target", "alpha");
    let sent: Vec<u64> = (1..=100).map(|i| i * 320).filter(|_| sends).collect();
    let mut times: Vec<(u64, u8)> = notified.iter().map(|&at| (at, 0)).collect();
    times.extend(sent.iter().map(|&at| (at, 1)).chain(samples.iter().map(|&at| (at, 2))));
    times.sort_unstable();
    let last = samples.iter().chain(notified).max().copied().unwrap_or(0);
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
    let samples: Vec<u64> = (1..=12).map(|i| 100 + 55 * i).collect();
    let params = DcqcnParams { byte_counter: Bytes(1 << 40), ..Default::default() };
    check("dcqcn-paper", &rates(title, &params, &[100], &samples, false));
}

#[test]
fn dcqcn_as_adapters_come_set() {
    let title = "Two notifications 600 us apart: recovery every 300 us, half, then 5, then 50 Mbit/s more each time.";
    let samples: Vec<u64> = [50, 399, 400, 699].into_iter().chain((3..=9).map(|i| 100 + 300 * i)).collect();
    check("dcqcn-vendor", &rates(title, &DcqcnParams::vendor(), &[100, 700], &samples, false));
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
    let samples: Vec<u64> = [639, 640, 1_279, 1_280, 1_319, 1_320, 1_375].into();
    check("dcqcn-byte-counter", &rates(title, &params, &[0, 50], &samples, true));
}

#[test]
fn dctcp_windows() {
    let mut told =
        String::from("A window that doubles, then shrinks by half of alpha: rounds, and packets marked in each.\n");
    let mut source = Dctcp::new(&DctcpParams { initial_window: 4, ..Default::default() });
    let mut outstanding = 0u32;
    let send = |source: &Dctcp, outstanding: &mut u32| {
        *outstanding = (*outstanding).max(source.window().unwrap_or(0));
    };
    send(&source, &mut outstanding);
    for marked in [0, 0, 0, 8, 4, 0, 0, 1, 0, 30, 30, 30, 0] {
        let round = outstanding;
        for i in 0..round {
            outstanding -= 1;
            let feedback = if i < marked { Feedback::Congested } else { Feedback::Clear };
            source.on_ack(Time::START, &Acked { outstanding, ..Acked::one(feedback, Span::ZERO) });
            send(&source, &mut outstanding);
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
        source.on_ack(Time::START, &Acked::one(Feedback::Clear, Span::from_us(us)));
        let _ = writeln!(told, "{us:>6} us   {:>9.2} Mb/s", source.rate() / 1e6);
    }
    check("timely", &told);
}

#[test]
fn the_line_of_red() {
    let mut told =
        String::from("100 and 400 kB at 25 Gbit/s, Pmax 0.2, here at 50 Gbit/s: the largest draw that marks.\n");
    for waiting in [0u64, 200_000, 200_001, 350_000, 500_000, 800_000, 800_001, 2_000_000] {
        let mut marker = Red::new(&RedParams::for_25_gbps());
        let rate = Rate::from_gbps(50);
        marker.at_port(PortView {
            number: 1,
            to_host: false,
            buffer: Bytes(1 << 20),
            lane: 0,
            rate,
            hold: HoldView::NONE,
        });
        let view = OutputView { now: Time::START, present: 0, waiting, last_blocked: None };
        let marks = |i: &u32| {
            marker.clone().on_departure(view, Departing { size: 1_000, isolated: false }, || f64::from(*i) / 1e4)
        };
        let most = (0..10_000).filter(marks).max();
        let _ =
            writeln!(told, "{waiting:>9} B   {}", most.map_or("none".into(), |i| format!("{:.4}", f64::from(i) / 1e4)));
    }
    check("red-line", &told);
}
