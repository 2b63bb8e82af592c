//! Congestion control at work: the only files of the fabric that name a role. Marking, isolation and regional control ask their
//! parts in `congestree_schemes`, and reaction points are told what the hosts hear.

pub(crate) mod controls;
pub(crate) mod hold;
pub(crate) mod isolate;
pub(crate) mod isolate_flows;
pub(crate) mod mark;
pub(crate) mod marking_filter;
pub(crate) mod rcm;
pub(crate) mod react;
pub(crate) mod reaction_point;
pub(crate) mod telemetry;
