//! The boards of a comparison.

use pdb_core::{BLANK, Board, Goal, Shape};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// R. E. Korf's boards, from "Depth-first iterative-deepening", 1985; the file says more.
const KORF100: &str = include_str!("../../../tests/data/korf100_15puzzle.txt");

/// Boards that are to be solved to one goal.
#[derive(Clone, Debug)]
pub struct Boards {
    /// What they are called.
    pub name: String,
    /// Where they lead.
    pub goal: Goal,
    /// All of one shape, the goal's.
    pub boards: Vec<Board>,
}

impl Boards {
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
            name: "korf100".to_owned(),
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
        let Boards { goal, boards, .. } = Boards::korf100();
        assert_eq!(boards.len(), 100);
        assert!(boards.iter().all(|board| goal.check_solvable(board).is_ok()));
        assert_eq!(goal.manhattan_distance(&boards[0]), 41);
    }

    #[test]
    fn random_boards_depend_on_the_seed_alone_and_can_be_solved() {
        let goal = Goal::blank_last(Shape::new(4, 4).unwrap());
        let [a, b, c] = [1, 1, 2].map(|seed| Boards::random(&goal, 50, seed).boards);
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
        for board in Boards::random(&goal, 12_000, 3).boards {
            *counts.entry(board.to_string()).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 12);
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
