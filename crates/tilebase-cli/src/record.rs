//! Answers as they are printed.

use std::io::{self, Write};
use std::time::Duration;

use pdb_core::notation::{MoveNaming, MoveStyle, format_moves};
use serde::Serialize;
use tilebase::{
    Answer, Board, Direction, Error, Given, LimitKind, NamedBoards, Record, Status, goal_name,
};

use crate::failure::usage;
use crate::output::{count, seconds};

/// The goal that need not be named with each answer.
const USUAL_GOAL: &str = "blank-last";

/// So many moves make a group.
const GROUP: usize = 5;
/// So many groups make a line.
const GROUPS_A_LINE: usize = 10;
/// So many moves, if they are written as numbers.
const TILES_A_LINE: usize = 20;
/// So many moves lie between two boards of `--format steps`.
const STEP: usize = 10;

/// How records are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// To read: a line for each board; a single one is drawn on a terminal
    #[default]
    Text,
    /// To follow: the board, and the boards after every ten moves
    Steps,
    /// For programs: a JSON object a line
    Ndjson,
}

/// All that decides what a record looks like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) format: Format,
    pub(crate) moves: MoveStyle,
    /// There is a single board, and no need to say which.
    pub(crate) is_single: bool,
    /// Somebody looks at it.
    pub(crate) is_terminal: bool,
}

/// Writes an answer.
pub(crate) fn write_answer(
    output: &mut impl Write,
    given: &Answer,
    style: Style,
) -> io::Result<()> {
    let is_drawn = style.format == Format::Text && style.is_single && style.is_terminal;
    match given.moves() {
        Some(moves) if style.format == Format::Steps => write_steps(output, given, moves, style),
        Some(moves) if is_drawn => {
            write_board(output, &given.board)?;
            writeln!(output, "\n{}:", length_of(given, moves))?;
            write_groups(output, &given.board, moves, style.moves)
        }
        _ => write(output, &Record::new(given, style.moves), style),
    }
}

/// Writes the record of an answer, or of a text that is no board.
pub(crate) fn write(output: &mut impl Write, record: &Record, style: Style) -> io::Result<()> {
    match style.format {
        Format::Ndjson => write_json(output, record),
        _ if style.is_single => writeln!(output, "{}", answer(record)),
        _ => writeln!(output, "{}: {}", record.board, answer(record)),
    }
}

/// What was named held no board, which whoever wrote it would not expect.
pub(crate) fn no_board() -> anyhow::Error {
    usage(
        "there is no board: what is named holds none, or standard input holds none and nothing is named",
    )
}

/// The board that was named, if there is no other.
pub(crate) fn only_board(named: NamedBoards) -> anyhow::Result<Board> {
    let boards: Vec<Given> = named.boards.take(2).collect::<Result<_, _>>()?;
    match boards[..] {
        [given] => Ok(given.board),
        _ => Err(usage(format!(
            "expected one board, found {}: name it in quotes, such as \"1 2 3/4 5 6/0 7 8\"",
            if boards.is_empty() { "none" } else { "several" }
        ))),
    }
}

/// Why one of the boards that were named has no answer.
pub(crate) struct Problem {
    board: Option<Board>,
    error: Error,
}

/// What comes of a board, unless it is none or there is no answer for it.
pub(crate) fn of_one<T>(
    given: Result<Given, Error>,
    answer: impl FnOnce(&Board) -> Result<T, Error>,
) -> Result<T, Box<Problem>> {
    let problem = |board, error| Box::new(Problem { board, error });
    let board = given.map_err(|error| problem(None, error))?.board;
    answer(&board).map_err(|error| problem(Some(board), error))
}

impl Problem {
    /// A record in the board's place, if the other boards can be answered. Of a single board, an error
    /// is better than a record.
    pub(crate) fn record(self, is_single: bool) -> Result<Record, Error> {
        let Self { board, error } = self;
        // What cannot be opened for one board may be there for others of another shape.
        let is_of_shape = matches!(error, Error::Spec(_) | Error::Engine(_) | Error::Again(_));
        let is_of_board = error.is_of_board() || is_of_shape;
        if is_single || !is_of_board {
            return Err(error);
        }
        Ok(of_error(board, error))
    }
}

/// The record of an error in a board's place.
pub(crate) fn of_error(board: Option<Board>, error: Error) -> Record {
    let problem = error.to_string();
    match (board, error) {
        (Some(board), _) | (None, Error::NoEngine { board, .. }) => Record::failed(&board, problem),
        (None, Error::Invalid { text, .. }) => Record::invalid(text, problem),
        (None, _) => Record::invalid(String::new(), problem),
    }
}

/// Writes a record for programs, on a line of its own.
pub(crate) fn write_json(output: &mut impl Write, record: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, record)?;
    writeln!(output)
}

/// A limit in words.
pub(crate) fn limit(kind: Option<LimitKind>) -> &'static str {
    match kind {
        Some(LimitKind::Time) => "time limit",
        Some(LimitKind::Nodes) => "node limit",
        Some(LimitKind::Memory) => "memory limit",
        _ => "interrupt",
    }
}

/// The board, and the boards after every few moves.
fn write_steps(
    output: &mut impl Write,
    given: &Answer,
    moves: &[Direction],
    style: Style,
) -> io::Result<()> {
    let mut board = given.board;
    writeln!(output, "{}", length_of(given, moves))?;
    writeln!(output)?;
    write_board(output, &board)?;
    for (i, step) in moves.chunks(STEP).enumerate() {
        let written = format_moves(&board, step, style.moves);
        board = board.after(step).expect("a solution can be replayed");
        let (first, last) = (i * STEP + 1, i * STEP + step.len());
        let span = if step.len() == 1 { first.to_string() } else { format!("{first} to {last}") };
        writeln!(output, "\n{span}: {written}\n")?;
        write_board(output, &board)?;
    }
    if !style.is_single {
        writeln!(output)?;
    }
    Ok(())
}

/// A row a line, the blank as a dot.
pub(crate) fn write_board(output: &mut impl Write, board: &Board) -> io::Result<()> {
    let width = if board.tiles().len() > 10 { 2 } else { 1 };
    for row in board.tiles().chunks(board.shape().cols()) {
        let cell = |&tile: &u8| match tile {
            0 => format!("{:>width$}", "."),
            _ => format!("{tile:>width$}"),
        };
        writeln!(output, "  {}", row.iter().map(cell).collect::<Vec<_>>().join(" "))?;
    }
    Ok(())
}

/// Moves in groups, some to a line.
fn write_groups(
    output: &mut impl Write,
    board: &Board,
    moves: &[Direction],
    style: MoveStyle,
) -> io::Result<()> {
    let mut board = *board;
    // Numbers have spaces between them already.
    let (per_line, between) = match style.naming {
        MoveNaming::Tiles => (TILES_A_LINE, "  "),
        _ => (GROUP * GROUPS_A_LINE, " "),
    };
    for line in moves.chunks(per_line) {
        let mut groups = Vec::new();
        for group in line.chunks(GROUP) {
            groups.push(format_moves(&board, group, style));
            board = board.after(group).expect("a solution can be replayed");
        }
        writeln!(output, "  {}", groups.join(between))?;
    }
    Ok(())
}

/// "1 move", "80 moves".
pub(crate) fn moves(count: usize) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}

/// "80 moves", and what is proved if that is not all: of a solution that a learned heuristic led to, no
/// fewer moves than a lower bound, or what tables at hand say.
fn length(moves: usize, proved: Option<Proved>, is_checked: bool) -> String {
    let moves = self::moves(moves);
    let proved = match proved {
        None => String::new(),
        Some(Proved::AtLeast(bound)) => format!(" (not proven; at least {bound} are needed)"),
        Some(Proved::Optimum(optimum)) => {
            format!(" (not proven; {optimum} are needed, as tables at hand say)")
        }
    };
    let unchecked = if is_checked { "" } else { " (tables not checked)" };
    format!("{moves}{proved}{unchecked}")
}

/// What is proved of a solution that is not proved to be optimal.
#[derive(Clone, Copy, Debug)]
enum Proved {
    AtLeast(u32),
    Optimum(u32),
}

impl Proved {
    fn of(status: &str, lower_bound: Option<u32>, optimum: Option<u32>) -> Option<Self> {
        let proved = optimum.map(Self::Optimum).or(lower_bound.map(Self::AtLeast));
        proved.filter(|_| status == "solved")
    }
}

fn length_of(given: &Answer, moves: &[Direction]) -> String {
    let status = if matches!(given.status, Status::Solved { .. }) { "solved" } else { "optimal" };
    let proved = Proved::of(status, given.lower_bound(), given.optimum);
    length(moves.len(), proved, given.is_checked)
}

fn answer(record: &Record) -> String {
    if let (Some(length), Some(moves)) = (record.length, &record.moves) {
        let is_checked = record.tables_checked.is_none();
        let proved = Proved::of(record.status, record.lower_bound, record.optimum);
        let length = self::length(length, proved, is_checked);
        let goal = record.goal_name.as_deref().filter(|&goal| goal != USUAL_GOAL);
        let goal = goal.map_or_else(String::new, |goal| format!(" to {goal}"));
        return if moves.is_empty() {
            format!("{length}{goal}")
        } else {
            format!("{length}{goal}: {moves}")
        };
    }
    if let (Some(limit), Some(bound)) = (record.limit, record.lower_bound) {
        let limit = match limit {
            "interrupt" => limit.to_owned(),
            "nodes" => "node limit".to_owned(),
            _ => format!("{limit} limit"),
        };
        let unchecked = if record.tables_checked.is_some() { " (tables not checked)" } else { "" };
        return format!(
            "limit: stopped by the {limit}, at least {bound} moves are needed{unchecked}"
        );
    }
    if let ("shard", Some(bound)) = (record.status, record.lower_bound) {
        return format!("shard: its packets are done, at least {bound} moves are needed");
    }
    let why = record.reason.as_deref().or(record.error.as_deref()).unwrap_or_default();
    let with = solvable_with(record.solvable_with.as_deref());
    format!("{}: {why}{with}", record.status)
}

/// The goals that an unsolvable board leads to, as the end of a sentence.
pub(crate) fn solvable_with(goals: Option<&[&str]>) -> String {
    match goals {
        Some([]) | None => String::new(),
        Some(goals) => format!("; solvable with --goal {}", goals.join(" or --goal ")),
    }
}

/// What the search took, if there was one.
pub(crate) fn cost(answer: &Answer) -> Option<String> {
    let estimate = answer.initial_estimate?;
    let work = work(answer, [answer.generated, answer.expanded], answer.elapsed)?;
    Some(format!("initial estimate {estimate}, {work}"))
}

/// Nodes generated and expanded and the time that a board and more about it took, if there was a search.
pub(crate) fn work(answer: &Answer, nodes: [u64; 2], elapsed: Duration) -> Option<String> {
    let [generated, expanded] = nodes.map(count);
    Some(format!(
        "{generated} generated, {expanded} expanded, {}, spec {}, goal {}",
        seconds(elapsed.as_secs_f64()),
        answer.spec.as_ref()?,
        goal_name(&answer.goal),
    ))
}

/// What each bound of the search took, a line each.
pub(crate) fn bounds(answer: &Answer) -> impl Iterator<Item = String> {
    answer.bounds.iter().map(|bound| {
        format!(
            "bound {}: {} generated, {} expanded",
            bound.bound,
            count(bound.generated),
            count(bound.expanded)
        )
    })
}
