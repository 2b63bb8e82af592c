//! Which rank runs on which host.

use congestree_kernel::Rng;

/// How ranks are put on hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Host by host: each is filled before the next.
    Linear,
    /// One rank to each host in turn, so that all have as many as each other, or one more.
    RoundRobin,
    /// Linear over the hosts in random order.
    Random,
    /// Over the hosts rail by rail: first the first host of every node of this many hosts, then the second of every node,
    /// and so on.
    ByRail(u32),
    /// Listed, rank by rank.
    Given(Vec<u32>),
}

impl Placement {
    /// The host of every rank. At most `per_host` ranks share a host; there must be enough hosts for that.
    pub fn place(&self, hosts: &[u32], ranks: u32, per_host: u32, rng: &mut Rng) -> Vec<u32> {
        let linear = |hosts: &[u32]| (0..ranks).map(|rank| hosts[(rank / per_host) as usize]).collect();
        match self {
            Placement::Linear => linear(hosts),
            Placement::RoundRobin => {
                // As evenly as possible: no host has more than its share, so none has too many.
                (0..ranks as usize).map(|rank| hosts[rank % hosts.len()]).collect()
            }
            Placement::Random => {
                let mut shuffled = hosts.to_vec();
                shuffle(&mut shuffled, rng);
                linear(&shuffled)
            }
            Placement::ByRail(node) => {
                let rails = (0..*node as usize).flat_map(|rail| hosts.iter().skip(rail).step_by(*node as usize));
                linear(&rails.copied().collect::<Vec<u32>>())
            }
            Placement::Given(given) => given.clone(),
        }
    }
}

/// Puts a list into random order (Fisher and Yates).
pub fn shuffle(list: &mut [u32], rng: &mut Rng) {
    for i in (1..list.len()).rev() {
        list.swap(i, rng.below(i as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(placement: &Placement, ranks: u32, per_host: u32) -> Vec<u32> {
        placement.place(&[10, 11, 12, 13], ranks, per_host, &mut Rng::stream(1, "placement", 0))
    }

    #[test]
    fn ranks_fill_hosts_or_go_round() {
        assert_eq!(place(&Placement::Linear, 6, 2), [10, 10, 11, 11, 12, 12]);
        assert_eq!(place(&Placement::RoundRobin, 6, 2), [10, 11, 12, 13, 10, 11]);
        assert_eq!(place(&Placement::RoundRobin, 8, 4), [10, 11, 12, 13, 10, 11, 12, 13]);
        assert_eq!(place(&Placement::Linear, 3, 1), place(&Placement::RoundRobin, 3, 1));
    }

    #[test]
    fn rails_go_across_nodes() {
        assert_eq!(place(&Placement::ByRail(2), 4, 1), [10, 12, 11, 13]);
        assert_eq!(place(&Placement::ByRail(4), 4, 1), [10, 11, 12, 13]);
    }

    #[test]
    fn a_random_placement_uses_no_host_beyond_its_share() {
        let placed = place(&Placement::Random, 8, 2);
        assert!([10, 11, 12, 13].iter().all(|host| placed.iter().filter(|&at| at == host).count() == 2));
        assert_ne!(placed, place(&Placement::Linear, 8, 2));
        assert_eq!(placed, place(&Placement::Random, 8, 2));
    }
}
