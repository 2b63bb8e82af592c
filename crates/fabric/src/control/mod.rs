//! Congestion control at work. These are the only files of the fabric that name the roles of a scheme: marking,
//! isolation and regional control ask their parts in `congestree_schemes`, and reaction points are told what the hosts
//! hear.

pub(crate) mod controls;
pub(crate) mod in_switch;
pub(crate) mod isolation;
pub(crate) mod marking;
pub(crate) mod past_limits;
pub(crate) mod react;
pub(crate) mod region;
pub(crate) mod telemetry;
pub(crate) mod throttles;
