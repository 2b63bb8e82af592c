//! A run on several cores: the network is cut into parts along links, and the parts advance side by side in windows of
//! time.
//!
//! Any influence of one part on another travels over a link: as a packet, a credit, or a frame between neighbours. So
//! nothing that happens in a window can matter to another part within the same window, if the window is no longer than
//! the least time that anything takes to cross the cut (conservative synchronisation [chandy1979], in windows as in
//! [nicol1993]). Every instant keeps its total order, which depends on ids and not on the order of scheduling, so
//! tables and fingerprints are the same as with one part.
//!
//! | file | holds |
//! | --- | --- |
//! | `cut.rs` | which node belongs to which part, how long a window may be, and what cannot be cut |
//! | `mail.rs`, `border.rs`, `deliver_mail.rs` | what crosses the cut: mail between parts, kept for them, written and read |
//! | `windows.rs`, `advance.rs` | the parts at work, and one of them by itself |
//! | `window_length.rs` | how long windows are, and how far apart parts may be |
//! | `ending.rs` | how far each goes, if the run is over when its jobs are |
//! | `barrier.rs` | where threads wait for each other |
//! | `gather.rs` | one fabric made of the parts, to look at |
//! | `samples.rs` | samples of the whole network, for the analysis of what waits |

mod advance;
mod barrier;
pub(crate) mod border;
pub(crate) mod cut;
mod deliver_mail;
mod ending;
pub(crate) mod gather;
pub(crate) mod mail;
mod samples;
mod window_length;
pub(crate) mod windows;
