//! What is wrong with a parameter: the place, the fact, the remedy.

use std::fmt;

/// One mistake in the parameters, described so that it can be corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Dotted path of the field below the part that reports it, such as `links.3.a`; empty for the part itself.
    pub field: String,
    /// What is wrong.
    pub fact: String,
    /// What to do about it.
    pub remedy: String,
}

impl Diagnostic {
    /// A diagnostic about `field`.
    pub fn new(field: impl Into<String>, fact: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { field: field.into(), fact: fact.into(), remedy: remedy.into() }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        write!(f, "{}; {}", self.fact, self.remedy)
    }
}
