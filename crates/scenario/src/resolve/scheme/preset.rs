//! What a written part of a scheme does not take over from the part of the same name in the preset.
//!
//! A part that is written is taken whole: its other values are its defaults. Where the preset has other ones, a scenario
//! may not be what was meant, and a note says so. So does one if a preset's thresholds stand for packets of another size.

use congestree_schemes::check::Part;
use congestree_schemes::presets;
use congestree_units::Bytes;
use serde_json::{Map, Value as Json, json};

use crate::types::Scheme;

/// The parts that a preset has.
const ROLES: [&str; 5] = ["isolate", "mark", "notify", "react", "transport"];

/// For each written part that the preset has too, a sentence with the values in which it differs from the preset though
/// they are not written. `written` is the scheme as it is in the file, in the form that serde reads.
pub(crate) fn notes(scheme: &Scheme, written: &Json) -> Vec<String> {
    let Some(preset) = presets::preset(&scheme.preset.0) else { return Vec::new() };
    let of_preset = json!({
        "isolate": preset.isolate,
        "mark": preset.mark,
        "notify": preset.notify,
        "react": preset.react,
        "transport": preset.transport,
    });
    let ours = serde_json::to_value(scheme).unwrap_or_default();
    ROLES
        .iter()
        .filter_map(|&role| note(role, preset.name, [&ours, &of_preset, written].map(|all| &all[role])))
        .collect()
}

/// A sentence if thresholds are those of the preset, in bytes that stand for packets, and full packets have another size
/// on the wire.
pub(crate) fn packet_note(scheme: &Scheme, full: Bytes) -> Option<String> {
    let preset = presets::preset(&scheme.preset.0)?;
    let packet = preset.packet.filter(|&packet| packet != full)?;
    let mark = crate::resolve::scheme_parts(scheme).mark;
    (mark == preset.mark).then(|| {
        format!(
            "scheme.mark has the thresholds of {}: bytes that stand for packets of {packet} on the wire, and full packets \
             have {full} here, so that it counts a different number of them. Make adapters.mtu and adapters.header \
             {packet} together, or write scheme.mark.{} with thresholds of your own.",
            preset.name,
            mark.name(),
        )
    })
}

/// The note about one part: as it is, as it is in the preset, and as it is written.
fn note(role: &str, preset: &str, [ours, theirs, written]: [&Json; 3]) -> Option<String> {
    let (name, ours) = ours.as_object()?.iter().next()?;
    let mut found = Vec::new();
    compare(ours.as_object()?, theirs.get(name)?.as_object()?, written.get(name), "", &mut found);
    (!found.is_empty()).then(|| {
        format!(
            "scheme.{role}.{name} is written, so its other values are defaults, not those of {preset}: {}; write them \
             too if you want them.",
            found.join(", ")
        )
    })
}

/// Finds the values that differ between two tables though they are not written, those of inner tables with their path.
fn compare(
    ours: &Map<String, Json>,
    theirs: &Map<String, Json>,
    written: Option<&Json>,
    path: &str,
    found: &mut Vec<String>,
) {
    let only_theirs = theirs.keys().filter(|key| !ours.contains_key(*key));
    for key in ours.keys().chain(only_theirs) {
        let (here, there) = (ours.get(key), theirs.get(key));
        let said = written.and_then(|table| table.get(key));
        match (here, there) {
            _ if here == there => {}
            (Some(Json::Object(here)), Some(Json::Object(there))) if here.keys().any(|key| there.contains_key(key)) => {
                compare(here, there, said, &format!("{path}{key}."), found);
            }
            _ if said.is_some() => {}
            _ => found.push(format!("{path}{key} {} (preset {})", in_words(here), in_words(there))),
        }
    }
}

/// A value as a sentence has it.
fn in_words(value: Option<&Json>) -> String {
    match value {
        None | Some(Json::Null) => "none".into(),
        Some(Json::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes_of(written: &Json) -> Vec<String> {
        let scheme: Scheme = serde_json::from_value(written.clone()).unwrap();
        notes(&scheme, written)
    }

    /// The only choice in a value, and its parameters.
    fn chosen(part: &Json) -> Option<(&String, &Map<String, Json>)> {
        let (name, inner) = part.as_object()?.iter().next()?;
        Some((name, inner.as_object()?))
    }

    /// The parts of each preset that have parameters: preset, role, name and parameters.
    fn parts() -> Vec<(&'static str, &'static str, String, Map<String, Json>)> {
        let mut list = Vec::new();
        for preset in presets::all() {
            let parts = crate::resolve::scheme_parts(&Scheme {
                preset: crate::types::Preset(preset.name.into()),
                ..Default::default()
            });
            let values = [json!(parts.isolate), json!(parts.mark), json!(parts.notify), json!(parts.react)];
            for (role, part) in ROLES.into_iter().zip(values.into_iter().chain([json!(parts.transport)])) {
                if let Some((name, values)) = chosen(&part) {
                    list.push((preset.name, role, name.clone(), values.clone()));
                }
            }
        }
        list
    }

    #[test]
    fn a_note_names_every_value_that_is_not_written_and_not_that_of_the_preset() {
        let (mut same, mut different) = (0, 0);
        for (preset, role, name, values) in parts() {
            for (key, value) in &values {
                let written = json!({ "preset": preset, role: { &name: { key: value } } });
                let scheme: Scheme = serde_json::from_value(written.clone()).unwrap();
                let resolved = serde_json::to_value(scheme).unwrap();
                let ours = chosen(&resolved[role]).unwrap().1;
                let all = ours.keys().chain(values.keys());
                let lost: Vec<&String> = all.filter(|&key| ours.get(key) != values.get(key)).collect();
                let notes = notes_of(&written);
                assert_eq!(notes.is_empty(), lost.is_empty(), "{written}: {notes:?}");
                same += usize::from(lost.is_empty());
                different += usize::from(!lost.is_empty());
                for key in lost {
                    let named = [" ", "."].map(|end| notes[0].contains(&format!(" {key}{end}")));
                    assert!(named.contains(&true), "{written}: {key} is not in {notes:?}");
                }
            }
            let whole = json!({ "preset": preset, role: { name: values } });
            assert_eq!(notes_of(&whole), Vec::<String>::new(), "{whole}");
        }
        assert!(same > 50 && different > 50, "{same} {different}");
    }

    #[test]
    fn a_note_has_both_values_and_says_what_to_do() {
        let written = json!({ "preset": "dcqcn-vendor", "react": { "dcqcn": { "min_rate": "100 Mbit/s" } } });
        let [note] = &notes_of(&written)[..] else { panic!("one note") };
        let begins = "scheme.react.dcqcn is written, so its other values are defaults, not those of dcqcn-vendor: ";
        assert!(note.starts_with(begins) && note.ends_with("; write them too if you want them."), "{note}");
        assert!(note.contains("cut_period 50 us (preset 4 us)") && !note.contains("min_rate"), "{note}");
    }

    #[test]
    fn thresholds_that_stand_for_packets_are_told_if_these_have_another_size() {
        let told = |written: Json, full| {
            let scheme: Scheme = serde_json::from_value(written).unwrap();
            packet_note(&scheme, Bytes(full))
        };
        for preset in ["ith", "ib-ith"] {
            let note = told(json!({ "preset": preset }), 2_068).unwrap();
            assert!(note.contains("packets of 2 KiB on the wire, and full packets have 2068 B"), "{note}");
            assert_eq!(told(json!({ "preset": preset }), 2_048), None);
            let own = json!({ "preset": preset, "mark": { "fecn": { "enter": "8272 B", "gap": "4136 B" } } });
            assert_eq!(told(own, 2_068), None);
        }
        assert_eq!(told(json!({ "preset": "ib-cc" }), 2_068), None);
    }

    #[test]
    fn another_part_or_a_value_of_ones_own_gives_no_note() {
        for written in [
            json!({ "preset": "dcqcn-vendor", "react": { "dctcp": {} } }),
            json!({ "preset": "none", "react": { "dcqcn": { "gain": 0.5 } } }),
            json!({ "preset": "dcqcn-paper", "react": { "dcqcn": { "gain": 0.5, "for_rate": "40 Gbit/s" } } }),
            json!({ "preset": "dcqcn-paper", "notify": "ack" }),
        ] {
            assert_eq!(notes_of(&written), Vec::<String>::new());
        }
    }
}
