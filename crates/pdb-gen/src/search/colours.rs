//! Coloured tables: breadth-first search of slides.
//!
//! A state has two distances: with a horizontal first slide, and with a vertical one. A slide
//! within a row moves the blank, but does not change the sequence of the tiles, read row by row. So
//! the states are kept in blocks, one for each cell of the blank, in the order of their sequences:
//! a level of horizontal slides compares blocks without a look at their tiles. Vertical slides are
//! horizontal ones of the transposed board. After each level, the states that it reached are found
//! by their sequences on the transposed board, once for each state and axis.
//!
//! Blocks of different rows share nothing, and neither do new states with different blanks, so
//! threads work on them without locks.

use pdb_core::{Cell, CellSet, ColourIndex, ColourKey, ColourState, Shape, Symmetry};
use pdb_format::slides;

use crate::GenError;
use crate::monitor::Event;
use crate::threads::{Workers, map_in_threads};
use crate::words::Words;

/// Memory of a build per state, in bytes: each side has the distances of both axes.
pub(crate) const COLOURED_STATE_BYTES: u64 = 4;
/// Number of states of a block that are compared at a time, so that they stay in a small cache.
const PART: usize = 1 << 12;

/// The board, or its transposed image.
///
/// The arrays hold distances plus one, or 0 for states that were not reached yet, in blocks by the
/// blank's cell on this side.
struct Side {
    /// The map of cells to the other side.
    turn: Turn,
    states: usize,
    /// Number of states with the blank on one cell.
    block_len: usize,
    /// Distances with a first slide within a row of this side.
    own: Words,
    /// Distances with a first slide within a column of this side.
    other: Words,
}

impl Side {
    fn new(shape: Shape, states: usize) -> Result<Self, GenError> {
        let array = || Words::zeroed(states.div_ceil(size_of::<u64>()));
        let (turn, block_len) = (Turn::new(shape), states / shape.cell_count());
        Ok(Self { turn, states, block_len, own: array()?, other: array()? })
    }

    fn arrays(&mut self) -> [&mut [u8]; 2] {
        [&mut self.own, &mut self.other]
            .map(|words| &mut bytemuck::cast_slice_mut(words)[..self.states])
    }

    /// Gives each state the distance `level` that one slide within a row leads to a state with the
    /// distance before `level`, whose first slide is within a column.
    fn slide(&mut self, level: u8, workers: Workers<'_>) -> Result<(), GenError> {
        let (cols, block_len) = (self.turn.cells.from_shape().cols(), self.block_len);
        let [own, other] = self.arrays();
        let rows = own.chunks_mut(cols * block_len).zip(other.chunks(cols * block_len));
        map_in_threads(workers.thread_count, rows, |(own, other)| {
            workers.monitor.check_cancelled()?;
            for start in (0..block_len).step_by(PART) {
                let part = |block: usize| {
                    block * block_len + start..block * block_len + block_len.min(start + PART)
                };
                for (to, from) in (0..cols).flat_map(|to| (0..cols).map(move |from| (to, from))) {
                    if to == from {
                        continue;
                    }
                    for (own, &other) in own[part(to)].iter_mut().zip(&other[part(from)]) {
                        let is_new = *own == 0 && other + 1 == level;
                        *own = if is_new { level } else { *own };
                    }
                }
            }
            Ok::<_, GenError>(())
        })?;
        Ok(())
    }
}

/// The map of cells to the transposed board.
struct Turn {
    cells: Symmetry,
    /// For eight cells each, the images of their sets.
    sets: Vec<[u64; 256]>,
}

impl Turn {
    fn new(shape: Shape) -> Self {
        let is_transposition = |s: &Symmetry| s.swaps_axes() && s.cell(0) == 0;
        let cells = Symmetry::all(shape).find(is_transposition).expect("it is a symmetry");
        let image = |byte: usize, bits: usize| {
            let set = CellSet((bits as u64) << (8 * byte));
            cells.set(CellSet(set.0 & shape.all_cells().0)).0
        };
        let bytes = 0..shape.cell_count().div_ceil(8);
        let sets = bytes.map(|byte| std::array::from_fn(|bits| image(byte, bits))).collect();
        Self { cells, sets }
    }

    #[inline]
    fn set(&self, set: u64) -> u64 {
        self.sets.iter().enumerate().map(|(byte, of)| of[(set >> (8 * byte) & 255) as usize]).sum()
    }
}

/// Copies the new distances of a side to the other one.
struct Copying<'a> {
    index: &'a ColourIndex,
    turn: &'a Turn,
    /// The choices of cells for the last class with a rank, by rank.
    choices: &'a [u64],
    level: u8,
}

impl Copying<'_> {
    /// Copies from one side to the other, and returns the number of states.
    fn run(&self, from: &Side, to: &mut Side, workers: Workers<'_>) -> Result<u64, GenError> {
        let block_len = from.block_len;
        let from: &[u8] = bytemuck::cast_slice(&from.own);
        let [_, to] = to.arrays();
        let blocks = to.chunks_mut(block_len).enumerate();
        let back = self.turn.cells.inverse();
        let counts = map_in_threads(workers.thread_count, blocks, |(image, to)| {
            workers.monitor.check_cancelled()?;
            let blank = back.cell(image as Cell);
            let from = &from[usize::from(blank) * block_len..][..block_len];
            Ok::<_, GenError>(self.copy(0, self.index.all_but(blank), 0, from, to))
        })?;
        Ok(counts.iter().sum())
    }

    /// Copies the states in which the classes before `class` are chosen and leave `free`. Their
    /// digits are `number` on the other side.
    fn copy(&self, class: usize, free: u64, number: u64, from: &[u8], to: &mut [u8]) -> u64 {
        let radices = self.index.radices();
        let turned = self.turn.set(free);
        let mut count = 0;
        match radices.get(class) {
            Some(&radix) if class + 1 < radices.len() => {
                let parts = from.chunks(from.len() / radix as usize).enumerate();
                for (rank, part) in parts.filter(|(_, part)| part.contains(&self.level)) {
                    let cells = self.index.among(self.index.choice(class, rank as u64), free);
                    let digit = self.index.rank_among(self.turn.set(cells), turned);
                    let number = number * radix + u64::from(digit);
                    count += self.copy(class + 1, free & !cells, number, part, to);
                }
            }
            Some(&radix) => {
                for (&choice, _) in
                    self.choices.iter().zip(from).filter(|(_, value)| **value == self.level)
                {
                    let cells = self.index.among(choice, free);
                    let digit = self.index.rank_among(self.turn.set(cells), turned);
                    to[(number * radix + u64::from(digit)) as usize] = self.level;
                    count += 1;
                }
            }
            // All tiles are in one class.
            None => {
                if from[0] == self.level {
                    to[0] = self.level;
                    count = 1;
                }
            }
        }
        count
    }
}

/// Builds a coloured table. Returns the payload, perhaps followed by other bytes, and the number of
/// states of each smaller distance.
///
/// # Errors
/// [`GenError::Index`] when the states cannot be numbered; [`GenError::Memory`];
/// [`GenError::Interrupted`] when cancelled.
pub(crate) fn coloured_table(
    key: &ColourKey,
    workers: Workers<'_>,
) -> Result<(Words, Vec<u64>), GenError> {
    let index = ColourIndex::new(key)?;
    let states = index.entry_count() as usize;
    let mut board = Side::new(key.shape, states)?;
    let mut transposed = Side::new(key.shape.transposed(), states)?;
    let last_class = index.radices().len().checked_sub(1);
    let choices = last_class.map_or(Vec::new(), |class| {
        (0..index.radices()[class]).map(|rank| index.choice(class, rank)).collect()
    });

    let turn = |class: &CellSet| CellSet(board.turn.set(class.0));
    let turned: Vec<CellSet> = key.classes().iter().map(turn).collect();
    let goal = ColourState::new(key.blank, key.classes());
    let turned = ColourState::new(board.turn.cells.cell(key.blank), &turned);
    let cell_count = key.shape.cell_count();
    for (side, goal) in [(&mut board, goal), (&mut transposed, turned)] {
        let sequence = index.rank(&goal) as usize / cell_count;
        let goal = usize::from(goal.blank) * side.block_len + sequence;
        side.arrays().into_iter().for_each(|array| array[goal] = 1);
    }

    // Counts both distances of each state.
    let (mut done, total) = (2, 2 * states as u64);
    for level in 2.. {
        let value = u32::from(level) - 2;
        workers.monitor.event(Event::Level { level: value, done: done / 2, total: total / 2 });
        workers.monitor.check_cancelled()?;
        if done == total {
            break;
        }
        board.slide(level, workers)?;
        transposed.slide(level, workers)?;
        let copy = |from: &Side, to: &mut Side| {
            let copying = Copying { index: &index, turn: &from.turn, choices: &choices, level };
            copying.run(from, to, workers)
        };
        let found = copy(&board, &mut transposed)? + copy(&transposed, &mut board)?;
        assert!(found > 0 && level < u8::MAX, "slides lead everywhere, and soon");
        done += found;
    }

    workers.monitor.event(Event::Pack);
    // The transposed side has done its work, so the entries take its place.
    let block_len = board.block_len;
    let [own, other] = board.arrays();
    let [entries, _] = transposed.arrays();
    let parts = entries.chunks_mut(PART * cell_count).enumerate();
    let counts = map_in_threads(workers.thread_count, parts, |(part, entries)| {
        workers.monitor.check_cancelled()?;
        let mut counts = [0; slides::VALUE_END];
        for blank in 0..cell_count {
            let start = blank * block_len + part * PART;
            let distances = own[start..].iter().zip(&other[start..]);
            let entries = entries[blank..].iter_mut().step_by(cell_count);
            for (entry, (&own, &other)) in entries.zip(distances) {
                *entry = slides::pack(own - 1, other - 1);
                counts[usize::from(slides::smaller(*entry))] += 1;
            }
        }
        Ok::<_, GenError>(counts)
    })?;
    let mut histogram = vec![0; slides::VALUE_END];
    for (value, count) in counts.iter().flat_map(|counts| counts.iter().enumerate()) {
        histogram[value] += count;
    }
    histogram.truncate(histogram.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1));
    Ok((transposed.own, histogram))
}
