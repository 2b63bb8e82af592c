//! Queues of the inputs, and the lists in which they request outputs.

use std::ops::Range;

use congestree_units::Time;
use congestree_wire::{HostId, IndexVec, PortId, QueueId, SwitchId};

use crate::link::port::{In, Out};
use crate::plan::{Plan, QueueMap};
use crate::switch::queues::list::List;

/// A queue of an input. Two fit a cache line and none straddles two, so that an access costs at most one cache miss.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct InputQueue {
    /// Its packets. They are here and not in the table of all queues, because code that reads the head also reads the
    /// rest (ADR 13).
    pub list: List,
    /// The queue is being read until then.
    pub busy_until: Time,
    /// Packets in it.
    pub packets: u32,
    /// The queues before and behind it in the list of those that request the same output.
    pub(super) previous: u16,
    pub(super) next: u16,
    /// The list of queues that request its output, if there is a queue for each output. It is kept here because code
    /// that needs the queue needs the list too.
    pub(super) requesters: RequestList,
    /// The output that its head requests, counted from the first of the switch, or `NONE`.
    pub(super) requested: u16,
    /// Its lane.
    pub lane: u8,
    /// Its head may not request its output.
    pub stopped: bool,
}

/// No output is requested, or there is no queue. Queues in lists of requests are counted from the first of their
/// input.
pub(super) const NONE: u16 = u16::MAX;

/// The queues of one input that request one output, in one lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestList {
    pub(super) first: u16,
    pub(super) last: u16,
}

impl RequestList {
    pub(super) const EMPTY: RequestList = RequestList { first: NONE, last: NONE };
}

/// Where the list of an input's queues that request an output is kept.
pub(super) enum RequestListAt {
    /// In the queue for that output.
    Queue(QueueId),
    /// In the table of lists, where there is no such queue.
    Own(usize),
}

/// All input queues, where inputs have more than one for each output or a single one.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// Which queue a packet joins.
    pub map: QueueMap,
    /// Number of set-aside queues of every input.
    pub isolated_per_input: u32,
    /// Number of hosts in the network.
    pub(super) hosts: u32,
    pub(super) lanes: u32,
    /// By port: the first of the queues that packets join on arrival. The set-aside queues come before it.
    pub(super) first: IndexVec<PortId, QueueId>,
    pub queues: IndexVec<QueueId, InputQueue>,
    /// By queue: its input; `PortId::NONE` for a destination to which nobody sends over this link.
    pub(super) owners: IndexVec<QueueId, PortId>,
    /// By input, lane and local output, unless there is a queue for each output.
    pub(super) request_lists: Vec<RequestList>,
    /// The largest number of ports of any switch.
    pub(super) radix: usize,
}

impl InputQueue {
    /// This queue with its packets in another list.
    pub(crate) fn with(self, list: List) -> Self {
        Self { list, ..self }
    }

    /// An empty queue of a lane.
    fn of(lane: u8) -> Self {
        InputQueue {
            list: List::EMPTY,
            busy_until: Time::START,
            previous: NONE,
            next: NONE,
            requesters: RequestList::EMPTY,
            packets: 0,
            requested: NONE,
            lane,
            stopped: false,
        }
    }
}

impl Inputs {
    pub(crate) fn new(plan: &Plan, outs: &IndexVec<PortId, Out>, ins: &IndexVec<PortId, In>) -> Self {
        if !plan.has_input_queues() {
            return Self::default();
        }
        let map = plan.switch.queues;
        let (hosts, lanes) = (plan.graph.hosts.len() as u32, u32::from(plan.lanes));
        let isolated_per_input = u32::from(plan.isolated_queues());
        let radix = outs.iter().map(|out| usize::from(out.radix)).max().unwrap_or(1);
        let mut inputs = Self { map, isolated_per_input, hosts, lanes, radix, ..Self::default() };
        match map {
            QueueMap::PerDestination => inputs.add_by_destination(plan, ins),
            _ => ins.with_ids().for_each(|(port, side)| inputs.add_queues(port, side.radix)),
        }
        let lists = if map.is_by_output() { 0 } else { outs.len() * lanes as usize * radix };
        inputs.request_lists = vec![RequestList::EMPTY; lists];
        inputs
    }

    /// Gives every input of a switch its set-aside queues and, behind them, the queues of each lane.
    fn add_queues(&mut self, port: PortId, radix: u16) {
        let of_switch = port.0 >= self.hosts;
        let (isolated, each) = if of_switch { (self.isolated_per_input, self.map.queues(radix)) } else { (0, 0) };
        self.queues.extend((0..isolated).map(|_| InputQueue::of(0)));
        self.first.push(QueueId::from_index(self.queues.len()));
        for lane in 0..self.lanes {
            self.queues.extend((0..each).map(|_| InputQueue::of(lane as u8)));
        }
        self.owners.resize(self.queues.len(), port);
    }

    /// Gives every node a queue for each lane and destination, behind the one link over which it forwards to that
    /// destination. So a sender finds the queue at the far end by its own number.
    fn add_by_destination(&mut self, plan: &Plan, ins: &IndexVec<PortId, In>) {
        let (hosts, lanes) = (self.hosts, self.lanes);
        let nodes = hosts + plan.graph.switches.len() as u32;
        self.queues = vec![InputQueue::of(0); (nodes * hosts * lanes) as usize].into();
        self.owners = vec![PortId::NONE; self.queues.len()].into();
        for (port, side) in ins.with_ids() {
            let (sender, switch) = (side.sender, ins[side.sender].switch);
            let is_of_host = switch == SwitchId::NONE;
            let node = if is_of_host { sender.0 } else { hosts + switch.0 };
            let first = QueueId(node * hosts * lanes);
            self.first.push(first);
            if port.0 < hosts {
                continue;
            }
            let base = ins[sender].base;
            let comes_here = |host: &u32| is_of_host || base + u32::from(plan.routes.port(switch.0, *host)) == sender;
            for destination in (0..hosts).filter(comes_here) {
                for lane in 0..lanes {
                    let queue = first + lane * hosts + destination;
                    (self.queues[queue], self.owners[queue]) = (InputQueue::of(lane as u8), port);
                }
            }
        }
    }

    /// Where the list of an input's queues that request an output is kept, in a switch with `radix` ports.
    #[inline(always)]
    pub(super) fn request_list_at(
        &self,
        map: QueueMap,
        input: PortId,
        lane: u8,
        output: u16,
        radix: u16,
    ) -> RequestListAt {
        if map.is_by_output() {
            return RequestListAt::Queue(
                self.first[input] + map.number(lane, || output, HostId::NONE, radix, self.hosts),
            );
        }
        let by_lane = input.index() * self.lanes as usize + usize::from(lane);
        RequestListAt::Own(by_lane * self.radix + usize::from(output))
    }

    /// All queues with their inputs.
    pub(crate) fn with_owners(&self) -> impl Iterator<Item = (PortId, QueueId, &InputQueue)> {
        self.queues.with_ids().map(|(queue, state)| (self.owners[queue], queue, state))
    }

    /// The input of a queue; `PortId::NONE` for a destination to which nobody sends over this link.
    pub(crate) fn owner(&self, queue: QueueId) -> PortId {
        self.owners[queue]
    }

    /// The set-aside queues at an input of a switch.
    #[inline]
    pub(crate) fn isolated_queues(&self, input: PortId) -> Range<QueueId> {
        let first = self.first[input];
        first - self.isolated_per_input..first
    }

    /// The queues of an input, the set-aside ones included. Slow with a queue for each destination.
    pub(crate) fn of_input(&self, input: PortId) -> impl Iterator<Item = QueueId> + '_ {
        let first = self.first[input];
        let end = match self.map {
            QueueMap::PerDestination => first + self.hosts * self.lanes,
            _ => self.first.get(input + 1).copied().unwrap_or(QueueId::from_index(self.queues.len())),
        };
        let here = move |&queue: &QueueId| self.owners[queue] == input;
        QueueId::each(first - self.isolated_per_input..end).filter(here)
    }
}
