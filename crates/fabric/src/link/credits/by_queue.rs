//! Promises of room where the queues of an input may have room of their own.
//!
//! The room behind a link (and lane) is a pool, and what each queue has reserved. A packet takes from what its queue has
//! reserved first, then from the pool, as long as the queue stays within its limit; room comes back to the pool first.
//! So all that matters is how many units each queue has in use:
//!
//! | memory | reserved for each queue | limit of each | pool |
//! | --- | --- | --- | --- |
//! | shared | nothing | none | all |
//! | reserved | an equal share | that share | nothing |
//! | damq [tamir1992] | `reserve` | `limit` | the rest |
//!
//! The sender keeps the books. It can, because routes are deterministic: it knows which queue of the next switch a
//! packet will join.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::PacketId;

use crate::fabric::Fabric;
use crate::host::flow::NONE;
use crate::link::credits::UNLIMITED;
use crate::link::port::{Far, Out};
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The queue behind `port` whose room a packet takes.
    #[inline]
    fn account(&self, port: u32, lane: u8, destination: u32) -> u32 {
        let out = &self.links.outs[port as usize];
        match out.far {
            Far::Host => NONE,
            _ => self.queue_at(out.peer, lane, destination),
        }
    }

    /// There is room behind `port` for a packet of so many units (after settling).
    #[inline]
    pub(crate) fn has_room(&self, port: u32, lane: u8, destination: u32, units: u16) -> bool {
        if units == 0 {
            return true;
        }
        if !self.books_rooms() {
            return self.links.out_lanes[self.at(port, lane)].fits(units);
        }
        let book = &self.links.rooms.books[self.at(port, lane)];
        if !self.links.rooms.by_queue || book.pool == UNLIMITED {
            return u32::from(units) <= book.pool;
        }
        match self.account(port, lane, destination) {
            NONE => u32::from(units) <= book.pool,
            queue => book.fits(self.links.rooms.used[queue as usize], u32::from(units)),
        }
    }

    /// There is room in the pool behind `port` now; with room by queue: the port is not held by flow control.
    pub(crate) fn settled_room(&mut self, port: u32, lane: u8, units: u16) -> bool {
        let place = self.at(port, lane);
        if !self.books_rooms() {
            let state = &mut self.links.out_lanes[place];
            self.links.notes.settle(state, self.now);
            return state.fits(units);
        }
        self.links.rooms.settle(place, self.now);
        let book = &self.links.rooms.books[place];
        match self.links.rooms.by_queue && book.pool != UNLIMITED {
            true => self.links.outs[port as usize].blocked_since == Time::NEVER,
            false => u32::from(units) <= book.pool,
        }
    }

    /// Units that a packet for `destination` could take behind `port` (after settling). Nothing if they are not counted, or
    /// if it takes the destination to tell.
    pub(crate) fn room_left(&self, port: u32, lane: u8, destination: Option<u32>) -> Option<u64> {
        let book = &self.links.rooms.books[self.at(port, lane)];
        let queue = match destination {
            _ if book.pool == UNLIMITED => return None,
            _ if !self.links.rooms.by_queue => NONE,
            destination => self.account(port, lane, destination?),
        };
        let Some(used) = self.links.rooms.used.get(queue as usize) else { return Some(u64::from(book.pool)) };
        Some(u64::from(book.limit - used).min(u64::from(book.pool) + u64::from(book.reserve.saturating_sub(*used))))
    }

    /// Some room behind `port` is on its way back.
    pub(crate) fn rooms_return(&self, port: u32, lane: u8) -> bool {
        let place = self.at(port, lane);
        match self.books_rooms() {
            true => self.links.rooms.books[place].first != NONE,
            false => self.links.notes.when(&self.links.out_lanes[place], 0).is_some(),
        }
    }

    /// Room behind `port` is not shared at all.
    pub(crate) fn room_is_own(&self, port: u32, lane: u8) -> bool {
        if !self.books_rooms() {
            return false;
        }
        let book = &self.links.rooms.books[self.at(port, lane)];
        self.links.rooms.by_queue && book.limit == book.reserve
    }

    /// A packet takes its room behind `port`.
    pub(crate) fn take_room(&mut self, port: u32, id: PacketId) {
        let packet = &self.packets[id];
        let (units, lane) = (u32::from(packet.units), packet.lane);
        let place = self.at(port, lane);
        if units == 0 || self.links.rooms.books[place].pool == UNLIMITED {
            return;
        }
        let queue = self.account(port, lane, packet.destination);
        let book = &mut self.links.rooms.books[place];
        if queue == NONE {
            book.pool -= units;
            return;
        }
        let used = &mut self.links.rooms.used[queue as usize];
        debug_assert!(book.fits(*used, units));
        book.pool -= book.pooled(*used + units) - book.pooled(*used);
        *used += units;
    }

    /// Room that has come back to `port` by now may be used, and the port waits for none.
    #[inline]
    pub(crate) fn settle_rooms(&mut self, port: u32, lane: u8) {
        let place = self.at(port, lane);
        if self.books_rooms() {
            self.links.rooms.books[place].starved = false;
            return self.links.rooms.settle(place, self.now);
        }
        let state = &mut self.links.out_lanes[place];
        state.starved = 0;
        self.links.notes.settle(state, self.now);
    }

    /// The port lacks room for something: it is asked again whenever some comes back.
    pub(crate) fn await_room(&mut self, port: u32, lane: u8) {
        let place = self.at(port, lane);
        if !self.books_rooms() {
            let state = &mut self.links.out_lanes[place];
            state.starved = 1;
            if let Some(at) = self.links.notes.when(state, 0) {
                self.wake_by(port, at);
            }
            return;
        }
        let book = &mut self.links.rooms.books[place];
        book.starved = true;
        if book.first != NONE {
            let at = self.links.rooms.notes[book.first as usize].at;
            self.wake_by(port, at);
        }
    }

    /// Room of a queue (`NONE` in a host) behind `port` comes back at `at`.
    pub(crate) fn room_back(&mut self, port: u32, lane: u8, queue: u32, units: u16, at: Time) {
        let place = self.at(port, lane);
        if units == 0 || self.links.rooms.books[place].pool == UNLIMITED {
            return;
        }
        self.links.rooms.note(place, queue, u32::from(units), at);
        if self.links.rooms.books[place].starved {
            self.wake_by(port, at.max(self.now));
        }
    }

    /// The laws of rooms: what a queue has in use is what its packets hold and what is on its way back, and what the
    /// queues use beyond their reserve is missing in the pool.
    pub(crate) fn check_rooms(&self, room_of: impl Fn(&Out, usize) -> u32) -> Result<(), String> {
        let (mut held, mut in_hosts) = self.room_of_packets();
        for (place, book) in self.links.rooms.books.iter().enumerate() {
            if book.pool == UNLIMITED {
                continue;
            }
            let (port, lane) = (place / self.lanes(), place % self.lanes());
            let mut next = book.first;
            while next != NONE {
                let note = self.links.rooms.notes[next as usize];
                match note.queue {
                    NONE => in_hosts[place] += u64::from(note.units),
                    queue => held[queue as usize] += u64::from(note.units),
                }
                next = note.next;
            }
            let out = &self.links.outs[port];
            let mut pooled = in_hosts[place];
            if out.far != Far::Host {
                for queue in self
                    .switches
                    .inputs
                    .of_input(out.peer)
                    .filter(|&queue| (queue as usize) < self.links.rooms.used.len())
                {
                    let used = self.links.rooms.used[queue as usize];
                    if usize::from(self.switches.inputs.queues[queue as usize].lane) != lane {
                        continue;
                    }
                    pooled += u64::from(book.pooled(used));
                    if u64::from(used) != held[queue as usize] {
                        return Err(format!(
                            "at {} ps queue {queue} behind port {port} lane {lane} has {used} units in use, but {} are held \
                             or on their way back",
                            self.now.0, held[queue as usize]
                        ));
                    }
                }
            }
            let room = room_of(out, lane);
            if u64::from(book.pool) + pooled != u64::from(room) {
                return Err(format!(
                    "at {} ps the pool behind port {port} lane {lane} is {room} units, but {} are left and {pooled} in use",
                    self.now.0, book.pool
                ));
            }
        }
        Ok(())
    }

    /// Units that packets hold: in each queue of switches, and behind each port and lane in hosts.
    fn room_of_packets(&self) -> (Vec<u64>, Vec<u64>) {
        let mut held = vec![0u64; self.links.rooms.used.len()];
        let mut in_hosts = vec![0u64; self.links.rooms.books.len()];
        for id in self.live_packets() {
            let packet = &self.packets[id];
            match packet.input {
                NONE => {}
                host if host < self.rules.hosts_len => {
                    let sender = self.links.outs[host as usize].peer;
                    if self.links.outs[sender as usize].far == Far::Host {
                        in_hosts[self.at(sender, packet.lane)] += u64::from(packet.units);
                    }
                }
                input => {
                    held[self.queue_at(input, packet.lane, packet.destination) as usize] += u64::from(packet.units)
                }
            }
        }
        (held, in_hosts)
    }
}
