//! Runs a [`Work`] and stops in the middle: `crash WORK PLACE HOW CHANGE`.
//!
//! `HOW` is `kill` to die before the change, `half` to die in the middle of a write, or `wait` to
//! print a line and sleep forever.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use pdb_gen::Monitor;
use pdb_gen::faults::{Change, Watch};
use pdb_tests::crashes::Work;
use rustix::process::{Signal, getpid, kill_process};

/// Ends this process at once: no destructor runs, and there is no exit code.
fn die() -> ! {
    kill_process(getpid(), Signal::KILL).expect("a process may kill itself");
    unreachable!("nobody survives that")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, work, place, how, change] = &arguments[..] else {
        return Err("expected WORK PLACE HOW CHANGE".into());
    };
    let (work, place, how) = (Work::of_name(work)?, Path::new(place), how.clone());
    let stop_at: u64 = change.parse()?;
    let count = AtomicU64::new(0);
    let _watch = Watch::begin(&Work::disk(place), move |change| {
        if count.fetch_add(1, Ordering::SeqCst) != stop_at {
            return Ok(());
        }
        match (&*how, change) {
            ("wait", _) => {
                io::stdout().write_all(b"waiting\n")?;
                loop {
                    std::thread::park();
                }
            }
            ("half", &Change::Write { path, offset, bytes }) => {
                let file = File::options().write(true).open(path)?;
                file.write_all_at(&bytes[..bytes.len() / 2], offset)?;
                die()
            }
            // Only a write has a middle.
            ("half", _) => Ok(()),
            _ => die(),
        }
    });
    work.run(place, &Monitor::silent())?;
    Ok(())
}
