//! Scenarios with older names give the same plans, and notices say where to write what.

use congestree_scenario::{Format, expand, notices, read};

const TODAY: &str = r#"
topology.fat-tree.radix = 4
links.rate = "100 Gbit/s"
links.flow_control.pfc.pause_duration = "until-xon"
switches.buffer = "200 kB"
scheme.schedule.rcm = { sampled_queues = "output-queues", calm_samples = 3, flow_sampling = "by-chance", flow_entries = "one-a-sample", pacing = "both", windows_measured = "from-onset" }
[measure]
duration = "1 ms"
sampling_interval = "5 us"
deadlock_timeout = "2 ms"
probes = ["trees", "injection-audit"]
[[traffic]]
from = "h0"
to = "h7"
"#;

/// That scenario with its original names.
const OLDER: &str = r#"
topology.fat-tree.radix = 4
links.rate = "100 Gbit/s"
links.flow_control.pfc.lasts = "until-told"
switches.buffer = "200 kB"
scheme.rcm = { watch = "output-queues", calm_looks = 3, flow_looks = "by-chance", flow_entries = "one-a-look", held = "both", measured = "then" }
[measure]
duration = "1 ms"
look_every = "5 us"
watchdog = "2 ms"
probes = ["trees", "gates"]
[[traffic]]
from = "h0"
to = "h7"
"#;

#[test]
fn an_older_file_is_the_same_plan() {
    let plan = |text: &str| {
        let checked = read(text, Format::Toml, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}\n{text}"));
        (format!("{:?}", checked.plan), checked.scenario)
    };
    let (older, today) = (plan(OLDER), plan(TODAY));
    assert_eq!(older.1, today.1);
    assert!(older.0 == today.0);
}

#[test]
fn every_older_name_is_told_at_its_place() {
    assert_eq!(notices(TODAY, Format::Toml, ""), []);
    let told = notices(OLDER, Format::Toml, "older.toml");
    let lines: Vec<(&str, Option<u32>)> = told.iter().map(|one| (one.path.as_str(), one.line)).collect();
    assert_eq!(told.len(), 13, "{lines:?}");
    assert!(lines.contains(&("measure.look_every", Some(9))), "{lines:?}");
    assert!(lines.contains(&("measure.probes.1", Some(11))), "{lines:?}");
    assert!(lines.contains(&("scheme.rcm", Some(6))), "{lines:?}");
    for notice in told {
        assert!(notice.fact.ends_with("is an older name"), "{notice}");
        assert!(notice.remedy.starts_with("write `") && notice.remedy.ends_with("goes in release 0.2.0"), "{notice}");
    }
}

#[test]
fn swept_paths_may_be_older() {
    let swept = |key: &str| format!("{TODAY}[sweep]\n\"{key}\" = [\"3 us\", \"4 us\"]\n");
    let points = |key: &str| {
        let points = expand(&swept(key), Format::Toml, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
        points.into_iter().map(|point| point.scenario).collect::<Vec<_>>()
    };
    assert_eq!(points("measure.look_every"), points("measure.sampling_interval"));
    let told = notices(&swept("measure.look_every"), Format::Toml, "");
    assert_eq!(
        told.iter().map(|one| (one.path.as_str(), one.line)).collect::<Vec<_>>(),
        [("measure.look_every", Some(16))]
    );
}
