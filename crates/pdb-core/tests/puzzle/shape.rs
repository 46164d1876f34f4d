//! Shapes and sets of cells.

use std::str::FromStr;

use pdb_core::{BoardError, CELLS_MAX, CellSet, Shape};

use crate::plain::{shape, shapes, touch};

#[test]
fn a_shape_has_2_to_64_cells() {
    for (rows, cols) in [(0, 0), (1, 1), (1, 65), (65, 1), (0, 9), (8, 9), (2, 33), (usize::MAX, 2)]
    {
        let error = Shape::new(rows, cols).unwrap_err();
        assert_eq!(error, BoardError::Shape { rows, cols });
    }
    for rows in 1..=CELLS_MAX {
        for cols in 1 + usize::from(rows == 1)..=CELLS_MAX / rows {
            let shape = shape(rows, cols);
            assert_eq!((shape.rows(), shape.cols()), (rows, cols));
            assert_eq!(shape.cell_count(), rows * cols);
            assert_eq!(shape.to_string(), format!("{rows}x{cols}"));
            assert_eq!(shape.to_string().parse(), Ok(shape));
            assert_eq!(shape.transposed(), self::shape(cols, rows));
            assert_eq!(shape.is_line(), rows.min(cols) == 1);
        }
    }
}

#[test]
fn cells_count_row_by_row() {
    for shape in shapes() {
        let mut next = 0;
        for row in 0..shape.rows() {
            for col in 0..shape.cols() {
                assert_eq!(shape.cell(row, col), next);
                assert_eq!(shape.row_col(next), (row, col));
                next += 1;
            }
        }
        assert_eq!(usize::from(next), shape.cell_count());
        assert!(shape.all_cells().iter().eq(0..next));
    }
}

#[test]
fn neighbours_are_the_cells_at_distance_1() {
    let lines = [shape(1, 2), shape(2, 1), shape(1, 64), shape(64, 1)];
    for shape in shapes().chain(lines) {
        for a in shape.all_cells().iter() {
            let near = shape.all_cells().iter().filter(|&b| touch(shape, a, b));
            assert_eq!(shape.neighbours(a), near.collect(), "{shape} cell {a}");
            for b in shape.all_cells().iter() {
                assert_eq!(shape.distance(a, b) == 1, touch(shape, a, b));
                assert_eq!(shape.distance(a, b), shape.distance(b, a));
            }
        }
    }
}

#[test]
fn a_set_grows_by_the_neighbours_of_its_cells() {
    for shape in [shape(2, 3), shape(3, 3), shape(4, 3), shape(1, 9), shape(9, 1)] {
        for mask in 0..1 << shape.cell_count() {
            let set = CellSet(mask);
            let grown =
                set.iter().fold(set, |grown, cell| CellSet(grown.0 | shape.neighbours(cell).0));
            assert_eq!(shape.grown(set), grown, "{shape} {mask:b}");
        }
    }
}

#[test]
fn cell_sets_have_the_operations_of_sets() {
    let set: CellSet = [35, 3, 17, 3].into_iter().collect();
    assert_eq!(set.len(), 3);
    assert!(set.iter().eq([3, 17, 35]));
    assert_eq!([0, 3, 4, 17, 35].map(|cell| set.position(cell)), [0, 0, 1, 1, 2]);
    assert!(set.contains(35) && !set.contains(34));
    assert_eq!(set.first(), Some(3));
    assert!(set.without([3, 4].into_iter().collect()).iter().eq([17, 35]));
    assert!(CellSet::EMPTY.is_empty() && !set.is_empty());
    assert_eq!(CellSet::EMPTY.first(), None);
    assert_eq!(CellSet::single(9), CellSet(512));
}

#[test]
fn a_size_is_read_as_rows_and_columns() {
    for text in ["3x4", "3X4", "3×4", "3 x 4", " 3x4\n", "03x04"] {
        assert_eq!(Shape::from_str(text), Ok(shape(3, 4)), "{text}");
    }
    for text in ["", "4", "x", "4x", "x4", "3x4x5", "3*4", "-3x4", "3,4", "3x+4", "three x four"] {
        let expected = format!("\"{text}\" is no size: expected rows and columns, such as 4x4");
        assert_eq!(Shape::from_str(text).unwrap_err().to_string(), expected);
    }
    let long = Shape::from_str(&"\u{1b}".repeat(1000)).unwrap_err();
    assert_eq!(long, BoardError::Size { text: "\u{fffd}".repeat(20) + "..." });
    for (text, rows, cols) in
        [("1x1", 1, 1), ("9x8", 9, 8), ("2x99999999999999999999", 2, usize::MAX)]
    {
        assert_eq!(Shape::from_str(text), Err(BoardError::Shape { rows, cols }));
    }
}
