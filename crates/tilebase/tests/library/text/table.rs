//! Columns of a table.

use pdb_core::{Board, Shape};
use pdb_oracle::Random;
use tilebase::text::{BoardReader, Columns, FoundBoard, TextErrorKind, read_board};

use super::{cases, found, reads, shape, shuffled};

const KORF100: &str = include_str!("../../../../tilebase/data/korf100_15puzzle.txt");
const KORF50: &str = include_str!("../../../../tilebase/data/korf50_24puzzle.txt");

fn any() -> BoardReader {
    BoardReader::new(None)
}

fn of(columns: &str, shape: Option<Shape>) -> BoardReader {
    BoardReader::of_table(columns.parse().expect("columns"), shape).expect("columns of a board")
}

/// Returns the boards of one of Korf's files, parsed in another way.
fn korf(text: &str, cell_count: usize) -> Vec<(u64, String)> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#'));
    let board = |line: &str| {
        let cells: Vec<&str> = line.split(' ').skip(1).take(cell_count).collect();
        let rows: Vec<String> = cells.chunks(cell_count.isqrt()).map(|row| row.join(" ")).collect();
        rows.join("/")
    };
    lines.map(|(number, line)| (number, board(line))).collect()
}

/// Returns each line of the file with the board that a reader finds on it.
fn read(reader: BoardReader, text: &str) -> Vec<(u64, String)> {
    let pair = |found: FoundBoard| (found.first_line, found.board.expect("a board").to_string());
    found(reader, text).into_iter().map(pair).collect()
}

#[test]
fn korfs_tables_are_read_as_they_are() {
    for (text, cells) in [(KORF100, 16), (KORF50, 25)] {
        let expected = korf(text, cells);
        assert_eq!(expected.len(), if cells == 16 { 100 } else { 50 });
        let side = cells.isqrt();
        assert_eq!(read(any(), text), expected);
        assert_eq!(read(BoardReader::new(Some(shape(side, side))), text), expected);
        assert_eq!(read(of(&format!("2..{}", cells + 1), None), text), expected);
        assert_eq!(read(any(), &text.replace(' ', "\t")), expected);
        assert_eq!(read(any(), &text.replace(' ', ", ")), expected);
        assert_eq!(read(any(), &text.replace(' ', ";").replace('\n', "\r\n")), expected);
        // Each line is enough by itself, because two of its numbers cannot belong to the board.
        // Only the number 25 before the cells of a 24-puzzle makes a 2x13 board of the line.
        for (line, board) in text.lines().filter(|line| !line.starts_with('#')).zip(&expected) {
            if cells == 25 && line.starts_with("25 ") {
                assert!(found(any(), line)[0].board.is_err());
            } else {
                assert_eq!(read(any(), line), [(1, board.1.clone())], "{line}");
            }
        }
    }
}

#[test]
fn numbered_boards_are_read_from_three_lines_on() {
    let short = |columns: usize, count: usize| -> String {
        let line = |line: &str| line.split(' ').take(columns).collect::<Vec<_>>().join(" ");
        let lines = KORF100.lines().filter(|line| !line.starts_with('#')).take(count);
        lines.map(line).collect::<Vec<_>>().join("\n")
    };
    let expected: Vec<_> = (1..).zip(korf(KORF100, 16)).map(|(at, (_, b))| (at, b)).collect();
    assert_eq!(read(any(), &short(17, 100)), expected);
    assert_eq!(read(any(), &short(17, 3)), expected[..3]);
    // The length is not a tile of the board.
    assert_eq!(read(any(), &short(18, 2)), expected[..2]);
    assert_eq!(read(any(), &short(17, 2)), expected[..2]);
    for text in [short(17, 1), [short(17, 1), short(17, 1)].join("\n")] {
        let found = found(any(), &text);
        assert_eq!(found.len(), text.lines().count());
        for found in found {
            let error = found.board.expect_err("not certain").kind().clone();
            assert!(matches!(error, TextErrorKind::MayBeTable { second: None, .. }), "{error}");
        }
    }
}

#[test]
fn lines_that_are_no_table_show_their_columns() {
    let shown = |text: &str, first: usize, columns: &str| {
        let this = format!("this is no board, but its {columns} the board");
        let expected = [
            format!("{first}: {this} 8 6 7/2 5 4/3 0 1: if..."),
            format!("{}: {this} 1 2 3/4 5 6/0 7 8: if...", first + 1),
        ];
        reads(any(), text, &[&expected[0], &expected[1]]);
    };
    shown("1;867254301;31\n2;123456078;2", 1, "column 2 is");
    shown("Nr;Aufgabe;Zuege\n1;867254301;31\n2;123456078;2", 2, "column 2 is");
    // Names above boards are an error.
    reads(any(), "Nr;Name\n8 6 7/2 5 4/3 0 1", &["1: row...", "2: 8 6 7/2 5 4/3 0 1"]);
}

#[test]
fn any_number_may_be_beside_the_cells() {
    let boards = ["6 2 8 1 4 0 5 7 3", "8 6 5 2 4 7 3 1 0", "0 2 1 4 5 6 8 7 3"];
    for numbers in [[3, 2, 3], [8, 7, 6], [57, 3, 1], [3, 97, 98]] {
        let line = |(board, number)| format!("{board} {number}\n");
        let text: String = boards.iter().zip(numbers).map(line).collect();
        assert_eq!(read(any(), &text).len(), 3, "{numbers:?}");
    }
    // Among boards, such a line is a wrong board.
    let text = format!("{}\n{} 57\n{} 57", boards[0], boards[1], boards[2]);
    assert!(found(any(), &text)[1..].iter().all(|found| found.board.is_err()));
}

#[test]
fn names_of_columns_are_skipped() {
    let header = "id,r,s,t,u,v,w,x,y,z,length,time";
    let rows = "11,8,6,7,2,5,4,3,0,1,310,0.57\n12,1,2,3,4,5,6,7,0,8,10,0.01";
    let expected = ["2: 8 6 7/2 5 4/3 0 1", "3: 1 2 3/4 5 6/7 0 8"];
    reads(any(), &format!("{header}\n{rows}"), &expected);
    reads(of("2..10", None), &format!("{header}\n{rows}"), &expected);
    reads(
        of("2..10", None),
        &format!("# what it is\n\n{header}\n{rows}"),
        &["4: 8 6 7/2 5 4/3 0 1", "5: 1 2 3/4 5 6/7 0 8"],
    );
    // Names further down in the file are errors.
    let wrong = "2: row 1, column 1 holds \"r\"...";
    let text = format!("11,8,6,7,2,5,4,3,0,1,31,0.57\n{header}");
    reads(of("2..10", None), &text, &["1: 8 6 7/2 5 4/3 0 1", wrong]);
    // Letters are names if numbers follow, and a board if letters follow.
    reads(of("1..9", None), "a b c d e f g h i\n8 6 7 2 5 4 3 0 1", &["2: 8 6 7/2 5 4/3 0 1"]);
    let letters = ["1: 1 2 3/4 5 6/7 8 0", "2: 8 6 7/2 5 4/3 0 1"];
    reads(of("1..9", None), "a b c d e f g h .\nh f g b e d c . a", &letters);
    reads(of("1..9", None), "a b c d e f g h .", &letters[..1]);
}

#[test]
fn names_in_another_order_than_the_cells_are_refused() {
    let rows = "hard,8,6,7,2,5,4,3,0,1,310,0.57\neasy,1,2,3,4,5,6,0,7,8,20,0.01";
    let boards = ["2: 8 6 7/2 5 4/3 0 1", "3: 1 2 3/4 5 6/0 7 8"];
    let error = "rows are read without labels, and columns with names that number the cells...";
    let errors = [&*format!("2: {error}"), &format!("3: {error}")];
    for (names, expected) in [
        ("r1c1,r1c2,r1c3,r2c1,r2c2,r2c3,r3c1,r3c2,r3c3", boards),
        ("r1c1,r2c1,r3c1,r1c2,r2c2,r3c2,r1c3,r2c3,r3c3", errors),
        ("x0y0,x1y0,x2y0,x0y1,x1y1,x2y1,x0y2,x1y2,x2y2", boards),
        ("x0y0,x0y1,x0y2,x1y0,x1y1,x1y2,x2y0,x2y1,x2y2", errors),
        ("a11,a12,a13,a21,a22,a23,a31,a32,a33", boards),
        ("a11,a21,a31,a12,a22,a32,a13,a23,a33", errors),
        ("p0,p1,p2,p3,p4,p5,p6,p7,p8", boards),
        ("Cell_1,cell_2,cell_3,cell_4,cell_5,cell_6,cell_7,cell_8,cell_9", boards),
        ("p9,p8,p7,p6,p5,p4,p3,p2,p1", errors),
        ("t1,t2,t3,t4,t5,t6,t7,t8,t0", errors),
        ("t1,t2,t3,t4,t5,t6,t7,t8,blank", errors),
        ("A1,B1,C1,A2,B2,C2,A3,B3,C3", errors),
    ] {
        let table = format!("id,{names},length,time\n{rows}");
        reads(any(), &table, &expected);
        reads(of("2..10", None), &table, &expected);
    }
}

#[test]
fn named_columns_are_read_beside_any_others() {
    reads(of("2..10", None), "x 8 6 7 2 5 4 3 0 1", &["1: 8 6 7/2 5 4/3 0 1"]);
    // The blank in every form, and letters.
    reads(of("1..9", None), "8;6;7;2;5;4;3;;1;31", &["1: 8 6 7/2 5 4/3 0 1"]);
    reads(of("1..9", None), "8 6 7 2 5 4 3 . 1 31", &["1: 8 6 7/2 5 4/3 0 1"]);
    reads(of("1..9", None), "8 6 7 2 5 4 3 9 1 31", &["1: 8 6 7/2 5 4/3 0 1"]);
    reads(of("1..9", None), "\"8\",'6',7,2,5,4,3,0,1", &["1: 8 6 7/2 5 4/3 0 1"]);
    let size = Some(shape(2, 3));
    reads(of("2-7", size), "4 1 2 3 4 5 0\n5 3 2 1 4 5 0", &["1: 1 2 3/4 5 0", "2: 3 2 1/4 5 0"]);
    // A single column is a board in any notation.
    let rows = "id;board;length\n1;8 6 7/2 5 4/3 0 1;31\n2;867254301;31\n3;[8,6,7,2,5,4,3,0,1];31";
    let expected = ["2: 8 6 7/2 5 4/3 0 1", "3: 8 6 7/2 5 4/3 0 1", "4: 8 6 7/2 5 4/3 0 1"];
    reads(of("2", None), rows, &expected);
    reads(of("2", None), "1,\"8,6,7,2,5,4,3,0,1\",31", &["1: 8 6 7/2 5 4/3 0 1"]);
    reads(of("2", None), "1 867254301 31", &["1: 8 6 7/2 5 4/3 0 1"]);
}

#[test]
fn line_without_the_columns_is_its_own_error() {
    let good = "17 8 6 7 2 5 4 3 0 1 57 99";
    let text = format!("{good}\n18 8 6 7 2 5 4 3 0 8 57 99\n3 1 2\n{good}");
    reads(
        of("2..10", None),
        &text,
        &[
            "1: 8 6 7/2 5 4/3 0 1",
            "2: tile 8 stands at row 1, column 1 and again at row 3, column 3, and tile 1 is missing",
            "3: the line has 3 columns, but column 10 was named: name those that hold the cells",
            "4: 8 6 7/2 5 4/3 0 1",
        ],
    );
    reads(
        any(),
        &text,
        &[
            "1: 8 6 7/2 5 4/3 0 1",
            "2: tile 8 stands at row 1, column 1 and again at row 3, column 3, and tile 1 is missing",
            "3: ...",
            "4: 8 6 7/2 5 4/3 0 1",
        ],
    );
}

#[test]
fn ambiguous_columns_show_both_boards() {
    // The board and its mirror image.
    let line = "0 3 2 1 8 7 4 5 6 ; 6 5 4 7 8 1 2 3 0 ; 80 ; 58";
    let message = "1: this can be read as a line of a table in which column 1 is the board 0 3 \
                   2/1 8 7/4 5 6, and as one in which column 2 is the board 6 5 4/7 8 1/2 3 0: \
                   say which column holds the board";
    reads(any(), line, &[message]);
    reads(of("10..18", None), line, &["1: 6 5 4/7 8 1/2 3 0"]);
    // Two other lines decide it for all.
    let id_is_last = "3 8 6 7 2 5 4 1 0 3 57 99";
    let other = "4 8 6 7 2 5 4 1 0 3 57 99";
    reads(any(), id_is_last, &["1: this can be read as a line..."]);
    let text = format!("{id_is_last}\n{other}\n5 8 6 7 2 5 4 1 0 3 57 98");
    let board = "8 6 7/2 5 4/1 0 3";
    reads(
        any(),
        &text,
        &["1", "2", "3"].map(|line| format!("{line}: {board}")).each_ref().map(String::as_str),
    );
    let both = ["1", "2"].map(|line| format!("{line}: {board}"));
    reads(any(), &format!("{id_is_last}\n{other}"), &both.each_ref().map(String::as_str));
}

#[test]
fn board_with_an_extra_number_is_no_table() {
    let may_be = "1: this is no board, but its columns 1..9 are the board 1 2 3/4 5 6/7 8 0: if...";
    reads(any(), "1 2 3 4 5 6 7 8 0 0", &[may_be]);
    reads(any(), "1 2 3 4 5 6 7 8 0 90", &[may_be]);
    // The second 0 may be the correct one.
    reads(any(), "1 2 0 3 4 5 6 7 8 0", &["1: this is no board, but its columns 1..9..."]);
    // A repeated line does not confirm the first.
    let twice = "1 2 0 3 4 5 6 7 8 0\n".repeat(9);
    assert!(found(any(), &twice).iter().all(|found| found.board.is_err()));
    // A bad row of a 2x10 board, and a bad 4x5 board on one line.
    let text = "0 1 2 3 4 5 6 7 8 8\n9 10 11 12 13 14 15 16 17 18";
    assert!(found(any(), text).iter().all(|found| found.board.is_err()));
    let text = "5 1 2 3 4 10 6 7 8 9 0 11 12 13 14 15 16 17 18 190";
    assert!(found(any(), text).iter().all(|found| found.board.is_err()));
    // Whole boards that need a size hold smaller ones, but no number twice.
    let text = "5 1 2 3 4 10 6 7 8 9 0 11 12 13 14 15 16 17 18 19\n\
                1 5 2 3 4 10 6 7 8 9 0 11 12 13 14 15 16 17 18 19\n\
                1 2 5 3 4 10 6 7 8 9 0 11 12 13 14 15 16 17 18 19";
    assert!(found(any(), text).iter().all(|found| found.board.is_err()));
}

#[test]
fn other_boards_end_a_table() {
    let row = "7 8 6 7 2 5 4 3 0 1 57 99";
    let text = format!("1 2/3 0\n{row}\n\n{row}\n1 2 3\n4 5 0\n\n{row}\n[1,2,3,0]\n{row}");
    reads(
        any(),
        &text,
        &[
            "1: 1 2/3 0",
            "2: 8 6 7/2 5 4/3 0 1",
            "4: 8 6 7/2 5 4/3 0 1",
            "5-6: 1 2 3/4 5 0",
            "8: 8 6 7/2 5 4/3 0 1",
            "9: 1 2/3 0",
            "10: 8 6 7/2 5 4/3 0 1",
        ],
    );
}

#[test]
fn columns_are_checked_before_the_table_is_read() {
    for bad in ["", "0..3", "5..4", "1..65", "a..b", "1..2..3", "-3", "1..", "99999999999999999999"]
    {
        let error = bad.parse::<Columns>().expect_err(bad);
        assert!(matches!(error.kind(), TextErrorKind::Columns { .. }), "{bad}: {error}");
    }
    assert!("0".parse::<Columns>().is_err());
    for good in ["2..17", "2-17", " 2 .. 17 "] {
        assert_eq!(good.parse::<Columns>().expect(good).to_string(), "2..17");
    }
    let refused = |columns: &str, shape| {
        let columns = columns.parse().expect("columns");
        BoardReader::of_table(columns, shape).expect_err("no board").to_string()
    };
    assert!(refused("1..12", None).starts_with("12 cells make 2x6, 3x4, 4x3 or 6x2"));
    assert!(refused("1..12", Some(shape(4, 4))).starts_with("a 4x4 board has 16 cells, but 12"));
}

/// Returns a board that is shuffled completely or only a little. In the second case its numbers are
/// almost in order.
fn random_board(random: &mut Random, size: Shape) -> Board {
    let count = [3, 100][random.below(2)];
    shuffled(random, size, count)
}

/// Drops, repeats, changes or adds a number of a line, like a typing error.
fn damage(words: &mut Vec<String>, random: &mut Random) {
    let at = random.below(words.len());
    let number = [random.below(10), random.below(40), random.below(400)][random.below(3)];
    match random.below(4) {
        0 => drop(words.remove(at)),
        1 => words.insert(at, words[at].clone()),
        2 => words[at] = number.to_string(),
        _ => words.insert(at, number.to_string()),
    }
}

#[test]
fn damaged_board_file_is_never_read_as_a_table() {
    let mut random = Random::default();
    let sizes = [shape(3, 3), shape(2, 4), shape(2, 5), shape(4, 4), shape(4, 5), shape(5, 5)];
    let mut refused = 0;
    let count = cases(60_000);
    for _ in 0..count {
        let size = sizes[random.below(sizes.len())];
        let is_known = random.below(2) == 0;
        let boards: Vec<Board> = (0..5).map(|_| random_board(&mut random, size)).collect();
        let lines = boards.iter().map(|board| {
            let mut words: Vec<String> = board.tiles().iter().map(ToString::to_string).collect();
            if random.below(3) == 0 {
                damage(&mut words, &mut random);
            }
            words.join(" ")
        });
        let text = lines.collect::<Vec<_>>().join("\n");
        for found in found(BoardReader::new(is_known.then_some(size)), &text) {
            match found.board {
                Ok(board) => {
                    let at = found.first_line as usize - 1;
                    let line = text.lines().nth(at).expect("a line");
                    // With fewer numbers, a line may be a smaller board. The documentation says so.
                    let is_written = read_board(line, None) == Ok(board);
                    assert!(board == boards[at] || is_written, "{board}: line {}\n{text}", at + 1);
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > count, "{refused}");
}

#[test]
fn damaged_table_gives_no_other_board() {
    let mut random = Random::default();
    let sizes = [shape(3, 3), shape(2, 4), shape(4, 4), shape(4, 5), shape(5, 5)];
    let (mut given, mut refused) = (0, 0);
    let count = cases(20_000);
    for _ in 0..count {
        let size = sizes[random.below(sizes.len())];
        let is_square = size.rows() == size.cols();
        let is_known = !is_square || random.below(2) == 0;
        let boards: Vec<Board> = (0..8).map(|_| random_board(&mut random, size)).collect();
        let (before, after) = (random.below(2), random.below(4));
        let separator = [" ", "\t", ",", ";", ", "][random.below(5)];
        let damaged = random.below(boards.len() + 3);
        let lines = (0..).zip(&boards).map(|(at, board)| {
            let number = |random: &mut Random| (random.below(900) + at).to_string();
            let mut words: Vec<String> = (0..before).map(|_| (at + 1).to_string()).collect();
            words.extend(board.tiles().iter().map(ToString::to_string));
            words.extend((0..after).map(|_| number(&mut random)));
            if at == damaged {
                damage(&mut words, &mut random);
            }
            words.join(separator)
        });
        let text = lines.collect::<Vec<_>>().join("\n");
        for found in found(BoardReader::new(is_known.then_some(size)), &text) {
            match found.board {
                // A typing error can turn one board into another.
                Ok(board) if found.first_line as usize - 1 != damaged => {
                    let at = found.first_line as usize - 1;
                    assert_eq!(board, boards[at], "line {}\n{text}", at + 1);
                    given += 1;
                }
                Ok(_) => {}
                Err(_) => refused += 1,
            }
        }
    }
    assert!(given > 5 * count && refused > count / 20, "{given} {refused}");
}

#[test]
fn first_line_is_an_error_unless_it_names_columns() {
    let arrays = "[[1,2,3],[4,5,6],[7,8,8]];9\n[[1,2,3],[4,5,6],[7,0,8]];1";
    reads(of("1", None), arrays, &["1: tile 8 stands...", "2: 1 2 3/4 5 6/7 0 8"]);
    reads(of("1", None), "x23456780\n123456708", &["1: ...", "2: 1 2 3/4 5 6/7 0 8"]);
    reads(of("1", None), "board;moves\n123456708;1", &["2: 1 2 3/4 5 6/7 0 8"]);
    reads(of("1", None), "cbahgfde. 20", &["1: 3 2 1/8 7 6/4 5 0"]);
    let columns = of("1..9", None);
    let named = "a b c d e f g h i moves\n1 2 3 4 5 6 7 0 8 1";
    reads(columns, named, &["2: 1 2 3/4 5 6/7 0 8"]);
}

#[test]
fn named_column_beside_another_of_boards_is_no_choice() {
    let boards = "1 2 3/4 0 6/7 5 8,1 2 3/4 5 6/7 8 0";
    let both = "2: this can be read as a line of a table in which column 1 is the board 1 2 3/4 0 \
                6/7 5 8, and as one in which column 2 is the board 1 2 3/4 5 6/7 8 0: say which \
                column holds the board";
    for names in ["puzzle,solution", "board,x"] {
        reads(any(), &format!("{names}\n{boards}"), &[both]);
        // The caller has chosen.
        reads(of("1", None), &format!("{names}\n{boards}"), &["2: 1 2 3/4 0 6/7 5 8"]);
    }
    reads(any(), "board,moves\n1 2 3/4 5 6/7 0 8,1 2 3 4", &["2: 1 2 3/4 5 6/7 0 8"]);
    reads(any(), "nr,start state\n3102,1 2 3/4 5 6/7 0 8", &["2: 1 2 3/4 5 6/7 0 8"]);
}

#[test]
fn words_above_a_board_name_no_column() {
    reads(any(), "the grid\n1 2 3\n4 5 0", &["2-3: 1 2 3/4 5 0"]);
    reads(any(), "the grid\n1 2\n3 0", &["2-3: 1 2/3 0"]);
    for name in ["Initial state:", "Start position", "Board:"] {
        reads(any(), &format!("{name}\n1 2\n3 0"), &["2-3: 1 2/3 0"]);
    }
    reads(
        any(),
        "nr grid\n1 123456708\n2 123456780",
        &["2: 1 2 3/4 5 6/7 0 8", "3: 1 2 3/4 5 6/7 8 0"],
    );
}

#[test]
fn line_that_is_called_a_goal_is_no_board() {
    let lines = "start 8 6 7 2 5 4 3 0 1\ngoal 1 2 3 4 5 6 7 8 0";
    reads(any(), lines, &["1: 8 6 7/2 5 4/3 0 1", "2: this is called a goal..."]);
}

#[test]
fn columns_that_are_called_goals_or_moves_are_no_board() {
    let rows = "8,6,7,2,5,4,3,0,1,31,1000\n1,2,3,4,5,6,0,7,8,2,3000";
    for (name, called) in [("goal", "a goal"), ("move", "moves"), ("solution_", "moves")] {
        let names: Vec<String> = (1..10).map(|number| format!("{name}{number}")).collect();
        let table = format!("{},length,nodes\n{rows}", names.join(","));
        let errors = [2, 3].map(|line| format!("{line}: this is called {called}..."));
        reads(any(), &table, &errors.each_ref().map(String::as_str));
        // The caller has chosen.
        let boards = ["2: 8 6 7/2 5 4/3 0 1", "3: 1 2 3/4 5 6/0 7 8"];
        reads(of("1..9", None), &table, &boards);
    }
}

#[test]
fn column_with_separators_of_its_own_is_read() {
    let board = "8 6 7/2 5 4/3 0 1";
    for line in [
        "1\t[[8,6,7],[2,5,4],[3,0,1]]\t31",
        "1,[[8,6,7],[2,5,4],[3,0,1]],31",
        "1;8,6,7,2,5,4,3,0,1;31",
        "1,\"8,6,7,2,5,4,3,0,1\",31",
        "1\t\"8,6,7,2,5,4,3,0,1\"\t31",
    ] {
        reads(of("2", None), line, &[&format!("1: {board}")]);
    }
    reads(of("1", None), "\"8,6,7,2,5,4,3,0,1\"\t31", &[&format!("1: {board}")]);
}
