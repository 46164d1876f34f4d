//! Answers as they are printed.

use std::io::{self, Write};
use std::time::Duration;

use pdb_core::notation::{MoveNaming, MoveStyle, format_moves};
use serde::Serialize;
use tilebase::names::goal_name;
use tilebase::pdb_search::LimitKind;
use tilebase::record::Record;
use tilebase::sets::{InputBoard, NamedBoards};
use tilebase::{Answer, Board, Direction, Error};

use crate::choices::Format;
use crate::failure::usage;
use crate::output::{count, seconds};

/// The goal that answers need not name.
const USUAL_GOAL: &str = "blank-last";

/// Moves per group.
const GROUP: usize = 5;
/// Groups per line.
const GROUPS_A_LINE: usize = 10;
/// Moves per line where they are written as numbers.
const TILES_A_LINE: usize = 20;
/// Moves between two boards of `--format steps`.
const STEP: usize = 10;

/// Style of records.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    pub(crate) format: Format,
    pub(crate) moves: MoveStyle,
    /// Whether there is a single board, so that records need not name it.
    pub(crate) is_single: bool,
    /// Whether standard output is a terminal.
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
            write!(output, "{}", board_text(&given.board))?;
            writeln!(output, "\n{}:", length(&Record::new(given, style.moves)))?;
            write_groups(output, &given.board, moves, style.moves)
        }
        _ => write(output, &Record::new(given, style.moves), style),
    }
}

/// Writes the record of an answer, or of a text that is no board.
pub(crate) fn write(output: &mut impl Write, record: &Record, style: Style) -> io::Result<()> {
    match style.format {
        // By the library, which is compiled for speed: a batch writes many of them.
        Format::Ndjson => {
            output.write_all(&record.to_json())?;
            writeln!(output)
        }
        _ if style.is_single => writeln!(output, "{}", answer(record)),
        _ => writeln!(output, "{}: {}", record.head.board, answer(record)),
    }
}

/// Returns the error of arguments that name no board.
pub(crate) fn no_board() -> anyhow::Error {
    usage(
        "there is no board: the arguments or standard input contain none; name a board, such as \"1 2 3/4 5 6/0 7 8\", or a file of boards",
    )
}

/// Returns the only board of the arguments.
pub(crate) fn only_board(named: NamedBoards) -> anyhow::Result<Board> {
    let boards: Vec<InputBoard> = named.boards.take(2).collect::<Result<_, _>>()?;
    match boards[..] {
        [given] => Ok(given.board),
        _ => Err(usage(format!(
            "expected one board, found {}: name it in quotes, such as \"1 2 3/4 5 6/0 7 8\"",
            if boards.is_empty() { "none" } else { "several" }
        ))),
    }
}

/// Returns a record for a board without an answer, if other boards can still be answered. An error
/// is better than a record of a single board.
pub(crate) fn of_problem(
    board: Option<Board>,
    error: Error,
    is_single: bool,
) -> Result<Record, Error> {
    // Tables that cannot be opened for one board may exist for boards of another shape.
    let is_of_shape = matches!(error, Error::Spec(_) | Error::Engine(_) | Error::Again(_));
    if is_single || !(error.is_of_board() || is_of_shape) {
        return Err(error);
    }
    Ok(of_error(board, error))
}

/// Returns the record of an error for a board.
pub(crate) fn of_error(board: Option<Board>, error: Error) -> Record {
    let problem = error.to_string();
    match (board, error) {
        (Some(board), _) | (None, Error::NoEngine { board, .. }) => Record::failed(&board, problem),
        (None, Error::Invalid { text, .. }) => Record::invalid(text, problem),
        (None, _) => Record::invalid(String::new(), problem),
    }
}

/// Writes a record for programs, on its own line.
pub(crate) fn write_json(output: &mut impl Write, record: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, record)?;
    writeln!(output)
}

/// Returns the name of a limit.
pub(crate) fn limit(kind: Option<LimitKind>) -> &'static str {
    match kind {
        Some(LimitKind::Time) => "time limit",
        Some(LimitKind::Nodes) => "node limit",
        Some(LimitKind::Memory) => "memory limit",
        _ => "interrupt",
    }
}

/// Writes the board, and the board after every few moves.
fn write_steps(
    output: &mut impl Write,
    given: &Answer,
    moves: &[Direction],
    style: Style,
) -> io::Result<()> {
    let mut board = given.board;
    writeln!(output, "{}", length(&Record::new(given, style.moves)))?;
    writeln!(output)?;
    write!(output, "{}", board_text(&board))?;
    for (i, step) in moves.chunks(STEP).enumerate() {
        let written = format_moves(&board, step, style.moves);
        board = board.after(step).expect("a solution can be replayed");
        let (first, last) = (i * STEP + 1, i * STEP + step.len());
        let span = if step.len() == 1 { first.to_string() } else { format!("{first} to {last}") };
        writeln!(output, "\n{span}: {written}\n")?;
        write!(output, "{}", board_text(&board))?;
    }
    if !style.is_single {
        writeln!(output)?;
    }
    Ok(())
}

/// Returns a board with a row per line and the blank as a dot.
pub(crate) fn board_text(board: &Board) -> String {
    let width = if board.tiles().len() > 10 { 2 } else { 1 };
    let cell = |&tile: &u8| match tile {
        0 => format!(" {:>width$}", "."),
        _ => format!(" {tile:>width$}"),
    };
    let row = |row: &[u8]| format!(" {}\n", row.iter().map(cell).collect::<String>());
    board.tiles().chunks(board.shape().cols()).map(row).collect()
}

/// Writes moves in groups, several per line.
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

/// Returns "1 move", "80 moves".
pub(crate) fn moves(count: usize) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}

/// Returns "80 moves", with the proved bound if the solution is not proved to be optimal.
fn length(record: &Record) -> String {
    let moves = moves(record.length.unwrap_or_default());
    let proved = match (record.head.status, record.optimum, record.lower_bound) {
        ("solved", Some(optimum), _) => {
            format!(" (not proven; {optimum} are needed, as tables at hand say)")
        }
        ("solved", None, Some(bound)) => format!(" (not proven; at least {bound} are needed)"),
        _ => String::new(),
    };
    format!("{moves}{proved}{}", unchecked(record))
}

fn unchecked(record: &Record) -> &'static str {
    if record.head.tables_checked.is_some() { " (tables not checked)" } else { "" }
}

fn answer(record: &Record) -> String {
    if let Some(moves) = &record.moves {
        let length = length(record);
        let goal = record.head.goal_name.as_deref().filter(|&goal| goal != USUAL_GOAL);
        let goal = goal.map_or_else(String::new, |goal| format!(" to {goal}"));
        let colon = if moves.is_empty() { "" } else { ": " };
        return format!("{length}{goal}{colon}{moves}");
    }
    if let (Some(limit), Some(bound)) = (record.tail.limit, record.lower_bound) {
        let limit = match limit {
            "interrupt" => limit.to_owned(),
            "nodes" => "node limit".to_owned(),
            _ => format!("{limit} limit"),
        };
        let unchecked = unchecked(record);
        return format!(
            "limit: stopped by the {limit}, at least {bound} moves are needed{unchecked}"
        );
    }
    if let ("shard", Some(bound)) = (record.head.status, record.lower_bound) {
        return format!("shard: its packets are done, at least {bound} moves are needed");
    }
    let why = record.tail.reason.as_deref().or(record.error.as_deref()).unwrap_or_default();
    let with = solvable_with(record.tail.solvable_with.as_deref());
    format!("{}: {why}{with}", record.head.status)
}

/// Returns the goals that an unsolvable board leads to, as the end of a sentence.
pub(crate) fn solvable_with(goals: Option<&[&str]>) -> String {
    match goals {
        Some([]) | None => String::new(),
        Some(goals) => format!("; solvable with --goal {}", goals.join(" or --goal ")),
    }
}

/// Returns the cost of the search, if there was one.
pub(crate) fn cost(answer: &Answer) -> Option<String> {
    let estimate = answer.initial_estimate?;
    let work = work(answer, [answer.generated, answer.expanded], answer.elapsed)?;
    Some(format!("initial estimate {estimate}, {work}"))
}

/// Returns the nodes generated and expanded, and the time, for a board and related searches, if
/// there was a search.
pub(crate) fn work(answer: &Answer, nodes: [u64; 2], elapsed: Duration) -> Option<String> {
    let [generated, expanded] = nodes.map(count);
    Some(format!(
        "{generated} generated, {expanded} expanded, {}, spec {}, goal {}",
        seconds(elapsed.as_secs_f64()),
        answer.spec.as_ref()?,
        goal_name(&answer.goal),
    ))
}

/// Returns a line for each bound of the search.
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
