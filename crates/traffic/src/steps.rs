//! Named steps of a program: which of its operations begin and end a collective operation, or another named part, so
//! that a run can report how long each took and which rank delayed it.
//!
//! A step begins at a rank when an operation that takes no time ([`IDLE`]) is reached, and ends there with another one.

/// A named part of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name in the trace or the program.
    pub name: String,
    /// What it does, such as `all-reduce`.
    pub operation: &'static str,
    /// The whole vector, or the sum of what all ranks send (B).
    pub bytes: u64,
    /// How many ranks take part.
    pub ranks: u32,
}

/// The steps of a program, and where they begin and end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// All steps.
    pub list: Vec<Step>,
    /// Operations that begin or end a step, in order of their ids.
    pub(crate) bounds: Vec<Bound>,
}

/// An operation that begins or ends a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound {
    /// The operation.
    pub operation: u32,
    /// The step.
    pub step: u32,
    /// Whether the step ends here; otherwise it begins.
    pub ends: bool,
}

impl Steps {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The step that an operation begins or ends, if it does.
    pub fn bound(&self, operation: u32) -> Option<Bound> {
        let at = self.bounds.binary_search_by_key(&operation, |bound| bound.operation).ok()?;
        Some(self.bounds[at])
    }
}
