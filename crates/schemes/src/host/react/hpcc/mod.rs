//! HPCC: every ACK returns the measurements of the switches, and the source sends at a rate that keeps the busiest link
//! just below its target.
//!
//! | here          | HPCC, algorithm 1 | unit  |
//! |---------------|-------------------|-------|
//! | `HopRecord`   | ack.L[i]          |       |
//! | `utilisation` | U                 | 1     |
//! | `rate`        | R (W/T)           | bit/s |
//! | `Reference::rate` | W_c / T       | bit/s |
//! | `stage`       | incStage          | 1     |
//! | `u_target`    | η                 | 1     |
//! | `mi_thresh`   | maxStage          | 1     |
//! | `rate_ai`     | W_AI / T          | bit/s |
//!
//! ```text
//! for each hop:  τ = time since the record before,  u = bytes sent in it / (B τ) + min(queue, queue before) / (B T)
//! U = (1 - τ/T) U + (τ/T) u        with u and τ (at most T) of the busiest hop
//! U >= η, or maxStage increases in a row:   R = R_c / (U/η) + R_AI,  stage 0
//! otherwise:                                R = R_c + R_AI,          stage + 1
//! once a round trip:                        R_c = R
//! ```
//!
//! Every ACK computes from the reference R_c of its round trip (fast reaction without reacting twice to the same
//! packets). The window is R T, and packets are paced at R. The first ACK of a flow only sets the starting point of the
//! measurement, and so does one whose packet took another path than that of the ACK before (pathID, section 4.1),
//! because the counters of two outputs cannot be compared. U begins at 1, as in the authors' simulator. With `pint`
//! switches write one byte for the U of the busiest link, and there is no average here.
//!
//! Li et al.: HPCC: High Precision Congestion Control (SIGCOMM 2019), section 3.4; details that it leaves open follow
//! the simulator of its authors (`config.txt`).

use std::sync::Arc;

use congestree_units::{Span, Time};

use super::shared::windows::{Rated, Round, Rounds};
use super::{Acked, Feedback, LinkView, Needs, ReactionPoint, Sent};
use crate::host::bounds::MostWindow;
use crate::switch::telemetry::{Digest, HopRecord, Seen, Telemetry};

mod params;

pub use params::{HpccParams, PintParams};

/// The window and rate of one source.
#[derive(Clone, Debug)]
pub struct Hpcc {
    state: Box<State>,
}

#[derive(Clone, Debug)]
struct State {
    params: Arc<HpccParams>,
    rated: Rated,
    rounds: Rounds,
    /// The records of the last ACK.
    last: Vec<HopRecord>,
    /// The base of the rates: one, or with `multi_rate` one for each hop.
    references: Vec<Reference>,
    /// ACKs so far; used to select the share of them that is evaluated.
    heard: u64,
}

/// The base of the rates of a round trip.
#[derive(Clone, Copy, Debug)]
struct Reference {
    utilisation: f64,
    rate: f64,
    stage: u32,
    /// Rate and stage when the round is over.
    next: (f64, u32),
}

impl Reference {
    fn new(rate: f64) -> Self {
        Self { utilisation: 1.0, rate, stage: 0, next: (rate, 0) }
    }

    /// A hop had this utilisation for this time (seconds).
    fn measure(&mut self, busy: f64, time: f64, round_trip: f64) {
        let share = (time / round_trip).min(1.0);
        self.utilisation = self.utilisation * (1.0 - share) + busy * share;
    }

    /// The rate that follows from the utilisation.
    fn judge(&mut self, params: &HpccParams, rated: &Rated) {
        let excess = self.utilisation / params.u_target;
        let additive = params.rate_ai.0 as f64;
        let (rate, stage) = match excess >= 1.0 || self.stage >= params.mi_thresh {
            true => (self.rate / excess.max(1e-9) + additive, 0),
            false => (self.rate + additive, self.stage + 1),
        };
        self.next = (rated.bounded(rate), stage);
    }
}

impl Hpcc {
    /// A source at line rate that has received no feedback yet.
    pub fn new(params: &HpccParams) -> Self {
        let mut rated = Rated::new(params.min_rate.0 as f64);
        (rated.follows, rated.paced) = (params.var_win, params.rate_bound);
        let state = State {
            params: Arc::new(params.clone()),
            references: vec![Reference::new(rated.line)],
            rated,
            rounds: Rounds::default(),
            last: Vec::new(),
            heard: 0,
        };
        Self { state: Box::new(state) }
    }

    /// The rate in bit/s.
    pub fn rate(&self) -> f64 {
        self.state.rated.rate
    }

    /// The average utilisation of the busiest link, as far as it knows.
    pub fn utilisation(&self) -> f64 {
        self.state.references.iter().map(|reference| reference.utilisation).fold(0.0, f64::max)
    }
}

impl State {
    /// Records have come in.
    fn on_records(&mut self, hops: &[HopRecord], turn: Round) {
        if turn == Round::First || !HopRecord::same_way(hops, &self.last) {
            self.last.clear();
            self.last.extend_from_slice(hops);
            let references = if self.params.multi_rate { hops.len() } else { 1 };
            self.references.resize(references.max(1), Reference::new(self.rated.rate));
        } else if turn == Round::Over || self.params.fast_react {
            self.measure(hops, turn);
        }
    }

    /// Updates the references with the hops: each with its own, or the only one with the busiest. One without data
    /// stays unchanged.
    fn measure(&mut self, hops: &[HopRecord], turn: Round) {
        let State { params, rated, references, last, .. } = self;
        let mut heard = false;
        references.iter_mut().for_each(|reference| reference.next = (reference.rate, reference.stage));
        let mut busiest: Option<(f64, f64)> = None;
        for (place, (hop, last)) in hops.iter().zip(last).enumerate() {
            if params.sample_feedback && turn == Round::Within && hop.queue == 0 || hop.at <= last.at {
                continue;
            }
            let (busy, time) = utilisation(hop, last, rated.round_trip);
            *last = *hop;
            heard = true;
            if params.multi_rate {
                references[place].measure(busy, time, rated.round_trip);
                references[place].judge(params, rated);
            } else if busiest.is_none_or(|(most, _)| busy > most) {
                busiest = Some((busy, time));
            }
        }
        if let Some((busy, time)) = busiest {
            references[0].measure(busy, time, rated.round_trip);
            references[0].judge(params, rated);
        }
        if heard {
            self.set_rate(turn);
        }
    }

    /// The utilisation of the busiest link has arrived.
    fn on_digest(&mut self, utilisation: f64, probability: f64, turn: Round) {
        // Not random but evenly spread: as many ACKs are used as the probability says.
        self.heard += 1;
        let used = |heard: u64| (heard as f64 * probability).floor();
        if turn == Round::First || used(self.heard) == used(self.heard - 1) {
            return;
        }
        if turn == Round::Over || self.params.fast_react {
            self.references[0].utilisation = utilisation;
            self.references[0].judge(&self.params, &self.rated);
            self.set_rate(turn);
        }
    }

    /// The rate is the lowest that any reference allows; references are updated when the round is over.
    fn set_rate(&mut self, turn: Round) {
        let least = self.references.iter().map(|reference| reference.next.0).fold(self.rated.line, f64::min);
        self.rated.rate = self.rated.bounded(least);
        if turn == Round::Over {
            for reference in &mut self.references {
                (reference.rate, reference.stage) = reference.next;
            }
        }
    }
}

/// Utilisation of a link between two records, with the queue in front of it, and the time between them in seconds.
fn utilisation(hop: &HopRecord, last: &HopRecord, round_trip: f64) -> (f64, f64) {
    let time = hop.at.since(last.at).as_secs();
    let capacity = hop.rate.as_bytes_per_sec();
    let sent = hop.bytes.saturating_sub(last.bytes) as f64;
    let queue = f64::from(hop.queue.min(last.queue));
    (sent / (capacity * time) + queue / (capacity * round_trip), time)
}

impl ReactionPoint for Hpcc {
    fn boxed(&self) -> usize {
        size_of::<State>() + size_of_val(&*self.state.references)
    }

    fn needs(&self) -> Needs {
        let params = &self.state.params;
        let telemetry = match &params.pint {
            None => Telemetry::Records,
            Some(pint) => {
                Telemetry::Digest(Digest { base: pint.log_base, round_trip: params.round_trip.unwrap_or(Span::ZERO) })
            }
        };
        Needs { ignores_marks: true, placement: true, window: true, telemetry, ..Needs::ACKS }
    }

    fn at_link(&mut self, link: LinkView) {
        let state = &mut *self.state;
        state.rated.place(link, state.params.round_trip);
        state.references.fill(Reference::new(state.rated.line));
    }

    /// Marks tell it nothing.
    fn on_feedback(&mut self, _now: Time, _feedback: Feedback) {}

    fn on_ack(&mut self, _now: Time, ack: &Acked<'_>) {
        let state = &mut *self.state;
        let Some(seen) = ack.telemetry else { return };
        let turn = state.rounds.on_ack(ack);
        match seen {
            Seen::Records(hops) => state.on_records(hops, turn),
            Seen::Digest(utilisation) => {
                let probability = state.params.pint.as_ref().map_or(1.0, |pint| pint.pint_prob);
                state.on_digest(utilisation, probability, turn);
            }
        }
    }

    fn window(&self) -> Option<u32> {
        Some(self.state.rated.window())
    }

    fn most_window(&self) -> Option<MostWindow> {
        self.state.rated.most_window(self.state.params.round_trip)
    }

    fn next_start(&self, last: Sent) -> Time {
        self.state.rated.next_start(last)
    }

    fn limit(&self, _now: Time, _full: Span) -> f64 {
        self.state.rated.limit()
    }
}

#[cfg(test)]
mod tests;
