//! The tokens of Rust code outside tests.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::has_word;

/// Returns the tokens of a file outside tests; none if the compiler would refuse it.
pub(super) fn tokens(text: &str) -> Vec<TokenTree> {
    let stream: TokenStream = untested(text).parse().unwrap_or_default();
    stream.into_iter().collect()
}

/// Returns a text with its lines, but without what is compiled only for tests: items of one line,
/// and all from a module of tests on, which is the last item of a file. Other items stay.
pub(super) fn untested(text: &str) -> String {
    let (mut kept, mut lines) = (String::new(), text.lines());
    while let Some(line) = lines.next() {
        if !line.starts_with("#[cfg(") || !has_word(line, "test") || has_word(line, "not") {
            kept += line;
        } else {
            let item = lines.next().unwrap_or_default();
            if item.starts_with("#[") || has_word(item, "mod") && item.ends_with('{') {
                break;
            }
            kept.push('\n');
            kept += if item.ends_with([';', '}']) { "" } else { item };
        }
        kept.push('\n');
    }
    kept
}

pub(super) fn is_group(token: &TokenTree, delimiter: Delimiter) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == delimiter)
}

pub(super) fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(found) if found.as_char() == sign)
}

pub(super) fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(found) if *found == word)
}

/// Returns the tokens after `::`.
pub(super) fn after_colons(tokens: &[TokenTree]) -> Option<&[TokenTree]> {
    let [first, second, after @ ..] = tokens else { return None };
    (is_sign(first, ':') && is_sign(second, ':')).then_some(after)
}
