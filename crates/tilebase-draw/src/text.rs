//! Text for XML, and numbers with grouped digits.

use std::fmt::Display;

use pdb_core::excerpt::printable_text;

/// Escapes text for elements and attributes. Replaces control characters and others that XML
/// forbids.
pub fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in printable_text(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Groups the digits of a natural number by three: 1,234,567.
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Writes a quantity with a prefix and the unit, which may be empty: 4.2 kB, "254 M".
pub fn metric(quantity: f64, unit: &str) -> String {
    let (divisor, prefix) = match quantity {
        1e9.. => (1e9, "G"),
        1e6.. => (1e6, "M"),
        1e3.. => (1e3, "k"),
        _ => (1.0, ""),
    };
    let scaled = quantity / divisor;
    let decimals = usize::from(scaled < 10.0 && divisor > 1.0);
    format!("{scaled:.decimals$} {prefix}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_markup_and_control_characters() {
        assert_eq!(xml("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
        assert!(!xml("\u{1b}[2J\u{0}\u{ffff}").contains(['\u{1b}', '\u{0}', '\u{ffff}']));
    }
}
