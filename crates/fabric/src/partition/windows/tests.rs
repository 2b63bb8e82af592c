//! Windows as long as the lookahead are right, and longer ones are found out.

use std::panic::{AssertUnwindSafe, catch_unwind};

use congestree_kernel::HeapAgenda;
use congestree_topology::Wire;
use congestree_topology::graphs::{Chain, Topology};
use congestree_topology::routing::shortest_path;
use congestree_units::{Rate, Span};

use super::*;
use crate::running::run_with;
use crate::small::star;
use crate::tune::variants::Any;

/// Three switches in a row with two hosts each; traffic from one end to the other meets traffic that begins in
/// between.
fn row() -> Plan {
    let mut plan = star(6, &[(0, 4), (1, 2), (2, 5), (3, 4), (5, 0)]);
    let wire = Wire { rate: Rate::from_gbps(8), delay: Span::from_ns(300) };
    plan.graph = Chain { switches: 3, hosts_per_switch: 2 }.build(wire);
    plan.routes = shortest_path(&plan.graph).expect("a row is connected");
    plan.switch.buffer_units = vec![4];
    plan.flow_control.credit_delay = None;
    plan
}

fn cut_by(plan: &Plan, lookahead: Span) -> Option<Outcome> {
    let cut = Cut { lookahead, ..Cut::of(plan, 3, &[0, 1, 2]) };
    let mut observer = Observer { report: &mut |_| true, take: None };
    run::<HeapAgenda, Silent, Any>(plan, || Silent, &cut, 1, &mut observer)
}

#[test]
fn windows_as_long_as_the_lookahead_are_right_and_longer_ones_are_found_out() {
    let plan = row();
    let mut observer = Observer { report: &mut |_| true, take: None };
    let whole = run_with::<HeapAgenda, Silent, Any>(&plan, Silent, &mut observer);
    let seen = |outcome: &Outcome| (outcome.trajectory, outcome.results, outcome.events, outcome.packet_hops);
    let cut = cut_by(&plan, plan.lookahead()).expect("nothing stops it");
    assert_eq!(seen(&cut), seen(&whole));
    let longer = Span(2 * plan.lookahead().0);
    let found = catch_unwind(AssertUnwindSafe(|| cut_by(&plan, longer)));
    assert!(!found.is_ok_and(|cut| cut.is_some_and(|cut| seen(&cut) == seen(&whole))), "nobody would notice");
}

#[test]
fn a_run_in_parts_asks_after_every_window_whether_to_go_on() {
    let plan = row();
    let cut = Cut { lookahead: plan.lookahead(), ..Cut::of(&plan, 3, &[0, 1, 2]) };
    for threads in 1..=3 {
        let mut asked = 0;
        let mut report = |progress: RunProgress| {
            asked += 1;
            assert!(progress.now <= progress.end);
            asked < 10
        };
        let mut observer = Observer { report: &mut report, take: None };
        let outcome = run::<HeapAgenda, Silent, Any>(&plan, || Silent, &cut, threads, &mut observer);
        let outcome = outcome.expect("an interrupted run has an outcome");
        assert_eq!(asked, 10);
        assert!(matches!(outcome.stop, Some(Stop::Interrupted)));
        assert!(outcome.end < Time::START + Span::from_us(10), "it went on for long: {:?}", outcome.end);
        assert!(outcome.packet_hops > 0);
    }
}
