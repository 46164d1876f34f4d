//! The tree of moves, level by level, and how many nodes of it IDA* generates within a bound.
//!
//! Two formulas are here. The first is that of R. E. Korf, M. Reid and S. Edelkamp, "Time
//! complexity of iterative-deepening-A*", Artificial Intelligence 129, 2001: within the bound `d`,
//! a consistent heuristic leaves the share `P(h <= d - i)` of the tree's nodes of level `i` to be
//! expanded. The second is that of U. Zahavi, A. Felner, N. Burch and R. C. Holte, "Predicting the
//! performance of IDA* using conditional distributions", Journal of Artificial Intelligence
//! Research 37, 2010, in its one-step form. It follows how estimates change from parent to child,
//! and so begins at the estimate of a given board.
//!
//! Both formulas use the cell of the blank. In the limit, the boards of a level with the blank on
//! one cell are equally frequent. The cells are not: their frequencies are the equilibrium
//! distribution of the first paper.

use pdb_core::{CELLS_MAX, Cell, Shape};

#[cfg(test)]
mod tests;

/// Tree of moves below a board, level by level: the number of nodes with the blank on each cell. No
/// move takes back the one before it.
#[derive(Clone, Debug)]
pub(super) struct TreeLevels {
    shape: Shape,
    steps: Steps,
    next: TreeLevel,
    /// Nodes of the next level, by their last step; empty for the root.
    by_step: Vec<f64>,
}

/// Level of [`TreeLevels`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TreeLevel {
    nodes: [f64; CELLS_MAX],
    children: [f64; CELLS_MAX],
}

impl TreeLevel {
    /// Returns the number of nodes with the blank on a cell.
    pub(super) fn nodes(&self, blank: Cell) -> f64 {
        self.nodes[usize::from(blank)]
    }

    /// Returns the number of children of these nodes.
    pub(super) fn children(&self, blank: Cell) -> f64 {
        self.children[usize::from(blank)]
    }
}

impl TreeLevels {
    /// Creates the levels below a board with the blank on `root`, that of the board itself first.
    pub(super) fn new(shape: Shape, root: Cell) -> Self {
        let mut level = TreeLevel { nodes: [0.0; CELLS_MAX], children: [0.0; CELLS_MAX] };
        level.nodes[usize::from(root)] = 1.0;
        level.children[usize::from(root)] = shape.neighbours(root).len() as f64;
        Self { shape, steps: Steps::new(shape), next: level, by_step: Vec::new() }
    }

    fn advance(&mut self, level: &TreeLevel) {
        if self.by_step.is_empty() {
            let first = self.steps.all.iter().map(|&(from, _)| level.nodes(from)).collect();
            self.by_step = first;
        } else {
            let nodes = &self.by_step;
            self.by_step =
                self.steps.before.iter().map(|b| b.iter().map(|&s| nodes[s]).sum()).collect();
        }
        let mut next = TreeLevel { nodes: [0.0; CELLS_MAX], children: [0.0; CELLS_MAX] };
        for (&(_, to), nodes) in self.steps.all.iter().zip(&self.by_step) {
            let further = self.shape.neighbours(to).len() - 1;
            next.nodes[usize::from(to)] += nodes;
            next.children[usize::from(to)] += nodes * further as f64;
        }
        self.next = next;
    }
}

impl Iterator for TreeLevels {
    type Item = TreeLevel;

    fn next(&mut self) -> Option<TreeLevel> {
        let level = self.next;
        self.advance(&level);
        Some(level)
    }
}

/// Steps of the blank from a cell to a neighbour.
#[derive(Clone, Debug)]
struct Steps {
    all: Vec<(Cell, Cell)>,
    /// The steps that each may follow: those that end where it begins and do not begin where it
    /// ends.
    before: Vec<Vec<usize>>,
    /// The steps that may follow each.
    after: Vec<Vec<usize>>,
}

impl Steps {
    fn new(shape: Shape) -> Self {
        let cells = shape.all_cells();
        let all: Vec<(Cell, Cell)> = cells
            .iter()
            .flat_map(|from| shape.neighbours(from).iter().map(move |to| (from, to)))
            .collect();
        let follows = |&(a, b): &(Cell, Cell), &(c, d): &(Cell, Cell)| b == c && a != d;
        let places = |is_wanted: &dyn Fn(&(Cell, Cell)) -> bool| -> Vec<usize> {
            (0..all.len()).filter(|&place| is_wanted(&all[place])).collect()
        };
        let before = all.iter().map(|step| places(&|other| follows(other, step))).collect();
        let after = all.iter().map(|step| places(&|other| follows(step, other))).collect();
        Self { all, before, after }
    }
}

/// Expected nodes of a search within one bound. The root is not among the generated nodes, because
/// it is generated once, not within each bound.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ExpectedNodes {
    /// Nodes with an estimate.
    pub(super) generated: f64,
    /// Nodes whose children are generated.
    pub(super) expanded: f64,
}

/// Contribution of a board to the nodes within a bound, by its cell of the blank and its estimate.
/// The mean over all boards, times the number of cells, is the expectation of Korf, Reid and
/// Edelkamp.
///
/// A board with the blank on `c` and the estimate `h` contributes the nodes of the levels up to
/// `bound - h` with the blank on `c`.
#[derive(Clone, Debug)]
pub(super) struct Contributions {
    bound: u32,
    /// Sums over the first levels: entry `n` is the sum up to level `n`.
    sums: Vec<[ExpectedNodes; CELLS_MAX]>,
}

impl Contributions {
    /// Creates the contributions to searches of boards with the blank on these cells, with their
    /// weights. Weights with the sum 1 give the mean.
    pub(super) fn new(shape: Shape, roots: &[(Cell, f64)], bound: u32) -> Self {
        let mut sums = vec![[ExpectedNodes::default(); CELLS_MAX]; bound as usize + 1];
        for &(root, share) in roots {
            let mut so_far = [ExpectedNodes::default(); CELLS_MAX];
            for (sum, level) in sums.iter_mut().zip(TreeLevels::new(shape, root)) {
                for cell in shape.all_cells().iter() {
                    let at = usize::from(cell);
                    so_far[at].expanded += share * level.nodes(cell);
                    so_far[at].generated += share * level.children(cell);
                    sum[at].expanded += so_far[at].expanded;
                    sum[at].generated += so_far[at].generated;
                }
            }
        }
        Self { bound, sums }
    }

    /// Returns the contribution of a board with the blank on a cell and this estimate.
    pub(super) fn of(&self, blank: Cell, estimate: u32) -> ExpectedNodes {
        match self.bound.checked_sub(estimate) {
            Some(level) => self.sums[level as usize][usize::from(blank)],
            None => ExpectedNodes::default(),
        }
    }
}

/// Changes of estimates from parent to child: for each step of the blank and each estimate of the
/// parent, the weights of the child's estimates.
#[derive(Clone, Debug)]
pub(super) struct Transitions {
    shape: Shape,
    steps: Steps,
    /// Children's estimates with their weights, by step and by the parent's estimate.
    seen: Vec<Vec<Vec<(u32, f64)>>>,
}

impl Transitions {
    /// Creates an empty set of transitions.
    pub(super) fn new(shape: Shape) -> Self {
        let steps = Steps::new(shape);
        let seen = vec![Vec::new(); steps.all.len()];
        Self { shape, steps, seen }
    }

    /// Counts a parent and its child after the blank's step `from`, `to`.
    ///
    /// # Panics
    /// When the cells are no neighbours.
    pub(super) fn add(&mut self, from: Cell, to: Cell, parent: u32, child: u32, weight: f64) {
        let step =
            self.steps.all.binary_search(&(from, to)).expect("the blank steps to a neighbour");
        let of_step = &mut self.seen[step];
        if of_step.len() <= parent as usize {
            of_step.resize(parent as usize + 1, Vec::new());
        }
        let children = &mut of_step[parent as usize];
        match children.iter_mut().find(|(known, _)| *known == child) {
            Some((_, sum)) => *sum += weight,
            None => children.push((child, weight)),
        }
    }

    /// Returns, by step and estimate, the shares of the changes to the child's estimate. An
    /// estimate that no board had takes the shares of the nearest one.
    fn shares(&self) -> Vec<Vec<Vec<(i64, f64)>>> {
        let estimate_count = self.seen.iter().map(Vec::len).max().unwrap_or(0);
        let shares_at = |of_step: &Vec<Vec<(u32, f64)>>, parent: usize| {
            let is_seen =
                |&at: &usize| of_step.get(at).is_some_and(|children| !children.is_empty());
            let nearest = (0..of_step.len()).filter(is_seen).min_by_key(|at| at.abs_diff(parent));
            let children = nearest.map(|at| (at, &of_step[at]));
            let of = |(at, children): (usize, &Vec<(u32, f64)>)| -> Vec<(i64, f64)> {
                let sum: f64 = children.iter().map(|(_, weight)| weight).sum();
                let change = |child: u32| i64::from(child) - at as i64;
                children.iter().map(|&(child, weight)| (change(child), weight / sum)).collect()
            };
            children.map(of).unwrap_or_default()
        };
        let of_step = |of_step: &Vec<Vec<(u32, f64)>>| {
            (0..estimate_count).map(|parent| shares_at(of_step, parent)).collect()
        };
        self.seen.iter().map(of_step).collect()
    }

    /// Returns the formula of these transitions.
    pub(super) fn prediction(&self) -> Prediction {
        Prediction { shape: self.shape, steps: self.steps.clone(), shares: self.shares() }
    }
}

/// Formula of Zahavi, Felner, Burch and Holte, made of [`Transitions`].
#[derive(Clone, Debug)]
pub(super) struct Prediction {
    shape: Shape,
    steps: Steps,
    /// Changes from the parent's to the child's estimate with their shares, by step and by the
    /// parent's estimate.
    shares: Vec<Vec<Vec<(i64, f64)>>>,
}

impl Prediction {
    /// Returns the nodes within a bound below boards with a cell of the blank, an estimate and a
    /// weight. Weights with the sum 1 give the mean.
    pub(super) fn nodes(&self, roots: &[(Cell, u32, f64)], bound: u32) -> ExpectedNodes {
        let width = bound as usize + 1;
        let mut found = ExpectedNodes::default();
        // Expanded nodes, by their last step and estimate.
        let mut level = vec![0.0; self.steps.all.len() * width];
        for &(blank, estimate, weight) in roots.iter().filter(|root| root.1 <= bound) {
            found.expanded += weight;
            found.generated += weight * self.shape.neighbours(blank).len() as f64;
            for (step, _) in self.steps.all.iter().enumerate().filter(|(_, step)| step.0 == blank) {
                self.spread(
                    step,
                    estimate as usize,
                    weight,
                    bound.checked_sub(1),
                    &mut level,
                    width,
                );
            }
        }
        for moves in 1..=bound {
            let left = bound.checked_sub(moves + 1);
            let mut next = vec![0.0; level.len()];
            let mut is_empty = true;
            for (step, &(_, to)) in self.steps.all.iter().enumerate() {
                let further = self.shape.neighbours(to).len() - 1;
                for estimate in 0..width {
                    let nodes = level[step * width + estimate];
                    if nodes == 0.0 {
                        continue;
                    }
                    is_empty = false;
                    found.expanded += nodes;
                    found.generated += nodes * further as f64;
                    for &after in &self.steps.after[step] {
                        self.spread(after, estimate, nodes, left, &mut next, width);
                    }
                }
            }
            if is_empty {
                break;
            }
            level = next;
        }
        found
    }

    /// Adds the children after a step that are within the bound.
    fn spread(
        &self,
        step: usize,
        estimate: usize,
        nodes: f64,
        left: Option<u32>,
        level: &mut [f64],
        width: usize,
    ) {
        let (Some(left), Some(shares)) = (left, self.shares[step].get(estimate)) else { return };
        for &(change, share) in shares {
            let child = (estimate as i64 + change).max(0);
            if child <= i64::from(left) {
                level[step * width + child as usize] += nodes * share;
            }
        }
    }
}
