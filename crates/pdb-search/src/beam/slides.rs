//! Beam search whose moves are slides of one or more tiles.

use pdb_core::{Axis, Board, Cell, Direction, Goal, RootError, Slide, SlideHeuristic};

use super::seen::{self, Seen};
use super::{Grid, LENGTH, mixed};
use crate::LimitKind;
use crate::limits::Meter;
use crate::run::run;

/// Slides without a smaller score than in all before, after which a beam gives up.
const STALL: u32 = 64;

/// A beam of slides to a goal, and its memory for the next one.
pub(crate) struct SlideBeam<'a, H: SlideHeuristic> {
    heuristic: &'a H,
    goal: &'a Goal,
    grid: Grid,
    layer: Vec<Node<H::State>>,
    children: Vec<Child<H::State>>,
    /// The step to each board of each layer.
    history: Vec<Vec<Step>>,
}

#[derive(Clone, Copy)]
struct Node<S> {
    board: Board,
    state: S,
    hash: u64,
    blank: Cell,
    /// The axis of the last slide.
    last: Option<Axis>,
}

/// A slide from a board of the layer before.
#[derive(Clone, Copy)]
struct Step {
    parent: u32,
    direction: Direction,
    tile_count: u8,
}

#[derive(Clone, Copy)]
struct Child<S> {
    node: Node<S>,
    step: Step,
    score: u32,
}

impl<'a, H: SlideHeuristic> SlideBeam<'a, H> {
    pub(crate) fn new(heuristic: &'a H, goal: &'a Goal) -> Self {
        let grid = Grid::new(goal.shape());
        let (layer, children, history) = Default::default();
        Self { heuristic, goal, grid, layer, children, history }
    }

    /// Returns the memory of a beam of a width, for solutions of [`LENGTH`] slides.
    pub(crate) fn bytes(&self, width: usize) -> u64 {
        let shape = self.goal.shape();
        let child_count = shape.rows().max(shape.cols()) - 1;
        let of_board = size_of::<Node<H::State>>()
            + child_count * size_of::<Child<H::State>>()
            + LENGTH as usize * size_of::<Step>()
            + seen::BYTES_PER_BOARD;
        width as u64 * of_board as u64 + seen::long_bytes(width as u32)
    }

    /// Searches a solution with fewer slides than `length`, as moves of single tiles.
    ///
    /// # Errors
    /// The limit that ended the search.
    pub(crate) fn search(
        &mut self,
        board: &Board,
        width: usize,
        length: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Result<Option<Vec<Direction>>, LimitKind>, RootError> {
        let state = self.heuristic.root(board)?;
        let (hash, blank) = (self.grid.hash(board), board.blank());
        self.layer.clear();
        self.layer.push(Node { board: *board, state, hash, blank, last: None });
        self.history.clear();
        Ok(self.run(width, length, meter))
    }

    fn run(
        &mut self,
        width: usize,
        length: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Direction>>, LimitKind> {
        let mut seen = Seen::new(width, true);
        let (mut nearest, mut nearest_depth) = (u32::MAX, 0);
        for depth in 1..length {
            if self.add_children(&mut seen, (depth, length), meter)? {
                return Ok(Some(self.path()));
            }
            if self.children.len() > width {
                // Any of the boards with the largest score that is kept do.
                let order = |child: &Child<_>| (child.score, mixed(child.node.hash));
                self.children.select_nth_unstable_by_key(width, order);
                self.children.truncate(width);
            }
            let Some(least) = self.children.iter().map(|child| child.score).min() else { break };
            if least < nearest {
                (nearest, nearest_depth) = (least, depth);
            }
            if depth - nearest_depth > STALL {
                break;
            }
            self.history.push(self.children.iter().map(|child| child.step).collect());
            self.layer.clear();
            self.layer.extend(self.children.iter().map(|child| child.node));
        }
        Ok(None)
    }

    /// Adds the children of the layer, at a depth, that may lead to fewer slides than `length`.
    /// Returns whether the last one is the goal.
    fn add_children(
        &mut self,
        seen: &mut Seen,
        (depth, length): (u32, u32),
        meter: &mut Meter<'_>,
    ) -> Result<bool, LimitKind> {
        let (heuristic, shape) = (self.heuristic, self.goal.shape());
        let mut states = Vec::new();
        self.children.clear();
        for (place, parent) in self.layer.iter().enumerate() {
            for axis in Axis::BOTH.into_iter().filter(|&axis| Some(axis) != parent.last) {
                for direction in axis.directions() {
                    let run = run(shape, parent.blank, direction);
                    meter.count_all(run.len() as u64)?;
                    let left = length - depth - 1;
                    states.clear();
                    heuristic.slide(&parent.state, &run, axis, left, &mut states);
                    for &state in &states {
                        let mut node = Node { state, last: Some(axis), ..*parent };
                        let is_within = self.complete(&mut node.state, axis) <= left;
                        let tile_count = self.slide(&mut node, &run);
                        let is_goal = node.board == *self.goal.board();
                        // A board after a slide along the other axis has other children.
                        let key = node.hash ^ mixed(axis as u64);
                        if is_goal || is_within && seen.is_new(key, depth as u8) {
                            let score = heuristic.score(&node.state);
                            let step = Step { parent: place as u32, direction, tile_count };
                            self.children.push(Child { node, step, score });
                        }
                        if is_goal {
                            return Ok(true);
                        }
                    }
                }
            }
        }
        Ok(false)
    }

    /// Reads all stages of a state after a slide along an axis. Returns their bound.
    fn complete(&self, state: &mut H::State, axis: Axis) -> u32 {
        let mut bound = 0;
        for stage in 0..self.heuristic.stage_count(axis) {
            self.heuristic.locate(stage, state, axis);
            bound = bound.max(self.heuristic.bound(stage, state, axis));
        }
        bound
    }

    /// Moves the tiles on the cells of a run, up to the blank of the node's state. Returns their
    /// number.
    fn slide(&self, node: &mut Node<H::State>, run: &[Cell]) -> u8 {
        let end = self.heuristic.blank(&node.state);
        let mut tile_count = 0;
        for &from in run {
            let slide = Slide { tile: node.board.tile(from), from, to: node.blank };
            node.board.slide(from, node.blank);
            node.hash ^= self.grid.change(slide);
            node.blank = from;
            tile_count += 1;
            if from == end {
                break;
            }
        }
        tile_count
    }

    /// Returns the moves to the last child.
    fn path(&self) -> Vec<Direction> {
        let mut steps = Vec::new();
        let mut next = self.children.last().map(|child| child.step);
        let mut layers = self.history.iter().rev();
        while let Some(step) = next {
            steps.push(step);
            next = layers.next().map(|layer| layer[step.parent as usize]);
        }
        let slides = steps.into_iter().rev();
        let directions =
            slides.flat_map(|step| std::iter::repeat_n(step.direction, step.tile_count.into()));
        directions.collect()
    }
}
