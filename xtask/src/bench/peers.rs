//! `cargo xtask bench peers`: other programs, which the reader has built, in turns with Tilebase.
//!
//! A file beside the programs describes each one: its command, the boards on its standard input,
//! and the numbers in its output. Tilebase runs by the same rules.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::{grouped, median, solve};
use crate::markdown::print_table;
use crate::shell;

/// File that describes the programs.
const PEERS: &str = "peers.toml";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of the programs, with the file peers.toml that describes them
    dir: PathBuf,
    /// File of boards, a board per line: the tile of each cell, row by row, 0 for the blank
    /// [default: Korf's hundred]
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,
    /// Goal of the boards in the file
    #[arg(long, value_enum, default_value = "blank-last", requires = "boards")]
    goal: BlankHome,
    /// Spec that Tilebase solves with, on one thread
    #[arg(long, default_value = "15/7-8")]
    spec: String,
    /// Number of times that each program solves all boards
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// The file `peers.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Peers {
    peer: Vec<Peer>,
}

/// A program, its input and its output.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Peer {
    name: String,
    /// The program and its arguments. It runs in the folder of the file.
    command: Vec<String>,
    #[serde(default)]
    input: InputFormat,
    #[serde(default)]
    output: Output,
}

/// The boards on the standard input of a program, one per line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct InputFormat {
    goal: BlankHome,
    numbers: Numbers,
    order: Order,
    separator: String,
    /// A line, with `{board}` for the board and `{number}` for its number, from 1.
    line: String,
    /// A line before the boards, with `{count}` for their number.
    first_line: Option<String>,
}

impl Default for InputFormat {
    fn default() -> Self {
        Self {
            goal: BlankHome::BlankLast,
            numbers: Numbers::Tiles,
            order: Order::Rows,
            separator: " ".to_owned(),
            line: "{board}".to_owned(),
            first_line: None,
        }
    }
}

/// Place of the blank on the solved board. The tiles are in order, row by row.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
enum BlankHome {
    BlankFirst,
    BlankLast,
}

/// Meaning of the numbers of a board.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Numbers {
    /// The tile of each cell.
    Tiles,
    /// The cell of each tile, from 0, the blank's first.
    Cells,
}

/// Order of the cells.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Order {
    Rows,
    Columns,
}

/// Numbers in the output of a program.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Output {
    /// Text that only the lines with an answer contain. Without it, all lines are read.
    answers: Option<String>,
    /// Length of a board's solution.
    length: Option<NumberPlace>,
    generated: Option<NumberPlace>,
    expanded: Option<NumberPlace>,
}

/// Place of a number in a line.
#[derive(Deserialize)]
#[serde(untagged)]
enum NumberPlace {
    /// Its position among the numbers of the line, from 1.
    Position(usize),
    /// The word before it.
    Word(String),
}

/// Boards of one size for one goal.
struct PeerBoards {
    tiles: Vec<Vec<usize>>,
    cols: usize,
    goal: BlankHome,
    /// Lengths of shortest solutions, if they are known.
    lengths: Option<Vec<u64>>,
}

/// A program with the text of its input.
struct PeerProgram {
    peer: Peer,
    dir: PathBuf,
    input: String,
}

/// One run of a program over all boards.
struct PeerRound {
    seconds: f64,
    processor_seconds: f64,
    lengths: Option<Vec<u64>>,
    generated: Option<u64>,
    expanded: Option<u64>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut peers = vec![(tilebase(&args.spec)?, PathBuf::from("."))];
    let dir = args.dir.canonicalize().unwrap_or_else(|_| args.dir.clone());
    peers.extend(read_peers(&dir)?.into_iter().map(|peer| (peer, dir.clone())));
    let boards = match &args.boards {
        Some(file) => PeerBoards::read(file, args.goal)?,
        None => PeerBoards::korf()?,
    };
    let (first, count) = (boards.first(), boards.tiles.len());
    let mut programs = Vec::new();
    for (peer, dir) in peers {
        if peer.output.length.is_none() {
            eprintln!("{} has no output.length in {PEERS}: its answers are not checked", peer.name);
        }
        // The first board brings files into the page cache, and finds mistakes before the rounds.
        let mut program = PeerProgram { input: peer.input.of(&first), peer, dir };
        program.run(&first)?;
        program.input = program.peer.input.of(&boards);
        programs.push((program, Vec::new()));
    }
    let mut boards = boards;
    for round in 1..=args.rounds {
        for (program, rounds) in &mut programs {
            eprintln!("round {round}: {}", program.peer.name);
            let result = program.run(&boards)?;
            // Tilebase is the first program, so all others must find its lengths.
            if boards.lengths.is_none() {
                boards.lengths.clone_from(&result.lengths);
            }
            rounds.push(result);
        }
    }
    let base = median(programs[0].1.iter().map(|round: &PeerRound| round.seconds));
    let rows: Vec<_> =
        programs.iter().map(|(program, rounds)| row(&program.peer, rounds, count, base)).collect();
    println!("{count} boards, whole processes, the middle of {} rounds:\n", args.rounds);
    print_table(&HEAD, &rows);
    Ok(())
}

/// Returns the command `tilebase solve` on one thread.
fn tilebase(spec: &str) -> Result<Peer> {
    let program = shell::tilebase()?.get_program().to_owned();
    let program = program.into_string().ok().context("the path of tilebase is not UTF-8")?;
    let db = shell::tables_folder()?;
    let options = ["--threads=1", "--goal=blank-last", "--quiet", "--format=ndjson", "--input=-"];
    let mut command = vec![program, "solve".to_owned()];
    command.extend([format!("--spec={spec}"), format!("--db={}", db.display())]);
    command.extend(options.map(str::to_owned));
    let word = |word: &str| Some(NumberPlace::Word(word.to_owned()));
    let output = Output {
        answers: Some("\"status\":\"optimal\"".to_owned()),
        length: word("length"),
        generated: word("generated"),
        expanded: word("expanded"),
    };
    Ok(Peer { name: format!("Tilebase, {spec}"), command, input: InputFormat::default(), output })
}

fn read_peers(dir: &Path) -> Result<Vec<Peer>> {
    let path = dir.join(PEERS);
    let text = std::fs::read_to_string(&path).with_context(|| {
        format!(
            "cannot read {}; describe the programs in it, as docs/comparing.md shows",
            path.display()
        )
    })?;
    let Peers { peer: peers } =
        toml::from_str(&text).with_context(|| format!("cannot use {}", path.display()))?;
    for peer in &peers {
        let name = &peer.name;
        ensure!(
            !peer.command.is_empty(),
            "{name}: the command is empty; expected a list such as [\"./solver\", \"-q\"]"
        );
        ensure!(
            peer.input.line.contains("{board}"),
            "{name}: the line {:?} has no place for the board; expected {{board}} in it",
            peer.input.line
        );
    }
    ensure!(!peers.is_empty(), "{} has no [[peer]]; describe at least one", path.display());
    Ok(peers)
}

impl PeerBoards {
    fn korf() -> Result<Self> {
        let korf = solve::BenchBoards::korf("Korf's hundred boards", 1)?;
        let lengths = Some(korf.lengths.iter().copied().map(u64::from).collect());
        Ok(Self { lengths, ..Self::parse(&korf.text, BlankHome::BlankFirst)? })
    }

    fn read(path: &Path, goal: BlankHome) -> Result<Self> {
        let text = std::fs::read_to_string(path);
        let text = text.with_context(|| format!("cannot read the boards in {}", path.display()))?;
        Self::parse(&text, goal).with_context(|| format!("cannot use {}", path.display()))
    }

    fn parse(text: &str, goal: BlankHome) -> Result<Self> {
        let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        let boards: Vec<_> =
            lines.map(|line| tiles(line).map(|tiles| (line, tiles))).collect::<Result<_>>()?;
        let (line, first) = boards.first().context("expected a board per line, found none")?;
        // Rows without separators make up a square.
        let rows = line.split('/').count();
        let cols = if rows > 1 { first.len() / rows } else { first.len().isqrt() }.max(1);
        let rows = first.len() / cols;
        for (line, tiles) in &boards {
            ensure!(
                tiles.len() == rows * cols && tiles.len() == first.len(),
                "{line:?} is not a board of {rows}x{cols} cells; expected boards of one size, a \
                 square or with / between rows"
            );
        }
        let tiles = boards.into_iter().map(|(_, tiles)| tiles).collect();
        Ok(Self { tiles, cols, goal, lengths: None })
    }

    /// Returns the first board alone.
    fn first(&self) -> Self {
        let lengths = self.lengths.as_ref().map(|lengths| vec![lengths[0]]);
        Self { tiles: vec![self.tiles[0].clone()], lengths, ..*self }
    }

    /// Returns a board for another goal, with the same solutions: turned by half a turn, with the
    /// tiles renamed.
    fn for_goal(&self, board: &[usize], goal: BlankHome) -> Vec<usize> {
        if goal == self.goal {
            return board.to_vec();
        }
        let renamed = |&tile: &usize| if tile == 0 { 0 } else { board.len() - tile };
        board.iter().rev().map(renamed).collect()
    }
}

/// Reads the tiles of a board, which are numbers between spaces, commas or slashes.
fn tiles(line: &str) -> Result<Vec<usize>> {
    let words = line.split([' ', '\t', ',', '/']).filter(|word| !word.is_empty());
    let tiles: Option<Vec<usize>> = words.map(|word| word.parse().ok()).collect();
    let tiles = tiles.with_context(|| format!("{line:?} is not a board; expected numbers"))?;
    let mut sorted = tiles.clone();
    sorted.sort_unstable();
    ensure!(
        tiles.len() > 3 && sorted.into_iter().eq(0..tiles.len()),
        "{line:?} is not a board; expected each number from 0 once"
    );
    Ok(tiles)
}

impl InputFormat {
    /// Returns the text of boards.
    fn of(&self, boards: &PeerBoards) -> String {
        let count = boards.tiles.len().to_string();
        let mut text = String::new();
        let lines = boards.tiles.iter().zip(1..).map(|(board, number): (_, usize)| {
            let board = self.numbers(&boards.for_goal(board, self.goal), boards.cols);
            let board: Vec<_> = board.iter().map(usize::to_string).collect();
            let line = self.line.replace("{number}", &number.to_string());
            line.replace("{board}", &board.join(&self.separator))
        });
        let first_line = self.first_line.iter().map(|line| line.replace("{count}", &count));
        for line in first_line.chain(lines) {
            text.push_str(&line);
            text.push('\n');
        }
        text
    }

    fn numbers(&self, board: &[usize], cols: usize) -> Vec<usize> {
        let rows = board.len() / cols;
        let tiles: Vec<usize> = match self.order {
            Order::Rows => board.to_vec(),
            Order::Columns => {
                (0..board.len()).map(|place| board[place % rows * cols + place / rows]).collect()
            }
        };
        match self.numbers {
            Numbers::Tiles => tiles,
            Numbers::Cells => {
                let mut cells = vec![0; tiles.len()];
                for (cell, tile) in tiles.into_iter().enumerate() {
                    cells[tile] = cell;
                }
                cells
            }
        }
    }
}

impl PeerProgram {
    /// Runs the program over boards, whose text is its input, and checks its answers.
    fn run(&self, boards: &PeerBoards) -> Result<PeerRound> {
        let Peer { name, command, output, .. } = &self.peer;
        let folder = shell::temporary_folder()?;
        let input = folder.path().join("boards.txt");
        shell::write_file(&input, &self.input)?;
        // The folder does not change the place of a program that the path names.
        let program = if command[0].contains('/') {
            self.dir.join(&command[0])
        } else {
            PathBuf::from(&command[0])
        };
        let mut process = Command::new(&program);
        process.args(&command[1..]).current_dir(&self.dir);
        process.stdin(File::open(&input)?).stderr(Stdio::inherit());
        let (before, begun) = (children_time()?, Instant::now());
        let result = process.output().with_context(|| {
            format!("{name}: cannot run {}; build it, or correct its command", program.display())
        })?;
        let (seconds, after) = (begun.elapsed().as_secs_f64(), children_time()?);
        ensure!(result.status.success(), "{name} failed: {}", result.status);
        let text = String::from_utf8_lossy(&result.stdout);
        let round = PeerRound {
            seconds,
            processor_seconds: after.saturating_sub(before).as_secs_f64(),
            lengths: output.numbers(&text, output.length.as_ref()),
            generated: output.total(&text, output.generated.as_ref()),
            expanded: output.total(&text, output.expanded.as_ref()),
        };
        if let Some(lengths) = &round.lengths {
            check(lengths, boards, &text).with_context(|| format!("{name} gave wrong answers"))?;
        }
        Ok(round)
    }
}

/// Returns the processor time of all processes that this one has started and that have ended.
#[cfg(unix)]
fn children_time() -> Result<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("cannot read processor times")?;
    let microseconds = (usage.user_time() + usage.system_time()).num_microseconds();
    Ok(Duration::from_micros(microseconds as u64))
}

#[cfg(not(unix))]
fn children_time() -> Result<Duration> {
    anyhow::bail!("the processor times of other programs are read on Unix only")
}

/// Checks that each board has a length, and that it is the known one if there is one.
fn check(lengths: &[u64], boards: &PeerBoards, output: &str) -> Result<()> {
    let (expected, found) = (boards.tiles.len(), lengths.len());
    ensure!(
        found == expected,
        "expected {expected} lengths, found {found}; correct `output.length` and `output.answers` \
         in {PEERS}; the output begins with {:?}",
        output.chars().take(EXCERPT_CHARS_MAX).collect::<String>()
    );
    for (i, (found, expected)) in lengths.iter().zip(boards.lengths.iter().flatten()).enumerate() {
        let board = &boards.tiles[i];
        ensure!(
            found == expected,
            "board {} ({board:?}) takes {expected} moves, found {found}",
            i + 1
        );
    }
    Ok(())
}

/// Longest excerpt of a program's output in an error, in characters.
const EXCERPT_CHARS_MAX: usize = 200;

impl Output {
    /// Returns the numbers at a place, one for each line that has it.
    fn numbers(&self, text: &str, place: Option<&NumberPlace>) -> Option<Vec<u64>> {
        let is_answer = |line: &&str| self.answers.as_ref().is_none_or(|text| line.contains(text));
        let place = place?;
        Some(text.lines().filter(is_answer).filter_map(|line| place.number(line)).collect())
    }

    /// Returns the sum over all boards.
    fn total(&self, text: &str, place: Option<&NumberPlace>) -> Option<u64> {
        self.numbers(text, place).map(|numbers| numbers.into_iter().sum())
    }
}

impl NumberPlace {
    /// Returns the whole number at this place of a line.
    fn number(&self, line: &str) -> Option<u64> {
        let number = match self {
            Self::Position(position) => numbers(line).nth(position.checked_sub(1)?)?,
            Self::Word(word) => {
                let is_whole = |&(at, _): &(usize, &str)| {
                    let is_end = |c: Option<char>| c.is_none_or(|c| !is_word(c));
                    let after = &line[at + word.len()..];
                    is_end(line[..at].chars().next_back()) && is_end(after.chars().next())
                };
                let (at, _) = line.match_indices(word).find(is_whole)?;
                numbers(&line[at + word.len()..]).next()?
            }
        };
        number.parse().ok()
    }
}

/// Returns the numbers of a line. Digits within words are not numbers.
fn numbers(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !is_word(c) && c != '.' && c != '-')
        .map(|word| word.trim_end_matches(['.', '-']))
        .filter(|word| word.parse::<f64>().is_ok_and(f64::is_finite))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

const HEAD: [&str; 9] = [
    "program",
    "seconds",
    "least",
    "most",
    "processor s",
    "ms/board",
    "generated/board",
    "expanded/board",
    "ratio",
];

/// Returns a row of medians; the ratio is to `base` seconds.
fn row(peer: &Peer, rounds: &[PeerRound], boards: usize, base: f64) -> [String; 9] {
    let seconds = || rounds.iter().map(|round| round.seconds);
    let middle = median(seconds());
    let nodes = |nodes: fn(&PeerRound) -> Option<u64>| {
        let nodes: Option<Vec<u64>> = rounds.iter().map(nodes).collect();
        nodes.map_or_else(
            || "-".to_owned(),
            |nodes| {
                let total = median(nodes.into_iter().map(|nodes| nodes as f64));
                grouped((total / boards as f64).round() as u64)
            },
        )
    };
    [
        peer.name.clone(),
        format!("{middle:.3}"),
        format!("{:.3}", seconds().fold(f64::INFINITY, f64::min)),
        format!("{:.3}", seconds().fold(0.0, f64::max)),
        format!("{:.3}", median(rounds.iter().map(|round| round.processor_seconds))),
        format!("{:.3}", 1e3 * middle / boards as f64),
        nodes(|round| round.generated),
        nodes(|round| round.expanded),
        format!("{:.2}", middle / base),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_written_as_the_program_reads_them() {
        let boards = PeerBoards::parse("1 2 3/4 0 5\n1 2 0 3 4 5/6 7\n", BlankHome::BlankLast);
        assert!(boards.is_err());
        let boards = PeerBoards::parse("1 2 3/4 0 5\n", BlankHome::BlankLast).unwrap();
        let board = |input: &str| toml::from_str::<InputFormat>(input).unwrap().of(&boards);
        for (input, text) in [
            ("", "1 2 3 4 0 5\n"),
            ("order = 'columns'\nseparator = ','", "1,4,2,0,3,5\n"),
            ("goal = 'blank-first'", "1 0 2 3 4 5\n"),
            ("numbers = 'cells'", "4 0 1 2 3 5\n"),
            ("line = '{number}: {board}'\nfirst_line = 'n {count}'", "n 1\n1: 1 2 3 4 0 5\n"),
        ] {
            assert_eq!(board(input), text, "{input}");
        }
    }

    #[test]
    fn numbers_are_found_by_position_and_by_word() {
        let position = |line: &str, position| NumberPlace::Position(position).number(line);
        let word = |line: &str, word: &str| NumberPlace::Word(word.to_owned()).number(line);
        assert_eq!(position("1: 57 moves, 499 nodes in 0.5 s.", 2), Some(57));
        assert_eq!(position("15puzzle 57;499;0.53", 3), None);
        assert_eq!(position("57", 2), None);
        assert_eq!(word(r#"{"length":31,"moves":"L"}"#, "length"), Some(31));
        assert_eq!(word("path_length=9 length=31.", "length"), Some(31));
        assert_eq!(word("length: none", "length"), None);
        assert_eq!(word("length: -1", "length"), None);
    }

    #[test]
    fn row_has_the_medians_and_the_ratio() {
        let peer: Peer = toml::from_str("name = 'x'\ncommand = ['solver']").unwrap();
        let rounds = [4.0, 1.0, 2.0].map(|seconds| PeerRound {
            seconds,
            processor_seconds: seconds / 2.0,
            lengths: None,
            generated: Some(2000),
            expanded: None,
        });
        let expected = "x 2.000 1.000 4.000 1.000 1000.000 1,000 - 4.00";
        assert_eq!(row(&peer, &rounds, 2, 0.5).join(" "), expected);
    }
}
