//! Numbers for people.

/// Groups the digits of a natural number by three: 1,234,567.
pub fn grouped(number: impl core::fmt::Display) -> String {
    let mut text = number.to_string();
    let places = (1..text.len()).rev().skip(2).step_by(3);
    places.for_each(|place| text.insert(place, ','));
    text
}

/// Returns a quantity of no unit, with a prefix: 254 M, 4.2 k.
pub fn metric(quantity: f64) -> String {
    let prefixes = [(1e9, " G"), (1e6, " M"), (1e3, " k")];
    let known = prefixes.into_iter().find(|(unit, _)| quantity >= *unit);
    let (unit, prefix) = known.unwrap_or((1.0, ""));
    let scaled = quantity / unit;
    let decimals = usize::from(scaled < 10.0 && unit > 1.0);
    format!("{scaled:.decimals$}{prefix}")
}
