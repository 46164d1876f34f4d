//! Removal of variables of the form `flow` that no solution needs.

use pdb_core::{BLANK, Board, Cell, Goal, Shape};

/// Method to remove variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reduction {
    /// No variable is removed.
    Nothing,
    /// By the distances of each tile and the blank from both ends.
    Distance,
    /// Also by the Manhattan distance of all other tiles.
    Manhattan,
    /// Also by a search for the blank and a single tile that ignores all other tiles.
    TileAndBlank,
}

impl Reduction {
    /// All methods, from the strongest to the weakest.
    pub(crate) const ALL: [Self; 4] =
        [Self::TileAndBlank, Self::Manhattan, Self::Distance, Self::Nothing];
}

/// A step of the blank from a cell to a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arc {
    pub(crate) from: Cell,
    pub(crate) to: Cell,
}

/// The board as a graph.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) shape: Shape,
    /// All arcs, by the cell that they leave.
    pub(crate) arcs: Vec<Arc>,
    /// Indices of the arcs that leave each cell.
    pub(crate) leaving: Vec<Vec<usize>>,
    /// Indices of the arcs that enter each cell.
    pub(crate) entering: Vec<Vec<usize>>,
}

impl Graph {
    pub(crate) fn new(shape: Shape) -> Self {
        let cells = || 0..shape.cell_count() as Cell;
        let arcs: Vec<Arc> = cells()
            .flat_map(|from| shape.neighbours(from).iter().map(move |to| Arc { from, to }))
            .collect();
        let places =
            |is: &dyn Fn(&Arc) -> bool| (0..arcs.len()).filter(|&place| is(&arcs[place])).collect();
        let leaving = cells().map(|cell| places(&|arc| arc.from == cell)).collect();
        let entering = cells().map(|cell| places(&|arc| arc.to == cell)).collect();
        Self { shape, arcs, leaving, entering }
    }

    pub(crate) fn cell_count(&self) -> usize {
        self.shape.cell_count()
    }
}

/// A value for each variable. Times are from 0 to the horizon; moves are numbered from 1.
pub(crate) struct Grid<T> {
    cell_count: usize,
    arc_count: usize,
    pub(crate) at: Vec<T>,
    pub(crate) go: Vec<T>,
    pub(crate) slide: Vec<T>,
}

impl<T: Copy> Grid<T> {
    /// Gives all variables one value.
    pub(crate) fn new(graph: &Graph, horizon: u32, value: T) -> Self {
        let (n, arc_count, moves) = (graph.cell_count(), graph.arcs.len(), horizon as usize);
        Self {
            cell_count: n,
            arc_count,
            at: vec![value; (moves + 1) * n * n],
            go: vec![value; moves * arc_count],
            slide: vec![value; moves * arc_count * n],
        }
    }

    /// Returns the value of a tile on a cell at a time.
    pub(crate) fn at(&self, tile: u8, cell: Cell, time: u32) -> T {
        self.at[self.at_place(tile, cell, time)]
    }

    /// Returns the value of an arc of the blank in a move.
    pub(crate) fn go(&self, arc: usize, number: u32) -> T {
        self.go[self.go_place(arc, number)]
    }

    /// Returns the value of a tile that slides against an arc of the blank in a move.
    pub(crate) fn slide(&self, tile: u8, arc: usize, number: u32) -> T {
        self.slide[self.slide_place(tile, arc, number)]
    }

    pub(crate) fn at_place(&self, tile: u8, cell: Cell, time: u32) -> usize {
        (time as usize * self.cell_count + usize::from(tile)) * self.cell_count + usize::from(cell)
    }

    pub(crate) fn go_place(&self, arc: usize, number: u32) -> usize {
        (number as usize - 1) * self.arc_count + arc
    }

    pub(crate) fn slide_place(&self, tile: u8, arc: usize, number: u32) -> usize {
        self.go_place(arc, number) * self.cell_count + usize::from(tile)
    }
}

/// Whether each variable remains.
pub(crate) type Remaining = Grid<bool>;

impl Remaining {
    /// Finds the remaining variables of a board.
    ///
    /// Keeps all variables of every sequence of `horizon` moves from the board to the goal in which
    /// no move takes back the one before.
    pub(crate) fn of(
        graph: &Graph,
        board: &Board,
        goal: &Goal,
        horizon: u32,
        reduction: Reduction,
    ) -> Self {
        let mut all = Self::new(graph, horizon, true);
        if reduction >= Reduction::Distance {
            let manhattan = i64::from(goal.manhattan_distance(board));
            let slack = (reduction >= Reduction::Manhattan).then(|| i64::from(horizon) - manhattan);
            all.remove_distant(graph, board, goal, horizon, slack);
        }
        if reduction >= Reduction::TileAndBlank {
            all.remove_by_search(graph, board, goal, horizon);
        }
        all
    }

    /// 1. The blank is on a cell at a time only if the moves made and left suffice to come there
    ///    and to go to its goal cell. A move takes it to a cell of the other colour, so the parity
    ///    must fit, too.
    /// 2. A tile is on a cell at a time only if the moves made and left suffice for it. Its moves
    ///    beyond its own Manhattan distance are at most `slack`: the horizon minus the Manhattan
    ///    distance of the board. `None` skips this check.
    /// 3. A tile slides only between cells on which it may be.
    fn remove_distant(
        &mut self,
        graph: &Graph,
        board: &Board,
        goal: &Goal,
        horizon: u32,
        slack: Option<i64>,
    ) {
        let n = graph.cell_count();
        let shape = graph.shape;
        let start = board.cells_by_tile();
        let reaches = |tile: u8, cell: Cell, time: u32| {
            let before = shape.distance(start[usize::from(tile)], cell);
            let after = shape.distance(cell, goal.home(tile));
            (before <= time && after <= horizon - time).then_some(before + after)
        };
        let blank_reaches = |cell: Cell, time: u32| {
            let before = shape.distance(start[usize::from(BLANK)], cell);
            reaches(BLANK, cell, time).is_some() && before % 2 == time % 2
        };
        for tile in 1..n as u8 {
            let direct = shape.distance(start[usize::from(tile)], goal.home(tile));
            for time in 0..=horizon {
                for cell in 0..n as Cell {
                    let way = reaches(tile, cell, time);
                    let place = self.at_place(tile, cell, time);
                    let is_near = |way| slack.is_none_or(|slack| i64::from(way - direct) <= slack);
                    self.at[place] = way.is_some_and(is_near);
                }
            }
        }
        for number in 1..=horizon {
            for (place, arc) in graph.arcs.iter().enumerate() {
                let may_go = blank_reaches(arc.from, number - 1) && blank_reaches(arc.to, number);
                let go = self.go_place(place, number);
                self.go[go] = may_go;
                for tile in 1..n as u8 {
                    let slide = self.slide_place(tile, place, number);
                    self.slide[slide] = may_go
                        && self.at(tile, arc.to, number - 1)
                        && self.at(tile, arc.from, number);
                }
            }
        }
    }

    /// Searches the paths of the blank and one tile, as if all other tiles were equal. A path
    /// counts if it has `horizon` moves, brings the tile to its goal cell, takes no move back, and
    /// moves the tile at most `slack` times more than its Manhattan distance. Removes all variables
    /// on no such path. An arc of the blank must be on a path of every tile.
    fn remove_by_search(&mut self, graph: &Graph, board: &Board, goal: &Goal, horizon: u32) {
        let slack = i64::from(horizon) - i64::from(goal.manhattan_distance(board));
        let mut may_go = self.go.clone();
        for tile in 1..graph.cell_count() as u8 {
            let start = board.cells_by_tile()[usize::from(tile)];
            let direct = graph.shape.distance(start, goal.home(tile));
            let Ok(moves_max) = u16::try_from(i64::from(direct) + slack) else {
                // The horizon is below the Manhattan distance.
                return self.clear();
            };
            let flags =
                RelaxedSearch { graph, remaining: self, board, goal, horizon, tile, moves_max }
                    .path_flags();
            for time in 0..=horizon {
                for cell in 0..graph.cell_count() as Cell {
                    let place = self.at_place(tile, cell, time);
                    self.at[place] &=
                        flags.at[time as usize * graph.cell_count() + usize::from(cell)];
                }
            }
            for (place, &slides) in flags.slides.iter().enumerate() {
                may_go[place] &= flags.goes[place];
                self.slide[place * self.cell_count + usize::from(tile)] &= slides;
            }
        }
        for (slides, &may) in self.slide.chunks_mut(self.cell_count).zip(&may_go) {
            for slide in slides {
                *slide &= may;
            }
        }
        self.go = may_go;
    }

    fn clear(&mut self) {
        for flags in [&mut self.at, &mut self.go, &mut self.slide] {
            flags.fill(false);
        }
    }
}

/// Relaxed search for the blank and one tile.
struct RelaxedSearch<'a> {
    graph: &'a Graph,
    remaining: &'a Remaining,
    board: &'a Board,
    goal: &'a Goal,
    horizon: u32,
    tile: u8,
    /// Largest number of moves of the tile.
    moves_max: u16,
}

/// Variables on some path of the blank.
struct PathFlags {
    /// By time and cell.
    at: Vec<bool>,
    /// By move and arc.
    goes: Vec<bool>,
    /// By move and arc.
    slides: Vec<bool>,
}

/// Marks an unreachable state.
const UNREACHED: u16 = u16::MAX;

impl RelaxedSearch<'_> {
    /// Returns the index of a state: the tile's cell and the last arc of the blank. The start has
    /// no last arc, which is the index after all arcs.
    fn state(&self, tile_cell: Cell, last: usize) -> usize {
        usize::from(tile_cell) * (self.graph.arcs.len() + 1) + last
    }

    /// Returns all steps from a state: the arc, the tile's next cell, and whether the tile moves.
    fn steps(
        &self,
        tile_cell: Cell,
        last: usize,
        number: u32,
    ) -> impl Iterator<Item = (usize, Cell, bool)> {
        let arcs = &self.graph.arcs;
        let came = arcs.get(last).copied();
        let blank = came.map_or(self.board.blank(), |arc| arc.to);
        self.graph.leaving[usize::from(blank)].iter().filter_map(move |&place| {
            let arc = arcs[place];
            let is_back = came.is_some_and(|came| came.from == arc.to);
            let slides = arc.to == tile_cell;
            let may = if slides {
                self.remaining.slide(self.tile, place, number)
            } else {
                self.remaining.at(self.tile, tile_cell, number)
            };
            let next = if slides { arc.from } else { tile_cell };
            (!is_back && may && self.remaining.go(place, number)).then_some((place, next, slides))
        })
    }

    fn path_flags(&self) -> PathFlags {
        let (n, arc_count) = (self.graph.cell_count(), self.graph.arcs.len());
        let state_count = n * (arc_count + 1);
        let moves = self.horizon as usize;
        let states =
            || (0..n as Cell).flat_map(move |cell| (0..=arc_count).map(move |last| (cell, last)));

        // 1. The fewest moves of the tile from the start to each state.
        let mut before = vec![UNREACHED; (moves + 1) * state_count];
        let start = self.board.cells_by_tile()[usize::from(self.tile)];
        before[self.state(start, arc_count)] = 0;
        for time in 0..moves {
            let (earlier, later) = before.split_at_mut((time + 1) * state_count);
            let now = &earlier[time * state_count..];
            for (cell, last) in states() {
                let made = now[self.state(cell, last)];
                if made == UNREACHED {
                    continue;
                }
                for (arc, next, slides) in self.steps(cell, last, time as u32 + 1) {
                    let made = made + u16::from(slides);
                    let left = self.graph.shape.distance(next, self.goal.home(self.tile)) as u16;
                    let there = &mut later[self.state(next, arc)];
                    if made + left <= self.moves_max && made < *there {
                        *there = made;
                    }
                }
            }
        }

        // 2. The fewest moves of the tile from each state to the goal, backwards in time. Marks
        //    what lies on a path with few enough of them.
        let mut flags = PathFlags {
            at: vec![false; (moves + 1) * n],
            goes: vec![false; moves * arc_count],
            slides: vec![false; moves * arc_count],
        };
        let mut after = vec![UNREACHED; state_count];
        let home = self.goal.home(self.tile);
        for (cell, last) in states() {
            let state = self.state(cell, last);
            let blank = self.graph.arcs.get(last).map_or(self.board.blank(), |arc| arc.to);
            if cell == home
                && blank == self.goal.home(BLANK)
                && before[moves * state_count + state] <= self.moves_max
            {
                after[state] = 0;
                flags.at[moves * n + usize::from(cell)] = true;
            }
        }
        for time in (0..moves).rev() {
            let mut now = vec![UNREACHED; state_count];
            for (cell, last) in states() {
                let state = self.state(cell, last);
                let made = before[time * state_count + state];
                if made == UNREACHED {
                    continue;
                }
                for (arc, next, slides) in self.steps(cell, last, time as u32 + 1) {
                    let rest = after[self.state(next, arc)];
                    if rest == UNREACHED {
                        continue;
                    }
                    let left = rest + u16::from(slides);
                    if made + left <= self.moves_max {
                        now[state] = now[state].min(left);
                        flags.at[time * n + usize::from(cell)] = true;
                        flags.goes[time * arc_count + arc] = true;
                        flags.slides[time * arc_count + arc] |= slides;
                    }
                }
            }
            after = now;
        }
        flags
    }
}
