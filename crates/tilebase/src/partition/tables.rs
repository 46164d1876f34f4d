//! Number and sizes of the tables that partitions need.

use std::collections::BTreeMap;

use pdb_core::{Goal, TableKey};

use super::key_of;
use super::sketch::Sketch;
use crate::error::Error;

/// The tables of a goal's partitions, each counted once, with a size limit.
pub(super) struct TableBudget {
    goal: Goal,
    /// Size limit of all tables together, in bytes.
    pub(super) limit: Option<u64>,
    /// Size of a table in bytes, by its number of tiles.
    bytes: BTreeMap<usize, u64>,
}

impl TableBudget {
    pub(super) fn new(goal: &Goal, limit: Option<u64>) -> Self {
        Self { goal: *goal, limit, bytes: BTreeMap::new() }
    }

    /// Returns the number and the size of the different tables of partitions that are looked up
    /// together.
    pub(super) fn of(&mut self, collection: &[Sketch]) -> Result<(usize, u64), Error> {
        let mut keys: Vec<TableKey> = Vec::new();
        let mut sum = 0;
        for &homes in collection.iter().flat_map(|sketch| &sketch.patterns) {
            let key = TableKey::Pattern(key_of(&self.goal, homes)?.canonical().0);
            if keys.contains(&key) {
                continue;
            }
            keys.push(key);
            let known = self.bytes.get(&homes.len()).copied();
            let bytes =
                known.map_or_else(|| Ok(pdb_gen::estimate(&key)?.file_bytes), Ok::<_, Error>)?;
            self.bytes.insert(homes.len(), bytes);
            sum += bytes;
        }
        Ok((keys.len(), sum))
    }

    pub(super) fn fits(&mut self, collection: &[Sketch]) -> Result<bool, Error> {
        let Some(limit) = self.limit else { return Ok(true) };
        Ok(self.of(collection)?.1 <= limit)
    }
}
