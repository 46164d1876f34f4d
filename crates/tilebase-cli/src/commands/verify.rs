//! `tilebase verify`: checks tables.

use std::io::Write;

use pdb_core::excerpt::printable_text;
use pdb_gen::{GenError, Level};
use tilebase::{Error, Remedy};

use crate::advice::{advised, message};
use crate::args::{TableArgs, Threads};
use crate::choices::{LEVELS, one_of};
use crate::console::Console;
use crate::failure::Verdict;
use crate::help;
use crate::output::shown;

/// Arguments of `tilebase verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("the digests of a spec's tables", "tilebase verify 15/7-8"),
    ("every entry, against the rules and a fresh build", "tilebase verify 15/7-8 --level entries"),
    ("every table of a folder", "tilebase verify tables/*.pdb"),
]))]
pub(crate) struct Args {
    #[command(flatten)]
    tables: TableArgs,
    /// How thoroughly to check; each level includes those before it
    #[arg(long, value_parser = one_of(LEVELS), default_value = "digest", help_heading = help::TABLES)]
    level: Level,
    #[command(flatten)]
    threads: Threads,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let mut is_good = true;
        for table in self.tables.named()? {
            let path = &table.path;
            let name = shown(path);
            let verify = || {
                console.progress.watch(&name, |monitor| {
                    pdb_gen::verify(path, self.level, self.threads.count(), monitor)
                })
            };
            match table.check_is_there().and_then(|()| Ok(verify()?)) {
                Ok(report) => {
                    is_good &= report.is_good();
                    let verdict = if report.is_good() { "ok" } else { "bad" };
                    writeln!(console, "{name}: level {}: {verdict}", report.level)?;
                    for finding in &report.findings {
                        let text = advised(finding, Remedy::of_finding(finding));
                        writeln!(console, "  {}", printable_text(&text))?;
                    }
                }
                // A missing or unreadable table does not stop the check of the others.
                Err(error @ (Error::MissingTable { .. } | Error::Build(GenError::Io { .. }))) => {
                    is_good = false;
                    writeln!(console, "{name}: not checked: {}", printable_text(&message(&error)))?;
                }
                Err(error) => return Err(error.into()),
            }
            console.flush()?;
        }
        Ok(Verdict::of(is_good))
    }
}
