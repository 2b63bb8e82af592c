//! Regions of congestion (RCM): how the states of outputs change, their windows, and what happens to the packets of
//! flows there.

use std::collections::BTreeMap;

use congestree_units::{Span, Time};

use crate::built_in::{BuiltIn, NetworkSize};
use crate::{Column, MeasurementWindow, Names, Probe, RegionFlow, RegionState, RegionWindow, Table};

/// Counts of the packets of a flow at an output in a bin.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    sampled: u64,
    paced: u64,
    harmful: u64,
    rerouted: u64,
    rerouted_harmful: u64,
}

/// All records about regions.
#[derive(Debug)]
pub(crate) struct Regions {
    bin: Span,
    /// By output: its state, and the number of its window.
    now: Vec<(RegionState, u64)>,
    states: Vec<(Time, u32, RegionState)>,
    windows: Vec<(Time, u32, RegionWindow)>,
    /// By bin, output and flow.
    flows: BTreeMap<(u64, u32, u32), Counts>,
}

impl BuiltIn for Regions {
    fn new(window: MeasurementWindow, size: NetworkSize) -> Self {
        let now = vec![(RegionState::default(), 0); size.ports];
        Self { bin: window.bin, now, states: Vec::new(), windows: Vec::new(), flows: BTreeMap::new() }
    }

    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        self.states.extend(part.states);
        self.windows.extend(part.windows);
        for (known, theirs) in self.now.iter_mut().zip(part.now) {
            known.1 = known.1.max(theirs.1);
        }
        for (key, counts) in part.flows {
            let sum = self.flows.entry(key).or_default();
            sum.sampled += counts.sampled;
            sum.paced += counts.paced;
            sum.harmful += counts.harmful;
            sum.rerouted += counts.rerouted;
            sum.rerouted_harmful += counts.rerouted_harmful;
        }
    }
}

impl Probe for Regions {
    fn wants_regions(&self) -> bool {
        true
    }

    fn region(&mut self, now: Time, output: u32, state: RegionState) {
        let known = &mut self.now[output as usize].0;
        if *known != state {
            *known = state;
            self.states.push((now, output, state));
        }
    }

    fn region_window(&mut self, now: Time, output: u32, window: RegionWindow) {
        let number = &mut self.now[output as usize].1;
        if *number != window.number {
            *number = window.number;
            self.windows.push((now, output, window));
        }
    }

    fn region_flow(&mut self, now: Time, output: u32, flow: u32, what: RegionFlow) {
        let counts = self.flows.entry((now.0 / self.bin.0.max(1), output, flow)).or_default();
        match what {
            RegionFlow::Sampled => counts.sampled += 1,
            RegionFlow::Paced { harmful } => {
                counts.paced += 1;
                counts.harmful += u64::from(harmful);
            }
            RegionFlow::Rerouted { harmful } => {
                counts.rerouted += 1;
                counts.rerouted_harmful += u64::from(harmful);
            }
        }
    }

    /// Rows of an instant are in the order of outputs, because the order in which outputs decide within an instant is
    /// free.
    fn tables(&mut self, names: &Names) -> Vec<Table> {
        self.states.sort_by_key(|&(at, output, _)| (at, output));
        self.windows.sort_by_key(|&(at, output, _)| (at, output));
        let port = |port: u32| names.ports.get(port as usize).cloned().unwrap_or_default();
        vec![states(&self.states, port), windows(&self.windows, port), flows(self.bin, &self.flows, port)]
    }
}

/// The role of an output in its region: the table of `congestree_schemes::regional`.
fn part(state: RegionState) -> &'static str {
    match (state.told > 0, state.own > 0) {
        (false, false) => "none",
        (false, true) => "root",
        (true, false) => "edge",
        (true, true) => "inside",
    }
}

/// Distinguishes outputs whose links have the same ends.
const OUTPUT: &str = "port id of the output";
const LINK: &str = "outgoing link of the output; parallel links share it: output_port tells them apart";

fn states(rows: &[(Time, u32, RegionState)], port: impl Fn(u32) -> String) -> Table {
    let degrees = |pick: fn(RegionState) -> u8| rows.iter().map(|row| u32::from(pick(row.2))).collect::<Vec<u32>>();
    Table {
        name: "regions",
        columns: vec![
            Column::new(
                "time_ps",
                "ps",
                "when the state changed",
                rows.iter().map(|row| row.0.0).collect::<Vec<u64>>(),
            ),
            Column::new("output", "", LINK, rows.iter().map(|row| port(row.1)).collect::<Vec<String>>()),
            Column::new(
                "role",
                "",
                "root: congested itself; edge: notified of congestion downstream; inside: both; none: neither",
                rows.iter().map(|row| part(row.2).to_owned()).collect::<Vec<String>>(),
            ),
            Column::new(
                "local_degree",
                "",
                "own degree of congestion of the output, 0 to 63",
                degrees(|state| state.own),
            ),
            Column::new(
                "remote_degree",
                "",
                "highest degree that a neighbour has reported to it",
                degrees(|state| state.told),
            ),
            Column::new("degree", "", "degree that it passes on upstream", degrees(|state| state.degree)),
            Column::each("output_port", "", OUTPUT, rows, |row| row.1),
        ],
    }
}

fn windows(rows: &[(Time, u32, RegionWindow)], port: impl Fn(u32) -> String) -> Table {
    let bytes = |pick: fn(RegionWindow) -> f64| rows.iter().map(|row| pick(row.2)).collect::<Vec<f64>>();
    Table {
        name: "region_windows",
        columns: vec![
            Column::new("time_ps", "ps", "when the window began", rows.iter().map(|row| row.0.0).collect::<Vec<u64>>()),
            Column::new("output", "", LINK, rows.iter().map(|row| port(row.1)).collect::<Vec<String>>()),
            Column::new(
                "number",
                "",
                "number of the window at the output, from 1",
                rows.iter().map(|row| row.2.number).collect::<Vec<u64>>(),
            ),
            Column::new(
                "bytes",
                "B",
                "bytes of all flows after which the window ends (W)",
                rows.iter().map(|row| row.2.bytes).collect::<Vec<u64>>(),
            ),
            Column::new(
                "time_limit",
                "s",
                "longest time after its start at which the window ends",
                bytes(|w| w.lasts.as_secs()),
            ),
            Column::new("harmful", "B", "bytes that harmful flows may send in the window (W_c)", bytes(|w| w.harmful)),
            Column::new("previous", "B", "the same for the previous window, or what was measured", bytes(|w| w.before)),
            Column::each("output_port", "", OUTPUT, rows, |row| row.1),
        ],
    }
}

fn flows(bin: Span, rows: &BTreeMap<(u64, u32, u32), Counts>, port: impl Fn(u32) -> String) -> Table {
    let counts = |pick: fn(&Counts) -> u64| rows.values().map(pick).collect::<Vec<u64>>();
    Table {
        name: "region_flows",
        columns: vec![
            Column::new(
                "time",
                "s",
                "start of the bin",
                rows.keys().map(|key| Time(key.0 * bin.0).as_secs()).collect::<Vec<f64>>(),
            ),
            Column::new("output", "", LINK, rows.keys().map(|key| port(key.1)).collect::<Vec<String>>()),
            Column::new("flow", "", "flow id", rows.keys().map(|key| key.2).collect::<Vec<u32>>()),
            Column::new(
                "sampled",
                "",
                "packets that the output sampled as a root; their flow counts as harmful from then on",
                counts(|c| c.sampled),
            ),
            Column::new("paced", "", "packets that passed while the output paced flows", counts(|c| c.paced)),
            Column::new("harmful", "", "of the paced packets, those that counted as harmful", counts(|c| c.harmful)),
            Column::new(
                "rerouted",
                "",
                "packets that took another path instead of this output",
                counts(|c| c.rerouted),
            ),
            Column::new(
                "rerouted_harmful",
                "",
                "of the rerouted packets, those whose flow the output knew to be harmful; by the rule there are none",
                counts(|c| c.rerouted_harmful),
            ),
            Column::new("output_port", "", OUTPUT, rows.keys().map(|key| key.1).collect::<Vec<u32>>()),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Values;
    use crate::built_in::FEW;

    fn regions() -> Regions {
        let window =
            MeasurementWindow { warm_up: Time::START, end: Time(100), bin: Span(50), sampling_interval: Span(50) };
        Regions::new(window, FEW)
    }

    #[test]
    fn only_changes_of_a_state_are_written_down() {
        let mut regions = regions();
        let root = RegionState { own: 3, told: 0, degree: 3 };
        [root, root, RegionState::default(), RegionState { own: 3, told: 9, degree: 6 }]
            .into_iter()
            .enumerate()
            .for_each(|(at, state)| regions.region(Time(at as u64), 1, state));
        let states = regions.tables(&Names::default()).swap_remove(0);
        let parts = ["root", "none", "inside"].map(str::to_owned).to_vec();
        assert_eq!(states.columns[2].values, Values::Text(parts));
    }

    #[test]
    fn packets_are_counted_by_bin_output_and_flow() {
        let mut regions = regions();
        for (at, flow, what) in [
            (10, 7, RegionFlow::Paced { harmful: true }),
            (20, 7, RegionFlow::Paced { harmful: false }),
            (30, 7, RegionFlow::Sampled),
            (60, 7, RegionFlow::Paced { harmful: true }),
            (60, 8, RegionFlow::Rerouted { harmful: false }),
        ] {
            regions.region_flow(Time(at), 1, flow, what);
        }
        let flows = regions.tables(&Names::default()).swap_remove(2);
        let column = |place: usize| flows.columns[place].values.clone();
        assert_eq!(column(2), Values::U32(vec![7, 7, 8]));
        assert_eq!([column(4), column(5)], [Values::U64(vec![2, 1, 0]), Values::U64(vec![1, 1, 0])]);
        assert_eq!([column(6), column(7)], [Values::U64(vec![0, 0, 1]), Values::U64(vec![0, 0, 0])]);
    }
}
