//! Sources of tables, and of the weights of learned orders, that take the place of a folder.

use std::fmt::Debug;

use pdb_core::{Shape, TableKey};
use pdb_rt::{OpenError, Table};

/// A source of tables: those that a program has in memory, or that it reads when they are needed,
/// from wherever it keeps them.
pub trait TableSource: Debug + Send + Sync {
    /// Returns whether the source has the table of a key.
    fn has(&self, key: &TableKey) -> bool;

    /// Returns whether the source has no table at all. Then specs are not read.
    fn is_empty(&self) -> bool {
        false
    }

    /// Returns the table of a key; `None` if the source has none.
    ///
    /// # Errors
    /// An [`OpenError`] if the bytes are not that table.
    fn open(&self, key: &TableKey) -> Result<Option<Table>, OpenError>;

    /// Returns whether the source has checked the payload of a table against its digests. Otherwise
    /// the payload is checked each time the table is opened.
    fn is_checked(&self, _: &Table) -> bool {
        false
    }

    /// Returns the weights of the network of a shape by which beams choose boards, as
    /// [`OrderNetwork::write`](pdb_search::OrderNetwork::write) returns them; `None` for those that
    /// are embedded. It is called when a search first needs them.
    fn weights(&self, _: Shape) -> Option<Vec<u8>> {
        None
    }
}

impl TableSource for Vec<Table> {
    fn has(&self, key: &TableKey) -> bool {
        self.iter().any(|table| table.header().key == *key)
    }

    fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    fn open(&self, key: &TableKey) -> Result<Option<Table>, OpenError> {
        Ok(self.iter().find(|table| table.header().key == *key).cloned())
    }
}
