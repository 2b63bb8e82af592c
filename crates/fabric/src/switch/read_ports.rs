//! Read ports of inputs: how many packets can be read from one input at a time, and when the next one can be.

use std::ops::Range;

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::PortId;

use crate::fabric::Fabric;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// One of the input's read ports is busy until then.
    #[inline]
    pub(crate) fn read_port_busy(&mut self, input: PortId, until: Time) {
        let ports = self.read_ports_of(input);
        if let Some(free) = self.switches.reads[ports].iter_mut().min() {
            *free = until;
        }
    }

    /// How many more packets can be read from an input now, besides those being read.
    pub(crate) fn free_reads(&self, input: PortId) -> u16 {
        match self.rules.read_ports {
            Some(_) => {
                self.switches.reads[self.read_ports_of(input)].iter().filter(|&&free| free <= self.now).count() as u16
            }
            None => u16::MAX,
        }
    }

    /// The earliest time at which the input can be read: now or earlier if it can be read now.
    #[inline]
    pub(crate) fn readable_at(&self, input: PortId) -> Time {
        if !self.limited_reads() {
            return Time::START;
        }
        self.switches.reads[self.read_ports_of(input)].iter().copied().min().unwrap_or(Time::START)
    }

    /// The places of an input's read ports in the table of all of them.
    #[inline(always)]
    fn read_ports_of(&self, input: PortId) -> Range<usize> {
        let ports = usize::from(self.rules.read_ports.unwrap_or(0));
        let first = (input.0 - self.rules.hosts_len) as usize * ports;
        first..first + ports
    }
}
