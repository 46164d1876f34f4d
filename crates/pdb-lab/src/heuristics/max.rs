//! The maximum of several heuristics.

use std::sync::Arc;

use pdb_core::{Board, Estimator, Expansion, Memo, NOTES_MAX, RootError, Slide};

/// Largest number of parts of a maximum.
pub(crate) const PARTS_MAX: usize = 4;

/// The maximum of several estimates: admissible if all are, and consistent if all are.
///
/// Its notes are the memos of its parts, one after another.
#[derive(Debug)]
pub struct Max<'a> {
    parts: Vec<MaxPart<'a>>,
}

#[derive(Debug)]
struct MaxPart<'a> {
    heuristic: Arc<dyn Estimator + 'a>,
    /// The position of its memo among the notes: the estimate, then its own notes. A part without a
    /// position computes its memo from the board each time.
    place: Option<usize>,
}

impl MaxPart<'_> {
    /// Returns the number of notes that its memo takes.
    fn len(&self) -> usize {
        1 + self.heuristic.note_count()
    }

    /// Returns its memo of a board.
    fn memo(&self, board: &Board, whole: &Memo) -> Memo {
        match self.place {
            Some(place) => {
                let kept = &whole.notes[place..][..self.len()];
                Memo::new(u32::from(kept[0] as u16), &kept[1..])
            }
            // A damaged table counts as 0.
            None => self.heuristic.root(board).unwrap_or(NOTHING),
        }
    }

    /// Stores its memo in that of the maximum.
    fn keep(&self, whole: &mut Memo, memo: &Memo) {
        whole.estimate = whole.estimate.max(memo.estimate);
        if let Some(place) = self.place {
            let kept = &mut whole.notes[place..][..self.len()];
            kept[0] = memo.estimate.try_into().unwrap_or(u16::MAX) as i16;
            kept[1..].copy_from_slice(&memo.notes[..self.len() - 1]);
        }
    }
}

/// The memo of no part.
const NOTHING: Memo = Memo { estimate: 0, notes: [0; NOTES_MAX] };

impl<'a> Max<'a> {
    /// Makes the maximum of some heuristics.
    pub fn new(heuristics: Vec<Arc<dyn Estimator + 'a>>) -> Self {
        let mut used = 0;
        let part = |heuristic: Arc<dyn Estimator + 'a>| {
            let mut part = MaxPart { heuristic, place: None };
            if used + part.len() <= NOTES_MAX {
                part.place = Some(used);
                used += part.len();
            }
            part
        };
        Self { parts: heuristics.into_iter().map(part).collect() }
    }
}

/// Returns the board before a move.
fn before(board: &Board, slide: Slide) -> Board {
    let mut before = *board;
    before.slide(slide.to, slide.from);
    before
}

impl Estimator for Max<'_> {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        let mut whole = NOTHING;
        for part in &self.parts {
            part.keep(&mut whole, &part.heuristic.root(board)?);
        }
        Ok(whole)
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        let (mut whole, before) = (NOTHING, before(board, slide));
        for part in &self.parts {
            let memo = part.heuristic.child(board, &part.memo(&before, parent), slide);
            part.keep(&mut whole, &memo);
        }
        whole
    }

    fn glance(&self, board: &Board, parent: &Memo, slide: Slide) -> Option<u32> {
        let before = before(board, slide);
        let bounds = self.parts.iter().map(|part| {
            let memo = part.memo(&before, parent);
            let bound = part.heuristic.glance(board, &memo, slide);
            bound.unwrap_or_else(|| part.heuristic.child(board, &memo, slide).estimate)
        });
        bounds.max()
    }

    /// Each part computes all children, together if that is faster.
    fn children(&self, parents: &[Expansion], memos: &mut [Memo]) {
        let (mut of_part, mut found) = (parents.to_vec(), memos.to_vec());
        memos.fill(NOTHING);
        for part in &self.parts {
            for (parent, whole) in of_part.iter_mut().zip(parents) {
                parent.memo = part.memo(&whole.board, &whole.memo);
            }
            part.heuristic.children(&of_part, &mut found);
            memos.iter_mut().zip(&found).for_each(|(memo, found)| part.keep(memo, found));
        }
    }

    /// Some part may have tables.
    fn waits(&self) -> bool {
        true
    }

    fn note_count(&self) -> usize {
        self.parts.iter().filter(|part| part.place.is_some()).map(MaxPart::len).sum()
    }

    fn lookups(&self) -> [u32; 2] {
        let all = self.parts.iter().map(|part| part.heuristic.lookups());
        all.fold([0, 0], |sum, more| [sum[0] + more[0], sum[1] + more[1]])
    }

    fn is_admissible(&self) -> bool {
        self.parts.iter().all(|part| part.heuristic.is_admissible())
    }
}
