//! Transports over a simulated pipe that loses packets: properties that must hold whatever is lost, published
//! properties of NewReno, and the trajectories of all of them, stored as text.

#[path = "../shared/chance.rs"]
mod chance;
mod delivery;
mod new_reno;
mod pipe;
mod trajectories;
