//! Where a packet at the head of a normal queue goes: into a set-aside queue that lists its destination, into a new one
//! that feeds a line downstream, or nowhere else.

use super::super::mirror::Mirror;
use super::super::{Effect, HeadDecision, IsolationRules, trace, traces};
use super::{Cam, HeadPacket};

impl Cam {
    /// The queue for a packet at the head of a normal queue. `mirror` is that of the output that it waits for.
    #[inline]
    pub fn sort(
        &mut self,
        rules: &IsolationRules,
        packet: HeadPacket,
        mirror: &Mirror,
        effects: &mut Vec<Effect>,
    ) -> HeadDecision {
        if self.listed & trace(packet.destination) == 0 && !mirror.may_list(packet.destination) {
            return HeadDecision::Stay;
        }
        self.look_up(rules, packet, mirror, effects)
    }

    fn look_up(
        &mut self,
        rules: &IsolationRules,
        packet: HeadPacket,
        mirror: &Mirror,
        effects: &mut Vec<Effect>,
    ) -> HeadDecision {
        let HeadPacket { output, destination } = packet;
        let own = self.isolated_lines().find(|(_, _, line)| line.destinations.contains(&destination));
        if let Some((number, queue, line)) = own {
            if line.next.is_none()
                && let Some(next) = mirror.listing(destination).next()
            {
                self.attach(number, next, mirror.hops(next), effects);
            }
            return HeadDecision::Isolate(queue);
        }
        let mut listed = false;
        for next in mirror.listing(destination) {
            listed = true;
            let attached = self.isolated_lines().find(|(_, _, line)| line.output == output && line.next == Some(next));
            let Some((number, queue, _)) = attached else { continue };
            if self.list(rules, number, destination, effects) {
                return HeadDecision::Isolate(queue);
            }
        }
        let Some(next) = mirror.listing(destination).next() else { return HeadDecision::Stay };
        // If the list of an existing line is full, no second line is created.
        let known = self.isolated_lines().any(|(_, _, line)| line.output == output && line.next == Some(next));
        if !known && let Some(queue) = self.allocate(output, mirror.hops(next).saturating_add(1), Some(next)) {
            let elsewhere: Vec<u32> = self.isolated_lines().flat_map(|(_, _, l)| l.destinations.clone()).collect();
            let mut list = vec![destination];
            let others = mirror.destinations(next).iter().copied().filter(|d| *d != destination);
            list.extend(others.filter(|d| !elsewhere.contains(d)).take(usize::from(rules.destinations) - 1));
            self.listed |= traces(&list);
            if let Some(line) = self.line_mut(queue) {
                line.destinations = list;
            }
            return HeadDecision::Isolate(queue);
        }
        debug_assert!(listed);
        HeadDecision::NoQueue
    }

    /// From now on a line without a downstream line feeds this one: it is not a root after all.
    fn attach(&mut self, number: u8, next: u8, hops: u8, effects: &mut Vec<Effect>) {
        let Some(line) = &mut self.lines[usize::from(number)] else { return };
        line.next = Some(next);
        line.hops = hops.saturating_add(1);
        line.calm(effects);
    }
}
