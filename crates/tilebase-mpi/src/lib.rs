//! Tilebase on many machines.
//!
//! A job has ranks, which exchange messages ([`Peers`]): processes that MPI started as a rule, and threads in
//! tests. Rank 0 is the command line of Tilebase with a crew: the other ranks. They do what it says.
//!
//! ```text
//!  rank 0                              each other rank
//!  tilebase_cli::run                   worker: opens tables, searches what is dealt
//!      | Crew                              |
//!  head: deals boards and packets          |
//!      |                                   |
//!  post: sends and receives <--------> post
//! ```
//!
//! The program `tilebase-mpi` needs the feature `mpi`, and with it an MPI library, mpicc and libclang.
//! Everything else is compiled and tested without.
//!
//! Read next: [`join`], then `head`, `worker`, `pile`.

#[cfg(feature = "mpi")]
mod comm;
mod counter;
mod desk;
mod head;
mod message;
mod peers;
mod pile;
mod post;
mod report;
mod team;
mod threads;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tilebase::pdb_gen::{Budget, Parts, TeamBudget};
use tilebase::{Crew, Memory};

#[cfg(feature = "mpi")]
pub use comm::Comm;
pub use desk::Traffic;
pub use peers::Peers;
pub use report::Report;
pub use threads::Threads;

use crate::head::Head;
use crate::post::Post;

/// Ranks of one job have one version.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How a rank takes part.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many threads search here.
    pub thread_count: usize,
    /// A rank that has not been heard for so long is lost.
    pub lost_after: Duration,
    /// Whether a line is told for each rank, now and then.
    pub lines: bool,
    /// Whether nothing is told.
    pub quiet: bool,
    /// Whether small tables are built on all ranks too.
    pub share_builds: bool,
    /// How many ranks share the memory of this machine, this one among them.
    pub ranks_here: usize,
}

impl Settings {
    /// What the part of this rank in a build may take: of memory that was said, all, as that was said for
    /// each rank; else its share of what the machine has.
    pub(crate) fn budget(&self, said: Option<u64>) -> TeamBudget {
        let share = || Memory::ALL.for_streaming() / self.ranks_here.max(1) as u64;
        let budget = Budget { memory_bytes: said.unwrap_or_else(share), segment_bytes: None };
        TeamBudget { budget, parts: Parts::default() }
    }
}

impl Default for Settings {
    fn default() -> Self {
        let lost_after = Duration::from_secs(30);
        let thread_count = tilebase::core_count();
        Self {
            thread_count,
            lost_after,
            lines: false,
            quiet: false,
            share_builds: false,
            ranks_here: 1,
        }
    }
}

/// How a job ended for a rank.
#[derive(Debug)]
pub struct Ended<P> {
    /// What it exchanged messages by.
    pub peers: P,
    /// What rank 0 made of it, or that a rank did its part; else why not.
    pub result: Result<Option<(u8, Report)>, String>,
    /// Whether a rank was lost, so that nobody should wait for it.
    pub has_lost: bool,
}

/// Takes part in a job as one rank of it, until it is over. Rank 0 does `work` with all others as its crew,
/// and gives its exit code.
///
/// The calling thread sends and receives; others work.
pub fn join<P: Peers>(
    peers: P,
    settings: &Settings,
    work: impl FnOnce(Arc<dyn Crew>) -> u8 + Send,
) -> Ended<P> {
    let (post, desk, inbox) = Post::new(peers, settings.lost_after);
    thread::scope(|scope| {
        let of_thread = Arc::clone(&desk);
        let rank = move || {
            let desk = of_thread;
            let part = || {
                if desk.rank > 0 {
                    worker::work(&desk, &inbox, settings).map(|()| None)
                } else {
                    Head::meet(Arc::clone(&desk), inbox, settings.clone()).map(|head| {
                        let head = Arc::new(head);
                        let code = work(Arc::clone(&head) as Arc<dyn Crew>);
                        Some((code, head.dismiss(code)))
                    })
                }
            };
            // Whatever happens, the post must end, and the others must know.
            let result = catch_unwind(AssertUnwindSafe(part));
            let result = result.unwrap_or_else(|_| Err("this rank ended in a panic".to_owned()));
            if desk.rank == 0 && result.is_err() {
                desk.there().for_each(|other| desk.say(other, &message::Order::Leave));
            }
            desk.end();
            result
        };
        let rank = thread::Builder::new().name("rank".into()).spawn_scoped(scope, rank);
        let peers = post.run();
        let has_lost = desk.has_lost();
        let result = match rank {
            Ok(rank) => rank.join().unwrap_or_else(|_| Err("it ended in a panic".to_owned())),
            Err(error) => Err(format!("cannot start a thread: {error}")),
        };
        Ended { peers, result, has_lost }
    })
}
