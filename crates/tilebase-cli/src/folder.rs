//! Where the tables are.

use std::path::{Path, PathBuf};

use tilebase::Shelf;

use crate::help;

/// The folder of the tables.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Folder {
    #[arg(
        long,
        value_name = "DIR",
        help_heading = help::TABLES,
        help = "Folder of the tables [default: $TILEBASE_DB, or tilebase in the XDG data directory]"
    )]
    db: Option<PathBuf>,
}

impl Folder {
    /// The folder that the command line names, if it names one.
    pub(crate) fn named(&self) -> Option<&Path> {
        self.db.as_deref()
    }

    /// The folder, which need not exist yet.
    pub(crate) fn path(&self) -> anyhow::Result<PathBuf> {
        if let Some(path) = &self.db {
            return Ok(path.clone());
        }
        Ok(Shelf::usual_folder()?)
    }
}
