//! The program `tilebase-mpi`: some commands of `tilebase`, on all ranks that `mpirun` has started.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Parser;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use tilebase_cli::Surroundings;
use tilebase_mpi::{Comm, Peers, RankResult, RankSettings, join};

/// Solves boards and builds tables of sliding-tile puzzles on many machines: `mpirun -n 4
/// tilebase-mpi solve boards.txt` does what `tilebase solve boards.txt` does, with the threads of
/// all ranks.
#[derive(Debug, Parser)]
#[command(name = "tilebase-mpi", version, arg_required_else_help = true)]
#[command(
    override_usage = "mpirun -n RANKS tilebase-mpi [OPTIONS] solve|build|compare [ARGUMENTS OF TILEBASE]"
)]
struct Cli {
    /// Write a report of the job to a file, as a JSON object: time, messages and waiting of each
    /// rank in each phase
    #[arg(long, value_name = "FILE")]
    job_report: Option<PathBuf>,
    /// Build each table on all ranks, also small ones, which rank 0 alone builds as quickly
    #[arg(long)]
    share_builds: bool,
    /// Seconds of silence after which a rank is lost, and its work is done by others
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = seconds)]
    lost_after: u64,
    /// A command with the arguments that `tilebase` takes: solve, build or compare
    #[arg(
        value_name = "COMMAND",
        trailing_var_arg = true,
        allow_hyphen_values = true,
        required = true
    )]
    command: Vec<OsString>,
}

/// Reads a time in whole seconds.
fn seconds(text: &str) -> Result<u64, String> {
    let is_right = |seconds: &u64| (1..=86_400).contains(seconds);
    let problem = || "expected a whole number of seconds from 1 to 86400".to_owned();
    text.parse().ok().filter(is_right).ok_or_else(problem)
}

/// The commands that ranks share.
const COMMANDS: [&str; 3] = ["solve", "build", "compare"];
const USAGE: i32 = 2;

fn main() {
    let comm = match Comm::new() {
        Ok(comm) => comm,
        Err(problem) => fail(&problem, 1),
    };
    // Only rank 0 reports wrong arguments.
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            if comm.rank() == 0 {
                let _ = error.print();
            }
            let code = error.exit_code();
            comm.finish();
            process::exit(code);
        }
    };
    let name = cli.command[0].to_string_lossy().into_owned();
    if !COMMANDS.contains(&&*name) {
        if comm.rank() == 0 {
            let expected = COMMANDS.join(", ");
            report(&format!("{name:?} cannot be shared by ranks: expected one of {expected}"));
        }
        comm.finish();
        process::exit(USAGE);
    }
    let settings = RankSettings {
        thread_count: thread_count(&cli.command),
        lost_after: Duration::from_secs(cli.lost_after),
        ranks_here: ranks_here(),
        share_builds: cli.share_builds,
        quiet: cli.command.iter().any(|arg| arg == "--quiet" || arg == "-q"),
    };
    // Without this call, the system's signal would end the process immediately.
    let _ = tilebase::shelf::outlive_cut_files();
    if comm.rank() != 0 {
        // mpirun tells all ranks to end. Rank 0 first has to write its results, and then tells the
        // others.
        let heard = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            let _ = signal_hook::flag::register(signal, Arc::clone(&heard));
        }
    }
    let RankResult { peers, result, has_unreachable } = join(comm, &settings, |crew| {
        let surroundings =
            Surroundings { crew: Some(crew), thread_count: Some(settings.thread_count) };
        tilebase_cli::run(["tilebase".into()].into_iter().chain(cli.command), surroundings)
    });
    let code = match result {
        Ok(Some((code, job))) => {
            if let Some(path) = &cli.job_report {
                let text = serde_json::to_string_pretty(&job).expect("a report is JSON");
                if let Err(error) = tilebase::pdb_gen::write_output(path, (text + "\n").as_bytes())
                {
                    fail(&format!("{error}; choose another place with --job-report"), 1);
                }
            }
            i32::from(code)
        }
        Ok(None) => 0,
        Err(problem) => {
            report(&problem);
            1
        }
    };
    if !has_unreachable {
        peers.finish();
    }
    // Finalising MPI would wait for a lost rank.
    process::exit(code);
}

/// Returns the number of threads in the arguments, or else this rank's share of the machine's
/// cores: `mpirun` may bind a rank to some cores, or start several ranks that see all cores.
fn thread_count(command: &[OsString]) -> usize {
    let text = |arg: &OsString| arg.to_string_lossy().into_owned();
    let named = command.iter().enumerate().find_map(|(at, arg)| {
        let arg = text(arg);
        let value = match arg.strip_prefix("--threads") {
            Some("") => command.get(at + 1).map(text)?,
            Some(rest) => rest.strip_prefix('=')?.to_owned(),
            None => return None,
        };
        value.parse().ok()
    });
    // A comparison measures one search after another by default.
    let is_measured = command[0] == "compare";
    named.or(is_measured.then_some(1)).unwrap_or_else(|| {
        let cores = tilebase::shelf::core_count();
        let is_bound = std::thread::available_parallelism().map_or(1, usize::from) < all_cores();
        let ranks = if is_bound { 1 } else { ranks_here() };
        (cores / ranks).max(1)
    })
}

/// Returns the number of ranks that `mpirun` has started on this machine, if it is known.
fn ranks_here() -> usize {
    let names = ["OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"];
    let count = names.iter().find_map(|name| std::env::var(name).ok()?.parse().ok());
    count.unwrap_or(1).max(1)
}

/// Returns the number of cores of the machine, including those that this process may not use.
fn all_cores() -> usize {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    text.lines().filter(|line| line.starts_with("processor")).count().max(1)
}

fn report(problem: &str) {
    let _ = writeln!(std::io::stderr(), "error: {problem}");
}

fn fail(problem: &str, code: i32) -> ! {
    report(problem);
    process::exit(code)
}
