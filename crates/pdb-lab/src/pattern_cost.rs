//! Values of pattern states without a table, by a search for each state.
//!
//! The search is A\* (P. E. Hart, N. J. Nilsson and B. Raphael, 1968) among the states of the
//! pattern, where only moves of the pattern's tiles cost. Its heuristic is made of smaller
//! patterns: the tiles are split into parts of three, whose values add up, in several ways, and the
//! largest sum counts. Tables of three tiles have some thousand entries and are made when they are
//! needed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use pdb_core::plan::PatternKey;
use pdb_core::region::{RegionFinder, region_of, regions};
use pdb_core::{BlankMode, Cell, CellSet, Shape, lock};

use crate::excess::{ExcessTable, PART_TILE_COUNT, TILES_MAX, packed, unpacked};

/// Largest number of tiles of a pattern.
pub const TILE_COUNT_MAX: usize = TILES_MAX;

/// Number of splits of a pattern that are looked up.
const SPLIT_COUNT_MAX: usize = 10;
/// Number of states by which these splits are chosen.
const STATES_TRIED: u64 = 300;
/// Number of states between two checks of the time limit.
const STATES_BETWEEN: u32 = 4096;

/// Shape, home cells, and the smallest cell of the blank's region at the goal.
type ExcessKey = ((usize, usize), CellSet, Cell);

/// Tables that several patterns share, computed at first use.
#[derive(Debug, Default)]
pub struct ExcessTables(Mutex<BTreeMap<ExcessKey, Arc<ExcessTable>>>);

impl ExcessTables {
    fn table(&self, shape: Shape, homes: CellSet, blank: Cell) -> Arc<ExcessTable> {
        let region = region_of(shape, shape.all_cells().without(homes), blank);
        let key = ((shape.rows(), shape.cols()), homes, region.first().unwrap_or(blank));
        let tables = || lock(&self.0);
        let known = tables().get(&key).cloned();
        known.unwrap_or_else(|| {
            // Two threads may make the same table, so that others need not wait meanwhile.
            let cells: Vec<Cell> = homes.iter().collect();
            let made = Arc::new(ExcessTable::new(shape, &cells, blank));
            tables().entry(key).or_insert(made).clone()
        })
    }
}

/// A pattern whose values are searched.
#[derive(Clone, Debug)]
pub struct PatternCost {
    shape: Shape,
    mode: BlankMode,
    homes: Vec<Cell>,
    goal_region: CellSet,
    /// Distance from home, by tile and cell.
    distances: Vec<Vec<u8>>,
    /// Neighbours, by cell.
    neighbours: Vec<CellSet>,
    finder: RegionFinder,
    parts: Vec<(Vec<usize>, Arc<ExcessTable>)>,
    /// Splits, as indices of `parts`.
    splits: Vec<Vec<usize>>,
    /// Parts with a tile, by tile.
    parts_of: Vec<Vec<usize>>,
    /// For each tile, the part of each split that contains it.
    of_splits: Vec<Vec<usize>>,
}

/// Memory of a search, which the next one reuses.
#[derive(Debug, Default)]
pub struct SearchMemory {
    seen: HashSet<u64, FixedState>,
    /// Open states with their cost so far, in excess, by their estimated total excess.
    open: Vec<Vec<(u64, u8)>>,
    /// Excess of each part, for a state and for its successor.
    excess: Vec<u8>,
    next_excess: Vec<u8>,
    /// Sums, by split.
    sums: Vec<u8>,
}

impl PatternCost {
    /// Creates the pattern of a key, which has at most [`TILE_COUNT_MAX`] tiles and is not plain.
    /// `below` returns random numbers below its argument, for a sample of states.
    pub fn new(
        key: &PatternKey,
        parts: &ExcessTables,
        below: &mut dyn FnMut(usize) -> usize,
    ) -> Self {
        let shape = key.shape;
        let homes: Vec<Cell> = key.homes.iter().collect();
        debug_assert!(homes.len() <= TILE_COUNT_MAX && key.mode != BlankMode::Plain);
        let distances = |&home: &Cell| {
            shape.all_cells().iter().map(|cell| shape.distance(cell, home) as u8).collect()
        };
        let mut this = Self {
            shape,
            mode: key.mode,
            goal_region: key.goal_cells(),
            distances: homes.iter().map(distances).collect(),
            neighbours: shape.all_cells().iter().map(|cell| shape.neighbours(cell)).collect(),
            finder: RegionFinder::new(shape),
            homes,
            parts: Vec::new(),
            splits: Vec::new(),
            parts_of: Vec::new(),
            of_splits: Vec::new(),
        };
        for split in splits(&(0..this.homes.len()).collect::<Vec<_>>()) {
            let mut places = Vec::new();
            for tiles in split {
                let known = this.parts.iter().position(|(of, _)| *of == tiles);
                places.push(known.unwrap_or_else(|| {
                    let homes = tiles.iter().map(|&tile| this.homes[tile]).collect();
                    this.parts.push((tiles, parts.table(shape, homes, key.goal_region)));
                    this.parts.len() - 1
                }));
            }
            this.splits.push(places);
        }
        this.choose_splits(below);
        let has = |part: usize, tile: usize| this.parts[part].0.contains(&tile);
        let parts_of = |tile| (0..this.parts.len()).filter(|&part| has(part, tile)).collect();
        this.parts_of = (0..this.homes.len()).map(parts_of).collect();
        let part_of = |split: &Vec<usize>, tile: usize| {
            split.iter().copied().find(|&part| has(part, tile)).expect("a split has each tile")
        };
        let of_splits = |tile| this.splits.iter().map(|split| part_of(split, tile)).collect();
        this.of_splits = (0..this.homes.len()).map(of_splits).collect();
        this
    }

    /// Keeps the splits with the best estimates for some states, and the parts that they need.
    fn choose_splits(&mut self, below: &mut dyn FnMut(usize) -> usize) {
        if self.splits.len() > SPLIT_COUNT_MAX {
            let mut scratch = SearchMemory::default();
            let sums: Vec<Vec<u32>> = (0..STATES_TRIED)
                .map(|_| {
                    let (cells, blank) = self.random_state(below);
                    self.part_excess(&cells, blank, &mut scratch.excess);
                    let sum = |split: &Vec<usize>| {
                        split.iter().map(|&part| u32::from(scratch.excess[part])).sum()
                    };
                    self.splits.iter().map(sum).collect()
                })
                .collect();
            let mut chosen: Vec<usize> = Vec::new();
            let mut best = vec![0; sums.len()];
            while chosen.len() < SPLIT_COUNT_MAX {
                let gain = |split: &usize| -> u32 {
                    sums.iter().zip(&best).map(|(sum, best)| sum[*split].max(*best)).sum()
                };
                let rest = (0..self.splits.len()).filter(|split| !chosen.contains(split));
                let Some(next) = rest.max_by_key(gain) else { break };
                chosen.push(next);
                for (best, sum) in best.iter_mut().zip(&sums) {
                    *best = sum[next].max(*best);
                }
            }
            self.splits = chosen.iter().map(|&split| self.splits[split].clone()).collect();
        }
        let needed: Vec<usize> = (0..self.parts.len())
            .filter(|part| self.splits.iter().flatten().any(|p| p == part))
            .collect();
        for part in self.splits.iter_mut().flatten() {
            *part = needed.iter().position(|known| known == part).expect("it is needed");
        }
        self.parts = needed.iter().map(|&part| self.parts[part].clone()).collect();
    }

    fn random_state(&self, below: &mut dyn FnMut(usize) -> usize) -> (Vec<Cell>, Cell) {
        let mut cells: Vec<Cell> = self.shape.all_cells().iter().collect();
        let wanted = self.homes.len() + 1;
        for place in 0..wanted {
            let other = place + below(cells.len() - place);
            cells.swap(place, other);
        }
        (cells[..wanted - 1].to_vec(), cells[wanted - 1])
    }

    #[inline]
    fn excess_of(&self, part: usize, cells: &[Cell], blank: Cell) -> u8 {
        let (tiles, part) = &self.parts[part];
        part.excess(tiles.iter().map(|&tile| cells[tile]), blank)
    }

    fn part_excess(&self, cells: &[Cell], blank: Cell, excess: &mut Vec<u8>) {
        excess.clear();
        excess.extend((0..self.parts.len()).map(|part| self.excess_of(part, cells, blank)));
    }

    /// Returns the value of a state, given as the cells of the tiles in ascending order of their
    /// homes. Returns `None` if `stop` ends the search, or if the goal cannot be reached.
    pub fn value(
        &self,
        cells: &[Cell],
        blank: Cell,
        scratch: &mut SearchMemory,
        stop: &dyn Fn() -> bool,
    ) -> Option<u32> {
        let tiles = || cells.iter().enumerate();
        let distance: u32 =
            tiles().map(|(tile, &cell)| u32::from(self.distances[tile][usize::from(cell)])).sum();
        let all = self.shape.all_cells();
        let free = all.without(cells.iter().copied().collect());
        let SearchMemory { seen, open, excess, next_excess, sums } = scratch;
        seen.clear();
        open.iter_mut().for_each(Vec::clear);
        let mut begin = |blank: Cell| {
            self.part_excess(cells, blank, excess);
            let sum = |split: &Vec<usize>| split.iter().map(|&part| excess[part]).sum();
            let known: u8 = self.splits.iter().map(sum).max().unwrap_or(0);
            put(open, packed(cells, blank), 0, known);
        };
        if self.mode == BlankMode::Collapsed {
            for region in regions(self.shape, free) {
                begin(region.first().expect("a region has a cell"));
            }
        } else {
            begin(blank);
        }
        let mut tick = 0;
        let mut bound = 0;
        loop {
            // Takes a state with the least sum, the last one found first: many of these lead
            // straight home.
            let Some((state, spent)) = open.get_mut(bound)?.pop() else {
                bound += 1;
                continue;
            };
            tick += 1;
            if tick % STATES_BETWEEN == 0 && stop() {
                return None;
            }
            let (mut cells, blank) = unpacked(state, self.homes.len());
            let cells = &mut cells[..self.homes.len()];
            let region = self.finder.region_of(all.without(cells.iter().copied().collect()), blank);
            if !seen.insert(packed(cells, region.first().unwrap_or(blank))) {
                continue;
            }
            if *cells == self.homes[..] && region == self.goal_region {
                return Some(distance + 2 * bound as u32);
            }
            self.part_excess(cells, blank, excess);
            sums.clear();
            sums.extend(
                self.splits.iter().map(|split| split.iter().map(|&p| excess[p]).sum::<u8>()),
            );
            next_excess.resize(excess.len(), 0);
            for tile in 0..cells.len() {
                let from = cells[tile];
                let distances = &self.distances[tile];
                for to in CellSet(self.neighbours[usize::from(from)].0 & region.0).iter() {
                    cells[tile] = to;
                    // Tables of parts without the tile see the blank in the same region as before,
                    // so their excess does not change.
                    for &part in &self.parts_of[tile] {
                        next_excess[part] = self.excess_of(part, cells, from);
                    }
                    let of_splits = sums.iter().zip(&self.of_splits[tile]);
                    let known =
                        of_splits.map(|(sum, &part)| sum - excess[part] + next_excess[part]);
                    let is_away = distances[usize::from(to)] > distances[usize::from(from)];
                    let spent = spent + u8::from(is_away);
                    put(open, packed(cells, from), spent, known.max().unwrap_or(0));
                }
                cells[tile] = from;
            }
        }
    }

    /// Returns the home cells of the tiles.
    pub fn homes(&self) -> &[Cell] {
        &self.homes
    }
}

/// Inserts a state at its estimated total excess: its cost so far plus the estimate of the rest.
#[inline]
fn put(open: &mut Vec<Vec<(u64, u8)>>, state: u64, spent: u8, known: u8) {
    let at = usize::from(spent + known);
    if open.len() <= at {
        open.resize_with(at + 1, Vec::new);
    }
    open[at].push((state, spent));
}

/// Returns all ways to split tiles into parts of [`PART_TILE_COUNT`], with a smaller last part.
fn splits(tiles: &[usize]) -> Vec<Vec<Vec<usize>>> {
    let Some((&first, others)) = tiles.split_first() else { return vec![Vec::new()] };
    let rest = tiles.len() % PART_TILE_COUNT;
    let mut found = Vec::new();
    // The first tile is in a full part, or in the smaller one.
    let sizes = if rest > 0 { vec![PART_TILE_COUNT, rest] } else { vec![PART_TILE_COUNT] };
    for size in sizes.into_iter().filter(|size| *size <= tiles.len()) {
        for mask in (0u32..1 << others.len()).filter(|mask| mask.count_ones() as usize == size - 1)
        {
            let is_in = |place: usize| mask >> place & 1 == 1;
            let pick = |wanted: bool| {
                let places = (0..others.len()).filter(move |&place| is_in(place) == wanted);
                places.map(|place| others[place]).collect::<Vec<_>>()
            };
            let part = [vec![first], pick(true)].concat();
            let left = pick(false);
            for mut split in splits(&left) {
                split.push(part.clone());
                found.push(split);
            }
        }
    }
    found
}
