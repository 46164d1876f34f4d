//! Readings of a text without brackets: divisions into rows and cells.

/// Division of a text into rows of cells.
#[derive(Clone, Debug)]
pub(super) struct Reading<'a> {
    /// The cells, each a slice of the text; a blank may be empty. A text without row separators is
    /// one row.
    pub(super) rows: Vec<Vec<&'a str>>,
    /// Rank by likelihood, if no reading is a board: the smallest is the most likely.
    pub(super) rank: u8,
    /// Whether another reading has one empty cell. Then no number stands for the blank.
    pub(super) has_gap: bool,
    /// Whether the text has an empty cell that this reading omits. Then it is no board.
    pub(super) is_lossy: bool,
}

impl<'a> Reading<'a> {
    /// Creates a reading of cells that are neither very likely nor unlikely.
    pub(super) fn new(rows: Vec<Vec<&'a str>>) -> Self {
        Self { rows, rank: 2, has_gap: false, is_lossy: false }
    }

    pub(super) fn cell_count(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    fn empty_count(&self) -> usize {
        self.rows.iter().flatten().filter(|cell| cell.is_empty()).count()
    }

    /// Returns whether all rows have the same number of cells.
    pub(super) fn is_even(&self) -> bool {
        self.rows.iter().all(|row| row.len() == self.rows[0].len())
    }

    /// Returns whether one cell of a board is empty.
    fn has_one_gap(&self) -> bool {
        self.empty_count() == 1 && self.is_even()
    }

    /// Marks the reading as one that omits an empty cell.
    fn lossy(self) -> Self {
        Self { is_lossy: true, rank: 4, ..self }
    }
}

/// Characters that are the blank in every notation, besides 0.
pub(super) const BLANK_SIGNS: &str = "._-–—*□■▢◻◼☐⬚⬜⬛█░○●◯·•";

/// Returns whether a character is a vertical line of a box.
pub(super) fn is_bar(c: char) -> bool {
    "|│┃┆┇┊┋╎╏║".contains(c)
}

/// Returns whether a line is decoration: `+---+---+`, `|---|---|`, `├───┼───┤`, `-----`, a line
/// around code in Markdown, or a remark in PDDL.
///
/// Dashes and underscores also stand for the blank, but no row has two blanks.
pub(super) fn is_ruler(line: &str) -> bool {
    let line = line.trim();
    if line.starts_with("```") || line.starts_with(";;") || is_lisp_remark(line) {
        return true;
    }
    let is_box = |c: char| ('\u{2500}'..='\u{257f}').contains(&c);
    if !line.chars().all(|c| c.is_whitespace() || "|+-=_:".contains(c) || is_box(c)) {
        return false;
    }
    let has_bar = line.contains(is_bar);
    let is_dash = |c: &char| "-_".contains(*c);
    line.contains(|c| "+=".contains(c) || is_box(c) && !is_bar(c))
        || line.contains("--")
        || line.contains("__")
        || has_bar && line.chars().filter(is_dash).count() >= 2
}

/// Returns whether a line is a remark in PDDL: `; words`.
fn is_lisp_remark(line: &str) -> bool {
    line.strip_prefix("; ").is_some_and(|text| text.chars().take(2).all(char::is_alphabetic))
}

fn is_space(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// Returns all readings of a text, the likeliest first.
pub(super) fn readings(text: &str) -> Vec<Reading<'_>> {
    let lines = text.split('\n').filter(|line| !is_ruler(line) && has_word(line));
    let lines: Vec<&str> = lines.collect();
    let rows: Vec<&str> = lines.iter().flat_map(|line| rows_of(line)).filter(has_word).collect();
    let mut all = if rows.iter().any(|row| row.contains(is_bar)) {
        with_bars(&rows)
    } else {
        without_bars(&rows, rows.len() == lines.len())
    };
    all.extend(of_lines(&lines));
    if all.iter().any(Reading::has_one_gap) {
        for drawn in all.iter_mut().filter(|drawn| drawn.empty_count() == 0) {
            drawn.has_gap = true;
        }
    }
    all.sort_by_key(|drawn| drawn.rank);
    all
}

/// Returns the rows of a line: strings of several cells, or its parts between separators.
fn rows_of(line: &str) -> Vec<&str> {
    let quote = line.trim_start().chars().next().filter(|c| "\"'".contains(*c));
    if let Some(quote) = quote {
        let parts: Vec<&str> = line.split(quote).collect();
        let strings = || parts.iter().skip(1).step_by(2);
        let is_between = |part: &&str| part.chars().all(|c| is_space(c) || c == '/');
        if parts.len() > 4
            && parts.iter().step_by(2).all(is_between)
            && strings().all(|row| row.trim().contains(is_space))
        {
            return strings().copied().collect();
        }
    }
    line.split(['/', ';']).collect()
}

/// Returns whether a row has more than white space.
fn has_word(row: &&str) -> bool {
    !row.trim().is_empty()
}

/// Returns the readings of whole lines: one cell on each, or semicolons between cells.
fn of_lines<'a>(lines: &[&'a str]) -> Vec<Reading<'a>> {
    if lines.len() > 1 && lines.iter().all(is_word) {
        let column: Vec<&str> = lines.iter().map(|line| unwrapped(line.trim())).collect();
        // Longer words are rows of digits.
        let are_tiles = are_tiles(&column);
        let rank = if are_tiles && column.len() > 3 { 1 } else { 3 };
        return vec![Reading { rank, ..Reading::new(vec![column]) }];
    }
    if lines.is_empty() || !lines.iter().all(|line| line.contains(';')) {
        return Vec::new();
    }
    let mut all = with_empty_cells(lines, &|c| c == ';');
    for drawn in all.iter_mut().filter(|drawn| drawn.is_even() && drawn.rows[0].len() > 1) {
        drawn.rank = 1;
    }
    all
}

/// Returns whether a line is a single word without separators.
fn is_word(line: &&str) -> bool {
    !line.trim().contains(|c: char| is_space(c) || is_bar(c) || "/;".contains(c))
}

fn without_bars<'a>(rows: &[&'a str], are_lines: bool) -> Vec<Reading<'a>> {
    let words = words(rows, is_space);
    if has_empty_cell(rows, |c| c == ',') || are_shifted(rows, ',') {
        return [with_empty_cells(rows, &|c| c == ','), vec![words.lossy()]].concat();
    }
    let mut all = compact(&words.rows, true);
    if rows.iter().all(|row| is_word(row) && has_dash(row)) {
        all.extend(with_empty_cells(rows, &|c| c == '-'));
    }
    if rows.iter().any(|row| row.contains(',')) {
        all.extend(with_empty_cells(rows, &|c| c == ','));
    }
    // Extra tabs are common, so only rows of one length show an empty cell.
    if rows.len() > 1 && rows.iter().any(|row| row.contains('\t')) {
        all.extend(with_empty_cells(rows, &|c| c == '\t'));
    }
    let tab_count = |row: &str| row.matches('\t').count();
    let have_columns = are_lines && rows.iter().all(|row| tab_count(row) == tab_count(rows[0]));
    all.push(if have_columns && are_shifted(rows, '\t') { words.lossy() } else { words });
    all
}

fn with_bars<'a>(rows: &[&'a str]) -> Vec<Reading<'a>> {
    // 1. Bars between cells.
    let mut all = with_empty_cells(rows, &is_bar);
    for drawn in &mut all {
        drawn.rank = drawn.rank.min(2);
    }
    // 2. Bars between rows.
    let parts: Vec<&str> = rows.iter().flat_map(|row| row.split(is_bar)).filter(has_word).collect();
    let by_bars = words(&parts, is_space);
    all.extend(compact(&by_bars.rows, false));
    if parts.iter().any(|row| row.contains(',')) {
        all.extend(with_empty_cells(&parts, &|c| c == ','));
    }
    all.push(by_bars);
    // 3. Bars for the eye only, where something else separates the rows.
    if rows.len() > 1 {
        let by_rows = words(rows, |c| is_space(c) || is_bar(c));
        all.push(if has_empty_cell(rows, is_bar) { by_rows.lossy() } else { by_rows });
    }
    all
}

/// Returns whether a cell between two separators is empty.
fn has_empty_cell(rows: &[&str], is_separator: impl Fn(char) -> bool + Copy) -> bool {
    rows.iter().any(|row| {
        let mut cells = row.split(is_separator).skip(1).peekable();
        std::iter::from_fn(|| cells.next().filter(|_| cells.peek().is_some()))
            .any(|cell| !has_word(&cell))
    })
}

/// Returns whether a row begins or ends with an empty cell in a column that has cells in others.
fn are_shifted(rows: &[&str], separator: char) -> bool {
    let cells = |row: &&str| {
        let mut cells = row.split(separator).enumerate().filter(|(_, cell)| has_word(cell));
        let first = cells.next().map_or(0, |(at, _)| at);
        (first, cells.last().map_or(first, |(at, _)| at), row.matches(separator).count())
    };
    let cells: Vec<(usize, usize, usize)> = rows.iter().map(cells).collect();
    let last_of_all = cells.iter().map(|(_, last, _)| *last).max();
    cells.iter().any(|(first, last, separators)| {
        *first != cells[0].0 || last < separators && Some(*last) < last_of_all
    })
}

/// Returns whether a row has a dash between two cells.
fn has_dash(row: &&str) -> bool {
    row.split_once('-').is_some_and(|(cell, rest)| {
        !cell.is_empty() && rest.starts_with(|c: char| c.is_alphanumeric() || "._".contains(c))
    })
}

/// Divides rows at white space, commas and other separators.
fn words<'a>(rows: &[&'a str], is_space: impl Fn(char) -> bool + Copy) -> Reading<'a> {
    let words = |row: &&'a str| {
        row.split(is_space).filter(|word| !word.is_empty()).map(unwrapped).collect()
    };
    Reading::new(rows.iter().map(words).filter(|row: &Vec<_>| !row.is_empty()).collect())
}

/// Returns a cell without the quotes or the signs of bold type around it.
pub(super) fn unwrapped(cell: &str) -> &str {
    let within = |sign: &str| {
        let inner = cell.strip_prefix(sign)?.strip_suffix(sign)?;
        // A quoted cell may be empty.
        (!inner.is_empty() || "\"'".contains(sign)).then(|| inner.trim())
    };
    ["\"", "'", "`", "**", "__"].into_iter().find_map(within).unwrap_or(cell)
}

/// Divides rows at separators, with empty cells. Each cell has at most one word, or there is no
/// reading.
fn with_empty_cells<'a>(rows: &[&'a str], is_separator: &dyn Fn(char) -> bool) -> Vec<Reading<'a>> {
    let split = |row: &&'a str| row.split(is_separator).map(trimmed).map(unwrapped).collect();
    let rows: Vec<Vec<&str>> = rows.iter().map(split).collect();
    if rows.is_empty() || rows.iter().flatten().any(|cell| cell.contains(is_space)) {
        return Vec::new();
    }
    // A separator at one end of every row is a frame or has an empty cell beyond it. At both ends
    // it is a frame.
    let all_have =
        |end: fn(&Vec<&'a str>) -> bool| rows.iter().all(|row| row.len() > 1 && end(row));
    let at_start = all_have(|row| row[0].is_empty());
    let at_end = all_have(|row| row[row.len() - 1].is_empty());
    let without_ends = |row: &Vec<&'a str>| {
        let cells = &row[usize::from(at_start)..];
        cells[..cells.len().saturating_sub(usize::from(at_end))].to_vec()
    };
    let drawn = |rows| {
        let mut drawn = Reading { rank: 3, ..Reading::new(rows) };
        // Without an empty cell, commas are white space. A frame has no rank of its own.
        if drawn.has_one_gap() {
            drawn.rank = 1;
        }
        drawn
    };
    let stripped = drawn(rows.iter().map(without_ends).collect());
    // Several empty columns are not the board's.
    let empty_count = |row: &Vec<&str>| row.iter().rev().take_while(|cell| cell.is_empty()).count();
    let empty_columns = rows.iter().map(empty_count).min().unwrap_or(0);
    let shortened = (empty_columns > 1 && !at_start)
        .then(|| drawn(rows.iter().map(|row| row[..row.len() - empty_columns].to_vec()).collect()));
    let whole = (at_start != at_end).then(|| drawn(rows));
    shortened.into_iter().chain([stripped]).chain(whole).collect()
}

/// Returns a cell without the space around it. For a cell of spaces, an empty slice at its middle,
/// which can be marked.
fn trimmed(cell: &str) -> &str {
    let trimmed = cell.trim();
    if trimmed.is_empty() {
        let middle = cell.floor_char_boundary(cell.len() / 2);
        return &cell[middle..middle];
    }
    trimmed
}

/// Divides words into cells of one character each.
///
/// A word is a row where each row has one word, or where it cannot be a tile. With `rows_hold` the
/// rows are certain: then two digits may be two cells.
pub(super) fn compact<'a>(rows: &[Vec<&'a str>], rows_hold: bool) -> Vec<Reading<'a>> {
    let drawn = |rows, is_likely| {
        let rank = if is_likely { 0 } else { 3 };
        Reading { rank, ..Reading::new(rows) }
    };
    let mut words = rows.iter().flatten();
    let Some(first) = words.next() else {
        return Vec::new();
    };
    let are_rows = rows.iter().all(|row| row.len() == 1);
    if rows_hold && are_rows {
        if rows.iter().flatten().all(|word| is_one_char(word)) {
            return Vec::new();
        }
        // `9/10/11` looks like a column of tiles.
        let are_tiles = are_tiles(rows.iter().flatten());
        let chars = rows.iter().flatten().flat_map(|word| word.chars());
        let (good, bad): (Vec<_>, Vec<_>) =
            chars.partition(|c| c.is_ascii_alphanumeric() || BLANK_SIGNS.contains(*c));
        let is_likely = good.len() > bad.len() && !are_tiles;
        let rows = rows.iter().map(|row| chars_of(row)).collect();
        return vec![drawn(rows, is_likely)];
    }
    let length = first.chars().count();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let are_groups = length > 1
        && words.all(|word| word.chars().count() == length)
        && (length > 2 || !rows.iter().flatten().all(is_number));
    if !are_groups {
        return Vec::new();
    }
    // Spaces may separate rows, or group digits. Several dots are those of decimals.
    let is_likely = rows.iter().flatten().filter(|word| word.contains('.')).count() < 2;
    let by_word = rows.iter().flatten().map(|word| chars_of(&[word])).collect();
    let by_row = rows.iter().map(|row| chars_of(row)).collect();
    vec![drawn(by_word, is_likely), drawn(by_row, false)]
}

/// Returns whether words look like tiles, not like rows of digits.
fn are_tiles<'a>(words: impl IntoIterator<Item = &'a &'a str, IntoIter: Clone>) -> bool {
    let is_tile = |word: &&str| word.len() < 3 && word.bytes().all(|b| b.is_ascii_digit());
    let mut words = words.into_iter();
    words.clone().all(is_tile) && words.any(|word| word.len() == 1)
}

fn is_one_char(word: &str) -> bool {
    word.chars().nth(1).is_none()
}

fn chars_of<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let chars = |word: &'a str| word.char_indices().map(|(at, c)| &word[at..at + c.len_utf8()]);
    words.iter().copied().flat_map(chars).collect()
}
