//! The tokens of Rust code.

/// Returns the words, `::` and other signs of a text one by one, without comments and literals.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let is_literal = |token: &&str| is_string(token) || token.len() > 1 && token.ends_with('\'');
    tokens_and_literals(text).into_iter().filter(|token| !is_literal(token)).collect()
}

/// Returns whether a token is a string literal.
pub(super) fn is_string(token: &str) -> bool {
    token.ends_with('"') || token.ends_with('#') && token.len() > 1
}

/// Returns the words, `::`, other signs and literals of a text one by one, without comments.
pub(super) fn tokens_and_literals(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(end) = raw_text(rest) {
            end
        } else if first == '"' {
            1 + text_end(&rest[1..], '"')
        } else if first == '\'' {
            // A lifetime has no quote after its first character.
            let mut after = rest[1..].chars();
            match (after.next(), after.next()) {
                (Some('\\'), _) | (Some(_), Some('\'')) => 1 + text_end(&rest[1..], '\''),
                _ => 1,
            }
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        if !first.is_whitespace() && !rest.starts_with("//") && !rest.starts_with("/*") {
            tokens.push(&rest[..len]);
        }
        rest = &rest[len..];
    }
    tokens
}

/// Returns the length of a raw string at the start of a text.
fn raw_text(text: &str) -> Option<usize> {
    let quoted = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let hashes = quoted.len() - quoted.trim_start_matches('#').len();
    let inner = quoted[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", &quoted[..hashes]);
    Some(text.len() - inner.len() + inner.find(&end)? + end.len())
}

/// Returns the length of a literal after its first quote, with its last quote.
fn text_end(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        if c == quote && !is_escaped {
            return at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

/// Returns the end of an item at `at` that is compiled only for tests.
pub(super) fn test_end(tokens: &[&str], at: usize) -> Option<usize> {
    let attribute = tokens.get(at..)?.strip_prefix(&["#", "[", "cfg", "("])?;
    let attribute = &attribute[..attribute.iter().position(|&token| token == "]")?];
    if !attribute.contains(&"test") || attribute.contains(&"not") {
        return None;
    }
    let item = at + 5 + attribute.len();
    let is_import =
        tokens[item..].iter().find(|token| ["use", "{"].contains(token)) == Some(&"use");
    let mut open = 0;
    for (end, &token) in tokens.iter().enumerate().skip(item) {
        match token {
            "{" => open += 1,
            "}" => open -= 1,
            _ => {}
        }
        if open == 0 && (token == ";" || token == "}" && !is_import) {
            return Some(end + 1);
        }
    }
    Some(tokens.len())
}
