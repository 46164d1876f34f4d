//! A depth-first search of one subtree, or its cut into leaves, that can pause at any time.
//!
//! A lane keeps its own stack, and stops where it waits for memory: after the first look at its
//! children, and after it entered a child. Between two stops the other lanes of the same thread
//! run, so that one lane's loads hide behind the others' work.
//!
//! Nodes are pruned here by the bound, in [`Lane::advance`].

use pdb_core::{Board, CELLS_MAX, Cell, Goal, Heuristic, Shape, Slide};

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
pub(crate) struct Target {
    tiles: Tiles,
    blank: Cell,
    shape: Shape,
}

impl Target {
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
struct Entered<N> {
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
    at: Entered<N>,
    /// The first look at each child.
    probes: [P; 4],
    /// Children that were read, were not pruned, and are not entered yet: a bit each.
    passing: u8,
}

impl<N, P: Copy + Default> Frame<N, P> {
    /// Makes the frame of a node before its children are looked at.
    fn new(at: Entered<N>) -> Self {
        Self { at, probes: [P::default(); 4], passing: 0 }
    }
}

/// A node of a heuristic on the stack.
type FrameOf<H> = Frame<<H as Heuristic>::Node, <H as Heuristic>::Probe>;

/// The state and the node of the board at which a search begins.
pub(crate) type Root<H> = (<H as Heuristic>::State, <H as Heuristic>::Node);

/// A settled node with its board.
#[derive(Debug)]
pub(crate) struct Leaf<H: Heuristic> {
    pub(crate) tiles: Tiles,
    pub(crate) state: H::State,
    pub(crate) node: H::Node,
    pub(crate) blank: Cell,
    pub(crate) place: u16,
}

impl<H: Heuristic> Clone for Leaf<H> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone(), ..*self }
    }
}

impl<H: Heuristic> Leaf<H> {
    /// Makes the root of a board's tree.
    pub(crate) fn root(board: &Board, (state, node): Root<H>) -> Self {
        let blank = board.blank();
        Self { tiles: tiles_of(board), state, node, blank, place: Moves::start(blank) }
    }

    /// Returns the subtree below it for `left` more moves, without the first moves in `excluded`, a
    /// bit each.
    pub(crate) fn subtree(&self, left: u32, excluded: u8) -> Subtree<H> {
        let Self { tiles, ref state, node, blank, place } = *self;
        let slide = Slide { tile: 0, from: blank, to: blank };
        let root = Entered { node, slide, place, left };
        let state = state.clone();
        let is_fresh = false;
        Subtree {
            tiles,
            state,
            root,
            is_fresh,
            excluded,
            route: 0,
            leaf: 0,
            slack_max: None,
            path: Vec::new(),
        }
    }
}

/// A leaf that a lane cut off: the moves that are left there, and the length of the path to it.
#[derive(Debug)]
pub(crate) struct CutLeaf<H: Heuristic> {
    pub(crate) leaf: Leaf<H>,
    pub(crate) left: u32,
    pub(crate) path_len: usize,
}

/// The root of a subtree, with the limits of its search.
#[derive(Debug)]
pub(crate) struct Subtree<H: Heuristic> {
    tiles: Tiles,
    state: H::State,
    root: Entered<H::Node>,
    /// The root has not been settled.
    is_fresh: bool,
    /// Children of the root that are left out, a bit each.
    excluded: u8,
    /// The index of its route among those of the solver.
    route: usize,
    /// The leaf of the board's tree that the subtree belongs to.
    leaf: u32,
    /// The most slack of a leaf, if the subtree is cut instead of searched.
    slack_max: Option<u32>,
    /// The moves from that leaf to the root.
    path: Vec<Slide>,
}

impl<H: Heuristic> Subtree<H> {
    /// Marks it as the subtree of a leaf in the tree of a route. With `slack_max` it is cut
    /// further, down to leaves with that slack.
    pub(crate) fn of_leaf(self, route: usize, leaf: u32, slack_max: Option<u32>) -> Self {
        Self { route, leaf, slack_max, ..self }
    }
}

/// The reason why a lane returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// It waits for memory: call it again after a while.
    Wait,
    /// It has no grant for the nodes that it generates next.
    NoGrant,
    /// It stands on the goal.
    Goal,
    /// The subtree was searched in full.
    Exhausted,
}

/// The next step of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Settle the last frame, and ask for its children.
    Settle,
    /// Read the last frame's children.
    Read,
}

/// A depth-first search that can pause.
#[derive(Debug)]
pub(crate) struct Lane<H: Heuristic> {
    tiles: Tiles,
    state: H::State,
    /// The stack, with a frame for each move that is left. Only the frames up to `depth` count.
    frames: Vec<FrameOf<H>>,
    depth: usize,
    phase: Phase,
    is_fresh: bool,
    excluded: u8,
    /// The index of its route among those of the solver.
    pub(crate) route: usize,
    /// The leaf of the board's tree that it searches in, and the moves from there to its root.
    pub(crate) leaf: u32,
    path: Vec<Slide>,
    /// The most slack of a leaf, if it cuts the tree instead of searching it.
    slack_max: Option<u32>,
    /// The leaves that it cut off, and the moves to each of them, one after another.
    pub(crate) cut_leaves: Vec<CutLeaf<H>>,
    pub(crate) cut_paths: Vec<Slide>,
    /// The smallest estimate of a node that it expanded.
    pub(crate) nearest: u32,
    /// Nodes that may still be generated.
    pub(crate) granted: u64,
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
    pub(crate) entered: u64,
}

/// The data that all lanes of one route read.
#[derive(Debug)]
pub(crate) struct Shared<'a, H> {
    pub(crate) heuristic: &'a H,
    pub(crate) moves: &'a Moves,
    pub(crate) target: &'a Target,
}

impl<H> Shared<'_, H> {
    /// Returns the shape of the boards.
    pub(crate) fn shape(&self) -> Shape {
        self.target.shape
    }
}

impl<H: Heuristic> Lane<H> {
    /// Makes a lane that begins a subtree, without a grant.
    pub(crate) fn new(subtree: Subtree<H>) -> Self {
        let mut lane = Self {
            tiles: subtree.tiles,
            state: subtree.state.clone(),
            frames: Vec::new(),
            depth: 0,
            phase: Phase::Settle,
            is_fresh: false,
            excluded: 0,
            route: 0,
            leaf: 0,
            path: Vec::new(),
            slack_max: None,
            cut_leaves: Vec::new(),
            cut_paths: Vec::new(),
            nearest: u32::MAX,
            granted: 0,
            generated: 0,
            expanded: 0,
            entered: 0,
        };
        lane.begin(subtree);
        lane
    }

    /// Begins a subtree of another search as a new lane does, and keeps the memory of the stack.
    pub(crate) fn renew(&mut self, subtree: Subtree<H>) {
        (self.granted, self.generated, self.expanded, self.entered) = (0, 0, 0, 0);
        self.cut_leaves.clear();
        self.cut_paths.clear();
        self.begin(subtree);
    }

    /// Begins another subtree of the same tree and bound.
    pub(crate) fn begin(&mut self, subtree: Subtree<H>) {
        let Subtree { tiles, state, root, is_fresh, excluded, route, leaf, slack_max, path } =
            subtree;
        let room = root.left as usize + 1;
        if self.frames.len() < room {
            self.frames.resize(room, Frame::new(root));
        }
        // Its probes are written when it is expanded.
        (self.frames[0].at, self.frames[0].passing) = (root, 0);
        (self.tiles, self.state, self.path) = (tiles, state, path);
        (self.depth, self.phase) = (0, Phase::Settle);
        (self.is_fresh, self.excluded) = (is_fresh, excluded);
        (self.route, self.leaf, self.slack_max) = (route, leaf, slack_max);
        self.nearest = u32::MAX;
    }

    /// Searches up to the next wait.
    #[inline(always)]
    pub(crate) fn advance(&mut self, shared: &Shared<'_, H>) -> Event {
        let Shared { heuristic, moves, target } = *shared;
        loop {
            let frame = &mut self.frames[self.depth];
            let place = moves.at(frame.at.place);
            let blank = frame.at.slide.from;
            let mut pruned = false;
            match self.phase {
                Phase::Settle => {
                    if H::SETTLES && self.is_fresh {
                        pruned = heuristic.settle(&mut frame.at.node) > frame.at.left;
                    }
                    if let Some(slack_max) = self.slack_max {
                        // The root is always cut.
                        pruned = self.depth > 0
                            && heuristic.estimate(&frame.at.node) + slack_max >= frame.at.left;
                    }
                    if !pruned {
                        self.expanded += 1;
                        self.nearest = self.nearest.min(heuristic.estimate(&frame.at.node));
                        for i in 0..place.count() {
                            let slide = slide_at(&self.tiles, place.step(i).0, blank);
                            frame.probes[i & 3] =
                                heuristic.locate(&self.state, &frame.at.node, slide);
                        }
                        self.phase = Phase::Read;
                        if heuristic.waits() {
                            return Event::Wait;
                        }
                        continue;
                    }
                }
                Phase::Read => {
                    let count = place.count() as u64;
                    if self.granted < count {
                        return Event::NoGrant;
                    }
                    self.granted -= count;
                    self.generated += count;
                    let mut passing = 0;
                    for i in 0..place.count() {
                        let slide = slide_at(&self.tiles, place.step(i).0, blank);
                        let estimate =
                            heuristic.read(&frame.at.node, slide, &mut frame.probes[i & 3]);
                        passing |= u8::from(estimate < frame.at.left) << i;
                    }
                    if self.slack_max.is_some() {
                        // Nodes beyond the bound are leaves, too: the next bounds need them.
                        passing = (1 << count) - 1;
                    }
                    frame.passing = passing & !self.excluded;
                    self.excluded = 0;
                }
            }
            if pruned && self.cuts() {
                self.keep_leaf();
            }
            if !self.descend(shared, pruned) {
                return Event::Exhausted;
            }
            if target.is_reached(&self.tiles, self.frames[self.depth].at.slide.from) {
                return Event::Goal;
            }
            self.phase = Phase::Settle;
            self.is_fresh = true;
            if heuristic.waits() && H::SETTLES {
                return Event::Wait;
            }
        }
    }

    /// Keeps the present node as a leaf.
    #[inline(never)]
    fn keep_leaf(&mut self) {
        let Entered { node, slide, place, left } = self.frames[self.depth].at;
        let (tiles, state) = (self.tiles, self.state.clone());
        let leaf = Leaf { tiles, state, node, blank: slide.from, place };
        self.cut_leaves.push(CutLeaf { leaf, left, path_len: self.depth });
        self.cut_paths.extend(self.frames[1..=self.depth].iter().map(|frame| frame.at.slide));
    }

    /// Enters the next child that passed, in the last frame or above it; `pruned` says that the
    /// last frame has none. Returns whether there is one.
    #[inline(always)]
    fn descend(&mut self, shared: &Shared<'_, H>, mut pruned: bool) -> bool {
        let Shared { heuristic, moves, .. } = *shared;
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
            self.entered += 1;
            self.depth += 1;
            let [parent, child] = &mut self.frames[self.depth - 1..=self.depth] else {
                unreachable!("two frames were asked for")
            };
            // The child's probes are written when it is expanded.
            child.at = enter(heuristic, moves, parent, i, &mut self.tiles, &mut self.state);
            child.passing = 0;
            return true;
        }
    }

    /// Splits off the last child that passed in the first frame that has one.
    pub(crate) fn split(&mut self, shared: &Shared<'_, H>) -> Option<Subtree<H>> {
        let Shared { heuristic, moves, target } = *shared;
        let depth = self.stack().iter().position(|frame| frame.passing != 0)?;
        let (mut tiles, mut state) = (self.tiles, self.state.clone());
        for frame in self.stack()[depth + 1..].iter().rev() {
            leave(heuristic, frame, &mut tiles, &mut state);
        }
        let frame = &mut self.frames[depth];
        let i = frame.passing.ilog2() as usize;
        let root = enter(heuristic, moves, frame, i, &mut tiles, &mut state);
        self.entered += 1;
        if target.is_reached(&tiles, root.slide.from) {
            // The lane itself recognises the goal when it enters it.
            return None;
        }
        frame.passing &= !(1 << i);
        let path = self.path_to(depth).chain([root.slide]).collect();
        let (route, leaf, is_fresh) = (self.route, self.leaf, true);
        let (excluded, slack_max) = (0, None);
        Some(Subtree { tiles, state, root, is_fresh, excluded, route, leaf, slack_max, path })
    }

    fn stack(&self) -> &[FrameOf<H>] {
        &self.frames[..=self.depth]
    }

    /// Returns whether it cuts the tree instead of searching it.
    pub(crate) fn cuts(&self) -> bool {
        self.slack_max.is_some()
    }

    /// Returns the moves that are left at the node where the lane can be split.
    pub(crate) fn splittable(&self) -> Option<u32> {
        if self.cuts() {
            return None;
        }
        self.stack().iter().find(|frame| frame.passing != 0).map(|frame| frame.at.left)
    }

    /// Returns the moves from the leaf to the present node.
    pub(crate) fn path(&self) -> impl Iterator<Item = Slide> {
        self.path_to(self.depth)
    }

    fn path_to(&self, depth: usize) -> impl Iterator<Item = Slide> {
        self.path.iter().copied().chain(self.frames[1..=depth].iter().map(|frame| frame.at.slide))
    }
}

/// Makes the move to child `i` of a frame. `tiles` and `state` are those of the frame's board.
#[inline(always)]
fn enter<H: Heuristic>(
    heuristic: &H,
    moves: &Moves,
    parent: &FrameOf<H>,
    i: usize,
    tiles: &mut Tiles,
    state: &mut H::State,
) -> Entered<H::Node> {
    let (from, place) = moves.at(parent.at.place).step(i);
    let slide = slide_at(tiles, from, parent.at.slide.from);
    slide_tiles(tiles, slide.from, slide.to);
    let node = heuristic.enter(state, &parent.at.node, slide, &parent.probes[i & 3]);
    if heuristic.waits() && H::SETTLES {
        // The lane waits before it reads them.
        heuristic.prefetch(moves.at(place));
    }
    Entered { node, slide, place, left: parent.at.left - 1 }
}

/// Takes back the move that led to a frame. `tiles` and `state` are those of the frame's board.
#[inline(always)]
fn leave<H: Heuristic>(heuristic: &H, frame: &FrameOf<H>, tiles: &mut Tiles, state: &mut H::State) {
    heuristic.leave(state, &frame.at.node, frame.at.slide);
    slide_tiles(tiles, frame.at.slide.to, frame.at.slide.from);
}
