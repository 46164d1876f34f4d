//! The parts of estimates from tables, which belong to `pdb-rt`.

use pdb_core::{Board, Goal, RootError};
use pdb_rt::{AnyPlain, AnySum, Database, PatternValue, WalkingAxis, WalkingCounts};

use crate::parts::{Part, counted, joined, mark};

/// Takes the estimate of a database apart.
pub(crate) fn parts(database: &Database, goal: &Goal, board: &Board) -> Result<Part, RootError> {
    if let Some([vertical, horizontal]) = database.walking() {
        let whole = Part::of("walking").plus("vertical", axis(&vertical, board, "row")?);
        return Ok(whole.plus("horizontal", axis(&horizontal, board, "column")?));
    }
    if let Some(coloured) = database.coloured() {
        let slides = coloured.slides(board)?;
        let text = format!(
            "{} of one or more tiles, so at least as many moves of single tiles",
            counted(slides, "slide")
        );
        return Ok(Part::of("coloured").text(text).field("slides", slides).plus_moves(slides));
    }
    match (database.additive(), database.plain()) {
        (Some(sum), _) => additive(&sum, goal, board),
        (None, Some(patterns)) => plain(&patterns, goal, board),
        (None, None) => Ok(Part::of("plain").field("patterns", Vec::<Part>::new())),
    }
}

/// Returns K. Takahashi's table of an axis: tiles by their line and their home line.
fn axis(axis: &WalkingAxis<'_>, board: &Board, word: &str) -> Result<Part, RootError> {
    let WalkingCounts { lines, blank_line, blank_home, value } = axis.parts(board)?;
    let columns = |numbers: &[u8]| joined(numbers.iter().map(|number| format!("{number:>3}")), "");
    let part = Part::default().text(format!(
        "from {word} to {word}: {}; tiles from {word} k, and the blank (.):",
        counted(value, "move")
    ));
    let homes = columns(&(1..=lines.len() as u8).collect::<Vec<_>>());
    let mut part = part.text(format!("{:width$} k ={homes}", "", width = word.len() + 6));
    for (line, counts) in lines.iter().enumerate() {
        let blank = match (line == blank_line, line == blank_home) {
            (true, true) => "  . at home",
            (true, false) => "  .",
            (false, true) => "  home of .",
            (false, false) => "",
        };
        let counts = columns(counts);
        part = part.text(format!("in {word} {:>2}   {counts}{blank}", line + 1));
    }
    let part = part.field("lines", lines).field("blank", blank_line + 1);
    Ok(part.field("blank_home", blank_home + 1).plus("moves", value))
}

/// Returns a pattern and its Manhattan distance, which needs no table.
fn pattern(value: &PatternValue, goal: &Goal, board: &Board) -> (Part, u32) {
    let cells = board.cells_by_tile();
    let distance = |&tile: &u8| goal.shape().distance(cells[usize::from(tile)], goal.home(tile));
    let manhattan = value.tiles.iter().map(distance).sum();
    let part = Part::default().field("tiles", value.tiles.clone()).plus("moves", value.value);
    (part.field("manhattan", manhattan), manhattan)
}

/// Returns the text of a mirror image.
fn mirror(of: Option<usize>) -> String {
    of.map_or_else(String::new, |of| format!(", mirror image of {of}"))
}

/// Takes a sum of partitions apart: the first of those with the largest sum counts. The patterns of
/// a mirror image are in the order of the mirrored partition.
fn additive(sum: &AnySum<'_>, goal: &Goal, board: &Board) -> Result<Part, RootError> {
    let found = sum.parts(board)?;
    let homes = |pattern: &PatternValue| goal.homes(pattern.tiles.iter().copied());
    let homes: Vec<Vec<_>> =
        found.iter().map(|patterns| patterns.iter().map(homes).collect()).collect();
    let told = |value: &PatternValue| {
        let (part, manhattan) = pattern(value, goal, board);
        let (tiles, moves) = (joined(&value.tiles, " "), value.value);
        let beyond = moves.saturating_sub(manhattan);
        part.text(format!("{tiles}: {moves}, {beyond} beyond Manhattan distance"))
    };
    let sums = found.iter().map(|patterns| patterns.iter().map(|pattern| pattern.value).sum());
    let (lead, estimate) = largest(sums);
    let partition = |(i, (patterns, of)): (usize, (&Vec<PatternValue>, Option<usize>))| {
        let (of, counts) = (of.map(|of| of + 1), i == lead);
        let patterns: Vec<Part> = patterns.iter().map(told).collect();
        let part = Part::default().plus("patterns", patterns).with_moves();
        let text = format!("partition {}{}: {}{}", i + 1, mirror(of), part.sum(), mark(counts));
        part.text(text).field("mirror_of", of).field("counts", counts)
    };
    let partitions = found.iter().zip(goal.mirrored(&homes)).enumerate().map(partition);
    let whole = Part::of("additive").plus_moves(estimate);
    Ok(whole.field("partitions", partitions.collect::<Vec<_>>()))
}

/// Takes plain patterns apart: the first of those with the largest value counts.
fn plain(plain: &AnyPlain<'_>, goal: &Goal, board: &Board) -> Result<Part, RootError> {
    let found = plain.parts(board)?;
    let homes = |pattern: &PatternValue| vec![goal.homes(pattern.tiles.iter().copied())];
    let homes: Vec<_> = found.iter().map(homes).collect();
    let (lead, estimate) = largest(found.iter().map(|pattern| pattern.value));
    let part = |(i, (value, of)): (usize, (&PatternValue, Option<usize>))| {
        let (of, counts) = (of.map(|of| of + 1), i == lead);
        let (tiles, moves) = (joined(&value.tiles, " "), value.value);
        let text = format!("pattern {}{}: {tiles}: {moves}{}", i + 1, mirror(of), mark(counts));
        let part = pattern(value, goal, board).0.text(text);
        let part = if of.is_some() { part.field("mirror_of", of) } else { part };
        part.field("counts", counts)
    };
    let patterns = found.iter().zip(goal.mirrored(&homes)).enumerate().map(part);
    let whole = Part::of("plain").plus_moves(estimate);
    Ok(whole.field("patterns", patterns.collect::<Vec<_>>()))
}

/// Returns the place of the first of the largest values, and the value.
fn largest(values: impl Iterator<Item = u32>) -> (usize, u32) {
    let first = |best: (usize, u32), next: (usize, u32)| if next.1 > best.1 { next } else { best };
    values.enumerate().reduce(first).unwrap_or_default()
}
