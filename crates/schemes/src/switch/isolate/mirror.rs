//! The memory at an output: what it knows of the lines of the next input downstream.

use super::{Notice, trace, traces};

/// A line downstream.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    hops: u8,
    stopped: bool,
    destinations: Vec<u32>,
}

/// The lines of the input downstream, by their numbers there. One cache line, as the memory that they are in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct Mirror {
    lines: Vec<Option<Known>>,
    /// The bits of all destinations that they list.
    listed: u64,
    /// How many are known.
    used: u16,
    /// How many of them are stopped.
    stopped: u16,
}

impl Mirror {
    /// Processes a notice from downstream. Returns whether anything has changed.
    pub fn hear(&mut self, notice: &Notice) -> bool {
        let place = usize::from(notice.line());
        if place >= self.lines.len() {
            self.lines.resize(place + 1, None);
        }
        match (notice, &mut self.lines[place]) {
            (Notice::Allocate { hops, destinations, .. }, vacant @ None) => {
                self.listed |= traces(destinations);
                *vacant = Some(Known { hops: *hops, stopped: false, destinations: destinations.clone() });
                self.used += 1;
            }
            (Notice::Allocate { destinations, .. }, Some(known)) => {
                self.listed |= traces(destinations);
                known.destinations.extend(destinations);
            }
            (Notice::Stop { .. }, Some(known)) if !known.stopped => {
                known.stopped = true;
                self.stopped += 1;
            }
            (Notice::Go { .. }, Some(known)) if known.stopped => {
                known.stopped = false;
                self.stopped -= 1;
            }
            (Notice::Release { .. }, known @ Some(_)) => {
                self.stopped -= u16::from(known.as_ref().is_some_and(|known| known.stopped));
                self.used -= 1;
                *known = None;
                self.listed = traces(self.lines.iter().flatten().flat_map(|known| &known.destinations));
            }
            _ => return false,
        }
        true
    }

    /// Nothing is known of any line.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Whether some line may list a destination; if not, none does.
    #[inline]
    pub fn may_list(&self, destination: u32) -> bool {
        self.listed & trace(destination) != 0
    }

    /// The lines that list a destination, in order.
    pub fn listing(&self, destination: u32) -> impl Iterator<Item = u8> + '_ {
        let lists = move |known: &Known| known.destinations.contains(&destination);
        let lines = if !self.may_list(destination) { &[][..] } else { &self.lines[..] };
        lines.iter().enumerate().filter(move |(_, known)| known.as_ref().is_some_and(lists)).map(|(line, _)| line as u8)
    }

    /// Switches from the input downstream to the root; 0 if the line is not known.
    pub fn hops(&self, line: u8) -> u8 {
        self.known(line).map_or(0, |known| known.hops)
    }

    /// What the line lists.
    pub fn destinations(&self, line: u8) -> &[u32] {
        self.known(line).map_or(&[], |known| &known.destinations)
    }

    /// Whether the line is stopped at present.
    #[inline]
    pub fn stops(&self, line: u8) -> bool {
        self.stopped > 0 && self.known(line).is_some_and(|known| known.stopped)
    }

    /// Whether some line that is stopped at present lists the destination.
    pub fn stops_destination(&self, destination: u32) -> bool {
        self.stopped > 0
            && self.may_list(destination)
            && self.lines.iter().flatten().any(|known| known.stopped && known.destinations.contains(&destination))
    }

    fn known(&self, line: u8) -> Option<&Known> {
        self.lines.get(usize::from(line)).and_then(Option::as_ref)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allocate(line: u8, destinations: &[u32]) -> Notice {
        Notice::Allocate { line, hops: 1, destinations: destinations.to_vec() }
    }

    #[test]
    fn a_line_is_known_from_its_allocation_to_its_release() {
        let mut mirror = Mirror::default();
        assert!(!mirror.hear(&Notice::Stop { line: 3 }), "nobody knows it yet");
        assert!(mirror.hear(&allocate(3, &[7])));
        assert!(mirror.hear(&allocate(3, &[9])));
        assert_eq!(mirror.destinations(3), [7, 9]);
        assert_eq!(mirror.listing(9).collect::<Vec<_>>(), [3]);
        assert!(mirror.hear(&Notice::Stop { line: 3 }));
        assert!(!mirror.hear(&Notice::Stop { line: 3 }), "it is stopped already");
        assert!(mirror.stops(3) && mirror.stops_destination(7) && !mirror.stops_destination(8));
        assert!(mirror.hear(&Notice::Release { line: 3 }));
        assert!(mirror.is_empty() && !mirror.stops(3) && !mirror.stops_destination(7));
        assert_eq!(mirror.stopped, 0, "it was stopped when it was released");
    }

    #[test]
    fn a_line_that_is_allocated_anew_has_forgotten_everything() {
        let mut mirror = Mirror::default();
        mirror.hear(&allocate(0, &[7]));
        mirror.hear(&Notice::Stop { line: 0 });
        mirror.hear(&Notice::Release { line: 0 });
        mirror.hear(&allocate(0, &[8]));
        assert!(!mirror.stops(0));
        assert_eq!(mirror.destinations(0), [8]);
    }

    #[test]
    fn two_stopped_lines_go_one_by_one() {
        let mut mirror = Mirror::default();
        [0, 1, 2].into_iter().for_each(|line| assert!(mirror.hear(&allocate(line, &[u32::from(line)]))));
        [0, 1].into_iter().for_each(|line| assert!(mirror.hear(&Notice::Stop { line })));
        let stops = |mirror: &Mirror| {
            let (lines, destinations) = ([0, 1, 2, 9].map(|line| mirror.stops(line)), [0, 1, 2, 9]);
            assert_eq!(destinations.map(|destination| mirror.stops_destination(destination)), lines);
            lines
        };
        assert_eq!(stops(&mirror), [true, true, false, false]);
        assert!(mirror.hear(&Notice::Go { line: 0 }));
        assert!(!mirror.hear(&Notice::Go { line: 0 }), "it goes already");
        assert_eq!((stops(&mirror), mirror.stopped), ([false, true, false, false], 1));
        assert!(mirror.hear(&Notice::Go { line: 1 }));
        assert_eq!((stops(&mirror), mirror.stopped), ([false; 4], 0));
        assert_eq!([0, 9].map(|line| mirror.hops(line)), [1, 0]);
    }

    #[test]
    fn the_bits_of_a_released_line_are_forgotten_and_no_other() {
        let mut mirror = Mirror::default();
        mirror.hear(&allocate(0, &[7, 8]));
        mirror.hear(&allocate(1, &[8, 9]));
        mirror.hear(&Notice::Release { line: 0 });
        assert_eq!([7, 8, 9].map(|destination| mirror.may_list(destination)), [false, true, true]);
        assert_eq!([7, 8, 9].map(|destination| mirror.listing(destination).count()), [0, 1, 1]);
    }
}
