//! When the named steps of a job begin and end: collective operations, and whatever else its program names.

use congestree_probes::{Column, Table};
use congestree_traffic::programs::rank_steps::may_bound;
use congestree_traffic::steps::Bound;
use congestree_units::Time;

use crate::jobs::ranks::{Course, Job, Ranks};
use crate::jobs::tables::seconds;

impl Job {
    /// The records of the steps of all rounds, before anything has happened.
    pub(super) fn no_courses(plan: &crate::plan::JobPlan) -> Vec<Course> {
        let steps = &plan.program.steps().list;
        let rounds = (0..plan.repeat).flat_map(|_| steps.iter());
        rounds
            .map(|step| Course {
                begun: Time::NEVER,
                joined: (Time::START, 0),
                ended: (Time::START, 0),
                left: step.ranks,
            })
            .collect()
    }

    /// An operation of a rank has finished: it may begin or end a step.
    pub(super) fn note_step(&mut self, now: Time, rank: u32, id: u32) {
        let program = &self.plan.program;
        let steps = program.steps();
        if steps.is_empty() || !may_bound(&program.operations()[id as usize]) {
            return;
        }
        let Some(Bound { step, ends, .. }) = steps.bound(id) else { return };
        let round = self.plan.repeat - 1 - self.ranks[rank as usize].rounds_left;
        let course = &mut self.courses[round as usize * steps.list.len() + step as usize];
        if ends {
            course.ended = course.ended.max((now, rank));
            course.left -= 1;
        } else {
            course.begun = course.begun.min(now);
            course.joined = course.joined.max((now, rank));
        }
    }
}

impl Ranks {
    /// A table with one row for each step and round, if any job has steps.
    pub(super) fn step_table(&self) -> Option<Table> {
        let rows = || {
            self.jobs.iter().flat_map(|job| {
                let steps = &job.plan.program.steps().list;
                let all = job.courses.iter().enumerate();
                all.map(move |(at, course)| (job, at / steps.len(), at % steps.len(), course))
            })
        };
        rows().next()?;
        let step = |job: &Job, at: usize| job.plan.program.steps().list[at].clone();
        let joined = |course: &Course| if course.begun == Time::NEVER { f64::NAN } else { course.joined.0.as_secs() };
        let ended = |course: &Course| if course.left == 0 { seconds(course.ended.0) } else { f64::NAN };
        let columns = vec![
            Column::new("job", "", "traffic entry", rows().map(|x| x.0.plan.name.clone()).collect::<Vec<_>>()),
            Column::new("round", "", "number of the repetition", rows().map(|x| x.1 as u32).collect::<Vec<_>>()),
            Column::new(
                "step",
                "",
                "number of the step in its program",
                rows().map(|x| x.2 as u32).collect::<Vec<_>>(),
            ),
            Column::new("name", "", "name in the program", rows().map(|x| step(x.0, x.2).name).collect::<Vec<_>>()),
            Column::new(
                "operation",
                "",
                "operation that the step performs",
                rows().map(|x| step(x.0, x.2).operation.to_owned()).collect::<Vec<_>>(),
            ),
            Column::new("bytes", "B", "the whole vector", rows().map(|x| step(x.0, x.2).bytes).collect::<Vec<_>>()),
            Column::new("ranks", "", "ranks that take part", rows().map(|x| step(x.0, x.2).ranks).collect::<Vec<_>>()),
            Column::new(
                "started",
                "s",
                "when the first of these ranks began (nan: not before the end of the run)",
                rows().map(|x| seconds(x.3.begun)).collect::<Vec<_>>(),
            ),
            Column::new(
                "joined",
                "s",
                "when the last of the ranks that began did so (nan: none before the end of the run)",
                rows().map(|x| joined(x.3)).collect::<Vec<_>>(),
            ),
            Column::new("latest", "", "the rank that began last", rows().map(|x| x.3.joined.1).collect::<Vec<_>>()),
            Column::new(
                "finished",
                "s",
                "when all of these ranks had finished (nan: not before the end of the run)",
                rows().map(|x| ended(x.3)).collect::<Vec<_>>(),
            ),
            Column::new("last", "", "the rank that finished last", rows().map(|x| x.3.ended.1).collect::<Vec<_>>()),
            Column::new(
                "time",
                "s",
                "time from when the last rank began until all had finished: without the time that ranks wait for each other",
                rows().map(|x| ended(x.3) - joined(x.3)).collect::<Vec<_>>(),
            ),
        ];
        Some(Table { name: "steps", columns })
    }
}
