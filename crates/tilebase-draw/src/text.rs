//! Text for XML.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_markup_and_control_characters() {
        assert_eq!(xml("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
        assert!(!xml("\u{1b}[2J\u{0}\u{ffff}").contains(['\u{1b}', '\u{0}', '\u{ffff}']));
    }
}
