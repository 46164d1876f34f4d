//! Sets of boards by name: Korf's, and random ones.

use pdb_core::{BLANK, Board, Goal, Shape};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::Error;

/// R. E. Korf's boards, from "Depth-first iterative-deepening", 1985; the file says more.
const KORF100: &str = include_str!("../data/korf100_15puzzle.txt");

/// Boards that are to be solved to one goal.
#[derive(Clone, Debug)]
pub struct BoardSet {
    /// What they are called.
    pub name: String,
    /// Where they lead.
    pub goal: Goal,
    /// All of one shape, the goal's.
    pub boards: Vec<Board>,
}

/// The name of Korf's boards.
const KORF100_NAME: &str = "korf100";
/// The first word of a random set's name.
const RANDOM: &str = "random";
/// More boards are a mistake, or too many to wait for.
pub const BOARDS_MAX: usize = 1_000_000;

impl BoardSet {
    /// Whether a text names a set, though perhaps wrongly.
    pub fn is_name(text: &str) -> bool {
        text.trim() == KORF100_NAME || text.trim().split(':').next() == Some(RANDOM)
    }

    /// The set of a name: `korf100`, or `random:N:SEED` for N random boards with a goal.
    ///
    /// # Errors
    /// [`Error::Set`] says what was expected.
    pub fn named(name: &str, goal: &Goal) -> Result<Self, Error> {
        let name = name.trim();
        if name == KORF100_NAME {
            return Ok(Self::korf100());
        }
        let expected = |expected| Error::Set { found: name.to_owned(), expected };
        let mut parts = name.split(':').map(|part| part.parse::<u64>().ok());
        let (Some(None), Some(Some(count)), Some(Some(seed)), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(expected("expected random:N:SEED, such as random:100:1, or korf100"));
        };
        if !(1..=BOARDS_MAX as u64).contains(&count) {
            return Err(expected("expected 1 to 1000000 boards"));
        }
        Ok(Self::random(goal, count as usize, seed))
    }

    /// R. E. Korf's hundred random boards of the 15-puzzle, with the blank first at the goal.
    pub fn korf100() -> Self {
        let shape = Shape::new(4, 4).expect("4x4 is a shape");
        let board = |line: &str| {
            // A number, the cells, and what is known of the board.
            let cells = line.split_whitespace().skip(1).take(shape.cell_count());
            let tiles: Vec<u8> = cells.filter_map(|cell| cell.parse().ok()).collect();
            Board::new(shape, &tiles).expect("the file holds boards")
        };
        let lines = KORF100.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        Self {
            name: KORF100_NAME.to_owned(),
            goal: Goal::blank_first(shape),
            boards: lines.map(board).collect(),
        }
    }

    /// So many boards, drawn evenly and independently from all that can be solved. The same seed
    /// gives the same boards on every machine.
    pub fn random(goal: &Goal, count: usize, seed: u64) -> Self {
        let mut numbers = ChaCha8Rng::seed_from_u64(seed);
        let mut below =
            |end: usize| ((u128::from(numbers.next_u64()) * end as u128) >> 64) as usize;
        let shape = goal.shape();
        let board = |_| {
            let mut tiles: Vec<u8> = (0..shape.cell_count() as u8).collect();
            for i in (1..tiles.len()).rev() {
                tiles.swap(i, below(i + 1));
            }
            let board = Board::new(shape, &tiles).expect("a permutation is a board");
            if goal.check_solvable(&board).is_ok() {
                return board;
            }
            // To exchange two tiles changes the parity, and makes one board of another one each.
            let mut cells = (0..tiles.len()).filter(|&cell| tiles[cell] != BLANK);
            let (a, b) = cells.next().zip(cells.next()).expect("a board has three tiles at least");
            tiles.swap(a, b);
            Board::new(shape, &tiles).expect("a permutation is a board")
        };
        Self {
            name: format!("random:{count}:{seed}"),
            goal: *goal,
            boards: (0..count).map(board).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn korfs_boards_are_a_hundred_and_can_be_solved() {
        let BoardSet { goal, boards, .. } = BoardSet::korf100();
        assert_eq!(boards.len(), 100);
        assert!(boards.iter().all(|board| goal.check_solvable(board).is_ok()));
        assert_eq!(goal.manhattan_distance(&boards[0]), 41);
    }

    #[test]
    fn random_boards_depend_on_the_seed_alone_and_can_be_solved() {
        let goal = Goal::blank_last(Shape::new(4, 4).unwrap());
        let [a, b, c] = [1, 1, 2].map(|seed| BoardSet::random(&goal, 50, seed).boards);
        assert_eq!(a, b);
        assert_ne!(a, c);
        assert!(a.iter().all(|board| goal.check_solvable(board).is_ok()));
        // These will stay: measurements name them by their seed.
        assert_eq!(a[0].to_string(), "10 13 11 0/5 12 9 15/14 4 7 3/2 8 1 6");
    }

    #[test]
    fn random_boards_are_drawn_evenly() {
        // All 12 boards of 2x2 that can be solved, each about 1,000 times.
        let goal = Goal::blank_last(Shape::new(2, 2).unwrap());
        let mut counts = std::collections::BTreeMap::new();
        for board in BoardSet::random(&goal, 12_000, 3).boards {
            *counts.entry(board.to_string()).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 12);
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
