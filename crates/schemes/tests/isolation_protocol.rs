//! Allocate, stop, go and release between two switches, in every order in which they can happen.
//!
//! Two inputs one behind the other, each with its memory, a link for packets between them and one for notices back.
//! Starting empty, every possible step is taken, in every order, until a number of packets have been created; every
//! reachable state is visited once. From each of them the network is then drained: nothing may be left waiting,
//! allocated, stopped or known upstream, and no packet may have passed another for the same destination.

use std::collections::{HashSet, VecDeque};

use congestree_schemes::isolate::cam::{Cam, HeadPacket};
use congestree_schemes::isolate::mirror::Mirror;
use congestree_schemes::isolate::{Effect, HeadDecision, IsolateParams, IsolationRules, Notice, Suspect};
use congestree_schemes::isolate::{ccfit, ecocc, fbicm, hfdi};

/// A packet: its destination and its number among those for it.
type Packet = (u32, u8);

/// An input of a switch, its queues, and the memories of the outputs.
#[derive(Clone, Debug)]
struct Input {
    /// A normal queue for each output; otherwise one for all.
    voq: bool,
    /// Both destinations leave by output 0; otherwise each by its own.
    joint: bool,
    cam: Cam,
    mirrors: Vec<Mirror>,
    normal: Vec<VecDeque<Packet>>,
    isolated: Vec<VecDeque<Packet>>,
    /// Queues that count in the congestion state, by output.
    congested: Vec<i32>,
}

impl Input {
    fn new(rules: &IsolationRules, voq: bool, joint: bool) -> Self {
        Self {
            voq,
            joint,
            cam: Cam::new(rules),
            mirrors: vec![Mirror::default(); 2],
            normal: vec![VecDeque::new(); if voq { 2 } else { 1 }],
            isolated: vec![VecDeque::new(); usize::from(rules.queues)],
            congested: vec![0; 2],
        }
    }

    fn output(&self, destination: u32) -> u16 {
        if self.joint { 0 } else { destination as u16 }
    }

    fn queue(&self, destination: u32) -> usize {
        if self.voq { usize::from(self.output(destination)) } else { 0 }
    }

    /// A packet comes in.
    fn arrive(&mut self, rules: &IsolationRules, packet: Packet) -> Vec<Notice> {
        let queue = self.queue(packet.0);
        self.normal[queue].push_back(packet);
        let mut effects = Vec::new();
        let held = self.normal[queue].len() as u32;
        let destination = self.normal[queue][0].0;
        let head = HeadPacket { output: self.output(destination), destination };
        let downstream = self.mirrors[usize::from(head.output)].listing(destination).next().is_some();
        let suspect = |_: Suspect| (head, downstream);
        self.cam.normal_grew(rules, held, suspect, |_| true, &mut effects);
        self.sort(rules, queue, &mut effects);
        self.carry_out(effects)
    }

    /// Moves packets that must be isolated, from the head of a normal queue on.
    fn sort(&mut self, rules: &IsolationRules, queue: usize, effects: &mut Vec<Effect>) {
        while let Some(&packet) = self.normal[queue].front() {
            let waiting = HeadPacket { output: self.output(packet.0), destination: packet.0 };
            let mirror = &self.mirrors[usize::from(waiting.output)];
            let HeadDecision::Isolate(number) = self.cam.sort(rules, waiting, mirror, effects) else { return };
            self.normal[queue].pop_front();
            if self.voq {
                self.cam.normal_shrank(rules, waiting, self.normal[queue].len() as u32, false, effects);
            }
            self.isolated[usize::from(number)].push_back(packet);
            self.cam.isolated_queue_grew(rules, number, self.isolated[usize::from(number)].len() as u32, effects);
        }
    }

    fn stopped(&self, queue: usize) -> bool {
        let line = self.cam.line_of(queue as u8).expect("a queue that holds packets has a line");
        line.next.is_some_and(|next| self.mirrors[usize::from(line.output)].stops(next))
    }

    /// The queues that can send: normal ones, then set-aside ones.
    fn can_send(&self) -> Vec<usize> {
        let count = self.normal.len();
        let normal = (0..count).filter(|&queue| !self.normal[queue].is_empty());
        let isolated =
            (0..self.isolated.len()).filter(|&queue| !self.isolated[queue].is_empty() && !self.stopped(queue));
        normal.chain(isolated.map(|queue| queue + count)).collect()
    }

    fn send(&mut self, rules: &IsolationRules, from: usize) -> (Packet, Vec<Notice>) {
        let mut effects = Vec::new();
        let packet;
        if from < self.normal.len() {
            packet = self.normal[from].pop_front().expect("it can send");
            let waiting = HeadPacket { output: self.output(packet.0), destination: packet.0 };
            if self.voq {
                self.cam.normal_shrank(rules, waiting, self.normal[from].len() as u32, true, &mut effects);
            }
            self.sort(rules, from, &mut effects);
        } else {
            let queue = from - self.normal.len();
            let stopped = self.stopped(queue);
            packet = self.isolated[queue].pop_front().expect("it can send");
            let held = self.isolated[queue].len() as u32;
            self.cam.isolated_queue_shrank(rules, queue as u8, held, stopped, &mut effects);
        }
        (packet, self.carry_out(effects))
    }

    /// A notice comes from downstream.
    fn hear(&mut self, rules: &IsolationRules, output: usize, notice: &Notice) -> Vec<Notice> {
        assert!(self.mirrors[output].hear(notice), "{notice:?} is about nothing");
        let mut effects = Vec::new();
        let empty = |queue: u8| self.isolated[usize::from(queue)].is_empty();
        self.cam.hear(output as u16, notice, empty, &mut effects);
        if matches!(notice, Notice::Allocate { .. }) {
            for queue in 0..self.normal.len() {
                self.sort(rules, queue, &mut effects);
            }
        }
        self.carry_out(effects)
    }

    fn carry_out(&mut self, effects: Vec<Effect>) -> Vec<Notice> {
        assert_eq!(self.cam.listed_twice(), None, "a destination is in two lines");
        let mut notices = Vec::new();
        for effect in effects {
            match effect {
                Effect::Upstream(notice) => notices.push(notice),
                Effect::Congested(output) => self.congested[usize::from(output)] += 1,
                Effect::Calm(output) => self.congested[usize::from(output)] -= 1,
            }
        }
        assert!(self.congested.iter().all(|&count| count >= 0), "more queues have calmed down than were congested");
        notices
    }

    fn assert_at_rest(&self) {
        assert!(self.normal.iter().chain(&self.isolated).all(VecDeque::is_empty), "packets wait for ever: {self:?}");
        assert!(self.cam.is_empty(), "lines are left: {self:?}");
        assert!(self.mirrors.iter().all(Mirror::is_empty), "a release was lost: {self:?}");
        assert_eq!(self.congested, [0, 0], "an output stays congested");
    }
}

/// Two inputs, the messages between them, and the state of the switch before them.
#[derive(Clone, Debug)]
struct Line {
    up: Input,
    down: Input,
    wire: VecDeque<Packet>,
    back: VecDeque<Notice>,
    /// The output before the upper input.
    before: Mirror,
    made: [u8; 2],
    delivered: [u8; 2],
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Make(u32),
    UpSends(usize),
    DownSends(usize),
    PacketComes,
    NoticeComes,
}

impl Line {
    fn steps(&self, most: u8) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        if self.made.iter().sum::<u8>() < most {
            steps.extend([Step::Make(0), Step::Make(1)]);
        }
        if self.wire.len() < 2 {
            steps.extend(self.up.can_send().into_iter().map(Step::UpSends));
        }
        steps.extend(self.down.can_send().into_iter().map(Step::DownSends));
        if !self.wire.is_empty() {
            steps.push(Step::PacketComes);
        }
        if !self.back.is_empty() {
            steps.push(Step::NoticeComes);
        }
        steps
    }

    fn take(&mut self, rules: &IsolationRules, step: Step) {
        match step {
            Step::Make(destination) => {
                let number = &mut self.made[destination as usize];
                *number += 1;
                let packet = (destination, *number);
                let notices = self.up.arrive(rules, packet);
                self.tell_before(notices);
            }
            Step::UpSends(queue) => {
                let (packet, notices) = self.up.send(rules, queue);
                self.wire.push_back(packet);
                self.tell_before(notices);
            }
            Step::PacketComes => {
                let packet = self.wire.pop_front().expect("there is one");
                let notices = self.down.arrive(rules, packet);
                self.back.extend(notices);
            }
            Step::DownSends(queue) => {
                let ((destination, number), notices) = self.down.send(rules, queue);
                let last = &mut self.delivered[destination as usize];
                assert_eq!(number, *last + 1, "a packet for {destination} was passed by another");
                *last = number;
                self.back.extend(notices);
            }
            Step::NoticeComes => {
                let notice = self.back.pop_front().expect("there is one");
                let notices = self.up.hear(rules, 0, &notice);
                self.tell_before(notices);
            }
        }
    }

    fn tell_before(&mut self, notices: Vec<Notice>) {
        for notice in notices {
            assert!(self.before.hear(&notice), "{notice:?} is about nothing");
        }
    }

    /// Drains the network: notices and packets in turn, nothing new.
    fn run_out(mut self, rules: &IsolationRules) {
        while let Some(step) = self.steps(0).pop() {
            self.take(rules, step);
        }
        self.up.assert_at_rest();
        self.down.assert_at_rest();
        assert!(self.before.is_empty(), "a release was lost before the first input");
        assert_eq!(self.made, self.delivered);
    }
}

/// Visits every reachable state with this many packets; returns their number.
fn explore(rules: &IsolationRules, voq: bool, most: u8) -> usize {
    let start = Line {
        up: Input::new(rules, voq, true),
        down: Input::new(rules, voq, false),
        wire: VecDeque::new(),
        back: VecDeque::new(),
        before: Mirror::default(),
        made: [0; 2],
        delivered: [0; 2],
    };
    let mut seen = HashSet::from([format!("{start:?}")]);
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        state.clone().run_out(rules);
        for step in state.steps(most) {
            let mut next = state.clone();
            next.take(rules, step);
            if seen.insert(format!("{next:?}")) {
                open.push(next);
            }
        }
    }
    seen.len()
}

/// The rules of a part, with thresholds as low as they can be, so that few packets cross them all.
fn low(params: IsolateParams, queues: u8) -> IsolationRules {
    let rules = params.rules().expect("it isolates");
    let lines = if rules.lines == rules.queues { queues } else { queues + 2 };
    IsolationRules { queues, lines, detect: 1, high: rules.high.min(1), low: 0, propagate: 0, stop: 0, go: 0, ..rules }
}

#[test]
fn with_one_normal_queue_nothing_is_lost_or_left() {
    for queues in [1, 2] {
        for params in
            [IsolateParams::Ccfit(ccfit::CcfitParams::default()), IsolateParams::Fbicm(fbicm::FbicmParams::default())]
        {
            let states = explore(&low(params, queues), false, 4);
            assert!(states > 1_000, "only {states} states");
        }
    }
}

#[test]
fn with_virtual_output_queues_nothing_is_lost_or_left() {
    use congestree_schemes::isolate::{RootRelease, StopAt};
    for stop_at in [StopAt::Allocation, StopAt::NextPacket, StopAt::NextCrossing] {
        for (root_stops, root_release) in [(true, RootRelease::Empty), (false, RootRelease::Low)] {
            let params = ecocc::EcoccParams { stop_at, root_stops, root_release, ..Default::default() };
            let states = explore(&low(IsolateParams::Ecocc(params), 1), true, 4);
            assert!(states > 1_000, "only {states} states");
        }
    }
}

#[test]
fn with_queues_at_the_root_nothing_is_lost_or_left() {
    for local in [false, true] {
        let params = hfdi::HfdiParams { local, ..Default::default() };
        let states = explore(&low(IsolateParams::Hfdi(params), 2), true, 4);
        assert!(states > 1_000, "only {states} states");
    }
}

#[test]
fn without_queues_only_the_root_is_told() {
    let states = explore(&low(IsolateParams::Ecocc(ecocc::EcoccParams::default()), 0), true, 4);
    assert!(states > 500, "only {states} states");
}
