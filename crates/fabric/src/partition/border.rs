//! The border of a part: which ports belong to others, and the mail for them.

use std::sync::Arc;

use congestree_units::Time;
use congestree_wire::{FlowId, HostId, PortId, QueueId};

use crate::partition::mail::{Credit, FrameAway, Letter, Mail};
use crate::switch::routes::path_choice::Came;

/// The border of a part.
#[derive(Debug)]
pub(crate) struct Border {
    /// The network is cut.
    cut: bool,
    /// Which part this is.
    pub part: u16,
    /// The part of every port; empty if the network is not cut.
    of_port: Arc<[u16]>,
    /// The ports of other parts, one bit each: small enough to be tested for every packet that starts. Empty if the
    /// network is not cut.
    away: Vec<u64>,
    /// Mail to be delivered after this window, by receiving part; empty if the network is not cut.
    pub(super) mails: Vec<Mail>,
    /// Some of these mails are not empty.
    pub(super) wrote: bool,
    /// The earliest instant at which any of it begins to matter.
    pub(super) due: Time,
    /// When all jobs had finished, as far as their ranks are in this part; kept if the run ends with its jobs.
    pub over_at: Time,
}

impl Default for Border {
    fn default() -> Self {
        let (due, over_at) = (Time::NEVER, Time::NEVER);
        Self {
            cut: false,
            part: 0,
            of_port: Arc::default(),
            away: Vec::new(),
            mails: Vec::new(),
            wrote: false,
            due,
            over_at,
        }
    }
}

impl Border {
    /// The border of one of `parts` parts.
    pub(super) fn new(part: u16, parts: u16, of_port: Arc<[u16]>) -> Self {
        let mails = (0..parts).map(|_| Mail::default()).collect();
        let others = |ports: &[u16]| (0..).zip(ports).map(|(bit, &of)| u64::from(of != part) << bit).sum();
        let away = of_port.chunks(64).map(others).collect();
        Self { cut: true, part, of_port, away, mails, ..Self::default() }
    }

    /// The network is cut.
    #[inline]
    pub(crate) fn cut(&self) -> bool {
        self.cut
    }

    /// Whether the network is cut and the port belongs to another part; false for `PortId::NONE`.
    #[inline(always)]
    pub(crate) fn is_away(&self, port: PortId) -> bool {
        self.cut && self.away.get(port.index() / 64).is_some_and(|ports| ports >> (port.0 % 64) & 1 != 0)
    }

    /// The mail for the part of a port; something in it begins to matter at `at`.
    #[inline(always)]
    pub(super) fn mail(&mut self, port: PortId, at: Time) -> &mut Mail {
        self.due = self.due.min(at);
        self.wrote = true;
        &mut self.mails[usize::from(self.of_port[port.index()])]
    }

    /// Gives room back to an output of another part.
    #[inline(never)]
    pub(crate) fn credit(&mut self, credit: Credit) {
        self.mail(credit.output, credit.at).credits.push(credit);
    }

    /// A frame is in flight on its link.
    pub(crate) fn frame(&mut self, frame: FrameAway) {
        self.mail(frame.input, frame.at).frames.push(frame);
    }

    /// A finite flow has finished at a host of this part.
    #[inline]
    pub(crate) fn finished(&mut self, flow: FlowId, at: Time, host: HostId) {
        if self.cut() {
            self.write(Letter::Finished { flow, at, host });
        }
    }

    /// Gives back room that a queue has for itself.
    #[cold]
    #[inline(never)]
    pub(crate) fn credit_of(&mut self, queue: QueueId, credit: Credit) {
        let mail = self.mail(credit.output, credit.at);
        mail.credits.push(credit);
        mail.credit_queues.push(queue);
    }

    /// A packet of a flow whose source port is in another part has come in here.
    pub(crate) fn came_in(&mut self, source: PortId, came: Came) {
        self.mail(source, Time::NEVER).came.push(came);
    }

    /// Writes a letter.
    #[cold]
    #[inline(never)]
    pub(crate) fn write(&mut self, letter: Letter) {
        match letter.port() {
            Some(port) => self.mail(port, letter.at()).letters.push(letter),
            None => {
                let others = (0..).zip(&mut self.mails).filter(|&(part, _)| part != self.part);
                others.for_each(|(_, mail)| mail.letters.push(letter.clone()));
                self.wrote = true;
            }
        }
    }
}
