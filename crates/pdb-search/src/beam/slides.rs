//! Beam search whose moves are slides of one or more tiles.

use pdb_core::{Axis, Board, Cell, Direction, Goal, RootError, Slide, SlideHeuristic};

use super::seen::{self, Seen};
use super::{Grid, LENGTH, mixed};
use crate::LimitKind;
use crate::limits::Meter;
use crate::run::run;

/// Slides without a smaller score than in all before, after which a beam gives up.
const STALL: u32 = 64;

/// The states of the boards of a beam, and the look-ups of their children: what is compiled for
/// each heuristic.
pub(crate) trait AnyStates: Send {
    /// Makes a layer of one board.
    fn start(&mut self, board: &Board) -> Result<(), RootError>;

    /// Looks up slides of a board of the layer: the tiles on the cells of `run`, along `axis`.
    /// Leaves out those that need more than `left` slides, where that is known at once.
    fn slide(
        &mut self,
        parent: usize,
        run: &[Cell],
        axis: Axis,
        left: u32,
        slides: &mut Vec<LookedUp>,
    );

    /// Keeps the state after one of these slides, as the next child.
    fn keep(&mut self, slide: usize);

    /// Makes a layer of children, by their places, and forgets the others.
    fn advance(&mut self, children: &mut dyn Iterator<Item = usize>);

    /// Returns the memory of a state, in bytes.
    fn bytes(&self) -> usize;
}

/// A slide that was looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LookedUp {
    /// The blank's cell after it.
    end: Cell,
    /// The fewest slides from there to the goal.
    bound: u32,
    score: u32,
}

/// The states of a heuristic.
#[derive(Debug)]
pub(crate) struct States<'a, H: SlideHeuristic> {
    heuristic: &'a H,
    layer: Vec<H::State>,
    /// The state after each slide that was looked up, and those of the children.
    slides: Vec<H::State>,
    children: Vec<H::State>,
}

impl<'a, H: SlideHeuristic> States<'a, H> {
    pub(crate) fn new(heuristic: &'a H) -> Self {
        Self { heuristic, layer: Vec::new(), slides: Vec::new(), children: Vec::new() }
    }
}

impl<H: SlideHeuristic> AnyStates for States<'_, H> {
    fn start(&mut self, board: &Board) -> Result<(), RootError> {
        self.layer.clear();
        self.layer.push(self.heuristic.root(board)?);
        self.children.clear();
        Ok(())
    }

    fn slide(
        &mut self,
        parent: usize,
        run: &[Cell],
        axis: Axis,
        left: u32,
        slides: &mut Vec<LookedUp>,
    ) {
        let heuristic = self.heuristic;
        self.slides.clear();
        heuristic.slide(&self.layer[parent], run, axis, left, &mut self.slides);
        for state in &mut self.slides {
            let mut bound = 0;
            for stage in 0..heuristic.stage_count(axis) {
                heuristic.locate(stage, state, axis);
                bound = bound.max(heuristic.bound(stage, state, axis));
            }
            let (end, score) = (heuristic.blank(state), heuristic.score(state));
            slides.push(LookedUp { end, bound, score });
        }
    }

    fn keep(&mut self, slide: usize) {
        self.children.push(self.slides[slide]);
    }

    fn advance(&mut self, children: &mut dyn Iterator<Item = usize>) {
        self.layer.clear();
        self.layer.extend(children.map(|place| self.children[place]));
        self.children.clear();
    }

    fn bytes(&self) -> usize {
        size_of::<H::State>()
    }
}

/// A beam of slides to a goal, and its memory for the next one.
pub(crate) struct SlideBeam<'a> {
    states: Box<dyn AnyStates + 'a>,
    goal: &'a Goal,
    grid: Grid,
    layer: Vec<Node>,
    children: Vec<Child>,
    /// The step to each board of each layer.
    history: Vec<Vec<Step>>,
}

#[derive(Clone, Copy)]
struct Node {
    board: Board,
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
struct Child {
    node: Node,
    step: Step,
    score: u32,
    /// The place of its state.
    place: u32,
}

impl<'a> SlideBeam<'a> {
    pub(crate) fn new(states: Box<dyn AnyStates + 'a>, goal: &'a Goal) -> Self {
        let grid = Grid::new(goal.shape());
        let (layer, children, history) = Default::default();
        Self { states, goal, grid, layer, children, history }
    }

    /// Returns the memory of a beam of a width, for solutions of [`LENGTH`] slides.
    pub(crate) fn bytes(&self, width: usize) -> u64 {
        let (shape, of_state) = (self.goal.shape(), self.states.bytes());
        let child_count = shape.rows().max(shape.cols()) - 1;
        let of_board = size_of::<Node>()
            + of_state
            + child_count * (size_of::<Child>() + of_state)
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
        self.states.start(board)?;
        let (hash, blank) = (self.grid.hash(board), board.blank());
        self.layer.clear();
        self.layer.push(Node { board: *board, hash, blank, last: None });
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
                let order = |child: &Child| (child.score, mixed(child.node.hash));
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
            self.states.advance(&mut self.children.iter().map(|child| child.place as usize));
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
        let (shape, left) = (self.goal.shape(), length - depth - 1);
        let mut slides = Vec::new();
        self.children.clear();
        for (parent, from) in self.layer.iter().enumerate() {
            for axis in Axis::BOTH.into_iter().filter(|&axis| Some(axis) != from.last) {
                for direction in axis.directions() {
                    let run = run(shape, from.blank, direction);
                    meter.count_all(run.len() as u64)?;
                    slides.clear();
                    self.states.slide(parent, &run, axis, left, &mut slides);
                    for (slide, &LookedUp { end, bound, score }) in slides.iter().enumerate() {
                        let mut node = Node { last: Some(axis), ..*from };
                        let tile_count = self.grid.slide_all(&mut node, &run, end);
                        let is_goal = node.board == *self.goal.board();
                        // A board after a slide along the other axis has other children.
                        let key = node.hash ^ mixed(axis as u64);
                        if is_goal || bound <= left && seen.is_new(key, depth as u8) {
                            let step = Step { parent: parent as u32, direction, tile_count };
                            let place = self.children.len() as u32;
                            self.children.push(Child { node, step, score, place });
                            self.states.keep(slide);
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

impl Grid {
    /// Moves the tiles on the cells of a run, up to the blank's cell `end`. Returns their number.
    fn slide_all(&self, node: &mut Node, run: &[Cell], end: Cell) -> u8 {
        let mut tile_count = 0;
        for &from in run {
            let slide = Slide { tile: node.board.tile(from), from, to: node.blank };
            node.board.slide(from, node.blank);
            node.hash ^= self.change(slide);
            node.blank = from;
            tile_count += 1;
            if from == end {
                break;
            }
        }
        tile_count
    }
}
