//! Queues by flow at every output: a packet of lane 0 joins one of its output's queues, whichever input it came in by.
//!
//! Its room is still that of its input, as is that of any packet; the queues say in which order packets go. One of them
//! goes before all others: there stands what is not data and, if the rules say so, the first packet of each flow. The
//! others take turns by bytes (deficit round robin): a queue whose turn comes may send a full packet's bytes more than it
//! had left, and its turn ends when the next packet is larger than what is left of them. What it has left then it keeps;
//! if its turn ends for another reason (nothing waits, or what waits may not go) it loses it.
//!
//! Which flow stands where, and who is stopped, is up to `congestree_schemes::isolate::flow_queues`; who is told, to
//! `control/isolation/isolate_flows.rs`.

mod serve;
pub(crate) mod table;
