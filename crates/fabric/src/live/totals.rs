//! What the driver of a simulation sees of it on the way.

use congestree_probes::trees::sample::SOURCE;
use congestree_probes::{Column, Table};

use super::Live;

impl Live {
    /// Totals so far: the tables of flows and ports as at the end of a run, and the current state of ports.
    pub fn observe(&mut self) -> Vec<Table> {
        let mut tables = self.fabric.totals(&self.plan, &self.names);
        let (waiting, held) = self.at_ports();
        for table in tables.iter_mut().filter(|table| table.name == "ports") {
            let meaning = "bytes of data packets in its switch that wait for this output now; 0 for a host's own port";
            table.columns.push(Column::new("waiting", "B", meaning, waiting.clone()));
            let meaning = "whether packets wait for the link now and flow control lets none of them start";
            table.columns.push(Column::new("held", "", meaning, held.clone()));
        }
        tables
    }

    /// By port: bytes that wait for it in its switch, and whether flow control holds it.
    fn at_ports(&mut self) -> (Vec<u64>, Vec<bool>) {
        let (sample, lanes) = (self.fabric.sample_now(), self.fabric.lanes());
        let mut waiting = vec![0; sample.channels.len() / lanes];
        for one in sample.waiting.iter().filter(|one| one.buffer != SOURCE) {
            waiting[one.output as usize / lanes] += one.bytes;
        }
        let held = sample.channels.chunks(lanes).map(|lanes| lanes.iter().any(|lane| lane.held)).collect();
        (waiting, held)
    }
}
