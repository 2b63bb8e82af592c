//! The cost of the memories: cells of content-addressable memory (CAM) and of ordinary memory (SRAM).
//!
//! A line is `op` (6 bits), `hops` (6), `NextLine` (4) and a list of destinations, all searched by content; and the bits
//! `stop`, `sentStop` and `propagated` and a timer of 32 bits, which are not. Gran's thesis, supplement of Paper VI, section 8.

use super::IsolationRules;

/// Cells of one line, or of all lines of a port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// Searched by content.
    pub cam: u64,
    /// Read by place.
    pub sram: u64,
}

impl Cells {
    /// So many times as many.
    pub fn times(self, count: u64) -> Cells {
        Cells { cam: self.cam * count, sram: self.sram * count }
    }

    /// All of them, in whole bytes, rounded up.
    pub fn bytes(self) -> u64 {
        (self.cam + self.sram).div_ceil(8)
    }
}

/// Bits of `op`, `hops` and `NextLine`.
const FIXED: u64 = 6 + 6 + 4;
/// Bits of `stop`, `sentStop`, `propagated` and the timer.
const STATE: u64 = 1 + 1 + 1 + 32;

/// One line that lists this many destinations out of this many hosts.
fn line(destinations: u64, hosts: u64) -> Cells {
    Cells { cam: FIXED + destinations * bits_for(hosts), sram: STATE }
}

impl IsolationRules {
    /// All lines of one input, in a network of this many hosts.
    pub fn cells(&self, hosts: u64) -> Cells {
        line(u64::from(self.destinations), hosts).times(u64::from(self.lines))
    }
}

/// Number of bits that distinguish this many hosts.
fn bits_for(hosts: u64) -> u64 {
    u64::from(hosts.max(2).next_power_of_two().ilog2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_cost_what_the_supplement_of_paper_vi_says() {
        assert_eq!([line(8, 64), line(16, 256), line(32, 1024)].map(|cells| cells.cam), [64, 144, 336]);
        assert_eq!(line(8, 64).sram, 35);
        let port = line(32, 1024).times(9);
        assert_eq!((port.cam, port.sram, port.bytes()), (3024, 315, 418));
    }

    #[test]
    fn the_cost_of_a_scheme_follows_its_parameters() {
        use crate::switch::isolate::{IsolateParams, ccfit, ecocc};
        let ecocc = IsolateParams::Ecocc(ecocc::EcoccParams { destinations: 32, ..Default::default() });
        let ccfit = IsolateParams::Ccfit(ccfit::CcfitParams::default());
        let cells = |params: IsolateParams, hosts| params.rules().map(|rules| rules.cells(hosts));
        assert_eq!(cells(ecocc, 1024), Some(Cells { cam: 3024, sram: 315 }));
        assert_eq!(cells(ccfit, 64), Some(Cells { cam: 2 * (16 + 6), sram: 2 * 35 }));
    }

    #[test]
    fn hosts_are_told_apart_by_whole_bits() {
        assert_eq!([2, 3, 64, 65, 648].map(bits_for), [1, 2, 6, 7, 10]);
    }
}
