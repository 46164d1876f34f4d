//! A depth-first search of slides in one subtree, or its cut into leaves, that can pause at any
//! time.
//!
//! A lane locates the entries of its children, and reads them when the other lanes of the thread
//! have done the same, so that they wait for memory together.
//!
//! In a shortest solution, slides along rows and along columns alternate: two of one axis in turn
//! are one slide, or none. So below the root the axis of the next slide is given, and a board has
//! as many children as its line has other cells.
//!
//! This is the part that is compiled for each heuristic.

use pdb_core::{Axis, Board, Cell, Direction, RootError, Shape, Slide, SlideHeuristic};

use crate::beam::{AnyNodes, SlideNodes};
use crate::lane::{
    AnyHeuristics, AnyLanes, CutLeaf, GoalTarget, LaneEvent, LaneRecord, Leaves, Position, Subtree,
    append_leaves, leaves_of, mark_of, run_lanes, slide_tiles,
};
use crate::moves::Moves;
use crate::run::{Run, run};

/// Number of lanes that keep a core busy.
const LANES: usize = 4;
/// Fewest slides left in a subtree that is split off.
const SPLIT_LEFT_MIN: u32 = 3;
/// Steps of each lane for a round of a pool, because they are short.
const STEPS: u64 = 4;

/// The place of a position whose next slide is horizontal; the next number is that of a vertical
/// one. At the root, any of both may come first: its place is the blank's cell.
const FIRST_AXIS: u16 = 64;

/// Returns the axes of the next slide.
fn axes(position: &Position) -> impl DoubleEndedIterator<Item = Axis> {
    let place = position.place;
    let is_next = move |axis: &Axis| place < FIRST_AXIS || place == FIRST_AXIS + *axis as u16;
    Axis::BOTH.into_iter().filter(is_next)
}

/// Slides the blank of a position to a cell of its line. Returns the slide, and the position after
/// it.
fn slid(position: &Position, shape: Shape, to: Cell) -> (Slide, Position) {
    let row_of = |cell: Cell| usize::from(cell) / shape.cols();
    let is_row = row_of(position.blank) == row_of(to);
    let (axis, step) =
        if is_row { (Axis::Horizontal, 1) } else { (Axis::Vertical, shape.cols() as Cell) };
    let mut after = *position;
    while after.blank != to {
        let from = if to > after.blank { after.blank + step } else { after.blank - step };
        slide_tiles(&mut after.tiles, from, after.blank);
        after.blank = from;
    }
    after.place = FIRST_AXIS + axis.other() as u16;
    let tile = position.tiles[usize::from(to)];
    (Slide { tile, from: to, to: position.blank }, after)
}

/// Returns the slides that move the blank of a root to the cells of a path and a last one, after
/// those of `before`, and the position there.
fn replayed(
    before: &[Slide],
    root: &Position,
    path: &[Cell],
    last: Cell,
    shape: Shape,
) -> (Vec<Slide>, Position) {
    let (mut slides, mut position) = (before.to_vec(), *root);
    for &to in path.iter().chain([&last]) {
        // The blank of the root is on its cell without a slide.
        if to != position.blank {
            let (slide, after) = slid(&position, shape, to);
            slides.push(slide);
            position = after;
        }
    }
    (slides, position)
}

/// Returns the axis of a slide, and the cells of the tiles that it moves.
fn run_of(slide: Slide, shape: Shape) -> (Axis, Run) {
    let of = |direction| (Axis::of(direction), run(shape, slide.to, direction));
    let mut runs = Direction::ALL.into_iter().map(of);
    let (axis, mut run) =
        runs.find(|(_, run)| run.contains(&slide.from)).expect("tiles slide along a line");
    let last = run.iter().position(|&cell| cell == slide.from).expect("the run contains it");
    run.truncate(last + 1);
    (axis, run)
}

/// Returns the slides of a position and the positions after them.
pub(crate) fn steps(position: &Position, shape: Shape) -> Vec<(Slide, Position)> {
    let directions = axes(position).flat_map(Axis::directions);
    let cells = directions.flat_map(|direction| run(shape, position.blank, direction));
    cells.map(|to| slid(position, shape, to)).collect()
}

/// The runs in both directions, for each axis and each cell of the blank.
type Runs = [Vec<[Run; 2]>; 2];

fn runs(shape: Shape) -> Runs {
    Axis::BOTH.map(|axis| {
        let cells = 0..shape.cell_count() as Cell;
        cells.map(|blank| axis.directions().map(|direction| run(shape, blank, direction))).collect()
    })
}

/// A node, with the axis of the next slide.
#[derive(Clone, Copy)]
struct Node<S> {
    state: S,
    axis: Axis,
    /// Number of slides that are left.
    left: u32,
}

/// A depth-first search that can pause.
struct Lane<S> {
    /// The root, the slides that are left there, and those that lead to it from its leaf.
    root: Position,
    root_left: u32,
    before: Vec<Slide>,
    /// The nodes to expand, the next one last.
    stack: Vec<Node<S>>,
    /// The blank's cells after each slide below the root, down to the current node.
    path: Vec<Cell>,
    /// The children of the current node that no stage has pruned, unless all stages were read.
    children: Vec<S>,
    is_reading: bool,
    /// The axis of the slides to the children.
    axis: Axis,
    /// Number of slides that are left at the children.
    left: u32,
    stage: usize,
    /// The most slack of a leaf, if it cuts the tree instead of searching it.
    slack_max: Option<u32>,
    /// The states of the leaves that it cut off.
    cut_states: Vec<S>,
    record: LaneRecord,
}

/// The data that all lanes read.
struct Shared<'a, H> {
    heuristic: &'a H,
    target: &'a GoalTarget,
    runs: Runs,
}

/// The lanes of a thread.
struct SlideLanes<'a, H: SlideHeuristic> {
    shared: Shared<'a, H>,
    lanes: Vec<Lane<H::State>>,
}

impl<H: SlideHeuristic> AnyLanes for SlideLanes<'_, H> {
    fn run(&mut self, events: &mut [LaneEvent], rounds: u64) {
        let Self { shared, lanes } = self;
        let rounds = if events.len() > 1 { STEPS * rounds } else { rounds };
        shared.heuristic.run(
            #[inline(always)]
            || {
                run_lanes(
                    &mut lanes[..events.len()],
                    events,
                    rounds,
                    #[inline(always)]
                    |lane| lane.advance(shared),
                );
            },
        );
    }

    fn record(&mut self, lane: usize) -> &mut LaneRecord {
        &mut self.lanes[lane].record
    }

    fn begin(&mut self, lane: usize, subtree: Subtree, leaves: &Leaves) {
        let Subtree { position, left, excluded, leaf, slack_max, path, part, .. } = subtree;
        let state = *mark_of(leaves, part.as_ref(), leaf);
        if lane == self.lanes.len() {
            self.lanes.push(Lane::new(position));
        }
        let lane = &mut self.lanes[lane];
        (lane.root, lane.root_left, lane.before, lane.slack_max) =
            (position, left, path, slack_max);
        lane.stack.clear();
        lane.path.clear();
        lane.cut_states.clear();
        lane.is_reading = false;
        lane.record.begin(leaf, slack_max.is_some());
        let bounds = self.shared.heuristic.bounds(&state);
        // The cut of a root serves later bounds, too.
        for axis in axes(&position).rev() {
            let is_within = left > 0 && (slack_max.is_some() || bounds[axis as usize] <= left);
            if is_within && excluded & 1 << axis as u8 == 0 {
                lane.stack.push(Node { state, axis, left });
            }
        }
    }

    fn move_leaves(&mut self, lane: usize, leaves: &mut Leaves) -> &mut LaneRecord {
        let lane = &mut self.lanes[lane];
        append_leaves(leaves, &mut lane.cut_states);
        &mut lane.record
    }

    fn splittable(&self, lane: usize) -> Option<u32> {
        let lane = &self.lanes[lane];
        let is_busy = lane.is_reading || lane.stack.len() > 1;
        let first = lane.stack.first().filter(|_| is_busy && lane.slack_max.is_none())?;
        (first.left >= SPLIT_LEFT_MIN).then_some(first.left)
    }

    fn split(&mut self, lane: usize) -> Option<Subtree> {
        let lane = &mut self.lanes[lane];
        let Node { state, axis, left } = lane.stack.remove(0);
        let blank = self.shared.heuristic.blank(&state);
        let (path, mut position) = lane.replay(lane.root_left - left, blank, self.shared.target);
        // At the root, the other axis comes first.
        position.place = FIRST_AXIS + axis as u16;
        let (leaf, part) = (lane.record.leaf, Some(leaves_of(state)));
        Some(Subtree { position, left, excluded: 0, route: 0, leaf, slack_max: None, path, part })
    }

    fn path(&self, lane: usize) -> Vec<Slide> {
        let lane = &self.lanes[lane];
        let last = *lane.path.last().unwrap_or(&lane.root.blank);
        lane.replay(lane.path.len() as u32, last, self.shared.target).0
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.lanes.swap(one, other);
    }
}

impl<S: Copy> Lane<S> {
    fn new(root: Position) -> Self {
        Self {
            root,
            root_left: 0,
            before: Vec::new(),
            stack: Vec::new(),
            path: Vec::new(),
            children: Vec::new(),
            is_reading: false,
            axis: Axis::Horizontal,
            left: 0,
            stage: 0,
            slack_max: None,
            cut_states: Vec::new(),
            record: LaneRecord::default(),
        }
    }

    /// Returns the slides from the leaf to a node at a depth below the root, with the blank on a
    /// cell, and the node's position.
    fn replay(&self, depth: u32, blank: Cell, target: &GoalTarget) -> (Vec<Slide>, Position) {
        let above = &self.path[..depth.saturating_sub(1) as usize];
        replayed(&self.before, &self.root, above, blank, target.shape)
    }

    /// Searches up to the next wait.
    #[inline(always)]
    fn advance<H: SlideHeuristic<State = S>>(&mut self, shared: &Shared<'_, H>) -> LaneEvent {
        loop {
            if self.is_reading {
                // Each axis is compiled for itself.
                match self.axis {
                    Axis::Horizontal => self.read(shared.heuristic, Axis::Horizontal),
                    Axis::Vertical => self.read(shared.heuristic, Axis::Vertical),
                }
                if self.is_reading {
                    return LaneEvent::Wait;
                }
                if self.left == 0 && self.find_goal(shared) {
                    return LaneEvent::Goal;
                }
            }
            let Some(node) = self.stack.last() else { return LaneEvent::Exhausted };
            let blank = shared.heuristic.blank(&node.state);
            let runs = &shared.runs[node.axis as usize][usize::from(blank)];
            let count = (runs[0].len() + runs[1].len()) as u64;
            if self.record.granted < count {
                return LaneEvent::NoGrant;
            }
            self.record.granted -= count;
            self.record.generated += count;
            self.record.expanded += 1;
            self.record.nearest = self.record.nearest.min(node.left);
            match node.axis {
                Axis::Horizontal => self.expand(shared.heuristic, runs, blank, Axis::Horizontal),
                Axis::Vertical => self.expand(shared.heuristic, runs, blank, Axis::Vertical),
            }
            if self.slack_max.is_some() {
                self.cut(shared);
            } else if shared.heuristic.stage_count(self.axis) > 0 {
                return LaneEvent::Wait;
            }
        }
    }

    /// Locates the children of the last node of the stack.
    #[inline(always)]
    fn expand<H: SlideHeuristic<State = S>>(
        &mut self,
        heuristic: &H,
        runs: &[Run; 2],
        blank: Cell,
        axis: Axis,
    ) {
        let Some(node) = self.stack.pop() else { return };
        let depth = (self.root_left - node.left) as usize;
        self.path.truncate(depth.saturating_sub(1));
        if depth > 0 {
            self.path.push(blank);
        }
        self.children.clear();
        (self.axis, self.left, self.stage, self.is_reading) = (axis, node.left - 1, 0, true);
        // The next bounds need the nodes of a cut that are beyond this one.
        let left = if self.slack_max.is_some() { u32::MAX } else { self.left };
        for run in runs {
            heuristic.slide(&node.state, run, axis, left, &mut self.children);
        }
    }

    /// Reads a stage of the children. Locates the next stage, or puts them on the stack, the first
    /// one last.
    #[inline(always)]
    fn read<H: SlideHeuristic<State = S>>(&mut self, heuristic: &H, axis: Axis) {
        let (left, stage) = (self.left, self.stage);
        let stage_count = heuristic.stage_count(axis);
        if stage < stage_count {
            self.record.entered += self.children.len() as u64;
            let mut kept = 0;
            for i in 0..self.children.len() {
                if heuristic.bound(stage, &self.children[i], axis) <= left {
                    if stage + 1 < stage_count {
                        heuristic.locate(stage + 1, &mut self.children[i], axis);
                    }
                    if kept < i {
                        self.children[kept] = self.children[i];
                    }
                    kept += 1;
                }
            }
            self.children.truncate(kept);
        }
        self.stage += 1;
        if self.stage >= stage_count {
            self.is_reading = false;
            if left > 0 {
                // A plain loop: `extend` may become a call in the code of wide registers.
                for &state in self.children.iter().rev() {
                    self.stack.push(Node { state, axis: axis.other(), left });
                }
            }
        }
    }

    /// Keeps the located children as leaves, or puts them on the stack to be cut further.
    #[inline(never)]
    fn cut<H: SlideHeuristic<State = S>>(&mut self, shared: &Shared<'_, H>) {
        let (axis, left, slack_max) = (self.axis, self.left, self.slack_max.unwrap_or_default());
        let first = self.stack.len();
        for mut state in std::mem::take(&mut self.children).into_iter().rev() {
            let estimate = complete(shared.heuristic, &mut state, axis);
            self.record.entered += shared.heuristic.stage_count(axis) as u64;
            if estimate + slack_max < left {
                self.stack.push(Node { state, axis: axis.other(), left });
                continue;
            }
            let blank = shared.heuristic.blank(&state);
            let (slides, position) = self.replay(self.root_left - left, blank, shared.target);
            if left == 0 && shared.target.is_reached(&position.tiles, position.blank) {
                // It is found as the only child that is left.
                self.stack.truncate(first);
                self.children = vec![state];
                return;
            }
            let path_len = slides.len();
            self.cut_states.push(state);
            self.record.cut_leaves.push(CutLeaf { position, estimate, left, path_len });
            self.record.cut_paths.extend(slides);
        }
        self.is_reading = false;
    }

    /// Completes the path with the first child that is the goal. Returns whether there is one.
    #[inline(never)]
    fn find_goal<H: SlideHeuristic<State = S>>(&mut self, shared: &Shared<'_, H>) -> bool {
        let depth = self.root_left - self.left;
        for state in &self.children {
            let blank = shared.heuristic.blank(state);
            let (_, position) = self.replay(depth, blank, shared.target);
            if shared.target.is_reached(&position.tiles, position.blank) {
                self.path.push(blank);
                return true;
            }
        }
        false
    }
}

/// Completes the state after a slide, whose first entry is located. Returns its estimate.
fn complete<H: SlideHeuristic>(heuristic: &H, state: &mut H::State, axis: Axis) -> u32 {
    for stage in 1..heuristic.stage_count(axis) {
        heuristic.locate(stage, state, axis);
    }
    heuristic.bounds(state)[axis.other() as usize]
}

/// The bounds on slides of a solver.
pub(crate) struct SlideHeuristics<H> {
    pub(crate) heuristic: H,
    pub(crate) shape: Shape,
}

impl<H: SlideHeuristic> AnyHeuristics for SlideHeuristics<H> {
    fn estimates(&self, board: &Board) -> Result<[u32; 2], RootError> {
        Ok(self.heuristic.bounds(&self.heuristic.root(board)?))
    }

    fn root(&self, _: usize, board: &Board) -> Result<(u32, Leaves), RootError> {
        let state = self.heuristic.root(board)?;
        let [horizontal, vertical] = self.heuristic.bounds(&state);
        Ok((horizontal.min(vertical), leaves_of(state)))
    }

    fn child(
        &self,
        _: usize,
        root: &Leaves,
        slide: Slide,
        left: u32,
        is_goal: bool,
    ) -> Option<(u32, Leaves)> {
        let state: &H::State = mark_of(root, None, 0);
        let ((axis, run), mut children) = (run_of(slide, self.shape), Vec::new());
        self.heuristic.slide(state, &run, axis, u32::MAX, &mut children);
        let mut child = children.pop()?;
        let estimate = complete(&self.heuristic, &mut child, axis);
        (is_goal || estimate < left).then(|| (estimate, leaves_of(child)))
    }

    fn lanes<'a>(&'a self, _: &'a Moves, targets: &'a [GoalTarget]) -> Box<dyn AnyLanes + 'a> {
        let (heuristic, target) = (&self.heuristic, &targets[0]);
        let shared = Shared { heuristic, target, runs: runs(self.shape) };
        Box::new(SlideLanes { shared, lanes: Vec::new() })
    }

    fn nodes(&self, _: usize) -> Box<dyn AnyNodes + '_> {
        Box::new(SlideNodes::new(&self.heuristic))
    }

    fn lane_count(&self) -> Option<usize> {
        (self.lookups()[0] > 0).then_some(LANES)
    }

    /// Returns the entries beside those of the parent, which each slide looks up, and one for each
    /// stage.
    fn lookups(&self) -> [u32; 2] {
        let [one, other] = Axis::BOTH;
        let stage_count = self.heuristic.stage_count(one).max(self.heuristic.stage_count(other));
        [stage_count as u32, 1]
    }
}
