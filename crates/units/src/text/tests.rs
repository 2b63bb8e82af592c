//! Quantities read from text and printed, and what is said of texts that are none.

use super::*;
use proptest::prelude::*;

#[test]
fn a_space_before_the_unit_is_a_matter_of_taste() {
    assert_eq!(parse_span("1.5 us"), Ok(Span(1_500_000)));
    assert_eq!(parse_span("1.5us"), Ok(Span(1_500_000)));
    assert_eq!(parse_span("1.5 µs"), parse_span("1.5 μs"));
    assert_eq!(parse_bytes("2 KiB"), Ok(Bytes(2048)));
    assert_eq!(parse_rate("100Gbps"), Ok(Rate::from_gbps(100)));
    assert_eq!(parse_rate("1 GB/s"), Ok(Rate::from_gbps(8)));
}

#[test]
fn decimals_are_exact() {
    assert_eq!(parse_span("0.000000000001 s"), Ok(Span(1)));
    assert_eq!(parse_span("0.1 s"), Ok(Span(100_000_000_000)));
    assert_eq!(parse_bytes("1.5 KiB"), Ok(Bytes(1536)));
    assert_eq!(parse_bytes("0.0009765625 KiB"), Ok(Bytes(1)));
    assert_eq!(parse_rate("0.125 B/s"), Ok(Rate(1)));
    assert!(parse_span("0.0000000000001 s").is_err());
    assert!(parse_bytes("0.1 KiB").is_err());
    assert!(parse_rate("1.5 bit/s").is_err());
}

#[test]
fn a_number_needs_a_unit() {
    let misread = parse_span("150").unwrap_err();
    assert_eq!(misread.fact, "a length of time needs a unit, found \"150\"");
    assert_eq!(misread.remedy, "write for example \"150 us\"; units are ps, ns, us, ms, s");
}

#[test]
fn a_wrong_unit_is_named_and_a_near_one_proposed() {
    assert_eq!(
        parse_span("150 parsecs").unwrap_err().fact,
        "expected a length of time such as \"150 us\", found \"150 parsecs\""
    );
    assert_eq!(parse_bytes("2 KB").unwrap_err().remedy, "did you mean \"2 kB\" or \"2 KiB\"?");
    assert_eq!(parse_rate("2 gbps").unwrap_err().remedy, "did you mean \"2 Gbps\"?");
    assert_eq!(parse_rate("2 gB/s").unwrap_err().remedy, "did you mean \"2 GB/s\"?");
}

#[test]
fn a_small_b_of_a_rate_means_bits() {
    for text in ["10 Gb/s", "10 Gb", "10Gbit", "10 Gbits/s", "10G"] {
        assert_eq!(parse_rate(text).unwrap_err().remedy, "did you mean \"10 Gbit/s\"?", "{text}");
    }
    assert_eq!(parse_rate("10 gb/s").unwrap_err().remedy, "did you mean \"10 Gbit/s\" or \"10 GB/s\"?");
    assert_eq!(parse_rate("10 Kb/s").unwrap_err().remedy, "did you mean \"10 kbit/s\"?");
}

#[test]
fn an_exponent_is_not_taken_for_a_unit() {
    for text in ["1e9 s", "1E+9 s", "2.5e-3s"] {
        let remedy = parse_span(text).unwrap_err().remedy;
        assert_eq!(remedy, "write the number out, without an exponent; units are ps, ns, us, ms, s");
    }
    assert_eq!(parse_span("1 eon").unwrap_err().remedy, "units are ps, ns, us, ms, s");
}

#[test]
fn what_cannot_be_held_is_refused() {
    for text in ["", " ", "ns", "-1 ns", ".5 ns", "1. ns", "1.2.3 ns", "1e3 ns", "٣ ns", "99999999999999999999 s"] {
        assert!(parse_span(text).is_err(), "{text}");
    }
    assert_eq!(parse_bytes("18446744073709551615 B"), Ok(Bytes(u64::MAX)));
    assert!(parse_bytes("18446744073709551616 B").is_err());
    assert!(parse_bytes(&"9".repeat(500)).is_err());
    assert!(parse_bytes(&format!("{} B", "9".repeat(500))).is_err());
    assert!(parse_bytes(&format!("0.{}1 GiB", "0".repeat(500))).is_err());
}

#[test]
fn printing_takes_the_largest_unit() {
    assert_eq!(Span(163_840).to_string(), "163.84 ns");
    assert_eq!(Span::ZERO.to_string(), "0 ns");
    assert_eq!(Bytes(65_536).to_string(), "64 KiB");
    assert_eq!(Bytes(1_000).to_string(), "1 kB");
    assert_eq!(Bytes(2_068).to_string(), "2068 B");
    assert_eq!(Rate::from_gbps(8).to_string(), "8 Gbit/s");
    assert_eq!(Rate(13_500_000_000).to_string(), "13.5 Gbit/s");
}

proptest! {
    /// What is printed reads back as the same quantity.
    #[test]
    fn printing_and_reading_are_inverse(value in prop_oneof![any::<u64>(), 0u64..10_000_000, (0u64..4000).prop_map(|n| n << 20)]) {
        prop_assert_eq!(parse_span(&Span(value).to_string()), Ok(Span(value)));
        prop_assert_eq!(parse_bytes(&Bytes(value).to_string()), Ok(Bytes(value)));
        prop_assert_eq!(parse_rate(&Rate(value).to_string()), Ok(Rate(value)));
    }

    /// No text whatever makes the readers panic.
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,40}", digits in "[0-9.]{0,60}", unit in "(ns|KiB|Gbit/s| s|B)?") {
        for text in [text, format!("{digits}{unit}")] {
            let _ = (parse_span(&text), parse_bytes(&text), parse_rate(&text));
        }
    }

    /// Files hold the printed form.
    #[test]
    fn json_round_trip(value in any::<u64>()) {
        let text = serde_json::to_string(&Rate(value)).unwrap();
        prop_assert_eq!(serde_json::from_str::<Rate>(&text).unwrap(), Rate(value));
    }
}
