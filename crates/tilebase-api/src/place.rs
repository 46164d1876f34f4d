//! The place where requests are answered.

use std::fmt::Debug;

use pdb_core::{Goal, TableKey};
use pdb_format::Header;
use pdb_gen::GenError;
use pdb_spec::Spec;
use tilebase::pdb_search::LimitKind;
use tilebase::shelf::MissingTables;
use tilebase::{Builder, Error, Tilebase};

use crate::limits::Limits;

/// The place where requests are answered: a server with a folder of tables, or a browser with
/// tables in memory.
pub trait Place: Debug + Send + Sync {
    /// Returns the options of a new handle: tables, memory, threads and trust.
    fn builder(&self) -> Builder;

    /// Returns the header of a table, if it exists and is sound.
    fn header(&self, key: &TableKey) -> Option<Header>;

    /// Returns the headers of all tables, in the order of their names.
    fn headers(&self) -> Vec<Header>;

    /// Returns the costs of the missing tables of a spec.
    ///
    /// # Errors
    /// A [`GenError`] if a table can never be built, or cannot be read.
    fn build_cost(&self, spec: &Spec) -> Result<BuildCost, GenError>;

    /// Returns the missing tables that would serve boards of a goal better than those that a handle
    /// uses.
    ///
    /// # Errors
    /// As `Tilebase::to_build`.
    fn to_build(&self, tables: &Tilebase, goal: &Goal) -> Result<Option<MissingTables>, Error>;

    /// Returns the number of changes of the tables so far, by this program or by another one. Open
    /// tables and records of an earlier epoch are used no more.
    fn epoch(&self) -> u64;

    /// Returns a number that differs from call to call, for boards without a seed.
    fn seed(&self) -> u64;

    /// Describes the largest limit of the place, and how to raise it: the end of a sentence that
    /// begins with "60 s were not enough, which is".
    fn limit_text(&self, kind: LimitKind, limits: &Limits) -> String;
}

/// Costs of the missing tables of a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildCost {
    /// Number of missing tables.
    pub missing_count: usize,
    /// Peak of the disk space, in bytes.
    pub disk_bytes: u64,
    /// Memory of the largest build, in bytes.
    pub memory_bytes: u64,
    /// Reason why there is no room for the builds, if there is none.
    pub refusal: Option<String>,
}
