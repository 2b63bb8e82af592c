//! The ledger: what the sender of a link knows about the room behind it, and how it uses that room.
//!
//! The room behind a link (and lane) is a pool, [`LaneCredits::credit`]. In most networks that is all: any packet may
//! take from it. Where the queues of an input have buffer space of their own, the pool is what they share, and a table
//! (`queue_credits.rs`) has the rest. A packet takes from what its queue has reserved first, then from the pool, as
//! long as the queue stays within its limit; room that comes back goes to the pool first. So the only state needed is
//! how many units each queue has in use:
//! | memory | reserved for each queue | limit of each | pool |
//! | --- | --- | --- | --- |
//! | shared | nothing | none | all |
//! | reserved | an equal share | that share | nothing |
//! | damq [tamir1992] | `reserve` | `limit` | the rest |
//!
//! The sender keeps the ledger. It can do so because routes are deterministic where queues have space of their own: it
//! knows which queue of the next switch a packet will join.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{HostId, IndexVec, PortId, QueueId};

use crate::fabric::Fabric;
use crate::link::credits::UNLIMITED;
use crate::link::port::{Far, In, Out};
use crate::partition::mail::Credit;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Makes the units that have come back by now to a port and lane (`place` in the tables by both) usable, and
    /// resets the number of units that its port waits for.
    #[inline(always)]
    pub(crate) fn settle(&mut self, place: usize) {
        let (by_queue, pauses) = (self.has_queue_credits(), self.pauses());
        let state = &mut self.links.out_lanes[place];
        state.starved = 0;
        if by_queue {
            return self.links.queue_credits.settle(place, state, &mut self.links.returning, self.now);
        }
        // With pauses no units are counted, so none come back.
        if !pauses {
            self.links.returning.settle(state, self.now);
        }
    }

    /// There is room behind `port` for a packet to `destination` of `units` units (after settling).
    #[inline(always)]
    pub(crate) fn fits(&self, port: PortId, lane: u8, destination: HostId, units: u16) -> bool {
        match self.has_queue_credits() {
            true => units == 0 || self.room_left(port, lane, destination) >= u32::from(units),
            false => !self.holds_senders() || self.links.out_lanes[self.at(port, lane)].fits(units),
        }
    }

    /// There would be room if what has come back by now were counted. With credits by queue: whether flow control does
    /// not hold the port.
    pub(crate) fn could_fit(&self, port: PortId, lane: u8, units: u16) -> bool {
        let state = &self.links.out_lanes[self.at(port, lane)];
        match self.has_queue_credits() && state.credit != UNLIMITED {
            true => self.links.outs[port].blocked_since == Time::NEVER,
            false => self.links.returning.usable(state, self.now, units),
        }
    }

    /// A packet takes its room behind `port`.
    #[inline(always)]
    pub(crate) fn take(&mut self, port: PortId, lane: u8, destination: HostId, units: u16) {
        let place = self.at(port, lane);
        if self.has_queue_credits() {
            return self.take_queue_credit(port, lane, destination, units);
        }
        if !self.pauses() {
            self.links.out_lanes[place].take(units);
        }
    }

    #[inline(never)]
    fn take_queue_credit(&mut self, port: PortId, lane: u8, destination: HostId, units: u16) {
        let (place, queue) = (self.at(port, lane), self.account(port, lane, destination));
        self.links.queue_credits.take(place, &mut self.links.out_lanes[place], queue, u32::from(units));
    }

    /// The port lacks room for a packet of at least `units` units: it is asked again when there is enough.
    #[inline(always)]
    pub(crate) fn await_room(&mut self, port: PortId, lane: u8, units: u32) {
        let place = self.at(port, lane);
        // With credits by queue, how much is enough depends on the destination: the port looks whenever any room comes
        // back.
        let units = if self.has_queue_credits() { 1 } else { units };
        let state = &mut self.links.out_lanes[place];
        state.starved = units;
        if let Some(enough) = self.links.returning.when(state, units) {
            self.wake_by(port, enough);
        }
    }

    /// The room of a packet to `destination` in the buffer of `input` goes back to its sender from `free_at` on.
    #[inline(always)]
    pub(crate) fn give_back(&mut self, input: PortId, lane: u8, destination: HostId, units: u16, free_at: Time) {
        if self.pauses() {
            return;
        }
        if self.tells_credit() {
            return self.free_cells(input, lane, units, free_at);
        }
        let In { sender, away, credit_delay, .. } = self.links.ins[input];
        let at = free_at + credit_delay;
        if away {
            let credit = Credit { at, output: sender, units, lane };
            return match self.has_queue_credits() {
                true => self.border.credit_of(self.account(sender, lane, destination), credit),
                false => self.border.credit(credit),
            };
        }
        if self.has_queue_credits() {
            self.expect_queue_credit(sender, lane, self.account(sender, lane, destination), at);
        }
        self.credit(sender, lane, u32::from(units), at);
    }

    /// The room that comes back at `at` belongs to a queue.
    #[inline(never)]
    pub(crate) fn expect_queue_credit(&mut self, sender: PortId, lane: u8, queue: QueueId, at: Time) {
        let place = self.at(sender, lane);
        self.links.queue_credits.expect(place, &self.links.out_lanes[place], &self.links.returning, queue, at);
    }

    /// An output may use `units` more from `at` on.
    #[inline(always)]
    pub(crate) fn credit(&mut self, sender: PortId, lane: u8, units: u32, at: Time) {
        let place = self.at(sender, lane);
        let lane = &mut self.links.out_lanes[place];
        self.links.returning.add(lane, at, units);
        if lane.starved > 0
            && let Some(enough) = self.links.returning.when(lane, lane.starved)
            && enough >= at
        {
            // If the units that were already on their way are enough, the port has been woken for them, or is held by
            // something else. That instant may also lie in a window of this part that is over.
            let enough = enough.max(self.now);
            self.wake_by(sender, enough);
        }
    }

    /// The queue behind `port` whose room a packet takes; `QueueId::NONE` in a host.
    #[inline]
    fn account(&self, port: PortId, lane: u8, destination: HostId) -> QueueId {
        let out = &self.links.outs[port];
        match out.far {
            Far::Host => QueueId::NONE,
            _ => self.queue_at(out.peer, lane, destination),
        }
    }

    /// Units that a packet to `destination` could take behind `port` (after settling); `UNLIMITED` if they are not counted.
    pub(crate) fn room_left(&self, port: PortId, lane: u8, destination: HostId) -> u32 {
        let place = self.at(port, lane);
        let pool = self.links.out_lanes[place].credit;
        if !self.has_queue_credits() || pool == UNLIMITED {
            return pool;
        }
        let queue = self.account(port, lane, destination);
        let Some(&used) = self.links.queue_credits.used.get(queue) else { return pool };
        let share = self.links.queue_credits.shares[place];
        (share.limit - used).min(pool + share.reserve.saturating_sub(used))
    }

    /// Units behind `port` that would be usable at an instant not before now (by a packet to `destination`, if that
    /// matters). Absent if units are not counted, or the number is not known.
    pub(crate) fn room_at(&self, port: PortId, lane: u8, destination: Option<HostId>, at: Time) -> Option<u64> {
        let state = &self.links.out_lanes[self.at(port, lane)];
        match destination {
            _ if state.credit == UNLIMITED => None,
            _ if !self.has_queue_credits() => Some(u64::from(state.credit) + self.links.returning.due(state, at)),
            destination => Some(u64::from(self.room_left(port, lane, destination?))),
        }
    }

    /// Units behind `port` that would be usable at an instant not before now by packets to all destinations to which
    /// the port sends; with room by queue, after settling. Absent if units are not counted.
    pub(crate) fn room_for_all(&self, port: PortId, lane: u8, at: Time) -> Option<u64> {
        let (place, out) = (self.at(port, lane), &self.links.outs[port]);
        let pool = self.links.out_lanes[place].credit;
        if !self.has_queue_credits() || pool == UNLIMITED {
            return self.room_at(port, lane, None, at);
        }
        if out.far == Far::Host {
            return Some(u64::from(pool));
        }
        let hosts = (0..self.ends.hosts.len() as u32).map(HostId);
        let goes_here = |host: &HostId| match self.rules.is_host(port) {
            true => *host != port.host(),
            false => out.base + u32::from(self.switches.routes.port(self.links.ins[port].switch, *host)) == port,
        };
        let mut queues: Vec<QueueId> =
            hosts.filter(goes_here).map(|host| self.queue_at(out.peer, lane, host)).collect();
        queues.sort_unstable();
        queues.dedup();
        let share = self.links.queue_credits.shares[place];
        let used = queues.into_iter().map(|queue| self.links.queue_credits.used[queue]);
        let reserved: u64 = used.clone().map(|used| u64::from(share.reserve.saturating_sub(used))).sum();
        let beyond: u64 = used.map(|used| u64::from(share.limit - used.max(share.reserve))).sum();
        Some(reserved + beyond.min(u64::from(pool)))
    }

    /// Makes everything usable that has come back by then, on all links: each port would settle it when it needs it,
    /// now or later, to the same effect.
    pub(crate) fn settle_queue_credits(&mut self, at: Time) {
        if self.has_queue_credits() {
            let (credits, returning) = (&mut self.links.queue_credits, &mut self.links.returning);
            for (place, lane) in self.links.out_lanes.iter_mut().enumerate() {
                credits.settle(place, lane, returning, at);
            }
        }
    }

    /// No room behind `port` is shared.
    pub(crate) fn room_is_own(&self, port: PortId, lane: u8) -> bool {
        let share = self.links.queue_credits.shares.get(self.at(port, lane));
        share.is_some_and(|share| share.limit == share.reserve)
    }

    /// Invariants of credits by queue: the units that a queue has in use are those of its packets and those on their way
    /// back; what the queues use beyond their reserve is missing from the pool.
    pub(crate) fn check_queue_credits(&self, room_of: impl Fn(&Out, usize) -> u32) -> Result<(), String> {
        let credits = &self.links.queue_credits;
        let (mut held, mut in_hosts) = self.room_of_packets();
        for (place, (share, state)) in credits.shares.iter().zip(&self.links.out_lanes).enumerate() {
            if state.credit == UNLIMITED {
                continue;
            }
            let (port, lane) = (place / self.lanes(), place % self.lanes());
            let units = self.links.returning.units(state);
            for (&queue, units) in credits.returning_queues[place].iter().zip(units) {
                match queue {
                    QueueId::NONE => in_hosts[place] += u64::from(units),
                    queue => held[queue] += u64::from(units),
                }
            }
            let out = &self.links.outs[PortId::from_index(port)];
            let mut pooled = in_hosts[place];
            if out.far != Far::Host {
                for queue in self.switches.inputs.of_input(out.peer) {
                    let used = credits.used[queue];
                    if usize::from(self.switches.inputs.queues[queue].lane) != lane {
                        continue;
                    }
                    pooled += u64::from(share.pooled(used));
                    if u64::from(used) != held[queue] {
                        return Err(format!(
                            "at {} ps queue {queue} behind port {port} lane {lane} has {used} units in use, but {} are held \
                             or on their way back",
                            self.now.0, held[queue]
                        ));
                    }
                }
            }
            let room = room_of(out, lane);
            if u64::from(state.credit) + pooled != u64::from(room) {
                return Err(format!(
                    "at {} ps the pool behind port {port} lane {lane} is {room} units, but {} are left and {pooled} in use",
                    self.now.0, state.credit
                ));
            }
        }
        Ok(())
    }

    /// Units that packets hold: in each queue of switches, and behind each port and lane in hosts.
    fn room_of_packets(&self) -> (IndexVec<QueueId, u64>, Vec<u64>) {
        let mut held: IndexVec<QueueId, u64> = vec![0; self.links.queue_credits.used.len()].into();
        let mut in_hosts = vec![0u64; self.links.out_lanes.len()];
        for id in self.live_packets() {
            let packet = &self.packets[id];
            match packet.input {
                PortId::NONE => {}
                port if self.rules.is_host(port) => {
                    let sender = self.links.outs[port].peer;
                    if self.links.outs[sender].far == Far::Host {
                        in_hosts[self.at(sender, packet.lane)] += u64::from(packet.units);
                    }
                }
                input => held[self.queue_at(input, packet.lane, packet.destination)] += u64::from(packet.units),
            }
        }
        (held, in_hosts)
    }
}
