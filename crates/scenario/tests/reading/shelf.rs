//! The shipped scenarios can be read, and their resolved form reads back as the same plan.

use std::fs;
use std::path::Path;

use congestree_scenario::{Format, expand, read};

#[test]
fn every_scenario_on_the_shelf_makes_sense_and_survives_being_written_out() {
    let shelf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut seen = 0;
    for file in fs::read_dir(shelf).expect("there is a shelf of scenarios") {
        let path = file.expect("the shelf can be listed").path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        seen += 1;
        let text = fs::read_to_string(&path).expect("a scenario is text");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let checked = read(&text, Format::Toml, &name).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
        let points = expand(&text, Format::Toml, &name).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
        assert_eq!(points.len(), checked.facts.runs, "{name}");

        let written = serde_json::to_string(&checked.scenario).expect("a scenario is plain values");
        let again = read(&written, Format::Json, &name).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
        assert_eq!(again.scenario, checked.scenario, "{name}");
        assert!(format!("{:?}", again.plan) == format!("{:?}", checked.plan), "{name} has another plan");
    }
    assert!(seen >= 10, "only {seen} scenarios on the shelf");
}
