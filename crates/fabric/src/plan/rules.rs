//! Settings that every part of the engine reads and none changes, in the form that the hot path needs.

use congestree_units::{Span, Time};
use congestree_wire::PortId;

use crate::link::port::{Far, Out};
use crate::plan::{AdapterPlan, ArbiterPlan, CreditUnit, FlowControl, Plan, QueueMap, Switching};
use crate::tune::features::{Feature, Features};

/// The rules of a network.
pub(crate) struct FabricRules {
    pub hosts_len: u32,
    pub lanes: usize,
    /// The end of the run; the last job of a network may set it to the present.
    pub end: Time,
    pub warm_up: Time,
    pub deadlock_timeout: Span,
    pub queue_map: QueueMap,
    pub arbiter: ArbiterPlan,
    pub switching: Switching,
    pub forwarding_delay: Span,
    /// Packets that may be read from one input at a time; `None`: all.
    pub read_ports: Option<u8>,
    pub adapter: AdapterPlan,
    pub flow_control: FlowControl,
    /// Packets of a flow may overtake each other.
    pub overtaking: bool,
    /// Every packet of a message counts, because the last one need not be the last to come in, or some may never come
    /// in.
    pub counts_packets: bool,
    /// Every packet that starts on the link into its host counts, because senders are told of deliveries, and the last
    /// packet of a message need not be the last to come in.
    pub counts_coming: bool,
    /// Ports that decide in one instant do not influence each other, and nothing depends on their order.
    pub decides_apart: bool,
    /// A packet that comes in at a host is only counted, unless it has to be answered.
    pub receives_quietly: bool,
}

/// Features of networks in which ports do not influence each other within an instant, provided that nothing takes zero
/// time to get anywhere.
pub(crate) const APART: Features = Features::list(&[
    Feature::SeveralLanes,
    Feature::LargeSwitches,
    Feature::MixedRates,
    Feature::CountsPackets,
    Feature::CountsWaiting,
    Feature::Stages,
    Feature::ChoosesPaths,
    Feature::HoldsSenders,
    Feature::MarksByPackets,
    Feature::MarksByFill,
    Feature::MarksByWaiting,
]);

/// Features that make a packet that comes in more than a count.
pub(crate) const LOUD: Features = Features::list(&[
    Feature::QueueCredits,
    Feature::ChecksFrames,
    Feature::Fails,
    Feature::TellsCredit,
    Feature::Transports,
    Feature::Headers,
    Feature::Telemeters,
    Feature::Programs,
    Feature::FiniteFlows,
]);

/// The exact time at which a packet comes in may matter, or receive buffers fill up, or whether a packet is late
/// depends on other hosts.
fn is_loud(plan: &Plan, features: Features) -> bool {
    let fills_up = plan.flow_control.unit == CreditUnit::Pause && plan.adapter.drain_rate.is_some();
    features.meets(LOUD) || plan.measure.probes.any() || fills_up || plan.wanders()
}

impl FabricRules {
    /// The port belongs to a host.
    #[inline(always)]
    pub(crate) fn is_host(&self, port: PortId) -> bool {
        port.0 < self.hosts_len
    }

    /// The rules of a plan with these features and ports.
    pub(crate) fn new(plan: &Plan, features: Features, outs: &[Out]) -> Self {
        let at_once = |out: &Out| out.far == Far::CutThrough && out.head_delay == Span::ZERO;
        Self {
            decides_apart: features.within(APART) && !outs.iter().any(at_once) && !plan.measure.probes.any(),
            receives_quietly: !is_loud(plan, features),
            hosts_len: plan.graph.hosts.len() as u32,
            lanes: usize::from(plan.lanes),
            end: plan.measure.duration,
            warm_up: plan.measure.warm_up,
            deadlock_timeout: plan.measure.deadlock_timeout,
            queue_map: plan.plain_queues(),
            arbiter: plan.switch.arbiter,
            switching: plan.switching(),
            forwarding_delay: plan.switch.forwarding_delay,
            read_ports: plan.switch.read_ports,
            adapter: plan.adapter,
            flow_control: plan.flow_control,
            overtaking: plan.reorders(),
            counts_packets: plan.reorders() || plan.loses_for_good(),
            counts_coming: (plan.reorders() || plan.loses_for_good()) && plan.senders_are_foretold(),
        }
    }
}

#[cfg(test)]
mod tests {
    use congestree_probes::Silent;
    use congestree_schemes::mark::fecn::FecnParams;
    use congestree_schemes::react::cct::CctParams;
    use congestree_schemes::{MarkParams, NotifyParams, ReactParams};
    use congestree_units::{Bytes, Rate};

    use super::*;
    use crate::small::{Stepped, star, until};

    /// The records of a run, at the end of the warm-up and at the end of the run.
    fn records_of(plan: &Plan, change: impl Fn(&mut FabricRules)) -> String {
        let mut fabric = Stepped::build(plan, Silent);
        assert!(fabric.rules.receives_quietly && fabric.rules.decides_apart);
        change(&mut fabric.rules);
        fabric.start(plan);
        until(&mut fabric, plan.measure.duration.0);
        let (records, receipts) = (&fabric.records, &fabric.ends.receipts);
        assert!(records.results != 0);
        format!("{:x} {:x} {:?} {receipts:?}", records.trajectory, records.results, records.before)
    }

    /// Four hosts, two of which send to the same one.
    fn crossing() -> Plan {
        let mut plan = star(4, &[(0, 3), (1, 3), (2, 1), (3, 0), (3, 2)]);
        plan.switch.buffer_units = vec![5];
        plan.adapter.drain_rate = Some(Rate::from_gbps(7));
        plan.adapter.receive_units = Some(3);
        plan.measure.deadlock_timeout = Span::from_ns(3_100);
        plan.measure.warm_up = Time(5_300_000);
        plan
    }

    /// Those four hosts, with marks that sources are told of.
    fn marking() -> Plan {
        let mut plan = crossing();
        plan.scheme.mark = MarkParams::Fecn(FecnParams { packet_size: Bytes(0), ..FecnParams::default() });
        plan.scheme.notify = NotifyParams::Cnp(Default::default());
        plan.scheme.react = ReactParams::Cct(CctParams::default());
        plan
    }

    #[test]
    fn what_is_counted_when_it_starts_on_its_last_link_is_counted_right() {
        for mut plan in [crossing(), marking()] {
            for nanoseconds in (6_000..30_000).step_by(1_111) {
                plan.measure.duration = Time(nanoseconds * 1_000);
                assert_eq!(records_of(&plan, |_| {}), records_of(&plan, |rules| rules.receives_quietly = false));
            }
        }
    }

    #[test]
    fn ports_that_decide_one_by_one_do_what_they_do_all_at_once() {
        for plan in [crossing(), marking()] {
            assert_eq!(records_of(&plan, |_| {}), records_of(&plan, |rules| rules.decides_apart = false));
        }
    }

    #[test]
    fn ports_wait_for_each_other_where_packets_arrive_in_no_time() {
        let mut plan = crossing();
        let apart = |plan: &Plan| Stepped::build(plan, Silent).rules.decides_apart;
        assert!(apart(&plan));
        plan.switch.forwarding_delay = Span::ZERO;
        plan.graph.links.iter_mut().for_each(|link| (link.ab.delay, link.ba.delay) = (Span::ZERO, Span::ZERO));
        assert!(!apart(&plan));
    }
}
