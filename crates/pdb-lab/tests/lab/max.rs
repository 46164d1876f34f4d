//! The maximum of several heuristics.

use std::sync::Arc;

use pdb_core::{Board, Direction, Estimator, Expansion, Goal, Memo, RootError, Shape, Slide};
use pdb_lab::heuristics::{Inversion, LastMoves, Max};
use pdb_search::Manhattan;

/// Manhattan distance with twenty notes, among them the cell of each tile.
#[derive(Debug)]
struct ManyNotes(Manhattan);

const WORDS: usize = 20;

impl ManyNotes {
    fn memo(&self, board: &Board) -> Memo {
        let mut notes = [7; WORDS];
        let cells = board.cells_by_tile().map(i16::from);
        notes[..16].copy_from_slice(&cells[..16]);
        Memo::new(self.0.root(board).unwrap().estimate, &notes)
    }
}

impl Estimator for ManyNotes {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(self.memo(board))
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        assert_eq!(parent.notes[usize::from(slide.tile)], i16::from(slide.from));
        assert_eq!(parent.notes[WORDS - 1], 7);
        self.memo(board)
    }

    fn note_count(&self) -> usize {
        WORDS
    }

    fn lookups(&self) -> [u32; 2] {
        [3, 4]
    }
}

#[test]
fn maximum_is_the_largest_part_with_and_without_room_for_notes() {
    let goal = Goal::blank_last(Shape::new(4, 4).unwrap());
    let wordy = || Arc::new(ManyNotes(Manhattan::new(&goal)));
    let parts: Vec<Arc<dyn Estimator>> = vec![
        Arc::new(Inversion::new(&goal)),
        wordy(),
        // There is no room for the notes of a second one.
        wordy(),
        Arc::new(LastMoves::new(&goal)),
    ];
    let largest = Max::new(parts.clone());
    assert_eq!(largest.note_count(), 3 + (1 + WORDS) + 2);
    assert_eq!(largest.lookups(), [3 + 3, 4 + 4]);
    let mut board = *goal.board();
    let mut memo = largest.root(&board).unwrap();
    for step in 0..500_usize {
        let direction = Direction::ALL[(step * step + step / 3) % 4];
        let Some(from) = direction.tile_cell(goal.shape(), board.blank()) else { continue };
        let slide = Slide { tile: board.tile(from), from, to: board.blank() };
        let mut expansion = Expansion::new(board, memo);
        expansion.ask(slide);
        board.slide(slide.from, slide.to);
        let mut together = [memo];
        largest.children(&[expansion], &mut together);
        let bound = largest.glance(&board, &memo, slide);
        memo = largest.child(&board, &memo, slide);
        let roots = parts.iter().map(|part| part.root(&board).unwrap().estimate);
        assert_eq!(Some(memo.estimate), roots.max(), "{board}");
        assert_eq!(together[0].estimate, memo.estimate);
        assert_eq!(together[0].notes, memo.notes);
        assert!(bound <= Some(memo.estimate));
    }
}
