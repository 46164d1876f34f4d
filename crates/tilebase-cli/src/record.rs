//! Answers as they are printed.

use std::io::{self, Write};
use std::time::Duration;

use pdb_core::excerpt::printable;
use pdb_core::notation::{MoveNaming, MoveStyle, format_moves};
use serde::Serialize;
use tilebase::names::{goal_name, goals_of};
use tilebase::pdb_core::Unsolvable;
use tilebase::pdb_search::LimitKind;
use tilebase::record::{Failure, Record, csv_line};
use tilebase::sets::{InputBoard, NamedBoards};
use tilebase::{Answer, Board, Direction, Error, Status};

use crate::advice::message;
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
pub(crate) struct RecordStyle {
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
    style: RecordStyle,
) -> io::Result<()> {
    let is_drawn = style.format == Format::Text && style.is_single && style.is_terminal;
    match given.moves() {
        _ if style.format == Format::Ndjson => {
            // By the library, which is compiled for speed: a batch writes many of them.
            output.write_all(&Record::new(given, style.moves).to_json())?;
            writeln!(output)
        }
        _ if style.format == Format::Csv => {
            output.write_all(&csv_line(CSV_COLUMNS.map(|(_, cell)| cell(given, style.moves))))
        }
        Some(moves) if style.format == Format::Steps => write_steps(output, given, moves, style),
        Some(moves) if is_drawn => {
            write!(output, "{}", board_text(&given.board))?;
            writeln!(output, "\n{}:", length(given))?;
            write_groups(output, &given.board, moves, style.moves)
        }
        _ if style.is_single => writeln!(output, "{}", answer(given, style.moves)),
        _ => writeln!(output, "{}: {}", given.board, answer(given, style.moves)),
    }
}

/// Writes the record of a board or a text without an answer.
pub(crate) fn write_failure(
    output: &mut impl Write,
    failure: &Failure,
    style: RecordStyle,
) -> io::Result<()> {
    let Failure { board, kind, error } = failure;
    match style.format {
        Format::Ndjson => write_json(output, failure),
        Format::Csv => {
            let cell = |(name, _)| match name {
                "board" => &**board,
                "status" => kind.name(),
                "error" => error,
                _ => "",
            };
            output.write_all(&csv_line(CSV_COLUMNS.map(cell)))
        }
        _ if style.is_single => writeln!(output, "{}: {error}", kind.name()),
        _ => writeln!(output, "{board}: {}: {error}", kind.name()),
    }
}

/// Name of a column of `--format csv`, and its cell in the line of an answer.
type CsvColumn = (&'static str, fn(&Answer, MoveStyle) -> String);

/// Columns of `--format csv`: those of the records that most people want.
const CSV_COLUMNS: [CsvColumn; 13] = [
    ("board", |answer, _| answer.board.to_string()),
    ("goal", |answer, _| answer.goal.board().to_string()),
    ("status", |answer, _| answer.status.kind().name().to_owned()),
    ("length", |answer, _| or_empty(answer.length())),
    ("moves", |answer, style| {
        or_empty(answer.moves().map(|moves| format_moves(&answer.board, moves, style)))
    }),
    ("lower_bound", |answer, _| or_empty(answer.lower_bound())),
    ("generated", |answer, _| answer.generated.to_string()),
    ("expanded", |answer, _| answer.expanded.to_string()),
    ("seconds", |answer, _| answer.elapsed.as_secs_f64().to_string()),
    ("error", |_, _| String::new()),
    ("limit", |answer, _| or_empty(answer.limit().map(LimitKind::name))),
    ("reason", |answer, _| match &answer.status {
        Status::Unsolvable(reason) => reason.to_string(),
        _ => String::new(),
    }),
    ("metric", |answer, _| answer.metric.to_string()),
];

fn or_empty(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Writes the header of `--format csv`.
pub(crate) fn write_csv_header(output: &mut impl Write) -> io::Result<()> {
    output.write_all(&csv_line(CSV_COLUMNS.map(|(name, _)| name)))
}

/// Returns the error of arguments that name no board.
pub(crate) fn no_board() -> anyhow::Error {
    usage(
        "there is no board: the arguments or standard input contain none; name a board, such as \"1 2 3/4 5 6/0 7 8\", or a file of boards",
    )
}

/// Returns the only board of the arguments.
pub(crate) fn only_board(mut named: NamedBoards) -> anyhow::Result<Board> {
    only_board_for("", &mut named)
}

/// Returns the only board of the arguments, where `purpose` says why there is one.
pub(crate) fn only_board_for(purpose: &str, named: &mut NamedBoards) -> anyhow::Result<Board> {
    let boards: Vec<InputBoard> = named.boards.by_ref().take(2).collect::<Result<_, _>>()?;
    match boards[..] {
        [given] => Ok(given.board),
        _ => Err(usage(format!(
            "{purpose}expected one board, found {}: name it in quotes, such as \"1 2 3/4 5 6/0 7 8\"",
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
) -> Result<Failure, Error> {
    // Tables that cannot be opened for one board may exist for boards of another shape.
    let is_of_shape = matches!(error, Error::Spec(_) | Error::Engine(_) | Error::Again { .. });
    if is_single || !(error.is_of_board() || is_of_shape) {
        return Err(error);
    }
    Ok(of_error(board, error))
}

/// Returns the record of an error for a board.
pub(crate) fn of_error(board: Option<Board>, error: Error) -> Failure {
    let message = message(&error);
    match board {
        Some(board) => Failure::of_board(&board, message),
        None => Failure::of_error(error, message),
    }
}

/// Writes a record for programs, on its own line.
pub(crate) fn write_json(output: &mut impl Write, record: &impl Serialize) -> io::Result<()> {
    let mut line = String::new();
    for c in serde_json::to_string(record)?.chars() {
        // Only strings have characters that do not print, and JSON escapes them without a loss.
        if printable(c) == c {
            line.push(c);
        } else {
            line.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    writeln!(output, "{line}")
}

/// Returns the name of a limit.
pub(crate) fn limit(kind: LimitKind) -> &'static str {
    match kind {
        LimitKind::Time => "time limit",
        LimitKind::Nodes => "node limit",
        LimitKind::Memory => "memory limit",
        LimitKind::Interrupted => "interrupt",
    }
}

/// Writes the board, and the board after every few moves.
fn write_steps(
    output: &mut impl Write,
    given: &Answer,
    moves: &[Direction],
    style: RecordStyle,
) -> io::Result<()> {
    let mut board = given.board;
    writeln!(output, "{}", length(given))?;
    writeln!(output)?;
    write!(output, "{}", board_text(&board))?;
    let each: Vec<&[Direction]> = given.metric.moves(moves).collect();
    for (i, step) in each.chunks(STEP).enumerate() {
        let (first, last) = (i * STEP + 1, i * STEP + step.len());
        let step = step.concat();
        let written = format_moves(&board, &step, style.moves);
        board = board.after(&step).expect("a solution can be replayed");
        let span = if first == last { first.to_string() } else { format!("{first} to {last}") };
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
#[cfg(any(feature = "model", feature = "pictures", feature = "play"))]
pub(crate) fn moves(count: usize) -> String {
    tilebase::counted(tilebase::Metric::SingleTile, count)
}

/// Returns what is known of the length of a shortest solution.
fn length(answer: &Answer) -> String {
    let unchecked = if answer.is_checked { "" } else { " (tables not checked)" };
    format!("{}{unchecked}", answer.known_length())
}

/// Returns an answer in one line.
pub(crate) fn answer(answer: &Answer, style: MoveStyle) -> String {
    match &answer.status {
        Status::Optimal { moves } | Status::Solved { moves, .. } => {
            let length = length(answer);
            let goal = Some(goal_name(&answer.goal)).filter(|goal| goal != USUAL_GOAL);
            let goal = goal.map_or_else(String::new, |goal| format!(" to {goal}"));
            let colon = if moves.is_empty() { "" } else { ": " };
            format!("{length}{goal}{colon}{}", format_moves(&answer.board, moves, style))
        }
        Status::Limit { kind, .. } => {
            format!("limit: stopped by the {}, {}", limit(*kind), length(answer))
        }
        Status::ShardDone { .. } => {
            format!("shard: its packets are done, {}", answer.known_length())
        }
        Status::Unsolvable(reason) => unsolvable(&answer.board, *reason),
    }
}

/// Returns the reason why a board is unsolvable, and the goals that it leads to.
pub(crate) fn unsolvable(board: &Board, reason: Unsolvable) -> String {
    let goals = goals_of(board);
    let with = match &goals[..] {
        [] => String::new(),
        goals => format!("; solvable with --goal {}", goals.join(" or --goal ")),
    };
    format!("unsolvable: {reason}{with}")
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
