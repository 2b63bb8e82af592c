//! The memory at an input, or at a host: its lines, and their set-aside queues.
//!
//! A line is created in one of two ways: a normal queue grows above a threshold and declares the root of a tree; or a
//! packet at the head of a normal queue is listed by a line downstream. It ends when its queue is empty, and the
//! neighbours that know it are notified.
//!
//! **Order.** A destination is listed by at most one line with a set-aside queue, and such a line exists as long as its
//! queue holds anything. All packets for a destination pass through the same normal queue; so they leave in the order
//! in which they came, through either queue.

use super::mirror::Mirror;
use super::{Effect, HeadDecision, IsolationRules, Notice, RootRelease, StopAt, Suspect, trace, traces};

/// The most set-aside queues of an input or of a host.
pub const MOST_QUEUES: usize = 16;
/// No line: the queue is free.
const FREE: u8 = u8::MAX;

/// What a line represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// The normal queue for its output: a root that needs no separate queue.
    Normal,
    /// A set-aside queue.
    SetAside(u8),
}

/// A line of the memory of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The output (local port number) that is, or leads to, the root.
    pub output: u16,
    /// Switches to the root, including this one; 1 at the root.
    pub hops: u8,
    /// The queue whose fill level it uses.
    pub holder: Holder,
    /// The line downstream that it feeds; none at the root, or if that line is gone.
    pub next: Option<u8>,
    /// The destinations whose packets belong to it.
    pub destinations: Vec<u32>,
    /// Whether the switch upstream knows it.
    pub propagated: bool,
    /// Whether the queue upstream has been stopped.
    pub sent_stop: bool,
    /// Whether it counts in the congestion state of its output.
    pub congested: bool,
    /// Its queue has been at the lower threshold since it was allocated upstream.
    rearmed: bool,
}

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
    set_aside: u8,
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
            set_aside: 0,
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
        self.set_aside
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

    /// Whether a line with a set-aside queue lists this destination.
    pub fn sets_aside(&self, destination: u32) -> bool {
        self.set_aside_lines().any(|(_, _, line)| line.destinations.contains(&destination))
    }

    /// A line that puts its output into the congestion state although it feeds another downstream; there must be none.
    pub fn counting_upstream(&self) -> Option<(u8, &Line)> {
        self.lines().find(|(_, line)| line.congested && line.next.is_some())
    }

    /// A destination that two lines with a set-aside queue list; there must be none.
    pub fn listed_twice(&self) -> Option<u32> {
        let mut all: Vec<u32> = self.set_aside_lines().flat_map(|(_, _, line)| &line.destinations).copied().collect();
        all.sort_unstable();
        all.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
    }

    /// The queue for a packet at the head of a normal queue. `mirror` is that of the output that it waits for.
    #[inline]
    pub fn sort(
        &mut self,
        rules: &IsolationRules,
        packet: HeadPacket,
        mirror: &Mirror,
        effects: &mut Vec<Effect>,
    ) -> HeadDecision {
        if self.listed & trace(packet.destination) == 0 && !mirror.may_list(packet.destination) {
            return HeadDecision::Stay;
        }
        self.look_up(rules, packet, mirror, effects)
    }

    fn look_up(
        &mut self,
        rules: &IsolationRules,
        packet: HeadPacket,
        mirror: &Mirror,
        effects: &mut Vec<Effect>,
    ) -> HeadDecision {
        let HeadPacket { output, destination } = packet;
        let own = self.set_aside_lines().find(|(_, _, line)| line.destinations.contains(&destination));
        if let Some((number, queue, line)) = own {
            if line.next.is_none()
                && let Some(next) = mirror.listing(destination).next()
            {
                self.attach(number, next, mirror.hops(next), effects);
            }
            return HeadDecision::SetAside(queue);
        }
        let mut listed = false;
        for next in mirror.listing(destination) {
            listed = true;
            let attached = self.set_aside_lines().find(|(_, _, line)| line.output == output && line.next == Some(next));
            let Some((number, queue, _)) = attached else { continue };
            if self.list(rules, number, destination, effects) {
                return HeadDecision::SetAside(queue);
            }
        }
        let Some(next) = mirror.listing(destination).next() else { return HeadDecision::Stay };
        // If the list of an existing line is full, no second line is created.
        let known = self.set_aside_lines().any(|(_, _, line)| line.output == output && line.next == Some(next));
        if !known && let Some(queue) = self.allocate(output, mirror.hops(next).saturating_add(1), Some(next)) {
            let elsewhere: Vec<u32> = self.set_aside_lines().flat_map(|(_, _, l)| l.destinations.clone()).collect();
            let mut list = vec![destination];
            let others = mirror.destinations(next).iter().copied().filter(|d| *d != destination);
            list.extend(others.filter(|d| !elsewhere.contains(d)).take(usize::from(rules.destinations) - 1));
            self.listed |= traces(&list);
            if let Some(line) = self.line_mut(queue) {
                line.destinations = list;
            }
            return HeadDecision::SetAside(queue);
        }
        debug_assert!(listed);
        HeadDecision::NoQueue
    }

    /// From now on a line without a downstream line feeds this one: it is not a root after all.
    fn attach(&mut self, number: u8, next: u8, hops: u8, effects: &mut Vec<Effect>) {
        let Some(line) = &mut self.lines[usize::from(number)] else { return };
        line.next = Some(next);
        line.hops = hops.saturating_add(1);
        if std::mem::take(&mut line.congested) {
            effects.push(Effect::Calm(line.output));
        }
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

    /// The normal queue for `output` (or for all) has grown to `held` packets. `suspect` returns the packet to blame,
    /// and whether a line downstream lists its destination; `has_credit`, whether an output could send another packet.
    #[inline]
    pub fn normal_grew(
        &mut self,
        rules: &IsolationRules,
        held: u32,
        suspect: impl FnOnce(Suspect) -> (HeadPacket, bool),
        has_credit: impl FnOnce(u16) -> bool,
        effects: &mut Vec<Effect>,
    ) {
        if held <= rules.detect || (!rules.detect_above && held != rules.detect + 1) {
            return;
        }
        let (packet, downstream) = suspect(rules.suspect);
        if rules.local {
            let listed = self.set_aside_lines().any(|(_, _, line)| line.destinations.contains(&packet.destination));
            if !downstream && !listed && (!rules.needs_credit || has_credit(packet.output)) {
                self.declare_local(rules, packet, effects);
            }
            return;
        }
        match self.root(packet.output) {
            Some(number) => self.root_grew(rules, number, held, effects),
            None if !rules.needs_credit || has_credit(packet.output) => self.declare_root(rules, packet, effects),
            None => {}
        }
    }

    /// A root with a set-aside queue of its own.
    fn declare_local(&mut self, rules: &IsolationRules, packet: HeadPacket, effects: &mut Vec<Effect>) {
        let root = |line: &Line| line.output == packet.output && line.hops == 1 && line.next.is_none();
        let here = self.set_aside_lines().find(|(_, _, line)| root(line)).map(|(number, _, _)| number);
        match here {
            // A line with one destination represents that destination; one with several, the output.
            Some(number) if rules.destinations > 1 => {
                self.list(rules, number, packet.destination, effects);
            }
            _ => {
                if let Some(queue) = self.allocate(packet.output, 1, None)
                    && let Some(line) = self.line_mut(queue)
                {
                    line.destinations.push(packet.destination);
                    self.listed |= trace(packet.destination);
                }
            }
        }
    }

    /// A root that needs no queue besides its normal one.
    fn declare_root(&mut self, rules: &IsolationRules, packet: HeadPacket, effects: &mut Vec<Effect>) {
        let Some(number) = self.lines.iter().position(Option::is_none) else { return };
        let stops = rules.stop_at == StopAt::Allocation && rules.root_stops;
        self.lines[number] = Some(Line {
            output: packet.output,
            hops: 1,
            holder: Holder::Normal,
            next: None,
            destinations: vec![packet.destination],
            propagated: true,
            sent_stop: stops,
            congested: true,
            rearmed: false,
        });
        self.used += 1;
        self.roots |= trace(u32::from(packet.output));
        let line = number as u8;
        effects.push(Effect::Congested(packet.output));
        effects.push(Effect::Upstream(Notice::Allocate { line, hops: 1, destinations: vec![packet.destination] }));
        if stops {
            effects.push(Effect::Upstream(Notice::Stop { line }));
        }
    }

    fn root_grew(&mut self, rules: &IsolationRules, number: u8, held: u32, effects: &mut Vec<Effect>) {
        let Some(line) = &mut self.lines[usize::from(number)] else { return };
        if !line.congested && held > rules.high {
            line.congested = true;
            effects.push(Effect::Congested(line.output));
        }
        if rules.root_stops && may_stop(rules, line, held) {
            line.sent_stop = true;
            effects.push(Effect::Upstream(Notice::Stop { line: number }));
        }
    }

    /// The normal queue for an output has shrunk to `held` packets, by one that was `sent` or else set aside. Only for
    /// switches with a normal queue for each output.
    #[inline]
    pub fn normal_shrank(
        &mut self,
        rules: &IsolationRules,
        packet: HeadPacket,
        held: u32,
        sent: bool,
        effects: &mut Vec<Effect>,
    ) {
        let Some(number) = self.root(packet.output) else { return };
        let Some(line) = &mut self.lines[usize::from(number)] else { return };
        if line.congested && held <= rules.low {
            line.congested = false;
            effects.push(Effect::Calm(line.output));
        }
        let empty = held == 0 || (rules.root_release == RootRelease::Low && held <= rules.low);
        if empty {
            self.free(number, effects);
            return;
        }
        if held <= rules.go {
            line.rearmed = true;
            if std::mem::take(&mut line.sent_stop) {
                effects.push(Effect::Upstream(Notice::Go { line: number }));
            }
        }
        if sent && line.congested && !line.destinations.contains(&packet.destination) {
            self.list(rules, number, packet.destination, effects);
        }
    }

    /// A packet has joined a set-aside queue, which now holds this many.
    pub fn set_aside_grew(&mut self, rules: &IsolationRules, queue: u8, held: u32, effects: &mut Vec<Effect>) {
        let Some(number) = self.number_of(queue) else { return };
        let Some(line) = &mut self.lines[usize::from(number)] else { return };
        if line.hops == 1 && !line.congested && held > rules.high {
            line.congested = true;
            effects.push(Effect::Congested(line.output));
        }
        if !line.propagated {
            if held > rules.propagate {
                line.propagated = true;
                line.rearmed = false;
                let (hops, destinations) = (line.hops, line.destinations.clone());
                effects.push(Effect::Upstream(Notice::Allocate { line: number, hops, destinations }));
                if rules.stop_at == StopAt::Allocation {
                    line.sent_stop = true;
                    effects.push(Effect::Upstream(Notice::Stop { line: number }));
                }
            }
        } else if may_stop(rules, line, held) {
            line.sent_stop = true;
            effects.push(Effect::Upstream(Notice::Stop { line: number }));
        }
    }

    /// A packet has left a set-aside queue, which now holds this many. `stopped`: the downstream line is stopped.
    pub fn set_aside_shrank(
        &mut self,
        rules: &IsolationRules,
        queue: u8,
        held: u32,
        stopped: bool,
        effects: &mut Vec<Effect>,
    ) {
        let Some(number) = self.number_of(queue) else { return };
        let Some(line) = &mut self.lines[usize::from(number)] else { return };
        if line.congested && held <= rules.low {
            line.congested = false;
            effects.push(Effect::Calm(line.output));
        }
        if held == 0 && !(stopped && rules.kept_while_stopped) {
            self.free(number, effects);
        } else if held <= rules.go {
            line.rearmed = true;
            if std::mem::take(&mut line.sent_stop) {
                effects.push(Effect::Upstream(Notice::Go { line: number }));
            }
        }
    }

    /// A downstream line may be fed again: queues that were kept for it although `empty` are free.
    pub fn may_go(&mut self, output: u16, next: u8, empty: impl Fn(u8) -> bool, effects: &mut Vec<Effect>) {
        let fed = |line: &Line| line.output == output && line.next == Some(next);
        for queue in 0..self.queues_len {
            let Some(number) = self.number_of(queue) else { continue };
            if self.line_of(queue).is_some_and(fed) && empty(queue) {
                self.free(number, effects);
            }
        }
    }

    /// A downstream line is gone: a line that fed it continues by itself until its queue is empty.
    pub fn detach(&mut self, output: u16, next: u8, empty: impl Fn(u8) -> bool, effects: &mut Vec<Effect>) {
        self.may_go(output, next, empty, effects);
        let fed = |line: &&mut Line| line.output == output && line.next == Some(next);
        for line in self.lines.iter_mut().flatten().filter(fed) {
            line.next = None;
        }
    }

    /// Takes a set-aside queue and a line for it, if there are any.
    fn allocate(&mut self, output: u16, hops: u8, next: Option<u8>) -> Option<u8> {
        let queue = self.queues[..usize::from(self.queues_len)].iter().position(|number| *number == FREE)?;
        let number = self.lines.iter().position(Option::is_none)?;
        self.queues[queue] = number as u8;
        self.lines[number] = Some(Line {
            output,
            hops,
            holder: Holder::SetAside(queue as u8),
            next,
            destinations: Vec::new(),
            propagated: false,
            sent_stop: false,
            congested: false,
            rearmed: false,
        });
        self.used += 1;
        self.set_aside += 1;
        Some(queue as u8)
    }

    /// Releases a line with its queue, and notifies the neighbours that know it.
    fn free(&mut self, number: u8, effects: &mut Vec<Effect>) {
        let Some(line) = self.lines[usize::from(number)].take() else { return };
        self.used -= 1;
        if let Holder::SetAside(queue) = line.holder {
            self.queues[usize::from(queue)] = FREE;
            self.set_aside -= 1;
            self.listed = traces(self.set_aside_lines().flat_map(|(_, _, line)| &line.destinations));
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
    fn set_aside_lines(&self) -> impl Iterator<Item = (u8, u8, &Line)> {
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

/// Whether the queue of a line that is known upstream, with this many packets, stops the queue there now.
fn may_stop(rules: &IsolationRules, line: &Line, held: u32) -> bool {
    line.propagated && !line.sent_stop && held > rules.stop && (rules.stop_at != StopAt::NextCrossing || line.rearmed)
}
