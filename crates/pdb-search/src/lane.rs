//! A depth-first search of one subtree that can be left at any time and gone on with later.
//!
//! A lane keeps its own stack, and stops where it waits for memory: after it asked for what its
//! children touch, and after it asked for the rest of what a child touches. Between two stops other
//! lanes of the same thread go on, so that one's loads hide behind the others' work.

use pdb_core::{CELLS_MAX, Cell, Goal, Heuristic, Shape, Slide};

use crate::moves::Moves;

/// Cells are below 64, so that this mask changes nothing; it spares a check.
const MASK: usize = 63;

/// The tiles of a board, to be looked up by any cell below 64.
pub(crate) type Tiles = [u8; MASK + 1];

/// The tiles of a board with room for more cells than there are.
pub(crate) fn tiles_of(board: &pdb_core::Board) -> Tiles {
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

/// A node on the stack of a lane, in cache lines of its own.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Frame<N, P> {
    node: N,
    /// What the first look at each child touches, and found.
    probes: [P; 4],
    /// The move that led here; of a root only `from` means something: the blank's cell.
    slide: Slide,
    place: u16,
    /// Moves that are left within the bound.
    left: u32,
    /// Children that were read, were not pruned, and are not entered yet: a bit each.
    passing: u8,
}

/// A node of a heuristic on the stack.
type FrameOf<H> = Frame<<H as Heuristic>::Node, <H as Heuristic>::Probe>;

/// The root of a subtree, and all that it takes to search it.
#[derive(Debug)]
pub(crate) struct Packet<H: Heuristic> {
    tiles: Tiles,
    state: H::State,
    root: FrameOf<H>,
    /// The root has not been settled.
    is_fresh: bool,
    /// Children of the root that are left out, a bit each.
    excluded: u8,
    /// The moves that lead to the root.
    path: Vec<Slide>,
}

impl<H: Heuristic> Packet<H> {
    /// The whole tree of a board.
    pub(crate) fn whole(
        tiles: Tiles,
        state: H::State,
        node: H::Node,
        blank: Cell,
        place: u16,
        excluded: u8,
        bound: u32,
    ) -> Self {
        let slide = Slide { tile: 0, from: blank, to: blank };
        let root =
            Frame { node, probes: [H::Probe::default(); 4], slide, place, left: bound, passing: 0 };
        Self { tiles, state, root, is_fresh: false, excluded, path: Vec::new() }
    }

    /// The same, the board being where these moves lead.
    pub(crate) fn with_path(self, path: Vec<Slide>) -> Self {
        Self { path, ..self }
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
    path: Vec<Slide>,
    /// Nodes that may still be generated.
    pub(crate) granted: u64,
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
    pub(crate) entered: u64,
}

/// What all lanes read.
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
        let Packet { tiles, state, root, is_fresh, excluded, path } = packet;
        let frames = vec![root; root.left as usize + 1];
        let phase = Phase::Settle;
        let (granted, generated, expanded, entered) = (0, 0, 0, 0);
        Self {
            tiles,
            state,
            frames,
            depth: 0,
            phase,
            is_fresh,
            excluded,
            path,
            granted,
            generated,
            expanded,
            entered,
        }
    }

    /// Goes on to the next wait.
    #[inline(always)]
    pub(crate) fn advance(&mut self, shared: &Shared<'_, H>) -> Event {
        let Shared { heuristic, moves, target } = *shared;
        loop {
            let frame = &mut self.frames[self.depth];
            let place = moves.at(frame.place);
            let blank = frame.slide.from;
            let mut pruned = false;
            match self.phase {
                Phase::Settle => {
                    if H::SETTLES && self.is_fresh {
                        pruned = heuristic.settle(&mut frame.node) > frame.left;
                    }
                    if !pruned {
                        self.expanded += 1;
                        for i in 0..place.count() {
                            let slide = slide_at(&self.tiles, place.step(i).0, blank);
                            frame.probes[i & 3] = heuristic.locate(&self.state, &frame.node, slide);
                        }
                        self.phase = Phase::Read;
                        if H::WAITS {
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
                        let estimate = heuristic.read(&frame.node, slide, &mut frame.probes[i & 3]);
                        passing |= u8::from(estimate < frame.left) << i;
                    }
                    frame.passing = passing & !self.excluded;
                    self.excluded = 0;
                }
            }
            if !self.descend(shared, pruned) {
                return Event::Exhausted;
            }
            if target.is_reached(&self.tiles, self.frames[self.depth].slide.from) {
                return Event::Goal;
            }
            self.phase = Phase::Settle;
            self.is_fresh = true;
            if H::WAITS && H::SETTLES {
                return Event::Wait;
            }
        }
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
            enter(heuristic, moves, parent, i, &mut self.tiles, &mut self.state, child);
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
        let mut root = *frame;
        enter(heuristic, moves, frame, i, &mut tiles, &mut state, &mut root);
        self.entered += 1;
        if target.is_reached(&tiles, root.slide.from) {
            // Left to the lane itself, which recognises the goal when it enters it.
            return None;
        }
        frame.passing &= !(1 << i);
        let path = self.path_to(depth).chain([root.slide]).collect();
        Some(Packet { tiles, state, root, is_fresh: true, excluded: 0, path })
    }

    fn stack(&self) -> &[FrameOf<H>] {
        &self.frames[..=self.depth]
    }

    /// How many moves are left where the lane could be split.
    pub(crate) fn splittable(&self) -> Option<u32> {
        self.stack().iter().find(|frame| frame.passing != 0).map(|frame| frame.left)
    }

    /// The moves from the board to where the lane stands.
    pub(crate) fn path(&self) -> impl Iterator<Item = Slide> {
        self.path_to(self.depth)
    }

    fn path_to(&self, depth: usize) -> impl Iterator<Item = Slide> {
        self.path.iter().copied().chain(self.frames[1..=depth].iter().map(|frame| frame.slide))
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
    child: &mut FrameOf<H>,
) {
    let (from, place) = moves.at(parent.place).step(i);
    let slide = slide_at(tiles, from, parent.slide.from);
    slide_tiles(tiles, slide.from, slide.to);
    // The child's probes are written when it is expanded.
    child.node = heuristic.enter(state, &parent.node, slide, &parent.probes[i & 3]);
    child.slide = slide;
    child.place = place;
    child.left = parent.left - 1;
    child.passing = 0;
}

/// Takes back the move that led to a frame, whose board `tiles` and `state` are.
#[inline(always)]
fn leave<H: Heuristic>(heuristic: &H, frame: &FrameOf<H>, tiles: &mut Tiles, state: &mut H::State) {
    heuristic.leave(state, &frame.node, frame.slide);
    slide_tiles(tiles, frame.slide.to, frame.slide.from);
}
