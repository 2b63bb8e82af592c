//! Applications at work: the ranks of every job go through their programs, and what they send becomes messages of flows.
//!
//! A program (`congestree_traffic::program`) says what may start when something has finished. Here it is done:
//!
//! - A *send* puts a message into the flow from its host to the other. It has finished when the last packet has left, when
//!   it has been acknowledged, or when it has been delivered, as the job says. A message has at least one byte.
//! - A *receive* has finished when a message that it wants is in, all of it.
//! - A *computation* occupies a processor of its rank; several of one processor follow each other. So does the overhead of a
//!   send, before its message goes on, and that of a receive, after its message is in, if the job has one.
//!
//! A large message may be announced first (rendezvous): a request goes ahead, the receiver grants it when it has posted
//! the receive, and only then do the data follow. Ranks of one host exchange messages through its memory, and those of one node
//! may have links of their own ([`inside`]).
//!
//! Flows deliver in order, so the messages of a flow that are on their way are a list, at each end one of its own: the packet
//! that carries the end of a message ends the first of them ([`messages`]). Where packets overtake each other each counts for its message, and
//! messages still come in by order. A job of which nothing is under way, and which has not finished, never will.

mod busy;
mod inside;
mod messages;
mod parted;
pub(crate) mod ranks;
mod steps;
mod tables;
mod turns;
