//! Where the tables are.

use std::env;
use std::path::PathBuf;

use etcetera::BaseStrategy;

use crate::failure::usage;

/// The folder of the tables.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Folder {
    #[arg(
        long,
        value_name = "DIR",
        help = "Folder of the tables [default: $TILEBASE_DB, or tilebase in the XDG data directory]"
    )]
    db: Option<PathBuf>,
}

impl Folder {
    /// The folder, which need not exist yet.
    pub(crate) fn path(&self) -> anyhow::Result<PathBuf> {
        if let Some(path) = &self.db {
            return Ok(path.clone());
        }
        if let Some(path) = env::var_os("TILEBASE_DB").filter(|path| !path.is_empty()) {
            return Ok(path.into());
        }
        let strategy = etcetera::choose_base_strategy()
            .map_err(|error| usage(format!("{error}: say with --db where the tables are")))?;
        Ok(strategy.data_dir().join("tilebase"))
    }
}
