//! Named steps of a program: which of its operations begin and end a collective operation, or another part that has a
//! name, so that a run can tell how long each took and who held it.
//!
//! A step begins at a rank when an operation that takes no time ([`IDLE`]) is reached, and ends there with another one.

/// A part of a program that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// As the trace or the program has it.
    pub name: String,
    /// What is done, such as `all-reduce`.
    pub operation: &'static str,
    /// The whole vector, or what all ranks send together (B).
    pub bytes: u64,
    /// How many ranks take part.
    pub ranks: u32,
}

/// The steps of a program, and where they begin and end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// All of them.
    pub list: Vec<Step>,
    /// Operations that begin or end a step, in order of their ids.
    pub(crate) bounds: Vec<Bound>,
}

/// An operation at a bound of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound {
    /// The operation.
    pub operation: u32,
    /// The step.
    pub step: u32,
    /// It ends here; otherwise it begins.
    pub ends: bool,
}

impl Steps {
    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The bound that an operation is, if it is one.
    pub fn bound(&self, operation: u32) -> Option<Bound> {
        let at = self.bounds.binary_search_by_key(&operation, |bound| bound.operation).ok()?;
        Some(self.bounds[at])
    }
}
