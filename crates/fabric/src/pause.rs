//! Priority flow control: a port that is told to pause sends no packet in that lane until it is told to go on.
//!
//! While a lane is paused its sender holds no credit; otherwise it holds as much as it could want. So whoever waits for a
//! pause to end waits as others do for credit, and everything that looks at credit (arbiters, hosts, markers that ask for
//! victims, the search for deadlock) sees what it should.

use congestree_kernel::Agenda;
use congestree_probes::Probe;

use crate::credits::UNLIMITED;
use crate::fabric::Fabric;
use crate::shape::Shape;

impl<A: Agenda, P: Probe, S: Shape> Fabric<A, P, S> {
    /// A port is told to pause in a lane, or to go on (no quanta).
    pub(crate) fn told_to_pause(&mut self, port: u32, lane: u8, quanta: u32) {
        let place = self.at(port, lane);
        self.out_lanes[place].credit = if quanta == 0 { UNLIMITED } else { 0 };
        self.consider(port);
    }
}
