//! Tables are promoted to huge pages while they are looked up, and nobody notices.

#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]
#![allow(
    clippy::print_stderr,
    reason = "what a test found on this system, for whoever asks for it"
)]
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Lines, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{ChildStderr, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pdb_core::{BlankMode, Board, Direction, Goal, Heuristic, Plan, RootError, Shape};
use pdb_gen::{Monitor, build};
use pdb_rt::{Database, OpenError, Pages, Promotion, Residence, Visitor};

/// Seven tiles of the 15-puzzle, 17 MB, and the other eight by fours: the first is large enough for huge pages.
fn plan() -> Plan {
    let goal = Goal::blank_last(Shape::new(4, 4).unwrap());
    let patterns = [(1..=7).collect(), (8..=11).collect(), (12..=15).collect()];
    Plan::additive(&goal, &[patterns.to_vec()], BlankMode::Aware, false).unwrap()
}

/// Builds the tables in a folder.
fn fill(plan: &Plan, folder: &Path) {
    for key in plan.tables() {
        build(key, folder, 2, false, &Monitor::silent()).unwrap();
    }
}

/// Writes all files of a folder to another one in pieces of a page, so that they lie in small pages.
fn copy_in_small_pages(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let mut file = File::options()
            .write(true)
            .create_new(true)
            .open(to.join(path.file_name().unwrap()))
            .unwrap();
        for piece in fs::read(&path).unwrap().chunks(4096) {
            file.write_all(piece).unwrap();
        }
        file.sync_all().unwrap();
    }
}

fn walk(goal: &Goal, moves: usize) -> Vec<Board> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut boards = vec![*goal.board()];
    while boards.len() <= moves {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        boards.extend(boards[boards.len() - 1].moved(Direction::ALL[(state >> 33) as usize % 4]));
    }
    boards
}

struct Estimates<'a>(&'a [Board]);

impl<'h> Visitor<'h> for Estimates<'_> {
    type Output = Vec<u32>;

    fn visit<H: Heuristic + Send + 'h>(self, heuristic: H) -> Vec<u32> {
        let estimate = |board| -> Result<u32, RootError> {
            let (_, node) = heuristic.root(board)?;
            Ok(heuristic.estimate(&node))
        };
        self.0.iter().map(|board| estimate(board).unwrap()).collect()
    }
}

fn open(plan: &Plan, folder: &Path, promotion: Promotion) -> Database {
    Database::open_as(plan, folder, Residence::Auto).unwrap().promotion(promotion).check(2).unwrap()
}

/// At once, and always by a copy.
fn at_once() -> Promotion {
    Promotion::default().after(Duration::ZERO).by_copying()
}

/// Searches until it is true of the database, or for two seconds; says whether it became true.
fn comes(database: &Database, is_there: impl Fn(&Database) -> bool) -> bool {
    let _searching = database.searching();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(2) {
        if is_there(database) {
            return true;
        }
        thread::sleep(Duration::from_millis(2));
    }
    false
}

fn is_copied(database: &Database) -> bool {
    database.tables().iter().any(|table| table.pages() == Pages::Copied)
}

/// Whether the system gives huge pages to those who ask.
fn has_huge_pages() -> bool {
    let said = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled");
    let has = said.is_ok_and(|said| !said.contains("[never]"));
    if !has {
        eprintln!("this system has no huge pages: only refusals are tested");
    }
    has
}

#[test]
fn tables_that_are_promoted_while_threads_look_them_up_say_the_same_at_every_moment() {
    let plan = plan();
    let folder = tempfile::tempdir().unwrap();
    fill(&plan, folder.path());
    let boards = walk(plan.goal(), 2000);
    let mapped = Database::open(&plan, folder.path()).unwrap().check(2).unwrap();
    let expected = mapped.visit(Estimates(&boards));
    let expected_bytes: Vec<Vec<u8>> =
        mapped.tables().iter().map(|table| table.payload().to_vec()).collect();
    for _ in 0..20 {
        let database = open(&plan, folder.path(), at_once());
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            for thread in 0..3_usize {
                let (database, expected_bytes, is_over) = (&database, &expected_bytes, &is_over);
                let (boards, expected) = (&boards, &expected);
                scope.spawn(move || {
                    // References that were taken before stay as they are.
                    let payloads: Vec<&[u8]> =
                        database.tables().iter().map(pdb_rt::Table::payload).collect();
                    let mut at = thread;
                    while !is_over.load(Ordering::Relaxed) {
                        for (found, expected) in payloads.iter().zip(expected_bytes) {
                            for _ in 0..1000 {
                                at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                                let place = (at >> 20) % found.len();
                                assert_eq!(found[place], expected[place]);
                            }
                        }
                        let part = at % 1000;
                        let found = database.visit(Estimates(&boards[part..part + 100]));
                        assert_eq!(found, expected[part..part + 100]);
                    }
                });
            }
            let has_come = comes(&database, is_copied);
            thread::sleep(Duration::from_millis(5));
            is_over.store(true, Ordering::Relaxed);
            assert_eq!(has_come, has_huge_pages());
        });
        database.confirm().unwrap();
        assert_eq!(database.visit(Estimates(&boards)), expected);
        database.tables().iter().for_each(|table| table.check_payload().unwrap());
    }
}

#[test]
fn tables_stay_where_they_are_until_there_was_enough_searching() {
    let plan = plan();
    let folder = tempfile::tempdir().unwrap();
    fill(&plan, folder.path());
    let after = Duration::from_millis(200);
    let database = open(&plan, folder.path(), at_once().after(after));
    // What nobody searches waits for ever, and so does what was searched too little.
    thread::sleep(after);
    for _ in 0..10 {
        let _searching = database.searching();
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(2 * after);
    assert!(!is_copied(&database));
    // Time of searches is added up.
    assert_eq!(comes(&database, is_copied), has_huge_pages());

    // What is opened otherwise is not promoted, and neither are small tables unless it is asked for.
    let mapped =
        Database::open(&plan, folder.path()).unwrap().promotion(at_once()).check(2).unwrap();
    assert!(!comes(&mapped, is_copied));
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let small = Plan::additive(&goal, &[vec![(1..=8).collect()]], BlankMode::Aware, false).unwrap();
    fill(&small, folder.path());
    let small = open(&small, folder.path(), Promotion::default().by_copying());
    assert!(!comes(&small, is_copied));
}

#[test]
fn a_limit_on_memory_counts_the_tables_and_their_copies_and_gives_back_what_is_closed() {
    let plan = plan();
    let folder = tempfile::tempdir().unwrap();
    fill(&plan, folder.path());
    let database = open(&plan, folder.path(), at_once());
    let bytes: Vec<u64> = database.tables().iter().map(|t| t.header().file_bytes()).collect();
    let (all, large): (u64, u64) = (bytes.iter().sum(), *bytes.iter().max().unwrap());
    let large_is_copied = |database: &Database| {
        let of = |table: &&pdb_rt::Table| table.header().file_bytes() == large;
        database.tables().iter().find(of).unwrap().pages() == Pages::Copied
    };
    // One byte too little, and just enough for the large table; enough for both only one after the other.
    assert!(!comes(
        &open(&plan, folder.path(), at_once().within(all + large - 1)),
        large_is_copied
    ));
    let promotion = at_once().within(all + large);
    for _ in 0..3 {
        let first = open(&plan, folder.path(), promotion.clone());
        assert_eq!(comes(&first, large_is_copied), has_huge_pages());
        let second = open(&plan, folder.path(), promotion.clone());
        assert!(!comes(&second, large_is_copied));
        drop((first, second));
        // The thread that promotes may still have its hand on them.
        thread::sleep(Duration::from_millis(100));
    }
    assert!(!comes(&open(&plan, folder.path(), at_once().within(0)), is_copied));
}

#[test]
fn a_copy_depends_on_its_file_no_more_and_a_map_that_was_changed_before_is_still_told_of() {
    let plan = plan();
    let folder = tempfile::tempdir().unwrap();
    fill(&plan, folder.path());
    let boards = walk(plan.goal(), 500);
    let database = open(&plan, folder.path(), at_once());
    let expected = database.visit(Estimates(&boards));
    if !comes(&database, is_copied) {
        assert!(!has_huge_pages());
        return;
    }
    for table in database.tables().iter().filter(|table| table.pages() == Pages::Copied) {
        File::options().write(true).open(table.name()).unwrap().set_len(4096).unwrap();
    }
    assert_eq!(database.visit(Estimates(&boards)), expected);
    database.confirm().unwrap();

    // Written to after it was opened and before it is promoted: what was looked up meanwhile may be wrong.
    let folder = tempfile::tempdir().unwrap();
    fill(&plan, folder.path());
    for is_good_again in [true, false] {
        let database = open(&plan, folder.path(), at_once());
        let table = &database.tables()[0];
        thread::sleep(Duration::from_millis(20));
        let file = File::options().read(true).write(true).open(table.name()).unwrap();
        let (mut byte, at) = ([0], table.header().payload_offset() + 1000);
        file.read_exact_at(&mut byte, at).unwrap();
        file.write_all_at(&[!byte[0]], at).unwrap();
        if is_good_again {
            file.write_all_at(&byte, at).unwrap();
        }
        let pages = |database: &Database| database.tables()[0].pages() == Pages::Copied;
        assert_eq!(comes(&database, pages), is_good_again);
        let error = database.confirm().unwrap_err();
        assert!(matches!(error, OpenError::Written { .. }), "{error}");
    }
}

#[test]
fn a_damaged_payload_is_never_promoted() {
    let plan = plan();
    let folder = tempfile::tempdir().unwrap();
    fill(&plan, folder.path());
    let path = folder.path().join(plan.tables()[0].file_name());
    let mut file = File::options().read(true).write(true).open(path).unwrap();
    file.seek(SeekFrom::End(-1)).unwrap();
    let mut byte = [0];
    file.read_exact(&mut byte).unwrap();
    file.seek(SeekFrom::End(-1)).unwrap();
    file.write_all(&[!byte[0]]).unwrap();
    let tables =
        || Database::open_as(&plan, folder.path(), Residence::Auto).unwrap().promotion(at_once());
    let damaged = |database: &Database| database.tables()[0].pages() != Pages::AsOpened;
    assert!(!comes(&tables().trust(), damaged));
    let checked = tables().check_beside(1, |_| ());
    assert!(!comes(&checked, is_copied));
    assert!(checked.confirm().is_err());
}

#[test]
fn what_is_closed_in_the_middle_of_a_promotion_is_closed_quietly() {
    let plan = plan();
    let folder = tempfile::tempdir().unwrap();
    fill(&plan, folder.path());
    for wait in 0..30 {
        let database = open(&plan, folder.path(), at_once());
        let searching = database.searching();
        thread::sleep(Duration::from_micros(wait * 500));
        drop(searching);
        drop(database);
    }
}

/// Tables that the builder wrote are in huge pages of the page cache where the file system can; then all share
/// them, and none is copied. Elsewhere they are copied.
#[test]
fn huge_pages_of_the_file_are_shared_and_small_ones_are_copied() {
    let plan = plan();
    let folder = tempfile::tempdir().unwrap();
    fill(&plan, folder.path());
    let promotion = Promotion::default().after(Duration::ZERO);
    let pages = |folder: &Path| {
        let database = open(&plan, folder, promotion.clone());
        comes(&database, |database| database.tables()[0].pages() != Pages::AsOpened);
        database.tables()[0].pages()
    };
    let built = pages(folder.path());
    let small = tempfile::tempdir().unwrap();
    copy_in_small_pages(folder.path(), small.path());
    let copied = pages(small.path());
    eprintln!("as built: {built:?}, written in small pages: {copied:?}");
    if has_huge_pages() {
        assert!(built != Pages::AsOpened && copied != Pages::AsOpened);
    } else {
        assert!(built != Pages::Copied && copied != Pages::Copied);
    }
}

/// What a process has for itself alone, in KiB.
fn private_kib() -> u64 {
    let rollup = fs::read_to_string("/proc/self/smaps_rollup").unwrap();
    let of = |line: &str| {
        let (name, rest) = line.split_once(':')?;
        let kib = rest.trim().strip_suffix(" kB")?.parse::<u64>().ok()?;
        ["Private_Clean", "Private_Dirty"].contains(&name).then_some(kib)
    };
    rollup.lines().filter_map(of).sum()
}

#[test]
fn ten_processes_share_the_huge_pages_of_a_table_that_was_built_here() {
    const FOLDER: &str = "TILEBASE_TEST_SHARED_TABLES";
    let plan = plan();
    if let Some(folder) = std::env::var_os(FOLDER) {
        let database = open(&plan, Path::new(&folder), Promotion::default().after(Duration::ZERO));
        comes(&database, |database| database.tables()[0].pages() != Pages::AsOpened);
        // All of them have it in memory before any looks at what is its own.
        let sum: u64 = database.tables()[0].payload().iter().map(|&byte| u64::from(byte)).sum();
        eprintln!("ready {:?} {sum}", database.tables()[0].pages());
        std::io::stdin().read_line(&mut String::new()).unwrap();
        eprintln!("own {}", private_kib());
        std::io::stdin().read_line(&mut String::new()).unwrap();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fill(&plan, folder.path());
    let name = "ten_processes_share_the_huge_pages_of_a_table_that_was_built_here";
    let mut processes: Vec<_> = (0..10)
        .map(|_| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", name, "--nocapture"])
                .env(FOLDER, folder.path())
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let mut said: Vec<_> = processes
        .iter_mut()
        .map(|one| BufReader::new(one.stderr.take().unwrap()).lines())
        .collect();
    let mut next = |word: &str| -> Vec<String> {
        let of = |lines: &mut Lines<BufReader<ChildStderr>>| {
            lines.map(Result::unwrap).find_map(|line| Some(line.strip_prefix(word)?.to_owned()))
        };
        said.iter_mut().map(|lines| of(lines).unwrap()).collect()
    };
    let pages = next("ready ");
    for process in &mut processes {
        process.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
    }
    let own: Vec<u64> = next("own ").iter().map(|kib| kib.parse().unwrap()).collect();
    for process in &mut processes {
        process.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
        assert!(process.wait().unwrap().success());
    }
    let large =
        fs::metadata(folder.path().join(plan.tables()[0].file_name())).unwrap().len() / 1024;
    eprintln!("a table of {large} KiB, ten processes: {pages:?}, of their own {own:?} KiB");
    for (pages, own) in pages.iter().zip(own) {
        // Where the file system has no huge pages, each has a copy, and says so.
        assert!(pages.starts_with("Copied") || own < large / 2, "{pages} {own}");
    }
}

/// A process for which the system has no huge pages, by the switch that `prctl` has, runs the tests above and finds
/// every promotion refused.
#[test]
fn where_huge_pages_are_switched_off_tables_stay_as_they_were_opened() {
    if std::env::var_os("TILEBASE_TEST_NO_HUGE_PAGES").is_some() {
        let plan = plan();
        let folder = tempfile::tempdir().unwrap();
        fill(&plan, folder.path());
        let boards = walk(plan.goal(), 500);
        let mapped = Database::open(&plan, folder.path()).unwrap().check(2).unwrap();
        let database = open(&plan, folder.path(), at_once());
        assert!(!comes(&database, is_copied));
        assert_eq!(database.visit(Estimates(&boards)), mapped.visit(Estimates(&boards)));
        return;
    }
    let program = std::env::current_exe().unwrap();
    let switch = "import ctypes, os, sys; ctypes.CDLL(None).prctl(41, 1, 0, 0, 0); os.execv(sys.argv[1], sys.argv[1:])";
    let name = "where_huge_pages_are_switched_off_tables_stay_as_they_were_opened";
    let run = Command::new("python3")
        .args(["-c", switch])
        .arg(program)
        .args(["--exact", name, "--nocapture"])
        .env("TILEBASE_TEST_NO_HUGE_PAGES", "1")
        .output();
    match run {
        Ok(run) => assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr)),
        Err(error) => eprintln!("there is no Python to switch huge pages off with: {error}"),
    }
}
