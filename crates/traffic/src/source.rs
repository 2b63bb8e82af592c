//! A source at work: the times, sizes and destinations of its messages, one after the other.

use std::sync::Arc;

use congestree_kernel::Rng;
use congestree_units::{Bytes, Span, Time};

use crate::{After, Arrivals, FlowMapping, ListedMessage, Sizes, SourcePlan, TrafficProfile};

/// A source at work. It is one cache line, because in a large network every source is in another place of the memory.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Source {
    profile: Arc<TrafficProfile>,
    mapping: FlowMapping,
    host: u32,
    /// Messages generated so far.
    made: u32,
    /// Destination of the message after this one, if it does not depend on the time; `NOWHERE` if it is not drawn yet.
    upcoming: u32,
    arrivals: Rng,
    destinations: Rng,
    sizes: Rng,
    /// The time from which the next message counts: `start` and the random offset, or the last message if gaps are
    /// drawn.
    from: Time,
}

/// No host.
const NOWHERE: u32 = u32::MAX;

impl Source {
    /// Source number `index` of a run with `seed`.
    pub fn new(plan: &SourcePlan, seed: u64, index: u64) -> Self {
        let offset = match plan.profile.jitter.0 {
            0 => Span::ZERO,
            jitter => Span(Rng::stream(seed, "jitter", index).below(jitter)),
        };
        Self {
            profile: plan.profile.clone(),
            mapping: plan.mapping,
            host: plan.host,
            made: 0,
            upcoming: NOWHERE,
            arrivals: Rng::stream(seed, "arrivals", index),
            destinations: Rng::stream(seed, "destinations", index),
            sizes: Rng::stream(seed, "sizes", index),
            from: plan.start + offset,
        }
    }

    /// Its host.
    #[inline]
    pub fn host(&self) -> u32 {
        self.host
    }

    /// Which flows its messages go into.
    #[inline]
    pub fn mapping(&self) -> FlowMapping {
        self.mapping
    }

    /// The flow of the last message, if flows take turns.
    pub fn flow_in_turn(&self) -> u32 {
        match self.mapping {
            FlowMapping::InTurn { base, count } => base + self.made.wrapping_sub(1) % count.max(1),
            FlowMapping::One(flow) | FlowMapping::Each(flow) | FlowMapping::PerDestination { base: flow } => flow,
        }
    }

    /// What it does.
    #[inline]
    pub fn profile(&self) -> &TrafficProfile {
        &self.profile
    }

    /// Before its first message: when it starts, the planned start plus its own random offset.
    pub fn begin(&self) -> Time {
        self.from
    }

    /// Time at which the next message is generated, or `None` if there is none (left). Each call generates one message.
    pub fn next_message(&mut self) -> Option<Time> {
        let at = match self.profile.arrivals {
            Arrivals::Greedy | Arrivals::OnOff { .. } => Some(self.from),
            Arrivals::Gaps { mean: gap, .. } | Arrivals::Poisson { mean_gap: gap } => {
                self.from += self.arrivals.exponential(gap);
                Some(self.from)
            }
            Arrivals::Steady { .. } => Some(self.due()),
            Arrivals::Messages { count, every, burst } => {
                let made = u64::from(self.made);
                (made < count).then(|| self.from + Span(every.0.saturating_mul(made / burst)))
            }
            Arrivals::Listed => self.profile.list.get(self.made as usize).map(|listed| self.from + listed.after),
        }?;
        self.made = self.made.wrapping_add(1);
        (at < self.profile.stop).then_some(at)
    }

    /// When the next message of a steady source is due; never, if that is after the stop.
    pub fn due(&self) -> Time {
        let Arrivals::Steady { rate } = self.profile.arrivals else { return Time::NEVER };
        let bytes = self.profile.message.mean().0.saturating_mul(u64::from(self.made));
        let due = self.from + rate.time_for(Bytes(bytes));
        if due < self.profile.stop { due } else { Time::NEVER }
    }

    /// Payload bits per second of a steady source, up to a factor that is the same for all.
    pub fn steady_rate(&self) -> f64 {
        match self.profile.arrivals {
            Arrivals::Steady { rate } => rate.0 as f64,
            _ => 0.0,
        }
    }

    /// A random number from 0 to below 1 for a decision about arrivals. Each call draws one.
    pub fn draw_arrival(&mut self) -> f64 {
        self.arrivals.unit()
    }

    /// Whether it makes no message before the last one is finished.
    pub fn waits(&self) -> bool {
        matches!(self.profile.arrivals, Arrivals::Gaps { after: After::Done, .. })
    }

    /// The last message is finished: the gap before the next one may begin now.
    pub fn done(&mut self, now: Time) {
        if let Arrivals::Gaps { after: After::Done, .. } = self.profile.arrivals {
            self.from = now;
        }
    }

    /// How large the next message is. Each call draws one.
    #[inline]
    pub fn next_size(&mut self) -> u64 {
        match self.profile.message {
            Sizes::Fixed(size) => size.0,
            Sizes::Listed => self.listed().map_or(1, |listed| listed.bytes.0),
            _ => self.profile.message.draw(&mut self.sizes).0,
        }
    }

    /// The entry of the list for the last message.
    fn listed(&self) -> Option<&ListedMessage> {
        self.profile.list.get((self.made as usize).checked_sub(1)?)
    }

    /// Destination of the next message among this many hosts, if it is generated now. Each call draws one.
    pub fn next_destination(&mut self, now: Time, hosts: u32) -> u32 {
        if !self.profile.list.is_empty() {
            return self.listed().map_or(self.host, |listed| listed.to);
        }
        let next = match self.upcoming {
            NOWHERE => self.draw(now, hosts),
            host => host,
        };
        self.upcoming = if self.profile.pattern.is_single() { NOWHERE } else { self.draw(now, hosts) };
        next
    }

    fn draw(&mut self, now: Time, hosts: u32) -> u32 {
        self.profile.pattern.draw(now, self.host, hosts, &mut self.destinations)
    }

    /// Destination of the next message, if it is known already, so that the memory needed for it can be prefetched.
    pub fn upcoming(&self) -> Option<u32> {
        (self.upcoming != NOWHERE).then_some(self.upcoming)
    }

    /// Length of the next ON and of the next OFF period, in turn. Each call draws one.
    pub fn next_period(&mut self, mean: Span) -> Span {
        self.arrivals.exponential(mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pattern;

    fn profile(arrivals: Arrivals) -> TrafficProfile {
        TrafficProfile {
            arrivals,
            pattern: Pattern::Fixed(1),
            message: Sizes::Fixed(Bytes(2048)),
            stop: Time::NEVER,
            jitter: Span::ZERO,
            list: Vec::new(),
        }
    }

    /// The source of host 0 with this profile, from 100 ps on.
    fn source(profile: TrafficProfile) -> Source {
        Source::new(
            &SourcePlan { host: 0, mapping: FlowMapping::One(0), start: Time(100), profile: profile.into() },
            1,
            0,
        )
    }

    #[test]
    fn a_source_is_a_cache_line() {
        assert_eq!(size_of::<Source>(), 64);
    }

    #[test]
    fn bursts_come_at_once_and_lists_as_they_are_written() {
        let arrivals = Arrivals::Messages { count: 5, every: Span(7), burst: 2 };
        let mut source = source(profile(arrivals));
        let times: Vec<_> = std::iter::from_fn(|| source.next_message()).collect();
        assert_eq!(times, [100, 100, 107, 107, 114].map(Time));
        let list = [(3, 2, 10), (8, 3, 20)].map(|(after, to, bytes)| ListedMessage {
            after: Span(after),
            to,
            bytes: Bytes(bytes),
        });
        let listed = TrafficProfile { list: list.into(), message: Sizes::Listed, ..profile(Arrivals::Listed) };
        let mut source = self::source(listed);
        for (at, to, bytes) in [(103, 2, 10), (108, 3, 20)] {
            assert_eq!(source.next_message(), Some(Time(at)));
            assert_eq!((source.next_destination(Time(at), 4), source.next_size()), (to, bytes));
        }
        assert_eq!(source.next_message(), None);
    }

    #[test]
    fn messages_are_made_at_their_times_and_then_no_more() {
        let mut source = source(profile(Arrivals::Messages { count: 3, every: Span(7), burst: 1 }));
        let times: Vec<_> = std::iter::from_fn(|| source.next_message()).collect();
        assert_eq!(times, [Time(100), Time(107), Time(114)]);
    }

    #[test]
    fn poisson_gaps_have_the_mean_asked_for() {
        let mut source = source(profile(Arrivals::Poisson { mean_gap: Span::from_us(1) }));
        let last = (0..20_000).filter_map(|_| source.next_message()).last();
        let mean = last.map_or(0.0, |at| at.0 as f64 / 20_000.0);
        assert!((mean / 1e6 - 1.0).abs() < 0.03, "{mean}");
    }

    #[test]
    fn a_steady_source_keeps_its_rate_without_drift() {
        let rate = congestree_units::Rate(3_000_000_000_000);
        let mut source =
            source(TrafficProfile { message: Sizes::Fixed(Bytes(1)), ..profile(Arrivals::Steady { rate }) });
        // A byte takes 8/3 ps: the k-th is due after k of them, rounded up.
        let times: Vec<u64> = std::iter::from_fn(|| source.next_message()).take(4).map(|at| at.0).collect();
        assert_eq!(times, [100, 103, 106, 108]);
    }

    #[test]
    fn a_gap_begins_where_it_should() {
        let first_two = |after, done| {
            let arrivals = Arrivals::Gaps { mean: Span::from_us(1), after };
            let mut source = source(profile(arrivals));
            let first = source.next_message();
            source.done(done);
            (first, source.next_message())
        };
        let (first, second) = first_two(After::Made, Time(1_000_000_000));
        let (same_first, later_second) = first_two(After::Done, Time(1_000_000_000));
        assert!(first == same_first && first < second && second < Some(Time(1_000_000_000)));
        assert!(later_second > Some(Time(1_000_000_000)));
    }

    #[test]
    fn nothing_is_made_from_the_stop_on() {
        let mut source = source(TrafficProfile {
            stop: Time(110),
            ..profile(Arrivals::Messages { count: 9, every: Span(5), burst: 1 })
        });
        assert_eq!(std::iter::from_fn(|| source.next_message()).count(), 2);
    }
}
