//! The log of congestion events: marks belong to the last event of their lane, those of a congestion state to none.

use super::*;
use crate::Values;

fn names() -> Names {
    Names { ports: vec!["a->S".into(), "S->b".into()], nodes: vec!["a".into(), "S".into()], ..Names::default() }
}

fn column<'a>(tables: &'a [Table], table: &str, column: &str) -> &'a Values {
    let found = tables.iter().find(|t| t.name == table).expect("the table is there");
    &found.columns.iter().find(|c| c.name == column).expect("the column is there").values
}

/// A mark in a lane of an output.
fn at_output(lane: u8) -> Mark {
    let packet = SentPacket { flow: 7, injected: Time::START };
    Mark { at: Time(2_000), output: 1, lane, number: 1, flow: 7, packet, limit: 1.0, credit: 2048.0 }
}

#[test]
fn marks_belong_to_the_last_event_of_their_lane() {
    let mut log = EventLog::default();
    for lane in [0, 1] {
        log.triggered(Trigger { at: Time(1_000), output: 1, lane, input: None, before: 0, due: 2, present: 2 });
    }
    log.marked(at_output(0));
    log.marked(at_output(1));
    log.marked(at_output(2));
    let tables = log.tables(&names());
    assert_eq!(column(&tables, "marks", "event"), &Values::U32(vec![0, 1, NONE]));
    assert_eq!(column(&tables, "marks", "lane"), &Values::U32(vec![0, 1, 2]));
    assert_eq!(column(&tables, "events", "lane"), &Values::U32(vec![0, 1]));
}

#[test]
fn marks_of_a_state_need_no_event() {
    let mut log = EventLog::default();
    log.congestion(Time(1_000), 1, 0, true, 4096.0);
    let packet = SentPacket { flow: 7, injected: Time(500) };
    log.marked(Mark { at: Time(2_000), packet, ..at_output(0) });
    log.echoed(Time(5_000), packet);
    log.congestion(Time(6_000), 1, 0, false, 0.0);
    let tables = log.tables(&names());
    assert_eq!(column(&tables, "marks", "event"), &Values::U32(vec![NONE]));
    assert_eq!(column(&tables, "marks", "output"), &Values::Text(vec!["S->b".into()]));
    assert_eq!(column(&tables, "marks", "output_port"), &Values::U32(vec![1]));
    assert_eq!(column(&tables, "congestion", "output_port"), &Values::U32(vec![1, 1]));
    assert_eq!(column(&tables, "marks", "echoed"), &Values::F64(vec![Time(5_000).as_secs()]));
    assert_eq!(column(&tables, "marks", "credit"), &Values::F64(vec![2048.0]));
    assert_eq!(column(&tables, "congestion", "entered"), &Values::Bool(vec![true, false]));
    assert_eq!(column(&tables, "congestion", "time"), &Values::F64(vec![1e-9, 6e-9]));
}
