//! A read-only view of a network between two events. Code that only reads the network is written for this view, which
//! does not depend on the engine, so that it is compiled once and not for each compiled variant.

use congestree_units::Time;
use congestree_wire::{Pool, PortId};

use crate::control::controls::Control;
use crate::fabric::Fabric;
use crate::host::ends::Ends;
use crate::jobs::ranks::Ranks;
use crate::link::links::Links;
use crate::observe::records::Records;
use crate::partition::border::Border;
use crate::plan::rules::FabricRules;
use crate::switch::switches::Switches;
use crate::tune::features::{Feature, Features};

/// The owners of a [`Fabric`].
#[derive(Clone, Copy)]
pub(crate) struct Still<'a> {
    features: Features,
    pub now: Time,
    pub packets: &'a Pool,
    pub rules: &'a FabricRules,
    pub links: &'a Links,
    pub switches: &'a Switches,
    pub ends: &'a Ends,
    pub control: &'a Control,
    pub ranks: Option<&'a Ranks>,
    pub border: &'a Border,
    pub records: &'a Records,
}

impl<A, P, S> Fabric<A, P, S> {
    /// The present state.
    pub(crate) fn still(&self) -> Still<'_> {
        Still {
            features: self.features,
            now: self.now,
            packets: &self.packets,
            rules: &self.rules,
            links: &self.links,
            switches: &self.switches,
            ends: &self.ends,
            control: &self.control,
            ranks: self.ranks.as_deref(),
            border: &self.border,
            records: &self.records,
        }
    }
}

impl Still<'_> {
    /// The network has a feature.
    pub(crate) fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }

    /// The port is of this part of the network.
    pub(crate) fn owns(&self, port: PortId) -> bool {
        !self.border.is_away(port)
    }
}
