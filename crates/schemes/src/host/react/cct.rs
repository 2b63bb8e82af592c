//! The congestion control table of InfiniBand: every notification moves a source further up in a table of idle times,
//! and a timer moves it back.
//!
//! A source keeps an index into the table (CCTI). After each packet it stays silent for the time in that entry. A
//! notification (BECN) increases the index, each expiry of the timer decreases it by one. Between two notifications the
//! index is a function of time alone, so there is no timer event: the index is computed when it is needed.
//!
//! ```text
//! on BECN:    CCTI = min(CCTI + CCTI_Increase, CCTI_Limit)
//! on expiry:  CCTI = max(CCTI - 1, CCTI_Min)
//! undetermined (TCD): the timer starts anew, unless it runs freely
//! may start:  at t >= end of the last packet + CCT[CCTI at t] x (its length / a full packet)
//! ```
//!
//! Gran's thesis, section 2.3.2; Paper I, sections 2.2 and 3.2.2; Paper III, sections II.B and VII.B.

use std::sync::Arc;

use congestree_units::{Rate, Span, Time};
use serde::{Deserialize, Serialize};

use super::{Feedback, Needs, ReactionPoint, Sent};
use crate::check::{Check, Diagnostics, Setting};
use crate::host::cct_table::CctTable;

/// Parameters of the congestion control table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CctParams {
    /// The amount that a BECN adds to the index (CCTI_Increase), 0 to 255. Default 1.
    pub increase: u8,
    /// The highest index (CCTI_Limit). Default 127.
    pub limit: u16,
    /// The lowest index (CCTI_Min), also the initial one. Default 0.
    pub min: u16,
    /// Period of the timer (CCTI_Timer; the register counts 1.024 us). Default 153.6 us, 150 in the register.
    pub timer: Span,
    /// Whether a BECN restarts the timer.
    pub timer_runs: TimerRuns,
    /// Which flows share an index: those of a queue pair or of a service level.
    pub per: Per,
    /// The table: idle time after a full packet, by index. After a smaller packet it is shorter in proportion to the
    /// packet.
    pub table: CctTable,
}

impl Default for CctParams {
    fn default() -> Self {
        Self {
            increase: 1,
            limit: 127,
            min: 0,
            timer: Span::from_ns(153_600),
            timer_runs: TimerRuns::ReArmed,
            per: Per::Qp,
            table: CctTable::default(),
        }
    }
}

impl Check for CctParams {
    fn check(&self, _setting: &Setting, found: &mut Diagnostics) {
        if self.min > self.limit {
            let fact = format!("the lowest index {} is above the highest, {}", self.min, self.limit);
            found.report("min", fact, "make it smaller, or scheme.react.cct.limit larger");
        }
        if self.timer == Span::ZERO {
            found.report("timer", "the timer would expire all the time", "give a period such as \"153.6 us\"");
        }
        if let Some(entries) = self.table.written().filter(|&entries| entries <= usize::from(self.limit)) {
            let fact = format!("the table has {entries} entries, and the index goes up to {}", self.limit);
            found.report("table", fact, "write more entries, or make scheme.react.cct.limit smaller");
        }
        self.table.check(found);
    }
}

/// Whether a BECN restarts the timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TimerRuns {
    /// Every BECN restarts it: the index goes down after a whole period without a BECN.
    ReArmed,
    /// It runs freely from the start of the run, as in the text of the standard.
    Free,
}

/// Which flows share an index: those of a queue pair or of a service level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Per {
    /// Every flow (queue pair).
    Qp,
    /// Every service level of a host: a flow is also throttled by the BECNs of other flows of its level.
    Sl,
}

/// One index into the table.
#[derive(Clone, Debug)]
pub struct Cct {
    fixed: Arc<Fixed>,
    /// The index as of `heard`.
    ccti: u16,
    /// When the last BECN came.
    heard: Time,
    /// The last expiry of the timer, or its start.
    expired: Time,
}

/// What all sources share.
#[derive(Debug)]
struct Fixed {
    params: CctParams,
    table: Vec<crate::host::cct_table::Idle>,
}

impl Cct {
    /// A source that has received no feedback yet.
    pub fn new(params: &CctParams) -> Self {
        let table = params.table.entries(params.limit);
        Self {
            ccti: params.min,
            heard: Time::START,
            expired: Time::START,
            fixed: Arc::new(Fixed { params: params.clone(), table }),
        }
    }

    /// Expiries from the last known one until `now`, and the index after them.
    fn settled(&self, now: Time) -> (u64, u16) {
        let params = &self.fixed.params;
        let expiries = now.since(self.expired).0 / params.timer.0.max(1);
        let above = u64::from(self.ccti.saturating_sub(params.min));
        (expiries, self.ccti - above.min(expiries) as u16)
    }

    /// Idle time after a packet at an index.
    fn idle(&self, ccti: u16, last: Sent) -> Span {
        let table = &self.fixed.table;
        table.get(usize::from(ccti)).or(table.last()).map_or(Span::ZERO, |idle| idle.after(last))
    }

    /// The index at `now`.
    pub fn ccti(&self, now: Time) -> u16 {
        self.settled(now).1
    }
}

impl ReactionPoint for Cct {
    fn needs(&self) -> Needs {
        Needs { shared: self.fixed.params.per == Per::Sl, ..Needs::MARKS }
    }

    fn on_feedback(&mut self, now: Time, feedback: Feedback) {
        if feedback == Feedback::Clear {
            return;
        }
        let params = &self.fixed.params;
        let holds = feedback == Feedback::Undetermined;
        if holds && params.timer_runs == TimerRuns::Free {
            return;
        }
        let (expiries, ccti) = self.settled(now);
        self.expired = match params.timer_runs {
            TimerRuns::ReArmed => now,
            TimerRuns::Free => self.expired + Span(expiries * params.timer.0),
        };
        let increase = if holds { 0 } else { u16::from(params.increase) };
        self.ccti = ccti.saturating_add(increase).min(params.limit).max(ccti);
        self.heard = now;
    }

    /// All increases have decayed: from here it is equivalent to a new one, whose timer runs in the same steps.
    fn at_initial_state(&self, now: Time) -> bool {
        self.ccti(now) <= self.fixed.params.min
    }

    /// The earliest time since the last BECN at which the idle time of the index of that time is over.
    fn next_start(&self, last: Sent) -> Time {
        let params = &self.fixed.params;
        let (mut ccti, mut from, mut expiry) = (self.ccti, self.heard, self.expired + params.timer);
        let end = last.start + last.time;
        loop {
            let start = from.max(end + self.idle(ccti, last));
            if start < expiry || ccti <= params.min {
                return start;
            }
            ccti -= 1;
            from = from.max(expiry);
            expiry += params.timer;
        }
    }

    fn limit(&self, now: Time, full: Span) -> f64 {
        let idle = self.idle(self.ccti(now), Sent { start: now, time: full, full, line: Rate(0) });
        1.0 + idle.0 as f64 / full.0.max(1) as f64
    }

    fn gap(&self, now: Time, last: Sent) -> Span {
        last.time + self.idle(self.ccti(now), last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKET: Span = Span::from_us(1);
    const TIMER: Span = Span::from_us(100);

    /// CCT[i] = i us after a full packet, which takes 1 us.
    fn source(timer_runs: TimerRuns) -> Cct {
        let table = CctTable::Delays((0..=127).map(Span::from_us).collect());
        Cct::new(&CctParams { timer: TIMER, timer_runs, table, ..Default::default() })
    }

    fn at(us: u64) -> Time {
        Time(us * 1_000_000)
    }

    /// When the packet after one that started at `us` may start.
    fn next(source: &Cct, us: u64) -> Time {
        source.next_start(Sent { start: at(us), time: PACKET, full: PACKET, line: Rate::from_gbps(16) })
    }

    #[test]
    fn a_becn_moves_the_index_up_and_silence_brings_it_down() {
        let mut source = source(TimerRuns::ReArmed);
        for us in [10, 20, 30] {
            source.on_feedback(at(us), Feedback::Congested);
        }
        assert_eq!(
            [source.ccti(at(129)), source.ccti(at(130)), source.ccti(at(230)), source.ccti(at(900))],
            [3, 2, 1, 0]
        );
    }

    #[test]
    fn a_free_timer_expires_whatever_is_heard() {
        let mut source = source(TimerRuns::Free);
        source.on_feedback(at(95), Feedback::Congested);
        source.on_feedback(at(96), Feedback::Congested);
        assert_eq!([source.ccti(at(99)), source.ccti(at(100)), source.ccti(at(200))], [2, 1, 0]);
    }

    #[test]
    fn the_next_packet_waits_from_the_end_of_the_last() {
        let mut source = source(TimerRuns::ReArmed);
        assert_eq!(next(&source, 50), at(51));
        for _ in 0..4 {
            source.on_feedback(at(50), Feedback::Congested);
        }
        assert_eq!(next(&source, 50), at(55));
    }

    #[test]
    fn an_expiry_during_the_wait_shortens_it() {
        let mut source = source(TimerRuns::ReArmed);
        for _ in 0..120 {
            source.on_feedback(at(0), Feedback::Congested);
        }
        // The end is at 91: 120 us from it would be 211; from 200 on the index is 118, which was over at 209.
        assert_eq!(next(&source, 90), at(209));
    }

    #[test]
    fn a_wait_that_is_over_by_a_lower_index_ends_when_the_index_goes_down() {
        let table = CctTable::Delays([0, 500].map(Span::from_us).to_vec());
        let mut source = Cct::new(&CctParams { timer: TIMER, limit: 1, table, ..Default::default() });
        source.on_feedback(at(0), Feedback::Congested);
        assert_eq!(next(&source, 10), at(100));
    }

    #[test]
    fn the_index_stays_between_its_bounds() {
        let params = CctParams { min: 3, limit: 10, increase: 4, ..Default::default() };
        let mut source = Cct::new(&params);
        assert_eq!(source.ccti(at(0)), 3);
        for us in 0..5 {
            source.on_feedback(at(us), Feedback::Congested);
        }
        assert_eq!(source.ccti(at(4)), 10);
        assert_eq!(source.ccti(at(1_000_000)), 3);
    }

    #[test]
    fn once_the_index_is_down_again_it_goes_on_like_a_new_one() {
        for timer_runs in [TimerRuns::ReArmed, TimerRuns::Free] {
            let (mut used, mut new) = (source(timer_runs), source(timer_runs));
            for us in [15, 70, 120] {
                used.on_feedback(at(us), Feedback::Congested);
            }
            let reset = (0..900).find(|&us| us > 120 && used.at_initial_state(at(us))).unwrap_or(0);
            assert_eq!(reset, if timer_runs == TimerRuns::Free { 300 } else { 420 });
            for us in [reset, reset + 33, reset + 170] {
                assert_eq!(next(&used, us), next(&new, us));
                used.on_feedback(at(us), Feedback::Congested);
                new.on_feedback(at(us), Feedback::Congested);
                assert_eq!((next(&used, us), used.ccti(at(us + 99))), (next(&new, us), new.ccti(at(us + 99))));
            }
        }
    }

    #[test]
    fn an_undetermined_packet_holds_the_index_for_a_period_unless_the_timer_runs_freely() {
        let after = |timer_runs| {
            let mut source = source(timer_runs);
            source.on_feedback(at(0), Feedback::Congested);
            source.on_feedback(at(0), Feedback::Congested);
            source.on_feedback(at(90), Feedback::Undetermined);
            [99, 100, 189, 190].map(|us| source.ccti(at(us)))
        };
        assert_eq!([after(TimerRuns::ReArmed), after(TimerRuns::Free)], [[2, 2, 2, 1], [2, 1, 1, 1]]);
    }

    #[test]
    fn acks_without_a_mark_change_nothing() {
        let mut source = source(TimerRuns::ReArmed);
        source.on_feedback(at(10), Feedback::Congested);
        source.on_feedback(at(109), Feedback::Clear);
        assert_eq!([source.ccti(at(109)), source.ccti(at(110))], [1, 0]);
    }
}
