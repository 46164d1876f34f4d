//! The tokens of Rust code outside tests.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::has_word;

/// Returns the tokens of a file without the items that are compiled only for tests; none if the
/// compiler would refuse it.
pub(super) fn tokens(text: &str) -> Vec<TokenTree> {
    text.parse().map_or_else(|_| Vec::new(), without_tests)
}

/// Returns the tokens of a stream without the items that are compiled only for tests.
pub(super) fn without_tests(stream: TokenStream) -> Vec<TokenTree> {
    let mut kept = Vec::new();
    let mut tokens = stream.into_iter().peekable();
    while let Some(token) = tokens.next() {
        if !is_sign(&token, '#') || !tokens.peek().is_some_and(is_test) {
            kept.push(token);
            continue;
        }
        let mut is_import = false;
        for token in tokens.by_ref() {
            is_import |= is_word(&token, "use");
            if is_sign(&token, ';') || !is_import && is_group(&token, Delimiter::Brace) {
                break;
            }
        }
    }
    kept
}

/// Returns whether the brackets of an attribute are those of a condition for tests.
fn is_test(token: &TokenTree) -> bool {
    let text = token.to_string();
    is_group(token, Delimiter::Bracket)
        && text.trim_start_matches(['[', ' ']).starts_with("cfg")
        && has_word(&text, "test")
        && !has_word(&text, "not")
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
