//! Transports that take packets for lost before their ACKs can be back: they send everything twice and more, on a
//! network that loses nothing.

use congestree_fabric::plan::Plan;
use congestree_schemes::bounds::{Fewer, LossTimer};
use congestree_schemes::check::Part;
use congestree_units::Span;

use super::full_rate::{nearest, to_three_digits};
use super::messages::MessageLengths;
use super::paths::{Path, and_others};
use super::windows::answered_together;

/// A flow whose ACKs come after a timer has expired.
struct Late<'a> {
    path: &'a Path<'a>,
    /// From the start of a full packet until so many more have been sent that there is an ACK for them, or until it comes
    /// without them; and the parameter that says how many.
    gathered: Span,
    every: String,
    /// Until it is in.
    answered: Span,
    /// So few packets as the timer asks for are in flight only at times: between messages.
    at_times: bool,
}

/// A sentence about the flow whose ACKs take longest, if a timer expires before.
pub(super) fn before_answers(plan: &Plan, paths: &[Path<'_>], messages: &MessageLengths) -> Option<String> {
    let transport = &plan.scheme.transport;
    let name = format!("scheme.transport.{}", transport.name());
    transport.loss_timers().into_iter().find_map(|timer| {
        let late = paths.iter().filter_map(|path| {
            let trip = path.view().round_trip;
            // Without any waiting it is late: nothing else is to be said.
            let on_time = trip < timer.span;
            let waits = on_time.then(|| gathered(plan, &name, path, messages));
            let (gathered, every) = waits.unwrap_or_default();
            let answered = Span(trip.0.saturating_add(gathered.0));
            let always = timer.fewer_than.is_none_or(|few| largest_window(plan, path).is_some_and(|most| most < few));
            let at_times = !always;
            let few = always || timer.fewer_than.is_some_and(|few| messages.on(path).least < few);
            (few && answered >= timer.span).then_some(Late { path, gathered, every, answered, at_times })
        });
        let late: Vec<Late<'_>> = late.collect();
        let others = and_others(late.len(), paths.len(), "are repeated");
        let worst = late.into_iter().max_by_key(|late| late.answered)?;
        Some(sentence(&name, timer, &worst, &others))
    })
}

/// How long a full packet waits at the receiver for more to be answered with it, at most; and the parameter that has it
/// wait.
fn gathered(plan: &Plan, name: &str, path: &Path<'_>, messages: &MessageLengths) -> (Span, String) {
    let window = plan.scheme.transport.most_window(path.view());
    let Some((acks, together)) = answered_together(plan, name, name, window, messages.on(path)) else {
        return (Span::ZERO, String::new());
    };
    let packet = path.asked().line.time_for(path.view().packet);
    let all = |packets: u32| Span(packet.0.saturating_mul(u64::from(packets - 1)));
    let window = largest_window(plan, path).unwrap_or(u32::MAX).max(1);
    let gathered = match together.fewer {
        // Whose window is full asks for an ACK.
        Fewer::Asked => all(together.each.min(window)),
        Fewer::After(flush) if flush == Span(u64::MAX) => all(together.each),
        Fewer::After(flush) if window < together.each => flush,
        Fewer::After(flush) => flush.min(all(together.each)),
    };
    (gathered, format!("{acks}.{}", together.key))
}

fn sentence(name: &str, timer: LossTimer, late: &Late<'_>, others: &str) -> String {
    let LossTimer { key, span, fewer_than } = timer;
    let trip = Span(to_three_digits(late.answered.0, nearest));
    let repeats = if late.at_times { "may repeat" } else { "repeats" };
    let when = fewer_than.map_or(String::new(), |few| format!(" while fewer than {few} are in flight"));
    let (waits, or) = match late.gathered {
        Span::ZERO => (String::new(), String::new()),
        gathered => {
            let every = &late.every;
            let gathered = Span(to_three_digits(gathered.0, nearest));
            (
                format!(", {gathered} of which it waits for more to be answered ({every})"),
                format!(", or {every} smaller"),
            )
        }
    };
    format!(
        "{} {repeats} packets that are not lost{when}: they count as lost after {span} ({name}.{key}), and the ACK of a \
         full packet takes {trip} on its idle path{waits}{others}. Make {name}.{key} several times {trip}{or}.",
        late.path.name()
    )
}

/// The largest window of a flow, if it has one. (Rates do not count: a slow flow hears of its last packet before it may
/// send one again.)
fn largest_window(plan: &Plan, path: &Path<'_>) -> Option<u32> {
    let (scheme, view) = (&plan.scheme, path.view());
    let windows = [scheme.react.most_window(view), scheme.transport.most_window(view)];
    windows.into_iter().flatten().map(|window| window.whole()).chain(path.flow.window).min()
}
