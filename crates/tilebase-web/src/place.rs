//! The browser as a place where requests are answered: tables that the page has stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pdb_core::{Goal, Plan, TableKey};
use pdb_format::Header;
use pdb_gen::{GenError, estimate};
use pdb_spec::Spec;
use tilebase::pdb_search::LimitKind;
use tilebase::shelf::{Bytes, Memory, MissingTables};
use tilebase::{Builder, Error, Search, Tilebase};
use tilebase_api::{BuildCost, Limits, Place};

use crate::tables::StoredTables;

/// Memory of a WebAssembly module for tables and builds, in bytes: 4 GiB without room for the rest.
const MEMORY_BYTES: u64 = 3 << 30;
/// Largest tables that the page offers to build by itself, in bytes. People can choose larger ones.
const OFFER_BYTES_MAX: u64 = 16 << 20;

/// The browser with its stored tables.
#[derive(Debug)]
pub(crate) struct BrowserPlace {
    pub(crate) tables: Arc<StoredTables>,
    /// Bytes that the page can store.
    pub(crate) room: AtomicU64,
}

impl BrowserPlace {
    fn cost(&self, plan: &Plan) -> Result<(BuildCost, f64), GenError> {
        let mut cost =
            BuildCost { missing_count: 0, disk_bytes: 0, memory_bytes: 0, refusal: None };
        let mut seconds = 0.0;
        for key in plan.tables() {
            if self.header(key).is_some() {
                continue;
            }
            let of_table = estimate(key)?;
            cost.missing_count += 1;
            cost.disk_bytes += of_table.file_bytes;
            cost.memory_bytes = cost.memory_bytes.max(of_table.peak_memory_bytes);
            seconds += of_table.seconds;
        }
        let room = self.room.load(Ordering::Relaxed);
        let (memory, disk) = (Bytes(cost.memory_bytes), Bytes(cost.disk_bytes));
        let (memory_max, free) = (Bytes(MEMORY_BYTES), Bytes(room));
        cost.refusal = if cost.memory_bytes > MEMORY_BYTES {
            Some(format!(
                "this browser has no room: the build needs {memory} of memory, and a page may use {memory_max}; \
                 choose smaller patterns"
            ))
        } else if cost.disk_bytes > room {
            Some(format!(
                "this browser has no room: the tables need {disk}, and {free} are free; remove stored \
                 tables, or choose smaller patterns"
            ))
        } else {
            None
        };
        Ok((cost, seconds))
    }
}

impl Place for BrowserPlace {
    fn builder(&self) -> Builder {
        let search = Search { thread_count: 1, ..Search::default() };
        let source = Arc::clone(&self.tables);
        Tilebase::builder().source(source).memory(Memory::of(MEMORY_BYTES)).search(search)
    }

    fn header(&self, key: &TableKey) -> Option<Header> {
        self.tables.header(key)
    }

    fn headers(&self) -> Vec<Header> {
        self.tables.headers()
    }

    fn build_cost(&self, spec: &Spec) -> Result<BuildCost, GenError> {
        self.cost(&spec.plan).map(|(cost, _)| cost)
    }

    fn to_build(&self, tables: &Tilebase, goal: &Goal) -> Result<Option<MissingTables>, Error> {
        for spec in pdb_spec::specs_for(goal, tables.metric()) {
            // Specs that can never be built are skipped.
            let Ok((cost, seconds)) = self.cost(&spec.for_goal(goal)?) else { continue };
            if cost.missing_count == 0 {
                return Ok(None);
            }
            if cost.refusal.is_none() && cost.disk_bytes <= OFFER_BYTES_MAX {
                let BuildCost { missing_count, disk_bytes, .. } = cost;
                let (name, table_count) = (spec.name, missing_count);
                return Ok(Some(MissingTables { name, table_count, disk_bytes, seconds }));
            }
        }
        Ok(None)
    }

    fn epoch(&self) -> u64 {
        self.tables.offers.load(Ordering::Relaxed)
    }

    fn seed(&self) -> u64 {
        // Scripts show and read the seed, with 53 bits.
        self.tables.host.random() >> 11
    }

    fn limit_text(&self, _: LimitKind, _: &Limits) -> String {
        "the limit of this page: build larger tables".to_owned()
    }
}
