//! From a plan to a fabric: every owner builds its own tables.

use std::marker::PhantomData;

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::{Bytes, Span, Time};
use congestree_wire::{HostId, Pool};

use crate::control::controls::Control;
use crate::event::{Event, SourceTurn};
use crate::fabric::Fabric;
use crate::host::ends::Ends;
use crate::jobs::ranks::Ranks;
use crate::link::credits::queue_credits::QueueCredits;
use crate::link::links::Links;
use crate::link::port::Out;
use crate::link::wiring::Wiring;
use crate::observe::records::Records;
use crate::partition::border::Border;
use crate::plan::Plan;
use crate::plan::rules::FabricRules;
use crate::switch::routes::forwarding::Forwarding;
use crate::switch::switches::Switches;
use crate::tune::features::Features;
use crate::tune::variants::Variant;

/// How long before its time an event is usually scheduled at most: a packet's time on its link, the delay of the link
/// and that of the switch behind it; and how many packets that is on a link that is never idle.
fn leads(wiring: &Wiring, full: Bytes) -> (Span, usize) {
    let time = |out: &Out| wiring.rates[usize::from(out.rate)].time_for(full);
    let lead = wiring.outs.iter().map(|out| time(out) + out.head_delay).max().unwrap_or(Span::from_us(1));
    let fastest = wiring.outs.iter().map(time).min().unwrap_or(lead);
    (lead, (lead.0 / fastest.0.max(1)).clamp(1, 64) as usize)
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The fabric of a plan, at rest.
    pub(crate) fn build(plan: &Plan, probe: P) -> Self {
        Self::build_with(plan, probe, Forwarding::of(plan))
    }

    /// The fabric of a plan, at rest, with forwarding tables that it shares with another fabric of this plan.
    pub(crate) fn build_with(plan: &Plan, probe: P, routes: Forwarding) -> Self {
        let wiring = Wiring::of(plan);
        let (lead, on_a_link) = leads(&wiring, plan.adapter.full());
        let events = wiring.outs.len() * on_a_link;
        let features = Features::of(plan);
        let switches = Switches::new(plan, &wiring, features, routes);
        let control = Control::new(plan, &wiring);
        let queue_credits = QueueCredits::new(plan, &wiring.outs, &wiring.ins, switches.inputs.queues.len());
        let mut fabric = Fabric {
            variant: PhantomData,
            features,
            now: Time::START,
            agenda: A::new(lead, events),
            probe,
            packets: Pool::default(),
            rules: FabricRules::new(plan, features, &wiring.outs),
            links: Links::new(plan, wiring, control.marking.filters(), queue_credits),
            switches,
            ends: Ends::new(plan),
            control,
            ranks: Ranks::new(plan),
            border: Border::default(),
            records: Records::new(plan),
            deciding: Vec::new(),
            upcoming: Vec::new(),
        };
        fabric.place_connections(plan.seed);
        fabric.place_grants(plan);
        fabric
    }

    /// Puts the first events on the agenda.
    pub(crate) fn start(&mut self, plan: &Plan) {
        self.place_reactions();
        for id in 0..self.ends.sources.len() as u32 {
            let source = &self.ends.sources[id as usize];
            // Finite flows are made in every part, see `host/messages/finite_flow.rs`.
            if self.border.is_away(HostId(source.host()).port()) && source.mapping().account().is_none() {
                continue;
            }
            let (begin, stop) = (source.begin(), source.profile().stop);
            self.schedule(begin, Event::Source { source: id, turn: SourceTurn::Start });
            if stop != Time::NEVER {
                self.schedule(stop, Event::Source { source: id, turn: SourceTurn::Stop });
            }
        }
        self.start_messages();
        self.start_jobs();
        self.tell_queueless();
        for flow in self.ends.flows.ids() {
            let limit = self.limit_of(flow);
            if limit != 1.0 {
                self.probe.limit(Time::START, flow.0, limit);
            }
        }
        if self.fails() {
            self.expect_fault();
        }
        if self.rules.warm_up > Time::START {
            self.schedule(self.rules.warm_up, Event::WarmUp);
        }
        if self.rules.deadlock_timeout > Span::ZERO {
            self.schedule(Time::START + self.rules.deadlock_timeout, Event::DeadlockCheck);
        }
        self.records.set_next_check(Time::START, &self.rules);
        self.start_storms(plan);
    }
}
