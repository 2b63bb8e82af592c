//! RCM at work: outputs look at their queues, tell the neighbours that feed them, and hold harmful flows to their windows.
//!
//! What there is to decide is in `congestree_schemes::regional`; here it is carried out. A congestion point is an output with its
//! virtual output queues. It is looked at when packets join; when congestion is found, it tells the switches behind every
//! input that has something for it, by a frame on the link back: the degree and the harmful flows. Whoever hears it is
//! in the region by that output, and paces those flows there. Hosts are not told: they have DCQCN, or nothing.
//!
//! A root holds nobody unless `root_control` says so: all that it sends goes the crowded way, and the link would only idle.
//! How packets are held is in `pacing`.

mod pacing;
mod regional;
pub(crate) mod regions;
