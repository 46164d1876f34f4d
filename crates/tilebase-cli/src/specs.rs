//! Specs and their tables, by name or path.

use std::path::PathBuf;

use pdb_spec::Spec;
use tilebase::NamedTable;

use crate::folder::Folder;

/// Specs that a command works on.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Specs {
    /// Names of shipped specs, such as 15/7-8, or .toml files; 7-8 will do where no other spec ends so
    #[arg(value_name = "SPEC", required = true)]
    specs: Vec<String>,
}

impl Specs {
    pub(crate) fn load(&self) -> anyhow::Result<Vec<Spec>> {
        self.specs.iter().map(|name| Ok(tilebase::load_spec(name)?)).collect()
    }
}

/// Tables that a command works on.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Tables {
    /// Tables: .pdb files, or names of shipped specs or .toml files for all tables of a spec; a file
    /// that is called like a spec is named ./FILE
    #[arg(value_name = "SPEC|FILE", required = true)]
    tables: Vec<PathBuf>,
    #[command(flatten)]
    folder: Folder,
}

impl Tables {
    /// The tables, each once, in the order in which they were named.
    pub(crate) fn named(&self) -> anyhow::Result<Vec<NamedTable>> {
        Ok(tilebase::tables_named(&self.tables, self.folder.named())?)
    }
}
