//! Paths that follow from the parameters of a regular network, without a search.
//!
//! A topology answers for a pair of switches; the fabric and the check for loops derive the rest. Nothing is stored by
//! host, so networks of a hundred thousand hosts need no table.

use std::fmt;

use crate::Through;

/// The paths through a regular network.
pub trait Formula: fmt::Debug + Send + Sync {
    /// The switch that a host is on, and the port there.
    fn home(&self, host: u32) -> (u32, u16);

    /// Appends the ports of `switch` on all minimal paths to `home`, a different switch, in the order of ports.
    fn candidates(&self, switch: u32, home: u32, candidates: &mut Vec<u16>);

    /// Appends those of them that the topology's own rule may use, such as dimension order; more often those that it
    /// uses more often. By default all of them, once.
    fn by_rule(&self, switch: u32, home: u32, candidates: &mut Vec<u16>) {
        self.candidates(switch, home, candidates);
    }

    /// The port that packets for `host` use: by default, of `by_rule` the one at the host's number modulo their count.
    fn pick(&self, _switch: u32, host: u32, candidates: &[u16]) -> u16 {
        candidates[host as usize % candidates.len()]
    }

    /// Switches of one kind pick in the same way: among the same ports, the same one for a host.
    fn kind(&self, _switch: u32) -> u32 {
        0
    }

    /// The group of a switch, if switches are in groups.
    fn group(&self, switch: u32) -> u32 {
        switch
    }

    /// Number of lanes that break all cycles of these paths, if packets change them as `lane` says; 1 if there are no
    /// cycles.
    fn lanes(&self) -> u8 {
        1
    }

    /// The lane in which a packet leaves that arrived in `lane`, or from a host with lane 0.
    fn lane(&self, _through: Through, lane: u8) -> u8 {
        lane
    }
}
