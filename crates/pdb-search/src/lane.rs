//! A depth-first search of one subtree, or its cut into leaves, that can pause at any time.
//!
//! A lane keeps its own stack, and stops where it waits for memory: after the first look at its
//! children, and after it entered a child. Between two stops the other lanes of the same thread
//! run, so that one lane's loads hide behind the others' work.
//!
//! Nodes are pruned here by the bound, in [`Lane::advance`].
//!
//! This is the part of IDA* in lanes that is compiled for each heuristic. All that surrounds it is
//! compiled once, and takes [`AnyHeuristics`] and [`AnyLanes`].

use std::any::Any;
use std::sync::Arc;

use pdb_core::{Board, CELLS_MAX, Cell, Goal, Heuristic, RootError, Shape, Slide};

use crate::beam::{AnyNodes, Nodes};
use crate::moves::Moves;

/// A mask that changes no cell, as cells are below 64; it saves a bounds check.
const MASK: usize = 63;

/// The tiles of a board, indexed by any number below 64.
pub(crate) type Tiles = [u8; MASK + 1];

/// Returns the tiles of a board.
pub(crate) fn tiles_of(board: &Board) -> Tiles {
    let mut tiles = [0; MASK + 1];
    tiles[..board.tiles().len()].copy_from_slice(board.tiles());
    tiles
}

#[inline(always)]
pub(crate) fn slide_tiles(tiles: &mut Tiles, from: Cell, to: Cell) {
    tiles[usize::from(to) & MASK] = tiles[usize::from(from) & MASK];
    tiles[usize::from(from) & MASK] = 0;
}

/// Returns the slide of the tile at `from`.
#[inline(always)]
pub(crate) fn slide_at(tiles: &Tiles, from: Cell, to: Cell) -> Slide {
    Slide { tile: tiles[usize::from(from) & MASK], from, to }
}

/// The goal, in a form that is quick to compare with.
#[derive(Debug)]
pub(crate) struct GoalTarget {
    tiles: Tiles,
    blank: Cell,
    pub(crate) shape: Shape,
}

impl GoalTarget {
    pub(crate) fn new(goal: &Goal) -> Self {
        let board = goal.board();
        Self { tiles: tiles_of(board), blank: board.blank(), shape: board.shape() }
    }

    #[inline(always)]
    pub(crate) fn is_reached(&self, tiles: &Tiles, blank: Cell) -> bool {
        blank == self.blank && tiles[..CELLS_MAX] == self.tiles[..CELLS_MAX]
    }
}

/// A node that was entered.
#[derive(Clone, Copy, Debug)]
struct StackNode<N> {
    node: N,
    /// The move that led here. A root has only `from`, the blank's cell.
    slide: Slide,
    place: u16,
    /// Moves that are left within the bound.
    left: u32,
}

/// A node on the stack of a lane, in cache lines of its own.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Frame<N, P> {
    at: StackNode<N>,
    /// The first look at each child.
    probes: [P; 4],
    /// Children that were read, were not pruned, and are not entered yet: a bit each.
    passing: u8,
}

impl<N, P: Copy + Default> Frame<N, P> {
    /// Makes the frame of a node before its children are located.
    fn new(at: StackNode<N>) -> Self {
        Self { at, probes: [P::default(); 4], passing: 0 }
    }
}

/// A node of a heuristic on the stack.
type FrameOf<H> = Frame<<H as Heuristic>::Node, <H as Heuristic>::Probe>;

/// The state and the node of a board.
type Marks<H> = (<H as Heuristic>::State, <H as Heuristic>::Node);

/// A board below the root of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    pub(crate) tiles: Tiles,
    pub(crate) blank: Cell,
    pub(crate) place: u16,
}

impl Position {
    /// Makes the position of a tree's root.
    pub(crate) fn root(board: &Board) -> Self {
        let blank = board.blank();
        Self { tiles: tiles_of(board), blank, place: Moves::start(blank) }
    }

    /// Returns the slide of move `i` of its place, and the position after it.
    pub(crate) fn step(&self, i: usize, moves: &Moves) -> (Slide, Self) {
        let (from, place) = moves.at(self.place).step(i);
        let slide = slide_at(&self.tiles, from, self.blank);
        let mut tiles = self.tiles;
        slide_tiles(&mut tiles, slide.from, slide.to);
        (slide, Self { tiles, blank: from, place })
    }
}

/// The states and settled nodes of a tree's root and leaves, of types that only the code of its
/// heuristic knows: a [`LeavesOf`].
pub(crate) type Leaves = Arc<dyn Any + Send + Sync>;

/// The root of a tree, and the leaves of its cut.
struct LeavesOf<M> {
    root: M,
    cut: Vec<M>,
}

/// Makes the leaves of a tree that is not cut.
pub(crate) fn leaves_of<M: Send + Sync + 'static>(root: M) -> Leaves {
    Arc::new(LeavesOf { root, cut: Vec::new() })
}

/// Returns the state of a subtree's root: the part that was split off, or a leaf of a tree.
pub(crate) fn mark_of<'l, M: 'static>(
    leaves: &'l Leaves,
    part: Option<&'l Leaves>,
    leaf: u32,
) -> &'l M {
    let leaves: &LeavesOf<M> = part.unwrap_or(leaves).downcast_ref().expect(ONE_TYPE);
    match leaf {
        1.. if part.is_none() => &leaves.cut[leaf as usize - 1],
        _ => &leaves.root,
    }
}

/// Appends leaves that a lane cut off to those of its tree.
pub(crate) fn append_leaves<M: 'static>(leaves: &mut Leaves, cut: &mut Vec<M>) {
    if !cut.is_empty() {
        let leaves = Arc::get_mut(leaves).expect("a tree that is cut has leaves of its own");
        let leaves: &mut LeavesOf<M> = leaves.downcast_mut().expect(ONE_TYPE);
        leaves.cut.append(cut);
    }
}

/// Message for leaves of an unexpected type.
const ONE_TYPE: &str = "the heuristics of a solver have one type";

/// The root of a subtree, with the limits of its search.
#[derive(Debug)]
pub(crate) struct Subtree {
    pub(crate) position: Position,
    /// Moves that are left at the root within the bound.
    pub(crate) left: u32,
    /// Children of the root that are left out, a bit each.
    pub(crate) excluded: u8,
    /// The index of its route among those of the solver.
    pub(crate) route: usize,
    /// The leaf of the board's tree that the subtree belongs to.
    pub(crate) leaf: u32,
    /// The most slack of a leaf, if the subtree is cut instead of searched.
    pub(crate) slack_max: Option<u32>,
    /// The moves from that leaf to the root.
    pub(crate) path: Vec<Slide>,
    /// The root of a subtree that was split off a lane, which is not settled. Without it the leaf
    /// is the root.
    pub(crate) part: Option<Leaves>,
}

/// Reason why a lane returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaneEvent {
    /// The lane waits for memory: call it again after a while.
    Wait,
    /// The lane has no grant for the nodes that it generates next.
    NoGrant,
    /// The lane reached the goal.
    Goal,
    /// The subtree was searched in full.
    Exhausted,
}

/// The next step of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Settle the last frame, and locate its children.
    Settle,
    /// Read the last frame's children.
    Read,
}

/// The record of a lane.
#[derive(Debug, Default)]
pub(crate) struct LaneRecord {
    /// The leaf of the board's tree that the lane searches in.
    pub(crate) leaf: u32,
    /// The smallest estimate of a node that the lane expanded.
    pub(crate) nearest: u32,
    /// Whether the lane cuts the tree instead of searching it.
    pub(crate) cuts: bool,
    /// The leaves that the lane cut off, and the moves to each of them, one after another.
    pub(crate) cut_leaves: Vec<CutLeaf>,
    pub(crate) cut_paths: Vec<Slide>,
    /// Nodes that may still be generated.
    pub(crate) granted: u64,
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
    pub(crate) entered: u64,
}

impl LaneRecord {
    /// Begins another subtree, and keeps the counts.
    pub(crate) fn begin(&mut self, leaf: u32, cuts: bool) {
        (self.leaf, self.cuts, self.nearest) = (leaf, cuts, u32::MAX);
        self.cut_leaves.clear();
        self.cut_paths.clear();
    }
}

/// A leaf that a lane cut off: the moves that are left there, and the length of the path to it.
#[derive(Debug)]
pub(crate) struct CutLeaf {
    pub(crate) position: Position,
    pub(crate) estimate: u32,
    pub(crate) left: u32,
    pub(crate) path_len: usize,
}

/// A depth-first search that can pause.
struct Lane<H: Heuristic> {
    tiles: Tiles,
    state: H::State,
    /// The stack, with a frame for each move that is left. Only the frames up to `depth` count.
    frames: Vec<FrameOf<H>>,
    depth: usize,
    phase: Phase,
    is_fresh: bool,
    excluded: u8,
    /// The index of its route among those of the solver.
    route: usize,
    /// The moves from its leaf of the tree to its root.
    path: Vec<Slide>,
    /// The most slack of a leaf, if it cuts the tree instead of searching it.
    slack_max: Option<u32>,
    /// The states and nodes of the leaves that it cut off.
    cut_marks: Vec<Marks<H>>,
    record: LaneRecord,
}

/// The data that all lanes of one route read.
struct RouteData<'a, H> {
    heuristic: &'a H,
    moves: &'a Moves,
    target: &'a GoalTarget,
}

/// The data of all routes.
#[derive(Clone, Copy)]
struct Routes<'a, H> {
    heuristics: &'a [H],
    moves: &'a Moves,
    targets: &'a [GoalTarget],
}

impl<'a, H> Routes<'a, H> {
    #[inline(always)]
    fn at(&self, route: usize) -> RouteData<'a, H> {
        let Self { heuristics, moves, targets } = *self;
        RouteData { heuristic: &heuristics[route], moves, target: &targets[route] }
    }
}

/// The lanes of a thread, with any heuristic.
pub(crate) trait AnyLanes {
    /// Runs the first lanes in turn for some rounds, or until one of them needs something other
    /// than memory, and writes the events of those that do.
    fn run(&mut self, events: &mut [LaneEvent], rounds: u64);

    /// Returns the record of a lane.
    fn record(&mut self, lane: usize) -> &mut LaneRecord;

    /// Begins a subtree in a lane, or in a new lane after the others. The leaves are those of its
    /// tree.
    fn begin(&mut self, lane: usize, subtree: Subtree, leaves: &Leaves);

    /// Appends the leaves that a lane cut off to those of its tree, and returns its record.
    fn move_leaves(&mut self, lane: usize, leaves: &mut Leaves) -> &mut LaneRecord;

    /// Returns the moves that are left at the node where a lane can be split.
    fn splittable(&self, lane: usize) -> Option<u32>;

    /// Splits off the last child that passed in the first frame of a lane that has one.
    fn split(&mut self, lane: usize) -> Option<Subtree>;

    /// Returns the moves from the leaf to the current node of a lane.
    fn path(&self, lane: usize) -> Vec<Slide>;

    /// Exchanges two lanes.
    fn swap(&mut self, one: usize, other: usize);
}

/// The lanes of a thread.
struct Lanes<'a, H: Heuristic> {
    routes: Routes<'a, H>,
    lanes: Vec<Lane<H>>,
}

impl<H: Heuristic> AnyLanes for Lanes<'_, H> {
    fn run(&mut self, events: &mut [LaneEvent], rounds: u64) {
        let Self { routes, lanes } = self;
        routes.heuristics[0].run(
            #[inline(always)]
            || {
                run_lanes(
                    &mut lanes[..events.len()],
                    events,
                    rounds,
                    #[inline(always)]
                    |lane| lane.advance(&routes.at(lane.route)),
                );
            },
        );
    }

    fn record(&mut self, lane: usize) -> &mut LaneRecord {
        &mut self.lanes[lane].record
    }

    fn begin(&mut self, lane: usize, subtree: Subtree, leaves: &Leaves) {
        let Subtree { position, left, excluded, route, leaf, slack_max, path, part } = subtree;
        let is_fresh = part.is_some();
        let (state, node): &Marks<H> = mark_of(leaves, part.as_ref(), leaf);
        if lane == self.lanes.len() {
            self.lanes.push(Lane::new(state));
        }
        let lane = &mut self.lanes[lane];
        let Position { tiles, blank, place } = position;
        let slide = Slide { tile: 0, from: blank, to: blank };
        let root = StackNode { node: *node, slide, place, left };
        let room = left as usize + 1;
        if lane.frames.len() < room {
            lane.frames.resize(room, Frame::new(root));
        }
        // Its probes are written when it is expanded.
        (lane.frames[0].at, lane.frames[0].passing) = (root, 0);
        (lane.tiles, lane.path) = (tiles, path);
        lane.state.clone_from(state);
        (lane.depth, lane.phase) = (0, Phase::Settle);
        (lane.is_fresh, lane.excluded) = (is_fresh, excluded);
        (lane.route, lane.slack_max) = (route, slack_max);
        lane.cut_marks.clear();
        lane.record.begin(leaf, slack_max.is_some());
    }

    fn move_leaves(&mut self, lane: usize, leaves: &mut Leaves) -> &mut LaneRecord {
        let lane = &mut self.lanes[lane];
        append_leaves(leaves, &mut lane.cut_marks);
        &mut lane.record
    }

    fn splittable(&self, lane: usize) -> Option<u32> {
        let lane = &self.lanes[lane];
        if lane.slack_max.is_some() {
            return None;
        }
        lane.first_passing().map(|depth| lane.frames[depth].at.left)
    }

    fn split(&mut self, lane: usize) -> Option<Subtree> {
        let lane = &mut self.lanes[lane];
        lane.split(&self.routes.at(lane.route))
    }

    fn path(&self, lane: usize) -> Vec<Slide> {
        let lane = &self.lanes[lane];
        lane.path_to(lane.depth)
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.lanes.swap(one, other);
    }
}

/// Runs lanes in turn for some rounds, or until one of them needs something other than memory.
#[inline(always)]
pub(crate) fn run_lanes<L>(
    lanes: &mut [L],
    events: &mut [LaneEvent],
    rounds: u64,
    advance: impl Fn(&mut L) -> LaneEvent,
) {
    for _ in 0..rounds {
        let mut must_stop = false;
        for (i, lane) in lanes.iter_mut().enumerate() {
            let event = advance(lane);
            if event != LaneEvent::Wait {
                events[i] = event;
                must_stop = true;
            }
        }
        if must_stop {
            break;
        }
    }
}

impl<H: Heuristic> Lane<H> {
    /// Makes a lane without work; any state will do.
    fn new(state: &H::State) -> Self {
        Self {
            tiles: [0; MASK + 1],
            state: state.clone(),
            frames: Vec::new(),
            depth: 0,
            phase: Phase::Settle,
            is_fresh: false,
            excluded: 0,
            route: 0,
            path: Vec::new(),
            slack_max: None,
            cut_marks: Vec::new(),
            record: LaneRecord::default(),
        }
    }

    /// Searches up to the next wait.
    #[inline(always)]
    fn advance(&mut self, shared: &RouteData<'_, H>) -> LaneEvent {
        let RouteData { heuristic, moves, target } = *shared;
        loop {
            let frame = &mut self.frames[self.depth];
            let place = moves.at(frame.at.place);
            let blank = frame.at.slide.from;
            let mut pruned = false;
            match self.phase {
                Phase::Settle => {
                    let is_new = H::SETTLES && self.is_fresh;
                    let estimate = if is_new {
                        heuristic.settle(&mut frame.at.node)
                    } else {
                        heuristic.estimate(&frame.at.node)
                    };
                    pruned = match self.slack_max {
                        // The root is always cut.
                        Some(slack_max) => self.depth > 0 && estimate + slack_max >= frame.at.left,
                        None => is_new && estimate > frame.at.left,
                    };
                    if !pruned {
                        self.record.expanded += 1;
                        self.record.nearest = self.record.nearest.min(estimate);
                        for i in 0..place.count() {
                            let slide = slide_at(&self.tiles, place.step(i).0, blank);
                            frame.probes[i & 3] =
                                heuristic.locate(&self.state, &frame.at.node, slide);
                        }
                        self.phase = Phase::Read;
                        if heuristic.waits() {
                            return LaneEvent::Wait;
                        }
                        continue;
                    }
                }
                Phase::Read => {
                    let count = place.count() as u64;
                    if self.record.granted < count {
                        return LaneEvent::NoGrant;
                    }
                    self.record.granted -= count;
                    self.record.generated += count;
                    // Nodes beyond the bound are leaves of a cut, too: the next bounds need them.
                    let limit = if self.slack_max.is_some() { u32::MAX } else { frame.at.left };
                    let mut passing = 0;
                    for i in 0..place.count() {
                        let slide = slide_at(&self.tiles, place.step(i).0, blank);
                        let estimate =
                            heuristic.read(&frame.at.node, slide, &mut frame.probes[i & 3]);
                        passing |= u8::from(estimate < limit) << i;
                    }
                    frame.passing = passing & !self.excluded;
                    self.excluded = 0;
                }
            }
            if pruned && self.slack_max.is_some() {
                self.keep_leaf(heuristic);
            }
            if !self.descend(shared, pruned) {
                return LaneEvent::Exhausted;
            }
            if target.is_reached(&self.tiles, self.frames[self.depth].at.slide.from) {
                return LaneEvent::Goal;
            }
            self.phase = Phase::Settle;
            self.is_fresh = true;
            if heuristic.waits() && H::SETTLES {
                return LaneEvent::Wait;
            }
        }
    }

    /// Keeps the current node as a leaf.
    #[inline(never)]
    fn keep_leaf(&mut self, heuristic: &H) {
        let StackNode { node, slide, place, left } = self.frames[self.depth].at;
        let position = Position { tiles: self.tiles, blank: slide.from, place };
        let (estimate, path_len) = (heuristic.estimate(&node), self.depth);
        self.cut_marks.push((self.state.clone(), node));
        self.record.cut_leaves.push(CutLeaf { position, estimate, left, path_len });
        for frame in &self.frames[1..=self.depth] {
            self.record.cut_paths.push(frame.at.slide);
        }
    }

    /// Enters the next child that passed, in the last frame or above it; `pruned` says that the
    /// last frame has none. Returns whether there is one.
    #[inline(always)]
    fn descend(&mut self, shared: &RouteData<'_, H>, mut pruned: bool) -> bool {
        let RouteData { heuristic, moves, .. } = *shared;
        loop {
            let frame = &mut self.frames[self.depth];
            if pruned || frame.passing == 0 {
                if self.depth == 0 {
                    return false;
                }
                leave(heuristic, frame, &mut self.tiles, &mut self.state);
                self.depth -= 1;
                pruned = false;
                continue;
            }
            let i = frame.passing.trailing_zeros() as usize & 3;
            frame.passing &= frame.passing - 1;
            self.record.entered += 1;
            self.depth += 1;
            let [parent, child] = &mut self.frames[self.depth - 1..=self.depth] else {
                unreachable!("two frames were asked for")
            };
            // The child's probes are written when it is expanded.
            enter(heuristic, moves, parent, i, &mut self.tiles, &mut self.state, &mut child.at);
            child.passing = 0;
            return true;
        }
    }

    /// Splits off the last child that passed in the first frame that has one.
    fn split(&mut self, shared: &RouteData<'_, H>) -> Option<Subtree> {
        let RouteData { heuristic, moves, target } = *shared;
        let depth = self.first_passing()?;
        let (mut tiles, mut state) = (self.tiles, self.state.clone());
        for below in (depth + 1..=self.depth).rev() {
            leave(heuristic, &self.frames[below], &mut tiles, &mut state);
        }
        let frame = &mut self.frames[depth];
        let i = frame.passing.ilog2() as usize;
        let mut root = frame.at;
        enter(heuristic, moves, frame, i, &mut tiles, &mut state, &mut root);
        self.record.entered += 1;
        let StackNode { node, slide, place, left } = root;
        if target.is_reached(&tiles, slide.from) {
            // The lane itself recognises the goal when it enters it.
            return None;
        }
        frame.passing &= !(1 << i);
        let mut path = self.path_to(depth);
        path.push(slide);
        Some(Subtree {
            position: Position { tiles, blank: slide.from, place },
            left,
            excluded: 0,
            route: self.route,
            leaf: self.record.leaf,
            slack_max: None,
            path,
            part: Some(leaves_of((state, node))),
        })
    }

    /// Returns the depth of the first frame that has a child which passed.
    fn first_passing(&self) -> Option<usize> {
        (0..=self.depth).find(|&depth| self.frames[depth].passing != 0)
    }

    /// Returns the moves from the leaf to the node of a frame.
    fn path_to(&self, depth: usize) -> Vec<Slide> {
        let mut path = self.path.clone();
        for frame in &self.frames[1..=depth] {
            path.push(frame.at.slide);
        }
        path
    }
}

/// Makes the move to child `i` of a frame, and writes the child. `tiles` and `state` are those of
/// the frame's board.
#[inline(always)]
fn enter<H: Heuristic>(
    heuristic: &H,
    moves: &Moves,
    parent: &FrameOf<H>,
    i: usize,
    tiles: &mut Tiles,
    state: &mut H::State,
    child: &mut StackNode<H::Node>,
) {
    let (from, place) = moves.at(parent.at.place).step(i);
    let slide = slide_at(tiles, from, parent.at.slide.from);
    slide_tiles(tiles, slide.from, slide.to);
    (child.slide, child.place, child.left) = (slide, place, parent.at.left - 1);
    heuristic.enter(state, &parent.at.node, slide, &parent.probes[i & 3], &mut child.node);
    if heuristic.waits() && H::SETTLES {
        // The lane waits before it reads them.
        heuristic.prefetch(moves.at(place));
    }
}

/// Takes back the move that led to a frame. `tiles` and `state` are those of the frame's board.
#[inline(always)]
fn leave<H: Heuristic>(heuristic: &H, frame: &FrameOf<H>, tiles: &mut Tiles, state: &mut H::State) {
    heuristic.leave(state, &frame.at.node, frame.at.slide);
    slide_tiles(tiles, frame.at.slide.to, frame.at.slide.from);
}

/// The heuristics of a solver's routes, of any type.
pub(crate) trait AnyHeuristics: Send + Sync {
    /// Returns the estimates of a board by the first route, by the axis of the first move. They
    /// differ only where slides count. Allocates nothing.
    fn estimates(&self, board: &Board) -> Result<[u32; 2], RootError>;

    /// Returns the estimate of a board, and the leaves of its tree.
    fn root(&self, route: usize, board: &Board) -> Result<(u32, Leaves), RootError>;

    /// Returns the estimate of the child after `slide` of a tree's root, and the leaves of the
    /// child's tree. Returns `None` if it is more than the moves that are left at the child, which
    /// are one less than `left`; the full estimate of the goal does not count.
    fn child(
        &self,
        route: usize,
        root: &Leaves,
        slide: Slide,
        left: u32,
        is_goal: bool,
    ) -> Option<(u32, Leaves)>;

    /// Makes the lanes of a thread; `targets` are those of the routes.
    fn lanes<'a>(&'a self, moves: &'a Moves, targets: &'a [GoalTarget]) -> Box<dyn AnyLanes + 'a>;

    /// Makes the nodes of a beam.
    fn nodes(&self, route: usize) -> Box<dyn AnyNodes + '_>;

    /// Returns the number of lanes that keep a core busy, if look-ups wait for memory.
    fn lane_count(&self) -> Option<usize>;

    /// Returns [`Heuristic::lookups`].
    fn lookups(&self) -> [u32; 2];
}

/// The heuristics of a solver's routes.
pub(crate) struct Heuristics<H>(pub(crate) Vec<H>);

impl<H: Heuristic + Send> AnyHeuristics for Heuristics<H> {
    fn estimates(&self, board: &Board) -> Result<[u32; 2], RootError> {
        let (_, node) = self.0[0].root(board)?;
        Ok([self.0[0].estimate(&node); 2])
    }

    fn root(&self, route: usize, board: &Board) -> Result<(u32, Leaves), RootError> {
        let root = self.0[route].root(board)?;
        Ok((self.0[route].estimate(&root.1), leaves_of(root)))
    }

    fn child(
        &self,
        route: usize,
        root: &Leaves,
        slide: Slide,
        left: u32,
        is_goal: bool,
    ) -> Option<(u32, Leaves)> {
        let heuristic = &self.0[route];
        let (state, parent): &Marks<H> = mark_of(root, None, 0);
        let mut state = state.clone();
        let mut probe = heuristic.locate(&state, parent, slide);
        if heuristic.read(parent, slide, &mut probe) >= left {
            return None;
        }
        let mut node = *parent;
        heuristic.enter(&mut state, parent, slide, &probe, &mut node);
        // The goal counts with any estimate, as in the lanes.
        let is_pruned = H::SETTLES && heuristic.settle(&mut node) >= left;
        (is_goal || !is_pruned).then(|| (heuristic.estimate(&node), leaves_of((state, node))))
    }

    fn lanes<'a>(&'a self, moves: &'a Moves, targets: &'a [GoalTarget]) -> Box<dyn AnyLanes + 'a> {
        let routes = Routes { heuristics: &self.0, moves, targets };
        Box::new(Lanes { routes, lanes: Vec::new() })
    }

    fn nodes(&self, route: usize) -> Box<dyn AnyNodes + '_> {
        Box::new(Nodes::new(&self.0[route]))
    }

    fn lane_count(&self) -> Option<usize> {
        // A core waits for some sixteen look-ups at a time, and a node has two children.
        let heuristic = &self.0[0];
        let count = if !H::SETTLES && heuristic.lookups()[0] > 1 { 4 } else { 8 };
        heuristic.waits().then_some(count)
    }

    fn lookups(&self) -> [u32; 2] {
        self.0[0].lookups()
    }
}
