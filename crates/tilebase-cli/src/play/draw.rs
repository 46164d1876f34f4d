//! Drawing of the state.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Color, Modifier, Style};
use tilebase::names::goal_name;
use tilebase::pdb_core::{BLANK, Cell};
use tilebase::{Direction, KnownLength, Metric, counted};

use super::app::{App, Playback, Request, View};
use super::layout::{GameLayout, HELP_SIZE, LEFT, TOP, joined, needed, wrapped};
use crate::record::moves;

/// Smallest width of a panel with long lines, in columns.
const LONG_COLUMNS: u16 = 36;
/// Keys of the last row; those that do not fit are omitted.
const PLAY_KEYS: [&str; 5] = ["u undo", "r redo", "i hints", "o solve", "n new"];
const SOLUTION_KEYS: [&str; 4] =
    ["Space pause", "left/right step", "Home/End", "Enter play on from here"];
/// Keys and their effect.
const HELP: [(&str, &str); 17] = [
    ("arrows, wasd, hjkl", "move the tile in that direction into the blank"),
    ("click", "slide a tile in line with the blank, and those between"),
    ("u, Backspace", "take a move back"),
    ("r, Ctrl-R", "make it again"),
    ("x", "back to the start of this board"),
    ("n", "new random board"),
    ("e", "new board that is easy"),
    ("p", "the board before this one"),
    ("2 to 8", "new square board with such a side"),
    ("g", "next goal: blank-last, blank-first, snail"),
    ("i", "hints: how far each move leaves the goal"),
    ("o, Enter", "show a shortest solution, step by step"),
    ("b", "build the tables that are missing"),
    ("Esc", "stop the search, the hints, the build"),
    ("?", "this page"),
    ("Ctrl-L, Ctrl-Z", "draw again, suspend"),
    ("q, Ctrl-C", "end"),
];

/// Draws the state, or a message that the window is too small.
pub(super) fn draw(app: &App, buffer: &mut Buffer) {
    let window = (buffer.area.width, buffer.area.height);
    let mut page = Page { buffer, has_colours: app.style.has_colours };
    let shape = app.board().shape();
    let needed = match app.view {
        View::Help => HELP_SIZE,
        View::Play | View::Solution(_) => needed(shape),
    };
    match (&app.view, GameLayout::new(shape, window)) {
        _ if window.0 < needed.0 || window.1 < needed.1 => page.too_small(needed),
        (View::Help, _) => page.help(app),
        (View::Play, Some(layout)) => page.play(app, &layout),
        (View::Solution(shown), Some(layout)) => page.solution(app, shown, &layout),
        (_, None) => unreachable!("the window is large enough"),
    }
}

/// Returns the time of the game as minutes and seconds, and hours if any: with tenths, and with
/// hundredths at the goal.
fn clock(app: &App) -> String {
    let time = app.time();
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let fraction = if app.game.is_solved() {
        format!("{:02}", time.subsec_millis() / 10)
    } else {
        (time.subsec_millis() / 100).to_string()
    };
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}.{fraction}")
    } else {
        format!("{minutes}:{seconds:02}.{fraction}")
    }
}

struct Page<'a> {
    buffer: &'a mut Buffer,
    has_colours: bool,
}

impl Page<'_> {
    /// Writes a line, and cuts it at the edge of the window.
    fn write(&mut self, column: u16, row: u16, text: &str, style: Style) {
        let area = self.buffer.area;
        if column < area.width && row < area.height {
            let room = usize::from(area.width - column);
            self.buffer.set_stringn(column, row, text, room, style);
        }
    }

    fn plain(&mut self, column: u16, row: u16, text: &str) {
        self.write(column, row, text, Style::new());
    }

    fn bold(&mut self, column: u16, row: u16, text: &str) {
        self.write(column, row, text, Style::new().add_modifier(Modifier::BOLD));
    }

    fn too_small(&mut self, (columns, rows): (u16, u16)) {
        let area = self.buffer.area;
        let text = format!(
            "The window is too small: this needs {columns} columns and {rows} rows, there are {} and \
             {}. Make it larger, or press q.",
            area.width, area.height
        );
        self.lines(area, &wrapped(&text, area.width));
    }

    /// Writes lines into the rows of an area.
    fn lines(&mut self, area: Rect, lines: &[String]) {
        for (row, line) in (area.top()..area.bottom()).zip(lines) {
            self.plain(area.left(), row, line);
        }
    }

    fn title(&mut self, app: &App, right: &str) {
        let shape = app.game.goal().shape();
        let goal = goal_name(app.game.goal());
        // A goal without a name is too long.
        let goal = if goal.contains(' ') { "goal of your own".to_owned() } else { goal };
        let start = self.buffer.area.width.saturating_sub(right.len() as u16 + LEFT);
        let short = format!("{shape}  {goal}");
        let long = format!("tilebase play  {short}");
        let is_long = usize::from(LEFT) + long.len() + 2 <= usize::from(start);
        self.bold(LEFT, 0, if is_long { &long } else { &short });
        self.plain(start, 0, right);
    }

    fn play(&mut self, app: &App, layout: &GameLayout) {
        self.board(app, layout, &best_cells(app));
        self.title(app, "? keys  q end");
        self.panel(layout.panel, &play_panel(app, layout.panel.width));
        self.news_and_keys(app, layout, &PLAY_KEYS);
    }

    fn solution(&mut self, app: &App, shown: &Playback, layout: &GameLayout) {
        self.board(app, layout, &[]);
        let step = format!("step {} of {}", shown.at, shown.moves.len());
        let state = match shown.next {
            Some(_) => "playing",
            None if shown.at == shown.moves.len() => "at the goal",
            None => "paused",
        };
        let panel = layout.panel;
        self.title(app, "Esc back");
        let other = other_count(app.style.metric, &shown.moves);
        let kind = if shown.known.is_proved() { "A shortest solution" } else { "A solution" };
        // The moves around the current one, as letters of the tiles' or of the blank's directions.
        let of_blank = app.style.of_blank;
        let letter = |direction: &Direction| {
            if of_blank { direction.opposite().letter() } else { direction.letter() }
        };
        let room = usize::from(panel.width) - 4;
        let first = shown.at.saturating_sub(room / 2).min(shown.moves.len().saturating_sub(room));
        let part = &shown.moves[first..shown.moves.len().min(first + room)];
        let whose = if of_blank { "blank" } else { "tile" };
        self.panel(
            panel,
            &[
                (format!("{kind}: {}{other}", shown.known), true),
                (step, false),
                (state.to_owned(), false),
                (String::new(), false),
                (part.iter().map(letter).collect(), false),
                (format!("{}^", " ".repeat(shown.at - first)), false),
                (String::new(), false),
                (format!("Letters name the {whose}'s direction."), false),
            ],
        );
        self.news_and_keys(app, layout, &SOLUTION_KEYS);
    }

    /// Writes lines, plain or bold, into the panel. Long ones are wrapped, and empty ones are left
    /// out where the rows do not suffice.
    fn panel(&mut self, panel: Rect, lines: &[(String, bool)]) {
        let mut rows: Vec<(String, bool)> = Vec::new();
        for (line, is_bold) in lines {
            if line.chars().count() <= usize::from(panel.width) {
                rows.push((line.clone(), *is_bold));
            } else {
                rows.extend(wrapped(line, panel.width).into_iter().map(|part| (part, *is_bold)));
            }
        }
        if rows.len() > usize::from(panel.height) {
            rows.retain(|(line, _)| !line.is_empty());
        }
        for (row, (line, is_bold)) in (panel.top()..panel.bottom()).zip(rows) {
            let style =
                if is_bold { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
            self.write(panel.left(), row, &line, style);
        }
    }

    /// Writes the messages and keys below the board and the panel.
    fn news_and_keys(&mut self, app: &App, layout: &GameLayout, keys: &[&str]) {
        let area = layout.below;
        let news = app.news();
        let lines: Vec<String> = news.iter().flat_map(|text| wrapped(text, area.width)).collect();
        self.lines(area, &lines);
        let keys = joined(keys.iter().copied(), "  ", area.width);
        self.plain(LEFT, area.bottom(), &keys[0]);
    }

    /// Draws the board, with the tiles of some cells inverted.
    fn board(&mut self, app: &App, layout: &GameLayout, best: &[Cell]) {
        let board = app.board();
        let shape = board.shape();
        let size = layout.cell;
        let (width, height) = size.board(shape);
        let (column_step, row_step) = (size.columns + 1, size.rows + 1);
        for (row, column) in (0..height).flat_map(|row| (0..width).map(move |col| (row, col))) {
            let symbol = line_symbol(
                (row % row_step == 0).then_some((row, height - 1)),
                (column % column_step == 0).then_some((column, width - 1)),
                app.style.has_lines,
            );
            self.plain(LEFT + column, TOP + row, symbol);
        }
        for cell in 0..shape.cell_count() as Cell {
            let tile = board.tile(cell);
            if tile == BLANK {
                continue;
            }
            let mut style = Style::new();
            if app.game.goal().home(tile) == cell {
                style = style.add_modifier(Modifier::BOLD);
                if self.has_colours {
                    style = style.fg(Color::Green);
                }
            }
            if best.contains(&cell) {
                style = style.add_modifier(Modifier::REVERSED);
            }
            let (row, col) = shape.row_col(cell);
            let left = LEFT + 1 + col as u16 * column_step;
            let top = TOP + 1 + row as u16 * row_step;
            let width = usize::from(size.columns);
            // The number takes two columns in the middle.
            let number = format!("{:1$}{tile:>2}", "", (width - 2) / 2);
            for row in 0..size.rows {
                let text = if row == size.rows / 2 { number.as_str() } else { "" };
                self.write(left, top + row, &format!("{text:<width$}"), style);
            }
        }
    }

    fn help(&mut self, app: &App) {
        self.bold(LEFT, 0, "Keys of tilebase play");
        for (row, (keys, what)) in (2..).zip(HELP) {
            self.bold(LEFT, row, keys);
            let what = if row == 2 && app.style.of_blank {
                "move the blank in that direction"
            } else {
                what
            };
            self.plain(LEFT + 21, row, what);
        }
        let row = 2 + HELP.len() as u16 + 1;
        self.plain(LEFT, row, "Tiles at home are bold. The best tiles of hints are inverted.");
        self.plain(LEFT, row + 1, "Any key goes back.");
    }
}

/// Returns the lines of the panel, plain or bold.
fn play_panel(app: &App, columns: u16) -> Vec<(String, bool)> {
    let count = app.game.moves().len();
    let slide_count = Metric::MultiTile.count(app.game.moves());
    let counts = match app.style.metric {
        Metric::SingleTile => format!("moves     {count}"),
        Metric::MultiTile => format!("slides    {slide_count} ({})", moves(count)),
    };
    let mut lines = vec![
        counts,
        format!("time      {}", clock(app)),
        format!("shortest  {}", shortest(app, columns)),
    ];
    if app.game.check_solvable().is_ok() && !app.game.is_solved() {
        lines.push(format!("to go     {}", words(to_go(app), columns)));
    }
    lines.push(String::new());
    let mut lines: Vec<(String, bool)> = lines.into_iter().map(|line| (line, false)).collect();
    if app.game.is_solved() {
        lines.extend(solved(app).into_iter().enumerate().map(|(nth, text)| (text, nth == 0)));
    } else if let Err(reason) = app.game.check_solvable() {
        lines.push(("This board cannot be solved.".to_owned(), true));
        lines.push((reason.to_string(), false));
    } else {
        lines.extend(hints(app, columns));
    }
    lines
}

/// Returns the character of a line or crossing, each at a place up to a last place.
fn line_symbol(
    row: Option<(u16, u16)>,
    column: Option<(u16, u16)>,
    has_lines: bool,
) -> &'static str {
    let place = |(at, last): (u16, u16)| usize::from(at > 0) + usize::from(at == last);
    match (row.map(place), column.map(place)) {
        (None, None) => " ",
        (Some(_), Some(_)) if !has_lines => "+",
        (Some(_), None) if !has_lines => "-",
        (None, Some(_)) if !has_lines => "|",
        (Some(row), Some(column)) => {
            [["┌", "┬", "┐"], ["├", "┼", "┤"], ["└", "┴", "┘"]][row][column]
        }
        (Some(_), None) => "─",
        (None, Some(_)) => "│",
    }
}

/// Returns the cells of the tiles that begin a shortest solution, if hints are known.
fn best_cells(app: &App) -> Vec<Cell> {
    let Request::Done(values) = &app.values else { return Vec::new() };
    let best = values.moves.iter().filter(|value| value.is_optimal == Some(true));
    // The blank is now where the tile was.
    best.map(|value| value.board.blank()).collect()
}

/// Returns the length of a shortest solution of the start, or its state.
fn shortest(app: &App, columns: u16) -> String {
    if app.game.check_solvable().is_err() {
        return "there is none".to_owned();
    }
    match &app.optimum {
        Request::Idle => "...".to_owned(),
        Request::Pending(_, since) => match app.since(*since).as_secs() {
            0 => "...".to_owned(),
            seconds => format!("searching, {seconds} s"),
        },
        Request::Done(answer) => words(answer.known_length(), columns),
        Request::Failed(_) => "not known".to_owned(),
    }
}

/// Returns the words for a length in a panel of that width.
fn words(known: KnownLength, columns: u16) -> String {
    if columns < LONG_COLUMNS { known.numbers() } else { known.range() }
}

/// Returns what is known of the distance of the board on the screen to the goal: from the hints, at
/// the start from the search for its optimum, else from Manhattan distance and the moves made.
fn to_go(app: &App) -> KnownLength {
    let (metric, made) = (app.style.metric, app.style.metric.count(app.game.moves()) as u32);
    let start = match &app.optimum {
        Request::Done(answer) => answer.known_length(),
        _ => KnownLength { metric, ..KnownLength::default() },
    };
    let far = match metric {
        Metric::SingleTile => app.game.goal().manhattan_distance(&app.board()),
        Metric::MultiTile => 0,
    };
    let lower_bound = far.max(start.lower_bound.saturating_sub(made));
    match &app.values {
        Request::Done(values) => values.answer.known_length(),
        _ if made == 0 => KnownLength { lower_bound, ..start },
        _ => KnownLength { metric, lower_bound, ..KnownLength::default() },
    }
}

/// Returns the number of moves of the other metric in brackets, if it differs.
fn other_count(metric: Metric, directions: &[Direction]) -> String {
    let other = match metric {
        Metric::SingleTile => Metric::MultiTile,
        Metric::MultiTile => Metric::SingleTile,
    };
    match other.count(directions) {
        count if count == metric.count(directions) => String::new(),
        count => format!(" ({})", counted(other, count)),
    }
}

/// Returns the message at the goal.
fn solved(app: &App) -> Vec<String> {
    let metric = app.style.metric;
    let count = metric.count(app.game.moves());
    let other = other_count(metric, app.game.moves());
    let mut lines = vec![format!("Solved: {}{other} in {}.", counted(metric, count), clock(app))];
    if let Request::Done(answer) = &app.optimum {
        let start = answer.known_length();
        let length = start.length.map(|length| length.min(count as u32));
        let known = KnownLength { length, ..start };
        lines.push(match (known.is_proved(), count as u32 - known.lower_bound) {
            (_, 0) => "No solution is shorter.".to_owned(),
            (true, more) => format!("The shortest has {}, {more} fewer.", known.range()),
            (false, _) => format!("The shortest has {}.", known.range()),
        });
    }
    if app.is_helped {
        lines.push("Hints or a solution were seen.".to_owned());
    }
    lines.push(String::new());
    lines.push("n deals a new board.".to_owned());
    lines
}

/// Returns the distances after moves, or why they are missing.
fn hints(app: &App, columns: u16) -> Vec<(String, bool)> {
    if !app.has_hints {
        return vec![("i shows how good each move is.".to_owned(), false)];
    }
    let values = match &app.values {
        Request::Idle => return Vec::new(),
        Request::Pending(_, since) => {
            let seconds = app.since(*since).as_secs();
            let text = if seconds == 0 {
                "hints ...".to_owned()
            } else {
                format!("hints: searching, {seconds} s")
            };
            return vec![(text, false)];
        }
        Request::Failed(problem) => return vec![(problem.clone(), false)],
        Request::Done(values) => values,
    };
    let is_short = columns < LONG_COLUMNS;
    let known = values.answer.known_length();
    let range = known.range();
    let lines = match (known.is_proved(), is_short) {
        (true, true) => vec![format!("{range} to the goal:")],
        (true, false) => vec![format!("{range} to the goal; after a move:")],
        (false, true) => vec!["out of time:".to_owned()],
        (false, false) => vec!["The search took too long.".to_owned()],
    };
    let mut lines: Vec<(String, bool)> = lines.into_iter().map(|line| (line, false)).collect();
    for value in &values.moves {
        let direction =
            if app.style.of_blank { value.direction.opposite() } else { value.direction };
        let distance = value.distance.map_or_else(|| "?".to_owned(), |d| d.to_string());
        let is_best = value.is_optimal == Some(true);
        let note = match (is_best, app.style.metric) {
            (false, _) => "",
            (true, Metric::MultiTile) if is_short => "  best",
            (true, _) => "  shortest",
        };
        let tile = if is_short { "" } else { "tile " };
        let name = match (app.style.metric, value.tile_count) {
            (Metric::SingleTile, _) => format!("{:<6}", direction.word()),
            (Metric::MultiTile, 1) => format!("{:<8}", direction.word()),
            (Metric::MultiTile, count) => format!("{:<8}", format!("{} {count}", direction.word())),
        };
        let text = format!("{name} {tile}{:>2} {distance:>5}{note}", value.tile);
        lines.push((text, is_best));
    }
    lines
}
