//! Work conservation at one switch: every port that can send does.
//!
//! With all packets of one size, deliveries show when every packet was injected, could be routed, started and left, and
//! when its room and its read port were free again. So every reason to be idle can be checked without asking the
//! engine: an output is idle only if no packet that waits for it can be read, or its receiver has no room; a host is
//! idle only if it has nothing to send or the buffer before it has no room.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::table::{deliveries, numbers, texts};
use crate::{cases, peaceful};

const SIZE: u64 = 1000;
const DELAY: u64 = 7_000;
const FORWARDING: u64 = 50_000;

/// A switch with a host per entry of `rates`, in Gbit/s.
#[derive(Clone, Debug)]
struct Setup {
    rates: Vec<u64>,
    room: usize,
    credit_delay: u64,
    /// Room at the hosts in packets, and the rate in Mbit/s at which they empty it.
    receive: Option<(usize, u64)>,
    single: bool,
    reads: Option<usize>,
    fifo: bool,
    cut_through: bool,
    /// For each host its flows: how many hosts further on, and the interval of messages in ns (none: all the time).
    flows: Vec<BTreeMap<usize, Option<u64>>>,
}

fn setups() -> impl Strategy<Value = Setup> {
    (2..=6usize).prop_flat_map(|hosts| {
        let flows =
            prop::collection::btree_map(1..hosts, prop::option::weighted(0.4, 300..2500u64), 1..=3.min(hosts - 1));
        (
            prop_oneof![Just(vec![8; hosts]), prop::collection::vec(select(vec![4u64, 8, 16, 10]), hosts)],
            select(vec![1usize, 2, 4, 9]),
            select(vec![0u64, 20_000, 2_000_000]),
            prop::option::of((1..4usize, select(vec![8000u64, 3000, 500]))),
            prop_oneof![Just((true, Some(1))), select(vec![Some(1), Some(2), None]).prop_map(|reads| (false, reads))],
            any::<(bool, bool)>(),
            prop::collection::vec(flows, hosts),
        )
            .prop_map(|(rates, room, credit_delay, receive, (single, reads), (fifo, cut_through), flows)| {
                Setup { rates, room, credit_delay, receive, single, reads, fifo, cut_through, flows }
            })
    })
}

impl Setup {
    fn scenario(&self) -> Value {
        let hosts: Vec<String> = (0..self.rates.len()).map(|host| format!("h{host}")).collect();
        let links = self.rates.iter().zip(&hosts);
        let links: Vec<Value> =
            links.map(|(rate, host)| json!({"a": host, "b": "S", "rate": format!("{rate} Gbit/s")})).collect();
        let flows = self.flows.iter().enumerate().flat_map(|(from, flows)| flows.iter().map(move |flow| (from, flow)));
        let traffic = flows.map(|(from, (ahead, &every))| {
            let arrivals = match every {
                Some(every) => json!({"messages": {"count": 40, "every": format!("{every} ns")}}),
                None => json!("greedy"),
            };
            let to = &hosts[(from + ahead) % hosts.len()];
            let mut entry = json!({"from": hosts[from], "to": to, "arrivals": arrivals});
            if every.is_none() {
                entry["stop"] = json!("60 us");
            }
            entry
        });
        let traffic: Vec<Value> = traffic.collect();
        let mut adapters = json!({"mtu": "980 B", "header": "20 B"});
        if let Some((room, drain)) = self.receive {
            adapters["receive_buffer"] = json!(format!("{room} packets"));
            adapters["drain_rate"] = json!(format!("{drain} Mbit/s"));
        }
        json!({
            "topology": {"graph": {"hosts": hosts, "switches": ["S"], "links": links}},
            "links": {
                "rate": "8 Gbit/s",
                "delay": format!("{DELAY} ps"),
                "flow_control": {"packet-slots": {"credit_delay": format!("{} ps", self.credit_delay)}},
            },
            "switches": {
                "buffer": format!("{} packets", self.room),
                "queues": if self.single { "single" } else { "voq" },
                "read_ports": self.reads.map_or(json!("all"), |reads| json!(reads)),
                "arbiter": if self.fifo { "fifo" } else { "round-robin" },
                "switching": if self.cut_through { "cut-through" } else { "store-and-forward" },
                "forwarding_delay": format!("{FORWARDING} ps"),
            },
            "adapters": adapters,
            "traffic": traffic,
            "measure": {"duration": "1 s", "audit": true},
        })
    }

    /// Time of a packet on the link of a host, in picoseconds.
    fn time(&self, host: usize) -> u64 {
        (SIZE * 8 * 1000).div_ceil(self.rates[host])
    }
}

/// The life of a packet at the switch; times in picoseconds.
#[derive(Clone, Copy, Debug)]
struct Life {
    from: usize,
    to: usize,
    /// It could be injected, as far as its flow is concerned.
    created: u64,
    injected: u64,
    /// It could be routed.
    ready: u64,
    /// Its head began to leave, and its tail had left.
    start: u64,
    left: u64,
    /// Its room in the buffer of the input could be used by the host again.
    room_back: u64,
    /// Its room at the receiver could be used by the output again.
    drained: u64,
}

/// Every packet's life, in the order of delivery.
fn lives(setup: &Setup) -> Vec<Life> {
    let outcome = peaceful(&setup.scenario());
    assert_eq!(numbers(&outcome, "flows", "sent"), numbers(&outcome, "flows", "packets"), "all has arrived");
    let host = |name: &String| name[1..].parse::<usize>().expect("hosts are numbered");
    let from: Vec<usize> = texts(&outcome, "flows", "source").iter().map(host).collect();
    let to: Vec<usize> = texts(&outcome, "flows", "destination").iter().map(host).collect();
    let every: Vec<Option<u64>> = setup.flows.iter().flat_map(|flows| flows.values().copied()).collect();
    let mut drained = vec![0; setup.rates.len()];
    let each = deliveries(&outcome).into_iter().map(|packet| {
        let (from, to) = (from[packet.flow as usize], to[packet.flow as usize]);
        let (time_in, time_out) = (setup.time(from), setup.time(to));
        let held_up = if setup.cut_through { time_in.saturating_sub(time_out) } else { time_in };
        let left = packet.time - DELAY;
        if let Some((_, rate)) = setup.receive {
            drained[to] = packet.time.max(drained[to]) + (SIZE * 8 * 1_000_000).div_ceil(rate);
        }
        Life {
            from,
            to,
            created: if every[packet.flow as usize].is_some() { packet.created } else { 0 },
            injected: packet.injected,
            ready: packet.injected + DELAY + FORWARDING + held_up,
            start: left - time_out,
            left,
            room_back: left + setup.credit_delay,
            drained: drained[to] + setup.credit_delay,
        }
    });
    each.collect()
}

/// The reason why packet `p` does not start at `now`, if there is one.
fn excuse(setup: &Setup, lives: &[Life], p: &Life, now: u64) -> Option<&'static str> {
    let (mut reading, mut unread, mut held) = (0, 0, 0);
    for q in lives {
        if q.start <= now && now < q.left {
            if q.to == p.to {
                return Some("its output is sending");
            }
            reading += usize::from(q.from == p.from);
        }
        unread += usize::from(q.from == p.from && q.injected < p.injected && q.start > now);
        held += usize::from(q.to == p.to && q.start <= now && now < q.drained);
    }
    if setup.reads.is_some_and(|reads| reading >= reads) {
        return Some("its input is being read");
    }
    if setup.single && unread > 0 {
        return Some("it is not at the head of the only queue of its input");
    }
    if setup.receive.is_some_and(|(room, _)| held >= room) {
        return Some("its receiver has no room");
    }
    None
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn an_output_is_idle_only_if_nothing_can_go(setup in setups()) {
        let lives = lives(&setup);
        prop_assert!(lives.len() >= 2);
        let changes: BTreeSet<u64> = lives.iter().flat_map(|p| [p.ready, p.start, p.left, p.drained]).collect();
        for p in &lives {
            prop_assert!(p.start >= p.ready, "it left before it could be routed: {p:?}");
            for &now in changes.range(p.ready..p.start) {
                let why = excuse(&setup, &lives, p, now);
                prop_assert!(why.is_some(), "at {now} ps nothing keeps {p:?} from going");
            }
            let others = lives.iter().filter(|q| q.start <= p.start && p.start < q.left);
            prop_assert_eq!(others.clone().filter(|q| q.to == p.to).count(), 1, "one packet at a time: {:?}", p);
            let reads = others.filter(|q| q.from == p.from).count();
            prop_assert!(setup.reads.is_none_or(|most| reads <= most), "{reads} packets are read at once: {p:?}");
        }
    }

    #[test]
    fn a_host_is_idle_only_if_it_has_no_packet_or_no_room(setup in setups()) {
        let lives = lives(&setup);
        for host in 0..setup.rates.len() {
            let mut own: Vec<Life> = lives.iter().filter(|p| p.from == host).copied().collect();
            own.sort_by_key(|p| p.injected);
            let mut back: Vec<u64> = own.iter().map(|p| p.room_back).collect();
            back.sort();
            for k in 0..own.len() {
                let link = if k > 0 { own[k - 1].injected + setup.time(host) } else { 0 };
                let room = if k >= setup.room { back[k - setup.room] } else { 0 };
                let packet = own[k..].iter().map(|p| p.created).min().unwrap_or_default();
                prop_assert_eq!(own[k].injected, link.max(room).max(packet), "packet {} of h{}", k, host);
            }
        }
    }
}
