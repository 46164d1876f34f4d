//! The lower bound on moves along one axis.

use pdb_core::{Goal, Shape};
use pdb_lab::heuristics::InversionAxis;

/// Computes the bound for moves that pass a number of tiles, for as many lines as the largest board
/// has.
fn axis(passed: usize) -> InversionAxis {
    let line_len = passed + 1;
    let goal = Goal::blank_last(Shape::new(36 / line_len, line_len).unwrap());
    let [vertical, _] = InversionAxis::both(&goal);
    vertical
}

#[test]
fn bound_is_the_fewest_changes_that_add_up_to_the_inversions() {
    for passed in 1..=17usize {
        // A move past p tiles of which k are smaller changes the inversions by p - 2 k.
        let changes: Vec<usize> = (0..=passed).step_by(2).map(|k| passed - k).collect();
        let mut fewest = vec![u32::MAX; 200];
        fewest[0] = 0;
        // Inversions may also grow in between, so repeat until nothing changes.
        loop {
            let before = fewest.clone();
            for (inversions, fewest) in fewest.iter_mut().enumerate() {
                for &change in &changes {
                    for other in [inversions.checked_sub(change), Some(inversions + change)] {
                        let known = other.and_then(|other| before.get(other));
                        let through = known.map_or(u32::MAX, |moves| moves.saturating_add(1));
                        *fewest = through.min(*fewest);
                    }
                }
            }
            if fewest == before {
                break;
            }
        }
        let axis = axis(passed);
        for (inversions, &fewest) in fewest.iter().enumerate().take(100) {
            // If every move keeps the parity, an odd number cannot occur.
            if passed % 2 == 0 && inversions % 2 == 1 {
                assert_eq!(fewest, u32::MAX);
            } else {
                assert_eq!(axis.bound(inversions as i16), fewest, "{inversions} past {passed}");
            }
        }
    }
}
