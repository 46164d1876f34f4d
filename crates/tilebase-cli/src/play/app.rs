//! State of the game and its transitions, without a clock, a terminal or a thread.

use std::mem;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tilebase::moves::MoveValues;
use tilebase::names::{GoalChoice, goal_name};
use tilebase::sets::BoardSet;
use tilebase::shelf::MissingTables;
use tilebase::{Answer, Board, Direction, Game, Goal, KnownLength, Metric, Shape};

use super::layout::GameLayout;
use crate::output::bytes;

/// Time between two steps of a solution.
const STEP: Duration = Duration::from_millis(350);
/// Time limit of background searches: for hints, and for the length of a shortest solution.
const PATIENCE: Duration = Duration::from_mins(1);
/// The same if tables are missing, when a longer search would only waste processor time.
const IMPATIENCE: Duration = Duration::from_secs(10);
/// Largest number of cells of boards that are solved immediately without tables.
const EASY_CELLS_MAX: usize = 9;

/// Event for the state.
#[derive(Debug)]
pub(super) enum GameEvent {
    /// A key was pressed.
    Key(KeyEvent),
    /// The left button of a mouse was pressed.
    Click { column: u16, row: u16 },
    /// The window was resized, or has to be drawn again.
    Resize,
    /// Input has ended, for this reason.
    NoInput(String),
    /// A worker has sent an event.
    Worker(WorkerEvent),
}

/// Event of a worker. Numbers identify orders.
#[derive(Debug)]
pub(super) enum WorkerEvent {
    /// The distances after each move of a board.
    Values(u64, Result<Box<MoveValues>, String>),
    /// A solution to show while its search goes on.
    Found(u64, Box<Playback>),
    /// A solution to show.
    Solution(u64, Result<Box<Answer>, String>),
    /// The solution of the start, for its length.
    Optimum(u64, Result<Box<Answer>, String>),
    /// The missing tables of a goal.
    Missing(Goal, Result<Option<MissingTables>, String>),
    /// Progress of the build.
    Building(String),
    /// The build has ended.
    Built(Result<(), String>),
}

/// Command from the state to the program.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum GameCommand {
    /// Search, and cancel an older search of the same kind.
    Search(Order),
    /// Cancel searches of this kind.
    Cancel(SearchKind),
    /// Find the missing tables of a goal.
    Look(Goal),
    /// Build the tables of a goal.
    Build(Goal),
    /// Cancel the build.
    StopBuild,
    /// Suspend the program.
    Suspend,
    /// Draw the whole window again.
    Redraw,
    /// End the program.
    Quit(Quit),
}

/// Reason why the program ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Quit {
    /// The player has pressed q.
    Player,
    /// Ctrl-C.
    Interrupt,
    /// Input has ended, for this reason.
    NoInput(String),
}

/// Kind of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchKind {
    /// The distance after each move.
    Values,
    /// A solution to show.
    Solution,
    /// The length of a shortest solution of the start.
    Optimum,
}

/// Order for a search.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Order {
    pub(super) kind: SearchKind,
    pub(super) id: u64,
    pub(super) board: Board,
    pub(super) goal: Goal,
    pub(super) time: Option<Duration>,
}

/// State of a request to a worker.
#[derive(Clone, Debug)]
pub(super) enum Request<T> {
    /// Nothing was requested.
    Idle,
    /// The answer to this order is pending since this time.
    Pending(u64, Duration),
    Done(T),
    /// There is no answer, for this reason.
    Failed(String),
}

impl<T> Request<T> {
    fn answered(answer: Result<Box<T>, String>) -> Self {
        answer.map_or_else(Self::Failed, |found| Self::Done(*found))
    }

    /// Drops the request, and cancels its search if the answer is pending.
    fn cancel(&mut self, kind: SearchKind) -> Option<GameCommand> {
        let pending = mem::replace(self, Self::Idle);
        matches!(pending, Self::Pending(..)).then_some(GameCommand::Cancel(kind))
    }

    fn is_of(&self, id: u64) -> bool {
        matches!(self, Self::Pending(of, _) if *of == id)
    }
}

/// A solution that is shown step by step.
#[derive(Clone, Debug)]
pub(super) struct Playback {
    pub(super) from: Board,
    pub(super) moves: Vec<Direction>,
    /// Number of moves made so far.
    pub(super) at: usize,
    /// Time of the next step, unless the playback is paused.
    pub(super) next: Option<Duration>,
    pub(super) known: KnownLength,
}

impl Playback {
    /// Creates a paused playback.
    pub(super) fn new(from: Board, moves: &[Direction], known: KnownLength) -> Self {
        Self { from, moves: moves.to_vec(), at: 0, next: None, known }
    }

    /// Returns whether the player, or the end of the search, has started it.
    fn is_begun(&self) -> bool {
        self.at > 0 || self.next.is_some()
    }

    pub(super) fn board(&self) -> Board {
        self.from.after(&self.moves[..self.at]).expect("a solution has legal moves")
    }
}

/// Contents of the screen.
#[derive(Clone, Debug)]
pub(super) enum View {
    Play,
    Help,
    Solution(Playback),
}

/// State of the tables of the current goal.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum GoalTables {
    Unknown,
    /// All tables exist, or the search needs none.
    There,
    Missing(MissingTables),
    Failed(String),
}

/// Style of the game.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GameStyle {
    /// Metric of lengths and distances.
    pub(crate) metric: Metric,
    /// Whether keys name the direction of the blank, not that of the tile.
    pub(crate) of_blank: bool,
    pub(crate) has_colours: bool,
    /// Whether the lines of the board are drawn with characters beyond ASCII.
    pub(crate) has_lines: bool,
}

/// Game before the current one.
#[derive(Debug)]
struct PreviousGame {
    game: Game,
    time: Duration,
    is_helped: bool,
}

/// The state of the program.
#[derive(Debug)]
pub(super) struct App {
    pub(super) game: Game,
    previous: Option<PreviousGame>,
    choice: GoalChoice,
    pub(super) style: GameStyle,
    pub(super) view: View,
    pub(super) has_hints: bool,
    pub(super) values: Request<MoveValues>,
    pub(super) optimum: Request<Answer>,
    pub(super) solution: Request<()>,
    pub(super) tables: GoalTables,
    pub(super) building: Option<String>,
    pub(super) note: Option<String>,
    /// Whether the player has seen hints or a solution.
    pub(super) is_helped: bool,
    /// Columns and rows of the last frame, to which clicks refer.
    pub(super) window: (u16, u16),
    now: Duration,
    begun: Option<Duration>,
    ended: Option<Duration>,
    last_id: u64,
    seed: u64,
    /// Commands that the current event has led to.
    commands: Vec<GameCommand>,
}

impl App {
    /// Returns the state of a new game and its first commands. `seed` determines later boards.
    pub(super) fn new(
        game: Game,
        choice: GoalChoice,
        seed: u64,
        style: GameStyle,
    ) -> (Self, Vec<GameCommand>) {
        let mut app = Self {
            game,
            previous: None,
            choice,
            style,
            view: View::Play,
            has_hints: false,
            values: Request::Idle,
            optimum: Request::Idle,
            solution: Request::Idle,
            tables: GoalTables::Unknown,
            building: None,
            note: None,
            is_helped: false,
            window: (80, 24),
            now: Duration::ZERO,
            begun: None,
            ended: None,
            last_id: 0,
            seed,
            commands: Vec::new(),
        };
        app.look();
        let commands = mem::take(&mut app.commands);
        (app, commands)
    }

    /// Returns the time of the game.
    pub(super) fn time(&self) -> Duration {
        let begun = self.begun.unwrap_or(self.now);
        self.ended.unwrap_or(self.now).saturating_sub(begun)
    }

    /// Returns the time until the display changes by itself.
    pub(super) fn wait(&self) -> Duration {
        match &self.view {
            View::Solution(Playback { next: Some(next), .. }) => next.saturating_sub(self.now),
            // Waits until the next tenth of a second of the clock.
            View::Play if self.begun.is_some() && self.ended.is_none() => {
                let past = self.time().subsec_millis() % 100;
                Duration::from_millis(u64::from(100 - past))
            }
            _ => Duration::from_millis(200),
        }
    }

    /// Returns the time since a request.
    pub(super) fn since(&self, begun: Duration) -> Duration {
        self.now.saturating_sub(begun)
    }

    /// Advances the clock.
    pub(super) fn tick(&mut self, now: Duration) {
        self.now = now;
        if let View::Solution(shown) = &mut self.view
            && shown.next.is_some_and(|next| next <= now)
        {
            shown.at = (shown.at + 1).min(shown.moves.len());
            shown.next = (shown.at < shown.moves.len()).then_some(now + STEP);
        }
    }

    /// Handles an event, and returns the commands that it leads to.
    pub(super) fn update(&mut self, event: GameEvent) -> Vec<GameCommand> {
        match event {
            GameEvent::Key(key) => self.key(key),
            GameEvent::Click { column, row } => self.click(column, row),
            GameEvent::Resize => self.commands.push(GameCommand::Redraw),
            GameEvent::NoInput(problem) => {
                self.commands.push(GameCommand::Quit(Quit::NoInput(problem)));
            }
            GameEvent::Worker(event) => self.worker_event(event),
        }
        mem::take(&mut self.commands)
    }

    fn key(&mut self, key: KeyEvent) {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if is_control => {
                return self.commands.push(GameCommand::Quit(Quit::Interrupt));
            }
            KeyCode::Char('z') if is_control => return self.commands.push(GameCommand::Suspend),
            KeyCode::Char('l') if is_control => return self.commands.push(GameCommand::Redraw),
            KeyCode::Char('r') if is_control => return self.key(KeyCode::Char('r').into()),
            KeyCode::Char(_) if is_control || key.modifiers.contains(KeyModifiers::ALT) => return,
            _ => (),
        }
        self.note = None;
        match &mut self.view {
            View::Play => self.play_key(key.code),
            View::Help => self.view = View::Play,
            View::Solution(_) => self.solution_key(key.code),
        }
    }

    fn play_key(&mut self, code: KeyCode) {
        if let Some(direction) = arrow(code) {
            return self.go(direction);
        }
        match code {
            KeyCode::Char('u') | KeyCode::Backspace => {
                let is_undone = self.game.undo().is_some();
                self.after_move(is_undone, "there is no move to take back");
            }
            KeyCode::Char('r') => {
                let is_made = self.game.redo().is_some();
                self.after_move(is_made, "there is no move to make again");
            }
            KeyCode::Char('x') => {
                let is_away = !self.game.moves().is_empty();
                self.game.restart();
                self.after_move(is_away, "this is the start");
            }
            KeyCode::Char('n') => self.deal(self.game.goal().shape()),
            KeyCode::Char('e') => self.deal_easy(),
            KeyCode::Char('p') => match self.previous.take() {
                Some(left) => self.begin(left),
                None => self.say("there was no board before this one"),
            },
            KeyCode::Char('g') => self.change_goal(),
            KeyCode::Char(digit @ '2'..='8') => {
                let side = side(digit);
                self.deal(Shape::new(side, side).expect("8x8 is the largest shape"));
            }
            KeyCode::Char('i') => {
                self.has_hints = !self.has_hints;
                if self.has_hints { self.weigh() } else { self.drop_values() }
            }
            KeyCode::Char('o') | KeyCode::Enter => self.solve(),
            KeyCode::Char('b') => self.build(),
            KeyCode::Char('?') | KeyCode::F(1) => self.view = View::Help,
            KeyCode::Char('q') => self.commands.push(GameCommand::Quit(Quit::Player)),
            KeyCode::Esc => self.escape(),
            _ => self.say("? shows all keys"),
        }
    }

    fn solution_key(&mut self, code: KeyCode) {
        let now = self.now;
        let View::Solution(shown) = &mut self.view else { return };
        let last = shown.moves.len();
        let step = |shown: &mut Playback, at: usize| (shown.at, shown.next) = (at.min(last), None);
        match code {
            KeyCode::Char(' ') => {
                shown.next = match shown.next {
                    Some(_) => None,
                    None if shown.at < last => Some(now + STEP),
                    // Starts again from the beginning.
                    None => {
                        shown.at = 0;
                        Some(now + STEP)
                    }
                }
            }
            KeyCode::Right | KeyCode::Char('l' | 'd' | 'n' | '.') => step(shown, shown.at + 1),
            KeyCode::Left | KeyCode::Char('h' | 'a' | 'p' | ',' | 'u') => {
                step(shown, shown.at.saturating_sub(1));
            }
            KeyCode::Home | KeyCode::Char('x') => step(shown, 0),
            KeyCode::End => step(shown, last),
            KeyCode::Enter => {
                let moves = shown.moves[..shown.at].to_vec();
                self.leave_solution();
                let is_moved = !moves.is_empty();
                for direction in moves {
                    self.game.make(direction);
                }
                self.after_move(is_moved, "no step was taken");
            }
            KeyCode::Esc | KeyCode::Char('q' | 'o') => self.leave_solution(),
            _ => (),
        }
    }

    fn click(&mut self, column: u16, row: u16) {
        let shape = self.game.board().shape();
        let layout = GameLayout::new(shape, self.window);
        let cell = layout.and_then(|layout| layout.cell_at(column, row));
        let (View::Play, Some(cell)) = (&self.view, cell) else { return };
        self.note = None;
        let is_moved = self.game.slide(cell) > 0;
        self.after_move(is_moved, "only tiles in the blank's row or column slide");
    }

    /// Moves the tile, or the blank, in a direction.
    fn go(&mut self, direction: Direction) {
        let of_tile = if self.style.of_blank { direction.opposite() } else { direction };
        let is_made = self.game.make(of_tile);
        let what = if self.style.of_blank { "the blank cannot" } else { "no tile can" };
        self.after_move(is_made, &format!("{what} go {}", direction.word()));
    }

    fn say(&mut self, note: &str) {
        self.note = Some(note.to_owned());
    }

    /// Handles a move, or shows `otherwise` if there was none.
    fn after_move(&mut self, is_moved: bool, otherwise: &str) {
        if !is_moved {
            return self.say(otherwise);
        }
        self.begun.get_or_insert(self.now);
        self.ended = self.game.is_solved().then(|| self.ended.unwrap_or(self.now));
        self.drop_solution();
        self.weigh();
    }

    /// Begins another game, and keeps the current one as the previous game.
    fn begin(&mut self, PreviousGame { game, time, is_helped }: PreviousGame) {
        let left =
            PreviousGame { time: self.time(), is_helped: self.is_helped, game: self.game.clone() };
        self.previous = Some(left);
        self.begun = (time > Duration::ZERO).then(|| self.now.saturating_sub(time));
        self.ended = game.is_solved().then_some(self.now);
        (self.game, self.is_helped) = (game, is_helped);
        self.drop_solution();
        self.commands.extend(self.optimum.cancel(SearchKind::Optimum));
        self.look();
    }

    /// Begins a game with another board.
    fn begin_board(&mut self, board: Board, goal: Goal) {
        let game = Game::new(board, goal).expect("the board was made for the goal");
        self.begin(PreviousGame { game, time: Duration::ZERO, is_helped: false });
    }

    /// Looks for missing tables. Background searches begin after that.
    fn look(&mut self) {
        self.tables = GoalTables::Unknown;
        self.drop_values();
        self.commands.push(GameCommand::Look(*self.game.goal()));
    }

    /// Deals a random board of a shape.
    fn deal(&mut self, shape: Shape) {
        let goal = self.goal(shape);
        let board = random_board(&goal, &mut self.seed);
        self.begin_board(board, goal);
    }

    /// Deals a board near the goal.
    fn deal_easy(&mut self) {
        let goal = *self.game.goal();
        let steps = goal.shape().cell_count() + 4;
        let walk = |seed| BoardSet::walks(&goal, steps, 1, seed);
        let board = other_than_goal(&goal, &mut self.seed, walk);
        self.begin_board(board, goal);
    }

    /// Returns the goal for a shape: the current goal, if the shape has it.
    fn goal(&self, shape: Shape) -> Goal {
        self.choice.goal(shape).unwrap_or_else(|_| Goal::blank_last(shape))
    }

    fn change_goal(&mut self) {
        let presets: [fn(Shape) -> Goal; 3] = [Goal::blank_last, Goal::blank_first, Goal::snail];
        let shape = self.game.goal().shape();
        let now = presets.iter().position(|preset| preset(shape) == *self.game.goal());
        let next = presets[now.map_or(0, |now| (now + 1) % presets.len())];
        self.choice = GoalChoice::Preset(next);
        self.deal(shape);
        self.note = Some(format!("a new board for the goal {}", goal_name(self.game.goal())));
    }

    /// Orders a search, and returns the pending request.
    fn order<T>(&mut self, kind: SearchKind, board: Board, time: Option<Duration>) -> Request<T> {
        self.last_id += 1;
        let (id, goal) = (self.last_id, *self.game.goal());
        self.commands.push(GameCommand::Search(Order { kind, id, board, goal, time }));
        Request::Pending(id, self.now)
    }

    /// Returns the time limit of a background search.
    fn patience(&self) -> Duration {
        let is_weak = matches!(self.tables, GoalTables::Missing(_) | GoalTables::Failed(_));
        if is_weak && !self.is_easy() { IMPATIENCE } else { PATIENCE }
    }

    /// Returns whether boards of this shape need no tables.
    fn is_easy(&self) -> bool {
        self.game.goal().shape().cell_count() <= EASY_CELLS_MAX
    }

    /// Requests the distances after moves, if hints are on.
    fn weigh(&mut self) {
        // The request follows as soon as the state of the tables is known.
        if !self.has_hints || self.tables == GoalTables::Unknown {
            return;
        }
        if self.game.check_solvable().is_err() {
            return self.say("no moves lead to the goal, so none is better than another");
        }
        self.values = self.order(SearchKind::Values, *self.game.board(), Some(self.patience()));
    }

    /// Requests the length of a shortest solution of the start, unless it is known.
    fn measure(&mut self) {
        if self.game.check_solvable().is_err() || matches!(self.optimum, Request::Done(_)) {
            return;
        }
        self.optimum = self.order(SearchKind::Optimum, *self.game.start(), Some(self.patience()));
    }

    fn solve(&mut self) {
        if self.game.check_solvable().is_err() {
            return self.say("no moves lead to the goal");
        }
        if self.game.is_solved() {
            return self.say("this is the goal; n deals a new board");
        }
        self.solution = self.order(SearchKind::Solution, *self.game.board(), None);
    }

    fn build(&mut self) {
        if self.building.is_some() {
            return self.say("tables are being built already; Esc stops that");
        }
        match &self.tables {
            GoalTables::Missing(_) => {
                self.building = Some("building".to_owned());
                self.commands.push(GameCommand::Build(*self.game.goal()));
            }
            GoalTables::Unknown => self.say("what there is to build is not known yet"),
            GoalTables::There => self.say("there is nothing to build"),
            GoalTables::Failed(problem) => {
                let problem = problem.clone();
                self.say(&problem);
            }
        }
    }

    /// Cancels the last request.
    fn escape(&mut self) {
        if matches!(self.solution, Request::Pending(..)) {
            self.note = Some("the search was stopped".to_owned());
            return self.drop_solution();
        }
        if self.has_hints {
            self.has_hints = false;
            return self.drop_values();
        }
        if self.building.is_some() {
            return self.commands.push(GameCommand::StopBuild);
        }
        self.say("q ends the game");
    }

    /// Returns to the game, and stops the search for a better solution.
    fn leave_solution(&mut self) {
        self.view = View::Play;
        self.drop_solution();
    }

    fn drop_solution(&mut self) {
        self.commands.extend(self.solution.cancel(SearchKind::Solution));
    }

    fn drop_values(&mut self) {
        self.commands.extend(self.values.cancel(SearchKind::Values));
    }

    /// Handles an event of a worker. Answers to outdated orders are dropped.
    fn worker_event(&mut self, event: WorkerEvent) {
        match event {
            WorkerEvent::Values(id, values) if self.values.is_of(id) => {
                self.values = Request::answered(values);
                self.is_helped |= matches!(self.values, Request::Done(_));
            }
            WorkerEvent::Optimum(id, answer) if self.optimum.is_of(id) => {
                self.optimum = Request::answered(answer);
            }
            WorkerEvent::Found(id, found) if self.solution.is_of(id) => {
                self.is_helped = true;
                match &self.view {
                    // A solution that is being played stays, and so does a page.
                    View::Solution(shown) if shown.is_begun() => (),
                    View::Play | View::Solution(_) => self.view = View::Solution(*found),
                    View::Help => (),
                }
            }
            WorkerEvent::Solution(id, answer) if self.solution.is_of(id) => {
                self.solution = Request::Idle;
                match answer {
                    Ok(answer) => self.show(&answer),
                    Err(problem) => self.note = Some(problem),
                }
            }
            WorkerEvent::Missing(goal, found) if goal == *self.game.goal() => {
                self.tables = match found {
                    Ok(None) => GoalTables::There,
                    Ok(Some(missing)) => GoalTables::Missing(missing),
                    Err(problem) => GoalTables::Failed(problem),
                };
                self.measure();
                self.weigh();
            }
            // Answers to outdated orders.
            WorkerEvent::Values(..)
            | WorkerEvent::Optimum(..)
            | WorkerEvent::Found(..)
            | WorkerEvent::Solution(..)
            | WorkerEvent::Missing(..) => (),
            WorkerEvent::Building(line) => self.building = Some(line),
            WorkerEvent::Built(result) => {
                self.building = None;
                self.note = Some(result.err().unwrap_or_else(|| "the tables are built".to_owned()));
                if !matches!(&self.optimum, Request::Done(answer) if answer.known_length().is_proved())
                {
                    self.optimum = Request::Idle;
                }
                self.look();
            }
        }
    }

    /// Shows the result of the search for a solution, which may be on the screen already.
    fn show(&mut self, answer: &Answer) {
        let known = answer.known_length();
        match (answer.moves(), &mut self.view) {
            (None, _) => self.note = Some(format!("no solution was found; {known}")),
            (Some(moves), View::Solution(shown)) if shown.is_begun() && shown.moves == moves => {
                shown.known = known;
            }
            (Some(moves), _) => {
                self.is_helped = true;
                let next = Some(self.now + STEP);
                let playback = Playback::new(answer.board, moves, known);
                self.view = View::Solution(Playback { next, ..playback });
            }
        }
    }

    /// Returns the board on the screen.
    pub(super) fn board(&self) -> Board {
        match &self.view {
            View::Solution(shown) => shown.board(),
            _ => *self.game.board(),
        }
    }

    /// Returns the messages below the board, the newest first.
    pub(super) fn news(&self) -> Vec<String> {
        let mut news: Vec<String> = self.note.iter().cloned().collect();
        if let Request::Pending(_, since) = self.solution {
            let seconds = self.since(since).as_secs();
            news.push(format!("searching for a shortest solution, {seconds} s; Esc stops it"));
        }
        let is_needless = self.is_easy() && !matches!(self.optimum, Request::Failed(_));
        match (&self.building, &self.tables) {
            (Some(building), _) => news.push(format!("{building}; Esc stops it")),
            (None, GoalTables::Missing(missing)) if !is_needless => {
                let MissingTables { name, table_count, disk_bytes, seconds, .. } = missing;
                let tables = if *table_count == 1 { "table" } else { "tables" };
                news.push(format!(
                    "{name} lacks {table_count} {tables}: b builds what is missing ({} of disk, about \
                     {} s). Without tables, hints may take too long.",
                    bytes(*disk_bytes),
                    seconds.ceil().max(1.0),
                ));
            }
            (None, GoalTables::Failed(problem)) if self.note.is_none() => {
                news.push(problem.clone());
            }
            (None, _) => (),
        }
        news
    }
}

/// Returns a random board that is not the goal, and advances the seed.
pub(crate) fn random_board(goal: &Goal, seed: &mut u64) -> Board {
    other_than_goal(goal, seed, |seed| BoardSet::random(goal, 1, seed))
}

/// Makes boards from consecutive seeds until one is not the goal.
fn other_than_goal(goal: &Goal, seed: &mut u64, make: impl Fn(u64) -> BoardSet) -> Board {
    loop {
        let board = make(*seed).boards[0];
        *seed = seed.wrapping_add(1);
        if board != *goal.board() {
            return board;
        }
    }
}

/// Returns the direction of a key.
fn arrow(code: KeyCode) -> Option<Direction> {
    Some(match code {
        KeyCode::Up | KeyCode::Char('w' | 'k') => Direction::Up,
        KeyCode::Right | KeyCode::Char('d' | 'l') => Direction::Right,
        KeyCode::Down | KeyCode::Char('s' | 'j') => Direction::Down,
        KeyCode::Left | KeyCode::Char('a' | 'h') => Direction::Left,
        _ => return None,
    })
}

/// Returns the value of a digit.
fn side(digit: char) -> usize {
    usize::from(digit as u8 - b'0')
}
