//! The tables of every run, whatever probes it has: flows, ports, failures, and the summary.

mod faults;
mod flows;
mod losses;
mod ports;
mod summary;
