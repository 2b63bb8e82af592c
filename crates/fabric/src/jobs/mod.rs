//! Applications at work: the ranks of every job execute their programs, and their sends become messages of flows.
//!
//! A program (`congestree_traffic::program`) says which operations may start when another has finished. Here the
//! operations are carried out:
//!
//! - A *send* puts a message into the flow from its host to the other. It has finished when the last packet has left,
//!   when the message has been acknowledged, or when it has been delivered, as the job says. A message has at least one
//!   byte.
//! - A *receive* has finished when a message that matches it has come in completely.
//! - A *computation* occupies a processor of its rank; computations on one processor follow each other. The overhead of
//!   a send (before its message goes out) and that of a receive (after its message is in) occupy a processor in the
//!   same way, if the job has one.
//!
//! A large message may be announced first (rendezvous): a request goes ahead, the receiver grants it when it has posted
//! the receive, and only then do the data follow. Ranks on one host exchange messages through its memory, and those of
//! one node may have links of their own ([`within_node`]).
//!
//! Flows deliver in order, so the messages of a flow in flight form a list, one at each end: the packet that carries
//! the end of a message completes the first message of the list ([`messages`]). Where packets overtake each other, each
//! packet counts for its own message, and messages are still completed in order, except over a transport that delivers
//! in any order ([`any_order`]). A job that has not finished, but of which nothing is in progress, will never finish.

mod any_order;
mod computing_time;
mod local_copies;
mod messages;
mod parted;
pub(crate) mod ranks;
mod steps;
mod tables;
mod turns;
pub(crate) mod under_way;
mod within_node;
