//! Ranks that are threads of this process return the answers of one machine.

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, Sender, unbounded};
use tempfile::TempDir;
use tilebase::crew::Crew;
use tilebase::hard::{HardSearch, read_checkpoint};
use tilebase::names::{GoalChoice, Spec, SpecChoice};
use tilebase::sets::BoardSet;
use tilebase::{Answer, Board, Goal, Search, Shape, Status, Tilebase};
use tilebase_mpi::{Peers, RankSettings, join};

/// A rank that is a thread of this process. After some messages, it no longer sends or receives.
struct ThreadPeers {
    rank: usize,
    others: Vec<Sender<(usize, Vec<u8>)>>,
    arrived: Receiver<(usize, Vec<u8>)>,
    /// Number of messages that it sends before it stops.
    messages: usize,
}

impl ThreadPeers {
    /// Creates ranks that are connected with each other. The last one stops after some messages.
    fn connected(count: usize, messages: usize) -> Vec<Self> {
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..count).map(|_| unbounded()).unzip();
        let of = |(rank, arrived)| {
            let messages = if rank + 1 == count { messages } else { usize::MAX };
            Self { rank, others: senders.clone(), arrived, messages }
        };
        receivers.into_iter().enumerate().map(of).collect()
    }
}

impl Peers for ThreadPeers {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.others.len()
    }

    fn host(&self) -> String {
        format!("thread {}", self.rank)
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        if self.messages > 0 {
            self.messages -= 1;
            // A rank that has ended reads no more.
            let _ = self.others[to].send((self.rank, message));
        }
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        if self.messages > 0 { self.arrived.try_recv().ok() } else { None }
    }

    fn unsent(&mut self, _: &dyn Fn(usize) -> bool) -> usize {
        0
    }
}

/// Runs work on rank 0 of several ranks, which all stay until the end.
fn on_ranks<T: Send>(count: usize, work: impl FnOnce(Arc<dyn Crew>) -> T + Send) -> T {
    on_some_ranks(count, usize::MAX, &settings(5000), work)
}

fn settings(lost_after_millis: u64) -> RankSettings {
    RankSettings {
        thread_count: 1,
        lost_after: Duration::from_millis(lost_after_millis),
        quiet: true,
        ..RankSettings::default()
    }
}

/// Does the same, but the last rank stops sending after some messages.
fn on_some_ranks<T: Send>(
    count: usize,
    messages: usize,
    settings: &RankSettings,
    work: impl FnOnce(Arc<dyn Crew>) -> T + Send,
) -> T {
    let result = Mutex::new(None);
    let mut work = Some(|crew| {
        *result.lock().expect("no rank panicked") = Some(work(crew));
        7
    });
    thread::scope(|scope| {
        let mut ranks = Vec::new();
        for peers in ThreadPeers::connected(count, messages) {
            let work = work.take_if(|_| peers.rank == 0);
            ranks.push(scope.spawn(move || {
                join(peers, settings, |crew| work.expect("this is rank 0")(crew)).result
            }));
        }
        for (rank, thread) in ranks.into_iter().enumerate() {
            let result = thread.join().expect("no rank panics");
            if messages < usize::MAX && rank + 1 == count {
                let problem = result.expect_err("no rank heard it");
                assert!(
                    problem.starts_with("rank 0 ") && problem.ends_with("is lost"),
                    "{problem}"
                );
                continue;
            }
            let result = result.expect("the job ends well");
            assert_eq!(result.map(|(code, _)| code), (rank == 0).then_some(7));
        }
    });
    result.into_inner().expect("no rank panicked").expect("rank 0 did its work")
}

/// Returns a folder with the tables of 15/5-5-5.
fn built() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let build = || {
        let folder = tempfile::tempdir().expect("there is a folder");
        let tables = Tilebase::builder().folder(folder.path()).spec("15/5-5-5");
        tables.ensure().expect("the tables are built");
        folder
    };
    FOLDER.get_or_init(build).path()
}

fn tables(crew: Option<Arc<dyn Crew>>) -> Tilebase {
    let search = Search { thread_count: 1, crew, ..Search::default() };
    let tables = Tilebase::builder().folder(built()).spec("15/5-5-5").search(search);
    tables.open().expect("the tables are there")
}

fn solve(tables: &Tilebase, boards: &[Board]) -> Vec<Answer> {
    tables.solve_all(boards.to_vec()).map(|answer| answer.expect("it is answered")).collect()
}

fn walks(steps: usize, seed: u64) -> Vec<Board> {
    let goal = Goal::blank_last(Shape::new(4, 4).expect("it is a shape"));
    BoardSet::walks(&goal, steps, 200, seed).boards
}

#[test]
fn batch_has_the_answers_of_one_machine() {
    let boards = walks(70, 5);
    let alone = solve(&tables(None), &boards);
    for count in [1, 2, 4] {
        let together = on_ranks(count, |crew| solve(&tables(Some(crew)), &boards));
        assert_eq!(together.len(), alone.len());
        for (a, b) in together.iter().zip(&alone) {
            assert_eq!((a.board, a.length()), (b.board, b.length()));
            // All bounds except the last one are searched completely.
            let full = |answer: &Answer| answer.bounds[..answer.bounds.len() - 1].to_vec();
            assert_eq!(full(a), full(b));
        }
    }
}

#[test]
fn hard_board_has_the_bounds_of_one_machine() {
    // R. E. Korf's board 88, one of the hardest of his hundred.
    let goal = Goal::blank_first(Shape::new(4, 4).expect("a shape"));
    let board = Board::new(goal.shape(), &pdb_tests::korf100()[87].tiles).expect("a board");
    let solve = |crew| {
        let hard_search = Search { thread_count: 1, crew, ..Search::default() };
        let goal = GoalChoice::Drawn(goal);
        let builder = Tilebase::builder().folder(built()).spec("15/5-5-5").goal(goal);
        let tables = builder.ensure().expect("the tables are built");
        let hard = HardSearch { search: hard_search, ..HardSearch::default() };
        tables.solve_hard(board, &hard).expect("it is solved").answer
    };
    let alone = solve(None);
    for count in [1, 3] {
        let together = on_ranks(count, |crew| solve(Some(crew)));
        assert_eq!((together.length(), &together.bounds), (alone.length(), &alone.bounds));
        assert!(together.generated > 0);
    }
}

#[test]
fn ranks_end_after_a_time_with_the_best_solution() {
    // The first of Korf's 24-puzzles, which takes 95 moves.
    let board: Board = "14 5 9 2 18/8 23 19 12 17/15 0 10 20 4/6 11 21 1 7/24 3 16 22 13"
        .parse()
        .expect("it is a board");
    let solve = |crew| {
        let within = Some(Duration::from_secs(1));
        let search = Search { thread_count: 1, within, crew: Some(crew), ..Search::default() };
        let goal = GoalChoice::Drawn(Goal::blank_first(board.shape()));
        let tables = Tilebase::builder().spec("manhattan").goal(goal).lazy().expect("no tables");
        let hard = HardSearch { search, ..HardSearch::default() };
        let answer = tables.solve_hard(board, &hard).expect("it is searched").answer;
        let Status::Solved { moves, lower_bound, limit: None } = &answer.status else {
            panic!("{answer:?}")
        };
        assert!(moves.len() >= 95 && *lower_bound <= 95, "{} moves", moves.len());
        assert_eq!(board.after(moves).as_ref(), Ok(Goal::blank_first(board.shape()).board()));
    };
    on_ranks(2, solve);
}

/// A partition of the 15-puzzle, and a dual whose tables are among those of the partition. So a
/// checkpoint of one spec is a checkpoint of the other.
const OWN: &str = "title = '15-puzzle, 4-4-4-3 partition'\nreflect = false\n\
                   goal = '1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 .'\n\
                   partition = 'A A B B/A A B B/C C D D/C D D .'\n";
const DUAL: &str = "[[dual]]\nreflect = false\n\
                    goal = '1 . 2 3/4 5 6 7/8 9 10 11/12 13 14 15'\n\
                    partition = 'A . B B/A A B B/C C D D/C C D D'\n";

#[test]
fn ranks_search_the_tree_of_the_checkpoint() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let board: Board = "2 10 11 12/0 14 7 3/13 1 9 8/6 4 15 5".parse().expect("it is a board");
    let path = folder.path().join("board.ckpt");
    let solve = |text: &str, nodes: Option<u64>, crew: Option<Arc<dyn Crew>>| {
        let spec = Spec::parse("pair", text).expect("it is a spec");
        let search = Search { thread_count: 1, nodes, crew, ..Search::default() };
        let hard = HardSearch {
            checkpoint: Some(path.clone()),
            packet_count: Some(200),
            search,
            ..HardSearch::default()
        };
        let choice = SpecChoice::Spec(Box::new(spec));
        let builder = Tilebase::builder().folder(folder.path()).choice(choice);
        let tables = builder.ensure().expect("the tables are built");
        let answer = tables.solve_hard(board, &hard).expect("it is searched").answer;
        (answer, read_checkpoint(&path).expect("it was written").subject.dual.is_some())
    };
    let both = format!("{OWN}{DUAL}");
    // Each tree, completely on one machine, and begun there and continued by ranks.
    for first in [OWN, &both] {
        let (alone, is_dual) = solve(first, None, None);
        assert_eq!(is_dual, first == both, "the dual has the smaller tree");
        for count in [2, 3] {
            std::fs::remove_file(&path).expect("it was written");
            solve(first, Some(10_000), None);
            let (together, continues_dual) = on_ranks(count, |crew| solve(&both, None, Some(crew)));
            assert_eq!(continues_dual, is_dual);
            assert_eq!((together.length(), &together.bounds), (alone.length(), &alone.bounds));
        }
        std::fs::remove_file(&path).expect("it was written");
    }
}

#[test]
fn batch_survives_a_silent_rank() {
    let boards = walks(90, 6);
    let alone = solve(&tables(None), &boards);
    // The rank stops before it is ready, as soon as it is ready, or in the middle of its work.
    for messages in [12, 15, 40] {
        let together =
            on_some_ranks(3, messages, &settings(500), |crew| solve(&tables(Some(crew)), &boards));
        let lengths = |answers: &[Answer]| -> Vec<_> {
            answers.iter().map(|answer| (answer.board, answer.length())).collect()
        };
        assert_eq!(lengths(&together), lengths(&alone), "{messages} messages");
    }
}

#[test]
fn build_names_a_silent_rank_and_the_others_build() {
    for messages in [20, 40] {
        let folder = tempfile::tempdir().expect("there is a folder");
        let build = |crew| {
            let search = Search { thread_count: 1, crew: Some(crew), ..Search::default() };
            let builder = Tilebase::builder().folder(folder.path()).spec("15/5-5-5");
            builder.search(search).ensure().map(|_| ()).map_err(|error| error.to_string())
        };
        let shared = RankSettings { share_builds: true, ..settings(500) };
        let problem = on_some_ranks(3, messages, &shared, build).expect_err("one is missing");
        assert!(problem.contains("rank 2 on thread 2"), "{problem}");
        on_some_ranks(2, usize::MAX, &shared, build).expect("two are enough");
        for entry in std::fs::read_dir(built()).expect("it is there") {
            let name = entry.expect("it can be listed").file_name();
            let bytes = |folder: &Path| std::fs::read(folder.join(&name)).unwrap_or_default();
            assert!(bytes(folder.path()) == bytes(built()), "{}", name.display());
        }
    }
}
