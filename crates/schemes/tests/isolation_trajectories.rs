//! The behaviour of the memory of an input, step by step, in named situations: each has a text file in `isolation/`.
//!
//! `CONGESTREE_ACCEPT=1 cargo test -p congestree-schemes --test isolation_trajectories` writes the files for the
//! current behaviour.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use congestree_schemes::isolate::cam::{Cam, HeadPacket, Holder};
use congestree_schemes::isolate::mirror::Mirror;
use congestree_schemes::isolate::{Effect, HeadDecision, IsolateParams, IsolationRules, Notice, RootRelease, StopAt};
use congestree_schemes::isolate::{ccfit, ecocc, fbicm, hfdi};

/// Compares the trace with the file of this name, or writes it.
fn check(name: &str, told: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/isolation/{name}.txt"));
    if std::env::var_os("CONGESTREE_ACCEPT").is_some() {
        fs::write(&path, told).expect("the trajectory can be written");
    }
    let before = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(told, before, "{} (accept with CONGESTREE_ACCEPT=1)", path.display());
}

/// One input with its memory, and a story of it.
struct Story {
    rules: IsolationRules,
    cam: Cam,
    mirror: Mirror,
    told: String,
}

/// Output 3, where the packets of these stories go.
const OUTPUT: u16 = 3;

impl Story {
    fn new(title: &str, params: IsolateParams) -> Self {
        let rules = params.rules().expect("it isolates");
        let cam = Cam::new(&rules);
        Self { rules, cam, mirror: Mirror::default(), told: format!("{title}\n") }
    }

    fn line(&mut self, what: &str, effects: &[Effect]) {
        let mut wants = Vec::new();
        for effect in effects {
            wants.push(match effect {
                Effect::Congested(output) => format!("output {output} congested"),
                Effect::Calm(output) => format!("output {output} calm"),
                Effect::Upstream(Notice::Allocate { line, hops, destinations }) => {
                    format!("allocate line {line}, {hops} hops, for {destinations:?}")
                }
                Effect::Upstream(Notice::Stop { line }) => format!("stop line {line}"),
                Effect::Upstream(Notice::Go { line }) => format!("go line {line}"),
                Effect::Upstream(Notice::Release { line }) => format!("release line {line}"),
            });
        }
        let lines: Vec<String> = self
            .cam
            .lines()
            .map(|(number, line)| {
                let queue = match line.holder {
                    Holder::Normal => "normal queue".to_owned(),
                    Holder::Isolated(queue) => format!("queue {queue}"),
                };
                let next = line.next.map_or(String::new(), |next| format!(" -> {next}"));
                format!("{number}: {queue}, {} hops, {:?}{next}", line.hops, line.destinations)
            })
            .collect();
        let wants = if wants.is_empty() { "-".to_owned() } else { wants.join("; ") };
        writeln!(self.told, "{what:<34} {wants:<62} | {}", lines.join("; ")).expect("text can be written");
    }

    /// The normal queue for the output grows to this many packets; at its head is one for this destination.
    fn grows(&mut self, held: u32, destination: u32, credit: bool) {
        let mut effects = Vec::new();
        let head = HeadPacket { output: OUTPUT, destination };
        let downstream = self.mirror.listing(destination).next().is_some();
        self.cam.normal_grew(&self.rules, held, |_| (head, downstream), |_| credit, &mut effects);
        let without = if credit { "" } else { " without credit" };
        self.line(&format!("normal queue: {held}, head {destination}{without}"), &effects);
    }

    fn shrinks(&mut self, held: u32, destination: u32) {
        let mut effects = Vec::new();
        let packet = HeadPacket { output: OUTPUT, destination };
        self.cam.normal_shrank(&self.rules, packet, held, true, &mut effects);
        self.line(&format!("normal queue: {held}, sent {destination}"), &effects);
    }

    fn head(&mut self, destination: u32) {
        let mut effects = Vec::new();
        let packet = HeadPacket { output: OUTPUT, destination };
        let verdict = self.cam.sort(&self.rules, packet, &self.mirror, &mut effects);
        let where_to = match verdict {
            HeadDecision::Stay => "stays".to_owned(),
            HeadDecision::NoQueue => "stays for lack of a queue".to_owned(),
            HeadDecision::Isolate(queue) => format!("to queue {queue}"),
        };
        self.line(&format!("head {destination} {where_to}"), &effects);
    }

    fn isolated_queue_grows(&mut self, queue: u8, counts: std::ops::RangeInclusive<u32>) {
        for held in counts {
            let mut effects = Vec::new();
            self.cam.isolated_queue_grew(&self.rules, queue, held, &mut effects);
            self.line(&format!("queue {queue}: {held}"), &effects);
        }
    }

    fn isolated_queue_shrinks(&mut self, queue: u8, counts: std::ops::RangeInclusive<u32>) {
        for held in counts.rev() {
            let stopped =
                self.cam.line_of(queue).and_then(|line| line.next).is_some_and(|next| self.mirror.stops(next));
            let mut effects = Vec::new();
            self.cam.isolated_queue_shrank(&self.rules, queue, held, stopped, &mut effects);
            self.line(&format!("queue {queue}: {held}{}", if stopped { " stopped" } else { "" }), &effects);
        }
    }

    /// From downstream; all set-aside queues are empty or not.
    fn hears(&mut self, notice: Notice, empty: bool) {
        self.mirror.hear(&notice);
        let mut effects = Vec::new();
        self.cam.hear(OUTPUT, &notice, |_| empty, &mut effects);
        let what = match notice {
            Notice::Allocate { line, destinations, .. } => format!("hears allocate {line} {destinations:?}"),
            Notice::Stop { line } => format!("hears stop {line}"),
            Notice::Go { line } => format!("hears go {line}"),
            Notice::Release { line } => format!("hears release {line}"),
        };
        self.line(&what, &effects);
    }

    fn end(&self, name: &str) {
        check(name, &self.told);
    }
}

fn allocate(line: u8, destinations: &[u32]) -> Notice {
    Notice::Allocate { line, hops: 1, destinations: destinations.to_vec() }
}

#[test]
fn ecocc_at_the_root() {
    let mut story = Story::new("EcoCC: a CPQ rises above 6 and falls.", IsolateParams::Ecocc(Default::default()));
    story.grows(6, 40, true);
    story.grows(7, 40, false);
    story.grows(8, 40, true);
    story.grows(9, 40, true);
    story.shrinks(8, 40);
    story.shrinks(7, 41);
    for held in (0..=5).rev() {
        story.shrinks(held, 40);
    }
    story.end("ecocc-root");
}

#[test]
fn ecocc_at_a_root_that_only_allocates() {
    let params =
        ecocc::EcoccParams { root_stops: false, root_release: RootRelease::Low, destinations: 1, ..Default::default() };
    let mut story = Story::new("EcoCC: a root that never stops, given up at 4.", IsolateParams::Ecocc(params));
    for held in 6..=9 {
        story.grows(held, 40, true);
    }
    story.shrinks(5, 41);
    story.shrinks(4, 40);
    story.end("ecocc-root-allocates-only");
}

#[test]
fn ecocc_upstream() {
    for (stop_at, name) in [
        (StopAt::NextPacket, "ecocc-upstream"),
        (StopAt::NextCrossing, "ecocc-upstream-next-crossing"),
        (StopAt::Allocation, "ecocc-upstream-with-allocation"),
    ] {
        let params = ecocc::EcoccParams { stop_at, ..Default::default() };
        let title = "EcoCC: a line downstream; its HPQ fills, is told to stop and go, and runs empty.";
        let mut story = Story::new(title, IsolateParams::Ecocc(params));
        story.head(40);
        story.hears(allocate(5, &[40, 41]), true);
        story.head(40);
        story.isolated_queue_grows(0, 5..=9);
        story.hears(Notice::Stop { line: 5 }, false);
        story.isolated_queue_shrinks(0, 4..=8);
        story.isolated_queue_grows(0, 6..=8);
        story.hears(Notice::Go { line: 5 }, false);
        story.head(42);
        story.hears(allocate(5, &[42]), false);
        story.head(42);
        story.isolated_queue_shrinks(0, 0..=7);
        story.hears(Notice::Release { line: 5 }, true);
        story.end(name);
    }
}

#[test]
fn ecocc_without_a_free_queue() {
    let params = ecocc::EcoccParams { queues: 1, ..Default::default() };
    let mut story = Story::new("EcoCC: two trees and one HPQ.", IsolateParams::Ecocc(params));
    story.hears(allocate(0, &[40]), true);
    story.hears(allocate(1, &[50]), true);
    story.head(40);
    story.head(50);
    story.isolated_queue_shrinks(0, 0..=0);
    story.head(50);
    story.end("ecocc-out-of-queues");
}

#[test]
fn a_line_whose_successor_is_gone_goes_on_and_may_find_it_again() {
    let mut story =
        Story::new("EcoCC: the line downstream is released too early.", IsolateParams::Ecocc(Default::default()));
    story.hears(allocate(2, &[40]), true);
    story.head(40);
    story.hears(Notice::Stop { line: 2 }, false);
    story.hears(Notice::Release { line: 2 }, false);
    story.head(40);
    story.hears(allocate(0, &[40]), false);
    story.head(40);
    story.isolated_queue_shrinks(0, 0..=0);
    story.end("ecocc-detached");
}

#[test]
fn ccfit_at_the_root() {
    let mut story =
        Story::new("CCFIT: the NFQ rises above 8; the CFQ fills and drains.", IsolateParams::Ccfit(Default::default()));
    story.grows(8, 40, false);
    story.grows(9, 40, false);
    story.grows(10, 50, true);
    story.head(40);
    story.isolated_queue_grows(0, 4..=12);
    story.isolated_queue_shrinks(0, 0..=6);
    story.end("ccfit-root");
}

#[test]
fn ccfit_takes_a_victim_for_the_root_until_it_hears_better() {
    let mut story = Story::new("CCFIT: the real root is downstream.", IsolateParams::Ccfit(Default::default()));
    story.grows(9, 40, false);
    story.head(40);
    story.isolated_queue_grows(0, 4..=6);
    story.hears(allocate(1, &[40]), false);
    story.hears(Notice::Stop { line: 1 }, false);
    story.head(40);
    story.isolated_queue_grows(0, 10..=11);
    story.isolated_queue_shrinks(0, 0..=4);
    story.hears(Notice::Go { line: 1 }, true);
    story.end("ccfit-false-root");
}

#[test]
fn fbicm_never_marks() {
    let mut story =
        Story::new("FBICM: as CCFIT, and no output is congested.", IsolateParams::Fbicm(fbicm::FbicmParams::default()));
    story.grows(9, 40, true);
    story.head(40);
    story.isolated_queue_grows(0, 4..=11);
    story.isolated_queue_shrinks(0, 0..=5);
    story.end("fbicm-root");
}

#[test]
fn hfdi_may_have_a_queue_at_the_root() {
    let params = hfdi::HfdiParams { local: true, destinations: 2, ..Default::default() };
    let mut story =
        Story::new("HFDI with local queues: one for a root, whatever it lists.", IsolateParams::Hfdi(params));
    story.grows(7, 40, true);
    story.grows(8, 41, true);
    story.grows(9, 42, true);
    for destination in 40..=42 {
        story.head(destination);
    }
    story.isolated_queue_grows(0, 6..=8);
    story.isolated_queue_shrinks(0, 0..=4);
    story.end("hfdi-local");
}

#[test]
fn five_thresholds_come_down_to_two() {
    // Paper V section III.E; Paper VI section 3.4.
    let ccfit = serde_json::to_value(ccfit::CcfitParams::default()).expect("it is plain data");
    let ecocc = serde_json::to_value(ecocc::EcoccParams::default()).expect("it is plain data");
    let count = |part: &serde_json::Value| {
        ["detect", "high", "low", "stop", "go"].iter().filter(|key| part.get(key).is_some_and(|v| v.is_u64())).count()
    };
    assert_eq!((count(&ccfit), count(&ecocc)), (5, 2));
}

#[test]
fn a_destination_of_two_lines_downstream_belongs_to_one_line_here() {
    let rules = IsolateParams::Ecocc(Default::default()).rules().expect("it isolates");
    let (mut cam, mut mirror, mut effects) = (Cam::new(&rules), Mirror::default(), Vec::new());
    mirror.hear(&allocate(0, &[40]));
    mirror.hear(&allocate(1, &[50, 40, 60]));
    for destination in [40, 50] {
        let packet = HeadPacket { output: 3, destination };
        assert!(matches!(cam.sort(&rules, packet, &mirror, &mut effects), HeadDecision::Isolate(_)));
    }
    let lists: Vec<&[u32]> = cam.lines().map(|(_, line)| &line.destinations[..]).collect();
    assert_eq!(lists, [&[40][..], &[50, 60]]);
    assert_eq!(cam.listed_twice(), None);
}
