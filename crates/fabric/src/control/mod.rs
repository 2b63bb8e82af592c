//! Congestion control at work: marking, isolation and regional control ask their parts in `congestree_schemes`, and
//! reaction points are told what the hosts hear. Parts of other roles are asked where their question arises: path
//! choices in `switch/routes/`, transports, their receivers and grants in `host/`. `tests/docs/test_paths.py` lists, for
//! each role, the folders that name it.

pub(crate) mod controls;
pub(crate) mod in_switch;
pub(crate) mod isolation;
pub(crate) mod marking;
pub(crate) mod past_limits;
pub(crate) mod react;
pub(crate) mod region;
pub(crate) mod telemetry;
pub(crate) mod throttles;
