//! A depth-first search of one subtree, or its cut into leaves, that can be left at any time and gone on with later.
//!
//! A lane keeps its own stack, and stops where it waits for memory: after it asked for what its
//! children touch, and after it asked for the rest of what a child touches. Between two stops other
//! lanes of the same thread go on, so that one's loads hide behind the others' work.

use pdb_core::{Board, CELLS_MAX, Cell, Goal, Heuristic, Shape, Slide};

use crate::moves::Moves;

/// Cells are below 64, so that this mask changes nothing; it spares a check.
const MASK: usize = 63;

/// The tiles of a board, to be looked up by any cell below 64.
pub(crate) type Tiles = [u8; MASK + 1];

/// The tiles of a board with room for more cells than there are.
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

/// The slide of the tile at `from`.
#[inline(always)]
pub(crate) fn slide_at(tiles: &Tiles, from: Cell, to: Cell) -> Slide {
    Slide { tile: tiles[usize::from(from) & MASK], from, to }
}

/// The goal, and how to recognise it quickly.
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
    /// The move that led here; of a root only `from` means something: the blank's cell.
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
    /// What the first look at each child touches, and found.
    probes: [P; 4],
    /// Children that were read, were not pruned, and are not entered yet: a bit each.
    passing: u8,
}

impl<N, P: Copy + Default> Frame<N, P> {
    /// A node of which nothing is known yet.
    fn new(at: Entered<N>) -> Self {
        Self { at, probes: [P::default(); 4], passing: 0 }
    }
}

/// A node of a heuristic on the stack.
type FrameOf<H> = Frame<<H as Heuristic>::Node, <H as Heuristic>::Probe>;

/// What a heuristic keeps for the board that a search begins at.
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
    /// The root of a board's tree.
    pub(crate) fn root(board: &Board, (state, node): Root<H>) -> Self {
        let blank = board.blank();
        Self { tiles: tiles_of(board), state, node, blank, place: Moves::start(blank) }
    }

    /// The subtree below it, for so many more moves; the first moves in `excluded` are left out, a bit
    /// each.
    pub(crate) fn packet(&self, left: u32, excluded: u8) -> Packet<H> {
        let Self { tiles, ref state, node, blank, place } = *self;
        let slide = Slide { tile: 0, from: blank, to: blank };
        let root = Entered { node, slide, place, left };
        let state = state.clone();
        let is_fresh = false;
        Packet {
            tiles,
            state,
            root,
            is_fresh,
            excluded,
            end: 0,
            leaf: 0,
            slack_max: None,
            path: Vec::new(),
        }
    }
}

/// A leaf that a lane found, with the moves that are left there, and how many it made to it.
#[derive(Debug)]
pub(crate) struct Found<H: Heuristic> {
    pub(crate) leaf: Leaf<H>,
    pub(crate) left: u32,
    pub(crate) path_len: usize,
}

/// The root of a subtree, and all that it takes to search it.
#[derive(Debug)]
pub(crate) struct Packet<H: Heuristic> {
    tiles: Tiles,
    state: H::State,
    root: Entered<H::Node>,
    /// The root has not been settled.
    is_fresh: bool,
    /// Children of the root that are left out, a bit each.
    excluded: u8,
    /// Which of the solver's ends it leads to.
    end: usize,
    /// The leaf of the board's tree that the subtree belongs to.
    leaf: u32,
    /// Where it is to be cut instead of searched: the most slack of a leaf.
    slack_max: Option<u32>,
    /// The moves that lead from there to the root.
    path: Vec<Slide>,
}

impl<H: Heuristic> Packet<H> {
    /// The same, as that of a leaf with a number, in a tree that leads to an end; where it is to be cut further,
    /// with the most slack that is not.
    pub(crate) fn of_leaf(self, end: usize, leaf: u32, slack_max: Option<u32>) -> Self {
        Self { end, leaf, slack_max, ..self }
    }
}

/// Why a lane came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// It waits for memory: call it again after a while.
    Wait,
    /// It may not generate as many nodes as it has to next.
    NoGrant,
    /// It stands on the goal.
    Goal,
    /// The subtree was searched in full.
    Exhausted,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Settle the last frame, and ask for its children.
    Settle,
    /// Read the last frame's children.
    Read,
}

/// A search that can be left and gone on with.
#[derive(Debug)]
pub(crate) struct Lane<H: Heuristic> {
    tiles: Tiles,
    state: H::State,
    /// The stack, with room for as many moves as are left; only the frames up to `depth` count.
    frames: Vec<FrameOf<H>>,
    depth: usize,
    phase: Phase,
    is_fresh: bool,
    excluded: u8,
    /// Which of the solver's ends it searches for.
    pub(crate) end: usize,
    /// The leaf of the board's tree that it searches in, and the moves from there to its root.
    pub(crate) leaf: u32,
    path: Vec<Slide>,
    /// Where it cuts the tree instead of searching it: the most slack of a leaf.
    slack_max: Option<u32>,
    /// The leaves that it found there, and the moves to each of them, one after another.
    pub(crate) found: Vec<Found<H>>,
    pub(crate) found_paths: Vec<Slide>,
    /// The smallest estimate of a node that it expanded.
    pub(crate) nearest: u32,
    /// Nodes that may still be generated.
    pub(crate) granted: u64,
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
    pub(crate) entered: u64,
}

/// What all lanes read that search for one end.
#[derive(Debug)]
pub(crate) struct Shared<'a, H> {
    pub(crate) heuristic: &'a H,
    pub(crate) moves: &'a Moves,
    pub(crate) target: &'a Target,
}

impl<H> Shared<'_, H> {
    /// The shape of the boards.
    pub(crate) fn shape(&self) -> Shape {
        self.target.shape
    }
}

impl<H: Heuristic> Lane<H> {
    /// A lane that begins a packet, without a grant.
    pub(crate) fn new(packet: Packet<H>) -> Self {
        let mut lane = Self {
            tiles: packet.tiles,
            state: packet.state.clone(),
            frames: Vec::new(),
            depth: 0,
            phase: Phase::Settle,
            is_fresh: false,
            excluded: 0,
            end: 0,
            leaf: 0,
            path: Vec::new(),
            slack_max: None,
            found: Vec::new(),
            found_paths: Vec::new(),
            nearest: u32::MAX,
            granted: 0,
            generated: 0,
            expanded: 0,
            entered: 0,
        };
        lane.begin(packet);
        lane
    }

    /// Begins a packet of another search as a new lane would, but with the room that it has.
    pub(crate) fn renew(&mut self, packet: Packet<H>) {
        (self.granted, self.generated, self.expanded, self.entered) = (0, 0, 0, 0);
        self.found.clear();
        self.found_paths.clear();
        self.begin(packet);
    }

    /// Goes on with another packet of the same tree and bound.
    pub(crate) fn begin(&mut self, packet: Packet<H>) {
        let Packet { tiles, state, root, is_fresh, excluded, end, leaf, slack_max, path } = packet;
        let room = root.left as usize + 1;
        if self.frames.len() < room {
            self.frames.resize(room, Frame::new(root));
        }
        // Its probes are written when it is expanded.
        (self.frames[0].at, self.frames[0].passing) = (root, 0);
        (self.tiles, self.state, self.path) = (tiles, state, path);
        (self.depth, self.phase) = (0, Phase::Settle);
        (self.is_fresh, self.excluded) = (is_fresh, excluded);
        (self.end, self.leaf, self.slack_max) = (end, leaf, slack_max);
        self.nearest = u32::MAX;
    }

    /// Goes on to the next wait.
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
                        // Of the root it is known that it is to be cut.
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
                        // What lies beyond the bound is a leaf, too: the next bounds need it.
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

    /// Keeps the node that it stands on as a leaf.
    #[inline(never)]
    fn keep_leaf(&mut self) {
        let Entered { node, slide, place, left } = self.frames[self.depth].at;
        let (tiles, state) = (self.tiles, self.state.clone());
        let leaf = Leaf { tiles, state, node, blank: slide.from, place };
        self.found.push(Found { leaf, left, path_len: self.depth });
        self.found_paths.extend(self.frames[1..=self.depth].iter().map(|frame| frame.at.slide));
    }

    /// Enters the next child that passed, from as far up as necessary; `pruned` when the last frame
    /// has none. Returns whether there is one.
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

    /// Gives a part of what is left away: the last child that passed, as far up as there is one.
    pub(crate) fn split(&mut self, shared: &Shared<'_, H>) -> Option<Packet<H>> {
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
            // Left to the lane itself, which recognises the goal when it enters it.
            return None;
        }
        frame.passing &= !(1 << i);
        let path = self.path_to(depth).chain([root.slide]).collect();
        let (end, leaf, is_fresh) = (self.end, self.leaf, true);
        let (excluded, slack_max) = (0, None);
        Some(Packet { tiles, state, root, is_fresh, excluded, end, leaf, slack_max, path })
    }

    fn stack(&self) -> &[FrameOf<H>] {
        &self.frames[..=self.depth]
    }

    /// Whether it cuts the tree instead of searching it.
    pub(crate) fn cuts(&self) -> bool {
        self.slack_max.is_some()
    }

    /// How many moves are left where the lane could be split.
    pub(crate) fn splittable(&self) -> Option<u32> {
        if self.cuts() {
            return None;
        }
        self.stack().iter().find(|frame| frame.passing != 0).map(|frame| frame.at.left)
    }

    /// The moves from the leaf to where the lane stands.
    pub(crate) fn path(&self) -> impl Iterator<Item = Slide> {
        self.path_to(self.depth)
    }

    fn path_to(&self, depth: usize) -> impl Iterator<Item = Slide> {
        self.path.iter().copied().chain(self.frames[1..=depth].iter().map(|frame| frame.at.slide))
    }
}

/// Makes the move to child `i` of a frame, whose board `tiles` and `state` are.
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
        heuristic.fetch(moves.at(place));
    }
    Entered { node, slide, place, left: parent.at.left - 1 }
}

/// Takes back the move that led to a frame, whose board `tiles` and `state` are.
#[inline(always)]
fn leave<H: Heuristic>(heuristic: &H, frame: &FrameOf<H>, tiles: &mut Tiles, state: &mut H::State) {
    heuristic.leave(state, &frame.at.node, frame.at.slide);
    slide_tiles(tiles, frame.at.slide.to, frame.at.slide.from);
}
