//! Hosts: sources make messages, flows carry them, flows share the link in turns, and arriving packets are counted
//! and answered.

pub(crate) mod adapter;
pub(crate) mod answers;
pub(crate) mod connection;
pub(crate) mod converse;
pub(crate) mod ends;
pub(crate) mod flow;
pub(crate) mod flow_groups;
pub(crate) mod inject;
pub(crate) mod messages;
pub(crate) mod pace;
pub(crate) mod packets;
pub(crate) mod receive;
pub(crate) mod staging;
pub(crate) mod turns;
