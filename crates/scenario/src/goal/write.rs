//! A program as a GOAL file. Labels are l0, l1, ... in every rank; computations are rounded to whole nanoseconds, the
//! resolution of GOAL.

use std::fmt::Write;

use congestree_traffic::program::{ANY, Action, Program, Until};

/// Picoseconds in the unit of `calc`.
const PS_PER_NS: u64 = 1_000;

/// The text of a program; reading it gives the same program, except for fractions of nanoseconds.
pub fn write(program: &Program) -> String {
    let mut text = format!("num_ranks {}\n", program.ranks());
    // Writing into a string cannot fail.
    let mut say = |line: std::fmt::Arguments<'_>| {
        let _ = text.write_fmt(line);
    };
    for rank in 0..program.ranks() {
        let all = program.of_rank(rank);
        say(format_args!("\nrank {rank} {{\n"));
        for id in all.clone() {
            let operation = program.operations()[id as usize];
            say(format_args!("l{}: ", id - all.start));
            match operation.action {
                Action::Send { to, tag, bytes } => say(format_args!("send {bytes}b to {to} tag {tag}")),
                Action::Receive { from, tag, bytes } => {
                    say(format_args!("recv {bytes}b from {} tag {}", or_any(from), or_any(tag)));
                }
                Action::Compute { time } => {
                    say(format_args!("calc {}", time.0.saturating_add(PS_PER_NS / 2) / PS_PER_NS))
                }
            }
            if operation.cpu > 0 {
                say(format_args!(" cpu {}", operation.cpu));
            }
            if operation.nic > 0 {
                say(format_args!(" nic {}", operation.nic));
            }
            say(format_args!("\n"));
        }
        for id in all.clone() {
            for (follower, until) in program.followers(id) {
                let word = if until == Until::Finished { "requires" } else { "irequires" };
                say(format_args!("l{} {word} l{}\n", follower - all.start, id - all.start));
            }
        }
        say(format_args!("}}\n"));
    }
    text
}

fn or_any(number: u32) -> String {
    if number == ANY { "-1".to_owned() } else { number.to_string() }
}
