use pdb_core::numbers::{grouped, metric};

#[test]
fn digits_are_grouped_by_three_and_quantities_have_a_prefix() {
    for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
        assert_eq!(grouped(number), text);
    }
    for (quantity, text) in [(0.4, "0"), (999.0, "999"), (4200.0, "4.2 k"), (254e6, "254 M")] {
        assert_eq!(metric(quantity), text);
    }
}
