//! Weights as text.

use pdb_search::{Weight, WeightError};

#[test]
fn weights_are_read_and_written_in_lowest_terms() {
    for (text, expected) in [
        ("2", "2"),
        ("3/2", "3/2"),
        ("1.50", "3/2"),
        ("162/38", "81/19"),
        ("7/7", "1"),
        ("01.250", "5/4"),
        ("10000/9999", "10000/9999"),
        ("20000/2", "10000"),
    ] {
        let weight: Weight = text.parse().unwrap();
        assert_eq!(weight.to_string(), expected);
        assert_eq!(expected.parse(), Ok(weight));
        assert_eq!(Weight::new(weight.numerator(), weight.denominator()), Ok(weight));
    }
    assert_eq!(Weight::default(), Weight::ONE);
}

#[test]
fn errors_of_bad_weights_say_what_to_do() {
    let syntax = |found: &str| WeightError::Syntax { found: found.to_owned() };
    for text in
        ["", "W", "-2", "+2", "1,5", ".5", "1.", "/2", "3/", "1/2/3", "3/0", "1.5/2", " 2", "2e3"]
    {
        assert_eq!(text.parse::<Weight>(), Err(syntax(text)), "{text:?}");
    }
    for text in ["10001", "99999999999999", "1.00000000000001", "1.0001", "9999999999/3"] {
        let found = text.parse::<Weight>().unwrap_err();
        assert!(matches!(found, WeightError::TooLarge { max: 10_000, .. }), "{text:?}: {found}");
    }
    let found = "99999999999999".to_owned();
    assert_eq!(found.parse::<Weight>(), Err(WeightError::TooLarge { found, max: 10_000 }));
    for (text, numerator, denominator) in [("0", 0, 1), ("0.5", 1, 2), ("19/81", 19, 81)] {
        let below = WeightError::BelowOne { numerator, denominator };
        assert_eq!(text.parse::<Weight>(), Err(below), "{text:?}");
    }
    assert_eq!(
        "x".parse::<Weight>().unwrap_err().to_string(),
        "expected a weight such as 2, 3/2 or 1.5, found \"x\": write a whole number, a ratio of two \
         or a decimal"
    );
}
