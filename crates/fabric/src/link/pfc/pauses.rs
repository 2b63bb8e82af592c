//! Which ports and priorities are paused, and what each input holds.

use std::collections::VecDeque;

use congestree_units::{Span, Time};
use congestree_wire::{HostId, IndexVec, PortId, SwitchId};

use crate::link::pfc::accounts::{Account, AtPort, Own, SharedMemory};
use crate::link::pfc::headroom::{loops, shared_sizes};
use crate::link::port::In;
use crate::plan::{PauseWatchdog, Plan};

/// The quanta of a pause that lasts until a frame ends it.
pub(super) const UNTIL_TOLD: u32 = u32::MAX;

/// Bytes with the transmission time of one quantum: 512 bits.
pub(super) const QUANTUM: u64 = 64;

/// Memory and pauses of all ports. Empty where links use credits.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    pub(super) frame: u32,
    pub(super) response: Span,
    pub(super) quanta: Option<u32>,
    pub(super) stop_at_loss: bool,
    pub watchdog: Option<PauseWatchdog>,
    /// By lane.
    pub(super) lossless: Vec<bool>,
    /// Accounts are by queue. Those of hosts come first, and are always by port and lane.
    pub(super) per_queue: bool,
    /// By input port and lane, or by queue.
    pub accounts: Vec<Account>,
    /// Shared memory, by switch.
    pub pools: IndexVec<SwitchId, SharedMemory>,
    /// What each input port may use of its switch's shared memory.
    pub(super) shares: IndexVec<PortId, AtPort>,
    /// Inputs, lanes and accounts that ask for a pause and have given back room since it was last checked whether the
    /// pause ends.
    pub(super) may_end: Vec<(PortId, u8, usize)>,
    /// By input port and lane: how many accounts (and storms) ask for a pause.
    pub(super) asking: Vec<u16>,
    /// By input port and lane: when a pause is sent again.
    pub(super) refresh_at: Vec<Time>,
    /// Packets in the receive buffer of a host: lane and bytes.
    pub drains: IndexVec<HostId, VecDeque<(u8, u32)>>,
    /// The sending side, by port and lane.
    pub held: Vec<PausedLane>,
    /// The loss that ended the run.
    pub loss: Option<LosslessDrop>,
}

/// A lane at the sending side of a link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PausedLane {
    /// Since when it is paused; never if it is not.
    pub since: Time,
    /// When the pause ends by itself.
    pub(super) until: Time,
    /// The receiver asks for a pause, as far as the sender knows.
    pub asserted: bool,
    /// The watchdog has stepped in.
    pub ignored: bool,
    /// When the watchdog checks next.
    pub check_at: Time,
}

impl PausedLane {
    /// A lane that is not paused.
    const FREE: Self =
        Self { since: Time::NEVER, until: Time::NEVER, asserted: false, ignored: false, check_at: Time::NEVER };
}

/// A packet that found no room in a lossless lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LosslessDrop {
    /// The port that received it.
    pub input: PortId,
    /// Its lane.
    pub lane: u8,
    /// Its size.
    pub size: u32,
    /// What its account held (bytes).
    pub held: u64,
}

impl Pauses {
    pub(crate) fn new(plan: &Plan, ins: &IndexVec<PortId, In>, queues: usize) -> Self {
        let Some(pfc) = &plan.pfc else { return Self::default() };
        let (ports, lanes, hosts) = (ins.len(), usize::from(plan.lanes), plan.graph.hosts.len());
        let loops = loops(plan);
        let buffer = |port: usize, lane: usize| match (port < hosts, plan.adapter.receive_units) {
            (true, Some(room)) => u64::from(room),
            (true, None) => u64::MAX,
            (false, _) => u64::from(plan.switch.buffer_units[lane]),
        };
        // A headroom that does not fit was refused earlier. A run that goes on in spite of that pauses from the first
        // byte on.
        let own = |port: usize, lane: usize| {
            if let Some(shared) = plan.switch.shared_memory.filter(|_| port >= hosts) {
                return Own::reserved(shared.reserved.0);
            }
            let room = buffer(port, lane);
            Own::of(plan, room, pfc.lossless[lane], &loops[port], port < hosts).unwrap_or(Own { room, xoff: 0, xon: 0 })
        };
        let share = |port: usize| AtPort {
            headroom: plan.switch.shared_memory.map_or(0, |shared| shared.headroom.of(&loops[port])),
            alpha: pfc.threshold.alpha(loops[port].rate),
        };
        let pools = plan.switch.shared_memory.map_or(IndexVec::default(), |shared| {
            let sizes = shared_sizes(plan);
            sizes.into_iter().map(|size| SharedMemory::new(size.unwrap_or(0), &shared, pfc.threshold)).collect()
        });
        let own_ports = if pfc.per_queue { hosts } else { ports };
        let own_places = (0..own_ports * lanes).map(|place| own(place / lanes, place % lanes));
        let mut accounts: Vec<Account> = own_places.map(Account::of).collect();
        if pfc.per_queue {
            accounts.resize(hosts * lanes + queues, Account::default());
            for (port, side) in ins.iter().enumerate().skip(hosts) {
                let radix = usize::from(side.radix);
                for lane in 0..lanes {
                    let first = hosts * lanes + side.queues.index() + lane * radix;
                    accounts[first..first + radix].fill(Account::of(own(port, lane)));
                }
            }
        }
        Self {
            frame: pfc.frame.0 as u32,
            response: pfc.response,
            quanta: pfc.quanta,
            stop_at_loss: pfc.stop_at_loss,
            watchdog: pfc.watchdog,
            lossless: pfc.lossless.clone(),
            per_queue: pfc.per_queue,
            accounts,
            pools,
            shares: (0..ports).map(share).collect(),
            may_end: Vec::new(),
            asking: vec![0; ports * lanes],
            refresh_at: vec![Time::NEVER; ports * lanes],
            drains: vec![VecDeque::new(); hosts].into(),
            held: vec![PausedLane::FREE; ports * lanes],
            loss: None,
        }
    }
}

impl Pauses {
    /// Merges what a part of the network counts at its own ports.
    pub(crate) fn take_from(
        &mut self,
        part: &Pauses,
        ins: &IndexVec<PortId, In>,
        lanes: usize,
        owns: impl Fn(PortId) -> bool,
    ) {
        for (id, side) in ins.with_ids().filter(|(id, _)| owns(*id)) {
            let port = id.index();
            for place in port * lanes..(port + 1) * lanes {
                self.asking[place] = part.asking[place];
                if !self.per_queue || port < self.drains.len() {
                    self.accounts[place] = part.accounts[place];
                }
            }
            match self.drains.get_mut(id.host()) {
                Some(drains) => drains.clone_from(&part.drains[id.host()]),
                None if self.per_queue => {
                    let first = self.drains.len() * lanes + side.queues.index();
                    let queues = first..first + lanes * usize::from(side.radix);
                    self.accounts[queues.clone()].clone_from_slice(&part.accounts[queues]);
                }
                None => {}
            }
            if let Some(pool) = self.pools.get_mut(side.switch) {
                pool.clone_from(&part.pools[side.switch]);
            }
        }
    }
}
