//! Which groups of a dragonfly the global ports of a group lead to.
//!
//! The global ports of a group are numbered from 0. With g groups, a round of g - 1 ports leads once to every other
//! group, in the order given by the arrangement; if there are more ports than g - 1, whole rounds follow each other.
//!
//! | arrangement | port j of group G leads to | and ends there at port |
//! |-------------|----------------------------|------------------------|
//! | absolute | group j, or j + 1 from G on | G, or G - 1 beyond that group |
//! | relative | group (G + j + 1) mod g | g - 2 - j |
//! | palmtree | group (G - j - 1) mod g | g - 2 - j |
//! | circulant | in turn G + 1, G - 1, G + 2, G - 2, … | the other of its pair |
//!
//! Absolute is what BookSim 2 and SST's merlin have; palmtree is that of Camarero, Vallejo and Beivide (2014).

use super::limits;
use crate::Diagnostic;
use congestree_units::Rate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// In which order the global ports of a group lead to the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arrangement {
    /// In the order of the group numbers.
    #[default]
    Absolute,
    /// Counted upwards from the port's own group.
    Relative,
    /// Counted downwards from the port's own group.
    Palmtree,
    /// Alternately above and below the port's own group.
    Circulant,
}

/// The global links of a dragonfly.
#[derive(Clone, Copy, Debug)]
pub(super) struct GlobalLinks {
    pub groups: u32,
    /// Global ports of a group.
    pub ports: u32,
    pub arrangement: Arrangement,
}

impl GlobalLinks {
    /// Those of groups with so many global ports. Unless their number is given, there are as many groups as can be linked.
    pub(crate) fn of(groups: Option<u32>, ports: u32, arrangement: Arrangement) -> Self {
        Self { groups: groups.unwrap_or(ports + 1), ports, arrangement }
    }

    /// Every global link once, by its two ends: a group and a port of it. They come in the order of the lower groups and
    /// their ports.
    pub(crate) fn all(&self) -> impl Iterator<Item = [(u32, u32); 2]> {
        let ends = (0..self.groups).flat_map(|group| (0..self.ports).map(move |port| (group, port)));
        ends.map(|(group, port)| [(group, port), self.other_end(group, port)]).filter(|[here, there]| here.0 < there.0)
    }

    /// Number of links between two groups.
    pub(crate) fn between_two(&self) -> u32 {
        self.ports / (self.groups - 1)
    }

    /// The group and its port at the other end of port `port` of `group`.
    pub(crate) fn other_end(&self, group: u32, port: u32) -> (u32, u32) {
        let (groups, round) = (self.groups, self.groups - 1);
        let (before, j) = (port / round * round, port % round);
        let (to, back) = match self.arrangement {
            Arrangement::Absolute if j < group => (j, group - 1),
            Arrangement::Absolute => (j + 1, group),
            Arrangement::Relative => ((group + j + 1) % groups, groups - 2 - j),
            Arrangement::Palmtree => ((group + groups - j - 1) % groups, groups - 2 - j),
            // With an even number of groups the last port leads to the opposite group, to the same port there.
            Arrangement::Circulant => {
                let (far, back) = (j / 2 + 1, if j ^ 1 < round { j ^ 1 } else { j });
                (if j.is_multiple_of(2) { (group + far) % groups } else { (group + groups - far) % groups }, back)
            }
        };
        (to, before + back)
    }

    /// The ports of `group` that lead to another group.
    pub(crate) fn leading_to(&self, group: u32, to: u32) -> impl Iterator<Item = u32> {
        let (groups, round) = (self.groups, self.groups - 1);
        let j = match self.arrangement {
            Arrangement::Absolute => to - u32::from(to > group),
            Arrangement::Relative => (to + groups - group) % groups - 1,
            Arrangement::Palmtree => (group + groups - to) % groups - 1,
            Arrangement::Circulant => {
                let (above, below) = ((to + groups - group) % groups, (group + groups - to) % groups);
                if above <= below { 2 * (above - 1) } else { 2 * below - 1 }
            }
        };
        (0..self.between_two()).map(move |number| number * round + j)
    }

    /// Reports a number of groups that the ports cannot connect evenly. `of` names the part that has the ports.
    pub(crate) fn check(groups: u32, ports: u64, of: &str) -> Vec<Diagnostic> {
        let mut diagnostics = limits::at_least("groups", groups, 2);
        if diagnostics.is_empty() && !ports.is_multiple_of(u64::from(groups) - 1) {
            let fact =
                format!("the {ports} global links of a group ({of}) cannot be shared evenly by {} others", groups - 1);
            let fitting: Vec<String> = (2..=ports + 1)
                .rev()
                .filter(|groups| ports.is_multiple_of(groups - 1))
                .take(4)
                .map(|groups| groups.to_string())
                .collect();
            diagnostics.push(Diagnostic::new("groups", fact, format!("make it {}", fitting.join(", "))));
        }
        diagnostics
    }
}

/// A rate of global links that is zero.
pub(super) fn check_rate(rate: Option<Rate>) -> Option<Diagnostic> {
    let none = rate == Some(Rate(0));
    none.then(|| Diagnostic::new("global_rate", "links between groups have no rate", "give a rate above zero"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_global_link_has_two_ends_that_agree_and_joins_each_pair_alike() {
        use Arrangement::{Absolute, Circulant, Palmtree, Relative};
        for arrangement in [Absolute, Relative, Palmtree, Circulant] {
            for (groups, rounds) in [(2, 1), (2, 3), (3, 1), (4, 2), (5, 1), (8, 3), (9, 1)] {
                let links = GlobalLinks { groups, ports: rounds * (groups - 1), arrangement };
                assert_eq!(links.all().count() as u32, groups * links.ports / 2);
                for group in 0..groups {
                    for port in 0..links.ports {
                        let (to, back) = links.other_end(group, port);
                        assert_ne!(to, group);
                        assert_eq!(links.other_end(to, back), (group, port), "{arrangement:?} {groups} {group} {port}");
                        assert!(links.leading_to(group, to).any(|known| known == port));
                    }
                    for to in (0..groups).filter(|&to| to != group) {
                        assert_eq!(links.leading_to(group, to).count() as u32, rounds);
                    }
                }
            }
        }
    }

    #[test]
    fn the_absolute_arrangement_is_that_of_booksim() {
        let links = GlobalLinks { groups: 9, ports: 8, arrangement: Arrangement::Absolute };
        let of_group_3: Vec<u32> = (0..8).map(|port| links.other_end(3, port).0).collect();
        assert_eq!(of_group_3, [0, 1, 2, 4, 5, 6, 7, 8]);
        assert_eq!((links.other_end(3, 0), links.other_end(0, 2)), ((0, 2), (3, 0)));
    }
}
