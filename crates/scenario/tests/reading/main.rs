//! How scenario files are read: their meaning, the diagnostics about wrong ones, and that nothing else happens.

mod fabrics;
mod fuzz;
mod malformed;
mod meaning;
mod older_names;
mod random;
mod shelf;
mod valid;
