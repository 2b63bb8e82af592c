//! Results of jobs and their ranks as tables, and which ranks wait for what in a job that cannot go on.

use congestree_probes::{Column, Table};
use congestree_traffic::rehearsal::described;
use congestree_units::Time;

use crate::jobs::ranks::{Job, Rank, Ranks};
use crate::jobs::under_way::Leg;
use crate::observe::still::Still;
use crate::plan::Plan;

impl Still<'_> {
    /// Tables of the jobs and their ranks, if there are any.
    pub(crate) fn job_tables(&self, plan: &Plan) -> Vec<Table> {
        self.ranks.map_or_else(Vec::new, |ranks| {
            [ranks.job_table(), ranks.rank_table(plan)].into_iter().chain(ranks.step_table()).collect()
        })
    }
}

impl Ranks {
    /// Which ranks wait for what in a job that cannot go on.
    pub(super) fn stuck(&self, job: &Job) -> String {
        const SHOWN: usize = 3;
        let program = &job.plan.program;
        let waits = job.mailboxes.posted().map(|id| {
            let action = program.operations()[id as usize].action;
            format!("rank {} waits for {}", program.rank_of(id), described(action))
        });
        let requests = job.mailboxes.arrived().map(|message| self.under_way[message as usize]);
        let unanswered = requests.filter(|message| message.leg == Leg::Request).map(|message| {
            let action = program.operations()[message.send as usize].action;
            format!("rank {} waits until somebody receives {}", program.rank_of(message.send), described(action))
        });
        let all: Vec<String> = waits.chain(unanswered).collect();
        let more = all.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(", and {more} more wait") } else { String::new() };
        let shown: Vec<String> = all.into_iter().take(SHOWN).collect();
        format!("job {} cannot go on: {}{more}; nothing of it is under way", job.plan.name, shown.join(", "))
    }

    fn job_table(&self) -> Table {
        fn each<T>(jobs: &[Job], pick: impl Fn(&Job) -> T) -> Vec<T> {
            jobs.iter().map(pick).collect()
        }
        let jobs = &self.jobs;
        let sum = |pick: fn(&Rank) -> u64| each(jobs, |job| job.ranks.iter().map(pick).sum::<u64>());
        let slowest = |job: &Job| {
            if job.finished == Time::NEVER {
                return NO_RANK;
            }
            let last = job.ranks.iter().enumerate().max_by_key(|(rank, own)| (own.finished, std::cmp::Reverse(*rank)));
            last.map_or(0, |(rank, _)| rank as u32)
        };
        Table {
            name: "jobs",
            columns: vec![
                Column::new("job", "", "traffic entry", each(jobs, |job| job.plan.name.clone())),
                Column::new("ranks", "", "number of ranks (processes)", each(jobs, |job| job.ranks.len() as u32)),
                Column::new("repeat", "", "how often each rank runs its program", each(jobs, |job| job.plan.repeat)),
                Column::new(
                    "messages",
                    "",
                    "messages sent, including those through memory within a host",
                    sum(|rank| rank.messages),
                ),
                Column::new("bytes", "B", "payload of these messages", sum(|rank| rank.bytes)),
                Column::new("started", "s", "when its ranks started", each(jobs, |job| job.plan.start.as_secs())),
                Column::new(
                    "finished",
                    "s",
                    "when its last rank finished (nan: not before the end of the run)",
                    each(jobs, |job| seconds(job.finished)),
                ),
                Column::new(
                    "completion",
                    "s",
                    "time from the start of the job until its last rank finished",
                    each(jobs, |job| seconds(job.finished) - job.plan.start.as_secs()),
                ),
                Column::new(
                    "slowest",
                    "",
                    "the rank that finished last (4294967295: the job did not finish)",
                    each(jobs, slowest),
                ),
            ],
        }
    }

    fn rank_table(&self, plan: &Plan) -> Table {
        let all: Vec<(&Job, u32, &Rank)> = self
            .jobs
            .iter()
            .flat_map(|job| job.ranks.iter().enumerate().map(move |(rank, own)| (job, rank as u32, own)))
            .collect();
        let host = |job: &Job, rank: u32| plan.graph.hosts[job.plan.hosts[rank as usize].index()].clone();
        Table {
            name: "ranks",
            columns: vec![
                Column::new("job", "", "traffic entry", all.iter().map(|x| x.0.plan.name.clone()).collect::<Vec<_>>()),
                Column::new("rank", "", "number of the rank", all.iter().map(|x| x.1).collect::<Vec<u32>>()),
                Column::new(
                    "host",
                    "",
                    "host on which the rank runs",
                    all.iter().map(|x| host(x.0, x.1)).collect::<Vec<String>>(),
                ),
                Column::new(
                    "finished",
                    "s",
                    "when the rank finished (nan: not before the end of the run)",
                    all.iter().map(|x| seconds(x.2.finished)).collect::<Vec<f64>>(),
                ),
                Column::new(
                    "completion",
                    "s",
                    "time from the start of the job until the rank finished",
                    all.iter().map(|x| seconds(x.2.finished) - x.0.plan.start.as_secs()).collect::<Vec<f64>>(),
                ),
                Column::new(
                    "computing",
                    "s",
                    "total time of its computations, sum over all its processors",
                    all.iter().map(|x| x.2.computing.as_secs()).collect::<Vec<f64>>(),
                ),
                Column::new(
                    "exposed",
                    "s",
                    "time from the start of the job until the rank finished in which none of its processors computed",
                    all.iter()
                        .map(|x| seconds(x.2.finished) - x.0.plan.start.as_secs() - x.2.busy.total().as_secs())
                        .collect::<Vec<f64>>(),
                ),
                Column::new(
                    "messages",
                    "",
                    "messages that the rank sent, including those through memory within a host",
                    all.iter().map(|x| x.2.messages).collect::<Vec<u64>>(),
                ),
                Column::new(
                    "bytes",
                    "B",
                    "payload of these messages",
                    all.iter().map(|x| x.2.bytes).collect::<Vec<u64>>(),
                ),
            ],
        }
    }
}

pub(super) fn seconds(at: Time) -> f64 {
    if at == Time::NEVER { f64::NAN } else { at.as_secs() }
}

/// The slowest rank of a job that has not finished: any of those that still run may be the last.
const NO_RANK: u32 = u32::MAX;
