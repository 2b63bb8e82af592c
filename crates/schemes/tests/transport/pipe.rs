//! One flow over a pipe: a line, a bottleneck with a tail-drop queue in front of it, and a delay in each direction. A
//! closure decides what else is lost. The application at the far end checks order and completeness by itself.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use congestree_schemes::react::Feedback;
use congestree_schemes::transport::{Ack, Gauges, Header, HostLink, InOrderReceiver, LossCounts};
use congestree_schemes::{AnyTransport, Transport, TransportParams};
use congestree_units::{Bytes, Rate, Span, Time};

/// The pipe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pipe {
    pub line: Rate,
    pub bottleneck: Rate,
    /// Packets that wait for the bottleneck at most.
    pub queue: usize,
    pub delay: Span,
    pub packet: Bytes,
}

/// What travels, for the closure that loses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A data packet with this number.
    Data(u32),
    /// An ACK.
    Ack,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Happens {
    Data { sequence: u32, stamp: Time, last: bool },
    Acked { number: u32, cause: u32, stamp: Time, behind_gap: bool },
    Timer,
}

/// A flow at work.
pub(crate) struct Run<'a> {
    pipe: Pipe,
    lose: &'a mut dyn FnMut(Time, What) -> bool,
    pub sender: AnyTransport,
    receiver: InOrderReceiver,
    agenda: BinaryHeap<Reverse<(Time, u64, Happens)>>,
    order: u64,
    pub now: Time,
    line_free: Time,
    bottleneck_free: Time,
    /// Packets passed on to the application, in order.
    pub passed_on: u32,
    arrived: HashSet<u32>,
    pub sent: u64,
    /// Every event that changed the sender: time, and its state after it.
    pub trace: Vec<(Time, &'static str, Gauges)>,
    end: u32,
}

impl<'a> Run<'a> {
    pub(crate) fn new(pipe: Pipe, params: &TransportParams, lose: &'a mut dyn FnMut(Time, What) -> bool) -> Self {
        let receiver = params.receiver().expect("a transport that repairs");
        Run {
            pipe,
            lose,
            sender: params.build(),
            receiver: InOrderReceiver::new(receiver),
            agenda: BinaryHeap::new(),
            order: 0,
            now: Time::START,
            line_free: Time::START,
            bottleneck_free: Time::START,
            passed_on: 0,
            arrived: HashSet::new(),
            sent: 0,
            trace: Vec::new(),
            end: 0,
        }
    }

    pub(crate) fn link(&self) -> HostLink {
        HostLink { line: self.pipe.line, packet: self.pipe.packet }
    }

    fn schedule(&mut self, at: Time, happens: Happens) {
        self.order += 1;
        self.agenda.push(Reverse((at, self.order, happens)));
    }

    fn note(&mut self, what: &'static str) {
        self.trace.push((self.now, what, self.sender.gauges()));
    }

    /// Gives the sender packets up to `end` and runs until all are acknowledged, or until `deadline`.
    pub(crate) fn until_done(&mut self, end: u32, deadline: Time) -> bool {
        self.end = end;
        let link = self.link();
        self.sender.on_work(self.now, end, link);
        self.note("group");
        loop {
            self.send();
            let timer = self.sender.next_timer().min(self.receiver.next_timer()).max(self.now);
            let first = self.agenda.peek().map_or(Time::NEVER, |Reverse((at, ..))| *at);
            let wake = self.wake();
            let next = timer.min(first).min(wake);
            if next > deadline || next == Time::NEVER {
                return self.sender.acknowledged() == end;
            }
            self.now = next;
            if first == next {
                let Some(Reverse((_, _, happens))) = self.agenda.pop() else { return false };
                self.happen(happens);
            } else if timer == next {
                self.happen(Happens::Timer);
            }
            if self.sender.acknowledged() == end {
                return true;
            }
        }
    }

    /// When the sender would send next.
    fn wake(&self) -> Time {
        self.sender.next().map_or(Time::NEVER, |next| next.at.max(self.line_free).max(self.now))
    }

    fn send(&mut self) {
        while self.wake() == self.now {
            let Some(next) = self.sender.next() else { return };
            let link = self.link();
            self.sender.on_sent(self.now, self.pipe.packet, link);
            self.sent += 1;
            self.line_free = self.now + self.pipe.line.time_for(self.pipe.packet);
            let service = self.pipe.bottleneck.time_for(self.pipe.packet);
            let waiting = self.bottleneck_free.since(self.line_free).0.div_ceil(service.0);
            if waiting > self.pipe.queue as u64 || (self.lose)(self.now, What::Data(next.sequence)) {
                continue;
            }
            self.bottleneck_free = self.bottleneck_free.max(self.line_free) + service;
            let last = next.sequence + 1 == self.end;
            let happens = Happens::Data { sequence: next.sequence, stamp: self.now, last };
            self.schedule(self.bottleneck_free + self.pipe.delay, happens);
        }
    }

    fn happen(&mut self, happens: Happens) {
        let link = self.link();
        match happens {
            Happens::Data { sequence, stamp, last } => {
                self.arrived.insert(sequence);
                let receipt = self.receiver.on_packet(self.now, sequence, stamp, last, Feedback::Clear);
                for _ in 0..receipt.passed_on {
                    assert!(self.arrived.contains(&self.passed_on), "{} was passed on, but never came", self.passed_on);
                    self.passed_on += 1;
                }
                assert_eq!(self.passed_on, self.receiver.expected(), "the application has what is acknowledged");
                self.answer(receipt.ack, sequence);
            }
            Happens::Acked { number, cause, stamp, behind_gap } => {
                assert!(number <= self.passed_on, "an ACK for what has not arrived");
                let header = Header { cause, ..Header::from(Ack { number, stamp, behind_gap, ..Ack::default() }) };
                self.sender.on_answer(self.now, &header, link);
                self.note("ack");
            }
            Happens::Timer => {
                let ack = self.receiver.on_timer(self.now);
                self.answer(ack, 0);
                if self.sender.next_timer() <= self.now {
                    self.sender.on_timer(self.now, link);
                    self.note("timer");
                }
            }
        }
    }

    /// The receiver answers because of packet `cause`.
    fn answer(&mut self, ack: Option<Ack>, cause: u32) {
        if let Some(Ack { number, stamp, behind_gap, .. }) = ack
            && !(self.lose)(self.now, What::Ack)
        {
            self.schedule(self.now + self.pipe.delay, Happens::Acked { number, cause, stamp, behind_gap });
        }
    }

    pub(crate) fn loss_counts(&self) -> LossCounts {
        self.sender.loss_counts()
    }
}
