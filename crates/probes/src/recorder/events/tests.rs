//! The log of congestion events: marks of a congestion state belong to no event.

use super::*;
use crate::Values;

fn names() -> Names {
    Names { ports: vec!["a->S".into(), "S->b".into()], nodes: vec!["a".into(), "S".into()], ..Names::default() }
}

fn column<'a>(tables: &'a [Table], table: &str, column: &str) -> &'a Values {
    let found = tables.iter().find(|t| t.name == table).expect("the table is there");
    &found.columns.iter().find(|c| c.name == column).expect("the column is there").values
}

#[test]
fn marks_of_a_state_need_no_event() {
    let mut log = EventLog::default();
    log.congestion(Time(1_000), 1, 0, true, 4096.0);
    log.marked(Mark { at: Time(2_000), output: 1, number: 1, flow: 7, sequence: 3, limit: 1.0, credit: 2048.0 });
    log.echoed(Time(5_000), 7, 3);
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
