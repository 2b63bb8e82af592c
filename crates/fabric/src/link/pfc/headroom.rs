//! How much may still come in after a receiver has decided to pause its sender.
//!
//! A packet counts from the instant at which it is routable. The packet that crosses the threshold, at *t*, causes a
//! pause frame. That frame waits for what has just started on the way back, and for the pauses of other lanes; its
//! last bit reaches the sender a link delay later, and the sender obeys after the response time, at *e*. Until then
//! the sender starts packets. What it starts from the crossing packet on (which started a link delay and, at a
//! switch, a forwarding delay before *t*; with cut-through to a faster output, also the time that it takes longer on
//! this link than there) and before *e* has to find room above the threshold. That is at most the bytes that the link
//! carries in all that time but its last picosecond, and one more packet, which starts in it.
//! With store-and-forward the crossing packet counts when its tail is in, so it is added to this.
//!
//! | symbol | meaning |
//! | --- | --- |
//! | *C* | rate of the link to the receiver |
//! | *M* | largest packet |
//! | *W* | from the start of the crossing packet (store-and-forward: from its tail) until the sender obeys |
//!
//! headroom = ⌊*C* · (*W* - 1 ps)⌋ + *M*, or + 2 *M* with store-and-forward. This is exact: with the right sizes and
//! times every byte of it is needed. Links whose receiver checks frames wait for their tails, so they count as
//! store-and-forward.
//!
//! **Links with retry** (`links.retry`) send again whatever the lane: a packet that has started once arrives, paused
//! or not. At *e* everything that has started and is not known to have arrived is in the replay buffer, of at most
//! *B* bytes; what the sender knows at *e* had arrived one link delay back earlier. So after the crossing packet
//! there arrive the bytes that the link carries from its tail until then, and at most *B*:
//!
//! headroom = ⌊*C* · (*W* - both link delays)⌋ + *M* + *B*. Nothing needs more, and less guarantees nothing; all of
//! it is needed only if the rest of a full replay buffer meets the crossing packet.
//!
//! **Links that are slow for a time** (`links.faults`): the crossing packet and what is on the way back may have
//! started slowly, while what arrives is fast again. The formula is safe then, too; for slow links that never recover
//! it is more than needed.

use std::collections::HashMap;

use congestree_units::{Bytes, PS_PER_S, Rate, Span};

use crate::plan::{Headroom, Plan, RetryPlan, Switching};

/// A link in both directions, and what its ends do. Rates are those of the whole link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Rate and delay towards the receiver.
    pub rate: Rate,
    /// Delay towards the receiver.
    pub delay: Span,
    /// Rate of the way back.
    pub back_rate: Rate,
    /// Delay of the way back.
    pub back_delay: Span,
    /// Largest packet on the wire, either way.
    pub packet: Bytes,
    /// A pause frame on the wire.
    pub frame: Bytes,
    /// The largest thing that may be on the way back when a pause frame is due: a packet, or a frame of any kind.
    pub longest: Bytes,
    /// Frames that may have to be sent before the neighbour knows: one for each lane that pauses.
    pub frames: u64,
    /// From the arrival of the frame's last bit until the sender obeys.
    pub response: Span,
    /// From the arrival of a packet's head (store-and-forward: its tail) until it counts.
    pub counted_after: Span,
    /// A packet counts from its tail.
    pub store_and_forward: bool,
    /// Bytes of the sender's replay buffer, if the link has retry.
    pub replay: Option<Bytes>,
    /// Extra bytes needed if the link is slow for a time.
    pub while_slow: Bytes,
}

impl Loop {
    /// From the decision to pause until the frame has been sent, in the worst case.
    pub fn told(&self) -> Span {
        let frames = self.frames.saturating_mul(self.back_rate.time_for(self.frame).0);
        Span(self.back_rate.time_for(self.longest).0 - 1) + Span(frames)
    }

    /// From the start of the crossing packet, or from its tail, until the sender starts no more packets.
    pub fn window(&self) -> Span {
        self.delay + self.counted_after + self.told() + self.back_delay + self.response
    }

    /// Bytes that must find room above the threshold.
    pub fn headroom(&self) -> Bytes {
        self.at_its_rates() + self.while_slow
    }

    fn at_its_rates(&self) -> Bytes {
        if let Some(replay) = self.replay {
            let heard_of = self.counted_after + self.told() + self.response;
            return self.carried(heard_of) + self.packet + replay;
        }
        let whole = if self.store_and_forward { self.packet + self.packet } else { self.packet };
        self.carried(Span(self.window().0.saturating_sub(1))) + whole
    }

    /// Whole bytes that the link carries in this time.
    fn carried(&self, time: Span) -> Bytes {
        self.rate.carries_in(time)
    }
}

impl Headroom {
    /// The headroom of a port in bytes.
    pub fn of(self, port: &Loop) -> u64 {
        match self {
            Headroom::Needed => port.headroom().0,
            Headroom::Fixed(bytes) => bytes.0,
            Headroom::Delays(times) => {
                let on_the_way = u128::from(port.rate.0) * u128::from(port.delay.0) / (8 * u128::from(PS_PER_S));
                (times * on_the_way as f64) as u64
            }
        }
    }
}

/// The loop of every port, in order of port id: what arrives there, and what its node sends back.
pub fn loops(plan: &Plan) -> Vec<Loop> {
    let wired = plan.graph.ports();
    if plan.pfc.is_none() {
        return Vec::new();
    }
    let slow = slow_times(plan);
    let nodes = wired.hosts.iter().map(|ports| (ports, true)).chain(wired.switches.iter().map(|ports| (ports, false)));
    let mut loops = Vec::new();
    for (ports, is_host) in nodes {
        let fastest = ports.iter().map(|port| port.out.rate).max().filter(|_| !is_host);
        for port in ports {
            let link = &plan.graph.links[port.link as usize];
            let incoming = if port.at_a { link.ba } else { link.ab };
            let whole = Rates { incoming: incoming.rate, crossing: incoming.rate, back: port.out.rate };
            let at = |rates: Rates| between(plan, (incoming.delay, port.out.delay), rates, fastest);
            let own = at(whole);
            let most = worst_rates(slow.get(&port.link), whole, port.at_a).map(|rates| at(rates).headroom()).max();
            let while_slow = Bytes(most.map_or(0, |most| most.0.saturating_sub(own.headroom().0)));
            loops.push(Loop { while_slow, ..own });
        }
    }
    loops
}

/// The rates that matter for one pause.
#[derive(Clone, Copy)]
struct Rates {
    /// What comes in.
    incoming: Rate,
    /// The packet that crosses the threshold.
    crossing: Rate,
    /// What goes the other way.
    back: Rate,
}

/// The loop at these rates, with delays there and back; `fastest` is the fastest link out of a switch.
fn between(plan: &Plan, (delay, back_delay): (Span, Span), rates: Rates, fastest: Option<Rate>) -> Loop {
    let (packet, pfc) = (plan.largest(), plan.pfc.as_ref());
    let frame = pfc.map_or(Bytes(0), |pfc| pfc.frame);
    let cut_through = plan.switching() == Switching::CutThrough;
    // For a faster link a packet counts only once that link cannot run out of its bytes.
    let matching = |fastest: Rate| Span(rates.crossing.time_for(packet).0.saturating_sub(fastest.time_for(packet).0));
    Loop {
        rate: rates.incoming,
        delay,
        back_rate: rates.back,
        back_delay,
        packet,
        frame,
        longest: packet.max(frame).max(plan.largest_notice()),
        frames: pfc.map_or(0, |pfc| pfc.lossless.iter().filter(|lossless| **lossless).count() as u64),
        response: pfc.map_or(Span::ZERO, |pfc| pfc.response),
        counted_after: match fastest {
            None => Span::ZERO,
            Some(fastest) if cut_through => plan.switch.forwarding_delay + matching(fastest),
            Some(_) => plan.switch.forwarding_delay,
        },
        store_and_forward: fastest.is_none() || !cut_through,
        replay: plan.checks.retry.map(|retry| replay_buffer(retry, packet)),
        while_slow: Bytes(0),
    }
}

/// By link: its rates while it is slow, from `a` to `b` and back, and whether it recovers.
fn slow_times(plan: &Plan) -> HashMap<u32, Vec<(Rate, Rate, bool)>> {
    let mut slow: HashMap<u32, Vec<(Rate, Rate, bool)>> = HashMap::new();
    for failure in &plan.faults.failures {
        if let Some((ab, ba)) = failure.rates {
            slow.entry(failure.link).or_default().push((ab, ba, failure.until.is_some()));
        }
    }
    slow
}

/// The combinations of rates to consider while a link is slow and when it has recovered: what has started slowly goes
/// slowly to its end, and what starts after that is fast.
fn worst_rates(slow: Option<&Vec<(Rate, Rate, bool)>>, whole: Rates, at_a: bool) -> impl Iterator<Item = Rates> {
    slow.into_iter().flatten().flat_map(move |&(ab, ba, returns)| {
        let (incoming, back) = if at_a { (ba, ab) } else { (ab, ba) };
        let weak = Rates { incoming, crossing: incoming, back };
        [Some(weak), returns.then_some(Rates { incoming: whole.incoming, ..weak })].into_iter().flatten()
    })
}

/// Most bytes that a replay buffer holds.
fn replay_buffer(retry: RetryPlan, packet: Bytes) -> Bytes {
    Bytes(retry.bytes.0.min(packet.0.saturating_mul(retry.frames.into())))
}

/// By switch: the loops of its input ports.
pub fn by_switch<'a>(plan: &Plan, loops: &'a [Loop]) -> Vec<&'a [Loop]> {
    let mut first = plan.graph.hosts.len();
    let each = plan.graph.ports().switches.into_iter().map(|ports| {
        let own = &loops[first..first + ports.len()];
        first += ports.len();
        own
    });
    each.collect()
}

/// By switch: shared memory after the reserves and the headroom of all its ports; `None` if those do not fit.
pub fn shared_sizes(plan: &Plan) -> Vec<Option<u64>> {
    let (Some(shared), Some(pfc)) = (&plan.switch.shared_memory, &plan.pfc) else { return Vec::new() };
    let lossless = pfc.lossless.iter().filter(|lossless| **lossless).count() as u64;
    let loops = loops(plan);
    let sizes = by_switch(plan, &loops).into_iter().map(|own| {
        let each = own.iter().map(|port| shared.headroom.of(port)).fold(0, u64::saturating_add);
        let headroom = shared.headroom_pool.map_or(each.saturating_mul(lossless), |pool| pool.0);
        let reserved = shared.reserved.0.saturating_mul(u64::from(plan.lanes) * own.len() as u64);
        shared.size.0.checked_sub(reserved.saturating_add(headroom))
    });
    sizes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOP: Loop = Loop {
        rate: Rate::from_gbps(100),
        delay: Span::from_ns(500),
        back_rate: Rate::from_gbps(100),
        back_delay: Span::from_ns(500),
        packet: Bytes(1000),
        frame: Bytes(64),
        longest: Bytes(1000),
        frames: 1,
        response: Span::ZERO,
        counted_after: Span::ZERO,
        store_and_forward: false,
        replay: None,
        while_slow: Bytes(0),
    };

    #[test]
    fn a_link_of_100_metres_at_100_gbps() {
        // 80 ns of a packet, 5.12 ns of the frame, a microsecond of cable: 13,564 B at 12.5 B/ns, and a packet.
        assert_eq!(LOOP.window(), Span(1_085_119));
        assert_eq!(LOOP.headroom(), Bytes(13_563 + 1_000));
    }

    #[test]
    fn store_and_forward_takes_a_packet_more() {
        assert_eq!(Loop { store_and_forward: true, ..LOOP }.headroom().0 - LOOP.headroom().0, 1_000);
    }

    #[test]
    fn what_a_link_sends_again_finds_room_too() {
        // Until the frame has been sent: 79.999 + 5.12 ns at 12.5 B/ns; the crossing packet; and the buffer.
        let again = Loop { store_and_forward: true, replay: Some(Bytes(20_000)), ..LOOP };
        assert_eq!(again.headroom(), Bytes(1_063 + 1_000 + 20_000));
        let retry = RetryPlan { frames: 12, bytes: Bytes(20_000), spacing: Bytes(0), timeout: None };
        assert_eq!(replay_buffer(retry, Bytes(1_000)), Bytes(12_000));
        assert_eq!(replay_buffer(retry, Bytes(2_000)), Bytes(20_000));
    }

    #[test]
    fn headroom_is_what_is_needed_or_given_or_a_multiple_of_what_is_on_the_way() {
        // 500 ns at 12.5 B/ns.
        let all = [Headroom::Needed, Headroom::Fixed(Bytes(9_000)), Headroom::Delays(3.0)];
        assert_eq!(all.map(|headroom| headroom.of(&LOOP)), [14_563, 9_000, 3 * 6_250]);
    }

    #[test]
    fn everything_that_takes_longer_needs_more() {
        let longer = [
            Loop { delay: Span::from_ns(600), ..LOOP },
            Loop { back_delay: Span::from_ns(600), ..LOOP },
            Loop { response: Span::from_ns(100), ..LOOP },
            Loop { counted_after: Span::from_ns(100), ..LOOP },
        ];
        for longer in longer {
            assert_eq!(longer.headroom().0 - LOOP.headroom().0, 1_250);
        }
        assert_eq!(Loop { frames: 2, ..LOOP }.headroom().0 - LOOP.headroom().0, 64);
    }
}
