//! Congestion trees, seen: at regular times the fabric is looked at, and the trees in it are found and followed.
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
use look::{Look, Ways};

/// Looks at the fabric every so often and takes down its trees.
#[derive(Debug)]
pub(crate) struct Trees {
    /// The next look.
    pub(crate) due: Time,
    every: Span,
    /// A look to be filled in again.
    pub(crate) blank: Look,
    history: History,
}

impl Trees {
    pub(crate) fn new(every: Span, lanes: usize) -> Self {
        let every = Span(every.0.max(1));
        Self { due: Time::START + every, every, blank: Look::default(), history: History::new(every, lanes as u32) }
    }

    pub(crate) fn seen(&mut self, look: Look, ways: &dyn Ways) {
        self.history.add(look.at, &analyse(&look, ways));
        self.blank = look;
        self.due += self.every;
    }

    pub(crate) fn finish(&mut self, end: Time) {
        self.history.finish(end);
    }

    pub(crate) fn tables(self, names: &Names) -> Vec<Table> {
        self.history.tables(names)
    }
}
