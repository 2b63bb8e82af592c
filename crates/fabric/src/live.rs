//! A simulation that another program drives: it injects messages and advances time step by step. The same laws hold as
//! in a run, and the same work gives the same trajectory.
//!
//! Work that is requested for an instant is done after everything else in that instant, in the order (time, rank,
//! sequence): the rank is a number that the driver gives to each requester, and the sequence is the order of the calls.
//! So what happens does not depend on how early the work was announced, and a replay has the same fingerprint. Between
//! two calls the present instant is open: everything that was scheduled for it has happened, but no port has decided
//! yet what to send next.
//!
//! Bad calls are refused with a reason and change nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use congestree_kernel::{Agenda, Wheel};
use congestree_probes::{Names, Probe, Recorder};
use congestree_traffic::{Arrivals, FlowMapping};
use congestree_units::{Span, Time};
use congestree_wire::{FlowId, HostId};

use crate::event::Event;
use crate::fabric::Fabric;
use crate::observe::audit::AUDIT_EVERY;
use crate::observe::outcome::Outcome;
use crate::plan::Plan;
use crate::running::recorder;
use crate::tune::variants::Any;

mod calls;
mod refusal;
mod totals;

use calls::Pause;
pub use calls::{InjectedMessage, LiveEvent};
pub use refusal::Refusal;
use refusal::refuse;

/// A simulation in progress.
pub struct Live {
    plan: Plan,
    names: Names,
    fabric: Box<Fabric<Wheel, Recorder, Any>>,
    /// By traffic class and host: the flow that injected messages are accounted to.
    accounts: HashMap<(u16, u32), FlowId>,
    /// Messages still to be injected, in the order in which they will be created.
    work: BTreeMap<CallOrder, InjectedMessage>,
    /// External events still to come, with the driver's name for each.
    foreign: BTreeMap<CallOrder, u64>,
    /// Number of calls so far.
    sequence: u64,
    /// By flow number: the message that the flow carries.
    carried: HashMap<u64, u64>,
    /// A check for deadlock is scheduled.
    checks_deadlock: bool,
}

/// Time, rank of the requester, and number of the call.
type CallOrder = (Time, u32, u64);

/// Events between two questions whether to go on: a few milliseconds at the most.
const ASK_EVERY: u64 = 1 << 12;

impl Live {
    /// Builds the network of a plan. The traffic of the plan itself takes place in addition to what is injected.
    pub fn open(plan: Plan) -> Result<Self, Refusal> {
        let accounts: HashMap<(u16, u32), FlowId> = plan
            .sources
            .iter()
            .filter(|source| source.profile.arrivals == Arrivals::Listed && source.profile.list.is_empty())
            .filter_map(|source| match source.mapping {
                FlowMapping::Each(flow) => Some(((plan.flows[FlowId(flow)].class, source.host), FlowId(flow))),
                _ => None,
            })
            .collect();
        if accounts.is_empty() {
            return refuse("no entry of traffic is for injected messages", "add one with arrivals = \"injected\"");
        }
        if plan.measure.until_jobs_end {
            return refuse("the driver ends this simulation, and not measure.until_jobs_end", "leave it out");
        }
        let mut fabric: Box<Fabric<Wheel, Recorder, Any>> = Box::new(Fabric::build(&plan, recorder(&plan)));
        let names = fabric.names(&plan);
        fabric.ends.finite.landed = Some(Vec::new());
        fabric.start(&plan);
        let (work, foreign, carried) = (BTreeMap::new(), BTreeMap::new(), HashMap::new());
        let checks_deadlock = fabric.rules.deadlock_timeout > Span::ZERO;
        let mut live = Self { plan, names, fabric, accounts, work, foreign, sequence: 0, carried, checks_deadlock };
        live.instant();
        Ok(live)
    }

    /// The present.
    pub fn now(&self) -> Time {
        self.fabric.now
    }

    /// The end of the run according to the plan.
    pub fn end(&self) -> Time {
        self.fabric.rules.end
    }

    /// The plan that the simulation was opened with, including later changes.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The traffic entries whose messages are injected, in order.
    pub fn injected_entries(&self) -> BTreeSet<u16> {
        self.accounts.keys().map(|&(class, _)| class).collect()
    }

    /// Number of messages that are injected but not yet delivered.
    pub fn open_messages(&self) -> usize {
        self.work.len() + self.carried.len()
    }

    /// Gives a message to its host, now or later; returns the number of the message.
    pub fn inject(&mut self, at: Time, message: InjectedMessage) -> Result<u64, Refusal> {
        self.check_message(at, &message)?;
        self.sequence += 1;
        self.work.insert((at, message.rank, self.sequence), message);
        Ok(self.sequence)
    }

    /// Makes `advance` stop at an instant and report it under this name.
    pub fn schedule(&mut self, at: Time, rank: u32, name: u64) -> Result<(), Refusal> {
        self.check_time(at)?;
        self.sequence += 1;
        self.foreign.insert((at, rank, self.sequence), name);
        Ok(())
    }

    /// Advances until there is something to report, but at most to `until`; returns what has happened at the instant
    /// then reached. `asked` is called every few milliseconds; once it returns false, the present stays where it is, and
    /// the next call goes on from there.
    pub fn advance(&mut self, until: Time, asked: &mut dyn FnMut() -> bool) -> Result<Vec<LiveEvent>, Refusal> {
        match self.go_on(until, |_| false, asked)? {
            Pause::Events(notices) => return Ok(notices),
            Pause::Reached => self.wait_until(until),
            Pause::Halted => {}
        }
        Ok(Vec::new())
    }

    /// Advances until there is something to report, or `enough` holds, or the driver, who is `asked`, has had enough.
    fn go_on(
        &mut self,
        until: Time,
        enough: fn(&Self) -> bool,
        asked: &mut dyn FnMut() -> bool,
    ) -> Result<Pause, Refusal> {
        self.check_time(until)?;
        let mut ask_at = self.fabric.records.events + ASK_EVERY;
        loop {
            let notices = self.due();
            if !notices.is_empty() {
                return Ok(Pause::Events(notices));
            }
            if self.fabric.records.events >= ask_at {
                if !asked() {
                    return Ok(Pause::Halted);
                }
                ask_at = self.fabric.records.events + ASK_EVERY;
            }
            self.carry_out();
            if enough(self) {
                return Ok(Pause::Reached);
            }
            let Some(next) = self.next_at().filter(|&next| next <= until) else { return Ok(Pause::Reached) };
            self.wait_until(next);
            self.instant();
            // What happened in the instant of a stop is reported first; the next call is refused.
            if let Err(stopped) = self.check_stop() {
                let notices = self.due();
                return if notices.is_empty() { Err(stopped) } else { Ok(Pause::Events(notices)) };
            }
        }
    }

    /// Advances until nothing is left to do. Everything that happens is put into `all` with its instant, even if the
    /// simulation stops on the way, which is refused, or if `asked` returns false, as in `advance`.
    ///
    /// The present is then the instant of the last of these events, so that more work can be requested; it is the end
    /// of the plan if something is still to do after that.
    pub fn drain(&mut self, all: &mut Vec<(Time, LiveEvent)>, asked: &mut dyn FnMut() -> bool) -> Result<(), Refusal> {
        let end = self.fabric.rules.end;
        loop {
            match self.go_on(end, Self::is_idle, asked)? {
                Pause::Events(notices) => all.extend(notices.into_iter().map(|notice| (self.fabric.now, notice))),
                Pause::Reached => break,
                Pause::Halted => return Ok(()),
            }
        }
        if !self.is_idle() {
            self.wait_until(end);
        }
        if !self.carried.is_empty() {
            self.fabric.look_for_deadlock();
            self.check_stop()?;
        }
        Ok(())
    }

    /// Gives markers new parameters from now on. They know what waits at present, and forget what was before; if no
    /// parameter is different, nothing happens. Flows in progress keep their reaction. Nothing else in the plan may differ.
    pub fn change(&mut self, plan: &Plan) -> Result<(), Refusal> {
        let (old, new) = (&self.plan.scheme, &plan.scheme);
        let same_kind = std::mem::discriminant(&old.mark) == std::mem::discriminant(&new.mark);
        if !same_kind || old.react != new.react {
            let fact = "only parameters of the marking may change while a simulation is open";
            return refuse(fact, "open another one for another scheme");
        }
        if old.mark == new.mark {
            return Ok(());
        }
        self.plan.scheme.mark = new.mark.clone();
        self.fabric.renew_markers(&self.plan);
        Ok(())
    }

    /// Fingerprints so far, of transmissions and deliveries.
    pub fn fingerprints(&self) -> (u64, u64) {
        (self.fabric.records.trajectory, self.fabric.records.results)
    }

    /// Ends the simulation; returns what a run that ends now would have returned.
    pub fn close(mut self) -> Outcome {
        self.carry_out();
        if self.fabric.records.stop.is_none() {
            self.fabric.take_snapshots(self.fabric.now + Span(1)); // the one due now, too: its instant is over
        }
        self.fabric.finish(&self.plan, &self.names)
    }

    /// Nothing is scheduled except what a run schedules for itself: the end of the warm-up, checks for deadlock, and when
    /// senders say next what they have consumed. Receivers need that only after a loss, and here the links lose nothing.
    fn is_idle(&self) -> bool {
        let rules = &self.fabric.rules;
        let own = usize::from(self.fabric.now < rules.warm_up) + usize::from(self.checks_deadlock);
        let own = own + self.fabric.scheduled_heals();
        self.work.is_empty() && self.foreign.is_empty() && self.fabric.agenda.len() <= own
    }

    /// The instant at which something happens next.
    fn next_at(&self) -> Option<Time> {
        let first = |order: Option<&CallOrder>| order.map(|order| order.0);
        let all = [self.fabric.agenda.next_at(), first(self.work.keys().next()), first(self.foreign.keys().next())];
        all.into_iter().flatten().min()
    }

    /// Nothing happens before this time, which is the present from now on. Samples that are due before it show what is
    /// so until then, and not what will be injected in it.
    fn wait_until(&mut self, at: Time) {
        if at > self.fabric.probe.sample_due() {
            self.fabric.take_snapshots(at);
        }
        self.fabric.now = at;
    }

    /// Handles everything that is scheduled for the present.
    fn instant(&mut self) {
        let now = self.fabric.now;
        while self.fabric.agenda.next_at() == Some(now) {
            let Some(entry) = self.fabric.agenda.take() else { break };
            let event = Event::from_rank(entry.rank);
            self.fabric.handle(event);
            if event == Event::DeadlockCheck {
                // The check schedules the next one if anything else is due, or messages are in flight.
                self.checks_deadlock = !self.fabric.agenda.is_empty();
            }
            self.fabric.records.events += 1;
            if self.fabric.records.events.is_multiple_of(AUDIT_EVERY) {
                self.fabric.audit_now();
            }
        }
    }

    /// What has happened but has not been reported.
    fn due(&mut self) -> Vec<LiveEvent> {
        let mut notices = Vec::new();
        if let Some(landed) = &mut self.fabric.ends.finite.landed {
            notices.extend(landed.drain(..).filter_map(|flow| {
                let number = self.carried.remove(&flow.number)?;
                Some(LiveEvent::Delivered { number, flow: flow.number, packets: flow.packets, marked: flow.marked })
            }));
        }
        let now = self.fabric.now;
        while let Some(entry) = self.foreign.first_entry().filter(|entry| entry.key().0 <= now) {
            notices.push(LiveEvent::Due(entry.remove()));
        }
        notices
    }

    /// Closes the present instant: work that was requested for it is done, and every port decides.
    fn carry_out(&mut self) {
        let now = self.fabric.now;
        while let Some(entry) = self.work.first_entry().filter(|entry| entry.key().0 <= now) {
            let (key, message) = entry.remove_entry();
            let account = self.accounts[&(message.class, message.from)];
            let flow = self.fabric.begin_flow(account, HostId(message.to), message.bytes);
            self.carried.insert(flow, key.2);
        }
        self.keep_checking();
        self.instant();
        if !self.fabric.deciding.is_empty() {
            self.fabric.decide_all();
        }
    }

    /// Makes sure that a check for deadlock is scheduled while messages are in flight: in a run the checks end when no
    /// work is left, but here more may be injected later.
    fn keep_checking(&mut self) {
        let timeout = self.fabric.rules.deadlock_timeout;
        if !self.checks_deadlock && !self.carried.is_empty() && timeout > Span::ZERO {
            self.fabric.schedule(self.fabric.now + timeout, Event::DeadlockCheck);
            self.checks_deadlock = true;
        }
    }
}
