//! Animations of moves, of one board or of several side by side.

mod svg;

use pdb_core::notation::letters;
use pdb_core::{BLANK, Board, Cell, Direction, Goal, IllegalMove};

use crate::colour::{Colour, Theme};
use crate::shape::Anchor;
use crate::sheet::{Sheet, text_width};
use crate::tiles::{self, Colouring, TileLook};

const MARGIN: f64 = 20.0;
const HEADING: f64 = 13.0;
const TEXT: f64 = 10.5;
/// Height of a line of counters.
const LINE_HEIGHT: f64 = 24.0;
const BETWEEN: f64 = 36.0;
/// Height of the progress bar.
const BAR: f64 = 4.0;
/// Width of the pause button.
const BUTTON: f64 = 26.0;

/// A number below a board that changes with the moves.
#[derive(Clone, Debug)]
struct Count {
    /// Name, such as that of a heuristic.
    name: String,
    /// Values before the first move, and after each move.
    values: Vec<u32>,
    /// Text after the number.
    rest: String,
}

impl Count {
    /// Returns the width of the number and the text after it.
    fn width(&self) -> f64 {
        let digits = self.values.iter().max().map_or(0, |largest| largest.to_string().len());
        text_width(&"0".repeat(digits), TEXT) + self.rest_width()
    }

    /// Returns the width of the text after the number.
    fn rest_width(&self) -> f64 {
        // Widths exclude the gap between glyphs.
        if self.rest.is_empty() {
            0.0
        } else {
            text_width(&format!("0{}", self.rest), TEXT) - text_width("0", TEXT)
        }
    }
}

/// Durations in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Time before the first move.
    pub lead: f64,
    /// Time of a slide.
    pub slide: f64,
    /// Time between two slides.
    pub rest: f64,
    /// Time after the last move, before the film repeats.
    pub pause: f64,
}

impl Timing {
    /// Returns the durations for a number of moves per second.
    pub fn of_speed(moves: f64) -> Self {
        let step = 1.0 / moves;
        // GIF counts in hundredths of a second.
        let hundredths = |seconds: f64| (seconds * 100.0).round().max(1.0) / 100.0;
        let slide = hundredths(step * 0.7);
        Self { lead: 1.0, slide, rest: (hundredths(step) - slide).max(0.0), pause: 3.0 }
    }

    pub(crate) fn step(&self) -> f64 {
        self.slide + self.rest
    }
}

impl Default for Timing {
    fn default() -> Self {
        Self::of_speed(3.0)
    }
}

/// A slide of a tile to a neighbouring cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TileSlide {
    tile: u8,
    from: Cell,
    to: Cell,
}

/// A board of a film with its moves.
#[derive(Clone, Debug)]
pub struct Panel {
    board: Board,
    goal: Goal,
    colouring: Colouring,
    steps: Vec<TileSlide>,
    /// The moves as letters.
    letters: String,
    end: Board,
    caption: Option<String>,
    counts: Vec<Count>,
}

impl Panel {
    /// Creates a panel from a board and its moves.
    ///
    /// Tiles keep the colours of their faces: [`Colouring::Distance`] refers to the first board.
    ///
    /// # Errors
    /// [`IllegalMove`] names the first move that is impossible.
    pub fn new(
        board: &Board,
        goal: &Goal,
        moves: &[Direction],
        colouring: Colouring,
    ) -> Result<Self, IllegalMove> {
        let end = board.after(moves)?;
        let mut current = *board;
        let mut steps = Vec::with_capacity(moves.len());
        for direction in moves {
            let to = current.blank();
            let from = direction.tile_cell(board.shape(), to).expect("all moves are possible");
            steps.push(TileSlide { tile: current.tile(from), from, to });
            current.slide(from, to);
        }
        let total = steps.len();
        let (name, rest) = ("move".to_owned(), format!(" of {total}"));
        let counts = vec![Count { name, values: (0..=total as u32).collect(), rest }];
        let (board, goal, letters) = (*board, *goal, letters(moves));
        Ok(Self { board, goal, colouring, steps, letters, end, caption: None, counts })
    }

    /// Sets the line above the board.
    #[must_use]
    pub fn caption(self, caption: impl Into<String>) -> Self {
        Self { caption: Some(caption.into()), ..self }
    }

    /// Adds a number below the board. The last value stands for missing ones.
    #[must_use]
    pub fn count(mut self, name: impl Into<String>, mut values: Vec<u32>) -> Self {
        let last = values.last().copied().unwrap_or(0);
        values.resize(self.steps.len() + 1, last);
        self.counts.push(Count { name: name.into(), values, rest: String::new() });
        self
    }

    /// Returns the boards before each move and after the last.
    pub fn boards(&self) -> Vec<Board> {
        let mut board = self.board;
        let mut boards = vec![board];
        for step in &self.steps {
            board.slide(step.from, step.to);
            boards.push(board);
        }
        boards
    }

    /// Returns the colours of a tile that rests on a cell.
    fn look(&self, tile: u8, cell: Cell) -> TileLook {
        let first = self.board.cells_by_tile()[usize::from(tile)];
        match self.colouring {
            Colouring::Plain => self.colouring.look(&self.goal, tile, cell),
            _ => self.colouring.look(&self.goal, tile, first),
        }
    }
}

/// An animation: boards side by side, their moves, and durations.
///
/// ```
/// use pdb_core::{Direction, Goal, Shape};
/// use tilebase_draw::{Colouring, Film, Panel, Theme, Timing};
///
/// let goal = Goal::blank_last(Shape::new(3, 3)?);
/// let moves = [Direction::Down, Direction::Up];
/// let panel = Panel::new(goal.board(), &goal, &moves, Colouring::Parity)?;
/// let film = Film::new(vec![panel.count("manhattan", vec![0, 1, 0])], Timing::default());
/// assert!(film.to_svg(Theme::Auto).contains("@keyframes"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Film {
    panels: Vec<Panel>,
    timing: Timing,
    caption: Option<String>,
    cell: f64,
}

/// Layout of a panel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PanelLayout {
    /// Left edge and width of the column.
    left: f64,
    width: f64,
    /// Top left corner of the board.
    board: (f64, f64),
    /// Top of the lines below.
    lines: f64,
}

impl Film {
    /// Creates a film of boards that start together. Boards with fewer moves wait for the others.
    pub fn new(panels: Vec<Panel>, timing: Timing) -> Self {
        Self { panels, timing, caption: None, cell: 64.0 }
    }

    /// Sets the line above all boards.
    #[must_use]
    pub fn caption(self, caption: impl Into<String>) -> Self {
        Self { caption: Some(caption.into()), ..self }
    }

    /// Sets the width of a cell in pixels. Default: 64.
    #[must_use]
    pub fn cell(self, cell: f64) -> Self {
        Self { cell, ..self }
    }

    /// Returns the number of moves of the longest panel.
    pub fn step_count(&self) -> usize {
        self.panels.iter().map(|panel| panel.steps.len()).max().unwrap_or(0)
    }

    /// Returns the duration in seconds.
    pub fn seconds(&self) -> f64 {
        let Timing { lead, pause, .. } = self.timing;
        lead + self.timing.step() * self.step_count() as f64 + pause
    }

    /// Returns the durations.
    pub fn timing(&self) -> Timing {
        self.timing
    }

    fn top(&self) -> f64 {
        MARGIN + if self.caption.is_some() { 30.0 } else { 0.0 }
    }

    /// Returns the layout of panels, and the film's width and height.
    fn layout(&self) -> (Vec<PanelLayout>, f64, f64) {
        let has_captions = self.panels.iter().any(|panel| panel.caption.is_some());
        let top = self.top() + if has_captions { 26.0 } else { 0.0 } + self.cell * 0.07;
        let mut left = MARGIN;
        let mut bottom = top;
        let mut places = Vec::new();
        for panel in &self.panels {
            let shape = panel.board.shape();
            let (wide, high) = (self.cell * shape.cols() as f64, self.cell * shape.rows() as f64);
            let texts = panel.counts.iter();
            let texts = texts.map(|line| text_width(&line.name, TEXT) + 20.0 + line.width());
            let caption = panel.caption.as_deref().map_or(0.0, |text| text_width(text, TEXT));
            let width = texts.fold(wide.max(caption), f64::max) + self.cell * 0.14;
            let lines = top + high + self.cell * 0.07 + 16.0;
            let board = (left + (width - wide) / 2.0, top);
            places.push(PanelLayout { left, width, board, lines });
            left += width + BETWEEN;
            bottom = bottom.max(lines + LINE_HEIGHT * panel.counts.len() as f64);
        }
        let caption = self.caption.as_deref().map_or(0.0, |text| text_width(text, HEADING));
        let content = (left - BETWEEN - MARGIN).max(0.0);
        let extra = (caption - content).max(0.0) / 2.0;
        for place in &mut places {
            place.left += extra;
            place.board.0 += extra;
        }
        let width = content.max(caption) + 2.0 * MARGIN;
        (places, width.ceil(), (bottom + BUTTON + MARGIN * 0.6).ceil())
    }

    fn title(&self) -> String {
        let board = |panel: &Panel| match &panel.caption {
            Some(caption) => format!("{}: {caption}", panel.board),
            None => panel.board.to_string(),
        };
        let boards: Vec<String> = self.panels.iter().map(board).collect();
        self.caption.clone().unwrap_or_else(|| format!("Moves of {}", boards.join(" and of ")))
    }

    fn description(&self) -> String {
        let panel = |panel: &Panel| {
            let moves = panel.steps.len();
            let moves =
                if moves == 1 { "1 move leads".to_owned() } else { format!("{moves} moves lead") };
            format!("{moves} from {} to {}: {}", panel.board, panel.end, panel.letters)
        };
        let panels: Vec<String> = self.panels.iter().map(panel).collect();
        format!("A film of {:.1} seconds. {}.", self.seconds(), panels.join(". "))
    }

    /// Returns the static part: background, captions, frames and labels.
    pub(crate) fn still(&self) -> (Sheet, Vec<PanelLayout>) {
        let (places, width, height) = self.layout();
        let mut sheet = Sheet::new(width, height, &self.title(), self.description());
        if let Some(caption) = &self.caption {
            let at = (width / 2.0, MARGIN + HEADING);
            sheet.bold(at, HEADING, caption, Anchor::Middle, Colour::Ink);
        }
        for (panel, place) in self.panels.iter().zip(&places) {
            tiles::tray(&mut sheet, place.board, self.cell, panel.board.shape());
            if let Some(caption) = &panel.caption {
                let at = (place.left + place.width / 2.0, self.top() + TEXT + 1.0);
                sheet.text(at, TEXT, caption, Anchor::Middle, Colour::Ink);
            }
            for (nth, line) in panel.counts.iter().enumerate() {
                let y = place.lines + LINE_HEIGHT * nth as f64 + 15.0;
                sheet.text((place.left, y), TEXT, &line.name, Anchor::Start, Colour::Quiet);
                let at = (place.left + place.width, y);
                sheet.bold(at, TEXT, line.rest.trim(), Anchor::End, Colour::Ink);
            }
        }
        (sheet, places)
    }

    /// Returns the picture after `step` moves and a part of the next one, from 0 to below 1.
    pub fn frame(&self, step: usize, part: f64) -> Sheet {
        let (mut sheet, places) = self.still();
        self.add_resting(&mut sheet, &places, step);
        self.add_moving(&mut sheet, &places, step, part);
        sheet
    }

    /// Adds what rests during a move: the tiles that do not slide, the numbers, and the bar's rail.
    pub(crate) fn add_resting(&self, sheet: &mut Sheet, places: &[PanelLayout], step: usize) {
        for (panel, place) in self.panels.iter().zip(places) {
            let mut board = panel.board;
            panel.steps.iter().take(step).for_each(|step| board.slide(step.from, step.to));
            let sliding = panel.steps.get(step).map(|step| step.from);
            for (cell, &tile) in (0..).zip(board.tiles()) {
                if tile != BLANK && sliding != Some(cell) {
                    self.add_tile(sheet, (panel, place), tile, self.corner(panel, cell), cell);
                }
            }
            Self::add_numbers(sheet, (panel, place), step);
        }
        // A frame has no pause button, so the bar ends at the margin.
        sheet.rectangle(bar(sheet.width, sheet.height, 0.0), BAR / 2.0, Colour::Grid);
    }

    /// Adds the changes of what rests after `step` moves, over what rested during the last one.
    #[cfg(feature = "raster")]
    pub(crate) fn add_rest_changes(&self, sheet: &mut Sheet, places: &[PanelLayout], step: usize) {
        for (panel, place) in self.panels.iter().zip(places) {
            if let Some(&TileSlide { tile, to, .. }) = panel.steps.get(step - 1) {
                self.add_tile(sheet, (panel, place), tile, self.corner(panel, to), to);
            }
            if let Some(slide) = panel.steps.get(step) {
                let (x, y) = self.corner(panel, slide.from);
                // Ends in the middle of the gap between two tiles.
                let gap = tiles::INSET * self.cell / 2.0;
                let (left, top) = (place.board.0 + x + gap, place.board.1 + y + gap);
                let size = self.cell - 2.0 * gap;
                sheet.rectangle([left, top, size, size], 0.0, Colour::Tray);
            }
            Self::add_numbers(sheet, (panel, place), step);
        }
    }

    /// Adds the numbers below a board on empty paper.
    fn add_numbers(sheet: &mut Sheet, (panel, place): (&Panel, &PanelLayout), step: usize) {
        for (nth, line) in panel.counts.iter().enumerate() {
            let right = place.left + place.width - line.rest_width();
            let y = place.lines + LINE_HEIGHT * nth as f64 + 15.0;
            let (left, pad) = (place.left + place.width - line.width(), TEXT * 0.3);
            let empty = [left - pad, y - TEXT - pad, right - left + 2.0 * pad, TEXT + 2.0 * pad];
            sheet.rectangle(empty, 0.0, Colour::Paper);
            let value = line.values[step.min(panel.steps.len())].to_string();
            sheet.bold((right, y), TEXT, &value, Anchor::End, Colour::Ink);
        }
    }

    /// Adds the tiles that slide, and the progress.
    pub(crate) fn add_moving(
        &self,
        sheet: &mut Sheet,
        places: &[PanelLayout],
        step: usize,
        part: f64,
    ) {
        for (panel, place) in self.panels.iter().zip(places) {
            if let Some(&TileSlide { tile, from, to }) = panel.steps.get(step) {
                let (x, y) = self.corner(panel, from);
                let (to_x, to_y) = self.corner(panel, to);
                // Ease in and out.
                let eased = part * part * (3.0 - 2.0 * part);
                let at = (x + (to_x - x) * eased, y + (to_y - y) * eased);
                self.add_tile(sheet, (panel, place), tile, at, from);
            }
        }
        let [x, y, width, height] = bar(sheet.width, sheet.height, 0.0);
        let share = (step as f64 + part) / self.step_count().max(1) as f64;
        // In whole pixels, so that in most frames of a long film only the tile changes.
        let done = (width * share.min(1.0)).round();
        sheet.rectangle([x, y, done, height], 0.0, Colour::Fixed("#0072b2"));
    }

    /// Adds a tile with the colours of a cell, and the top left corner of the tile on its board.
    fn add_tile(
        &self,
        sheet: &mut Sheet,
        (panel, place): (&Panel, &PanelLayout),
        tile: u8,
        (x, y): (f64, f64),
        cell: Cell,
    ) {
        let corner = (place.board.0 + x, place.board.1 + y);
        let look = panel.look(tile, cell);
        tiles::tile(&mut sheet.shapes, corner, self.cell, &tile.to_string(), look);
    }

    /// Returns the film as SVG, which plays without script. Opened by itself or inlined in a page,
    /// it has a pause button for mouse and keyboard. Readers who prefer reduced motion see the
    /// first board.
    pub fn to_svg(&self, theme: Theme) -> String {
        svg::write(self, theme)
    }

    /// Returns the top left corner of a cell on its board.
    fn corner(&self, panel: &Panel, cell: Cell) -> (f64, f64) {
        let (row, col) = panel.board.shape().row_col(cell);
        (self.cell * col as f64, self.cell * row as f64)
    }
}

/// Returns left, top, width and height of the progress bar, with room at its right end.
fn bar(width: f64, height: f64, room: f64) -> [f64; 4] {
    let y = height - MARGIN * 0.6 - BUTTON / 2.0 - BAR / 2.0 + 2.0;
    [MARGIN, y, width - 2.0 * MARGIN - room, BAR]
}
