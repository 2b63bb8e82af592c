//! GOAL files are read correctly, written so that they can be read back, and refused with clear messages.

use congestree_kernel::Rng;
use congestree_traffic::{Rehearsal, programs};
use congestree_units::Rate;

use super::*;

fn program(text: &str) -> Program {
    read(text).unwrap_or_else(|errors| panic!("{errors:?}")).program
}

fn refused(text: &str) -> String {
    let errors = read(text).expect_err("it should be refused");
    errors.iter().map(|t| format!("{}: {}", t.at, t.fact)).collect::<Vec<String>>().join("; ")
}

#[test]
fn a_file_says_what_it_should() {
    let text = "// two ranks\nnum_ranks 2\nrank 0 { l1: send 10b to 1 tag 5 cpu 1 nic 2; l2: calc 100 cpu 3\n\
                /* a comment */ l2 irequires l1 }\nrank 1 {\nrecv 10b from -1 tag -1\n}\n";
    let program = program(text);
    let operations = program.operations();
    assert_eq!(operations[0], RankOperation { action: Action::Send { to: 1, tag: 5, bytes: 10 }, cpu: 1, nic: 2 });
    assert_eq!(operations[1], RankOperation { action: Action::Compute { time: Span::from_ns(100) }, cpu: 3, nic: 0 });
    assert_eq!(operations[2], Action::Receive { from: ANY, tag: ANY, bytes: 10 }.into());
    assert_eq!(program.followers(0).collect::<Vec<_>>(), [(1, Until::Started)]);
}

#[test]
fn labels_may_be_used_before_they_are_given_and_look_like_keywords() {
    let text = "num_ranks 1 rank 0 { b requires a a: calc 1 cpu: calc 2 b: calc 3 rank requires cpu rank: calc 4 }";
    let program = program(text);
    assert_eq!(program.operations().len(), 4);
    assert_eq!(program.followers(0).collect::<Vec<_>>(), [(2, Until::Finished)]);
    assert_eq!(program.followers(1).collect::<Vec<_>>(), [(3, Until::Finished)]);
}

#[test]
fn what_is_made_reads_back_as_it_was_written() {
    for n in [1, 2, 5, 8] {
        for builder in [
            programs::all_reduce_ring(n, 1000, Some(Rate::from_gbps(8))),
            programs::all_reduce_doubling(n, 1000, None),
            programs::barrier(n, 0),
            programs::mpifft(n, 4096, 3, Span::from_us(2), programs::ExchangeOrder::AtOnce),
        ] {
            let made = builder.build().expect("there is no cycle");
            assert_eq!(program(&write(&made)), made);
        }
    }
}

#[test]
fn random_programs_read_back_as_they_were_written() {
    for round in 0..200 {
        let mut rng = Rng::stream(round, "goal", 0);
        let ranks = 2 + rng.below(5) as u32;
        let mut builder = Builder::new(ranks);
        for rank in 0..ranks {
            for id in 0..rng.below(8) as u32 {
                let peer = (rank + 1 + rng.below(u64::from(ranks) - 1) as u32) % ranks;
                let any = |rng: &mut Rng, n: u32| if rng.below(4) == 0 { ANY } else { n };
                let (tag, bytes) = (rng.below(3) as u32, rng.below(1 << 40));
                let action = match rng.below(3) {
                    0 => Action::Send { to: peer, tag, bytes },
                    1 => Action::Receive { from: any(&mut rng, peer), tag: any(&mut rng, tag), bytes },
                    _ => Action::Compute { time: Span::from_ns(rng.below(1 << 30)) },
                };
                let operation = RankOperation { action, cpu: rng.below(3) as u8, nic: rng.below(2) as u8 };
                builder.add(rank, operation, &[]);
                for before in 0..id {
                    match rng.below(4) {
                        0 => builder.wait(rank, id, before, Until::Finished),
                        1 => builder.wait(rank, id, before, Until::Started),
                        _ => {}
                    }
                }
            }
        }
        let made = builder.build().expect("operations wait for earlier ones only");
        assert_eq!(program(&write(&made)), made);
        // Whatever it is, it can be executed.
        let rehearsal = Rehearsal::of(&made);
        assert!(rehearsal.waiting.len() <= rehearsal.unfinished);
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let one = |body: &str| format!("num_ranks 2 rank 0 {{ {body} }}");
    for (text, said) in [
        (String::new(), "0: expected `num_ranks`, found the end of the file"),
        ("num_ranks 0".into(), "10: there cannot be 0 ranks"),
        ("num_ranks 99999999999999999999999".into(), "10: the number is too large"),
        ("num_ranks 2 rank 2 {}".into(), "17: there is no rank 2: there are 2, counted from 0"),
        ("num_ranks 2 rank 0 {} rank 0 {}".into(), "27: rank 0 is written twice"),
        ("num_ranks 1 rank 0 {".into(), "20: expected an operation, a dependency, or `}`, found the end of the file"),
        ("num_ranks 1 /* rank".into(), "12: expected `rank` or the end of the file, found a comment that does not end"),
        (one("send 5 to 1"), "28: expected `b`, found \"to\""),
        (one("send 5b from 1"), "29: expected `to`, found \"from\""),
        (one("send 5b to -1"), "32: a message cannot go to any rank"),
        (one("send 5b to 7"), "32: there is no rank 7: there are 2, counted from 0"),
        (one("send 5b to 0"), "32: rank 0 would send to itself"),
        (one("send 5b to 1 tag -1"), "38: a message cannot have any tag"),
        (one("recv 5b from 1 tag 4294967295"), "40: 4294967295 is too large for a tag"),
        (one("calc 5 cpu 256"), "32: there is no cpu 256"),
        (one("calc 2000000000000000"), "26: that is longer than 11 days"),
        (one("sing 5"), "21: there is no operation `sing`"),
        (one("a: calc 1 a: calc 2"), "31: the label `a` is given twice in rank 0"),
        (one("a: calc 1 b requires a"), "31: rank 0 has no operation with the label `b`"),
        (
            one("a: calc 1 b: calc 1 a requires b b irequires a"),
            "24: 2 operations of rank 0 wait for each other in a cycle",
        ),
        (one("% calc"), "21: expected an operation, a dependency, or `}`, found \"%\""),
    ] {
        assert_eq!(refused(&text), said, "{text}");
    }
}

/// Random combinations of pieces of files are read or refused, and nothing else happens.
#[test]
fn no_text_is_too_strange() {
    const PIECES: &[&str] = &[
        "num_ranks",
        "2",
        "rank",
        "0",
        "{",
        "}",
        ":",
        ";",
        "send",
        "recv",
        "calc",
        "b",
        "to",
        "from",
        "tag",
        "cpu",
        "nic",
        "-1",
        "-",
        "//",
        "/*",
        "*/",
        "\n",
        "requires",
        "irequires",
        "a",
        "l1",
        "1",
        "18446744073709551616",
        "é",
        "\u{0}",
        "num_ranks 2 rank 0 {",
        "a: calc 1",
        "send 8b to 1 tag 3",
        "}",
    ];
    let mut read_well = 0;
    for round in 0..20_000 {
        let mut rng = Rng::stream(round, "fuzz", 0);
        let mut text = if rng.below(2) == 0 { "num_ranks 2 ".to_owned() } else { String::new() };
        for _ in 0..rng.below(24) {
            text += PIECES[rng.below(PIECES.len() as u64) as usize];
            if rng.below(4) > 0 {
                text.push(' ');
            }
        }
        match read(&text) {
            Ok(goal) => {
                read_well += 1;
                assert_eq!(program(&write(&goal.program)), goal.program);
            }
            Err(errors) => assert!(!errors.is_empty() && errors.iter().all(|t| t.at <= text.len()), "{text}"),
        }
    }
    assert!(read_well > 100, "{read_well}");
}
