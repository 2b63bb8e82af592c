//! Ways that follow from the parameters of a regular network, without a search.
//!
//! A topology answers for a pair of switches; what the fabric and the check for loops need follows from that. Nothing is
//! stored by host, so that networks of a hundred thousand hosts take no table.

use std::fmt;

use crate::Through;

/// The ways through a regular network.
pub trait Formula: fmt::Debug + Send + Sync {
    /// The switch that a host is on, and the port there.
    fn home(&self, host: u32) -> (u32, u16);

    /// Appends the ports of `switch` on all minimal ways to the switch `home`, another one, in the order of ports.
    fn ways(&self, switch: u32, home: u32, ways: &mut Vec<u16>);

    /// Appends those of them that the topology's own rule may take, such as dimension order. All of them unless it says
    /// otherwise.
    fn by_rule(&self, switch: u32, home: u32, ways: &mut Vec<u16>) {
        self.ways(switch, home, ways);
    }

    /// The one that packets for `host` take: of `by_rule`, the host's number modulo how many there are, unless the topology
    /// says otherwise.
    fn pick(&self, _switch: u32, host: u32, ways: &[u16]) -> u16 {
        ways[host as usize % ways.len()]
    }

    /// Switches of one kind pick alike: among the same ways, the same for a host.
    fn kind(&self, _switch: u32) -> u32 {
        0
    }

    /// The group that a switch is of, where switches come in groups.
    fn group(&self, switch: u32) -> u32 {
        switch
    }

    /// Lanes that break all circles of these ways, if packets change them as `lane` says; 1 if there are none to break.
    fn lanes(&self) -> u8 {
        1
    }

    /// The lane in which a packet leaves that came in by `lane`, or from a host with lane 0.
    fn lane(&self, _through: Through, lane: u8) -> u8 {
        lane
    }
}
