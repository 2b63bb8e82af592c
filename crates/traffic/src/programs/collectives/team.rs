//! Ranks that take part in a collective operation: all ranks of an application, or one of its groups.

use congestree_units::Bytes;

use crate::program::{Builder, Local};
use crate::programs::{Combining, idle};

/// The processor for operations that take no time and only join others: it must never be busy.
pub const IDLE: u8 = 3;

/// The members of a group, by their places in it, and the operations that each waits for.
pub struct Team<'a> {
    builder: &'a mut Builder,
    /// The rank at each place.
    ranks: Vec<u32>,
    /// By place: operations that must have finished before it continues.
    ready: Vec<Vec<Local>>,
    /// Tags from this one on are not in use between members.
    tag: u32,
    /// How fast received data are combined with the rank's own.
    pub combining: Combining,
}

impl<'a> Team<'a> {
    /// A group of ranks that may begin when the operations in `ready` for their places have finished. `tag` is the
    /// first of a range of tags that are not used otherwise between these ranks.
    pub fn new(builder: &'a mut Builder, ranks: Vec<u32>, ready: Vec<Vec<Local>>, tag: u32) -> Self {
        Self { builder, ranks, ready, tag, combining: None }
    }

    /// All ranks of a program, from its start.
    pub fn all(builder: &'a mut Builder, ranks: u32) -> Self {
        Self::new(builder, (0..ranks).collect(), vec![Vec::new(); ranks as usize], 0)
    }

    /// Number of members.
    pub fn size(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// How many members in a row are in one node, if nodes have this many ranks of the program.
    pub fn members_per_node(&self, node: u32) -> u32 {
        members_per_node(&self.ranks, node)
    }

    /// What a place waits for, as at most one operation.
    pub fn ready(&mut self, place: u32) -> Vec<Local> {
        let gathered = self.gather(place, &self.ready[place as usize].clone());
        self.ready[place as usize].clone_from(&gathered);
        gathered
    }

    /// From now on a place waits for these operations.
    pub fn wait_for(&mut self, place: u32, done: Vec<Local>) {
        self.ready[place as usize] = done;
    }

    /// By place: the operations that must have finished so that the last collective is over.
    pub fn done(self) -> (Vec<Vec<Local>>, u32) {
        (self.ready, self.tag)
    }

    /// An unused tag.
    pub fn new_tag(&mut self) -> u32 {
        self.tag += 1;
        self.tag - 1
    }

    /// A message to another place.
    pub fn send(&mut self, place: u32, bytes: u64, to: u32, tag: u32, after: &[Local]) -> Local {
        self.builder.send(self.ranks[place as usize], bytes, self.ranks[to as usize], tag, after)
    }

    /// A message from another place.
    pub fn receive(&mut self, place: u32, bytes: u64, from: u32, tag: u32, after: &[Local]) -> Local {
        self.builder.receive(self.ranks[place as usize], bytes, self.ranks[from as usize], tag, after)
    }

    /// Combines received data with the rank's own, if that takes time.
    pub fn combine(&mut self, place: u32, bytes: u64, received: Local) -> Local {
        match self.combining {
            Some(rate) if bytes > 0 => {
                self.builder.compute(self.ranks[place as usize], rate.time_for(Bytes(bytes)), &[received])
            }
            _ => received,
        }
    }

    /// One operation that follows all of these, if there are several.
    pub fn gather(&mut self, place: u32, after: &[Local]) -> Vec<Local> {
        if after.len() < 2 {
            return after.to_vec();
        }
        vec![idle(self.builder, self.ranks[place as usize], after)]
    }

    /// Some of the places perform a task among themselves.
    pub fn among(&mut self, places: &[u32], task: impl FnOnce(&mut Team<'_>)) {
        let ranks = places.iter().map(|&place| self.ranks[place as usize]).collect();
        let ready = places.iter().map(|&place| self.ready[place as usize].clone()).collect();
        let mut part = Team { builder: self.builder, ranks, ready, tag: self.tag, combining: self.combining };
        task(&mut part);
        let Team { ready, tag, .. } = part;
        self.tag = tag;
        for (&place, done) in places.iter().zip(ready) {
            self.ready[place as usize] = done;
        }
    }
}

/// How many of these members in a row are in one node, if nodes have this many ranks of the program. Members of a group
/// of every fourth rank, in nodes of eight, are in pairs. 1 if not all nodes have as many members; the last may have
/// fewer.
pub(super) fn members_per_node(members: &[u32], node: u32) -> u32 {
    let home = |rank: &u32| rank / node.max(1);
    let in_first = members.iter().take_while(|rank| home(rank) == home(&members[0])).count().max(1);
    let is_node = |members: &[u32]| members.iter().all(|member| home(member) == home(&members[0]));
    if members.chunks(in_first).all(is_node) { in_first as u32 } else { 1 }
}
