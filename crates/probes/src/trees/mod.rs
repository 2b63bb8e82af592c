//! Congestion trees, seen: at regular times the fabric is looked at (`recorder/looks.rs`), and the trees in it are found and
//! followed.
//!
//! [`look`] is what is looked at, [`analyse`] finds the trees in a look, `history` follows them and makes the tables.

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

/// Takes down the trees of every look.
#[derive(Debug)]
pub(crate) struct Trees {
    history: History,
}

impl Trees {
    /// For looks so far apart.
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
