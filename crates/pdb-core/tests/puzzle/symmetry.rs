//! Symmetries of the board.

use std::collections::HashSet;

use pdb_core::{Goal, Symmetry};

use crate::plain::shapes;

#[test]
fn there_are_eight_different_symmetries_and_half_of_them_transpose() {
    for shape in shapes() {
        let all: Vec<_> = Symmetry::all(shape).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 8);
        assert_eq!(all[0], Symmetry::identity(shape));
        assert!(all[..4].iter().all(|s| s.to_shape() == shape));
        assert!(all[4..].iter().all(|s| s.to_shape() == shape.transposed()));
        assert!(all.iter().all(|s| s.from_shape() == shape));
    }
}

#[test]
fn symmetries_that_keep_a_cell_keep_the_shape_and_begin_with_the_identity() {
    for shape in shapes() {
        for cell in shape.all_cells().iter() {
            let kept: Vec<_> = Goal::in_order(shape, cell).mirrors().collect();
            assert_eq!(kept[0], Symmetry::identity(shape));
            for symmetry in Symmetry::all(shape) {
                let stays = symmetry.to_shape() == shape && symmetry.cell(cell) == cell;
                assert_eq!(kept.contains(&symmetry), stays);
            }
        }
    }
}

#[test]
fn symmetries_keep_distances() {
    for shape in shapes() {
        for symmetry in Symmetry::all(shape) {
            let to = symmetry.to_shape();
            assert_eq!(symmetry.set(shape.all_cells()), to.all_cells());
            for a in shape.all_cells().iter() {
                for b in shape.all_cells().iter() {
                    let far = to.distance(symmetry.cell(a), symmetry.cell(b));
                    assert_eq!(far, shape.distance(a, b));
                }
            }
        }
    }
}

#[test]
fn one_symmetry_after_another_is_a_symmetry_and_its_inverse_undoes_it() {
    for shape in shapes() {
        let all: HashSet<_> = Symmetry::all(shape).collect();
        for first in Symmetry::all(shape) {
            let inverse = first.inverse();
            assert_eq!(first.then(&inverse), Symmetry::identity(shape));
            assert_eq!(inverse.then(&first), Symmetry::identity(first.to_shape()));
            for second in Symmetry::all(first.to_shape()) {
                let both = first.then(&second);
                assert!(all.contains(&both));
                for cell in shape.all_cells().iter() {
                    assert_eq!(both.cell(cell), second.cell(first.cell(cell)));
                }
            }
        }
    }
}
