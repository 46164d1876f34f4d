//! Which variables of the form `flow` remain, after those are left out that no solution needs.

use pdb_core::{BLANK, Board, Cell, Goal, Shape};

/// By what variables are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Leaving {
    /// By nothing: the model is whole.
    Nothing,
    /// By the distance of a tile, and of the blank, from both ends.
    Distance,
    /// By that, and by the Manhattan distance of all other tiles.
    Manhattan,
    /// By that, and by what the blank and one tile can do if all others let them pass.
    TileAndBlank,
}

impl Leaving {
    /// From what leaves out most to what leaves out nothing.
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
    /// The places of the arcs that leave each cell.
    pub(crate) leaving: Vec<Vec<usize>>,
    /// The places of the arcs that enter each cell.
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

/// Which variables remain. Times are from 0 to the horizon; arc and tile are those of a move, which is
/// numbered from 1.
pub(crate) struct Remaining {
    cell_count: usize,
    arc_count: usize,
    at: Vec<bool>,
    go: Vec<bool>,
    slide: Vec<bool>,
}

impl Remaining {
    /// Whether a tile may be on a cell at a time.
    pub(crate) fn at(&self, tile: u8, cell: Cell, time: u32) -> bool {
        self.at[self.at_place(tile, cell, time)]
    }

    /// Whether the blank may go along an arc in a move.
    pub(crate) fn go(&self, arc: usize, number: u32) -> bool {
        self.go[self.go_place(arc, number)]
    }

    /// Whether a tile may slide against an arc of the blank in a move.
    pub(crate) fn slide(&self, tile: u8, arc: usize, number: u32) -> bool {
        self.slide[self.slide_place(tile, arc, number)]
    }

    fn at_place(&self, tile: u8, cell: Cell, time: u32) -> usize {
        (time as usize * self.cell_count + usize::from(tile)) * self.cell_count + usize::from(cell)
    }

    fn go_place(&self, arc: usize, number: u32) -> usize {
        (number as usize - 1) * self.arc_count + arc
    }

    fn slide_place(&self, tile: u8, arc: usize, number: u32) -> usize {
        self.go_place(arc, number) * self.cell_count + usize::from(tile)
    }

    /// What remains of the model of a board.
    ///
    /// Nothing is left out that a sequence of `horizon` moves needs which leads from the board to the goal
    /// and takes no move back with the next one.
    pub(crate) fn new(
        graph: &Graph,
        board: &Board,
        goal: &Goal,
        horizon: u32,
        leaving: Leaving,
    ) -> Self {
        let (n, arc_count) = (graph.cell_count(), graph.arcs.len());
        let moves = horizon as usize;
        let mut all = Self {
            cell_count: n,
            arc_count,
            at: vec![true; (moves + 1) * n * n],
            go: vec![true; moves * arc_count],
            slide: vec![true; moves * arc_count * n],
        };
        if leaving >= Leaving::Distance {
            let manhattan = i64::from(goal.manhattan_distance(board));
            let slack = (leaving >= Leaving::Manhattan).then(|| i64::from(horizon) - manhattan);
            all.leave_out_far(graph, board, goal, horizon, slack);
        }
        if leaving >= Leaving::TileAndBlank {
            all.leave_out_alone(graph, board, goal, horizon);
        }
        all
    }

    /// 1. The blank is on a cell at a time only if it can come there and go home in the moves that are made
    ///    and left. A move takes it to a cell of the other colour, so their parity counts, too.
    /// 2. A tile is on a cell at a time only if as many moves are made and left as it needs. What it makes
    ///    beyond its own Manhattan distance, all others lack: together they have the moves of the horizon,
    ///    which are `slack` more than the Manhattan distance. (Nothing: this is not asked.)
    /// 3. A tile slides only from where it may be to where it may be.
    fn leave_out_far(
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

    /// The blank and one tile are moved alone, as if the other tiles were all alike. Of all ways of the
    /// blank that have as many moves as the horizon, bring the tile home and take no move back, those count
    /// that move the tile not too often: what it makes beyond its Manhattan distance, all others lack. What
    /// is on none of these ways is left out. The blank's ways must be among those of every tile.
    fn leave_out_alone(&mut self, graph: &Graph, board: &Board, goal: &Goal, horizon: u32) {
        let slack = i64::from(horizon) - i64::from(goal.manhattan_distance(board));
        let mut may_go = self.go.clone();
        for tile in 1..graph.cell_count() as u8 {
            let start = board.cells_by_tile()[usize::from(tile)];
            let direct = graph.shape.distance(start, goal.home(tile));
            let Ok(most) = u16::try_from(i64::from(direct) + slack) else {
                // The horizon is below the Manhattan distance.
                return self.clear();
            };
            let ways = Alone { graph, remaining: self, board, goal, horizon, tile, most }.ways();
            let mut goes = vec![false; self.go.len()];
            for time in 0..=horizon {
                for cell in 0..graph.cell_count() as Cell {
                    let place = self.at_place(tile, cell, time);
                    self.at[place] &=
                        ways.at[time as usize * graph.cell_count() + usize::from(cell)];
                }
            }
            for number in 1..=horizon {
                for arc in 0..graph.arcs.len() {
                    let place = self.go_place(arc, number);
                    goes[place] = ways.goes[place];
                    let slide = self.slide_place(tile, arc, number);
                    self.slide[slide] &= ways.slides[place];
                }
            }
            may_go.iter_mut().zip(goes).for_each(|(may, goes)| *may &= goes);
        }
        for (place, &may) in may_go.iter().enumerate() {
            self.go[place] = may;
            let slides = place * self.cell_count..(place + 1) * self.cell_count;
            self.slide[slides].iter_mut().for_each(|slide| *slide &= may);
        }
    }

    fn clear(&mut self) {
        for flags in [&mut self.at, &mut self.go, &mut self.slide] {
            flags.fill(false);
        }
    }
}

/// The blank and one tile, and all others alike.
struct Alone<'a> {
    graph: &'a Graph,
    remaining: &'a Remaining,
    board: &'a Board,
    goal: &'a Goal,
    horizon: u32,
    tile: u8,
    /// The largest number of moves that the tile may make.
    most: u16,
}

/// What is on some way of the blank.
struct Ways {
    /// By time and cell.
    at: Vec<bool>,
    /// By move and arc.
    goes: Vec<bool>,
    /// By move and arc.
    slides: Vec<bool>,
}

/// More moves than any tile makes.
const NEVER: u16 = u16::MAX;

impl Alone<'_> {
    /// A state is the tile's cell and the arc that the blank came along; the first has no arc, which is
    /// written as one behind all others.
    fn state(&self, tile_cell: Cell, last: usize) -> usize {
        usize::from(tile_cell) * (self.graph.arcs.len() + 1) + last
    }

    /// All steps from a state: the arc, the tile's next cell, and whether the tile moves.
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

    fn ways(&self) -> Ways {
        let (n, arc_count) = (self.graph.cell_count(), self.graph.arcs.len());
        let state_count = n * (arc_count + 1);
        let moves = self.horizon as usize;
        let states =
            || (0..n as Cell).flat_map(move |cell| (0..=arc_count).map(move |last| (cell, last)));

        // 1. The fewest moves of the tile from the start to each state.
        let mut before = vec![NEVER; (moves + 1) * state_count];
        let start = self.board.cells_by_tile()[usize::from(self.tile)];
        before[self.state(start, arc_count)] = 0;
        for time in 0..moves {
            let (earlier, later) = before.split_at_mut((time + 1) * state_count);
            let now = &earlier[time * state_count..];
            for (cell, last) in states() {
                let made = now[self.state(cell, last)];
                if made == NEVER {
                    continue;
                }
                for (arc, next, slides) in self.steps(cell, last, time as u32 + 1) {
                    let made = made + u16::from(slides);
                    let left = self.graph.shape.distance(next, self.goal.home(self.tile)) as u16;
                    let there = &mut later[self.state(next, arc)];
                    if made + left <= self.most && made < *there {
                        *there = made;
                    }
                }
            }
        }

        // 2. The fewest moves of the tile from each state to the goal, from the last time back; and what
        //    lies on a way that has few enough of them from end to end.
        let mut ways = Ways {
            at: vec![false; (moves + 1) * n],
            goes: vec![false; moves * arc_count],
            slides: vec![false; moves * arc_count],
        };
        let mut after = vec![NEVER; state_count];
        let home = self.goal.home(self.tile);
        for (cell, last) in states() {
            let state = self.state(cell, last);
            let blank = self.graph.arcs.get(last).map_or(self.board.blank(), |arc| arc.to);
            if cell == home
                && blank == self.goal.home(BLANK)
                && before[moves * state_count + state] <= self.most
            {
                after[state] = 0;
                ways.at[moves * n + usize::from(cell)] = true;
            }
        }
        for time in (0..moves).rev() {
            let mut now = vec![NEVER; state_count];
            for (cell, last) in states() {
                let state = self.state(cell, last);
                let made = before[time * state_count + state];
                if made == NEVER {
                    continue;
                }
                for (arc, next, slides) in self.steps(cell, last, time as u32 + 1) {
                    let rest = after[self.state(next, arc)];
                    if rest == NEVER {
                        continue;
                    }
                    let left = rest + u16::from(slides);
                    if made + left <= self.most {
                        now[state] = now[state].min(left);
                        ways.at[time * n + usize::from(cell)] = true;
                        ways.goes[time * arc_count + arc] = true;
                        ways.slides[time * arc_count + arc] |= slides;
                    }
                }
            }
            after = now;
        }
        ways
    }
}
