//! Links that damage frames and links that send them again: whether they are possible, and fit the rest.

use congestree_fabric::plan::{ChecksPlan, ErrorPlan, ErrorRate, RetryPlan};
use congestree_units::{Bytes, Span};

use crate::resolve::{Collector, scheme_parts};
use crate::types::{Errors, FlowControl, Retry, Scenario};

/// Longest interval between two ACK or NACK words, in bytes of link time (SAI: 16,384).
const WIDEST: Bytes = Bytes(1 << 20);

pub(in crate::resolve) fn plan(scenario: &Scenario, collector: &mut Collector<'_>) -> ChecksPlan {
    let links = &scenario.links;
    let before = collector.diagnostics.len();
    let told = matches!(&links.flow_control, FlowControl::ByteCredits(credits) if credits.messages.is_some());
    let errors = links.errors.and_then(|errors| error_plan(errors, links.retry.is_some(), told, collector));
    let retry = links.retry.map(|retry| retry_plan(scenario, retry, collector));
    if errors.is_none() && retry.is_none() || collector.diagnostics.len() > before {
        return ChecksPlan::default();
    }
    let place = if links.errors.is_some() { "links.errors" } else { "links.retry" };
    if scenario.switches.crossbar.is_some() {
        let fact = "behind a crossbar packets start on links in an order of their own, which no port can put off";
        collector.report(place, fact, "leave out switches.crossbar");
    }
    if retry.is_none() {
        check_losses(scenario, collector);
    }
    ChecksPlan { errors, retry }
}

fn error_plan(errors: Errors, repaired: bool, told: bool, collector: &mut Collector<'_>) -> Option<ErrorPlan> {
    let rate = match (errors.packets, errors.bits) {
        (Some(share), None) => ErrorRate::Packets(share),
        (None, Some(share)) => ErrorRate::Bits(share),
        (None, None) => {
            collector.report("links.errors", "it is not said how often links err", "give packets or bits");
            return None;
        }
        (Some(_), Some(_)) => {
            let fact = "errors are given both per packet and per bit";
            collector.report("links.errors.bits", fact, "give one of the two");
            return None;
        }
    };
    let key = if errors.bits.is_some() { "bits" } else { "packets" };
    let share = errors.bits.or(errors.packets).unwrap_or(0.0);
    for (key, share) in [(key, share), ("words", errors.words)] {
        if !(0.0..1.0).contains(&share) {
            let fact = format!("with a share of {share} nothing would ever come through");
            collector.report(format!("links.errors.{key}"), fact, "give a share below 1, such as 1e-6");
        }
    }
    for (key, share, matters) in [("unseen", errors.unseen, repaired), ("words", errors.words, repaired || told)] {
        if share > 0.0 && !matters {
            let fact = "it matters only on links that send damaged packets again, and these do not";
            collector.report(format!("links.errors.{key}"), fact, "leave it out, or give links.retry");
        }
    }
    Some(ErrorPlan { rate, unseen: errors.unseen, words: errors.words })
}

fn retry_plan(scenario: &Scenario, retry: Retry, collector: &mut Collector<'_>) -> RetryPlan {
    let adapters = &scenario.adapters;
    let packet = adapters.largest_packet();
    if retry.bytes < packet {
        let fact = format!("a replay buffer of {} has no room for a packet of {packet}", retry.bytes);
        collector.report("links.retry.bytes", fact, format!("make it at least {packet}"));
    }
    if retry.spacing > WIDEST {
        let fact = format!("ACK and NACK words that are {} apart come too late to be of use", retry.spacing);
        collector.report("links.retry.spacing", fact, "make it smaller, such as \"2048 B\"");
    }
    if retry.timeout == Some(Span::ZERO) {
        let fact = "every packet would be sent again at once";
        collector.report("links.retry.timeout", fact, "give a time such as \"5 us\", or leave it out");
    }
    RetryPlan { frames: retry.frames, bytes: retry.bytes, spacing: retry.spacing, timeout: retry.timeout }
}

/// Checks that credits are counted by lane if links lose packets: the queue of a lost packet is not known.
fn check_losses(scenario: &Scenario, collector: &mut Collector<'_>) {
    let isolates = scheme_parts(&scenario.scheme).isolate.rules().is_some();
    if isolates || !scenario.switches.have_room_by_lane() {
        let fact = "credits are counted by queue, and the queue of a lost packet is not known";
        collector.report(
            "links.errors",
            fact,
            "give links.retry, or take switches.memory = \"shared\" without isolation",
        );
    }
}
