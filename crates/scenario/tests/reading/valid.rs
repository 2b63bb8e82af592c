//! Valid scenarios are always read, and their resolved form reads back as the same plan.

use congestree_scenario::{Format, expand, read, schema};

use crate::random::random_scenario;

#[test]
fn random_scenarios_that_make_sense_are_read_and_survive_being_written_out() {
    for seed in 0..400 {
        let text = random_scenario(seed);
        let checked =
            read(&text, Format::Toml, "drawn.toml").unwrap_or_else(|diagnostics| panic!("{diagnostics}\n{text}"));
        let written = serde_json::to_string(&checked.scenario).expect("a scenario is plain values");
        let again = read(&written, Format::Json, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}\n{written}"));
        assert_eq!(again.scenario, checked.scenario, "{text}");
        assert!(format!("{:?}", again.plan) == format!("{:?}", checked.plan), "another plan:\n{text}");
    }
}

#[test]
fn a_sweep_point_is_the_file_with_the_value_written_in() {
    for seed in 0..40 {
        let text = random_scenario(seed);
        let swept = format!("{text}\n[sweep]\nseed = [{seed}, 7]\n\"adapters.mtu\" = [\"100 B\", \"1 KiB\"]\n");
        let points = expand(&swept, Format::Toml, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}\n{swept}"));
        assert_eq!(points.len(), 4);
        let first = text.find("mtu = \"").expect("there is an mtu");
        let line = text[first..].find('\n').expect("a line ends") + first;
        let by_hand = text.replace(&text[first..line], "mtu = \"1 KiB\"");
        let by_hand = read(&by_hand, Format::Toml, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
        assert_eq!(points[1].scenario, by_hand.scenario, "{text}");
    }
}

#[test]
fn the_schema_is_plain_json_schema() {
    let schema = schema();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["properties"]["seed"]["default"], 1);
    assert_eq!(schema["$defs"]["Links"]["properties"]["rate"]["format"], "rate");
}

/// The usual gap of a marker is reduced below a low threshold; written out it is still the usual one.
#[test]
fn a_low_threshold_survives_being_written_out() {
    let text = "topology.single-switch.hosts = 3\nlinks = { rate = \"16 Gbit/s\" }\nswitches.buffer = \"16 KiB\"\n\
                scheme.preset = \"ib-cc\"\nmeasure.duration = \"1 us\"\n[[traffic]]\nfrom = \"H1\"\nto = \"H2\"\n";
    let checked = read(text, Format::Toml, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let written = serde_json::to_string(&checked.scenario).expect("a scenario is plain values");
    let again = read(&written, Format::Json, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}\n{written}"));
    assert_eq!(again.scenario, checked.scenario);
}

/// Where every lane has a buffer of its own, the one that lanes have by default may be in another unit.
#[test]
fn a_buffer_that_no_lane_has_need_not_fit_the_flow_control() {
    let text = |lanes: u8| {
        format!(
            "topology.single-switch.hosts = 3\nmeasure.duration = \"1 us\"\n[links]\nrate = \"8 Gbit/s\"\n\
             lanes = {lanes}\nflow_control = \"packet-slots\"\n[switches]\n\
             lane_buffers = [\"4 packets\", \"2 packets\"]\n[[traffic]]\nfrom = \"H1\"\nto = \"H2\"\n"
        )
    };
    let checked = read(&text(2), Format::Toml, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    assert_eq!(checked.plan.switch.buffer_units, [4, 2]);
    let written = serde_json::to_string(&checked.scenario).expect("a scenario is plain values");
    assert!(read(&written, Format::Json, "").is_ok());
    let found = read(&text(3), Format::Toml, "").expect_err("lane 2 has the default").to_string();
    assert!(found.contains("the buffer is 64 KiB by default"), "{found}");
}

/// With one credit more a packet would be refused (`malformed/credits-too-many-for-a-packet.toml`).
#[test]
fn a_packet_may_take_as_many_credits_as_can_be_counted() {
    for (block, mtu) in [(1, 32_767 - 20), (2, 2 * 32_767 - 20), (64, 64 * 32_767 - 20)] {
        let text = format!(
            "topology.single-switch.hosts = 3\nmeasure.duration = \"1 us\"\nadapters.mtu = \"{mtu} B\"\n\
             switches.buffer = \"16 MiB\"\n[links]\nrate = \"8 Gbit/s\"\n\
             flow_control.byte-credits.block = \"{block} B\"\n[[traffic]]\nfrom = \"H1\"\nto = \"H2\"\n"
        );
        let checked = read(&text, Format::Toml, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
        assert_eq!(checked.plan.flow_control.units(mtu + 20), 32_767);
    }
}
