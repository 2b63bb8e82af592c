//! Schemes by name: the parts of published schemes.

use congestree_units::Bytes;

use crate::host::notify::{CnpParams, NotifyParams};
use crate::host::react::{self, ReactParams};
use crate::host::transport::{self, TransportParams};
use crate::switch::isolate::{self, IsolateParams};
use crate::switch::mark::{self, MarkParams};

mod isolation;
mod rates;
mod transports;

use isolation::{isolation, throttling};
use rates::{detection, rates_and_windows, san, telemetry};
use transports::{transports, ultra};

/// The parts of a scheme.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// The name a scenario uses.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// What switches and hosts isolate.
    pub isolate: IsolateParams,
    /// What switches mark.
    pub mark: MarkParams,
    /// How marks come back.
    pub notify: NotifyParams,
    /// What sources do.
    pub react: ReactParams,
    /// How losses are repaired.
    pub transport: TransportParams,
    /// A full packet on the wire, for thresholds of `mark` in bytes that stand for a number of packets.
    pub packet: Option<Bytes>,
}

/// All presets, in the order in which `congestree list` shows them.
pub fn all() -> Vec<Preset> {
    [san(), rates_and_windows(), telemetry(), detection(), throttling(), isolation(), transports(), ultra()].concat()
}

/// The preset of this name.
pub fn preset(name: &str) -> Option<Preset> {
    all().into_iter().find(|preset| preset.name == name)
}

/// Flow control alone: nothing isolated, no marks, no reaction, no repair.
fn plain(name: &'static str, summary: &'static str) -> Preset {
    Preset {
        name,
        summary,
        isolate: IsolateParams::None(isolate::none::NoParams::default()),
        mark: MarkParams::None(mark::none::NoParams::default()),
        notify: NotifyParams::Ack,
        react: ReactParams::None(react::none::NoParams::default()),
        transport: TransportParams::None(transport::none::NoParams::default()),
        packet: None,
    }
}

/// Notifications in packets of their own: one for every marked packet.
fn cnp() -> NotifyParams {
    NotifyParams::Cnp(CnpParams::default())
}
