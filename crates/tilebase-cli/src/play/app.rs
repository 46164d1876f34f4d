//! What a player sees and does, as a state and what changes it: no clock, no terminal, no thread.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tilebase::{
    Answer, Board, BoardSet, Direction, Game, Goal, GoalChoice, MoveValues, Shape, Status, ToBuild,
    goal_name,
};

use super::layout::Layout;
use crate::output::bytes;

/// The time between two steps of a solution that is shown.
const STEP: Duration = Duration::from_millis(350);
/// The longest time to search for hints and for the length of a shortest solution, which nobody waits for.
const PATIENCE: Duration = Duration::from_mins(1);
/// The same where tables are missing, so that a search would only take the processor.
const IMPATIENCE: Duration = Duration::from_secs(10);
/// Boards of so many cells are solved in no time without any table.
const EASY_CELLS_MAX: usize = 9;
/// The sides of the boards that the menu shows.
pub(super) const SIDES: std::ops::RangeInclusive<usize> = 2..=6;

/// Something that happened.
#[derive(Debug)]
pub(super) enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// The left button of a mouse was pressed.
    Click { column: u16, row: u16 },
    /// The window has another size, or has to be drawn again.
    Resize,
    /// No more keys come, and why.
    NoInput(String),
    /// A worker tells something.
    Told(Told),
}

/// What workers tell. The numbers are those of their orders.
#[derive(Debug)]
pub(super) enum Told {
    /// What the moves of a board are worth.
    Values(u64, Result<Box<MoveValues>, String>),
    /// The solution that was asked for.
    Solution(u64, Result<Box<Answer>, String>),
    /// The solution of the start, for its length.
    Optimum(u64, Result<Box<Answer>, String>),
    /// What would have to be built for a goal.
    Missing(Goal, Result<Option<ToBuild>, String>),
    /// How far the build is.
    Building(String),
    /// The build has ended.
    Built(Result<(), String>),
}

/// What the program is to do.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    /// Search; an older search of the same kind is of no use any more.
    Search(Order),
    /// Stop searches of this kind.
    Cancel(Kind),
    /// Find out what would have to be built.
    Look(Goal),
    /// Build the tables of a goal.
    Build(Goal),
    /// Stop that.
    StopBuild,
    /// Stop until the shell lets the program go on.
    Suspend,
    /// Draw everything, whatever the terminal shows.
    Redraw,
    /// The end.
    Quit(Quit),
}

/// Why the program ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Quit {
    /// The player has had enough.
    Player,
    /// Ctrl-C.
    Interrupt,
    /// No more keys come, and why.
    NoInput(String),
}

/// What is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// What each move is worth.
    Values,
    /// A solution to look at.
    Solution,
    /// The length of a shortest solution of the start.
    Optimum,
}

/// A search.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Order {
    pub(super) kind: Kind,
    pub(super) id: u64,
    pub(super) board: Board,
    pub(super) goal: Goal,
    pub(super) time: Option<Duration>,
}

/// Something that was asked of a worker.
#[derive(Clone, Debug)]
pub(super) enum Asked<T> {
    /// It was not.
    Not,
    /// The answer to this order is awaited, since then.
    Waits(u64, Duration),
    /// It is known.
    Known(T),
    /// It will not be known, and why.
    Failed(String),
}

impl<T> Asked<T> {
    fn answered(answer: Result<Box<T>, String>) -> Self {
        answer.map_or_else(Self::Failed, |known| Self::Known(*known))
    }

    fn is_of(&self, id: u64) -> bool {
        matches!(self, Self::Waits(of, _) if *of == id)
    }
}

/// A solution that is shown step by step.
#[derive(Clone, Debug)]
pub(super) struct Playback {
    pub(super) from: Board,
    pub(super) moves: Vec<Direction>,
    /// How many of the moves are made.
    pub(super) at: usize,
    /// When the next step comes, unless it is paused.
    pub(super) next: Option<Duration>,
    pub(super) is_optimal: bool,
}

impl Playback {
    pub(super) fn board(&self) -> Board {
        self.from.after(&self.moves[..self.at]).expect("a solution has legal moves")
    }
}

/// What fills the screen.
#[derive(Clone, Debug)]
pub(super) enum View {
    Play,
    Help,
    /// The menu of shapes, and the one that is chosen.
    Shapes(Shape),
    Solution(Playback),
}

/// What is known of the tables of the present goal.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tables {
    Unknown,
    /// They are there, or none fit or are asked for.
    There,
    Missing(ToBuild),
    Failed(String),
}

/// How the game is shown and played.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Style {
    /// Keys name the direction of the blank, not that of the tile.
    pub(super) of_blank: bool,
    pub(super) has_colours: bool,
    /// Lines of the board are drawn with characters beyond ASCII.
    pub(super) has_lines: bool,
}

/// A game that another one took the place of.
#[derive(Debug)]
struct Left {
    game: Game,
    time: Duration,
    is_helped: bool,
}

/// The state of the program.
#[derive(Debug)]
pub(super) struct App {
    pub(super) game: Game,
    previous: Option<Left>,
    choice: GoalChoice,
    pub(super) style: Style,
    pub(super) view: View,
    pub(super) has_hints: bool,
    pub(super) values: Asked<MoveValues>,
    pub(super) optimum: Asked<Answer>,
    pub(super) solution: Asked<()>,
    pub(super) tables: Tables,
    pub(super) building: Option<String>,
    pub(super) note: Option<String>,
    /// Hints or a solution were seen.
    pub(super) is_helped: bool,
    /// Columns and rows of the last frame, which is what clicks refer to.
    pub(super) window: (u16, u16),
    now: Duration,
    begun: Option<Duration>,
    ended: Option<Duration>,
    last_id: u64,
    seed: u64,
}

impl App {
    /// The state of a game that begins, and what there is to do for it. Boards to come depend on `seed`.
    pub(super) fn new(
        game: Game,
        choice: GoalChoice,
        seed: u64,
        style: Style,
    ) -> (Self, Vec<Command>) {
        let mut app = Self {
            game,
            previous: None,
            choice,
            style,
            view: View::Play,
            has_hints: false,
            values: Asked::Not,
            optimum: Asked::Not,
            solution: Asked::Not,
            tables: Tables::Unknown,
            building: None,
            note: None,
            is_helped: false,
            window: (80, 24),
            now: Duration::ZERO,
            begun: None,
            ended: None,
            last_id: 0,
            seed,
        };
        let commands = app.look();
        (app, commands)
    }

    /// The time that the game has taken.
    pub(super) fn time(&self) -> Duration {
        let begun = self.begun.unwrap_or(self.now);
        self.ended.unwrap_or(self.now).saturating_sub(begun)
    }

    /// How long until something changes by itself.
    pub(super) fn wait(&self) -> Duration {
        match &self.view {
            View::Solution(Playback { next: Some(next), .. }) => next.saturating_sub(self.now),
            // Until the next tenth of the clock.
            View::Play if self.begun.is_some() && self.ended.is_none() => {
                let past = self.time().subsec_millis() % 100;
                Duration::from_millis(u64::from(100 - past))
            }
            _ => Duration::from_millis(200),
        }
    }

    /// How long something has been awaited.
    pub(super) fn since(&self, begun: Duration) -> Duration {
        self.now.saturating_sub(begun)
    }

    /// Time passes.
    pub(super) fn tick(&mut self, now: Duration) {
        self.now = now;
        if let View::Solution(shown) = &mut self.view
            && shown.next.is_some_and(|next| next <= now)
        {
            shown.at = (shown.at + 1).min(shown.moves.len());
            shown.next = (shown.at < shown.moves.len()).then_some(now + STEP);
        }
    }

    /// Something happens.
    pub(super) fn update(&mut self, event: Event) -> Vec<Command> {
        match event {
            Event::Key(key) => self.key(key),
            Event::Click { column, row } => self.click(column, row),
            Event::Resize => vec![Command::Redraw],
            Event::NoInput(problem) => vec![Command::Quit(Quit::NoInput(problem))],
            Event::Told(told) => self.told(told),
        }
    }

    fn key(&mut self, key: KeyEvent) -> Vec<Command> {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if is_control => return vec![Command::Quit(Quit::Interrupt)],
            KeyCode::Char('z') if is_control => return vec![Command::Suspend],
            KeyCode::Char('l') if is_control => return vec![Command::Redraw],
            KeyCode::Char('r') if is_control => return self.key(KeyCode::Char('r').into()),
            KeyCode::Char(_) if is_control || key.modifiers.contains(KeyModifiers::ALT) => {
                return Vec::new();
            }
            _ => (),
        }
        self.note = None;
        match &mut self.view {
            View::Play => self.play_key(key.code),
            View::Help => {
                self.view = View::Play;
                Vec::new()
            }
            View::Shapes(shape) => {
                let (rows, cols) = (shape.rows(), shape.cols());
                let chosen = match (key.code, arrow(key.code)) {
                    (KeyCode::Enter | KeyCode::Char(' '), _) => {
                        let shape = *shape;
                        self.view = View::Play;
                        return self.deal(shape);
                    }
                    (_, Some(Direction::Up)) => (rows - 1, cols),
                    (_, Some(Direction::Down)) => (rows + 1, cols),
                    (_, Some(Direction::Left)) => (rows, cols - 1),
                    (_, Some(Direction::Right)) => (rows, cols + 1),
                    (KeyCode::Char(digit @ '2'..='6'), _) => (side(digit), side(digit)),
                    (KeyCode::Esc | KeyCode::Char('q' | 'm'), _) => {
                        self.view = View::Play;
                        return Vec::new();
                    }
                    _ => (rows, cols),
                };
                if SIDES.contains(&chosen.0) && SIDES.contains(&chosen.1) {
                    *shape = Shape::new(chosen.0, chosen.1).expect("6x6 is the largest shape");
                }
                Vec::new()
            }
            View::Solution(_) => self.solution_key(key.code),
        }
    }

    fn play_key(&mut self, code: KeyCode) -> Vec<Command> {
        if let Some(direction) = arrow(code) {
            return self.go(direction);
        }
        match code {
            KeyCode::Char('u') | KeyCode::Backspace => {
                let is_undone = self.game.undo().is_some();
                self.after_move(is_undone, "there is no move to take back")
            }
            KeyCode::Char('r') => {
                let is_made = self.game.redo().is_some();
                self.after_move(is_made, "there is no move to make again")
            }
            KeyCode::Char('x') => {
                let is_away = !self.game.moves().is_empty();
                self.game.restart();
                self.after_move(is_away, "this is the start")
            }
            KeyCode::Char('n') => self.deal(self.game.goal().shape()),
            KeyCode::Char('e') => self.deal_easy(),
            KeyCode::Char('p') => match self.previous.take() {
                Some(left) => self.begin(left),
                None => self.say("there was no board before this one"),
            },
            KeyCode::Char('g') => self.change_goal(),
            KeyCode::Char('m') => {
                self.view = View::Shapes(self.game.goal().shape());
                Vec::new()
            }
            KeyCode::Char(digit @ '2'..='6') => {
                let side = side(digit);
                self.deal(Shape::new(side, side).expect("6x6 is the largest shape"))
            }
            KeyCode::Char('i') => {
                self.has_hints = !self.has_hints;
                if self.has_hints { self.weigh() } else { self.drop_values() }
            }
            KeyCode::Char('o') | KeyCode::Enter => self.solve(),
            KeyCode::Char('b') => self.build(),
            KeyCode::Char('?') | KeyCode::F(1) => {
                self.view = View::Help;
                Vec::new()
            }
            KeyCode::Char('q') => vec![Command::Quit(Quit::Player)],
            KeyCode::Esc => self.escape(),
            _ => self.say("? shows all keys"),
        }
    }

    fn solution_key(&mut self, code: KeyCode) -> Vec<Command> {
        let now = self.now;
        let View::Solution(shown) = &mut self.view else { return Vec::new() };
        let last = shown.moves.len();
        let step = |shown: &mut Playback, at: usize| (shown.at, shown.next) = (at.min(last), None);
        match code {
            KeyCode::Char(' ') => {
                shown.next = match shown.next {
                    Some(_) => None,
                    None if shown.at < last => Some(now + STEP),
                    // Once more from the beginning.
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
                self.view = View::Play;
                let is_moved = !moves.is_empty();
                for direction in moves {
                    self.game.make(direction);
                }
                return self.after_move(is_moved, "no step was taken");
            }
            KeyCode::Esc | KeyCode::Char('q' | 'o') => self.view = View::Play,
            _ => (),
        }
        Vec::new()
    }

    fn click(&mut self, column: u16, row: u16) -> Vec<Command> {
        let shape = self.game.board().shape();
        let layout = Layout::new(shape, self.window);
        let cell = layout.and_then(|layout| layout.cell_at(column, row));
        let (View::Play, Some(cell)) = (&self.view, cell) else { return Vec::new() };
        self.note = None;
        let is_moved = self.game.slide(cell) > 0;
        self.after_move(is_moved, "only tiles in the blank's row or column slide")
    }

    /// Moves the tile, or the blank, in this direction.
    fn go(&mut self, direction: Direction) -> Vec<Command> {
        let of_tile = if self.style.of_blank { direction.opposite() } else { direction };
        let is_made = self.game.make(of_tile);
        let what = if self.style.of_blank { "the blank cannot" } else { "no tile can" };
        self.after_move(is_made, &format!("{what} go {}", word(direction)))
    }

    fn say(&mut self, note: &str) -> Vec<Command> {
        self.note = Some(note.to_owned());
        Vec::new()
    }

    /// What follows from a move, or from there being none.
    fn after_move(&mut self, is_moved: bool, otherwise: &str) -> Vec<Command> {
        if !is_moved {
            return self.say(otherwise);
        }
        self.begun.get_or_insert(self.now);
        self.ended = self.game.is_solved().then(|| self.ended.unwrap_or(self.now));
        let mut commands = self.drop_solution();
        commands.extend(self.weigh());
        commands
    }

    /// Another game takes the place of this one, which can be gone back to.
    fn begin(&mut self, Left { game, time, is_helped }: Left) -> Vec<Command> {
        let left = Left { time: self.time(), is_helped: self.is_helped, game: self.game.clone() };
        self.previous = Some(left);
        self.begun = (time > Duration::ZERO).then(|| self.now.saturating_sub(time));
        self.ended = game.is_solved().then_some(self.now);
        (self.game, self.is_helped) = (game, is_helped);
        let mut commands = self.drop_solution();
        if matches!(self.optimum, Asked::Waits(..)) {
            commands.push(Command::Cancel(Kind::Optimum));
        }
        self.optimum = Asked::Not;
        commands.extend(self.look());
        commands
    }

    /// Another board takes the place of this one.
    fn begin_board(&mut self, board: Board, goal: Goal) -> Vec<Command> {
        let game = Game::new(board, goal).expect("the board was made for the goal");
        self.begin(Left { game, time: Duration::ZERO, is_helped: false })
    }

    /// Finds out which tables there are; what is to be known of the board is searched for after that.
    fn look(&mut self) -> Vec<Command> {
        self.tables = Tables::Unknown;
        let mut commands = self.drop_values();
        commands.push(Command::Look(*self.game.goal()));
        commands
    }

    /// A random board of a shape.
    fn deal(&mut self, shape: Shape) -> Vec<Command> {
        let goal = self.goal(shape);
        let board = random_board(&goal, &mut self.seed);
        self.begin_board(board, goal)
    }

    /// A board not far from the goal.
    fn deal_easy(&mut self) -> Vec<Command> {
        let goal = *self.game.goal();
        let steps = goal.shape().cell_count() + 4;
        let walk = |seed| BoardSet::walks(&goal, steps, 1, seed);
        let board = other_than_goal(&goal, &mut self.seed, walk);
        self.begin_board(board, goal)
    }

    /// The goal for a shape: the one that is being played to, if it is there for the shape.
    fn goal(&self, shape: Shape) -> Goal {
        self.choice.goal(shape).unwrap_or_else(|_| Goal::blank_last(shape))
    }

    fn change_goal(&mut self) -> Vec<Command> {
        let presets: [fn(Shape) -> Goal; 3] = [Goal::blank_last, Goal::blank_first, Goal::snail];
        let shape = self.game.goal().shape();
        let now = presets.iter().position(|preset| preset(shape) == *self.game.goal());
        let next = presets[now.map_or(0, |now| (now + 1) % presets.len())];
        self.choice = GoalChoice::Preset(next);
        let commands = self.deal(shape);
        self.note = Some(format!("a new board for the goal {}", goal_name(self.game.goal())));
        commands
    }

    fn order(&mut self, kind: Kind, board: Board, time: Option<Duration>) -> (u64, Command) {
        self.last_id += 1;
        let (id, goal) = (self.last_id, *self.game.goal());
        (id, Command::Search(Order { kind, id, board, goal, time }))
    }

    /// How long a search may take that nobody waits for.
    fn patience(&self) -> Duration {
        let is_weak = matches!(self.tables, Tables::Missing(_) | Tables::Failed(_));
        if is_weak && !self.is_easy() { IMPATIENCE } else { PATIENCE }
    }

    /// Whether boards of this shape need no tables.
    fn is_easy(&self) -> bool {
        self.game.goal().shape().cell_count() <= EASY_CELLS_MAX
    }

    /// Asks what the moves are worth, if hints are wanted.
    fn weigh(&mut self) -> Vec<Command> {
        // Once the tables are known, it is asked.
        if !self.has_hints || self.tables == Tables::Unknown {
            return Vec::new();
        }
        if self.game.check_solvable().is_err() {
            return self.say("no moves lead to the goal, so none is better than another");
        }
        let (id, command) = self.order(Kind::Values, *self.game.board(), Some(self.patience()));
        self.values = Asked::Waits(id, self.now);
        vec![command]
    }

    /// Asks for the length of a shortest solution of the start, unless it is known.
    fn measure(&mut self) -> Vec<Command> {
        if self.game.check_solvable().is_err() || matches!(self.optimum, Asked::Known(_)) {
            return Vec::new();
        }
        let (id, command) = self.order(Kind::Optimum, *self.game.start(), Some(self.patience()));
        self.optimum = Asked::Waits(id, self.now);
        vec![command]
    }

    fn solve(&mut self) -> Vec<Command> {
        if self.game.check_solvable().is_err() {
            return self.say("no moves lead to the goal");
        }
        if self.game.is_solved() {
            return self.say("this is the goal; n deals a new board");
        }
        let (id, command) = self.order(Kind::Solution, *self.game.board(), None);
        self.solution = Asked::Waits(id, self.now);
        vec![command]
    }

    fn build(&mut self) -> Vec<Command> {
        if self.building.is_some() {
            return self.say("tables are being built already; Esc stops that");
        }
        match &self.tables {
            Tables::Missing(_) => {
                self.building = Some("building".to_owned());
                vec![Command::Build(*self.game.goal())]
            }
            Tables::Unknown => self.say("what there is to build is not known yet"),
            Tables::There => self.say("there is nothing to build"),
            Tables::Failed(problem) => {
                let problem = problem.clone();
                self.say(&problem)
            }
        }
    }

    /// Stops what was asked for, the last thing first.
    fn escape(&mut self) -> Vec<Command> {
        if matches!(self.solution, Asked::Waits(..)) {
            self.note = Some("the search was stopped".to_owned());
            return self.drop_solution();
        }
        if self.has_hints {
            self.has_hints = false;
            return self.drop_values();
        }
        if self.building.is_some() {
            return vec![Command::StopBuild];
        }
        self.say("q ends the game")
    }

    fn drop_solution(&mut self) -> Vec<Command> {
        let is_awaited = matches!(self.solution, Asked::Waits(..));
        self.solution = Asked::Not;
        if is_awaited { vec![Command::Cancel(Kind::Solution)] } else { Vec::new() }
    }

    fn drop_values(&mut self) -> Vec<Command> {
        let is_awaited = matches!(self.values, Asked::Waits(..));
        self.values = Asked::Not;
        if is_awaited { vec![Command::Cancel(Kind::Values)] } else { Vec::new() }
    }

    /// A worker tells something; what nobody waits for any more is dropped.
    fn told(&mut self, told: Told) -> Vec<Command> {
        match told {
            Told::Values(id, values) if self.values.is_of(id) => {
                self.values = Asked::answered(values);
                self.is_helped |= matches!(self.values, Asked::Known(_));
            }
            Told::Optimum(id, answer) if self.optimum.is_of(id) => {
                self.optimum = Asked::answered(answer);
            }
            Told::Solution(id, answer) if self.solution.is_of(id) => {
                self.solution = Asked::Not;
                match answer {
                    Ok(answer) => self.show(&answer),
                    Err(problem) => self.note = Some(problem),
                }
            }
            Told::Missing(goal, found) if goal == *self.game.goal() => {
                self.tables = match found {
                    Ok(None) => Tables::There,
                    Ok(Some(missing)) => Tables::Missing(missing),
                    Err(problem) => Tables::Failed(problem),
                };
                let mut commands = self.measure();
                commands.extend(self.weigh());
                return commands;
            }
            // What nobody waits for any more.
            Told::Values(..) | Told::Optimum(..) | Told::Solution(..) | Told::Missing(..) => (),
            Told::Building(line) => self.building = Some(line),
            Told::Built(result) => {
                self.building = None;
                self.note = Some(result.err().unwrap_or_else(|| "the tables are built".to_owned()));
                if !matches!(&self.optimum, Asked::Known(answer) if answer.length().is_some()) {
                    self.optimum = Asked::Not;
                }
                return self.look();
            }
        }
        Vec::new()
    }

    fn show(&mut self, answer: &Answer) {
        match (answer.moves(), answer.lower_bound()) {
            (Some(moves), _) => {
                self.is_helped = true;
                let is_optimal = matches!(answer.status, Status::Optimal { .. });
                let (from, moves) = (answer.board, moves.to_vec());
                let next = Some(self.now + STEP);
                self.view = View::Solution(Playback { from, moves, at: 0, next, is_optimal });
            }
            (None, Some(bound)) => {
                self.note = Some(format!("no solution was found; it has at least {bound} moves"));
            }
            (None, None) => self.note = Some("no moves lead to the goal".to_owned()),
        }
    }

    /// The board that is shown.
    pub(super) fn board(&self) -> Board {
        match &self.view {
            View::Solution(shown) => shown.board(),
            _ => *self.game.board(),
        }
    }

    /// What is worth knowing beside the board, the newest first.
    pub(super) fn news(&self) -> Vec<String> {
        let mut news: Vec<String> = self.note.iter().cloned().collect();
        if let Asked::Waits(_, since) = self.solution {
            let seconds = self.since(since).as_secs();
            news.push(format!("searching for a shortest solution, {seconds} s; Esc stops it"));
        }
        let is_needless = self.is_easy() && !matches!(self.optimum, Asked::Failed(_));
        match (&self.building, &self.tables) {
            (Some(building), _) => news.push(format!("{building}; Esc stops it")),
            (None, Tables::Missing(missing)) if !is_needless => {
                let ToBuild { name, table_count, disk_bytes, seconds, .. } = missing;
                let tables = if *table_count == 1 { "table" } else { "tables" };
                news.push(format!(
                    "{name} lacks {table_count} {tables}: b builds what is missing ({} of disk, about \
                     {} s). Without tables, hints may take too long.",
                    bytes(*disk_bytes),
                    seconds.ceil().max(1.0),
                ));
            }
            (None, Tables::Failed(problem)) if self.note.is_none() => news.push(problem.clone()),
            (None, _) => (),
        }
        news
    }
}

/// A random board, which is not the goal; the next one has another seed.
pub(crate) fn random_board(goal: &Goal, seed: &mut u64) -> Board {
    other_than_goal(goal, seed, |seed| BoardSet::random(goal, 1, seed))
}

/// A board that is made of seeds until it is not the goal, as it is now and then on the smallest boards.
fn other_than_goal(goal: &Goal, seed: &mut u64, make: impl Fn(u64) -> BoardSet) -> Board {
    loop {
        let board = make(*seed).boards[0];
        *seed = seed.wrapping_add(1);
        if board != *goal.board() {
            return board;
        }
    }
}

/// The direction that a key names.
fn arrow(code: KeyCode) -> Option<Direction> {
    Some(match code {
        KeyCode::Up | KeyCode::Char('w' | 'k') => Direction::Up,
        KeyCode::Right | KeyCode::Char('d' | 'l') => Direction::Right,
        KeyCode::Down | KeyCode::Char('s' | 'j') => Direction::Down,
        KeyCode::Left | KeyCode::Char('a' | 'h') => Direction::Left,
        _ => return None,
    })
}

/// A direction as people say it.
pub(super) fn word(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "up",
        Direction::Right => "right",
        Direction::Down => "down",
        Direction::Left => "left",
    }
}

/// The number that a digit is.
fn side(digit: char) -> usize {
    usize::from(digit as u8 - b'0')
}
