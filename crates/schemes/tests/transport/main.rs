//! Transports over a simulated pipe that loses packets: what must hold whatever is lost, what is published of NewReno,
//! and the trajectories of all of them, kept as text.

#[path = "../shared/chance.rs"]
mod chance;
mod delivery;
mod new_reno;
mod pipe;
mod trajectories;
