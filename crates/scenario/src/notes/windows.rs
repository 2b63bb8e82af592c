//! Flows whose largest window does not fill their own path: a parameter bounds it that does not follow the path (a number
//! of packets, or a round trip that is given), or ACKs answer so many packets together that the window is used up
//! before the next one comes (`ack_after`, `ack_every`, `adapters.acks`).
//!
//! Windows of `adapters` and `traffic`, and those that a transport is given in packets, are what was asked for: nothing
//! is said of them.

use std::collections::HashMap;

use congestree_fabric::plan::Plan;
use congestree_schemes::bounds::{Fewer, MostWindow, SharedAck, WindowUnit};
use congestree_schemes::check::Part;
use congestree_schemes::react::LinkView;
use congestree_units::{Bytes, Rate, Span};

use super::full_rate::{nearest, to_three_digits};
use super::messages::{Lengths, MessageLengths};
use super::paths::{Path, and_others};

/// A larger share of the rate counts as all of it: parts of a packet and the size of ACKs decide on the rest.
const FULL: f64 = 0.98;

/// A flow that windows hold back.
struct HeldBack<'a> {
    path: &'a Path<'a>,
    /// What it could send.
    asked: LinkView,
    /// Every message is a flow of its own.
    own_flows: bool,
    /// Every window that alone holds it back.
    windows: Vec<Narrow<'a>>,
}

/// A window that does not fill the path of a flow.
#[derive(Clone, Copy)]
struct Narrow<'a> {
    /// The part that sets the window, and the part that says how several packets get one ACK, as scenarios name them.
    part: &'a str,
    acks: &'a str,
    window: MostWindow,
    /// The share of what the flow could send that it does send.
    share: f64,
}

/// A sentence about the flow that its windows hold back most, if they hold back any.
pub(super) fn too_small(plan: &Plan, paths: &[Path<'_>], messages: &MessageLengths) -> Option<String> {
    let scheme = &plan.scheme;
    let react = format!("scheme.react.{}", scheme.react.name());
    let transport = format!("scheme.transport.{}", scheme.transport.name());
    let mut shares: HashMap<(u64, Option<SharedAck>, Rate, Span), f64> = HashMap::new();
    let held_back = paths.iter().filter_map(|path| {
        let (view, asked, lengths) = (path.view(), path.asked(), messages.on(path));
        let windows = [(&react, scheme.react.most_window(view)), (&transport, scheme.transport.most_window(view))];
        let narrow = windows.into_iter().filter_map(|(part, window)| {
            // A message that fits is not held back by a window of its own.
            let window = window.filter(|window| !lengths.own_flows || lengths.most > window.whole())?;
            let (acks, together) = answered_together(plan, &transport, part, Some(window), lengths).unzip();
            let window = MostWindow { per_ack: together, ..window };
            let key = (window.packets.to_bits(), window.per_ack, asked.line, asked.round_trip);
            let share = *shares.entry(key).or_insert_with(|| window.share(asked));
            (share < FULL).then_some(Narrow { part, acks: acks.unwrap_or(part), window, share })
        });
        let windows: Vec<Narrow<'_>> = narrow.collect();
        (!windows.is_empty()).then_some(HeldBack { path, asked, own_flows: lengths.own_flows, windows })
    });
    let held_back: Vec<HeldBack<'_>> = held_back.collect();
    let others = and_others(held_back.len(), paths.len(), "are held back");
    let worst = held_back.into_iter().min_by(|one, other| one.worst().share.total_cmp(&other.worst().share))?;
    Some(worst.sentence(&others))
}

/// How receivers answer several packets of a flow together, if they do, and the part that says so: that of the window of
/// this part, or else the `transport` or the adapters. The last packet of a message is answered at once.
pub(super) fn answered_together<'a>(
    plan: &Plan,
    transport: &'a str,
    part: &'a str,
    window: Option<MostWindow>,
    lengths: Lengths,
) -> Option<(&'a str, SharedAck)> {
    let of = |every, key, flush: Option<Span>| {
        let fewer = Fewer::After(flush.unwrap_or(Span(u64::MAX)));
        SharedAck { each: every, key, counts_bytes: false, fewer }
    };
    let of_window = window.and_then(|window| window.per_ack);
    let (acks, together) = match (of_window, plan.scheme.transport.receiver(), plan.adapter.acks) {
        (Some(together), ..) => (part, together),
        (None, Some(receiver), _) => (transport, of(receiver.every, "ack_every", receiver.flush)),
        (None, None, Some(rule)) => ("adapters.acks", of(rule.every, "every", rule.flush)),
        (None, None, None) => return None,
    };
    let together = SharedAck { each: together.each.min(lengths.most), ..together };
    (together.each > 1).then_some((acks, together))
}

impl HeldBack<'_> {
    fn worst(&self) -> Narrow<'_> {
        let least = self.windows.iter().min_by(|one, other| one.share.total_cmp(&other.share));
        *least.expect("a flow that is held back has a window that does so")
    }

    fn sentence(&self, others: &str) -> String {
        let (Self { asked, .. }, Narrow { part, acks, window, share }) = (self, self.worst());
        let rate = Rate(to_three_digits((asked.line.0 as f64 * share) as u64, nearest));
        let trip = Span(to_three_digits(asked.round_trip.0, nearest));
        let name = self.path.name();
        let of_each = if self.own_flows { ", in each message (a flow of its own)" } else { "" };
        let most = format!("its window is at most {} of {} ({part}.{})", in_packets(window), asked.packet, window.key);
        let why = match window.per_ack {
            Some(SharedAck { each, key, fewer, .. }) => {
                let or = match fewer {
                    Fewer::After(flush) if flush < Span(u64::MAX) => format!(" or those of {flush}"),
                    Fewer::After(_) | Fewer::Asked => String::new(),
                };
                format!(
                    "{most}, an ACK answers up to {each} of them{or} ({acks}.{key}), and is back {trip} after the last"
                )
            }
            None => format!("{most}, and a round trip on its idle path takes {trip}"),
        };
        format!(
            "{name} sends at most about {rate} in full packets, of {}{of_each}: {why}{others}. To have it send as much \
             as its path carries, make {}.",
            asked.line,
            self.remedies(),
        )
    }

    /// What gives every window enough room.
    fn remedies(&self) -> String {
        let remedies: Vec<String> = self.windows.iter().map(|narrow| self.remedy(narrow)).collect();
        remedies.join(" and ")
    }

    fn remedy(&self, narrow: &Narrow<'_>) -> String {
        let (Self { asked, .. }, Narrow { part, acks, window, .. }) = (self, narrow);
        if let (Some(together), Some(each)) = (window.per_ack, window.may_answer(*asked)) {
            let most = match together.counts_bytes {
                true => Bytes(u64::from(each) * asked.packet.0).to_string(),
                false => each.to_string(),
            };
            return format!("{acks}.{} at most {most}", together.key);
        }
        let needed = window.enough(*asked, FULL);
        let products = || format!("{:.2}", f64::from(needed) / self.path.view().exact_packets_in_flight() + 0.005);
        let least = match window.unit {
            WindowUnit::Packets => needed.to_string(),
            WindowUnit::Products => products(),
            WindowUnit::RoundTrip => self.trip_for(needed, 1.0).to_string(),
            WindowUnit::ShorterTrip { products: times, key } => {
                let (trip, whole) = (self.trip_for(needed, times), asked.round_trip);
                match trip < whole {
                    true => trip.to_string(),
                    // Beyond the round trip of the path only the other parameter makes the window larger.
                    false => format!("{} and {part}.{key} at least {}", up_to_three_digits(whole), products()),
                }
            }
        };
        format!("{part}.{} at least {least}", window.key)
    }

    /// A round trip with which the window is so many packets: it keeps the link of the host busy for so many times as
    /// long.
    fn trip_for(&self, packets: u32, times: f64) -> Span {
        let view = self.path.view();
        let busy = f64::from(packets) * view.line.time_for(view.packet).0 as f64;
        // One picosecond more than what a rounding may take away.
        up_to_three_digits(Span((busy / times).ceil() as u64 + 1))
    }
}

fn up_to_three_digits(span: Span) -> Span {
    Span(to_three_digits(span.0, u64::div_ceil))
}

fn in_packets(window: MostWindow) -> String {
    match window.packets {
        part if part < 1.0 => format!("{part} packets"),
        _ if window.whole() == 1 => "1 packet".to_owned(),
        _ => format!("{} packets", window.whole()),
    }
}
