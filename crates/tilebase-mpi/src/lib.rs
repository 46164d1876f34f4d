//! Tilebase on many machines.
//!
//! A job has ranks, which exchange messages ([`Peers`]): processes that MPI started as a rule, and
//! threads in tests. Rank 0 is the command line of Tilebase with a crew: the other ranks, which
//! follow its commands.
//!
//! ```text
//!  rank 0                                   each other rank
//!  tilebase_cli::run                        worker: opens tables, searches dealt items
//!      | Crew                                   |
//!  coordinator: deals boards and packets        |
//!      | mailbox                                | mailbox
//!  message_loop: sends and receives <-----> message_loop
//! ```
//!
//! The program `tilebase-mpi` needs the feature `mpi`, and with it an MPI library, mpicc and
//! libclang. Everything else is compiled and tested without.
//!
//! Read next: [`join`], then `coordinator`, `worker`, `work_queue`.

#[cfg(feature = "mpi")]
mod comm;
mod coordinator;
mod mailbox;
mod message;
mod message_loop;
mod peers;
mod report;
mod rounds;
mod team;
mod work_queue;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tilebase::crew::Crew;
use tilebase::pdb_gen::TeamBudget;
use tilebase::shelf::Memory;

#[cfg(feature = "mpi")]
pub use comm::Comm;
pub use mailbox::Traffic;
pub use peers::{Peers, ThreadPeers};
pub use report::Report;

use crate::coordinator::Coordinator;
use crate::message_loop::MessageLoop;

/// The version that all ranks of a job must have.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Settings of a rank.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Threads that search on this rank.
    pub thread_count: usize,
    /// A rank that is silent for longer is lost.
    pub lost_after: Duration,
    /// Whether a line for each rank is written now and then.
    pub lines: bool,
    /// Whether no notes are written.
    pub quiet: bool,
    /// Whether small tables are built by all ranks too.
    pub share_builds: bool,
    /// Number of ranks that share the memory of this machine, this one included.
    pub ranks_here: usize,
}

impl Settings {
    /// Returns the limits of this rank in a build: the memory that the user allows each rank, or
    /// else its share of the machine's memory.
    pub(crate) fn budget(&self, said: Option<u64>) -> TeamBudget {
        let share = || Memory::ALL.for_streaming() / self.ranks_here.max(1) as u64;
        TeamBudget::new(said.unwrap_or_else(share))
    }
}

impl Default for Settings {
    fn default() -> Self {
        let lost_after = Duration::from_secs(30);
        let thread_count = tilebase::shelf::core_count();
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

/// The end of a job for a rank.
#[derive(Debug)]
pub struct RankResult<P> {
    /// The connection that it had.
    pub peers: P,
    /// Exit code and report on rank 0, nothing on other ranks; or the problem that ended the rank.
    pub result: Result<Option<(u8, Report)>, String>,
    /// Whether a rank was lost, so that the end of MPI would wait for ever.
    pub has_lost: bool,
}

/// Takes part in a job as one rank of it, until it is over. Rank 0 does `work` with all others as
/// its crew, and gives its exit code.
///
/// The calling thread sends and receives; others work.
pub fn join<P: Peers>(
    peers: P,
    settings: &Settings,
    work: impl FnOnce(Arc<dyn Crew>) -> u8 + Send,
) -> RankResult<P> {
    let (message_loop, mailbox, inbox) = MessageLoop::new(peers, settings.lost_after);
    thread::scope(|scope| {
        let of_thread = Arc::clone(&mailbox);
        let rank = move || {
            let mailbox = of_thread;
            let part = || {
                if mailbox.rank > 0 {
                    worker::work(&mailbox, &inbox, settings).map(|()| None)
                } else {
                    Coordinator::meet(Arc::clone(&mailbox), inbox, settings.clone()).map(|head| {
                        let head = Arc::new(head);
                        let code = work(Arc::clone(&head) as Arc<dyn Crew>);
                        Some((code, head.dismiss(code)))
                    })
                }
            };
            // After a panic too, the message loop must end and the other ranks must know.
            let result = catch_unwind(AssertUnwindSafe(part));
            let result = result.unwrap_or_else(|_| Err("this rank ended in a panic".to_owned()));
            if mailbox.rank == 0 && result.is_err() {
                mailbox.there().for_each(|other| mailbox.say(other, &message::Command::Leave));
            }
            mailbox.end();
            result
        };
        let rank = thread::Builder::new().name("rank".into()).spawn_scoped(scope, rank);
        let peers = message_loop.run();
        let has_lost = mailbox.has_lost();
        let result = match rank {
            Ok(rank) => rank.join().unwrap_or_else(|_| Err("it ended in a panic".to_owned())),
            Err(error) => Err(format!("cannot start a thread: {error}")),
        };
        RankResult { peers, result, has_lost }
    })
}
