//! GOAL files: the programs of all ranks as text, as LogGOPSim reads them [hoefler2009goal].
//!
//! ```text
//! num_ranks 2
//! rank 0 {
//!   l1: send 10b to 1 tag 5
//!   l2: calc 100
//!   l2 requires l1
//! }
//! rank 1 { r: recv 10b from 0 tag 5 }
//! ```
//!
//! `calc` counts nanoseconds. `a requires b`: a starts when b has finished; `a irequires b`: when b has started. A tag
//! that is not given is 0; -1 is any rank or tag. `cpu` and `nic` name a processor and an adapter of the rank.
//! Statements may be separated by line breaks, semicolons or nothing; labels belong to their rank, and may be used
//! before they are defined.

mod table;
mod text;
mod write;

use std::collections::HashMap;

use congestree_traffic::program::{ANY, Action, Builder, Local, MOST_OPERATIONS, Program, RankOperation, Until};
use congestree_units::Span;

use crate::diagnostic::{Diagnostic, Diagnostics, name as name_of};
use crate::tree::line_and_column;
pub use table::{facts, table};
use text::{Piece, Pieces, Token};
pub use write::write;

/// A valid GOAL file.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The program of all ranks.
    pub program: Program,
    /// Position of each operation in the text, in bytes.
    pub places: Vec<usize>,
}

/// An error in a GOAL file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalError {
    /// Position in the text, in bytes.
    pub at: usize,
    /// What is the case.
    pub fact: String,
    /// What to do about it.
    pub remedy: String,
}

/// Reads the GOAL file of this name; diagnostics give line and column.
pub fn read_file(text: &str, name: &str) -> Result<Goal, Diagnostics> {
    read(text).map_err(|errors| {
        let list = errors.into_iter().map(|error| {
            let (line, column) = line_and_column(text, error.at);
            Diagnostic {
                file: None,
                path: String::new(),
                line: Some(line),
                column: Some(column),
                fact: error.fact,
                remedy: error.remedy,
            }
        });
        Diagnostics { name: name.to_owned(), list: list.collect() }.sorted()
    })
}

/// More ranks than this are certainly an error.
pub(crate) const MOST_RANKS: u64 = 1 << 22;
/// Computations of more nanoseconds would not fit in the clock.
const LONGEST: u64 = 1_000_000_000_000_000;
/// Larger messages could not be sent within a run.
const LARGEST: u64 = 1_000_000_000_000_000;
/// No more errors than this are reported.
const MOST_ERRORS: usize = 20;

/// Reads a GOAL file: its content, or all its errors (the first few, if there are many).
pub fn read(text: &str) -> Result<Goal, Vec<GoalError>> {
    let mut reader = Reader { pieces: Pieces::new(text), errors: Vec::new() };
    match reader.file() {
        Some((draft, places)) if reader.errors.is_empty() => draft.build().map_or_else(
            |cycle| {
                let first = places[cycle.rank as usize].get(cycle.operations[0] as usize);
                let length = cycle.operations.len();
                let fact = format!("{length} operations of rank {} wait for each other in a cycle", cycle.rank);
                Err(vec![error(first.copied().unwrap_or(0), fact, "take one of their dependencies out")])
            },
            |program| Ok(Goal { program, places: places.concat() }),
        ),
        _ => {
            reader.errors.truncate(MOST_ERRORS);
            Err(reader.errors)
        }
    }
}

fn error(at: usize, fact: impl Into<String>, remedy: impl Into<String>) -> GoalError {
    GoalError { at, fact: fact.into(), remedy: remedy.into() }
}

struct Reader<'a> {
    pieces: Pieces<'a>,
    errors: Vec<GoalError>,
}

/// A dependency as written: the operation that waits, the one it waits for, for its start or end, and the position in
/// the text.
type Wait<'a> = (&'a str, &'a str, Until, usize);

/// What was read; `None` if nothing more can be read, because of an error that has been recorded.
type Read<T> = Option<T>;

impl<'a> Reader<'a> {
    /// Records an error and gives up.
    fn fail<T>(&mut self, at: usize, fact: impl Into<String>, remedy: impl Into<String>) -> Read<T> {
        self.errors.push(error(at, fact, remedy));
        None
    }

    fn expected<T>(&mut self, piece: Piece<'a>, what: &str) -> Read<T> {
        let fact = format!("expected {what}, found {}", piece.token.described());
        self.fail(piece.at, fact, "`congestree goal make barrier --ranks 3` prints a GOAL file, to compare with")
    }

    fn number(&mut self, what: &str) -> Read<(u64, usize)> {
        let piece = self.pieces.next();
        match piece.token {
            Token::Number(Some(number)) => Some((number, piece.at)),
            Token::Number(None) => self.fail(piece.at, "the number is too large", "write a number below 2^64"),
            _ => self.expected(piece, what),
        }
    }

    /// A rank or a tag: a number, or -1 for any.
    fn number_or_any(&mut self, what: &str) -> Read<(u32, usize)> {
        if let Token::Any = self.pieces.peek().token {
            return Some((ANY, self.pieces.next().at));
        }
        let (number, at) = self.number(what)?;
        match u32::try_from(number) {
            Ok(number) if number != ANY => Some((number, at)),
            _ => self.fail(at, format!("{number} is too large for {what}"), "write a number below 2^32 - 1"),
        }
    }

    fn word(&mut self, word: &str) -> Read<usize> {
        let piece = self.pieces.next();
        if piece.token == Token::Word(word) { Some(piece.at) } else { self.expected(piece, &format!("`{word}`")) }
    }

    fn sign(&mut self, sign: char) -> Read<usize> {
        let piece = self.pieces.next();
        if piece.token == Token::Sign(sign) { Some(piece.at) } else { self.expected(piece, &format!("`{sign}`")) }
    }

    /// The whole file: a program under construction, and the positions of the operations, rank by rank.
    fn file(&mut self) -> Read<(Builder, Vec<Vec<usize>>)> {
        self.word("num_ranks")?;
        let (ranks, at) = self.number("the number of ranks")?;
        if ranks == 0 || ranks > MOST_RANKS {
            let fact = format!("there cannot be {ranks} ranks");
            return self.fail(at, fact, format!("write a number from 1 to {MOST_RANKS}"));
        }
        let mut builder = Builder::new(ranks as u32);
        let mut places = vec![Vec::new(); ranks as usize];
        let mut written = vec![false; ranks as usize];
        loop {
            let piece = self.pieces.next();
            match piece.token {
                Token::End => return Some((builder, places)),
                Token::Sign(';') => {}
                Token::Word("rank") => {
                    let (rank, at) = self.number("the number of a rank")?;
                    if rank >= ranks {
                        let fact = format!("there is no rank {rank}: there are {ranks}, counted from 0");
                        return self.fail(at, fact, "correct the number, or num_ranks");
                    }
                    if std::mem::replace(&mut written[rank as usize], true) {
                        return self.fail(at, format!("rank {rank} is written twice"), "join the two");
                    }
                    self.sign('{')?;
                    self.rank(rank as u32, ranks as u32, &mut builder, &mut places[rank as usize])?;
                }
                _ => return self.expected(piece, "`rank` or the end of the file"),
            }
        }
    }

    /// The content of the brackets of a rank.
    fn rank(&mut self, rank: u32, ranks: u32, builder: &mut Builder, places: &mut Vec<usize>) -> Read<()> {
        let mut labels: HashMap<&'a str, Local> = HashMap::new();
        let mut waits: Vec<Wait<'a>> = Vec::new();
        loop {
            let piece = self.pieces.next();
            let word = match piece.token {
                Token::Sign('}') => break,
                Token::Sign(';') => continue,
                Token::Word(word) => word,
                _ => return self.expected(piece, "an operation, a dependency, or `}`"),
            };
            let follows = self.pieces.peek().token;
            let (label, verb, at) = match follows {
                Token::Sign(':') => {
                    self.pieces.next();
                    let verb = self.pieces.next();
                    let Token::Word(name) = verb.token else {
                        return self.expected(verb, "`send`, `recv` or `calc`");
                    };
                    (Some(word), name, verb.at)
                }
                Token::Word(kind @ ("requires" | "irequires")) => {
                    self.pieces.next();
                    let other = self.pieces.next();
                    let Token::Word(before) = other.token else { return self.expected(other, "a label") };
                    let until = if kind == "requires" { Until::Finished } else { Until::Started };
                    waits.push((word, before, until, piece.at));
                    continue;
                }
                _ => (None, word, piece.at),
            };
            let operation = self.operation(verb, at, rank, ranks)?;
            if builder.len() >= MOST_OPERATIONS - 1 {
                return self.fail(at, "there are more operations than can be counted", "split the program");
            }
            let id = builder.add(rank, operation, &[]);
            places.push(at);
            if let Some(label) = label
                && labels.insert(label, id).is_some()
            {
                let fact = format!("the label {} is given twice in rank {rank}", name_of(label));
                return self.fail(piece.at, fact, "give every operation of a rank a label of its own");
            }
        }
        for (after, before, until, at) in waits {
            for label in [after, before] {
                if !labels.contains_key(label) {
                    let fact = format!("rank {rank} has no operation with the label {}", name_of(label));
                    self.errors.push(error(at, fact, "labels are known in their rank only; correct it"));
                }
            }
            if let (Some(&after), Some(&before)) = (labels.get(after), labels.get(before)) {
                builder.wait(rank, after, before, until);
            }
        }
        Some(())
    }

    fn operation(&mut self, verb: &str, at: usize, rank: u32, ranks: u32) -> Read<RankOperation> {
        let action = match verb {
            "calc" => {
                let (ns, at) = self.number("nanoseconds")?;
                if ns > LONGEST {
                    return self.fail(at, "that is longer than 11 days", "calc counts nanoseconds");
                }
                Action::Compute { time: Span::from_ns(ns) }
            }
            "send" | "recv" => {
                let sends = verb == "send";
                let (bytes, at) = self.number("a number of bytes")?;
                self.word("b")?;
                if bytes > LARGEST {
                    return self.fail(at, format!("{bytes} bytes are too many for a message"), "make it smaller");
                }
                self.word(if sends { "to" } else { "from" })?;
                let (peer, at) = self.number_or_any("a rank")?;
                if peer == ANY && sends {
                    return self.fail(at, "a message cannot go to any rank", "only recv may say -1");
                }
                if peer != ANY && peer >= ranks {
                    let fact = format!("there is no rank {peer}: there are {ranks}, counted from 0");
                    return self.fail(at, fact, "correct the number, or num_ranks");
                }
                if peer == rank {
                    let fact = format!("rank {rank} would send to itself");
                    return self.fail(at, fact, "take the message out, or let it compute for as long");
                }
                let tag = self.tag(sends)?;
                match sends {
                    true => Action::Send { to: peer, tag, bytes },
                    false => Action::Receive { from: peer, tag, bytes },
                }
            }
            _ => {
                let fact = format!("there is no operation {}", name_of(verb));
                return self.fail(at, fact, "operations are send, recv and calc");
            }
        };
        let (cpu, nic) = (self.unit("cpu")?, self.unit("nic")?);
        Some(RankOperation { action, cpu, nic })
    }

    fn tag(&mut self, sends: bool) -> Read<u32> {
        if !self.pieces.follows_with_number("tag") {
            return Some(0);
        }
        self.pieces.next();
        let (tag, at) = self.number_or_any("a tag")?;
        if tag == ANY && sends {
            return self.fail(at, "a message cannot have any tag", "only recv may say -1");
        }
        Some(tag)
    }

    /// `cpu` or `nic` with a number; 0 if it is absent.
    fn unit(&mut self, word: &str) -> Read<u8> {
        if !self.pieces.follows_with_number(word) {
            return Some(0);
        }
        self.pieces.next();
        let (number, at) = self.number("a number")?;
        match u8::try_from(number) {
            Ok(number) => Some(number),
            Err(_) => self.fail(at, format!("there is no {word} {number}"), "write a number from 0 to 255"),
        }
    }
}

#[cfg(test)]
mod tests;
