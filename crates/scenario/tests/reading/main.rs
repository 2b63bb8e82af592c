//! How scenario files are read: what they mean, what is said about those that are wrong, and that nothing else happens.

mod fabrics;
mod fuzz;
mod malformed;
mod meaning;
mod older_names;
mod random;
mod shelf;
mod valid;
