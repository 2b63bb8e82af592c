//! RCM at work: outputs look at their queues, tell the neighbours that feed them, and hold harmful flows to their windows.
//!
//! `congestree_schemes::regional` decides; here the decisions are carried out. A congestion point is an output with its
//! virtual output queues. It is looked at when packets join; when congestion is found, it tells the switches upstream
//! of every input that has something for it, by a frame in the reverse direction of the link: the degree and the
//! harmful flows. The output that hears it is in the region, and paces those flows there. Hosts are not told: they have
//! DCQCN, or nothing.
//!
//! A root holds no flow unless `root_control` says so: all that it sends crosses the congested link anyway, and holding
//! it would only leave the link idle. `pacing` says how packets are held.

mod pacing;
mod regional;
pub(crate) mod regions;
