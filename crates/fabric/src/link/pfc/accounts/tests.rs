//! Accounts of a switch, byte by byte.

use congestree_units::Bytes;
use proptest::prelude::*;

use super::*;
use crate::plan::Headroom;

const OWN: Own = Own { room: 5_000, xoff: 3_000, xon: 1_000 };

#[test]
fn a_pause_is_asked_for_above_xoff_and_ends_at_xon() {
    let mut account = Account::of(OWN);
    assert_eq!(account.take(3_000), Taken::Kept);
    assert_eq!(account.take(1), Taken::Crossed);
    assert_eq!(account.take(1_999), Taken::Kept);
    assert_eq!(account.take(1), Taken::Refused);
    let mut given = |size| {
        account.give(size);
        account.ends_own()
    };
    assert!(!given(3_999));
    assert!(given(1));
    assert!(!given(1_000));
}

fn pool(threshold: Threshold) -> SharedMemory {
    sharing_headroom(threshold, None)
}

fn sharing_headroom(threshold: Threshold, headroom_pool: Option<Bytes>) -> SharedMemory {
    let (size, reserved) = (Bytes(0), Bytes(500));
    let plan = SharedPlan { size, reserved, headroom: Headroom::Needed, headroom_pool, lossy_alpha: 0.5 };
    SharedMemory::new(10_000, &plan, threshold)
}

const HALF: Threshold = Threshold::Dynamic { alpha: 0.5, for_rate: None, offset: Bytes(1_000) };

fn port(headroom: u64) -> AtPort {
    AtPort { headroom, alpha: 0.5 }
}

#[test]
fn a_dynamic_threshold_is_a_share_of_what_is_free() {
    let (mut pool, mut account) = (pool(HALF), Account::default());
    // 500 are reserved; with alpha = 1/2 a third of the 10,000 shared bytes is used when it equals alpha times
    // the rest.
    let mut kept = 0;
    while account.take_shared(&mut pool, 100, port(1_000), None) == Taken::Kept {
        kept += 100;
    }
    assert_eq!((kept, pool.used, account.above), (3_800, 3_300, 100));
    // Another account now has a lower threshold.
    let mut other = Account::default();
    let mut kept = 0;
    while other.take_shared(&mut pool, 100, port(1_000), None) == Taken::Kept {
        kept += 100;
    }
    assert_eq!(kept, 500 + 2_200);
}

#[test]
fn a_full_headroom_refuses_and_a_pause_ends_below_the_offset() {
    let (mut pool, mut account) =
        (pool(Threshold::Static { xoff: Some(Bytes(2_000)), xon: Some(Bytes(500)) }), Account::default());
    assert_eq!(account.take_shared(&mut pool, 2_500, port(300), None), Taken::Kept);
    assert_eq!(account.take_shared(&mut pool, 300, port(300), None), Taken::Crossed);
    assert_eq!(account.take_shared(&mut pool, 1, port(300), None), Taken::Refused);
    account.give_shared(&mut pool, 300 + 1_499);
    assert!(!account.ends_shared(&pool, port(300)));
    account.give_shared(&mut pool, 1);
    assert!(account.ends_shared(&pool, port(300)));
    assert_eq!((account.held, pool.used), (1_000, 500));
}

#[test]
fn without_a_threshold_a_pause_ends_below_what_all_of_the_shared_memory_is() {
    let pool = pool(Threshold::Static { xoff: None, xon: Some(Bytes(500)) });
    assert_eq!(pool.offset(), pool.size - 500);
}

#[test]
fn a_shared_headroom_is_used_up_by_all_accounts_together() {
    let threshold = Threshold::Static { xoff: Some(Bytes(0)), xon: None };
    let (mut pool, mut accounts) = (sharing_headroom(threshold, Some(Bytes(700))), [Account::default(); 2]);
    for account in &mut accounts {
        assert_eq!(account.take_shared(&mut pool, 500, port(400), None), Taken::Kept, "reserved");
    }
    let [one, other] = &mut accounts;
    assert_eq!(one.take_shared(&mut pool, 400, port(400), None), Taken::Crossed);
    assert_eq!(one.take_shared(&mut pool, 1, port(400), None), Taken::Refused, "most for one");
    assert_eq!(other.take_shared(&mut pool, 301, port(400), None), Taken::Refused, "a byte more than is left");
    assert_eq!(other.take_shared(&mut pool, 300, port(400), None), Taken::Crossed);
    one.give_shared(&mut pool, 100);
    assert_eq!((pool.above, one.above, other.above), (600, 300, 300));
    assert_eq!(other.take_shared(&mut pool, 100, port(400), None), Taken::Kept);
}

#[test]
fn a_lossy_lane_is_bounded_by_the_queue_of_its_output() {
    let (mut pool, mut account) = (pool(HALF), Account::default());
    assert_eq!(account.take_shared(&mut pool, 500, port(0), Some(9_000)), Taken::Kept);
    assert_eq!(account.take_shared(&mut pool, 100, port(0), Some(4_901)), Taken::Refused);
    assert_eq!(account.take_shared(&mut pool, 100, port(0), Some(4_900)), Taken::Kept);
}

proptest! {
    #[test]
    fn it_makes_no_difference_whether_what_is_reserved_is_taken_and_given_without_a_question(
        steps in prop::collection::vec((1u64..800, 0usize..3, any::<bool>()), 1..80),
    ) {
        let account = Account::of(Own::reserved(500));
        let threshold = Threshold::Static { xoff: Some(Bytes(600)), xon: Some(Bytes(300)) };
        let [mut asked, mut quiet] = [([account; 3], sharing_headroom(threshold, Some(Bytes(4_000)))); 2];
        let mut kept = [const { Vec::new() }; 3];
        for (size, which, gives) in steps {
            let (one, other) = (&mut asked.0[which], &mut quiet.0[which]);
            if gives {
                let Some(size) = kept[which].pop() else { continue };
                one.give_shared(&mut asked.1, size);
                if !other.give_quietly(size) {
                    other.give_shared(&mut quiet.1, size);
                    other.ends_shared(&quiet.1, port(3_000));
                }
                one.ends_shared(&asked.1, port(3_000));
            } else {
                let lossy = (which == 0).then_some(0);
                let taken = one.take_shared(&mut asked.1, size, port(3_000), lossy);
                let took = match other.take_quietly(size) {
                    true => Taken::Kept,
                    false => other.take_shared(&mut quiet.1, size, port(3_000), lossy),
                };
                prop_assert_eq!(taken, took);
                kept[which].extend((taken != Taken::Refused).then_some(size));
            }
            let counts = |account: &Account| (account.held, account.above, account.most, account.pausing);
            prop_assert_eq!(counts(one), counts(other));
            prop_assert_eq!((asked.1.used, asked.1.above), (quiet.1.used, quiet.1.above));
        }
    }

    #[test]
    fn what_is_taken_is_given_back(sizes in prop::collection::vec((1u64..2_000, 0usize..3), 1..60)) {
        let mut pool = sharing_headroom(HALF, Some(Bytes(4_000)));
        let mut accounts = [Account::default(); 3];
        let mut kept = Vec::new();
        for (size, which) in sizes {
            let lossy = (which == 0).then_some(0);
            if accounts[which].take_shared(&mut pool, size, port(3_000), lossy) != Taken::Refused {
                kept.push((size, which));
            }
            prop_assert!(pool.used <= pool.size);
            let shared: u64 = accounts.iter().map(|account| account.held.saturating_sub(500)).sum();
            prop_assert_eq!(shared, pool.used);
            prop_assert_eq!(accounts.iter().map(|account| account.above).sum::<u64>(), pool.above);
            prop_assert!(pool.above <= pool.headroom);
        }
        for (size, which) in kept {
            accounts[which].give_shared(&mut pool, size);
            accounts[which].ends_shared(&pool, port(3_000));
        }
        prop_assert_eq!((pool.used, pool.above), (0, 0));
        prop_assert!(accounts.iter().all(|account| account.bytes() == 0 && !account.pausing));
    }
}
