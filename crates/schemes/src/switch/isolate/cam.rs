//! The memory at an input, or at a host: its lines, and their set-aside queues.
//!
//! A line is created in one of two ways: a normal queue grows above a threshold and declares the root of a tree; or a
//! packet at the head of a normal queue is listed by a line downstream. It ends when its queue is empty, and the
//! neighbours that know it are notified.
//!
//! **Order.** A destination is listed by at most one line with a set-aside queue, and such a line exists as long as its
//! queue holds anything. All packets for a destination pass through the same normal queue; so they leave in the order
//! in which they came, through either queue.
//!
//! Here is the table of lines and queues; `sorting.rs` says to which queue a packet goes, `fills.rs` what happens as
//! queues grow and shrink.

use super::{Effect, IsolationRules, Notice, trace, traces};

mod fills;
mod line;
mod sorting;

pub use line::{Holder, Line};

/// The most set-aside queues of an input or of a host.
const MOST_QUEUES: usize = 16;
/// No line: the queue is free.
const FREE: u8 = u8::MAX;

/// A packet that waits at the head of a normal queue, or that is blamed for its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadPacket {
    /// The output that it waits for.
    pub output: u16,
    /// Where it goes.
    pub destination: u32,
}

/// The memory of an input, or of a host. The data needed for every packet are in one cache line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Cam {
    /// By number; the switch upstream knows a line by its number.
    lines: Box<[Option<Line>]>,
    /// The line of each set-aside queue, or `FREE`.
    queues: [u8; MOST_QUEUES],
    /// How many set-aside queues there are.
    queues_len: u8,
    /// The bits of all outputs, modulo 64, whose normal queue is the root of a tree.
    roots: u64,
    /// The bits of all destinations that lines with a set-aside queue list, and perhaps of some others.
    listed: u64,
    /// Lines in use.
    used: u8,
    /// Set-aside queues in use.
    isolated_queues: u8,
}

const _: () = assert!(size_of::<Cam>() == 64);

impl Cam {
    /// A memory with no line in use.
    pub fn new(rules: &IsolationRules) -> Self {
        Self {
            lines: vec![None; usize::from(rules.lines)].into(),
            queues: [FREE; MOST_QUEUES],
            queues_len: rules.queues,
            roots: 0,
            listed: 0,
            used: 0,
            isolated_queues: 0,
        }
    }

    /// No line is in use.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Lines in use.
    pub fn lines_in_use(&self) -> u8 {
        self.used
    }

    /// Set-aside queues in use.
    #[inline]
    pub fn queues_in_use(&self) -> u8 {
        self.isolated_queues
    }

    /// The line of a set-aside queue, if it is in use.
    #[inline]
    pub fn line_of(&self, queue: u8) -> Option<&Line> {
        self.lines.get(usize::from(self.queues[usize::from(queue)]))?.as_ref()
    }

    /// The lines in use, with their numbers.
    pub fn lines(&self) -> impl Iterator<Item = (u8, &Line)> {
        self.lines.iter().enumerate().filter_map(|(number, line)| Some((number as u8, line.as_ref()?)))
    }

    /// The outputs of the lines that put them into the congestion state.
    pub fn congested_outputs(&self) -> impl Iterator<Item = u16> {
        self.lines().filter(|(_, line)| line.congested).map(|(_, line)| line.output)
    }

    /// Whether a line with a set-aside queue lists this destination.
    pub fn isolates(&self, destination: u32) -> bool {
        self.isolated_lines().any(|(_, _, line)| line.destinations.contains(&destination))
    }

    /// A line that puts its output into the congestion state although it feeds another downstream; there must be none.
    pub fn counting_upstream(&self) -> Option<(u8, &Line)> {
        self.lines().find(|(_, line)| line.congested && line.next.is_some())
    }

    /// A destination that two lines with a set-aside queue list; there must be none.
    pub fn listed_twice(&self) -> Option<u32> {
        let mut all: Vec<u32> = self.isolated_lines().flat_map(|(_, _, line)| &line.destinations).copied().collect();
        all.sort_unstable();
        all.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
    }

    /// Takes a set-aside queue and a line for it, if there are any.
    fn allocate(&mut self, output: u16, hops: u8, next: Option<u8>) -> Option<u8> {
        let queue = self.queues[..usize::from(self.queues_len)].iter().position(|number| *number == FREE)?;
        let number = self.lines.iter().position(Option::is_none)?;
        self.queues[queue] = number as u8;
        self.lines[number] = Some(Line::new(output, hops, Holder::Isolated(queue as u8), next));
        self.used += 1;
        self.isolated_queues += 1;
        Some(queue as u8)
    }

    /// Adds a destination to a line, if there is room in its list, and notifies the neighbours that know the line.
    fn list(&mut self, rules: &IsolationRules, number: u8, destination: u32, effects: &mut Vec<Effect>) -> bool {
        let Some(line) = &mut self.lines[usize::from(number)] else { return false };
        if line.destinations.len() >= usize::from(rules.destinations) {
            return false;
        }
        line.destinations.push(destination);
        self.listed |= trace(destination);
        if line.propagated {
            let (hops, destinations) = (line.hops, vec![destination]);
            effects.push(Effect::Upstream(Notice::Allocate { line: number, hops, destinations }));
        }
        true
    }

    /// Releases a line with its queue, and notifies the neighbours that know it.
    fn free(&mut self, number: u8, effects: &mut Vec<Effect>) {
        let Some(line) = self.lines[usize::from(number)].take() else { return };
        self.used -= 1;
        if let Holder::Isolated(queue) = line.holder {
            self.queues[usize::from(queue)] = FREE;
            self.isolated_queues -= 1;
            self.listed = traces(self.isolated_lines().flat_map(|(_, _, line)| &line.destinations));
        } else {
            let roots = self.lines().filter(|(_, line)| line.holder == Holder::Normal);
            self.roots = roots.fold(0, |bits, (_, line)| bits | trace(u32::from(line.output)));
        }
        if line.congested {
            effects.push(Effect::Calm(line.output));
        }
        if line.propagated {
            effects.push(Effect::Upstream(Notice::Release { line: number }));
        }
    }

    /// The lines that have a set-aside queue: number, queue, line.
    fn isolated_lines(&self) -> impl Iterator<Item = (u8, u8, &Line)> {
        let queues = &self.queues[..usize::from(self.queues_len)];
        queues.iter().enumerate().filter_map(|(queue, &number)| {
            let line = self.lines.get(usize::from(number))?.as_ref()?;
            Some((number, queue as u8, line))
        })
    }

    /// The number of the line of a set-aside queue, if it is in use.
    #[inline]
    fn number_of(&self, queue: u8) -> Option<u8> {
        Some(self.queues[usize::from(queue)]).filter(|number| *number != FREE)
    }

    fn line_mut(&mut self, queue: u8) -> Option<&mut Line> {
        self.lines.get_mut(usize::from(self.queues[usize::from(queue)]))?.as_mut()
    }

    /// The line of the normal queue for an output, if it is the root of a tree.
    fn root(&self, output: u16) -> Option<u8> {
        if self.roots & trace(u32::from(output)) == 0 {
            return None;
        }
        let is_root = |line: &Line| line.holder == Holder::Normal && line.output == output;
        self.lines().find(|(_, line)| is_root(line)).map(|(number, _)| number)
    }
}
