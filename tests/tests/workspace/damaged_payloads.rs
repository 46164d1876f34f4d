//! One flipped bit in a table gives no answer, no estimate and no checkpoint, unless the tables are
//! trusted. Then some solutions are too long, and each answer says that its tables were not
//! checked.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use pdb_core::{BlankMode, Goal, Plan, Shape, TableKey};
use pdb_format::FormatError;
use pdb_lab::searches::SolutionQuery;
use pdb_lab::{Engine, SearchName};
use pdb_oracle::Random;
use pdb_rt::{Database, OpenError};
use pdb_search::packets::{Advance, Share};
use pdb_search::{BoardList, Claim, LimitKind, Limits, Verdict, Weight, Work};
use pdb_tests::are_long;
use tilebase::hard::HardSearch;
use tilebase::moves::SolutionOptions;
use tilebase::sets::BoardSet;
use tilebase::shelf::Residence;
use tilebase::{Board, Builder, Error, Metric, Tilebase};

/// A flipped bit of a file; dropping this value flips it back.
struct Flip<'a> {
    file: &'a File,
    at: u64,
    byte: u8,
}

impl<'a> Flip<'a> {
    fn new(file: &'a File, at: u64, bit: usize) -> Self {
        let mut byte = [0];
        file.read_exact_at(&mut byte, at).unwrap();
        file.write_all_at(&[byte[0] ^ 1 << bit], at).unwrap();
        Self { file, at, byte: byte[0] }
    }
}

impl Drop for Flip<'_> {
    fn drop(&mut self) {
        self.file.write_all_at(&[self.byte], self.at).unwrap();
    }
}

/// Returns the name, the spec and the plan of each kind of table.
fn kinds(goal: &Goal) -> Vec<(&'static str, String, Plan)> {
    let halves = [vec![(1..=4).collect(), (5..=8).collect()]];
    let drawn = |mode: &str, reflect: bool| {
        format!(
            "title = \"halves\"\ngoal = \"1 2 3/4 5 6/7 8 0\"\nblank = \"{mode}\"\nreflect = {reflect}\n\
             partition = \"A A A/A B B/B B .\"\n"
        )
    };
    let additive = |mode, reflect| Plan::additive(goal, &halves, mode, reflect).unwrap();
    let builtin = |name| pdb_spec::builtin(name).unwrap().plan;
    vec![
        ("blank-aware", drawn("aware", false), additive(BlankMode::Aware, false)),
        ("blank-aware, mirrored", drawn("aware", true), additive(BlankMode::Aware, true)),
        ("blank-collapsed", drawn("collapsed", false), additive(BlankMode::Collapsed, false)),
        ("whole board", "8/whole".into(), builtin("8/whole")),
        ("plain", "8/fringe".into(), builtin("8/fringe")),
        ("Walking Distance", "walking-distance".into(), Plan::walking(goal)),
    ]
}

fn is_damage(error: &Error) -> bool {
    let Error::Damaged(OpenError::Format { source, .. }) = error else { return false };
    matches!(source, FormatError::ChunkDigest { .. })
}

#[test]
fn no_answer_is_given_with_a_flipped_bit_of_a_payload() {
    let (tries, board_count) = if are_long() { (1000, 500) } else { (12, 10) };
    println!("{tries} of 1000 flipped bits for each kind of table");
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let boards = BoardSet::random(&goal, board_count, 7).boards;
    let distances = pdb_oracle::distances(3, 3, goal.board().tiles());
    for (kind, spec, plan) in kinds(&goal) {
        let folder = tempfile::tempdir().unwrap();
        let spec = if spec.contains('\n') {
            let path = folder.path().join("spec.toml");
            pdb_gen::write_file(&path, spec.as_bytes()).unwrap();
            path.to_str().unwrap().to_owned()
        } else {
            spec
        };
        let builder =
            || Tilebase::builder().spec(&spec).goal(tilebase::names::GoalChoice::Drawn(goal));
        let builder = || builder().folder(folder.path()).threads(2);
        builder().ensure().unwrap();
        let files: Vec<(File, u64, u64)> =
            plan.tables().iter().map(|key| opened(folder.path(), key)).collect();
        let mut random = Random::default();
        let mut wrong_when_trusted = 0;
        let mut refused = 0;
        for attempt in 0..tries {
            let (file, first, len) = &files[random.below(files.len())];
            let at = first + random.below((len - first) as usize) as u64;
            let flip = Flip::new(file, at, random.below(8));
            // Opening finds an invalid link and a wrong first state.
            if let Err(error) = builder().open() {
                assert!(matches!(error, Error::Open(_)), "{kind}: {error}");
                refused += 1;
                continue;
            }
            attack(builder, attempt, &boards, folder.path());
            let trusted = builder().trust_tables().open().unwrap();
            let mut is_wrong = false;
            for answer in trusted.solve_all(boards.clone()) {
                // A wrong goal entry, or a search that misses the goal, is an error even then.
                let Ok(answer) = answer else { break };
                assert!(!answer.is_checked, "{kind}");
                let distance = distances[answer.board.tiles()] as usize;
                is_wrong |= answer.length() != Some(distance);
            }
            wrong_when_trusted += u32::from(is_wrong);
            drop(flip);
        }
        println!(
            "{kind}: {tries} flipped bits, {refused} refused at once, the others before an answer; \
             trusted, {wrong_when_trusted} gave solutions that are too long"
        );
        let tables = builder().open().unwrap();
        for board in &boards {
            let answer = tables.solve(*board).unwrap();
            assert!(answer.is_checked);
            assert_eq!(answer.length(), Some(distances[board.tiles()] as usize), "{kind}");
        }
    }
}

/// Opens a table for writing. Returns it with the start and the length of its payload.
fn opened(folder: &Path, key: &TableKey) -> (File, u64, u64) {
    let path: PathBuf = folder.join(key.file_name());
    let table = pdb_rt::Table::open(&path).unwrap();
    let file = File::options().read(true).write(true).open(&path).unwrap();
    (file, table.header().payload_offset(), table.header().file_bytes())
}

/// Solves one board and many boards, estimates, and writes a checkpoint; all of them must fail.
fn attack(builder: impl Fn() -> Builder, attempt: u32, boards: &[Board], folder: &Path) {
    let residences = [Residence::Mapped, Residence::Prefaulted, Residence::Copied];
    let tables = builder().residence(residences[attempt as usize % 3]).open().unwrap();
    let board = boards[attempt as usize % boards.len()];
    match attempt % 4 {
        0 => assert!(is_damage(&tables.solve(board).unwrap_err())),
        1 => {
            let mut stream = tables.solve_all(boards.to_vec());
            let answers: Vec<_> = stream.by_ref().collect();
            assert!(answers.len() == 1 && is_damage(answers[0].as_ref().unwrap_err()));
            // Totals are of answers alone.
            assert_eq!((stream.totals().boards, stream.totals().generated), (0, 0));
        }
        2 => assert!(is_damage(&tables.estimate(board).unwrap_err())),
        _ => {
            let checkpoint = folder.join("hard.ckpt");
            let hard = HardSearch { checkpoint: Some(checkpoint.clone()), ..HardSearch::default() };
            assert!(is_damage(&tables.solve_hard(board, &hard).unwrap_err()));
            assert!(!checkpoint.exists());
        }
    }
}

/// A coloured table of the 8-puzzle.
const COLOURED: &str = "title = \"colours\"\ngoal = \"1 2 3/4 5 6/7 8 0\"\nkind = \"coloured\"\n\
                        colouring = \"A A B/C A B/C C .\"\n";

/// Bytes of its file without which a search goes on for ever.
const HOLE: std::ops::Range<u64> = 11_090..12_398;

#[test]
fn every_query_of_slides_ends_with_a_hole_in_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("spec.toml");
    pdb_gen::write_file(&spec, COLOURED.as_bytes()).unwrap();
    let builder = || {
        let builder = Tilebase::builder().spec(spec.to_str().unwrap()).metric(Metric::MultiTile);
        builder.folder(folder.path()).threads(2)
    };
    builder().ensure().unwrap();
    let plan = pdb_spec::Spec::parse("colours", COLOURED).unwrap().plan;
    let (file, ..) = opened(folder.path(), &plan.tables()[0]);
    file.write_all_at(&vec![0; (HOLE.end - HOLE.start) as usize], HOLE.start).unwrap();
    let all = |options: &SolutionOptions, board| {
        let tables = builder().open().unwrap();
        tables.solutions(board, options, &mut |_, _| true).map(|_| ())
    };
    for board in BoardSet::random(plan.goal(), if are_long() { 100 } else { 10 }, 7).boards {
        let tables = || builder().open().unwrap();
        let found = [
            tables().solve(board).map(|_| ()),
            tables().solve_all([board]).next().unwrap().map(|_| ()),
            tables().moves(board).map(|_| ()),
            all(&SolutionOptions::count(), board),
            all(&SolutionOptions::all().slack(1), board),
            all(&SolutionOptions::best(3), board),
        ];
        for (query, found) in found.into_iter().enumerate() {
            assert!(is_damage(&found.unwrap_err()), "query {query} of {board}");
        }
    }
}

#[test]
fn every_search_ends_once_a_table_is_known_to_be_damaged() {
    let coloured = pdb_spec::Spec::parse("colours", COLOURED).unwrap().plan;
    let whole = pdb_spec::builtin("8/whole").unwrap().plan;
    for (plan, metric) in [(whole, Metric::SingleTile), (coloured, Metric::MultiTile)] {
        let silent = pdb_gen::Monitor::silent();
        let table = pdb_gen::Table::build(&plan.tables()[0], 1, &silent).unwrap();
        let mut bytes = table.to_bytes();
        *bytes.last_mut().unwrap() ^= 1;
        let table = pdb_rt::Table::from_bytes("damaged", bytes).unwrap();
        let database = Database::of_tables(&plan, vec![table]).unwrap().check_beside(1, |_| ());
        assert!(database.confirm().is_err());
        let engine = Engine::of_tables("damaged", database).in_metric(metric).unwrap();
        let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
        let (work, one) = (Work::default(), [board]);
        let limit = Some(LimitKind::Interrupted);
        for search in SearchName::all().filter(|search| search.expect_metric(metric).is_ok()) {
            let outcome = engine.search(search, &board, Weight::ONE, Limits::default()).unwrap();
            assert_eq!(outcome.status.limit(), limit, "{search}");
            let list = BoardList::new(&one);
            engine.solve_all_by(search, &list, Weight::ONE, &work);
            let outcome = list.into_answers().remove(0).unwrap();
            assert_eq!(outcome.status.limit(), limit, "{search}");
        }
        assert_eq!(engine.solve(&board, &work).unwrap().status.limit(), limit);
        let list = BoardList::new(&one);
        engine.solve_all(&list, &work);
        assert_eq!(list.into_answers().remove(0).unwrap().status.limit(), limit);
        let query = SolutionQuery { length: 31, is_shortest: true };
        assert_eq!(engine.solutions(&board, query, work.limits, None).unwrap().limit, limit);
        let claim = Claim { board, distance: 31, after: None };
        let (verdicts, _) = engine.try_claims(&[claim], &work).unwrap();
        assert_eq!(verdicts, [Verdict::Open(LimitKind::Interrupted)]);
        if metric == Metric::SingleTile {
            let search = engine.packets(&board, work).unwrap();
            let ledger = search.begin(search.subject("damaged", Vec::new(), 100)).into();
            let end = search.advance(&ledger, Share::ALL, &|_| ()).unwrap();
            assert!(matches!(end, Advance::Limit { kind: LimitKind::Interrupted, .. }));
        }
    }
}
