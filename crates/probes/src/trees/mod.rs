//! Observing congestion trees: the fabric is looked at at regular times (`recorder/looks.rs`), and the trees in it are
//! found and followed.
//!
//! [`look`] is the data of a look, [`analyse`] finds the trees in it, and `history` follows them and makes the tables.

pub mod analyse;
mod history;
pub mod look;
#[cfg(test)]
mod tests;

use congestree_units::{Span, Time};

use crate::{Names, Table};
use analyse::analyse;
use history::History;
use look::{Look, NextChannels};

/// Records the trees of every look.
#[derive(Debug)]
pub(crate) struct Trees {
    history: History,
}

impl Trees {
    /// For looks at this interval.
    pub(crate) fn new(every: Span, lanes: usize) -> Self {
        Self { history: History::new(every, lanes as u32) }
    }

    pub(crate) fn seen(&mut self, look: &Look, ways: &dyn NextChannels) {
        self.history.add(look.at, &analyse(look, ways));
    }

    pub(crate) fn finish(&mut self, end: Time) {
        self.history.finish(end);
    }

    pub(crate) fn tables(self, names: &Names) -> Vec<Table> {
        self.history.tables(names)
    }
}
