//! Flows whose largest window does not fill their own path: a parameter bounds it that does not follow the path (a number
//! of packets, or a round trip that is given), or ACKs answer so many packets together that the window is used up
//! before the next one comes.
//!
//! Windows of `adapters` and `traffic`, and those that a transport is given in packets, are what was asked for: nothing
//! is said of them.

use std::collections::HashMap;

use congestree_fabric::plan::Plan;
use congestree_schemes::bounds::{MostWindow, WindowUnit};
use congestree_schemes::check::Part;
use congestree_schemes::react::LinkView;
use congestree_units::{Bytes, Rate, Span};

use super::full_rate::{nearest, to_three_digits};
use super::paths::{Path, and_others};

/// A larger share of the rate counts as all of it: parts of a packet and the size of ACKs decide on the rest.
const FULL: f64 = 0.98;

/// A flow that its window holds back.
struct HeldBack<'a> {
    path: &'a Path<'a>,
    /// The part that sets the window, as scenarios name it.
    part: &'a str,
    window: MostWindow,
    /// What it could send, and the share of that it does send.
    asked: LinkView,
    share: f64,
}

/// A sentence about the flow that its window holds back most, if it holds back any.
pub(super) fn too_small(plan: &Plan, paths: &[Path<'_>]) -> Option<String> {
    let scheme = &plan.scheme;
    let react = format!("scheme.react.{}", scheme.react.name());
    let transport = format!("scheme.transport.{}", scheme.transport.name());
    let mut shares: HashMap<(MostWindow, Rate, Span), f64> = HashMap::new();
    let mut held_back = Vec::new();
    for path in paths {
        let (view, asked) = (path.view(), path.asked());
        let windows = [(&react, scheme.react.most_window(view)), (&transport, scheme.transport.most_window(view))];
        for (part, window) in windows {
            let Some(window) = window else { continue };
            let key = (window, asked.line, asked.round_trip);
            let share = *shares.entry(key).or_insert_with(|| window.share(asked));
            if share < FULL {
                held_back.push(HeldBack { path, part, window, asked, share });
            }
        }
    }
    let others = and_others(held_back.len(), paths.len(), "are held back");
    let worst = held_back.into_iter().min_by(|one, other| one.share.total_cmp(&other.share))?;
    Some(worst.sentence(&others))
}

impl HeldBack<'_> {
    fn sentence(&self, others: &str) -> String {
        let Self { part, window, asked, .. } = self;
        let rate = Rate(to_three_digits((asked.line.0 as f64 * self.share) as u64, nearest));
        let trip = Span(to_three_digits(asked.round_trip.0, nearest));
        let name = self.path.name();
        let most =
            format!("its window is at most {} of {} ({part}.{})", in_packets(window.packets), asked.packet, window.key);
        let why = match window.per_ack {
            Some((each, key)) if each > 1 => {
                format!("{most}, an ACK answers up to {each} of them ({part}.{key}), and is back {trip} after the last")
            }
            _ => format!("{most}, and a round trip on its idle path takes {trip}"),
        };
        format!(
            "{name} sends at most about {rate} in full packets, of {}: {why}{others}. To have it send as much as its \
             path carries, make {}.",
            asked.line,
            self.remedy(),
        )
    }

    fn remedy(&self) -> String {
        let Self { part, window, asked, .. } = self;
        if let (Some((_, key)), Some(each)) = (window.per_ack, window.may_answer(*asked)) {
            return format!("{part}.{key} at most {}", Bytes(u64::from(each) * asked.packet.0));
        }
        let least = match window.unit {
            WindowUnit::Packets => window.needed(*asked).to_string(),
            WindowUnit::RoundTrip => Span(to_three_digits(asked.round_trip.0, u64::div_ceil)).to_string(),
            WindowUnit::Products => {
                let products = f64::from(window.needed(*asked)) / self.path.view().exact_packets_in_flight();
                format!("{:.2}", products + 0.005)
            }
        };
        format!("{part}.{} at least {least}", window.key)
    }
}

fn in_packets(count: u32) -> String {
    format!("{count} {}", if count == 1 { "packet" } else { "packets" })
}
