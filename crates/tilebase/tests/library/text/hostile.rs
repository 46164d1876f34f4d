//! Random bytes give a board or an error, without panic and in bounded memory.

use pdb_core::Board;
use pdb_oracle::Random;
use tilebase::text::{BoardReader, read_board};

use super::{cases, found, shape, shuffled};

fn random_text(random: &mut Random) -> String {
    const PARTS: [&str; 48] = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "10", "15", " ", " ", " ", "/", "\n", "\n",
        "\n\n", ",", ";", "|", "[", "[[", "]", "]]", "],[", "(", ")", "{", "\"", "'", "null", "x",
        "X", "-", "--", "+", "_", ".", "*", "□", "│", "─", "#", "\t", "\r\n", "é", "\u{0}",
    ];
    const WHOLE: [&str; 8] = [
        "1 2 3/4 5 6/7 8 0",
        "1 2 3\n4 5 6\n7 8 0\n",
        "1 2 3 0\n",
        "\n[[1,2],[3,0]]\n",
        "[[[1,2],[3,0]],\n[[0,1],[2,3]]]",
        "| 1 | 2 |\n|---|---|\n| 3 |   |\n",
        "fe169b4c0a73d852",
        "0 1 2 3\n4 5 6 7\n",
    ];
    let mut text = String::new();
    for _ in 0..random.below(40) {
        match random.below(16) {
            0 => text.push_str(WHOLE[random.below(WHOLE.len())]),
            1 => {
                let bytes: Vec<u8> = (0..8).map(|_| random.below(256) as u8).collect();
                text.push_str(&String::from_utf8_lossy(&bytes));
            }
            _ => text.push_str(PARTS[random.below(PARTS.len())]),
        }
    }
    text
}

#[test]
fn board_below_a_blank_line_is_found_after_any_text() {
    let mut random = Random::default();
    let good = "1 2 3\n4 5 6\n7 8 0";
    for _ in 0..cases(10_000) {
        let text = random_text(&mut random);
        for size in [None, Some(shape(3, 3))] {
            let found = found(BoardReader::new(size), &format!("{text}\n\n{good}\n"));
            // A number in the text may announce more boards, which is an error at the end.
            let last = found
                .iter()
                .rfind(|found| found.board.is_ok())
                .unwrap_or_else(|| panic!("{text:?}: {found:#?}"));
            // It may also be the side of a board, so that one of another size is an error.
            let is_side = |board: &Board| {
                size.is_none() && text.lines().any(|line| line.parse() == Ok(board.shape().rows()))
            };
            if !last.board.as_ref().is_ok_and(is_side) {
                assert_eq!(last.board, read_board(good, None), "{text:?}");
            }
        }
    }
}

#[test]
fn damaged_file_gives_no_other_board() {
    let mut random = Random::default();
    let sizes = [shape(2, 2), shape(2, 3), shape(3, 2), shape(3, 3), shape(2, 4), shape(4, 4)];
    let mut found_count = 0;
    for _ in 0..cases(20_000) {
        let size = sizes[random.below(sizes.len())];
        let boards: Vec<Board> = (0..4).map(|_| shuffled(&mut random, size, 50)).collect();
        let between = ["\n", "\n\n"][random.below(2)];
        let is_known = between == "\n" || random.below(2) == 0;
        let how = random.below(4);
        let texts: Vec<String> = boards
            .iter()
            .map(|board| match how {
                0 => board.to_string(),
                1 => format!("[[{}]]", board.to_string().replace(' ', ",").replace('/', "],\n[")),
                _ => board.to_string().replace('/', "\n"),
            })
            .collect();
        let text = texts.join(between);
        let mut lines: Vec<&str> = text.split('\n').collect();
        let at = random.below(lines.len());
        // If a whole line is missing, the file can be a good file of other boards.
        let noise = ["what", "no row", "1", "1 2/3", "{}", "# x", "0 0", "[", "[1,2", "7"];
        let noise = noise[random.below(noise.len())];
        if random.below(2) == 0 {
            lines.insert(at, noise);
        } else {
            lines[at] = if noise.starts_with('#') { "what" } else { noise };
        }
        let text = lines.join("\n");
        let found = found(BoardReader::new(is_known.then_some(size)), &text);
        // A number on the first line may be that of the boards. It is wrong, which is an error.
        if lines[0].parse::<usize>().is_ok() {
            assert!(found.iter().any(|found| found.board.is_err()), "{text}");
            continue;
        }
        for found in found {
            let Ok(board) = found.board else { continue };
            // With fewer rows, a text may be a smaller board, even if it is damaged. The
            // documentation says so.
            if board.shape() == size || is_known {
                assert!(boards.contains(&board), "{board}\n{text}");
                found_count += 1;
            }
        }
    }
    assert!(found_count > cases(10_000));
}

#[test]
fn long_repeated_texts_are_read_in_bounded_time() {
    let parts = r#"[ ] ( { " , / | - + 1 1, 1| 1/ a [1], [[ é □ # 0"#.split(' ');
    let blanks = [
        "1 ",
        "ab ",
        "\t",
        " ",
        "\n",
        "1\n",
        "1,\n",
        "\u{feff}",
        "1 2 3 0\n",
        "\r",
        "[[1,2],[3,0]]",
        "0 ",
        "0 1 2 3 4 5 6 7 8 ",
        "'a",
    ];
    for part in parts.chain(blanks) {
        let text = part.repeat((64 << 10) / part.len());
        for size in [None, Some(shape(4, 4))] {
            let _ = read_board(&text, size);
        }
        let _ = found(BoardReader::new(None), &text);
        let _ = found(BoardReader::new(Some(shape(2, 2))), &format!("[{text}"));
    }
}
