//! What the state looks like.

use ratatui_core::buffer::Buffer;
use ratatui_core::style::{Color, Modifier, Style};
use ratatui_core::terminal::Frame;
use tilebase::pdb_core::{BLANK, Cell};
use tilebase::{Direction, Shape, goal_name};

use super::app::{App, Asked, Playback, SIDES, View, word};
use super::layout::{
    CELL_COLUMNS, CELL_ROWS, LEFT, NEWS_ROWS, PAGE, PANEL_COLUMNS, PANEL_ROWS, TOP, board_size,
    needed, news_top, panel_left, wrapped,
};

/// The keys, and what they do.
const HELP: [(&str, &str); 18] = [
    ("arrows, wasd, hjkl", "move the tile in that direction into the blank"),
    ("click", "slide a tile in line with the blank, and those between"),
    ("u, Backspace", "take a move back"),
    ("r, Ctrl-R", "make it again"),
    ("x", "back to the start of this board"),
    ("n", "new random board"),
    ("e", "new board that is easy"),
    ("p", "the board before this one"),
    ("2 3 4 5 6", "new square board with such a side"),
    ("m", "menu of all shapes"),
    ("g", "next goal: blank-last, blank-first, snail"),
    ("i", "hints: how far each move leaves the goal"),
    ("o, Enter", "show a shortest solution, step by step"),
    ("b", "build the tables that are missing"),
    ("Esc", "stop the search, the hints, the build"),
    ("?", "this page"),
    ("Ctrl-L, Ctrl-Z", "draw again, suspend"),
    ("q, Ctrl-C", "end"),
];

/// Draws the state, or says that the window is too small for it.
pub(super) fn draw(app: &App, frame: &mut Frame<'_>) {
    let area = frame.area();
    let shape = app.board().shape();
    let is_page = matches!(app.view, View::Help | View::Shapes(_));
    let needed = if is_page { PAGE } else { needed(shape) };
    let mut page = Page { buffer: frame.buffer_mut(), has_colours: app.style.has_colours };
    if area.width < needed.0 || area.height < needed.1 {
        page.too_small(shape, is_page, needed);
        return;
    }
    match &app.view {
        View::Help => page.help(app),
        View::Shapes(chosen) => page.shapes(*chosen),
        View::Play => page.play(app),
        View::Solution(shown) => page.solution(app, shown),
    }
}

/// The time as minutes and seconds, and hours where there are some.
fn clock(time: std::time::Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// A number with its noun.
fn moves(count: usize) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}

struct Page<'a> {
    buffer: &'a mut Buffer,
    has_colours: bool,
}

impl Page<'_> {
    /// Writes a line, as much of it as fits.
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

    fn too_small(&mut self, shape: Shape, is_page: bool, needed: (u16, u16)) {
        let area = self.buffer.area;
        let what = if is_page { "this page".to_owned() } else { format!("a {shape} board") };
        let text = format!(
            "The window is too small: {what} needs {} columns and {} rows, there are {} and {}. Make \
             it larger, or press q.",
            needed.0, needed.1, area.width, area.height
        );
        for (row, line) in (0..area.height).zip(wrapped(&text, area.width)) {
            self.plain(0, row, &line);
        }
    }

    fn title(&mut self, app: &App, right: &str) {
        let shape = app.game.goal().shape();
        let goal = goal_name(app.game.goal());
        // A goal that has no name is long.
        let goal = if goal.contains(' ') { "goal of your own".to_owned() } else { goal };
        self.bold(LEFT, 0, &format!("tilebase play  {shape}  {goal}"));
        let start = self.buffer.area.width.saturating_sub(right.len() as u16 + LEFT);
        self.plain(start, 0, right);
    }

    fn keys(&mut self, row: u16, text: &str) {
        self.plain(LEFT, row, text);
    }

    fn play(&mut self, app: &App) {
        let board = app.board();
        let shape = board.shape();
        self.title(app, "? keys  q end");
        self.board(app, &best_cells(app));
        let column = panel_left(shape);
        let mut rows = TOP..TOP + PANEL_ROWS;
        let mut line = |page: &mut Self, text: &str, is_bold: bool| {
            if let Some(row) = rows.next() {
                let style =
                    if is_bold { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
                page.write(column, row, text, style);
            }
        };
        let count = app.game.moves().len();
        line(self, &format!("moves     {count}"), false);
        line(self, &format!("time      {}", clock(app.time())), false);
        line(self, &format!("shortest  {}", shortest(app)), false);
        let far = app.game.goal().manhattan_distance(&board);
        line(self, &format!("distance  {far} (Manhattan, at least)"), false);
        line(self, "", false);
        if app.game.is_solved() {
            for (nth, text) in solved(app).iter().enumerate() {
                line(self, text, nth == 0);
            }
        } else if let Err(reason) = app.game.check_solvable() {
            line(self, "This board cannot be solved.", true);
            for text in wrapped(&reason.to_string(), PANEL_COLUMNS - 2) {
                line(self, &text, false);
            }
        } else {
            for (text, is_bold) in hints(app) {
                line(self, &text, is_bold);
            }
        }
        self.news(app);
        let last = needed(shape).1 - 1;
        self.keys(last, "u undo  r redo  i hints  o solve  n new  m shapes");
    }

    fn solution(&mut self, app: &App, shown: &Playback) {
        let shape = shown.from.shape();
        self.title(app, "Esc back");
        self.board(app, &[]);
        let column = panel_left(shape);
        let kind = if shown.is_optimal { "A shortest solution" } else { "A solution" };
        self.bold(column, TOP, &format!("{kind}: {}", moves(shown.moves.len())));
        self.plain(column, TOP + 1, &format!("step {} of {}", shown.at, shown.moves.len()));
        let state = match shown.next {
            Some(_) => "playing",
            None if shown.at == shown.moves.len() => "at the goal",
            None => "paused",
        };
        self.plain(column, TOP + 2, state);
        // The moves around the present one; letters of the tiles' directions, or of the blank's.
        let of_blank = app.style.of_blank;
        let letter = |direction: &Direction| {
            if of_blank { direction.opposite().letter() } else { direction.letter() }
        };
        let room = usize::from(PANEL_COLUMNS) - 4;
        let first = shown.at.saturating_sub(room / 2).min(shown.moves.len().saturating_sub(room));
        let part = &shown.moves[first..shown.moves.len().min(first + room)];
        let text: String = part.iter().map(letter).collect();
        self.plain(column, TOP + 4, &text);
        self.plain(column + (shown.at - first) as u16, TOP + 5, "^");
        let whose = if of_blank { "blank" } else { "tile" };
        self.plain(column, TOP + 7, &format!("Letters name the {whose}'s direction."));
        self.news(app);
        let last = needed(shape).1 - 1;
        self.keys(last, "Space pause  left/right step  Home/End  Enter play on from here");
    }

    fn news(&mut self, app: &App) {
        let shape = app.board().shape();
        let columns = self.buffer.area.width - 2 * LEFT;
        let top = news_top(shape);
        let news = app.news();
        let lines = news.iter().flat_map(|text| wrapped(text, columns));
        for (row, line) in (top..top + NEWS_ROWS).zip(lines) {
            self.plain(LEFT, row, &line);
        }
    }

    /// The board; the tiles of some cells stand out.
    fn board(&mut self, app: &App, best: &[Cell]) {
        let board = app.board();
        let shape = board.shape();
        let (rows, cols) = (shape.rows() as u16, shape.cols() as u16);
        let (width, height) = board_size(shape);
        for row in 0..height {
            for column in 0..width {
                let symbol = line_symbol(
                    (row % CELL_ROWS == 0).then_some((row, height - 1)),
                    (column % CELL_COLUMNS == 0).then_some((column, width - 1)),
                    app.style.has_lines,
                );
                self.plain(LEFT + column, TOP + row, symbol);
            }
        }
        for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
            let cell = shape.cell(usize::from(row), usize::from(col));
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
            let (column, row) = (LEFT + col * CELL_COLUMNS, TOP + row * CELL_ROWS);
            self.write(column + 1, row + 1, &format!("{tile:>3} "), style);
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

    fn shapes(&mut self, chosen: Shape) {
        self.bold(LEFT, 0, "A new board: rows x columns");
        for (row, rows) in SIDES.enumerate() {
            for (col, cols) in SIDES.enumerate() {
                let shape = Shape::new(rows, cols).expect("6x6 is the largest shape");
                let is_chosen = shape == chosen;
                let text = if is_chosen { format!("[{shape}]") } else { format!(" {shape} ") };
                let style = if is_chosen {
                    Style::new().add_modifier(Modifier::REVERSED)
                } else {
                    Style::new()
                };
                self.write(LEFT + 8 * col as u16, 2 + 2 * row as u16, &text, style);
            }
        }
        self.plain(LEFT, 13, "Arrows choose, Enter deals the board, Esc goes back.");
    }
}

/// What is drawn where lines cross, run or are not; each with its place and the last one.
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

/// The cells of the tiles that begin a shortest solution, if hints tell.
fn best_cells(app: &App) -> Vec<Cell> {
    let Asked::Known(values) = &app.values else { return Vec::new() };
    let board = app.game.board();
    let best = values.moves.iter().filter(|value| value.is_optimal == Some(true));
    best.filter_map(|value| value.direction.tile_cell(board.shape(), board.blank())).collect()
}

/// What is known of the shortest solution of the start.
fn shortest(app: &App) -> String {
    if app.game.check_solvable().is_err() {
        return "there is none".to_owned();
    }
    match &app.optimum {
        Asked::Not => "...".to_owned(),
        Asked::Waits(_, since) => match app.since(*since).as_secs() {
            0 => "...".to_owned(),
            seconds => format!("searching, {seconds} s"),
        },
        Asked::Known(answer) => match (answer.length(), answer.lower_bound()) {
            (Some(length), _) => length.to_string(),
            (None, Some(bound)) => format!("at least {bound}"),
            (None, None) => "there is none".to_owned(),
        },
        Asked::Failed(_) => "not known".to_owned(),
    }
}

/// What is said at the goal.
fn solved(app: &App) -> Vec<String> {
    let count = app.game.moves().len();
    let mut lines = vec![format!("Solved: {} in {}.", moves(count), clock(app.time()))];
    if let Asked::Known(answer) = &app.optimum
        && let Some(length) = answer.length()
    {
        lines.push(match count.saturating_sub(length) {
            0 => "No solution is shorter.".to_owned(),
            more => format!("The shortest has {}, {more} fewer.", moves(length)),
        });
    }
    if app.is_helped {
        lines.push("Hints or a solution were seen.".to_owned());
    }
    lines.push(String::new());
    lines.push("n deals a new board.".to_owned());
    lines
}

/// The moves and their distances, or why they are not there.
fn hints(app: &App) -> Vec<(String, bool)> {
    if !app.has_hints {
        return vec![("i shows how good each move is.".to_owned(), false)];
    }
    let values = match &app.values {
        Asked::Not => return Vec::new(),
        Asked::Waits(_, since) => {
            let seconds = app.since(*since).as_secs();
            let text = if seconds == 0 {
                "hints ...".to_owned()
            } else {
                format!("hints: searching, {seconds} s")
            };
            return vec![(text, false)];
        }
        Asked::Failed(problem) => {
            let lines = wrapped(problem, PANEL_COLUMNS - 2).into_iter();
            return lines.map(|line| (line, false)).collect();
        }
        Asked::Known(values) => values,
    };
    let mut lines = match (values.answer.length(), values.answer.lower_bound()) {
        (Some(length), _) => vec![(format!("{} to the goal; after a move:", moves(length)), false)],
        (None, Some(bound)) => {
            vec![
                (format!("At least {} to the goal.", moves(bound as usize)), false),
                ("The search took too long.".to_owned(), false),
            ]
        }
        (None, None) => Vec::new(),
    };
    for value in &values.moves {
        let direction =
            if app.style.of_blank { value.direction.opposite() } else { value.direction };
        let distance = value.distance.map_or_else(|| "?".to_owned(), |d| d.to_string());
        let is_best = value.is_optimal == Some(true);
        let note = if is_best { "  shortest" } else { "" };
        let text = format!("{:<6} tile {:>2} {distance:>5}{note}", word(direction), value.tile);
        lines.push((text, is_best));
    }
    lines
}
