//! Errors of a call: a number for programs and a sentence for people.

use std::fmt::Display;

/// The kinds, with the numbers that `congestree.h` gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailureKind {
    Argument = 1,
    Closed = 2,
    Busy = 3,
    Scenario = 4,
    Refused = 5,
    Fault = 6,
}

/// Why a call is not carried out: its kind, and the fact and the remedy in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CallFailure {
    pub(crate) kind: FailureKind,
    pub(crate) reason: String,
}

impl FailureKind {
    /// A failure of this kind.
    pub(crate) fn because(self, reason: impl Display) -> CallFailure {
        CallFailure { kind: self, reason: reason.to_string() }
    }
}

/// The result of a call.
pub(crate) type Answer<T> = Result<T, CallFailure>;
