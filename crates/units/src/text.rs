//! Quantities as people write them: a number, a space if they like, and a unit.
