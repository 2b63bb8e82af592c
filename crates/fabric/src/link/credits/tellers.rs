//! Counters of cells consumed and freed, by link and lane (for `messages.rs`).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use congestree_units::{Bytes, Rate, Span, Time};
use congestree_wire::{IndexVec, PortId};

use crate::link::cyclic::Cyclic;
use crate::link::wiring::Wiring;
use crate::plan::{CreditMessages, Plan};

/// Size of a CF_Update on the wire (B).
pub(super) const FREED: u32 = CreditMessages::SIZE.0 as u32;

/// Size of a CC_Update on the wire (B).
pub(super) const CONSUMED: u32 = 64;

/// The receiver's counts of a lane of a link. What its sender knows of them is kept by sender, in [`CreditTellers`].
#[derive(Clone, Debug, Default)]
pub(super) struct CellCounts {
    /// Cells that have left the buffer.
    pub(super) freed: Cyclic,
    /// Cells that have left the buffer, as last sent to the sender.
    pub(super) told: Cyclic,
    /// Where messages may be lost: the counts on their way to the sender that will not be lost, and when they arrive.
    pub(super) on_the_way: VecDeque<(Time, Cyclic)>,
    /// The last of these counts that has arrived.
    pub(super) heard: Cyclic,
    /// Cells that will leave, and when, earliest first.
    pub(super) leaving: BinaryHeap<Reverse<(Time, u32)>>,
    /// Cells of packets that were lost on the link, and when they would have arrived.
    pub(super) lost: Vec<(Time, u32)>,
}

impl CellCounts {
    /// Counts what has left by now.
    pub(super) fn settle(&mut self, now: Time) {
        while let Some(&Reverse((at, cells))) = self.leaving.peek()
            && at <= now
        {
            self.freed = self.freed.plus(cells);
            self.leaving.pop();
        }
    }

    /// Records what the sender has learned before an instant. (Messages that arrive at that very instant come after
    /// everything that is due on links. If more is due on this link at the same instant, there is news, and then it
    /// does not matter who knows the old count.)
    pub(super) fn settle_heard(&mut self, now: Time) {
        while let Some(&(at, count)) = self.on_the_way.front()
            && at < now
        {
            self.heard = count;
            self.on_the_way.pop_front();
        }
    }

    /// Returns the cells of packets known to be lost by now, and forgets them.
    pub(super) fn take_lost(&mut self, now: Time) -> u32 {
        let cells = self.lost.iter().filter(|&&(at, _)| at <= now).map(|&(_, cells)| cells).sum();
        self.lost.retain(|&(at, _)| at > now);
        cells
    }

    /// Cells that the sender may use again once it learns of them, given the count that it knows.
    fn untold(&self, heard: Cyclic, now: Time) -> u64 {
        let leaving: u64 = self.leaving.iter().map(|Reverse((_, cells))| u64::from(*cells)).sum();
        let lost = self.lost.iter().filter(|&&(at, _)| at <= now).map(|&(_, cells)| u64::from(cells));
        u64::from(self.freed.since(heard)) + leaving + lost.sum::<u64>()
    }
}

/// The receiving end of a link, which sends CF_Updates.
#[derive(Clone, Debug)]
pub(super) struct Teller {
    /// No message may be sent before this time.
    pub(super) next_at: Time,
    /// When a message is due, if there is news; never if none is.
    pub(super) due_at: Time,
    /// Least time from one message to the next.
    pub(super) spacing: Span,
    /// From one message to its repetition if there is no news; absent where messages cannot be lost.
    pub(super) repeat: Option<Span>,
    /// The lane of the last message.
    pub(super) turn: usize,
}

/// All links, if credits come back in messages.
#[derive(Debug, Default)]
pub(crate) struct CreditTellers {
    /// By port (of the link into it) and lane.
    pub(super) lanes: Vec<CellCounts>,
    /// By port (of the link out of it) and lane: the cells that have left the buffer behind it, as far as the port
    /// knows.
    pub(super) heard: Vec<Cyclic>,
    /// By port.
    pub(super) tellers: IndexVec<PortId, Teller>,
    /// Least distance from one message of a port to the next, in bytes of link time.
    spacing: Bytes,
    /// The same to the repetition of one that may have been lost; absent where messages cannot be lost.
    repeat: Option<Bytes>,
    /// Time from one CC_Update to the next.
    pub(super) heal: Span,
}

impl CreditTellers {
    /// The links of a plan, at rest.
    pub(crate) fn new(plan: &Plan, wiring: &Wiring) -> Self {
        let Some(rules) = plan.flow_control.messages else { return Self::default() };
        let may_lose = plan.checks.errors.is_some_and(|errors| errors.words > 0.0);
        let teller = Teller { next_at: Time::START, due_at: Time::NEVER, spacing: Span::ZERO, repeat: None, turn: 0 };
        let mut all = Self {
            lanes: vec![CellCounts::default(); wiring.outs.len() * usize::from(plan.lanes)],
            heard: vec![Cyclic::default(); wiring.outs.len() * usize::from(plan.lanes)],
            tellers: vec![teller; wiring.outs.len()].into(),
            spacing: rules.spacing,
            repeat: may_lose.then_some(rules.repeat),
            heal: rules.heal,
        };
        wiring.outs.with_ids().for_each(|(port, out)| all.set_pace(port, wiring.rates[usize::from(out.rate)]));
        all
    }

    /// From now on messages of a port, if there are any, are as far apart as its link at this rate says.
    pub(crate) fn set_pace(&mut self, port: PortId, rate: Rate) {
        if let Some(teller) = self.tellers.get_mut(port) {
            teller.spacing = rate.time_for(self.spacing);
            teller.repeat = self.repeat.map(|repeat| rate.time_for(repeat));
        }
    }

    /// Cells behind the link into a port that its sender will be told of. `place` is the receiver's port and lane,
    /// `sender` the sender's.
    pub(crate) fn untold(&self, place: usize, sender: usize, now: Time) -> u64 {
        self.lanes.get(place).map_or(0, |lane| lane.untold(self.heard[sender], now))
    }

    /// When the next message of a port is due: at once for lanes with news, otherwise when more cells leave, or when
    /// a message that may be lost is repeated.
    pub(super) fn next_due(&self, port: PortId, lanes: usize, now: Time) -> Option<Time> {
        let (first, teller) = (port.index() * lanes, &self.tellers[port]);
        let lanes = &self.lanes[first..first + lanes];
        let news = lanes.iter().filter(|lane| lane.freed != lane.told).map(|_| now);
        let leaving = lanes.iter().filter_map(|lane| lane.leaving.peek().map(|&Reverse((at, _))| at));
        let unheard = lanes.iter().filter(|lane| lane.told != lane.heard);
        let again = unheard.filter_map(|_| teller.repeat.map(|repeat| now + repeat));
        news.chain(leaving).chain(again).min()
    }

    /// Merges what the ports of a part of the network, with this many lanes each, know.
    pub(crate) fn take_from(&mut self, part: &Self, lanes: usize, owns: impl Fn(PortId) -> bool) {
        for place in (0..part.lanes.len()).filter(|place| owns(PortId::from_index(place / lanes))) {
            self.lanes[place].clone_from(&part.lanes[place]);
            self.heard[place] = part.heard[place];
        }
    }
}
