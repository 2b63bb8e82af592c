//! Where messages go.

use congestree_kernel::Rng;
use congestree_units::{Span, Time};

/// A destination pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// Always to this host. (Shifts and permutations are converted to this.)
    Fixed(u32),
    /// To any other host with equal probability.
    Uniform,
    /// A share goes to a few hot hosts, the rest to any other host, hot ones included, with equal probability.
    HotSpot {
        /// The hot hosts.
        to: Vec<u32>,
        /// Probability that a message goes to one of them for being hot; the rest may reach them as well.
        fraction: f64,
    },
    /// To any other host of the same group with equal probability; each group consists of this many hosts, counted from
    /// the first.
    Groups {
        /// Hosts of a group; at least two.
        size: u32,
    },
    /// To one host at a time, which changes at every multiple of a period; to none while that host is the source
    /// itself.
    Moving {
        /// The hosts in turn; after the last comes the first.
        to: Vec<u32>,
        /// How long each of them lasts.
        every: Span,
    },
}

impl Pattern {
    /// All messages generated at an instant go to the same host.
    pub fn is_single(&self) -> bool {
        matches!(self, Pattern::Fixed(_) | Pattern::Moving { .. })
    }

    /// Whether messages of `source` may ever go to this host.
    pub fn reaches(&self, source: u32, host: u32) -> bool {
        let other = host != source;
        match self {
            Pattern::Fixed(to) => host == *to,
            Pattern::Moving { to, .. } => to.contains(&host),
            Pattern::Uniform => other,
            Pattern::Groups { size } => other && host / size == source / size,
            Pattern::HotSpot { to, fraction } => {
                other && (*fraction < 1.0 || to.contains(&host) || to.contains(&source))
            }
        }
    }

    /// Draws a destination for a message of `source` among `hosts` at `now`.
    pub fn draw(&self, now: Time, source: u32, hosts: u32, rng: &mut Rng) -> u32 {
        match self {
            Pattern::Fixed(host) => *host,
            Pattern::Moving { to, every } => to[(now.0 / every.0) as usize % to.len()],
            Pattern::Uniform => another(source, hosts, rng),
            Pattern::Groups { size } => {
                let first = source / size * size;
                first + another(source - first, *size, rng)
            }
            Pattern::HotSpot { to, fraction } => {
                if rng.unit() < *fraction {
                    let hot = to[rng.below(to.len() as u64) as usize];
                    if hot != source {
                        return hot;
                    }
                }
                another(source, hosts, rng)
            }
        }
    }
}

/// Any host but `source`.
fn another(source: u32, hosts: u32, rng: &mut Rng) -> u32 {
    let host = rng.below(u64::from(hosts) - 1) as u32;
    host + u32::from(host >= source)
}

/// A random permutation without fixed points: the partner of each host (Sattolo's algorithm: one long cycle).
pub fn permutation(hosts: u32, rng: &mut Rng) -> Vec<u32> {
    let mut partner: Vec<u32> = (0..hosts).collect();
    for i in (1..hosts as usize).rev() {
        partner.swap(i, rng.below(i as u64) as usize);
    }
    partner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_never_sends_to_itself_and_reaches_all_others() {
        let mut rng = Rng::stream(1, "destinations", 0);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[Pattern::Uniform.draw(Time::START, 2, 5, &mut rng) as usize] += 1;
        }
        assert_eq!(seen[2], 0);
        assert!([0, 1, 3, 4].iter().all(|&host| seen[host] > 180));
    }

    #[test]
    fn groups_keep_to_themselves() {
        let mut rng = Rng::stream(1, "destinations", 0);
        let mut seen = [0; 12];
        for _ in 0..3000 {
            seen[Pattern::Groups { size: 4 }.draw(Time::START, 6, 12, &mut rng) as usize] += 1;
        }
        assert!([4, 5, 7].iter().all(|&host| seen[host] > 900), "{seen:?}");
        assert_eq!(seen.iter().sum::<u32>() - seen[4] - seen[5] - seen[7], 0);
    }

    #[test]
    fn a_hot_spot_gets_its_share() {
        let mut rng = Rng::stream(1, "destinations", 0);
        let pattern = Pattern::HotSpot { to: vec![3], fraction: 0.25 };
        let hot = (0..10_000).filter(|_| pattern.draw(Time::START, 0, 101, &mut rng) == 3).count();
        // A quarter, and a hundredth of the rest.
        assert!((2_350..2_800).contains(&hot), "{hot}");
    }

    #[test]
    fn a_moving_hot_spot_changes_at_multiples_of_its_period() {
        let mut rng = Rng::stream(1, "destinations", 0);
        let pattern = Pattern::Moving { to: vec![4, 2], every: Span(10) };
        let drawn = [0, 9, 10, 19, 20].map(|now| pattern.draw(Time(now), 0, 5, &mut rng));
        assert_eq!(drawn, [4, 4, 2, 2, 4]);
    }

    #[test]
    fn a_permutation_has_no_fixed_point() {
        let partner = permutation(100, &mut Rng::stream(5, "permutation", 0));
        let mut sorted = partner.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
        assert!(partner.iter().enumerate().all(|(i, &p)| i as u32 != p));
    }
}
