//! Tilebase on many machines.
//!
//! A job has ranks, which exchange messages ([`Peers`]): normally processes that MPI started, and
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
//! libclang. Everything else is compiled and tested without them.
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
pub use peers::Peers;
pub use report::Report;

use crate::coordinator::Coordinator;
use crate::message_loop::MessageLoop;

/// The version that all ranks of a job must have.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Settings of a rank.
#[derive(Clone, Debug)]
pub struct RankSettings {
    /// Number of threads that search on this rank.
    pub thread_count: usize,
    /// Time of silence after which a rank is lost.
    pub lost_after: Duration,
    /// Whether no notes are written.
    pub quiet: bool,
    /// Whether all ranks also build small tables together.
    pub share_builds: bool,
    /// Number of ranks that share the memory of this machine, including this one.
    pub ranks_here: usize,
}

impl RankSettings {
    /// Returns the limits of this rank in a build: the user's memory limit per rank, or else its
    /// share of the machine's memory.
    pub(crate) fn budget(&self, said: Option<u64>) -> TeamBudget {
        let share = || Memory::ALL.for_streaming() / self.ranks_here.max(1) as u64;
        TeamBudget::new(said.unwrap_or_else(share))
    }
}

impl Default for RankSettings {
    fn default() -> Self {
        let lost_after = Duration::from_secs(30);
        let thread_count = tilebase::shelf::core_count();
        Self { thread_count, lost_after, quiet: false, share_builds: false, ranks_here: 1 }
    }
}

/// Result of a job on one rank.
#[derive(Debug)]
pub struct RankResult<P> {
    /// The connection of the rank.
    pub peers: P,
    /// Exit code and report on rank 0, `None` on other ranks; or the error that ended the rank.
    pub result: Result<Option<(u8, Report)>, String>,
    /// Whether a rank is unreachable, so that finalising MPI would block forever.
    pub has_unreachable: bool,
}

/// Runs one rank of a job until the job ends. Rank 0 runs `work` with all other ranks as its crew,
/// and returns its exit code.
///
/// The calling thread sends and receives; other threads work.
pub fn join<P: Peers>(
    peers: P,
    settings: &RankSettings,
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
            // Even after a panic, the message loop must end and the other ranks must be informed.
            let result = catch_unwind(AssertUnwindSafe(part));
            let result = result.unwrap_or_else(|_| Err("this rank ended in a panic".to_owned()));
            if mailbox.rank == 0 && result.is_err() {
                mailbox
                    .reachable_peers()
                    .for_each(|other| mailbox.say(other, &message::RankCommand::Leave));
            }
            mailbox.end();
            result
        };
        let rank = pdb_core::thread_builder().name("rank".into()).spawn_scoped(scope, rank);
        let peers = message_loop.run();
        let has_unreachable = mailbox.has_unreachable();
        let result = match rank {
            Ok(rank) => rank.join().unwrap_or_else(|_| Err("it ended in a panic".to_owned())),
            Err(error) => Err(format!("cannot start a thread: {error}")),
        };
        RankResult { peers, result, has_unreachable }
    })
}
