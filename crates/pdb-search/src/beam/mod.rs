//! Beam search: all boards of one depth side by side, of which the best are kept.
//!
//! It finds a solution at once and a shorter one with more boards, and proves nothing. The next
//! layer has all children of a layer that were not met before. The W that come first are kept: by
//! their estimates, or by a learned order. The first layer that has the goal gives the solution.
//!
//! The parts that are compiled for each heuristic are in [`nodes`] and [`slides`], those of a
//! learned order in [`order`]; the rest takes [`AnyNodes`].

mod nodes;
mod order;
mod seen;
mod slides;

use std::iter::repeat_n;
use std::num::NonZeroU32;

use pdb_core::{
    Axis, BLANK, Board, CELLS_MAX, Cell, Direction, Goal, Metric, RootError, Shape, Slide,
};

use crate::LimitKind;
use crate::limits::Meter;
use crate::mixed::mixed;

pub(crate) use nodes::{AnyNodes, Nodes};
pub(crate) use order::OrderNodes;
use seen::Seen;
pub(crate) use slides::SlideNodes;

/// Boards of a layer whose children are looked up between two checks of the limits.
const PORTION: usize = 256;

/// The largest width of a beam, in boards: a step of a path is a number of 32 bits, with bits for
/// the move.
fn width_max(grid: &Grid) -> u32 {
    1 << (30 - grid.move_bits)
}

/// A board of a layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parent {
    board: Board,
    hash: u64,
    blank: Cell,
    /// The direction of the last move, as its place in [`Direction::ALL`]; 4 for the first board.
    last: u8,
}

impl Parent {
    /// Returns the axes of the next slide, where slides count.
    fn axes(&self) -> impl Iterator<Item = Axis> + use<> {
        let last = Direction::ALL.get(usize::from(self.last)).map(|&last| Axis::of(last));
        Axis::BOTH.into_iter().filter(move |&axis| Some(axis) != last)
    }

    /// Returns the directions of the next slide, where slides count.
    fn directions(&self) -> impl Iterator<Item = Direction> + use<> {
        self.axes().flat_map(Axis::directions)
    }

    /// Returns the slide of the tile on a cell beside the blank.
    #[inline(always)]
    fn slide(&self, from: Cell) -> Slide {
        Slide { tile: self.board.tile(from), from, to: self.blank }
    }
}

/// A child of a board of the present layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    hash: u64,
    /// The parent's place in the layer, and the move, by [`Grid::step`].
    step: u32,
    /// A bound on the moves that are left, which prunes.
    estimate: u16,
    /// The place among the children of a layer, which chooses: smaller ones first.
    order: u16,
}

impl Child {
    #[inline(always)]
    fn new(hash: u64, step: u32, estimate: u32, order: u32) -> Self {
        let short = |number: u32| number.min(u16::MAX.into()) as u16;
        Self { hash, step, estimate: short(estimate), order: short(order) }
    }
}

/// The moves of each cell of the blank, and the hashes of boards.
#[derive(Debug)]
pub(crate) struct Grid {
    /// For each cell of the blank, the cell of the tile that moves in each direction.
    from: [[Option<Cell>; 4]; CELLS_MAX],
    /// A number for each tile on each cell.
    hashes: Vec<[u64; CELLS_MAX]>,
    shape: Shape,
    metric: Metric,
    /// Bits of a move in a step: its place in [`Direction::ALL`], and in the bits above its number
    /// of tiles beyond the first.
    move_bits: u32,
}

impl Grid {
    fn new(shape: Shape, metric: Metric) -> Self {
        let from = Direction::tile_cells(shape);
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mixed(state)
        };
        let hashes = (0..shape.cell_count()).map(|_| std::array::from_fn(|_| random()));
        let tiles_max = children_max(shape, metric) as u32;
        let move_bits = match metric {
            Metric::SingleTile => 2,
            Metric::MultiTile => 2 + tiles_max.next_power_of_two().ilog2(),
        };
        Self { from, hashes: hashes.collect(), shape, metric, move_bits }
    }

    /// Makes the step of a move of tiles from a board of the layer.
    fn step(&self, parent: u32, direction: u8, tile_count: u32) -> u32 {
        parent << self.move_bits | (tile_count - 1) << 2 | u32::from(direction)
    }

    /// Returns the place in the layer of a step's board, the direction, and the number of tiles.
    fn origin(&self, step: u32) -> (usize, u8, u32) {
        let of_move = step & ((1 << self.move_bits) - 1);
        ((step >> self.move_bits) as usize, (step & 3) as u8, (of_move >> 2) + 1)
    }

    /// Returns the number of children of a board, without the one that takes its last move back.
    fn child_count(&self, parent: &Parent) -> u64 {
        if self.metric == Metric::MultiTile {
            let of_line = |axis| match axis {
                Axis::Horizontal => self.shape.cols() as u64 - 1,
                Axis::Vertical => self.shape.rows() as u64 - 1,
            };
            return parent.axes().map(of_line).sum();
        }
        let moves = self.from[usize::from(parent.blank)].iter().flatten().count();
        (moves - usize::from(parent.last < 4)) as u64
    }

    /// Returns the slides of single tiles, with their directions, without the one that takes the
    /// last move back.
    #[inline(always)]
    fn slides(&self, parent: &Parent) -> impl Iterator<Item = (u8, Slide)> {
        let from = self.from[usize::from(parent.blank)];
        (0..4).filter_map(move |direction| {
            // The opposite direction is two places further.
            let is_undo = parent.last < 4 && direction == parent.last ^ 2;
            let from = from[usize::from(direction)].filter(|_| !is_undo);
            Some((direction, parent.slide(from?)))
        })
    }

    /// Returns the slide by which a board has a child.
    fn slide(&self, parent: &Parent, direction: u8) -> Slide {
        let from = self.from[usize::from(parent.blank)][usize::from(direction)];
        parent.slide(from.expect("a child follows from a move"))
    }

    fn hash(&self, board: &Board) -> u64 {
        let tiles = (0..).zip(board.tiles()).filter(|&(_, &tile)| tile != BLANK);
        tiles.fold(0, |hash, (cell, &tile)| hash ^ self.of_tile(tile, cell))
    }

    #[inline(always)]
    fn of_tile(&self, tile: u8, cell: Cell) -> u64 {
        self.hashes[usize::from(tile)][usize::from(cell)]
    }

    #[inline(always)]
    fn change(&self, slide: Slide) -> u64 {
        self.of_tile(slide.tile, slide.from) ^ self.of_tile(slide.tile, slide.to)
    }
}

/// The end of a beam.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BeamEnd {
    /// The moves to the goal.
    Goal(Vec<Direction>),
    /// No layer had the goal, and the last one had no board that was not met before and may lead to
    /// a shorter solution than is known.
    Empty {
        /// Whether no board was left out.
        is_complete: bool,
    },
}

/// Returns the most children of a board, without the one that takes its last move back. The first
/// board of a beam may have more.
fn children_max(shape: Shape, metric: Metric) -> usize {
    match metric {
        Metric::SingleTile => 3,
        Metric::MultiTile => shape.rows().max(shape.cols()) - 1,
    }
}

/// Memory for the hashes of boards, at most.
const GRID_BYTES: u64 = (size_of::<Grid>() + CELLS_MAX * CELLS_MAX * size_of::<u64>()) as u64;

/// Returns the memory of a beam of a width on boards of a shape, for solutions of [`LENGTH`] moves
/// of single tiles.
pub(crate) fn bytes(node_bytes: [usize; 2], shape: Shape, width: u32) -> u64 {
    let long = if is_large(shape) { seen::long_bytes(width) } else { 0 };
    let child_count = children_max(shape, Metric::SingleTile);
    GRID_BYTES + long + u64::from(width) * bytes_per_board(node_bytes, child_count, LENGTH)
}

/// Returns whether narrow beams need a long memory of the boards that they met.
fn is_large(shape: Shape) -> bool {
    shape.cell_count() > 36
}

/// Moves of a search from which on a narrow beam on a large board has a long memory. Stretches of
/// solutions are shorter.
const LONG: u32 = 100;

/// Memory of a beam for each board of its width.
fn bytes_per_board([of_node, of_child]: [usize; 2], child_count: usize, length: u32) -> u64 {
    let of_layers = 2 * (size_of::<Parent>() + of_node);
    let of_children = child_count * (size_of::<Child>() + of_child);
    (of_layers + of_children + size_of::<u32>() + seen::BYTES_PER_BOARD) as u64
        + u64::from(length) * size_of::<u32>() as u64
}

/// Layers without a smaller order than in all before, after which a beam that left boards out
/// gives up: it goes around among boards that are no nearer to the goal.
const STALL: u32 = 128;

/// Empties a list and makes room for a number of items, with the old room freed before.
fn make_room<T>(list: &mut Vec<T>, count: usize) {
    list.clear();
    if list.capacity() < count {
        *list = Vec::new();
        list.reserve_exact(count);
    }
}

/// A receiver of the boards of each layer: those that a beam keeps, and those that it leaves out.
pub type LayerTrace<'a> = Box<dyn FnMut(&[Board], &[Board]) + Send + 'a>;

/// A beam of a width, and its memory for the next one.
pub(crate) struct Beam<'a> {
    grid: Grid,
    goal: Board,
    nodes: Box<dyn AnyNodes + 'a>,
    layer: Vec<Parent>,
    next: Vec<Parent>,
    children: Vec<Child>,
    chosen: Vec<u32>,
    /// Number of children of each order.
    counts: Vec<u32>,
    /// The step to each board of each layer.
    history: Vec<Vec<u32>>,
    /// Receiver of the layers.
    pub(crate) trace: Option<LayerTrace<'a>>,
    /// Boards whose children were looked up, these children, and how often one of them was entered,
    /// by all searches.
    pub(crate) expanded: u64,
    pub(crate) looked_up: u64,
    pub(crate) entered: u64,
}

impl<'a> Beam<'a> {
    pub(crate) fn new(goal: &Goal, nodes: Box<dyn AnyNodes + 'a>, metric: Metric) -> Self {
        Self {
            grid: Grid::new(goal.shape(), metric),
            goal: *goal.board(),
            nodes,
            layer: Vec::new(),
            next: Vec::new(),
            children: Vec::new(),
            chosen: Vec::new(),
            counts: Vec::new(),
            history: Vec::new(),
            trace: None,
            expanded: 0,
            looked_up: 0,
            entered: 0,
        }
    }

    /// Returns the largest width at which the boards take at most `bytes` of memory, for solutions
    /// of `length` moves.
    pub(crate) fn width_within(&self, bytes: u64, length: u32) -> u32 {
        let bytes_per_board = bytes_per_board(self.nodes.node_bytes(), self.children_max(), length);
        let bytes = bytes.saturating_sub(GRID_BYTES);
        let width = if is_large(self.goal.shape()) {
            let narrow = bytes / (bytes_per_board + seen::LONG_BYTES_PER_BOARD);
            narrow.max(bytes.saturating_sub(seen::LONG_BYTES) / bytes_per_board)
        } else {
            bytes / bytes_per_board
        };
        width.min(width_max(&self.grid).into()) as u32
    }

    fn children_max(&self) -> usize {
        children_max(self.grid.shape, self.grid.metric)
    }

    /// Searches a solution with fewer moves than `length`.
    ///
    /// # Errors
    /// The limit that ended the search.
    pub(crate) fn search(
        &mut self,
        board: &Board,
        width: NonZeroU32,
        length: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Result<BeamEnd, LimitKind>, RootError> {
        let root =
            Parent { board: *board, hash: self.grid.hash(board), blank: board.blank(), last: 4 };
        let room = width.get() as usize;
        let child_count = self.children_max() * room;
        self.nodes.start(board, room, child_count)?;
        make_room(&mut self.children, child_count);
        make_room(&mut self.chosen, room);
        make_room(&mut self.layer, room);
        make_room(&mut self.next, room);
        self.layer.push(root);
        self.history.clear();
        Ok(self.run(room, length, meter))
    }

    fn run(
        &mut self,
        width: usize,
        length: u32,
        meter: &mut Meter<'_>,
    ) -> Result<BeamEnd, LimitKind> {
        let goal_hash = self.grid.hash(&self.goal);
        let mut seen = Seen::new(width, length >= LONG && is_large(self.goal.shape()));
        let (mut nearest, mut nearest_depth) = (u16::MAX, 0);
        seen.is_new(self.layer[0].hash, 0);
        let mut is_complete = true;
        for depth in 1..length {
            self.children.clear();
            let mut from = 0;
            while from < self.layer.len() {
                let to = self.layer.len().min(from + meter.portion(PORTION));
                let parents = &self.layer[from..to];
                let child_count =
                    parents.iter().map(|parent| self.grid.child_count(parent)).sum::<u64>();
                meter.count_all(child_count)?;
                self.entered += self.nodes.expand(
                    &self.grid,
                    (parents, from as u32),
                    (&mut seen, depth as u8),
                    length - depth,
                    &mut self.children,
                );
                self.expanded += (to - from) as u64;
                self.looked_up += child_count;
                from = to;
            }
            let is_goal = |child: &&Child| {
                child.hash == goal_hash && self.board_after(child).board == self.goal
            };
            if let Some(child) = self.children.iter().find(is_goal) {
                return Ok(BeamEnd::Goal(self.path(child.step)));
            }
            self.choose(width, depth);
            is_complete &= self.chosen.len() == self.children.len();
            let least = self.children.iter().map(|child| child.order).min();
            let Some(least) = least else { break };
            if least < nearest {
                (nearest, nearest_depth) = (least, depth);
            }
            if depth - nearest_depth > STALL && !is_complete {
                break;
            }
            self.nodes.advance(&self.grid, &self.layer, &self.children, &self.chosen);
            self.entered += self.chosen.len() as u64;
            if let Some(mut trace) = self.trace.take() {
                let mut boards = [Vec::new(), Vec::new()];
                let mut chosen = self.chosen.iter().peekable();
                for (place, child) in (0..).zip(&self.children) {
                    let is_kept = chosen.next_if_eq(&&place).is_some();
                    boards[usize::from(!is_kept)].push(self.board_after(child).board);
                }
                trace(&boards[0], &boards[1]);
                self.trace = Some(trace);
            }
            let mut next = std::mem::take(&mut self.next);
            next.clear();
            let chosen = self.chosen.iter().map(|&place| &self.children[place as usize]);
            next.extend(chosen.clone().map(|child| self.board_after(child)));
            self.history.push(chosen.map(|child| child.step).collect());
            self.next = std::mem::replace(&mut self.layer, next);
        }
        Ok(BeamEnd::Empty { is_complete })
    }

    /// Chooses the children of the next layer: those that come first. Of the ones at the last place
    /// that is kept, any do.
    fn choose(&mut self, width: usize, depth: u32) {
        self.counts.clear();
        for child in &self.children {
            let place = usize::from(child.order);
            if place >= self.counts.len() {
                self.counts.resize(place + 1, 0);
            }
            self.counts[place] += 1;
        }
        let mut left = width as u64;
        let mut limit = self.counts.len();
        for (order, &count) in self.counts.iter().enumerate() {
            if u64::from(count) > left {
                limit = order;
                break;
            }
            left -= u64::from(count);
        }
        let of_limit = self.counts.get(limit).map_or(1, |&count| u64::from(count));
        // A share of the children at the limit, by their hashes.
        let share = (left << 32) / of_limit;
        let is_chosen = |child: &Child| match usize::from(child.order).cmp(&limit) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Equal => mixed(child.hash ^ u64::from(depth)) >> 32 < share,
            std::cmp::Ordering::Greater => false,
        };
        self.chosen.clear();
        let chosen = (0..).zip(&self.children).filter(|(_, child)| is_chosen(child));
        self.chosen.extend(chosen.map(|(place, _)| place));
    }

    fn board_after(&self, child: &Child) -> Parent {
        let (parent, last, tile_count) = self.grid.origin(child.step);
        let mut after = Parent { hash: child.hash, last, ..self.layer[parent] };
        for _ in 0..tile_count {
            let slide = self.grid.slide(&after, last);
            after.board.slide(slide.from, slide.to);
            after.blank = slide.from;
        }
        after
    }

    /// Returns the moves to the child after a step from the present layer.
    fn path(&self, mut step: u32) -> Vec<Direction> {
        let mut moves = Vec::new();
        let mut layers = self.history.iter().rev();
        loop {
            let (parent, direction, tile_count) = self.grid.origin(step);
            moves.extend(repeat_n(Direction::ALL[usize::from(direction)], tile_count as usize));
            let Some(layer) = layers.next() else { break };
            step = layer[parent];
        }
        moves.reverse();
        moves
    }
}

/// Number of moves for which a beam has memory, at least.
pub(crate) const LENGTH: u32 = 256;
