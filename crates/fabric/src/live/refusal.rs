//! Calls that cannot be carried out: why, and what to do about it.

use congestree_units::Time;

use super::{InjectedMessage, Live};
use crate::observe::outcome::Stop;

/// A call that cannot be carried out, with fact and remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
    pub fact: String,
    /// What to do about it.
    pub remedy: &'static str,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.fact, self.remedy)
    }
}

impl std::error::Error for Refusal {}

pub(super) fn refuse<T>(fact: impl Into<String>, remedy: &'static str) -> Result<T, Refusal> {
    Err(Refusal { fact: fact.into(), remedy })
}

/// Largest message (B): larger ones could not be sent within a run.
const LARGEST: u64 = 1_000_000_000_000_000;

impl Live {
    /// A message can be given to its host at this instant.
    pub(super) fn check_message(&self, at: Time, message: &InjectedMessage) -> Result<(), Refusal> {
        self.check_time(at)?;
        let hosts = self.plan.graph.hosts.len() as u32;
        if let Some(host) = [message.from, message.to].into_iter().find(|&host| host >= hosts) {
            return refuse(format!("there is no host {host}: there are {hosts}, counted from 0"), "name one of them");
        }
        if message.from == message.to {
            let fact = format!("{} would send to itself", self.name_of(message.from));
            return refuse(fact, "carry it out without the network");
        }
        if message.bytes == 0 || message.bytes > LARGEST {
            return refuse(format!("a message of {} B cannot be sent", message.bytes), "give it 1 B to 10^15 B");
        }
        if !self.accounts.contains_key(&(message.class, message.from)) {
            let fact = format!("{} sends no injected messages of entry {}", self.name_of(message.from), message.class);
            return refuse(fact, "name an entry with arrivals = \"injected\", and a host in its from");
        }
        Ok(())
    }

    /// A call about this instant is possible.
    pub(super) fn check_time(&self, at: Time) -> Result<(), Refusal> {
        self.check_stop()?;
        let (now, end) = (self.fabric.now, self.fabric.rules.end);
        if at < now {
            return refuse(format!("{at} is in the past: it is {now}"), "give a time from now on");
        }
        if at > end {
            return refuse(format!("{at} is after {end}, the end of the scenario"), "raise measure.duration");
        }
        Ok(())
    }

    /// The simulation has not come to a stop by itself.
    pub(super) fn check_stop(&self) -> Result<(), Refusal> {
        match &self.fabric.records.stop {
            None => Ok(()),
            Some(stop) => {
                let what = match stop {
                    Stop::Deadlock(_) => "packets wait for each other in a cycle".to_owned(),
                    other => other.to_string(),
                };
                refuse(format!("the simulation has come to a stop at {}: {what}", self.fabric.now), "close it")
            }
        }
    }

    /// The name of a host, for error messages.
    fn name_of(&self, host: u32) -> String {
        format!("`{}`", self.plan.graph.hosts[host as usize])
    }
}
