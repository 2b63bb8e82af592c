//! Collective nodes: those of all members of a process group become the messages of an algorithm.

use std::path::PathBuf;

use congestree_traffic::program::Local;
use congestree_traffic::programs::collectives as made;
use congestree_traffic::programs::rank_steps::RankStep;

use super::{FactAndRemedy, INSIDE, Making};
use crate::TraceError;
use crate::node::{CollectiveNumber, TraceNode};

/// A collective node: its position in the sequence of its group at its rank.
pub(super) struct CollectivePart {
    what: Whole,
    place: RankStep,
    name: String,
}

/// What must be the same in all nodes of one collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Whole {
    kind: CollectiveNumber,
    bytes: u64,
    root: u32,
}

impl Making<'_> {
    /// The part of a rank in a collective operation.
    pub(super) fn part(
        &mut self,
        rank: u32,
        node: &TraceNode,
        bytes: u64,
        after: &[Local],
    ) -> Result<(Local, Local), FactAndRemedy> {
        let kind = match node.collective() {
            Some(Ok(kind)) => kind,
            said => {
                let said = said.and_then(Result::err).unwrap_or_default();
                let fact = format!("comm_type is {said}, which is no collective operation of the schema");
                return Err((fact, "give a number from 0 to 9, or a name such as ALL_REDUCE"));
            }
        };
        let group = node.name_of("pg_name").map_err(|said| {
            (format!("pg_name is {said}, not the name of a process group"), "give a text or a whole number")
        })?;
        let root = node.rank("comm_src").or_else(|| node.rank("root")).unwrap_or(0);
        let place = RankStep::open(&mut self.builder, rank, after);
        let part = CollectivePart { what: Whole { kind, bytes, root }, place, name: node.name.clone() };
        self.parts.entry(group.unwrap_or_default()).or_default().entry(rank).or_default().push(part);
        Ok((place.begin, place.end))
    }

    /// Adds the collectives of the members of every group.
    pub(super) fn collectives(&mut self, traces: &[PathBuf]) -> Result<(), TraceError> {
        let (mut tag, library) = (INSIDE, &self.manner.library);
        for (group, mut by_rank) in std::mem::take(&mut self.parts) {
            let members = match self.manner.groups.get(&group) {
                Some(members) => members.clone(),
                None if group.is_empty() => (0..self.ranks).collect(),
                None => by_rank.keys().copied().collect(),
            };
            let rows: Vec<Vec<CollectivePart>> =
                members.iter().map(|rank| by_rank.remove(rank).unwrap_or_default()).collect();
            let file = |rank: u32| traces[if traces.len() == 1 { 0 } else { rank as usize }].display().to_string();
            let told = if group.is_empty() { "all ranks".to_owned() } else { format!("the group {group}") };
            if let Some(&rank) = by_rank.keys().next() {
                let fact = format!("rank {rank} takes part in a collective of {told}, of which it is not a member");
                return Err(TraceError::new(file(rank), fact, "add it to that group in program.chakra.groups"));
            }
            let counts: Vec<usize> = rows.iter().map(Vec::len).collect();
            if let Some(i) = (1..rows.len()).find(|&i| counts[i] != counts[0]) {
                let (a, b) = (members[0], members[i]);
                let fact =
                    format!("rank {b} takes part in {} collectives of {told}, rank {a} in {}", counts[i], counts[0]);
                return Err(TraceError::new(
                    file(b),
                    fact,
                    "give complete traces, or name the groups in program.chakra.groups",
                ));
            }
            for k in 0..counts.first().copied().unwrap_or(0) {
                let first = &rows[0][k];
                if let Some(i) = (1..rows.len()).find(|&i| rows[i][k].what != first.what) {
                    let say = |what: Whole| format!("{} of {} B", what.kind.name(), what.bytes);
                    let (mine, other) = (say(rows[i][k].what), say(first.what));
                    let (a, b) = (members[0], members[i]);
                    let fact = format!("collective {k} of {told} is {mine} at rank {b} and {other} at rank {a}");
                    return Err(TraceError::new(file(b), fact, "record the traces in one run, or name the groups"));
                }
                let whole = self.whole(&members, first.what).map_err(|fact| {
                    let fact = format!("collective {k} of {told} is {}, {fact}", first.what.kind.name());
                    TraceError::new(file(members[0]), fact, "name a rank of the group, or its place in the group")
                })?;
                // Before they are there: those of a single one may not fit into memory.
                let more = whole.operations(&members, library.combining.is_some());
                if more.saturating_add(self.builder.len() as u64) > self.manner.most as u64 {
                    let fact = format!("there are more than {} operations in its collectives", self.manner.most);
                    return Err(TraceError::new(file(members[0]), fact, "take larger chunks, or fewer channels"));
                }
                let places: Vec<RankStep> = rows.iter().map(|row| row[k].place).collect();
                tag = library.carry_out(&mut self.builder, first.name.clone(), whole, &places, tag);
            }
        }
        Ok(())
    }

    /// A collective as it can be performed; an error if its root is none of its members.
    fn whole(&self, members: &[u32], what: Whole) -> Result<made::Collective, String> {
        let (operation, by_part) = operation(what.kind);
        let n = members.len() as u32;
        let bytes = if by_part { what.bytes.saturating_mul(n.into()) } else { what.bytes };
        // The root is given by its rank, or by its place in the group.
        let root = members.iter().position(|&rank| rank == what.root).map_or(what.root, |at| at as u32);
        let root = match root < n {
            true => root,
            false if operation.has_root() => return Err(format!("whose root is {root}, and there are {n} ranks")),
            false => 0,
        };
        Ok(self.manner.library.collective(operation, bytes, root))
    }
}

/// A collective of the schema as one that can be performed, and whether its size is that of the part of a rank, as in
/// astra-sim, and not of the whole vector.
fn operation(kind: CollectiveNumber) -> (made::Operation, bool) {
    use made::Operation as Of;
    match kind {
        CollectiveNumber::REDUCE => (Of::Reduce, false),
        CollectiveNumber::ALL_GATHER => (Of::AllGather, true),
        CollectiveNumber::GATHER => (Of::Gather, true),
        CollectiveNumber::SCATTER => (Of::Scatter, false),
        CollectiveNumber::BROADCAST => (Of::Broadcast, false),
        CollectiveNumber::ALL_TO_ALL => (Of::AllToAll, false),
        CollectiveNumber::REDUCE_SCATTER | CollectiveNumber::REDUCE_SCATTER_BLOCK => (Of::ReduceScatter, false),
        CollectiveNumber::BARRIER => (Of::Barrier, false),
        _ => (Of::AllReduce, false),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use congestree_traffic::programs::collectives::Library;

    use super::super::{Making, Manner};
    use crate::node::TraceNode;
    use crate::{Attribute, NodeKind};

    #[test]
    fn a_collective_of_too_many_operations_is_refused_before_they_are_made() {
        let library = Library { chunk: Some(64), ..Library::default() };
        let manner = Manner { most: 1000, library, ..Manner::default() };
        let mut making = Making::new(2, &manner);
        let node = TraceNode {
            id: 1,
            name: "sum".to_owned(),
            kind: NodeKind::Collective,
            ctrl_deps: Vec::new(),
            data_deps: Vec::new(),
            duration_us: 0,
            attributes: vec![("comm_type".to_owned(), Attribute::Integer(0))],
        };
        for rank in 0..2 {
            making.part(rank, &node, 1 << 62, &[]).expect("it is an all-reduce");
        }
        let error = making.collectives(&[PathBuf::from("a"), PathBuf::from("b")]).expect_err("it is too long");
        assert_eq!(error.fact, "there are more than 1000 operations in its collectives");
        assert_eq!(making.builder.len(), 4);
    }
}
