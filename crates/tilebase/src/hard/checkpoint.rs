//! Text form of checkpoints: one JSON object per line.
//!
//! 1. The subject of the search: format version, board, goal, heuristic, tables, order of moves,
//!    packets.
//! 2. Each finished bound, with its nodes.
//! 3. The current bound, with the nodes of its trunk, the number of its packets, and the best known
//!    solution, if there is one; or the shortest solution.
//! 4. Each packet: its number, the moves that lead to it, its turn and its weight. A finished
//!    packet also has its nodes and how near it came to the goal.
//! 5. The digest of all lines before.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use pdb_core::{Board, BoardError, Direction, Metric};
use pdb_format::{Digest, digest};
use pdb_search::BoundCount;
use pdb_search::packets::{Counts, Done, Entry, Ledger, Round, Stage, Subject};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::text::letters;

/// Result of parsing. The error text says what is wrong and what to do.
type Parsed<T> = Result<T, String>;

/// Returns an error with this text.
macro_rules! bail {
    ($($problem:tt)*) => {
        return Err(format!($($problem)*))
    };
}

/// Returns an error with this text, unless a condition holds.
macro_rules! ensure {
    ($holds:expr, $($problem:tt)*) => {
        if !$holds {
            bail!($($problem)*);
        }
    };
}

/// Version of new checkpoints. Version 1, which does not say how near packets came to the goal, can
/// be read as well.
const VERSION: u32 = 2;
/// Size limit of a checkpoint, in bytes. A million packets take a fifth of it.
const FILE_BYTES_MAX: u64 = 1 << 30;

/// The version, which is read before the rest.
#[derive(Deserialize)]
struct CheckpointVersion {
    tilebase_checkpoint: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    tilebase_checkpoint: u32,
    board: String,
    goal: String,
    heuristic: String,
    tables: Vec<NamedTable>,
    /// The name of the metric, unless it is the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    metric: Option<String>,
    /// The letters of the tiles' directions.
    order: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dual: Option<String>,
    packets_at_most: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedTable {
    file: String,
    digest: Digest,
}

/// A line between the first and the last one.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum CheckpointLine {
    BoundDone {
        bound: u32,
        generated: u64,
        expanded: u64,
    },
    Bound {
        bound: u32,
        trunk_generated: u64,
        trunk_expanded: u64,
        packets: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        known: Option<String>,
    },
    Solution {
        moves: String,
        generated: u64,
        expanded: u64,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        proved_by_bounds: bool,
    },
    Packet {
        number: usize,
        moves: String,
        #[serde(default)]
        turn: usize,
        #[serde(default = "one")]
        weight: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        generated: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expanded: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nearest: Option<u32>,
    },
}

/// Returns the weight of a packet without an estimate.
fn one() -> u64 {
    1
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Last {
    digest: Digest,
}

/// Returns the text of a checkpoint.
pub(super) fn text(ledger: &Ledger) -> String {
    let Ledger { subject, bounds, stage, known } = ledger;
    let table = |(file, digest): &(String, String)| NamedTable {
        file: file.clone(),
        digest: digest.parse().expect("the engine names digests"),
    };
    let head = Head {
        tilebase_checkpoint: VERSION,
        board: subject.board.to_string(),
        goal: subject.goal.to_string(),
        heuristic: subject.heuristic.clone(),
        tables: subject.tables.iter().map(table).collect(),
        metric: subject.metric.unusual_name().map(str::to_owned),
        order: letters(&subject.order),
        dual: subject.dual.map(|goal| goal.to_string()),
        packets_at_most: subject.packet_count,
    };
    let mut text = json(&head);
    let mut add = |line: &CheckpointLine| {
        text.push('\n');
        text.push_str(&json(line));
    };
    for &BoundCount { bound, generated, expanded } in bounds {
        add(&CheckpointLine::BoundDone { bound, generated, expanded });
    }
    match stage {
        Stage::Solved { moves, last, is_proved_by_bounds } => {
            let Counts { generated, expanded } = *last;
            let (moves, proved_by_bounds) = (letters(moves), *is_proved_by_bounds);
            add(&CheckpointLine::Solution { moves, generated, expanded, proved_by_bounds });
        }
        Stage::Searching(Round { bound, trunk, packets }) => {
            add(&CheckpointLine::Bound {
                bound: *bound,
                trunk_generated: trunk.generated,
                trunk_expanded: trunk.expanded,
                packets: packets.len(),
                known: known.as_deref().map(letters),
            });
            for (number, Entry { moves, turn, weight, done }) in packets.iter().enumerate() {
                add(&CheckpointLine::Packet {
                    number,
                    moves: letters(moves),
                    turn: *turn,
                    weight: *weight,
                    generated: done.map(|done| done.counts.generated),
                    expanded: done.map(|done| done.counts.expanded),
                    nearest: done.map(|done| done.nearest),
                });
            }
        }
    }
    text.push('\n');
    let last = Last { digest: digest(text.as_bytes()) };
    text.push_str(&json(&last));
    text.push('\n');
    text
}

fn json(line: &impl Serialize) -> String {
    serde_json::to_string(line).expect("a line is plain data")
}

/// Reads a checkpoint. Every fault is an error that names the file, and the file is never changed.
///
/// # Errors
/// [`Error::Checkpoint`].
pub fn read(path: &Path) -> Result<Ledger, Error> {
    let mut bytes = Vec::new();
    let error = |problem| Error::Checkpoint { path: path.to_owned(), problem };
    // Opening a pipe would wait for its other end.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(error("expected a regular file, found a folder, a pipe or a device".into()));
    }
    File::open(path)
        .and_then(|file| file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes))
        .map_err(|source| Error::Unreadable { path: path.to_owned(), source })?;
    parse(&bytes).map_err(|problem| error(format!("it cannot be resumed: {problem}")))
}

fn parse(bytes: &[u8]) -> Parsed<Ledger> {
    ensure!(
        bytes.len() as u64 <= FILE_BYTES_MAX,
        "it is no checkpoint: it has more than {FILE_BYTES_MAX} bytes; name another file"
    );
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let Ok(CheckpointVersion { tilebase_checkpoint: version }) = serde_json::from_slice(first)
    else {
        bail!(
            "it is no checkpoint, or its first line is damaged: expected a line with \
             \"tilebase_checkpoint\":{VERSION}; name another file, or remove it to begin anew"
        );
    };
    ensure!(
        (1..=VERSION).contains(&version),
        "it is a checkpoint of version {version}, expected 1 to {VERSION}; use the release that wrote it"
    );
    let damaged = || {
        String::from(
            "it is cut short or damaged: expected a last line with the digest of all lines before; \
             take a copy of it, or remove it to begin anew",
        )
    };
    // Lines with the right digest come from this program, or from a file that was made by hand.
    // Later errors concern the latter.
    let body = bytes.strip_suffix(b"\n").ok_or_else(damaged)?;
    let end = body.iter().rposition(|&byte| byte == b'\n').ok_or_else(damaged)?;
    let (body, last) = bytes.split_at(end + 1);
    let last: Last = serde_json::from_slice(last).map_err(|_| damaged())?;
    let found = digest(body);
    ensure!(
        found == last.digest,
        "it is damaged: its lines have the digest {found}, expected {}; take a copy of it, or remove \
         it to begin anew",
        last.digest
    );
    let body = std::str::from_utf8(body).map_err(|error| error.to_string())?;
    ledger(&mut body.lines().zip(1..))
}

fn ledger<'a>(lines: &mut impl Iterator<Item = (&'a str, usize)>) -> Parsed<Ledger> {
    let subject = subject(of_line(lines.next())?)?;
    let (mut bounds, mut best) = (Vec::new(), None);
    let stage = loop {
        match of_line(lines.next())? {
            CheckpointLine::BoundDone { bound, generated, expanded } => {
                bounds.push(BoundCount { bound, generated, expanded });
            }
            CheckpointLine::Solution { moves, generated, expanded, proved_by_bounds } => {
                let (moves, last) = (directions(&moves)?, Counts { generated, expanded });
                break Stage::Solved { moves, last, is_proved_by_bounds: proved_by_bounds };
            }
            CheckpointLine::Bound { bound, trunk_generated, trunk_expanded, packets, known } => {
                best = known.map(|moves| solution(&subject, &moves)).transpose()?;
                let trunk = Counts { generated: trunk_generated, expanded: trunk_expanded };
                // Reads the packets that exist, whatever number the line claims.
                let mut round = Round { bound, trunk, packets: Vec::new() };
                for expected in 0..packets {
                    let CheckpointLine::Packet {
                        number,
                        moves,
                        turn,
                        weight,
                        generated,
                        expanded,
                        nearest,
                    } = of_line(lines.next())?
                    else {
                        bail!("expected packet {expected} of {packets}, found another line");
                    };
                    ensure!(number == expected, "expected packet {expected}, found {number}");
                    let done = match (generated, expanded) {
                        (Some(generated), Some(expanded)) => {
                            let counts = Counts { generated, expanded };
                            Some(Done { counts, nearest: nearest.unwrap_or(u32::MAX) })
                        }
                        (None, None) => None,
                        _ => bail!("expected both counts of packet {number} or none, found one"),
                    };
                    let moves = directions(&moves)?;
                    round.packets.push(Entry { moves, turn, weight, done });
                }
                break Stage::Searching(round);
            }
            CheckpointLine::Packet { number, .. } => {
                bail!("expected a bound, found packet {number}")
            }
        }
    };
    if let Some((_, number)) = lines.next() {
        bail!("expected the digest on line {number}, found another line");
    }
    Ok(Ledger { subject, bounds, stage, known: best })
}

/// Reads a solution and replays it.
fn solution(subject: &Subject, moves: &str) -> Parsed<Vec<Direction>> {
    let moves = directions(moves)?;
    ensure!(
        subject.board.after(&moves).as_ref() == Ok(&subject.goal),
        "its known solution of {} moves does not lead from the board to the goal",
        moves.len()
    );
    Ok(moves)
}

fn of_line<T: DeserializeOwned>(line: Option<(&str, usize)>) -> Parsed<T> {
    let (line, number) = line.ok_or("expected another line, found the digest")?;
    serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))
}

fn subject(head: Head) -> Parsed<Subject> {
    let order = directions(&head.order)?;
    let order = order.try_into().map_err(|order: Vec<_>| {
        format!("expected four directions as the order of moves, found {}", order.len())
    })?;
    let table = |NamedTable { file, digest }: NamedTable| (file, digest.to_string());
    Ok(Subject {
        board: board(&head.board)?,
        goal: board(&head.goal)?,
        heuristic: head.heuristic,
        tables: head.tables.into_iter().map(table).collect(),
        metric: head.metric.map_or(Ok(Metric::default()), |name| name.parse())?,
        order,
        packet_count: head.packets_at_most,
        dual: head.dual.as_deref().map(board).transpose()?,
    })
}

fn board(text: &str) -> Parsed<Board> {
    text.parse().map_err(|error: BoardError| error.to_string())
}

/// Reads moves that are written as single letters.
fn directions(text: &str) -> Parsed<Vec<Direction>> {
    let direction = |letter: char| {
        Direction::ALL
            .into_iter()
            .find(|direction| direction.letter() == letter)
            .ok_or_else(|| format!("expected U, R, D or L, found {letter:?}"))
    };
    text.chars().map(direction).collect()
}

#[cfg(test)]
mod tests {
    use pdb_core::Goal;
    use pdb_search::packets::{PacketEvent, PacketSearch, Share};
    use pdb_search::{KORF_BLANK_LAST, Limits, Manhattan, Solver, Work};

    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    /// Returns a ledger in the middle of a bound, with a table that does not exist.
    fn example(stop_after: usize) -> Ledger {
        let board: Board = "13 5 4 10/9 12 8 14/2 3 7 1/0 15 11 6".parse().expect("a board");
        let goal = Goal::blank_first(board.shape());
        let heuristic = Manhattan::new(&goal);
        let (stop, count) = (AtomicBool::new(false), AtomicUsize::new(0));
        let limits = Limits { stop: Some(&stop), ..Limits::default() };
        let solver = Solver::new(heuristic, &goal, KORF_BLANK_LAST).expect("it is an order");
        let work = Work { limits, ..Work::default() };
        let search = PacketSearch::new(&solver, &board, work).expect("the board can be solved");
        let tables = vec![("a.pdb".to_owned(), digest(b"a").to_string())];
        let ledger = Mutex::new(search.begin(search.subject("manhattan", tables, 30)));
        let watch = |event| {
            if event == PacketEvent::Packet
                && count.fetch_add(1, Ordering::Relaxed) + 1 >= stop_after
            {
                stop.store(true, Ordering::Relaxed);
            }
        };
        search.advance(&ledger, Share::ALL, &watch).expect("the heuristic is a lower bound");
        ledger.into_inner().expect("nobody panicked")
    }

    #[test]
    fn checkpoint_reads_back() {
        for stop_after in [1, 20, 40, usize::MAX] {
            let ledger = example(stop_after);
            let text = text(&ledger);
            assert_eq!(parse(text.as_bytes()).expect("it can be read"), ledger);
        }
        assert!(matches!(example(usize::MAX).stage, Stage::Solved { .. }));
        let round = example(40);
        let round = round.round().expect("the bound is not done");
        assert!(round.packets.len() >= 30 && round.done_count() > 0 && !round.is_done());
    }

    /// Returns the ledger in the middle of a bound with the solution of the finished search.
    fn example_with_solution() -> Ledger {
        let mut ledger = example(40);
        let solved = example(usize::MAX);
        let Stage::Solved { moves, .. } = &solved.stage else { panic!("the search has finished") };
        assert!(ledger.keep_known(moves));
        ledger
    }

    #[test]
    fn known_solution_reads_back_and_is_replayed() {
        let ledger = example_with_solution();
        let text = text(&ledger);
        assert_eq!(parse(text.as_bytes()).expect("it can be read"), ledger);
        let lines = &text[..=text.trim_end().rfind('\n').expect("there are lines")];
        let known = letters(ledger.known.as_ref().expect("it was kept"));
        for (by, expected) in [
            (&known[1..], "its known solution of 54 moves does not lead"),
            ("", "its known solution of 0 moves does not lead"),
            ("Q", "found 'Q'"),
        ] {
            let error = parse(signed(&lines.replacen(&known, by, 1)).as_bytes()).expect_err(by);
            assert!(error.contains(expected), "{by}: {error}");
        }
    }

    #[test]
    fn solution_that_bounds_prove_reads_back() {
        let mut ledger = example(usize::MAX);
        assert!(!text(&ledger).contains("proved_by_bounds"));
        if let Stage::Solved { is_proved_by_bounds, .. } = &mut ledger.stage {
            *is_proved_by_bounds = true;
        }
        assert!(text(&ledger).contains("\"proved_by_bounds\":true"));
        assert_eq!(parse(text(&ledger).as_bytes()).expect("it can be read"), ledger);
    }

    #[test]
    fn truncated_checkpoint_is_refused() {
        let text = text(&example(40));
        for length in 0..text.len() {
            assert!(parse(&text.as_bytes()[..length]).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn changed_bytes_of_a_checkpoint_are_refused() {
        let text = text(&example(40));
        for place in 0..text.len() {
            for flip in [1, 0x20, 0x80] {
                let mut bytes = text.clone().into_bytes();
                bytes[place] ^= flip;
                assert!(parse(&bytes).is_err(), "byte {place} by {flip}");
            }
        }
        for end in ["\n", "{}\n", "x"] {
            assert!(parse(format!("{text}{end}").as_bytes()).is_err(), "{end:?}");
        }
    }

    /// Returns a text with a valid digest, as an attacker would write it.
    fn signed(lines: &str) -> String {
        let digest = digest(lines.as_bytes());
        format!("{lines}{{\"digest\":\"{digest}\"}}\n")
    }

    #[test]
    fn forged_lines_of_a_checkpoint_are_refused() {
        let text = text(&example(40));
        let lines = &text[..=text.trim_end().rfind('\n').expect("there are lines")];
        assert_eq!(signed(lines), text);
        for (what, by, expected) in [
            (
                "\"tilebase_checkpoint\":2",
                "\"tilebase_checkpoint\":3",
                "version 3, expected 1 to 2",
            ),
            ("\"number\":3,", "\"number\":4,", "expected packet 3, found 4"),
            ("\"number\":3,", "\"number\":-1,", "line"),
            ("\"generated\":", "\"generated\":99999999999999999999999", "line"),
            ("\"order\":\"", "\"order\":\"U", "found 5"),
            ("\"order\":\"U", "\"order\":\"X", "found 'X'"),
            ("\"board\":\"13", "\"board\":\"77", "77"),
            ("\"board\":\"13 ", "\"board\":\"", ""),
            ("\"packets\":", "\"packets\":99999999", "found the digest"),
            ("\"packets\":", "\"packets\":0,\"x\":", "unknown field"),
            ("{\"bound\":{", "{\"solution\":{", ""),
        ] {
            let changed = lines.replacen(what, by, 1);
            assert_ne!(changed, lines, "{what}");
            let error = parse(signed(&changed).as_bytes()).expect_err(by);
            assert!(error.contains(expected), "{by}: {error}");
        }
        // Tries the file without each line, with each line twice, and with each line alone.
        let all: Vec<&str> = lines.lines().collect();
        for i in 0..all.len() {
            let mut fewer = all.clone();
            fewer.remove(i);
            // A missing bound is detected when the search continues.
            let result = parse(signed(&(fewer.join("\n") + "\n")).as_bytes());
            assert!(result.is_err() || all[i].contains("bound_done"), "{}", all[i]);
            let mut more = all.clone();
            more.insert(i, all[i]);
            let result = parse(signed(&(more.join("\n") + "\n")).as_bytes());
            assert!(result.is_err() || all[i].contains("bound_done"), "{}", all[i]);
        }
        for garbage in ["", "\n", "{}", "[]\n", "\u{0}\n\n", "{\"tilebase_checkpoint\":1}\n"] {
            assert!(parse(garbage.as_bytes()).is_err());
            assert!(parse(signed(garbage).as_bytes()).is_err());
        }
    }

    #[test]
    fn version_1_checkpoint_is_read() {
        let ledger = example(40);
        let text = text(&ledger);
        let mut lines = Vec::new();
        for line in text.lines().take(text.lines().count() - 1) {
            let mut line: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
            for known_since in ["turn", "weight", "nearest"] {
                line.get_mut("packet")
                    .and_then(|packet| packet.as_object_mut()?.remove(known_since));
            }
            if line.get("tilebase_checkpoint").is_some() {
                line["tilebase_checkpoint"] = 1.into();
            }
            lines.push(line.to_string());
        }
        let read = parse(signed(&(lines.join("\n") + "\n")).as_bytes()).expect("it was written so");
        assert_eq!((&read.subject, &read.bounds), (&ledger.subject, &ledger.bounds));
        let (found, expected) =
            (read.round().expect("within a bound"), ledger.round().expect("too"));
        assert_eq!((found.bound, found.trunk), (expected.bound, expected.trunk));
        for (found, expected) in found.packets.iter().zip(&expected.packets) {
            assert_eq!(found.moves, expected.moves);
            assert_eq!(found.done.map(|done| done.counts), expected.done.map(|done| done.counts));
        }
    }

    #[test]
    fn random_checkpoints_are_read_or_refused() {
        let ledgers = [example(20), example_with_solution(), example(usize::MAX)];
        let seeds = ledgers.map(|ledger| {
            let mut text = text(&ledger);
            // A few packets test as much as many, and are quicker.
            text.truncate(text.trim_end().rfind('\n').expect("there are lines") + 1);
            text.into_bytes()
        });
        let words = ["{\"bound\":{", "{\"packet\":{", "{\"solution\":{", "null", "[[", "\n"];
        pdb_tests::fuzz::run("checkpoint", 2_000, &seeds, &words, |bytes| {
            let unsigned = parse(bytes).is_ok();
            assert!(!unsigned, "nobody guesses a digest");
            let text = String::from_utf8_lossy(bytes);
            match parse(signed(&text).as_bytes()) {
                // A parsed ledger can be written and parsed again.
                Ok(ledger) => {
                    let again = super::text(&ledger);
                    assert_eq!(parse(again.as_bytes()).expect("it can be read"), ledger);
                    0
                }
                Err(error) => pdb_tests::fuzz::class(&format_args!("{error}")),
            }
        });
    }
}
