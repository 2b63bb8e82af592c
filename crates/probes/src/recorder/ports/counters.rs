//! Counters by port and lane, under the names that operators of InfiniBand fabrics know.

use congestree_units::{Span, Time};

use crate::built_in::{BuiltIn, NetworkSize};
use crate::{Column, MeasurementWindow, Names, Probe, Sending, Table};

/// The meanings of two columns.
const FECN: &str = "marked data packets that were sent to this port, those that their link lost included";
const BECN: &str =
    "CNPs, and ACKs that return a mark, that were sent to this port, those that their link lost included";

/// All counters.
#[derive(Debug)]
pub(crate) struct Counters {
    window: MeasurementWindow,
    /// The warm-up is over. Within its last instant, some packets start before that and some after.
    warm: bool,
    lanes: usize,
    /// By port that sends, and lane.
    sent: Vec<Sent>,
    /// By port that receives, and lane.
    received: Vec<Received>,
}

/// What a port and lane has sent, and for how long it could not send.
#[derive(Clone, Copy, Debug)]
struct Sent {
    packets: u64,
    bytes: u64,
    wait: Span,
    /// Since when it has waited for credit; never if it does not wait.
    waits_since: Time,
    congested: Span,
    /// Since when it has been in the congestion state; never if it is not.
    congested_since: Time,
}

/// Which notices a port and lane has received.
#[derive(Clone, Copy, Debug, Default)]
struct Received {
    fecn: u64,
    becn: u64,
}

impl BuiltIn for Counters {
    fn new(window: MeasurementWindow, size: NetworkSize) -> Self {
        let nothing = Sent {
            packets: 0,
            bytes: 0,
            wait: Span::ZERO,
            waits_since: Time::NEVER,
            congested: Span::ZERO,
            congested_since: Time::NEVER,
        };
        let count = size.ports * size.lanes;
        Self {
            window,
            warm: window.warm_up == Time::START,
            lanes: size.lanes,
            sent: vec![nothing; count],
            received: vec![Received::default(); count],
        }
    }

    /// What has come in at a port is counted in the part that sent it.
    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        for (sum, sent) in self.sent.iter_mut().zip(&part.sent) {
            sum.packets += sent.packets;
            sum.bytes += sent.bytes;
            sum.wait = sum.wait + sent.wait;
            sum.waits_since = sum.waits_since.min(sent.waits_since);
            sum.congested = sum.congested + sent.congested;
            sum.congested_since = sum.congested_since.min(sent.congested_since);
        }
        for (sum, received) in self.received.iter_mut().zip(&part.received) {
            sum.fecn += received.fecn;
            sum.becn += received.becn;
        }
    }
}

impl Counters {
    fn place(&self, port: u32, lane: u8) -> usize {
        port as usize * self.lanes + usize::from(lane)
    }

    /// The part of a period that lies after the warm-up.
    fn counted(&self, from: Time, to: Time) -> Span {
        to.since(from.max(self.window.warm_up))
    }
}

impl Probe for Counters {
    fn warmed_up(&mut self) {
        self.warm = true;
    }

    #[inline]
    fn sent(&mut self, sending: Sending) {
        let (place, peer) = (self.place(sending.port, sending.lane), self.place(sending.peer, sending.lane));
        let since = std::mem::replace(&mut self.sent[place].waits_since, Time::NEVER);
        if since != Time::NEVER {
            let waited = self.counted(since, sending.at);
            self.sent[place].wait = self.sent[place].wait + waited;
        }
        if self.warm {
            self.sent[place].packets += 1;
            self.sent[place].bytes += u64::from(sending.size);
            self.received[peer].fecn += u64::from(sending.fecn);
            self.received[peer].becn += u64::from(sending.becn);
        }
    }

    /// The lane has a packet and no credit for it.
    #[inline]
    fn waits(&mut self, now: Time, port: u32, lane: u8) {
        let place = self.place(port, lane);
        let since = &mut self.sent[place].waits_since;
        *since = (*since).min(now);
    }

    /// Flow control held the port while a packet waited: with a single lane, this is the time that the lane waited.
    #[inline]
    fn blocked(&mut self, port: u32, from: Time, to: Time) {
        if self.lanes == 1 {
            let waited = self.counted(from, to);
            let sent = &mut self.sent[port as usize];
            sent.wait = sent.wait + waited;
        }
    }

    fn congestion(&mut self, now: Time, port: u32, lane: u8, entered: bool, _credit: f64) {
        let place = self.place(port, lane);
        if entered {
            self.sent[place].congested_since = now;
        } else {
            let since = std::mem::replace(&mut self.sent[place].congested_since, Time::NEVER);
            let congested = self.counted(since, now);
            self.sent[place].congested = self.sent[place].congested + congested;
        }
    }

    fn finish(&mut self, end: Time) {
        let warm_up = self.window.warm_up;
        for sent in &mut self.sent {
            let since = |since: Time| if since == Time::NEVER { Span::ZERO } else { end.since(since.max(warm_up)) };
            sent.wait = sent.wait + since(sent.waits_since);
            sent.congested = sent.congested + since(sent.congested_since);
        }
    }

    fn tables(&mut self, names: &Names) -> Vec<Table> {
        let count = self.sent.len();
        let port = |place: usize| place / self.lanes;
        let sent = |pick: fn(&Sent) -> u64| self.sent.iter().map(pick).collect::<Vec<u64>>();
        let seconds = |pick: fn(&Sent) -> Span| self.sent.iter().map(|s| pick(s).as_secs()).collect::<Vec<f64>>();
        let received = |pick: fn(&Received) -> u64| self.received.iter().map(pick).collect::<Vec<u64>>();
        vec![Table {
            name: "counters",
            columns: vec![
                Column::new("port", "", "port id", (0..count).map(|p| port(p) as u32).collect::<Vec<u32>>()),
                Column::new(
                    "name",
                    "",
                    "node of the port->node at the other end; parallel links share it: port tells them apart",
                    (0..count).map(|p| names.ports[port(p)].clone()).collect::<Vec<String>>(),
                ),
                Column::new(
                    "lane",
                    "",
                    "virtual lane",
                    (0..count).map(|p| (p % self.lanes) as u32).collect::<Vec<u32>>(),
                ),
                Column::new(
                    "PortXmitPkts",
                    "",
                    "packets started after the warm-up, control packets included",
                    sent(|s| s.packets),
                ),
                Column::new(
                    "PortXmitData",
                    "4 B",
                    "bytes of these packets, in words of 4 bytes",
                    sent(|s| s.bytes / 4),
                ),
                Column::new(
                    "PortXmitWait",
                    "s",
                    "time after the warm-up with a packet to send and no credit for it (with several lanes: until the lane's \
                     next packet starts)",
                    seconds(|s| s.wait),
                ),
                Column::new(
                    "PortXmitTimeCong",
                    "s",
                    "time after the warm-up in the congestion state",
                    seconds(|s| s.congested),
                ),
                Column::new("PortRcvFECN", "", FECN, received(|r| r.fecn)),
                Column::new("PortRcvBECN", "", BECN, received(|r| r.becn)),
            ],
        }]
    }
}
