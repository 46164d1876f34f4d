//! `tilebase verify`: whether files are the tables that they say they are.

use std::io::Write;

use pdb_gen::GenError;

use crate::args::Threads;
use crate::failure::Verdict;
use crate::help;
use crate::output::Output;
use crate::progress::Progress;
use crate::specs::Tables;

/// Arguments of `tilebase verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("the digests of a spec's tables", "tilebase verify 15/7-8"),
    ("every entry, against the rules and a fresh build", "tilebase verify 15/7-8 --level entries"),
    ("every table of a folder", "tilebase verify tables/*.pdb"),
]))]
pub(crate) struct Args {
    #[command(flatten)]
    tables: Tables,
    /// How thoroughly to check; each level includes those before it
    #[arg(long, help_heading = help::TABLES, value_enum, default_value_t)]
    level: Level,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Level {
    /// The header, the length of the file and its name
    Header,
    /// The digests of all bytes
    #[default]
    Digest,
    /// Every entry against a fresh build, and the rules that right entries obey
    Entries,
    /// Every byte against a fresh build
    Rebuild,
}

impl From<Level> for pdb_gen::Level {
    fn from(level: Level) -> Self {
        match level {
            Level::Header => Self::Header,
            Level::Digest => Self::Digest,
            Level::Entries => Self::Entries,
            Level::Rebuild => Self::Rebuild,
        }
    }
}

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        let mut is_good = true;
        for table in self.tables.named()? {
            let path = &table.path;
            let name = path.display().to_string();
            // One table that is not there leaves the others to be checked.
            if let Err(error) = table.check_is_there() {
                is_good = false;
                writeln!(output, "{name}: not checked: {error}")?;
                continue;
            }
            let report = progress.watch(&name, |monitor| {
                pdb_gen::verify(path, self.level.into(), self.threads.count(), monitor)
            });
            match report {
                Ok(report) => {
                    is_good &= report.is_good();
                    let verdict = if report.is_good() { "ok" } else { "bad" };
                    writeln!(output, "{name}: level {}: {verdict}", report.level)?;
                    for finding in &report.findings {
                        writeln!(output, "  {finding}")?;
                    }
                }
                // Neither does one that cannot be read.
                Err(error @ GenError::Io { .. }) => {
                    is_good = false;
                    writeln!(output, "{name}: not checked: {error}")?;
                }
                Err(error) => return Err(error.into()),
            }
            output.flush()?;
        }
        Ok(Verdict::of(is_good))
    }
}
