//! Which parts manage congestion.

use std::borrow::Cow;

use congestree_schemes::check::Part;
use congestree_schemes::{
    IsolateParams, MarkParams, NotifyParams, ReactParams, RouteParams, ScheduleParams, TransportParams, presets,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The congestion management scheme: a preset, and the parts that differ from it. A part that is written is taken whole:
/// values of it that are left out are its defaults, not those of the preset. Where they differ, `congestree check` and
/// `congestree run` say so.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Scheme {
    /// A named combination of parts.
    pub preset: Preset,
    /// Whether a source keeps its rate limit between ON periods.
    pub persistent: bool,
    /// Congestion isolation: which packets get queues of their own in switches and hosts. Absent: as the preset says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isolate: Option<IsolateParams>,
    /// Congestion marking (ECN, FECN): which packets switches mark. Absent: as the preset says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<MarkParams>,
    /// How marks are returned to the sources: in ACKs or CNPs. Absent: as the preset says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notify: Option<NotifyParams>,
    /// Rate or window control: how sources react to marks, delays or telemetry. Absent: as the preset says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub react: Option<ReactParams>,
    /// Scheduling at outputs: which packets may be sent now. Absent: any that wait. Can be combined with any preset that
    /// does not isolate flows, or with none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<ScheduleParams>,
    /// Load balancing: how switches choose among several paths to a host. Absent: routes are fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<RouteParams>,
    /// Transport protocol: how hosts retransmit lost packets, and how fast they send on lossy links. Absent: as the
    /// preset says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transport: Option<TransportParams>,
}

impl Scheme {
    /// Who may use an output.
    pub(crate) fn schedule(&self) -> ScheduleParams {
        self.schedule.clone().unwrap_or_default()
    }

    /// The path of the parameters of the schedule.
    pub(crate) fn schedule_place(&self) -> String {
        format!("scheme.schedule.{}", self.schedule().name())
    }
}

/// A named combination of parts, one of [`presets::all`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Preset(pub String);

impl Default for Preset {
    fn default() -> Self {
        Preset("none".into())
    }
}

impl JsonSchema for Preset {
    fn schema_name() -> Cow<'static, str> {
        "Preset".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let presets: Vec<Value> = presets::all()
            .into_iter()
            .map(|preset| json!({ "type": "string", "const": preset.name, "description": preset.summary }))
            .collect();
        json_schema!({ "description": "A named combination of parts.", "oneOf": presets })
    }
}
