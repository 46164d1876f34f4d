//! Random numbers that are the same on every machine.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use pdb_core::{Board, Direction, Goal};

/// Generator of random numbers that are the same on every machine.
#[derive(Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// Creates the generator from a seed.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Creates a generator for one of many items that share a seed, such as the boards of a
    /// training: the item `number` of the purpose `purpose`. Each item has random numbers of its
    /// own, so it is the same whichever items are made before it.
    pub fn of_item(seed: u64, purpose: u8, number: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8] = purpose;
        bytes[16..24].copy_from_slice(&number.to_le_bytes());
        Self(ChaCha8Rng::from_seed(bytes))
    }

    /// Returns a number below `end`, which must not be 0. The probabilities of the numbers differ
    /// by at most 2^-64.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.0.next_u64()) * end as u128) >> 64) as usize
    }

    /// Returns a number from 0 up to 1, without 1.
    pub fn unit(&mut self) -> f64 {
        // 53 bits, the precision of the fraction.
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a number from -1 up to 1, without 1.
    pub fn signed_unit(&mut self) -> f32 {
        // 24 bits, the precision of the fraction.
        (self.0.next_u64() >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    }

    /// Shuffles items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (2..=items.len()).rev() {
            items.swap(end - 1, self.below(end));
        }
    }

    /// Makes a random move on `board`, and returns it. All moves are equally likely, except the one
    /// that takes back `last`, which is made only at the end of a line, where there is no other.
    pub(super) fn step(&mut self, board: &mut Board, last: Option<Direction>) -> Direction {
        let undo = last.map(Direction::opposite);
        let mut moves: Vec<(Direction, Board)> = board.legal_moves().collect();
        if moves.len() > 1 {
            moves.retain(|(direction, _)| Some(*direction) != undo);
        }
        let (direction, next) = moves[self.below(moves.len())];
        *board = next;
        direction
    }

    /// Walks from the goal, and returns the moves and the last board. No move takes back the one
    /// before.
    pub fn walk(&mut self, goal: &Goal, steps: usize) -> (Vec<Direction>, Board) {
        let mut board = *goal.board();
        let mut moves = Vec::with_capacity(steps);
        for _ in 0..steps {
            let direction = self.step(&mut board, moves.last().copied());
            moves.push(direction);
        }
        (moves, board)
    }
}
