//! Which packets a switch marks, and when.
//!
//! A marker belongs to an output (and lane). It is notified of four things: an input buffer that holds packets for its
//! output has become full; a packet for its output has arrived; a queue that feeds its output has grown or shrunk; a
//! packet starts to leave by its output.

use crate::check::{Check, Diagnostics, QueuedBy, Setting};
use shared::sample::Sampling;

parts! {
    /// Any marker a scenario can name.
    AnyMarker / MarkParams: Marker {
        /// Marks nothing.
        None = none::Unmarked(NoParams),
        /// Marks every packet that waits in an input buffer at the moment it becomes full.
        Naive = naive::Naive(NaiveParams),
        /// When an input buffer becomes full: marks the packets for every output that has a packet in it.
        InputTriggered = input_triggered::InputTriggered(InputTriggeredParams),
        /// As input-triggered, and also marks the packets for an output when more of them than a threshold are in the
        /// switch.
        InputOutputTriggered = input_output_triggered::InputOutputTriggered(InputOutputTriggeredParams),
        /// Marks the packets for an output when more of them than a threshold are in the switch.
        OutputTriggered = output_triggered::OutputTriggered(OutputTriggeredParams),
        /// FECN marking of InfiniBand switches: marks while the queues for an output hold more than a threshold.
        Fecn = fecn::Fecn(FecnParams),
        /// ECN marking with RED: the marking probability grows with the queue of the output.
        Red = red::Red(RedParams),
        /// Marks at the roots of the congestion trees that an isolation scheme detects.
        Root = root::Root(RootParams),
        /// Ternary congestion detection (TCD): an output that flow control blocks is undetermined, not congested.
        Tcd = tcd::Tcd(TcdParams),
        /// NP-ECN, the marker of PCN: packets that a pause has held are not marked; after those, a packet is marked if
        /// another one waits behind it.
        NpEcn = np_ecn::NpEcn(NpEcnParams),
    }
}

mod contract;
mod shared;

pub use contract::{Departing, FillView, HoldView, MarkAction, Marker, OutputView, PortView, StateChange};
pub use shared::level::{MarkLevel, MarksAbove};

impl Marker for AnyMarker {
    fn marks(&self) -> bool {
        each!(self, part => part.marks())
    }

    fn full_at(&self, capacity: u32) -> Option<u32> {
        each!(self, part => part.full_at(capacity))
    }

    fn on_full(&mut self, output: OutputView) -> MarkAction {
        each!(self, part => part.on_full(output))
    }

    fn on_arrival(&mut self, output: OutputView) -> MarkAction {
        each!(self, part => part.on_arrival(output))
    }

    fn at_port(&mut self, port: PortView) {
        each!(self, part => part.at_port(port));
    }

    fn watches_fill(&self) -> bool {
        each!(self, part => part.watches_fill())
    }

    fn watches_waiting(&self) -> bool {
        each!(self, part => part.watches_waiting())
    }

    fn asks_from(&self) -> u64 {
        each!(self, part => part.asks_from())
    }

    #[inline]
    fn on_fill(
        &mut self,
        fill: FillView,
        has_credit: impl FnOnce() -> bool,
        above: impl FnOnce(u32) -> u16,
    ) -> StateChange {
        each!(self, part => part.on_fill(fill, has_credit, above))
    }

    #[inline]
    fn low_watermark(&self) -> u32 {
        each!(self, part => part.low_watermark())
    }

    #[inline]
    fn high_watermark(&self) -> u32 {
        each!(self, part => part.high_watermark())
    }

    #[inline]
    fn ignores_departures(&self) -> bool {
        each!(self, part => part.ignores_departures())
    }

    fn follows_roots(&self) -> bool {
        each!(self, part => part.follows_roots())
    }

    fn on_root(&mut self, counts: bool) -> StateChange {
        each!(self, part => part.on_root(counts))
    }

    #[inline]
    fn on_departure(&mut self, output: OutputView, packet: Departing, draw: impl FnOnce() -> f64) -> bool {
        each!(self, part => part.on_departure(output, packet, draw))
    }

    fn follows_all(&self) -> bool {
        each!(self, part => part.follows_all())
    }

    fn on_other_departure(&mut self, output: OutputView) {
        each!(self, part => part.on_other_departure(output));
    }

    #[inline]
    fn is_undetermined(&self, output: OutputView) -> bool {
        each!(self, part => part.is_undetermined(output))
    }

    fn marks_above(&self) -> Option<MarksAbove> {
        each!(self, part => part.marks_above())
    }

    fn due(&self) -> u32 {
        each!(self, part => part.due())
    }
}

impl MarkParams {
    /// There is a marker at all.
    pub fn marks(&self) -> bool {
        self.build().marks()
    }

    /// Switches must count the bytes of every queue.
    pub fn watches_fill(&self) -> bool {
        self.build().watches_fill()
    }

    /// Switches must count the bytes that wait for every output.
    pub fn watches_waiting(&self) -> bool {
        self.build().watches_waiting()
    }

    /// Switches must count the packets that they hold, from the time they can be routed until their tail has left.
    pub fn counts_packets(&self) -> bool {
        self.marks() && !self.watches_fill() && !self.watches_waiting() && !self.follows_roots()
    }

    /// The level up to which the output of a port marks nothing, if there is one.
    pub fn marks_above(&self, port: PortView) -> Option<MarksAbove> {
        let mut marker = self.build();
        marker.at_port(port);
        marker.marks_above()
    }

    /// Whether it marks at the roots that isolation finds.
    pub fn follows_roots(&self) -> bool {
        self.build().follows_roots()
    }
}

/// Checks the number of packets that counts as full: at least one, and no more than a buffer holds.
fn check_trigger(trigger: Option<u32>, setting: &Setting, found: &mut Diagnostics) {
    match (trigger, setting.buffer_packets) {
        (Some(0), _) => found.report("trigger", "an empty buffer would count as full", "make it at least 1"),
        (Some(trigger), Some(most)) if trigger > most => found.report(
            "trigger",
            format!("a buffer never holds {trigger} full packets: it has room for {most} at most"),
            "make it smaller, or the buffers larger (switches.buffer, lane_buffers)",
        ),
        _ => {}
    }
}

/// Checks that a marker that acts on full buffers alone knows when one is full.
fn check_fullness(trigger: Option<u32>, setting: &Setting, found: &mut Diagnostics) {
    if trigger.is_none() && setting.buffer_packets.is_none() {
        let fact = "an input has no buffer of its own here, which could be full";
        let remedy = "give the number of packets at which an input counts as full, or mark otherwise";
        found.report("trigger", fact, remedy);
    }
}

/// Checks the threshold of packets in the switch for an output without marks.
fn check_output_threshold(threshold: u32, found: &mut Diagnostics) {
    if threshold == 0 {
        found.report("output_threshold", "every packet would be marked", "make it at least 1");
    }
}

/// A share replaces a rate, of which `rated` says whether it was given, and only packets chosen at random can have any
/// share.
fn check_share(share: Option<f64>, rated: bool, choice: Sampling, found: &mut Diagnostics) {
    found.check_idle("marking_rate", share.is_some() && rated, "share is given", "leave out one of them");
    if share.is_some() && choice == Sampling::EveryNth {
        let fact = "a share of packets is marked at random, and here every n-th packet is marked";
        found.report("share", fact, "leave it out, or write choice = \"random\"");
    }
}

/// Requirements of a marker that distinguishes blocked from congested outputs: a queue for each output, which flow
/// control may block.
fn check_holds(setting: &Setting, found: &mut Diagnostics) {
    if setting.queues != QueuedBy::Output {
        let fact = "it observes the queues for one output, and there are no such queues";
        found.report("", fact, "write switches.queues = \"voq\"");
    }
    if !setting.holds {
        let fact = "it distinguishes held outputs from congested ones, and links without flow control hold none";
        found.report("", fact, "take links.flow_control = \"pfc\" or credits, or scheme.mark = \"red\"");
    }
    if setting.output_buffers {
        let fact = "what waits in the buffer of an output would not be seen";
        found.report_at("switches.output_buffer", fact, "leave it out, or take another scheme.mark");
    }
}
