//! Which parts manage congestion.

use std::borrow::Cow;

use congestree_schemes::check::Part;
use congestree_schemes::{
    IsolateParams, MarkParams, NotifyParams, ReactParams, RouteParams, ScheduleParams, TransportParams, presets,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What manages congestion: a preset, and what differs from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Scheme {
    /// A named combination of parts.
    pub preset: Preset,
    /// Whether the rate limit of a source outlives its ON periods.
    pub persistent: bool,
    /// What switches and hosts set aside from other traffic. Absent: as the preset says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isolate: Option<IsolateParams>,
    /// How switches mark packets. Absent: as the preset says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<MarkParams>,
    /// How marks come back to sources. Absent: as the preset says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notify: Option<NotifyParams>,
    /// What sources do when they hear of marks. Absent: as the preset says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub react: Option<ReactParams>,
    /// Who may use an output now. Absent: whatever waits. It goes with any preset, or none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<ScheduleParams>,
    /// How switches choose among several shortest ways to a host. Absent: they do not, routes are fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<RouteParams>,
    /// How hosts repair losses, and how fast they send where links lose packets. Absent: as the preset says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transport: Option<TransportParams>,
}

impl Scheme {
    /// Who may use an output.
    pub(crate) fn schedule(&self) -> ScheduleParams {
        self.schedule.clone().unwrap_or_default()
    }

    /// Where the parameters of the schedule stand.
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
