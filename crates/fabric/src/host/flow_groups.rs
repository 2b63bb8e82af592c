//! The flows of a host that may send, in groups: by lane and, where the flows of a service level share a throttle, by
//! service level.
//!
//! If one flow finds no room in its lane, or its throttle holds it, the same goes for all others of its group, of which
//! there may be thousands. So a host passes over whole groups.

use congestree_wire::HostId;

use crate::host::adapter::Host;
use crate::plan::Plan;
use crate::switch::round_robin::next_in_filled;

/// The groups of the flows of all hosts; none if all flows of a host are alike.
#[derive(Debug, Default)]
pub(crate) struct FlowGroups {
    /// Groups of a host.
    count: usize,
    /// Groups of a lane.
    levels: usize,
    /// As many words for each group of a host as the host has in `FlowTurns::ready`: the flows of the group that may
    /// send. All groups of a host stand one after another, in the place of its words times `count`.
    ready: Vec<u64>,
    /// By host and group.
    members: Vec<Members>,
}

/// The flows of a group that may send.
#[derive(Clone, Copy, Debug, Default)]
struct Members {
    /// How many they are.
    count: u32,
    /// As in `Host`, for the words of the group.
    filled: u64,
}

/// A set of groups of a host.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GroupSet([u64; MOST_GROUPS / 64]);

/// Sixteen lanes with sixteen service levels.
const MOST_GROUPS: usize = 256;

impl FlowGroups {
    /// Whether some flows of a host can be held while others are not, or hosts look for flows lane by lane. Links do not
    /// hold flows that send into an injection buffer.
    pub(crate) fn are_there(plan: &Plan) -> bool {
        let held_by_lane = plan.lanes > 1 && plan.adapter.injection_buffer.is_none();
        held_by_lane || plan.serves_lanes_in_order() || plan.scheme.react.needs().shared
    }

    /// No flow may send yet; the hosts of the plan have these words in `FlowTurns::ready` together.
    pub(crate) fn new(plan: &Plan, words: usize) -> Self {
        if !Self::are_there(plan) {
            return Self::default();
        }
        let highest = plan.flows.iter().map(|flow| usize::from(flow.service)).max().unwrap_or(0);
        let levels = if plan.scheme.react.needs().shared { highest + 1 } else { 1 };
        let count = usize::from(plan.lanes) * levels;
        let members = vec![Members::default(); count * plan.graph.hosts.len()];
        Self { count, levels, ready: vec![0; count * words], members }
    }

    /// The group of the flows with this lane and service level.
    #[inline]
    pub(crate) fn of(&self, lane: u8, service: u8) -> usize {
        usize::from(lane) * self.levels + if self.levels > 1 { usize::from(service) } else { 0 }
    }

    /// Sets whether a flow of a group may send.
    pub(crate) fn set(&mut self, host: HostId, state: &Host, group: usize, slot: u32, ready: bool) {
        let (place, bit) = (slot / 64, 1 << (slot % 64));
        let word = &mut self.ready[self.count * state.first_word as usize + group * words(state) + place as usize];
        let members = &mut self.members[host.index() * self.count + group];
        let was = *word & bit != 0;
        if ready {
            *word |= bit;
            members.count += u32::from(!was);
        } else {
            *word &= !bit;
            members.count -= u32::from(was);
        }
        let filled = 1u64.checked_shl(place).unwrap_or(0);
        members.filled = if *word != 0 { members.filled | filled } else { members.filled & !filled };
    }

    /// The first flow of a host at or after this place that may send, or else the first of all: in one lane or in any,
    /// but of none of the groups in `passed`.
    pub(crate) fn next(
        &self,
        host: HostId,
        state: &Host,
        only: Option<u8>,
        passed: &GroupSet,
        start: usize,
    ) -> Option<usize> {
        let groups = only.map_or(0..self.count, |lane| self.of(lane, 0)..self.of(lane, 0) + self.levels);
        let next_of = |group: usize| {
            let members = self.members[host.index() * self.count + group];
            if members.count == 0 || passed.has(group) {
                return None;
            }
            let first = self.count * state.first_word as usize + group * words(state);
            next_in_filled(&self.ready[first..first + words(state)], members.filled, start)
        };
        groups.filter_map(next_of).min_by_key(|&slot| (slot < start, slot))
    }

    /// The words of a host, which are these, get as many behind those of all hosts as are there twice.
    pub(crate) fn double(&mut self, first_word: usize, end_word: usize) {
        let words = end_word - first_word;
        for group in 0..self.count {
            let first = self.count * first_word + group * words;
            self.ready.extend_from_within(first..first + words);
            self.ready.resize(self.ready.len() + words, 0);
        }
    }
}

impl GroupSet {
    /// Adds a group.
    pub(crate) fn add(&mut self, group: usize) {
        self.0[group / 64] |= 1 << (group % 64);
    }

    fn has(&self, group: usize) -> bool {
        self.0[group / 64] >> (group % 64) & 1 != 0
    }
}

/// The words of a host in `FlowTurns::ready`.
fn words(state: &Host) -> usize {
    (state.end_word - state.first_word) as usize
}

#[cfg(test)]
mod tests {
    use congestree_kernel::Rng;

    use super::*;
    use crate::small::{star, started};

    /// Groups of three lanes, with flows set and cleared at random.
    #[test]
    fn the_next_flow_of_some_groups_is_the_next_of_all_flows_that_is_in_one() {
        let (mut plan, at, words) = (star(3, &[(0, 2)]), HostId(1), 3);
        let mut host = started(&plan).ends.hosts[at];
        plan.lanes = 3;
        (host.first_word, host.end_word) = (1, 1 + words);
        let mut groups = FlowGroups::new(&plan, 1 + words as usize);
        let (mut rng, mut may_send) = (Rng::stream(1, "groups", 0), vec![false; 64 * words as usize]);
        let lane_of = |slot: usize| (slot * slot % 3) as u8;
        for _ in 0..2_000 {
            let slot = rng.below(may_send.len() as u64) as usize;
            may_send[slot] = rng.below(3) == 0;
            groups.set(at, &host, groups.of(lane_of(slot), 7), slot as u32, may_send[slot]);
            let (start, without) = (rng.below(may_send.len() as u64 + 1) as usize, rng.below(4) as u8);
            let mut passed = GroupSet::default();
            passed.add(usize::from(without));
            let next_of = |fits: &dyn Fn(u8) -> bool| {
                let slots = (start..may_send.len()).chain(0..start);
                slots.into_iter().find(|&slot| may_send[slot] && fits(lane_of(slot)))
            };
            assert_eq!(groups.next(at, &host, None, &passed, start), next_of(&|lane| lane != without));
            let own = groups.next(at, &host, Some(1), &GroupSet::default(), start);
            assert_eq!(own, next_of(&|lane| lane == 1));
        }
        groups.double(host.first_word as usize, host.end_word as usize);
        (host.first_word, host.end_word) = (1 + words, 1 + 3 * words);
        let first = may_send.iter().position(|&may_send| may_send);
        assert_eq!(groups.next(at, &host, None, &GroupSet::default(), may_send.len()), first);
    }
}
