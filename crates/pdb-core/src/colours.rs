//! Coloured tables: their keys, and the numbers of their states.
//!
//! A colouring divides the tiles into classes, and tiles of one class are equal. A state is the
//! blank's cell, and the cells of each class. For boards in which a slide of several tiles is one
//! move, such a table tells more than a pattern table: slides move tiles of several patterns at
//! once, so patterns do not add up there, but a coloured table counts all tiles.

pub use crate::index::CLASSES_MAX;
use crate::index::{CellSetRank, set_of_rank};
use crate::{Cell, CellSet, IndexError, Shape, Symmetry, binomial};

/// Key of a coloured table: everything its entries depend on.
///
/// Classes have no names: the larger one, or of equal ones that with the later first cell, comes
/// later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColourKey {
    /// The board's shape.
    pub shape: Shape,
    /// The blank's home.
    pub blank: Cell,
    /// Home cells of each class; empty after the last one.
    classes: [CellSet; CLASSES_MAX],
}

impl ColourKey {
    /// Creates the key of classes of tiles, each by the homes of its tiles, for a goal with the
    /// blank at `blank`.
    ///
    /// # Errors
    /// [`IndexError::ClassCount`] unless there are 1 to [`CLASSES_MAX`] classes;
    /// [`IndexError::NoEqualTiles`] if no class has two tiles, so that parity forbids half of the
    /// states.
    ///
    /// # Panics
    /// When the classes do not cover all cells but the blank's home exactly once, or one is empty.
    pub fn new(shape: Shape, blank: Cell, classes: &[CellSet]) -> Result<Self, IndexError> {
        let cells: u32 = classes.iter().map(|class| class.0.count_ones()).sum();
        let all =
            classes.iter().fold(CellSet::single(blank), |all, class| CellSet(all.0 | class.0));
        assert!(cells as usize + 1 == shape.cell_count() && all == shape.all_cells());
        assert!(classes.iter().all(|class| !class.is_empty()), "a class has a tile");
        if classes.is_empty() || classes.len() > CLASSES_MAX {
            return Err(IndexError::ClassCount { found: classes.len() });
        }
        if classes.iter().all(|class| class.len() < 2) {
            return Err(IndexError::NoEqualTiles);
        }
        let mut sorted = [CellSet(0); CLASSES_MAX];
        sorted[..classes.len()].copy_from_slice(classes);
        sorted[..classes.len()].sort_unstable_by_key(|class| (class.len(), class.first()));
        Ok(Self { shape, blank, classes: sorted })
    }

    /// Returns the home cells of each class, in the order of their numbers.
    pub fn classes(&self) -> &[CellSet] {
        let count = self.classes.iter().take_while(|class| !class.is_empty()).count();
        &self.classes[..count]
    }

    /// Returns the number of a cell's class; `None` for the blank's home.
    pub fn class_of(&self, home: Cell) -> Option<usize> {
        self.classes().iter().position(|class| class.contains(home))
    }

    /// Returns the canonical key of all symmetric images of this colouring, and the symmetry that
    /// leads to it: the widest image, of these the one with the blank at the largest cell, then
    /// the largest classes.
    pub fn canonical(&self) -> (Self, Symmetry) {
        let image = |s: &Symmetry| {
            let classes: Vec<CellSet> = self.classes().iter().map(|&class| s.set(class)).collect();
            let key = Self::new(s.to_shape(), s.cell(self.blank), &classes);
            key.expect("an image has the same classes")
        };
        let key = |image: &Self| (image.shape.cols(), image.blank, image.classes);
        Symmetry::to_largest(self.shape, image, key)
    }

    /// Returns the number of states, or `None` if it exceeds 64 bits.
    pub fn entry_count(&self) -> Option<u64> {
        let mut left = self.shape.cell_count() - 1;
        let mut count = self.shape.cell_count() as u64;
        for class in self.classes() {
            count = count.checked_mul(binomial(left, class.len()))?;
            left -= class.len();
        }
        Some(count)
    }

    /// Returns the classes as letters in the order of cells, `_` for the blank's home. A class that
    /// is met first has the first letter.
    pub fn letters(&self) -> String {
        let letter = |cell| {
            let Some(class) = self.class_of(cell) else { return '_' };
            let first = self.classes()[class].first();
            let before = self.classes().iter().filter(|other| other.first() < first).count();
            char::from(b'a' + before as u8)
        };
        self.shape.all_cells().iter().map(letter).collect()
    }
}

/// Numbers of the states of a coloured table.
///
/// The *sequence* of a state is the order of its classes, read row by row without the blank. The
/// number of a sequence has a digit for each class but the last: the colexicographic rank of its
/// places among those that the classes before leave free. A rank is a sum of one table value per
/// eight places. The last digit of a state's number is the blank's cell. A slide within a row keeps
/// the sequence, so the states that it leads to are neighbours.
#[derive(Clone, Debug)]
pub struct ColourIndex {
    cell_count: usize,
    /// For each class but the last, the number of choices of its cells.
    radices: Vec<u64>,
    sizes: Vec<usize>,
    /// The ranks of sets of places.
    ranks: CellSetRank,
    /// `close_up[free * 256 + class]`: bits of `class` at the places of `free`, closed up.
    close_up: Vec<u8>,
    /// `open_up[free * 256 + closed]`: the bits of `class` again.
    open_up: Vec<u8>,
}

/// A coloured state: the blank's cell, and the cells of each class but the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColourState {
    /// The blank's cell.
    pub blank: Cell,
    /// The cells of each class but the last.
    pub classes: [u64; CLASSES_MAX - 1],
}

impl ColourState {
    /// Creates the state of a blank and the cells of all classes, in their order.
    pub fn new(blank: Cell, classes: &[CellSet]) -> Self {
        let mut state = Self { blank, classes: [0; CLASSES_MAX - 1] };
        for (class, cells) in state.classes.iter_mut().zip(&classes[..classes.len() - 1]) {
            *class = cells.0;
        }
        state
    }

    /// Returns the state after the tile at `from` moves into the blank beside it.
    #[inline]
    #[must_use]
    pub fn moved(&self, from: Cell) -> Self {
        let (both, mut state) = (1 << from | 1 << self.blank, *self);
        for class in &mut state.classes {
            // The cells of at most one class change.
            *class ^= if *class >> from & 1 == 1 { both } else { 0 };
        }
        state.blank = from;
        state
    }
}

impl ColourIndex {
    /// Creates the index of the states of a key.
    ///
    /// # Errors
    /// Those of [`check`](Self::check).
    pub fn new(key: &ColourKey) -> Result<Self, IndexError> {
        let cell_count = key.shape.cell_count();
        let sizes: Vec<usize> = key.classes().iter().map(|class| class.len()).collect();
        let radices = Self::radices_of(key)?;
        let ranks = CellSetRank::new(cell_count, cell_count);
        let (mut close_up, mut open_up) = (vec![0; 1 << 16], vec![0; 1 << 16]);
        for free in 0..256usize {
            for bits in 0..256usize {
                let places = (0..8).filter(|place| free >> place & 1 == 1).enumerate();
                let closed = places.clone().map(|(closed, place)| (bits >> place & 1) << closed);
                close_up[free * 256 + bits] = closed.sum::<usize>() as u8;
                let open = places.map(|(closed, place)| (bits >> closed & 1) << place);
                open_up[free * 256 + bits] = open.sum::<usize>() as u8;
            }
        }
        Ok(Self { cell_count, radices, sizes, ranks, close_up, open_up })
    }

    /// Checks that the states of a key can be numbered.
    ///
    /// # Errors
    /// [`IndexError::TooManyStates`] when a class has 2^32 choices of cells or the table 2^48
    /// entries.
    pub fn check(key: &ColourKey) -> Result<(), IndexError> {
        Self::radices_of(key).map(|_| ())
    }

    /// Returns the number of choices of the cells of each class but the last.
    fn radices_of(key: &ColourKey) -> Result<Vec<u64>, IndexError> {
        let is_small = key.entry_count().is_some_and(|count| count < 1 << 48);
        let mut left = key.shape.cell_count() - 1;
        let (_, classes) = key.classes().split_last().expect("there is a class");
        let radix = |class: &CellSet| {
            let choices = binomial(left, class.len());
            left -= class.len();
            Some(choices).filter(|&choices| is_small && u32::try_from(choices).is_ok())
        };
        let radices: Option<Vec<u64>> = classes.iter().map(radix).collect();
        radices.ok_or(IndexError::TooManyStates { shape: key.shape })
    }

    /// Returns the number of states.
    pub fn entry_count(&self) -> u64 {
        self.radices.iter().product::<u64>() * self.cell_count as u64
    }

    /// Returns the number of choices of the cells of each class but the last.
    pub fn radices(&self) -> &[u64] {
        &self.radices
    }

    /// Returns all cells but one.
    pub fn all_but(&self, blank: Cell) -> u64 {
        (u64::MAX >> (64 - self.cell_count)) & !(1 << blank)
    }

    /// Returns the number of a state.
    #[inline]
    pub fn rank(&self, state: &ColourState) -> u64 {
        let mut free = self.all_but(state.blank);
        let mut number = 0;
        for (radix, &class) in self.radices.iter().zip(&state.classes) {
            number = number * radix + u64::from(self.rank_among(class, free));
            free &= !class;
        }
        number * self.cell_count as u64 + u64::from(state.blank)
    }

    /// Returns the colexicographic rank of the cells `class` among the cells `free`.
    #[inline]
    pub fn rank_among(&self, class: u64, free: u64) -> u32 {
        let close = |byte: usize| {
            let (free, class) = (free >> (8 * byte) & 255, class >> (8 * byte) & 255);
            (u64::from(self.close_up[(free * 256 + class) as usize]), free.count_ones())
        };
        let bytes = self.cell_count.div_ceil(8);
        let (mut closed, mut width) = close(0);
        for byte in 1..bytes {
            let (bits, count) = close(byte);
            closed |= bits << width;
            width += count;
        }
        self.rank_of(closed)
    }

    /// Returns the colexicographic rank of a set of places.
    #[inline]
    pub fn rank_of(&self, places: u64) -> u32 {
        self.ranks.rank_of_any(places)
    }

    /// Returns the state with a number below [`entry_count`](Self::entry_count).
    pub fn unrank(&self, number: u64) -> ColourState {
        let mut digits = [0; CLASSES_MAX - 1];
        let blank = (number % self.cell_count as u64) as Cell;
        let mut rest = number / self.cell_count as u64;
        for (place, radix) in self.radices.iter().enumerate().rev() {
            digits[place] = rest % radix;
            rest /= radix;
        }
        let mut free = self.all_but(blank);
        let mut classes = [0; CLASSES_MAX - 1];
        for (nth, class) in classes.iter_mut().enumerate().take(self.radices.len()) {
            *class = self.among(self.choice(nth, digits[nth]), free);
            free &= !*class;
        }
        ColourState { blank, classes }
    }

    /// Returns the places of a class among the cells that the classes before leave free, for a rank
    /// below its [radix](Self::radices).
    pub fn choice(&self, class: usize, rank: u64) -> u64 {
        set_of_rank(self.cell_count, self.sizes[class], rank).0
    }

    /// Returns the cells of `free` whose places among them are in `places`.
    #[inline]
    pub fn among(&self, mut places: u64, free: u64) -> u64 {
        let mut cells = 0;
        for byte in 0..self.cell_count.div_ceil(8) {
            let free = free >> (8 * byte) & 255;
            let open = self.open_up[(free * 256 + (places & 255)) as usize];
            cells |= u64::from(open) << (8 * byte);
            places >>= free.count_ones();
        }
        cells
    }
}
