//! Schemes by name: which parts make up a published one.

use crate::mark::{MarkParams, fecn, input_output_triggered, input_triggered, naive, none, output_triggered};
use crate::notify::{CnpParams, NotifyParams};
use crate::react::{self, ReactParams, cct, lipd};

/// The parts of a scheme.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// The name a scenario uses.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// What switches do.
    pub mark: MarkParams,
    /// How marks come back.
    pub notify: NotifyParams,
    /// What sources do.
    pub react: ReactParams,
}

/// All presets, in the order in which `congestree list` shows them.
pub fn all() -> Vec<Preset> {
    let lipd = || ReactParams::Lipd(lipd::LipdParams::default());
    vec![
        Preset {
            name: "none",
            summary: "No congestion management: flow control alone.",
            mark: MarkParams::None(none::NoParams::default()),
            notify: NotifyParams::Ack,
            react: ReactParams::None(react::none::NoParams::default()),
        },
        Preset {
            name: "naive",
            summary: "Packets in a full input buffer are marked; LIPD sources (HPL-2002-4 section 5).",
            mark: MarkParams::Naive(naive::NaiveParams::default()),
            notify: NotifyParams::Ack,
            react: lipd(),
        },
        Preset {
            name: "input-triggered",
            summary: "A full input buffer marks all traffic of the outputs it waits for; LIPD sources (HPL-2002-4 section 5).",
            mark: MarkParams::InputTriggered(input_triggered::InputTriggeredParams::default()),
            notify: NotifyParams::Ack,
            react: lipd(),
        },
        Preset {
            name: "input-output-triggered",
            summary: "The same, and marking above a threshold of packets per output; LIPD sources (HPL-2002-4 section 5).",
            mark: MarkParams::InputOutputTriggered(input_output_triggered::InputOutputTriggeredParams::default()),
            notify: NotifyParams::Ack,
            react: lipd(),
        },
        Preset {
            name: "output-triggered",
            summary: "Marking above a threshold of packets per output only; LIPD sources (ECN evaluation section IV.C).",
            mark: MarkParams::OutputTriggered(output_triggered::OutputTriggeredParams::default()),
            notify: NotifyParams::Ack,
            react: lipd(),
        },
        Preset {
            name: "ib-cc",
            summary: "InfiniBand congestion control: FECN, BECN in notification packets, CCT; the values of Gran's Paper III, Table I.",
            mark: MarkParams::Fecn(fecn::FecnParams::default()),
            notify: NotifyParams::Cnp(CnpParams::default()),
            react: ReactParams::Cct(cct::CctParams::default()),
        },
    ]
}

/// The preset of this name.
pub fn preset(name: &str) -> Option<Preset> {
    all().into_iter().find(|preset| preset.name == name)
}
