//! When sources are told of marked packets. An answer may be for several packets; it says which of them was sent last.
//!
//! Answers are heard at the source, and packets are joined to answers at the destination, perhaps in another part of the
//! network. So both are kept until the end.

use std::collections::HashMap;

use congestree_units::Time;

use crate::SentPacket;

/// What sources were told, and which packets were answered together.
#[derive(Debug, Default)]
pub(super) struct Echoes {
    /// When the source was first told of a packet, by the answer to it or a notification.
    told: HashMap<SentPacket, Time>,
    /// By packet: the marked ones before it that have no answer of their own, but that to this one.
    with: HashMap<SentPacket, Vec<SentPacket>>,
    /// The same by marked packet, once everything is known.
    answer_of: HashMap<SentPacket, SentPacket>,
}

impl Echoes {
    /// A source was told of a packet.
    pub(super) fn told(&mut self, now: Time, packet: SentPacket) {
        self.told.entry(packet).or_insert(now);
    }

    /// The answer to the packet that started at `later` is also for this one.
    pub(super) fn answered_together(&mut self, packet: SentPacket, marked: bool, later: Time) {
        let mut group = self.with.remove(&packet).unwrap_or_default();
        if marked {
            group.push(packet);
        }
        if !group.is_empty() {
            self.with.insert(SentPacket { injected: later, ..packet }, group);
        }
    }

    /// Adds what is known in a part of the network.
    pub(super) fn take_in(&mut self, part: Self) {
        self.told.extend(part.told);
        self.with.extend(part.with);
    }

    /// When the source was told of a packet, if it was.
    pub(super) fn of(&mut self, packet: SentPacket) -> Option<Time> {
        for (last, group) in self.with.drain() {
            self.answer_of.extend(group.into_iter().map(|one| (one, last)));
        }
        self.told.get(self.answer_of.get(&packet).unwrap_or(&packet)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(injected: u64) -> SentPacket {
        SentPacket { flow: 7, injected: Time(injected) }
    }

    #[test]
    fn an_answer_tells_of_all_marked_packets_that_it_is_for() {
        let (mut source, mut destination) = (Echoes::default(), Echoes::default());
        for (earlier, later) in [(1, 2), (2, 3), (3, 4)] {
            destination.answered_together(packet(earlier), earlier != 2, Time(later));
        }
        source.told(Time(50), packet(4));
        source.told(Time(60), packet(4));
        source.take_in(destination);
        let told = [1, 2, 3, 4, 5].map(|number| source.of(packet(number)));
        assert_eq!(told, [Some(Time(50)), None, Some(Time(50)), Some(Time(50)), None]);
    }

    #[test]
    fn what_a_source_is_told_of_one_packet_is_not_about_another() {
        let mut echoes = Echoes::default();
        echoes.told(Time(50), packet(1));
        echoes.told(Time(60), SentPacket { flow: 8, ..packet(2) });
        assert_eq!([1, 2].map(|number| echoes.of(packet(number))), [Some(Time(50)), None]);
    }
}
