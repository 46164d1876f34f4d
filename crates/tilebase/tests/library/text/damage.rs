//! Damaged grids: an error, and never a board made of a part of the grid.

use pdb_core::Board;
use pdb_oracle::Random;
use tilebase::text::{BoardReader, FoundBoard, read_board};

use super::{any_board, any_shape, cases, found};

/// A grid of words, and the text after it.
#[derive(Clone, Debug)]
struct Grid {
    rows: Vec<Vec<String>>,
    after: &'static str,
    /// The shape before the damage.
    size: String,
}

impl Grid {
    fn of(board: Board) -> Self {
        let row = |row: &str| row.split(' ').map(str::to_owned).collect();
        let rows = board.to_string().split('/').map(row).collect();
        let shape = board.shape();
        Self { rows, after: "", size: format!("{} {}", shape.rows(), shape.cols()) }
    }

    /// Damages the grid; `at` chooses the place.
    fn damage(&mut self, damage: Damage, at: usize) {
        let cells = self.cells();
        let count = self.rows.len();
        let (row, next) = (at % count, cells.to_string());
        let col = at / count % self.rows[row].len();
        match damage {
            Damage::DropCell => drop(self.rows[row].remove(col)),
            Damage::DropLastCell => drop(self.rows[count - 1].pop()),
            Damage::EmptyCell => self.rows[row][col].clear(),
            Damage::AddCell => self.rows[row].insert(col, next),
            Damage::RepeatCell => self.rows[row].push("1".to_owned()),
            Damage::WrongCell => "4?".clone_into(&mut self.rows[row][col]),
            Damage::DropRow => drop(self.rows.remove(row)),
            Damage::RepeatRow => self.rows.insert(row, self.rows[row].clone()),
            Damage::AddRow => {
                let width = self.rows[0].len();
                self.rows.push((cells..cells + width).map(|tile| tile.to_string()).collect());
            }
            Damage::After(text) => self.after = text,
        }
    }

    fn cells(&self) -> usize {
        self.rows.iter().flatten().filter(|cell| !cell.is_empty()).count()
    }

    /// Writes the grid in each notation, with its name, and with the text after it.
    fn written(&self) -> Vec<(&'static str, String)> {
        let rows = |cell: fn(&String) -> String, between: &str| -> Vec<String> {
            let row = |row: &Vec<String>| row.iter().map(cell).collect::<Vec<_>>().join(between);
            self.rows.iter().map(row).collect()
        };
        let plain = |between| rows(String::clone, between);
        let quoted = |between| rows(|cell| format!("'{cell}'"), between);
        // Letters of cells above 9, without x, which is a blank.
        let letter = |cell: &String| match cell.parse() {
            Ok(tile @ 10..33) => char::from_digit(tile, 36).map(String::from).unwrap_or_default(),
            _ => cell.clone(),
        };
        let letters = |between| rows(letter, between);
        let nested = |[open, close]: [&str; 2], between: &str| {
            let rows: Vec<_> =
                plain(", ").iter().map(|row| format!("{open}{row}{close}")).collect();
            format!("{open}{}{close}", rows.join(between))
        };
        let mut commas = plain(",");
        let last = commas.pop().unwrap_or_default();
        let texts = [
            ("lines", plain(" ").join("\n")),
            ("letters", letters(" ").join("\n")),
            ("digits", letters("").join("\n")),
            ("slashes", plain(" ").join("/")),
            ("mixed rows", plain(",").join("\n").replacen('\n', "/", 1)),
            ("late slash", format!("{}/{last}", commas.join("\n"))),
            ("semicolons", plain(" ").join("; ")),
            ("commas", plain(",").join("\n")),
            ("tabs", plain("\t").join("\n")),
            ("quoted", quoted(" ").join("\n")),
            ("bars", format!("| {} |", plain(" | ").join(" |\n| "))),
            ("json", nested(["[", "]"], ",")),
            ("json lines", nested(["[", "]"], ",\n ")),
            ("braces", nested(["{", "}"], ", ")),
            ("code", format!("a = np.array({})", nested(["[", "]"], ",\n  "))),
            ("lists in line", format!("[{}]", plain(", ").join("], ["))),
            ("lists", format!("[{}]", plain(", ").join("]\n["))),
            ("tuples", format!("({}),", plain(", ").join("),\n("))),
            ("size", format!("{}\n{}", self.size, plain(" ").join("\n"))),
            ("size of column", format!("{}\n{}", self.size, plain("\n").join("\n"))),
            ("size of quoted column", format!("{}\n{}", self.size, quoted("\n").join("\n"))),
            ("quoted column", quoted("\n").join("\n")),
        ];
        texts.map(|(form, text)| (form, text + self.after)).into()
    }
}

/// A damage of a grid.
#[derive(Clone, Copy, Debug)]
enum Damage {
    DropCell,
    DropLastCell,
    EmptyCell,
    AddCell,
    RepeatCell,
    WrongCell,
    DropRow,
    RepeatRow,
    AddRow,
    After(&'static str),
}

const DAMAGES: [Damage; 17] = [
    Damage::DropCell,
    Damage::DropLastCell,
    Damage::EmptyCell,
    Damage::AddCell,
    Damage::RepeatCell,
    Damage::WrongCell,
    Damage::DropRow,
    Damage::RepeatRow,
    Damage::AddRow,
    Damage::After(" 31"),
    Damage::After(" what"),
    Damage::After("]"),
    Damage::After(", 5"),
    Damage::After("\nwhat"),
    Damage::After("\n[, 7"),
    Damage::After("\n5,6,7/8"),
    Damage::After("\n[90, 91]]"),
];

/// Returns whether one of several lines is certainly a board by itself, so that it is returned at
/// once.
fn has_whole_line(text: &str) -> bool {
    let is_whole =
        |line: &str| line.contains(['/', ';', '[', '{']) && read_board(line, None).is_ok();
    text.contains('\n') && text.lines().any(is_whole)
}

/// Returns whether the first row may be the size of the others.
fn begins_with_size(text: &str) -> bool {
    let numbers = |text: &str| -> Vec<usize> {
        text.split(|sign: char| !sign.is_ascii_digit())
            .filter_map(|word| word.parse().ok())
            .collect()
    };
    text.split_once('\n').is_some_and(|(first, rest)| match numbers(first)[..] {
        [rows, cols] => rows * cols == numbers(rest).len(),
        _ => false,
    })
}

fn board_of(found: &FoundBoard) -> Option<Board> {
    found.board.as_ref().ok().copied()
}

#[test]
fn part_of_a_damaged_grid_is_no_board() {
    // The same grids in each run, so that a failure comes from the change under test: by chance, a
    // damaged grid may be a right one in another form.
    let mut random = Random::default();
    for _ in 0..cases(640) {
        let shape = any_shape(&mut random);
        let board = any_board(&mut random, shape);
        let damage = DAMAGES[random.below(DAMAGES.len())];
        let at = random.below(1 << 16);
        let mut grid = Grid::of(board);
        grid.damage(damage, at);
        for (form, text) in grid.written() {
            // The last bracket ends an array, whatever the next lines are.
            let is_array = ["json", "json lines", "braces", "code"].contains(&form);
            let is_ended = is_array && grid.after.starts_with('\n');
            // In a column, an empty cell is a blank line, and a word is a line of text. A row of
            // digits may be the number of the next board.
            let is_column = form.ends_with("column");
            let is_parted = text.contains("\n\n")
                || is_column && matches!(damage, Damage::WrongCell)
                || text.parse::<u64>().is_ok();
            if has_whole_line(&text) || is_parted || is_ended || begins_with_size(&text) {
                continue;
            }
            let whole = read_board(&text, None).ok();
            let other = "3 2/1 0";
            let file = format!("{other}\n\n{text}\n\n2 2\n3 2\n1 0");
            let found = found(BoardReader::new(None), &file);
            let boards: Vec<Board> = found.iter().filter_map(board_of).collect();
            let is_other = |board: &Board| board.to_string() == other;
            let [first, between @ .., last] = &boards[..] else { panic!("{form:?}\n{text}") };
            assert!(is_other(first) && is_other(last), "{form:?}\n{text}\n{found:#?}");
            if found.len() == 3 && between.is_empty() || found.len() > boards.len() {
                assert_eq!(between, [], "{form:?} {damage:?}\n{text}\n{found:#?}");
                continue;
            }
            assert_eq!(between, whole.as_slice(), "{form:?} {damage:?}\n{text}");
            let cells = between.iter().map(|board| board.tiles().len()).sum::<usize>();
            let written = grid.rows.iter().flatten().count();
            // The size may be the missing row.
            let with_size = grid.cells() + if form == "size" { 2 } else { 0 };
            let counts = [grid.cells(), written, with_size];
            assert!(counts.contains(&cells), "{form:?} {damage:?}\n{text}");
            assert_eq!(grid.after, "", "{form:?}\n{text}");
        }
    }
}
