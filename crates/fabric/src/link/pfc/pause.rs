//! Priority flow control (PFC): a receiver that runs out of room in a lane tells its neighbour to pause there.
//!
//! **The receiver** counts what its inputs hold (see `accounts` and `memory.rs`). When a count crosses its threshold, a pause frame
//! is queued before any packet that starts at that instant. When the count has come down, another frame ends the
//! pause; this is checked after all packets that start at that instant, because the room that each of them frees
//! counts. At most one frame of each port and lane waits to be sent; its content is updated until it is sent. With
//! `quanta` a pause ends by itself, and is sent again when half of its duration is over.
//!
//! **The sender** starts no packet in a paused lane. While the lane is paused it has no credit, otherwise unlimited
//! credit. So a port waits for the end of a pause just as it waits for credit, and everything that looks at credit
//! (arbiters, hosts, markers that ask for victims, the search for deadlock) works unchanged.
//!
//! A watchdog may step in where a pause lasts too long: see `watchdog`. (IEEE 802.1Qbb.)

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::{Bytes, Span, Time};
use congestree_wire::PortId;

use crate::event::{Due, Event};
use crate::fabric::Fabric;
use crate::link::credits::UNLIMITED;
use crate::link::frames::{ControlFrame, Frame};
use crate::link::pfc::pauses::{QUANTUM, UNTIL_TOLD};
use crate::plan::Plan;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Puts pause storms on the agenda.
    pub(crate) fn start_storms(&mut self, plan: &Plan) {
        for storm in plan.pfc.iter().flat_map(|pfc| &pfc.storms) {
            let (port, lane) = (storm.host.port(), storm.lane);
            if self.border.is_away(port) {
                continue;
            }
            self.schedule(storm.start, Event::Pause { port, lane, due: Due::StormBegins });
            if storm.stop != Time::NEVER {
                self.schedule(storm.stop, Event::Pause { port, lane, due: Due::StormEnds });
            }
        }
    }

    /// Something is due.
    pub(crate) fn pause_due(&mut self, port: PortId, lane: u8, due: Due) {
        let place = self.at(port, lane);
        match due {
            Due::Drained => self.drained(port.host()),
            Due::StormBegins => self.ask_for_pause(port, lane),
            Due::StormEnds => self.ask_no_more(port, lane, false),
            Due::Refresh => {
                if self.links.pauses.refresh_at[place] == self.now {
                    self.tell_pause(port, lane, false);
                }
            }
            Due::Expire => {
                let held = &mut self.links.pauses.held[place];
                if held.until == self.now {
                    held.asserted = false;
                    held.until = Time::NEVER;
                    self.probe.pause_expired(self.now, port.0, lane);
                    self.go_on(port, lane);
                }
            }
            Due::Detect => self.detect(port, lane),
            Due::Restore => self.restore(port, lane),
        }
    }

    // ---- the receiver ---------------------------------------------------------------------------------------------

    /// Adds a reason to pause; the first one pauses the neighbour.
    pub(super) fn ask_for_pause(&mut self, port: PortId, lane: u8) {
        let place = self.at(port, lane);
        self.links.pauses.asking[place] += 1;
        if self.links.pauses.asking[place] == 1 {
            self.tell_pause(port, lane, false);
        }
    }

    /// Removes a reason to pause; without the last one the pause ends.
    pub(super) fn ask_no_more(&mut self, port: PortId, lane: u8, late: bool) {
        let place = self.at(port, lane);
        self.links.pauses.asking[place] -= 1;
        if self.links.pauses.asking[place] == 0 {
            self.links.pauses.refresh_at[place] = Time::NEVER;
            self.tell_pause(port, lane, late);
        }
    }

    /// Sends the neighbour the present state: pause or no pause.
    fn tell_pause(&mut self, port: PortId, lane: u8, late: bool) {
        let place = self.at(port, lane);
        let quanta = match self.links.pauses.asking[place] {
            0 => 0,
            _ => self.links.pauses.quanta.unwrap_or(UNTIL_TOLD),
        };
        if quanta > 0
            && let Some(quanta) = self.links.pauses.quanta
        {
            let sender = self.links.ins[port].sender;
            let half = Span(self.pause_time(self.links.outs[sender].rate, quanta).0 / 2);
            self.links.pauses.refresh_at[place] = self.now + half;
            self.schedule(self.now + half, Event::Pause { port, lane, due: Due::Refresh });
        }
        let notice = ControlFrame::Pause { lane, quanta };
        let same = |unsent: &&mut ControlFrame| matches!(unsent, ControlFrame::Pause { lane: of, .. } if *of == lane);
        if let Some(unsent) = self.links.neighbours.unsent(port).find(same) {
            *unsent = notice;
            return;
        }
        let frame = Frame { bytes: self.links.pauses.frame, after: self.links.pauses.response, notice };
        if late {
            self.tell_after_all(port, frame);
        } else {
            self.tell(port, frame);
        }
    }

    /// How long a pause of this many quanta lasts on a link.
    fn pause_time(&self, rate: u16, quanta: u32) -> Span {
        self.links.rates[usize::from(rate)].rate().time_for(Bytes(QUANTUM * u64::from(quanta)))
    }

    // ---- the sender -----------------------------------------------------------------------------------------------

    /// A port is told to pause in a lane, or to go on (zero quanta).
    pub(crate) fn told_to_pause(&mut self, port: PortId, lane: u8, quanta: u32) {
        self.probe.pause_heard(self.now, port.0, lane, quanta > 0);
        let until = match quanta {
            0 | UNTIL_TOLD => Time::NEVER,
            quanta => self.now + self.pause_time(self.links.outs[port].rate, quanta),
        };
        let place = self.at(port, lane);
        let held = &mut self.links.pauses.held[place];
        held.asserted = quanta > 0;
        held.until = until;
        if until != Time::NEVER {
            self.schedule(until, Event::Pause { port, lane, due: Due::Expire });
        }
        if quanta > 0 { self.hold(port, lane) } else { self.go_on(port, lane) }
    }

    /// No packet starts in this lane, unless the watchdog has stepped in.
    fn hold(&mut self, port: PortId, lane: u8) {
        let place = self.at(port, lane);
        let held = &mut self.links.pauses.held[place];
        if held.since != Time::NEVER || held.ignored {
            return;
        }
        held.since = self.now;
        self.links.out_lanes[place].credit = 0;
        self.probe.paused(self.now, port.0, lane, true);
        if !self.rules.is_host(port)
            && let Some(watchdog) = self.links.pauses.watchdog
        {
            self.check_later(port, lane, watchdog.detect, Due::Detect);
        }
        self.consider(port);
    }

    /// Packets start in this lane again.
    pub(crate) fn go_on(&mut self, port: PortId, lane: u8) {
        let place = self.at(port, lane);
        let held = &mut self.links.pauses.held[place];
        if held.since == Time::NEVER {
            return;
        }
        held.since = Time::NEVER;
        held.check_at = Time::NEVER;
        self.links.out_lanes[place].credit = UNLIMITED;
        self.probe.paused(self.now, port.0, lane, false);
        self.consider(port);
    }

    // ---- the search for deadlock ----------------------------------------------------------------------------------

    /// The receiver asks for a pause that can end only if it sends what it holds.
    pub(crate) fn is_held_for_good(&self, port: PortId, lane: u8) -> bool {
        let peer = self.links.outs[port].peer;
        self.links.pauses.watchdog.is_none() && self.links.pauses.asking[self.at(peer, lane)] > 0
    }

    /// A packet that waits in the buffer of an input keeps that input asking for a pause.
    pub(crate) fn keeps_asking(&self, input: PortId, lane: u8, output: PortId) -> bool {
        !self.links.pauses.per_queue || self.links.pauses.accounts[self.account_of(input, lane, output)].pausing
    }
}
