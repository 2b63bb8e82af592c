//! RCCC, receiver credit congestion control: a receiver grants bytes to its senders, in turn, slightly below the rate
//! of its link.
//!
//! Credit is counted in *quanta* of 256 bytes. Senders state in every packet up to which number they could use credit.
//!
//! ```text
//! turn:   the flow that has waited longest gets min(what it asks for, 64 quanta); if it wants more it goes to the end
//! nobody: flows that want nothing get 64 quanta each, up to the largest window, so that new data need not ask first
//! pace:   the next turn comes after quanta x 256 B at 99 % of the link
//! ```
//!
//! Ultra Ethernet Specification 1.0, section 3.6; uet-htsim, `UecPullPacer`.

use std::collections::VecDeque;

use congestree_units::{Bytes, Rate, Span, Time};
use serde::{Deserialize, Serialize};

use super::super::grants::{Condition, FIRST, Grant, Grants, QUANTUM};
use crate::check::Diagnostics;

/// Parameters of RCCC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RcccParams {
    /// The most credit that the receiver grants to a source in one turn. Default 16,384 B (64 quanta of 256 B).
    pub grant: Bytes,
    /// Share of the receiver's link rate that is granted. Default 0.99.
    #[schemars(range(min = 0.01, max = 1.0))]
    pub share: f64,
    /// Time that a turn without a grant takes, in quanta. Default 4.
    #[schemars(range(min = 1, max = 64))]
    pub empty_turn: u32,
    /// Control for oversubscribed fabrics, whose uplinks carry less than the hosts can send. Absent: no such control.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oversubscribed: Option<Oversubscribed>,
}

impl Default for RcccParams {
    fn default() -> Self {
        Self { grant: Bytes(16_384), share: 0.99, empty_turn: 4, oversubscribed: None }
    }
}

impl RcccParams {
    /// Reports what cannot work, also together with a window of the sender.
    pub(super) fn check(&self, windowed: bool, found: &mut Diagnostics) {
        let grant = self.grant;
        if grant.0 < QUANTUM || grant.0 > 1 << 30 {
            let fact =
                format!("credit is counted in quanta of {QUANTUM} B, and {grant} is not a sensible number of them");
            found.report("grant", fact, "give a size such as \"16384 B\"");
        }
        if !(self.share > 0.0 && self.share <= 1.0) {
            let fact = format!("{} is not a share of the link", self.share);
            found.report("share", fact, "give a number above 0, up to 1");
        }
        let Some(Oversubscribed { ratio, period, .. }) = self.oversubscribed else { return };
        if ratio < 1.0 {
            let fact = format!("uplinks carry {ratio} of what hosts send: that is no bottleneck");
            let remedy = "give what hosts send over what uplinks carry, such as 4";
            found.report("oversubscribed.ratio", fact, remedy);
        }
        if period <= 0.0 {
            found.report("oversubscribed.period", "a period takes time", "give round trips, such as 1.5");
        }
        if windowed {
            let fact = "the sender's window (nscc) already responds to congestion in the fabric";
            found.report("oversubscribed", fact, "leave it out, or take rccc without nscc");
        }
    }
}

/// The receiver grants less while packets arrive marked, or trimmed before the last hop.
///
/// Its periods begin with the first packet and follow each other also while none arrives. All are of the same length,
/// where the Ultra Ethernet simulator draws each between three and five quarters of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Oversubscribed {
    /// Oversubscription ratio: what the hosts of a leaf can send over what its uplinks carry. Default 4.
    #[schemars(range(min = 1.0, max = 1000.0))]
    pub ratio: f64,
    /// Weight of the newest share of marked packets in its average. Default 0.5.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub gain: f64,
    /// Up to this average share of marked packets the granted rate is not reduced for marks. Default 0.3.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub calm: f64,
    /// Increase of the granted rate in a period without reduction. Without marks it doubles from period to period; with
    /// a few marks it stays at this. Default 0.01.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub step: f64,
    /// Length of a period, in round trips. Default 1.5.
    #[schemars(range(min = 0.1, max = 1000.0))]
    pub period: f64,
}

impl Default for Oversubscribed {
    fn default() -> Self {
        Self { ratio: 4.0, gain: 0.5, calm: 0.3, step: 0.01, period: 1.5 }
    }
}

/// A flow that asks for credit.
#[derive(Clone, Copy, Debug)]
struct Asker {
    flow: u32,
    wants: u32,
    granted: u32,
    /// It is in the list of those that wait, and in the list of those that want nothing.
    waits: bool,
    idles: bool,
}

/// The receiving end of one host: what it grants to whom.
#[derive(Clone, Debug)]
pub struct Rccc {
    params: RcccParams,
    line: Rate,
    /// Quanta of a turn, and the additional quanta that an idle flow may have.
    turn: u32,
    spare: u32,
    askers: Vec<Asker>,
    waiting: VecDeque<u32>,
    idle: VecDeque<u32>,
    next_at: Time,
    fabric: Option<Fabric>,
}

/// What the packets of a period indicate about an oversubscribed fabric.
#[derive(Clone, Copy, Debug)]
struct Fabric {
    params: Oversubscribed,
    period: Span,
    rate: f64,
    marks: f64,
    rising: i32,
    /// When the period ends; none before the first packet.
    ends: Option<Time>,
    /// Packets of the period: all, complete ones, marked ones among these, and those trimmed before the last hop.
    all: u32,
    whole: u32,
    marked: u32,
    trimmed: u32,
}

impl Rccc {
    /// A receiver without requests. `window` is the largest window, in bytes.
    pub fn new(params: &RcccParams, line: Rate, round_trip: Span, window: u64) -> Self {
        Self {
            line,
            turn: (params.grant.0 / QUANTUM).max(1) as u32,
            spare: window.div_ceil(QUANTUM) as u32,
            askers: Vec::new(),
            waiting: VecDeque::new(),
            idle: VecDeque::new(),
            next_at: Time::START,
            fabric: params.oversubscribed.map(|own| Fabric {
                params: own,
                period: round_trip.scaled(own.period),
                rate: 1.0,
                marks: 0.0,
                rising: 0,
                ends: None,
                all: 0,
                whole: 0,
                marked: 0,
                trimmed: 0,
            }),
            params: params.clone(),
        }
    }

    /// The flow at this place has waited longest.
    fn serve_waiting(&mut self, place: u32) -> u32 {
        let state = &mut self.askers[place as usize];
        let quanta = state.wants.saturating_sub(state.granted).min(self.turn);
        state.granted += quanta;
        state.waits = state.wants > state.granted;
        if state.waits {
            self.waiting.push_back(place);
        } else if !state.idles && state.granted - state.wants.min(state.granted) < self.spare {
            state.idles = true;
            self.idle.push_back(place);
        }
        quanta
    }

    /// No flow waits: a flow without a request gets initial credit.
    fn serve_idle(&mut self, place: u32) -> u32 {
        let state = &mut self.askers[place as usize];
        state.granted += self.turn;
        state.idles = state.granted.saturating_sub(state.wants) < self.spare;
        if state.idles {
            self.idle.push_back(place);
        }
        self.turn
    }
}

impl Grants for Rccc {
    fn on_request(&mut self, asker: &mut Option<u32>, flow: u32, quanta: u32, insists: bool) {
        let place = *asker.get_or_insert_with(|| {
            self.askers.push(Asker { flow, wants: FIRST, granted: FIRST, waits: false, idles: false });
            self.askers.len() as u32 - 1
        });
        let state = &mut self.askers[place as usize];
        let more = quanta > state.wants;
        state.wants = state.wants.max(quanta);
        if (more || insists) && !state.waits {
            state.waits = true;
            self.waiting.push_back(place);
        }
    }

    fn on_packet(&mut self, now: Time, condition: Condition) {
        if let Some(fabric) = &mut self.fabric {
            fabric.on_packet(now, condition);
        }
    }

    /// Turns use the new rate after the next one.
    fn on_rate(&mut self, line: Rate) {
        self.line = line;
    }

    fn next_turn(&self) -> Time {
        if self.waiting.is_empty() && self.idle.is_empty() { Time::NEVER } else { self.next_at }
    }

    fn turn(&mut self, now: Time) -> Option<Grant> {
        if self.next_turn() > now {
            return None;
        }
        let (place, quanta) = match self.waiting.pop_front() {
            Some(place) => (place, self.serve_waiting(place)),
            None => {
                let place = self.idle.pop_front()?;
                (place, self.serve_idle(place))
            }
        };
        let cost = if quanta == 0 { self.params.empty_turn } else { quanta };
        let share = self.params.share * self.fabric.as_mut().map_or(1.0, |fabric| fabric.rate_at(now));
        let pause = self.line.time_for(Bytes(u64::from(cost) * QUANTUM)).scaled(1.0 / share);
        self.next_at = now + pause;
        let Asker { flow, granted, .. } = self.askers[place as usize];
        Some(Grant { flow, quanta: granted })
    }
}

impl Fabric {
    fn on_packet(&mut self, now: Time, condition: Condition) {
        self.catch_up(now);
        self.ends.get_or_insert(now + self.period);
        self.all += 1;
        self.whole += u32::from(matches!(condition, Condition::Whole { .. }));
        self.marked += u32::from(condition == Condition::Whole { marked: true });
        self.trimmed += u32::from(condition == Condition::TrimmedInFabric);
    }

    /// The share of the link that may be granted.
    fn rate_at(&mut self, now: Time) -> f64 {
        self.catch_up(now);
        self.rate
    }

    /// Periods that have ended, perhaps without a packet, take effect.
    fn catch_up(&mut self, now: Time) {
        while let Some(ends) = self.ends.filter(|&ends| ends <= now) {
            self.period_over();
            self.ends = Some(ends + self.period);
        }
    }

    fn period_over(&mut self) {
        let all = f64::from(self.all.max(1));
        let marks = f64::from(self.marked) / f64::from(self.whole.max(1));
        let (before, own) = (self.rate, self.params);
        self.rate -= f64::from(self.trimmed) / all;
        self.marks = own.gain * marks + (1.0 - own.gain) * self.marks;
        if self.marks > own.calm {
            self.rate *= 1.0 - 0.5 * (self.marks - own.calm);
        }
        if self.rate < before {
            self.rising = 0;
        } else {
            let doubled = if self.marked == 0 { f64::from(2u32.pow(self.rising.min(20) as u32)) } else { 1.0 };
            self.rate += own.step * doubled;
            self.rising += 1;
        }
        self.rate = self.rate.clamp((0.9 / own.ratio).max(0.01), 1.0);
        (self.all, self.whole, self.marked, self.trimmed) = (0, 0, 0, 0);
    }
}

#[cfg(test)]
mod tests;
