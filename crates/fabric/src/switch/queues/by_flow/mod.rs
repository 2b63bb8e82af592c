//! Queues by flow at every output: a packet of lane 0 joins one of its output's queues, whichever input it came in by.
//!
//! Like any packet, it takes room at its input; these queues decide only the order in which packets go. One queue has
//! strict priority: it holds all that is not data and, if the rules say so, the first packet of each flow. The others
//! take turns by bytes (deficit round robin): at its turn a queue may send one full packet's bytes more than it had
//! left, and its turn ends when the next packet is larger than what is left. A queue keeps the rest then; it loses
//! the rest if its turn ends for another reason (nothing waits, or what waits may not go).
//!
//! Which queue a flow uses, and which queues are stopped, is decided by `congestree_schemes::isolate::flow_queues`;
//! who is told is decided by `control/isolation/isolate_flows.rs`.

mod serve;
pub(crate) mod table;
