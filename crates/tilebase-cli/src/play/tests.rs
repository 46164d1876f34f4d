#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;
use std::process::Command as Program;
use std::time::Duration;
use std::{env, thread};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::tcgetattr;
use tempfile::TempDir;
use tilebase::names::GoalChoice;
use tilebase::sets::BoardSet;
use tilebase::text::{letters, parse_moves, read_board};
use tilebase::{
    Answer, Board, Direction, Game, Goal, KnownLength, Metric, Shape, Status, Tilebase,
};

use super::app::{
    App, GameCommand, GameEvent, GameStyle, GoalTables, Order, Playback, Quit, Request, SearchKind,
    View, WorkerEvent, random_board,
};
use super::layout::{GameLayout, HELP_SIZE, LEFT, TOP, needed};
use super::screen::{Screen, has_panicked};

const LINES: GameStyle =
    GameStyle { metric: Metric::SingleTile, of_blank: false, has_colours: false, has_lines: true };

/// A game, and workers that answer at once.
struct PlayedGame {
    app: App,
    tables: Tilebase,
    _folder: TempDir,
}

impl PlayedGame {
    fn new(board: &str, style: GameStyle) -> Self {
        let board = read_board(board, None).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let tables = Tilebase::builder().spec("manhattan").folder(folder.path());
        let tables = tables.metric(style.metric);
        let tables = tables.lazy_open().unwrap();
        let preset: fn(Shape) -> Goal = Goal::blank_last;
        let game = Game::new(board, preset(board.shape())).unwrap();
        let (app, commands) = App::new(game, GoalChoice::Preset(preset), 1, style);
        let mut played = Self { app, tables, _folder: folder };
        played.obey(commands);
        played
    }

    fn answer(&self, order: &Order) -> WorkerEvent {
        let Order { kind, id, board, .. } = *order;
        let solved = || self.tables.solve(board).map(Box::new).map_err(|e| e.to_string());
        match kind {
            SearchKind::Values => WorkerEvent::Values(
                id,
                self.tables.moves(board).map(Box::new).map_err(|e| e.to_string()),
            ),
            SearchKind::Solution => WorkerEvent::Solution(id, solved()),
            SearchKind::Optimum => WorkerEvent::Optimum(id, solved()),
        }
    }

    fn obey(&mut self, commands: Vec<GameCommand>) {
        for command in commands {
            let event = match command {
                // Without tables, larger boards would take for ever.
                GameCommand::Search(order) if order.board.shape().cell_count() > 16 => continue,
                GameCommand::Search(order) => self.answer(&order),
                GameCommand::Look(goal) => WorkerEvent::Missing(
                    goal,
                    self.tables.to_build(&goal).map_err(|e| e.to_string()),
                ),
                _ => continue,
            };
            let commands = self.app.update(GameEvent::Worker(event));
            self.obey(commands);
        }
    }

    fn press(&mut self, code: KeyCode) {
        let commands = self.app.update(GameEvent::Key(code.into()));
        self.obey(commands);
    }

    fn type_in(&mut self, keys: &str) {
        keys.chars().for_each(|key| self.press(KeyCode::Char(key)));
    }

    fn screen(&self) -> String {
        screen(&self.app, 80, 24)
    }

    /// Returns the lines of the panel beside the board that are not empty.
    fn panel(&self) -> Vec<String> {
        let layout = GameLayout::new(self.app.board().shape(), (80, 24)).unwrap();
        let panel = layout.panel;
        let screen = self.screen();
        let lines = screen.lines().skip(panel.y.into()).take(panel.height.into());
        let lines = lines.map(|line| line.chars().skip(panel.x.into()).collect::<String>());
        lines.filter(|line| !line.is_empty()).collect()
    }
}

/// Returns the contents of a window, without trailing blanks.
fn screen(app: &App, columns: u16, rows: u16) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
    super::draw::draw(app, &mut buffer);
    let line = |row: u16| {
        let cells = (0..columns).map(|column| buffer[(column, row)].symbol());
        cells.collect::<String>().trim_end().to_owned()
    };
    let lines: Vec<String> = (0..rows).map(line).collect();
    lines.join("\n").trim_end().to_owned()
}

/// Asserts the contents of the screen. `expected` begins with a line end, like the text of a test.
fn assert_shows(played: &PlayedGame, expected: &str) {
    assert_shows_at(played, (80, 24), expected);
}

fn assert_shows_at(played: &PlayedGame, (columns, rows): (u16, u16), expected: &str) {
    assert_eq!(format!("\n{}", screen(&played.app, columns, rows)), expected);
}

fn shapes() -> impl Iterator<Item = Shape> {
    (2..=8).flat_map(|rows| (2..=8).map(move |cols| Shape::new(rows, cols).unwrap()))
}

#[test]
fn shows_the_board_the_panel_and_hints() {
    let mut played = PlayedGame::new("1 2 3 4/5 6 7 8/9 10 0 12/13 14 11 15", LINES);
    played.app.tick(Duration::from_secs(5));
    assert_shows(
        &played,
        r"
  tilebase play  4x4  blank-last                                 ? keys  q end

  ┌───────┬───────┬───────┬───────┐  moves     0
  │       │       │       │       │  time      0:00.0
  │   1   │   2   │   3   │   4   │  shortest  2 moves
  │       │       │       │       │  to go     2 moves
  ├───────┼───────┼───────┼───────┤
  │       │       │       │       │  i shows how good each move is.
  │   5   │   6   │   7   │   8   │
  │       │       │       │       │
  ├───────┼───────┼───────┼───────┤
  │       │       │       │       │
  │   9   │  10   │       │  12   │
  │       │       │       │       │
  ├───────┼───────┼───────┼───────┤
  │       │       │       │       │
  │  13   │  14   │  11   │  15   │
  │       │       │       │       │
  └───────┴───────┴───────┴───────┘




  u undo  r redo  i hints  o solve  n new",
    );
    played.type_in("i");
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/play.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, shown) = page.split_once("```text\n").unwrap();
    let (shown, _) = shown.split_once("\n```").unwrap();
    assert_shows(&played, &format!("\n{shown}"));
}

#[test]
fn shows_time_and_moves_at_the_goal() {
    let mut played = PlayedGame::new("1 2 3/4 5 6/0 7 8", LINES);
    played.app.tick(Duration::from_secs(5));
    played.press(KeyCode::Left);
    played.press(KeyCode::Right);
    played.press(KeyCode::Left);
    played.app.tick(Duration::from_millis(3_700_789));
    played.press(KeyCode::Left);
    // The clock stands still at the goal, and needs no frames.
    played.app.tick(Duration::from_secs(9999));
    assert_eq!(played.app.wait(), Duration::from_millis(200));
    let panel = [
        "moves     4",
        "time      1:01:35.78",
        "shortest  2 moves",
        "Solved: 4 moves (3 slides) in",
        "1:01:35.78.",
        "The shortest has 2 moves, 2 fewer.",
        "n deals a new board.",
    ];
    assert_eq!(played.panel(), panel);
}

#[test]
fn slides_of_several_tiles_are_counted_and_hinted() {
    let style = GameStyle { metric: Metric::MultiTile, ..LINES };
    let mut played = PlayedGame::new("1 2 3/0 5 6/4 7 8", style);
    played.type_in("i");
    let panel = [
        "slides    0 (0 moves)",
        "time      0:00.0",
        "shortest  2 slides",
        "to go     2 slides",
        "2 slides to the goal; after a move:",
        "up       tile  4     1  shortest",
        "down     tile  1     2",
        "left     tile  5     3",
        "left 2   tile  6     3",
    ];
    assert_eq!(played.panel(), panel);
    played.app.tick(Duration::from_secs(5));
    played.press(KeyCode::Left);
    played.press(KeyCode::Right);
    played.press(KeyCode::Up);
    assert_eq!(played.panel()[5], "left 2   tile  8     0  shortest");
    played.press(KeyCode::Left);
    played.press(KeyCode::Left);
    assert_eq!(played.panel()[0], "slides    4 (5 moves)");
    let solved = ["Solved: 4 slides (5 moves) in 0:00.00.", "The shortest has 2 slides, 2 fewer."];
    assert_eq!(played.panel()[3..5], solved);
    let mut played = PlayedGame::new("1 2 3/0 5 6/4 7 8", style);
    played.type_in("o");
    assert_eq!(played.panel()[0], "A shortest solution: 2 slides (3 moves)");
}

#[test]
fn solution_that_is_not_proved_is_never_called_a_shortest_one() {
    let mut played = PlayedGame::new("1 2 3/4 5 6/0 7 8", LINES);
    let (start, goal) = (*played.app.game.start(), *played.app.game.goal());
    // Two moves more than needed.
    let moves = parse_moves("LRLL", false).unwrap();
    let answer = |moves: &[Direction], lower_bound| {
        let status = Status::Solved { moves: moves.to_vec(), lower_bound, limit: None };
        Box::new(Answer::of_status(start, goal, status))
    };
    let tell = |app: &mut App, event| drop(app.update(GameEvent::Worker(event)));
    let mut values = played.tables.moves(start).unwrap();
    values.answer = *answer(&moves, 2);
    for value in &mut values.moves {
        (value.distance, value.is_optimal) = (None, None);
    }
    (played.app.optimum, played.app.values) =
        (Request::Pending(91, Duration::ZERO), Request::Pending(92, Duration::ZERO));
    played.app.has_hints = true;
    tell(&mut played.app, WorkerEvent::Optimum(91, Ok(answer(&moves, 2))));
    tell(&mut played.app, WorkerEvent::Values(92, Ok(Box::new(values))));
    let panel = [
        "moves     0",
        "time      0:00.0",
        "shortest  2 to 4 moves",
        "to go     2 to 4 moves",
        "The search took too long.",
        "left   tile  7     ?",
        "down   tile  4     ?",
    ];
    assert_eq!(played.panel(), panel);
    // The search for a solution shows what it has, and goes on.
    let key = |app: &mut App, code: KeyCode| app.update(GameEvent::Key(code.into()));
    let GameCommand::Search(Order { id, .. }) = key(&mut played.app, KeyCode::Char('o'))[0] else {
        panic!("o searches");
    };
    let found = |length: usize, lower_bound| {
        let moves =
            [&[Direction::Left, Direction::Right].repeat(length / 2 - 1), &moves[2..]].concat();
        let known = answer(&moves, lower_bound).known_length();
        WorkerEvent::Found(id, Box::new(Playback::new(start, &moves, known)))
    };
    tell(&mut played.app, found(6, 2));
    tell(&mut played.app, found(4, 2));
    let title = ["A solution: 4 moves (not proved: at", "least 2 are needed) (3 slides)"];
    assert_eq!(played.panel()[..4], [title[0], title[1], "step 0 of 4", "paused"]);
    assert!(played.screen().contains("searching for a shortest solution, 0 s; Esc stops it"));
    // The one that is played stays until the search ends.
    played.press(KeyCode::Right);
    tell(&mut played.app, found(2, 2));
    assert_eq!(played.panel()[2], "step 1 of 4");
    tell(&mut played.app, WorkerEvent::Solution(id, Ok(answer(&moves, 4))));
    assert_eq!(played.panel()[..2], ["A shortest solution: 4 moves (3 slides)", "step 1 of 4"]);
    assert_eq!(key(&mut played.app, KeyCode::Esc), []);
    for code in [KeyCode::Left, KeyCode::Right, KeyCode::Left, KeyCode::Left] {
        key(&mut played.app, code);
    }
    assert_eq!(played.panel()[4], "The shortest has 2 to 4 moves.");
    played.app.optimum = Request::Pending(93, Duration::ZERO);
    tell(&mut played.app, WorkerEvent::Optimum(93, Ok(answer(&moves, 4))));
    assert_eq!(played.panel()[4], "No solution is shorter.");
}

#[test]
fn leaving_a_solution_stops_the_search_for_a_better_one() {
    let mut played = PlayedGame::new("1 2 3/4 5 6/0 7 8", LINES);
    let start = *played.app.game.start();
    for code in [KeyCode::Esc, KeyCode::Enter, KeyCode::Char('q')] {
        let commands = played.app.update(GameEvent::Key(KeyCode::Char('o').into()));
        let GameCommand::Search(Order { id, .. }) = commands[0] else { panic!("o searches") };
        let known = KnownLength { length: Some(2), ..KnownLength::default() };
        let playback = Playback::new(start, &[Direction::Left; 2], known);
        played.app.update(GameEvent::Worker(WorkerEvent::Found(id, Box::new(playback.clone()))));
        let stop = played.app.update(GameEvent::Key(code.into()));
        assert_eq!(stop, [GameCommand::Cancel(SearchKind::Solution)], "{code:?}");
        played.app.update(GameEvent::Worker(WorkerEvent::Found(id, Box::new(playback))));
        assert!(matches!(played.app.view, View::Play));
    }
}

#[test]
fn shows_why_a_board_has_no_solution_and_lets_it_be_played() {
    let mut played = PlayedGame::new("2 1/3 0", GameStyle::default());
    let panel = [
        "moves     0",
        "time      0:00.0",
        "shortest  there is none",
        "This board cannot be solved.",
        "no sequence of moves leads to the goal:",
        "the permutation of tiles and blank is",
        "odd, but the blank is 0 moves from its",
        "home, which is even; every move changes",
        "both parities, so they must agree",
    ];
    assert_eq!(played.panel(), panel);
    let lines = "\n  +---------------+---------------+";
    assert_eq!(played.screen().matches(lines).count(), 3, "{}", played.screen());
    for key in ["i", "o"] {
        played.type_in(key);
        assert!(played.screen().contains("no moves lead to the goal"), "{key}");
    }
    played.press(KeyCode::Down);
    assert_eq!(played.app.game.board().to_string(), "2 0/3 1");
}

#[test]
fn plays_pauses_and_steps_through_a_solution() {
    let mut played = PlayedGame::new("1 2 3 4/5 6 7 8/9 10 0 12/13 14 11 15", LINES);
    played.type_in("o");
    let at = |played: &PlayedGame| match &played.app.view {
        View::Solution(shown) => (shown.at, shown.next.is_some()),
        other => panic!("{other:?}"),
    };
    assert_eq!(at(&played), (0, true));
    played.app.tick(Duration::from_millis(400));
    assert_eq!(at(&played), (1, true));
    let panel = [
        "A shortest solution: 2 moves",
        "step 1 of 2",
        "playing",
        "UL",
        " ^",
        "Letters name the tile's direction.",
    ];
    assert_eq!(played.panel(), panel);
    let keys = "\n  Space pause  left/right step  Home/End  Enter play on from here";
    assert!(played.screen().ends_with(keys), "{}", played.screen());
    played.press(KeyCode::Char(' '));
    played.app.tick(Duration::from_secs(9));
    assert_eq!(at(&played), (1, false));
    played.press(KeyCode::Right);
    assert_eq!(at(&played), (2, false));
    assert_eq!(played.app.board(), *Goal::blank_last(played.app.board().shape()).board());
    for (key, expected) in [
        (KeyCode::Right, (2, false)),
        (KeyCode::Left, (1, false)),
        (KeyCode::Home, (0, false)),
        (KeyCode::Left, (0, false)),
        (KeyCode::End, (2, false)),
        (KeyCode::Char(' '), (0, true)),
        (KeyCode::Right, (1, false)),
    ] {
        played.press(key);
        assert_eq!(at(&played), expected, "{key:?}");
    }
    // The player's game is where it was, until its player goes on from here.
    assert!(played.app.game.moves().is_empty());
    played.press(KeyCode::Enter);
    assert!(matches!(played.app.view, View::Play) && played.app.is_helped);
    assert_eq!(letters(played.app.game.moves()), "U");
    played.type_in("o");
    played.press(KeyCode::Esc);
    assert_eq!(letters(played.app.game.moves()), "U");
}

#[test]
fn shows_and_leaves_the_page_of_keys() {
    let mut played = PlayedGame::new("1 2 3/4 5 6/0 7 8", LINES);
    played.type_in("?");
    assert_shows(
        &played,
        r"
  Keys of tilebase play

  arrows, wasd, hjkl   move the tile in that direction into the blank
  click                slide a tile in line with the blank, and those between
  u, Backspace         take a move back
  r, Ctrl-R            make it again
  x                    back to the start of this board
  n                    new random board
  e                    new board that is easy
  p                    the board before this one
  2 to 8               new square board with such a side
  g                    next goal: blank-last, blank-first, snail
  i                    hints: how far each move leaves the goal
  o, Enter             show a shortest solution, step by step
  b                    build the tables that are missing
  Esc                  stop the search, the hints, the build
  ?                    this page
  Ctrl-L, Ctrl-Z       draw again, suspend
  q, Ctrl-C            end

  Tiles at home are bold. The best tiles of hints are inverted.
  Any key goes back.",
    );
    played.type_in("x5");
    assert_eq!(played.app.game.board().shape(), Shape::new(5, 5).unwrap());
    // The board before is not lost.
    played.type_in("p");
    assert_eq!(played.app.game.start().to_string(), "1 2 3/4 5 6/0 7 8");
}

#[test]
fn all_shapes_are_drawn_in_80x24_and_in_windows_down_to_the_least() {
    for shape in shapes() {
        let board = Goal::blank_last(shape).board().to_string();
        let played = PlayedGame::new(&board, LINES);
        let last_tile = (shape.cell_count() - 1).to_string();
        let whole = played.screen();
        assert!(whole.contains(&last_tile) && whole.contains("n new"), "{whole}");
        let (columns, rows) = needed(shape);
        for (window, is_enough) in
            [((columns - 1, rows), false), ((columns, rows - 1), false), ((columns, rows), true)]
        {
            assert_eq!(GameLayout::new(shape, window).is_some(), is_enough, "{shape} {window:?}");
            let text = screen(&played.app, window.0, window.1);
            let said = format!("The window is too small: this needs {columns} columns and {rows}");
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(words.starts_with(&said), !is_enough, "{text}");
            assert_eq!(text.contains("u undo"), is_enough, "{text}");
        }
        // Every part of every layout is inside the window, and no two overlap.
        for rows in 1..60 {
            for columns in 1..160 {
                let Some(layout) = GameLayout::new(shape, (columns, rows)) else { continue };
                let GameLayout { cell, panel, below, .. } = layout;
                let size = cell.board(shape);
                assert!(LEFT + size.0 < panel.left() && panel.right() <= columns);
                assert!(TOP + size.1 <= below.top() && below.right() <= columns);
                assert!((25..=40).contains(&panel.width) && panel.height >= 9);
                assert!(panel.bottom() <= below.top() && below.bottom() < rows);
            }
        }
    }
    // Even where there is no room for the message.
    let mut played = PlayedGame::new("1 2 3/4 5 6/0 7 8", LINES);
    for key in ["", "?"] {
        played.type_in(key);
        for (columns, rows) in [(1, 1), (3, 40), (200, 1), (20, 3)] {
            screen(&played.app, columns, rows);
        }
    }
}

#[test]
fn cells_are_as_large_as_a_window_with_a_panel_allows() {
    let mut played = PlayedGame::new("1 2 3 4/5 6 7 8/9 10 0 12/13 14 11 15", LINES);
    played.type_in("k");
    played.app.tick(Duration::from_millis(65_432));
    played.type_in("ui");
    assert_shows_at(
        &played,
        (50, 15),
        r"
  tilebase play  4x4  blank-last   ? keys  q end

  ┌────┬────┬────┬────┐  moves     0
  │  1 │  2 │  3 │  4 │  time      1:05.4
  ├────┼────┼────┼────┤  shortest  2
  │  5 │  6 │  7 │  8 │  to go     2
  ├────┼────┼────┼────┤  2 moves to the goal:
  │  9 │ 10 │    │ 12 │  up     11     1  shortest
  ├────┼────┼────┼────┤  right  10     3
  │ 13 │ 14 │ 11 │ 15 │  down    7     3
  └────┴────┴────┴────┘  left   12     3



  u undo  r redo  i hints  o solve  n new",
    );
    let shape = played.app.board().shape();
    let rows =
        [(50, 15), (80, 24), (120, 40)].map(|w| GameLayout::new(shape, w).unwrap().cell.rows);
    assert_eq!(rows, [1, 3, 7]);
}

#[test]
fn help_needs_no_larger_window_than_it_says() {
    let mut played = PlayedGame::new("1 2 3/4 5 6/0 7 8", LINES);
    played.type_in("?");
    let text = screen(&played.app, HELP_SIZE.0, HELP_SIZE.1);
    assert!(text.contains("Ctrl-C") && text.contains("goes back"), "{text}");
    // No line of the page is cut off.
    assert_eq!(text, screen(&played.app, 200, 60));
    assert!(screen(&played.app, HELP_SIZE.0 - 1, HELP_SIZE.1).starts_with("The window"));
    assert!(screen(&played.app, HELP_SIZE.0, HELP_SIZE.1 - 1).starts_with("The window"));
}

#[test]
fn the_clock_shows_tenths() {
    let mut played = PlayedGame::new("1 2 3/4 5 6/0 7 8", LINES);
    played.app.tick(Duration::from_secs(5));
    let waits = played.app.wait();
    assert!(waits >= Duration::from_millis(200), "{waits:?}");
    played.press(KeyCode::Left);
    for (millis, shown, wait) in [
        (5_000, "0:00.0", 100),
        (5_099, "0:00.0", 1),
        (5_100, "0:00.1", 100),
        (64_999, "0:59.9", 1),
        (65_000, "1:00.0", 100),
        (3_604_999, "59:59.9", 1),
        (3_605_040, "1:00:00.0", 60),
    ] {
        played.app.tick(Duration::from_millis(millis));
        let screen = played.screen();
        assert!(
            screen.lines().any(|line| line.ends_with(&format!("time      {shown}"))),
            "{screen}"
        );
        assert_eq!(played.app.wait(), Duration::from_millis(wait));
    }
}

#[test]
fn keys_name_the_direction_of_the_tile_or_of_the_blank() {
    let start = "1 2 3/4 0 5/6 7 8";
    let all = [
        ([KeyCode::Up, KeyCode::Char('w'), KeyCode::Char('k')], "U", "D"),
        ([KeyCode::Right, KeyCode::Char('d'), KeyCode::Char('l')], "R", "L"),
        ([KeyCode::Down, KeyCode::Char('s'), KeyCode::Char('j')], "D", "U"),
        ([KeyCode::Left, KeyCode::Char('a'), KeyCode::Char('h')], "L", "R"),
    ];
    for (keys, of_tile, of_blank) in all {
        for key in keys {
            for (is_blank, expected) in [(false, of_tile), (true, of_blank)] {
                let mut played = PlayedGame::new(start, GameStyle { of_blank: is_blank, ..LINES });
                played.press(key);
                assert_eq!(letters(played.app.game.moves()), expected, "{key:?} {is_blank}");
            }
        }
    }
}

#[test]
fn moves_are_taken_back_and_made_again_by_keys() {
    let mut played = PlayedGame::new("1 2 3/4 0 5/6 7 8", LINES);
    let moves = |played: &PlayedGame| letters(played.app.game.moves());
    played.type_in("kh");
    assert_eq!(moves(&played), "UL");
    played.type_in("u");
    played.press(KeyCode::Backspace);
    assert_eq!(moves(&played), "");
    played.type_in("u");
    assert!(played.screen().contains("there is no move to take back"));
    played.type_in("r");
    let again = KeyEvent::new(KeyCode::Char('r'), KeyModifiers::CONTROL);
    played.app.update(GameEvent::Key(again));
    assert_eq!(moves(&played), "UL");
    played.type_in("x");
    assert_eq!(moves(&played), "");
    // The blank is in the last row.
    played.type_in("kk");
    assert!(played.screen().contains("no tile can go up"));
}

#[test]
fn a_click_slides_all_tiles_up_to_the_blank() {
    let mut played = PlayedGame::new("1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15", LINES);
    let shape = played.app.game.board().shape();
    for (window, (width, height)) in [((80, 24), (8, 4)), ((50, 15), (5, 2))] {
        let layout = GameLayout::new(shape, window).unwrap();
        for cell in 0..shape.cell_count() as u8 {
            let (row, col) = shape.row_col(cell);
            let (column, row) = (LEFT + width * col as u16, TOP + height * row as u16);
            assert_eq!(layout.cell_at(column + 1, row + 1), Some(cell));
            assert_eq!(layout.cell_at(column + width - 1, row + height - 1), Some(cell));
        }
        assert_eq!(layout.cell_at(LEFT + 4 * width, TOP), None);
        assert_eq!(layout.cell_at(LEFT, TOP + 4 * height), None);
        assert_eq!((layout.cell_at(1, 5), layout.cell_at(5, 1)), (None, None));
    }
    // The same place is another cell in another window.
    played.app.window = (50, 15);
    played.app.update(GameEvent::Click { column: 14, row: 9 });
    assert_eq!(letters(played.app.game.moves()), "LL");
    played.type_in("x");
    played.app.window = (120, 40);
    played.app.update(GameEvent::Click { column: 20, row: 32 });
    assert_eq!(letters(played.app.game.moves()), "L");
    played.type_in("x");
    played.app.window = (50, 15);
    played.app.update(GameEvent::Click { column: 20, row: 9 });
    assert_eq!(letters(played.app.game.moves()), "LLL");
    assert!(played.app.game.is_solved());
    played.app.update(GameEvent::Click { column: 5, row: 3 });
    assert!(played.screen().contains("only tiles in the blank's row or column slide"));
}

#[test]
fn drops_answers_to_outdated_orders() {
    let mut played = PlayedGame::new("1 2 3/4 0 5/6 7 8", LINES);
    let order = |commands: Vec<GameCommand>, kind: SearchKind| {
        let is_wanted =
            |command: &GameCommand| matches!(command, GameCommand::Search(o) if o.kind == kind);
        match commands.into_iter().find(is_wanted).unwrap() {
            GameCommand::Search(order) => order,
            other => panic!("{other:?}"),
        }
    };
    let key = |key: char| GameEvent::Key(KeyCode::Char(key).into());
    let first = order(played.app.update(key('i')), SearchKind::Values);
    let second = order(played.app.update(key('k')), SearchKind::Values);
    assert_eq!(
        (first.board.to_string(), &second.board),
        ("1 2 3/4 0 5/6 7 8".to_owned(), played.app.game.board())
    );
    played.app.update(GameEvent::Worker(played.answer(&first)));
    assert!(matches!(played.app.values, Request::Pending(id, _) if id == second.id));
    played.app.update(GameEvent::Worker(played.answer(&second)));
    assert!(
        matches!(&played.app.values, Request::Done(values) if values.answer.board == second.board)
    );
    // A solution of a board that was left is not shown, and its search is stopped.
    let solution = order(played.app.update(key('o')), SearchKind::Solution);
    assert!(played.app.update(key('u')).contains(&GameCommand::Cancel(SearchKind::Solution)));
    played.app.update(GameEvent::Worker(played.answer(&solution)));
    assert!(matches!(played.app.view, View::Play));
    // So is one that was stopped.
    let solution = order(played.app.update(key('o')), SearchKind::Solution);
    let stop = played.app.update(GameEvent::Key(KeyCode::Esc.into()));
    assert_eq!(stop, [GameCommand::Cancel(SearchKind::Solution)]);
    played.app.update(GameEvent::Worker(played.answer(&solution)));
    assert!(matches!(played.app.view, View::Play));
}

#[test]
fn builds_tables_only_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tilebase::builder().folder(folder.path()).lazy_open().unwrap();
    let mut played = PlayedGame::new("1 2 3 4/5 6 7 8/9 10 0 12/13 14 11 15", LINES);
    let goal = *played.app.game.goal();
    let missing = tables.to_build(&goal).unwrap().unwrap();
    assert_eq!((missing.name.as_str(), missing.table_count), ("15/7-8", 2));
    played.type_in("b");
    assert!(played.screen().contains("there is nothing to build"));
    played.app.update(GameEvent::Worker(WorkerEvent::Missing(goal, Ok(Some(missing)))));
    // The news of the key are over with the next one.
    played.type_in("i");
    let news = "15/7-8 lacks 2 tables: b builds what is missing (195.65 MB of disk, about";
    assert!(played.screen().contains(news), "{}", played.screen());
    let press =
        |played: &mut PlayedGame, code: KeyCode| played.app.update(GameEvent::Key(code.into()));
    assert_eq!(press(&mut played, KeyCode::Char('b')), [GameCommand::Build(goal)]);
    assert_eq!(press(&mut played, KeyCode::Char('b')), []);
    played
        .app
        .update(GameEvent::Worker(WorkerEvent::Building("building x.pdb: packing".to_owned())));
    assert!(played.screen().contains("building x.pdb: packing; Esc stops it"));
    played.type_in("i");
    assert_eq!(press(&mut played, KeyCode::Esc), [GameCommand::StopBuild]);
    let commands =
        played.app.update(GameEvent::Worker(WorkerEvent::Built(Err("interrupted".to_owned()))));
    assert_eq!(commands, [GameCommand::Look(goal)]);
    assert!(played.screen().contains("interrupted"));
    let commands = played.app.update(GameEvent::Worker(WorkerEvent::Built(Ok(()))));
    assert_eq!(commands, [GameCommand::Look(goal)]);
    assert_eq!(played.app.tables, GoalTables::Unknown);
    played.app.update(GameEvent::Worker(WorkerEvent::Missing(goal, Ok(None))));
    assert_eq!(played.app.tables, GoalTables::There);
}

#[test]
fn draws_the_game_after_any_keys() {
    use KeyCode::{Backspace, Char, Down, End, Enter, Esc, F, Home, Left, Null, Right, Tab, Up};

    let codes = [Up, Down, Left, Right, Enter, Esc, Home, End, Backspace, Tab, F(1), Null];
    let keys = "wasdhjklurxnepg2345678iob? \u{e9}\u{4e2d}";
    let all: Vec<KeyCode> = codes.into_iter().chain(keys.chars().map(Char)).collect();
    let mut played = PlayedGame::new("1 2 3/4 0 5/6 7 8", LINES);
    let mut state = 1u64;
    let mut number = |end: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % end
    };
    let mut views = [0; 3];
    let mut hint_count = 0;
    for step in 0..20_000 {
        played.app.tick(Duration::from_millis(step * 100));
        let event = match number(20) {
            0 => GameEvent::Click { column: number(90) as u16, row: number(30) as u16 },
            1 => GameEvent::Resize,
            _ => GameEvent::Key(all[number(all.len())].into()),
        };
        let mut commands = VecDeque::from(played.app.update(event));
        while let Some(command) = commands.pop_front() {
            let event = match command {
                // Small boards are solved at once, others never.
                GameCommand::Search(order) if order.board.shape().cell_count() <= 6 => {
                    played.answer(&order)
                }
                GameCommand::Search(Order { board, .. }) => {
                    assert_eq!(board.shape(), played.app.game.goal().shape());
                    continue;
                }
                GameCommand::Look(goal) => WorkerEvent::Missing(goal, Ok(None)),
                GameCommand::Build(_) => panic!("nothing is missing"),
                GameCommand::Quit(_) => panic!("nobody pressed q"),
                _ => continue,
            };
            commands.extend(played.app.update(GameEvent::Worker(event)));
        }
        if let Request::Done(values) = &played.app.values {
            hint_count += 1;
            assert_eq!(values.answer.board, *played.app.game.board());
        }
        if let View::Play = played.app.view {
            let start: &Board = played.app.game.start();
            let replayed = start.after(played.app.game.moves()).unwrap();
            assert_eq!(replayed, played.app.board());
        }
        views[match played.app.view {
            View::Play => 0,
            View::Help => 1,
            View::Solution(_) => 2,
        }] += 1;
        if step % 50 == 0 {
            let (columns, rows) = (1 + number(100) as u16, 1 + number(40) as u16);
            screen(&played.app, columns, rows);
        }
    }
    assert!(views.iter().all(|&count| count > 100) && hint_count > 100, "{views:?} {hint_count}");
}

#[test]
fn only_q_and_an_interrupt_end_the_game() {
    let mut played = PlayedGame::new("1 2 3/4 0 5/6 7 8", LINES);
    let key = |code, modifiers| GameEvent::Key(KeyEvent::new(code, modifiers));
    let q = played.app.update(key(KeyCode::Char('q'), KeyModifiers::NONE));
    assert_eq!(q, [GameCommand::Quit(Quit::Player)]);
    for view in [View::Play, View::Help] {
        played.app.view = view;
        let c = played.app.update(key(KeyCode::Char('c'), KeyModifiers::CONTROL));
        assert_eq!(c, [GameCommand::Quit(Quit::Interrupt)]);
        let z = played.app.update(key(KeyCode::Char('z'), KeyModifiers::CONTROL));
        assert_eq!(z, [GameCommand::Suspend]);
    }
}

#[test]
fn restores_the_time_of_the_previous_game() {
    let mut played = PlayedGame::new("1 2 3/4 0 5/6 7 8", LINES);
    played.type_in("ki");
    played.app.tick(Duration::from_secs(10));
    played.type_in("in");
    assert_eq!((played.app.time(), played.app.is_helped), (Duration::ZERO, false));
    played.app.tick(Duration::from_secs(50));
    assert_eq!(played.app.time(), Duration::ZERO);
    played.type_in("p");
    assert_eq!(letters(played.app.game.moves()), "U");
    assert_eq!((played.app.time(), played.app.is_helped), (Duration::from_secs(10), true));
    played.app.tick(Duration::from_secs(51));
    assert_eq!(played.app.time(), Duration::from_secs(11));
    // The other one is where it was, too.
    played.type_in("p");
    assert_eq!((played.app.time(), played.app.is_helped), (Duration::ZERO, false));
}

#[test]
fn the_same_seed_deals_the_same_boards_and_never_the_goal() {
    let goal = Goal::blank_last(Shape::new(2, 2).unwrap());
    let deal = |mut seed| [(); 100].map(|()| random_board(&goal, &mut seed));
    let boards = deal(3);
    assert_eq!(boards, deal(3));
    assert!(boards.iter().all(|board| board != goal.board()));
    assert_eq!(boards[0], BoardSet::random(&goal, 1, 3).boards[0]);
}

#[test]
fn a_panic_gives_the_terminal_back_before_its_message() {
    const NAME: &str = "play::tests::a_panic_gives_the_terminal_back_before_its_message";
    const IS_CHILD: &str = "TILEBASE_TEST_PANICS";
    if env::var_os(IS_CHILD).is_some() {
        let _screen = Screen::take().unwrap();
        let failed = thread::spawn(|| panic!("on purpose")).join();
        assert!(failed.is_err() && has_panicked());
        return;
    }
    let reader = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&reader).unwrap();
    unlockpt(&reader).unwrap();
    let path = ptsname(&reader, Vec::new()).unwrap();
    let side = File::options().read(true).write(true).open(path.to_str().unwrap()).unwrap();
    let before = tcgetattr(&side).unwrap().local_modes;
    let copy = || side.try_clone().unwrap();
    let mut program = Program::new(env::current_exe().unwrap());
    program.args(["--exact", NAME, "--nocapture"]).env(IS_CHILD, "1").env("TERM", "xterm");
    let mut child = program.stdin(copy()).stdout(copy()).stderr(copy()).spawn().unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(tcgetattr(&side).unwrap().local_modes, before);
    // Without its other side, a terminal ends with an error.
    drop((program, side));
    let mut text = Vec::new();
    let _ = File::from(reader).read_to_end(&mut text);
    let text = String::from_utf8(text).unwrap();
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part:?} in {text:?}"));
    assert!(at("\u{1b}[?1049h") < at("\u{1b}[?1049l") && at("\u{1b}[?1049l") < at("on purpose"));
}
