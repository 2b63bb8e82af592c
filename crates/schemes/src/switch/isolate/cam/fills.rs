//! Queues that grow and shrink: roots are declared and calm down, lines are made known upstream, stopped, released and
//! freed.

use super::super::{Effect, IsolationRules, Notice, RootRelease, StopAt, Suspect, trace};
use super::{Cam, HeadPacket, Holder, Line};

impl Cam {
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
            let listed = self.isolated_lines().any(|(_, _, line)| line.destinations.contains(&packet.destination));
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
        let here = self.isolated_lines().find(|(_, _, line)| root(line)).map(|(number, _, _)| number);
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
            destinations: vec![packet.destination],
            propagated: true,
            sent_stop: stops,
            congested: true,
            ..Line::new(packet.output, 1, Holder::Normal, None)
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
        line.count_above(rules, held, effects);
        if rules.root_stops && line.may_stop(rules, held) {
            line.stop(number, effects);
        }
    }

    /// The normal queue for an output has shrunk to `held` packets, by one that was `sent` or else isolated. Only for
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
        if held <= rules.low {
            line.calm(effects);
        }
        let empty = held == 0 || (rules.root_release == RootRelease::Low && held <= rules.low);
        if empty {
            self.free(number, effects);
            return;
        }
        if held <= rules.go {
            line.rearm(number, effects);
        }
        if sent && line.congested && !line.destinations.contains(&packet.destination) {
            self.list(rules, number, packet.destination, effects);
        }
    }

    /// A packet has joined a set-aside queue, which now holds this many.
    pub fn isolated_queue_grew(&mut self, rules: &IsolationRules, queue: u8, held: u32, effects: &mut Vec<Effect>) {
        let Some(number) = self.number_of(queue) else { return };
        let Some(line) = &mut self.lines[usize::from(number)] else { return };
        if line.hops == 1 {
            line.count_above(rules, held, effects);
        }
        if !line.propagated {
            if held > rules.propagate {
                line.propagated = true;
                line.rearmed = false;
                let (hops, destinations) = (line.hops, line.destinations.clone());
                effects.push(Effect::Upstream(Notice::Allocate { line: number, hops, destinations }));
                if rules.stop_at == StopAt::Allocation {
                    line.stop(number, effects);
                }
            }
        } else if line.may_stop(rules, held) {
            line.stop(number, effects);
        }
    }

    /// A packet has left a set-aside queue, which now holds this many. `stopped`: the downstream line is stopped.
    pub fn isolated_queue_shrank(
        &mut self,
        rules: &IsolationRules,
        queue: u8,
        held: u32,
        stopped: bool,
        effects: &mut Vec<Effect>,
    ) {
        let Some(number) = self.number_of(queue) else { return };
        let Some(line) = &mut self.lines[usize::from(number)] else { return };
        if held <= rules.low {
            line.calm(effects);
        }
        if held == 0 && !(stopped && rules.kept_while_stopped) {
            self.free(number, effects);
        } else if held <= rules.go {
            line.rearm(number, effects);
        }
    }

    /// The neighbour behind `output` has sent a notice about one of its lines: what that changes for the lines that feed
    /// it. (After an allocation packets may have to be isolated that had not before: [`Cam::sort`] says which.)
    pub fn hear(&mut self, output: u16, notice: &Notice, empty: impl Fn(u8) -> bool, effects: &mut Vec<Effect>) {
        match *notice {
            Notice::Go { line } => self.may_go(output, line, empty, effects),
            Notice::Release { line } => self.detach(output, line, empty, effects),
            Notice::Allocate { .. } | Notice::Stop { .. } => {}
        }
    }

    /// A downstream line may be fed again: queues that were kept for it although `empty` are free.
    fn may_go(&mut self, output: u16, next: u8, empty: impl Fn(u8) -> bool, effects: &mut Vec<Effect>) {
        let fed = |line: &Line| line.output == output && line.next == Some(next);
        for queue in 0..self.queues_len {
            let Some(number) = self.number_of(queue) else { continue };
            if self.line_of(queue).is_some_and(fed) && empty(queue) {
                self.free(number, effects);
            }
        }
    }

    /// A downstream line is gone: a line that fed it continues by itself until its queue is empty.
    fn detach(&mut self, output: u16, next: u8, empty: impl Fn(u8) -> bool, effects: &mut Vec<Effect>) {
        self.may_go(output, next, empty, effects);
        let fed = |line: &&mut Line| line.output == output && line.next == Some(next);
        for line in self.lines.iter_mut().flatten().filter(fed) {
            line.next = None;
        }
    }
}
