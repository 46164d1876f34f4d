//! Moves as letters.

use pdb_core::notation::{MoveStyle, format_moves, parse_moves};
use pdb_core::{CELLS_MAX, Direction, MoveError};
use proptest::prelude::{Strategy, any, proptest};

#[test]
fn moves_are_written_plainly_counted_or_as_the_blanks() {
    use Direction::{Down, Left, Right, Up};
    let moves = [Up, Up, Right, Down, Left, Left, Left];
    let style = |of_blank, counted| MoveStyle { of_blank, counted };
    assert_eq!(format_moves(&moves, style(false, false)), "UURDLLL");
    assert_eq!(format_moves(&moves, style(false, true)), "U2 R D L3");
    assert_eq!(format_moves(&moves, style(true, false)), "DDLURRR");
    assert_eq!(format_moves(&moves, style(true, true)), "D2 L U R3");
    assert_eq!(format_moves(&[], style(false, true)), "");
    assert_eq!(MoveStyle::default(), style(false, false));
}

#[test]
fn moves_are_read_with_any_spacing_case_and_count() {
    let expected = parse_moves("UURDLLL", false).unwrap();
    for text in ["u2rdl3", "U2, R, D, L3", "U1U1R1D01L3", " uu r\nd\tlll "] {
        assert_eq!(parse_moves(text, false).as_ref(), Ok(&expected), "{text:?}");
    }
    assert_eq!(parse_moves("", false), Ok(Vec::new()));
    assert_eq!(parse_moves("L36", true), Ok(vec![Direction::Right; CELLS_MAX]));
}

#[test]
fn a_character_that_is_no_move_is_shown_with_its_place() {
    for (text, found, place) in [
        ("UX", 'X', 2),
        ("2U", '2', 1),
        ("U 2R", '2', 3),
        ("U-2", '-', 2),
        ("é", 'é', 1),
        ("ddÜl", 'Ü', 3),
        ("RU٢", '٢', 3),
        ("LU37", 'U', 2),
        ("LU99999999999999999999999999", 'U', 2),
    ] {
        let error = parse_moves(text, false).unwrap_err();
        assert_eq!(error, MoveError::Letter { found, place }, "{text}");
        assert_eq!(
            error.to_string(),
            format!(
                "character {place} of the moves is '{found}': expected U, R, D or L, \
                 each with an optional count such as U2"
            )
        );
    }
}

fn any_moves() -> impl Strategy<Value = Vec<Direction>> {
    // Even all in one direction they are no longer than the largest count that is read.
    let runs = proptest::collection::vec((0..4usize, 1..6usize), 0..8);
    runs.prop_map(|runs| {
        let run = |(direction, len)| std::iter::repeat_n(Direction::ALL[direction], len);
        runs.into_iter().flat_map(run).collect()
    })
}

proptest! {
    #[test]
    fn any_text_is_moves_or_an_error(text in ".*") {
        let _ = parse_moves(&text, true);
    }

    #[test]
    fn written_moves_read_back(
        moves in any_moves(),
        of_blank in any::<bool>(),
        counted in any::<bool>(),
    ) {
        let text = format_moves(&moves, MoveStyle { of_blank, counted });
        assert_eq!(parse_moves(&text, of_blank), Ok(moves.clone()));
        assert_eq!(parse_moves(&text.to_lowercase().replace(' ', ""), of_blank), Ok(moves));
    }
}
