//! The tables that the page has stored.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use pdb_core::{Shape, TableKey};
use pdb_format::Header;
use tilebase::pdb_search::OrderNetwork;
use tilebase::shelf::{OpenError, Table, TableSource};

use crate::host::Host;

/// Bytes that a header fits in.
const HEADER_BYTES: usize = 4096;

/// A stored table.
#[derive(Debug)]
struct StoredTable {
    bytes: u64,
    /// `None` if it cannot be read as the table of its name.
    header: Option<Header>,
    /// The table, once a board needed it. Its payload is right.
    open: Option<Table>,
}

/// The tables that the page has stored, by file name. Each is read when a board needs it, checked
/// against its digests, and kept.
#[derive(Debug)]
pub(crate) struct StoredTables {
    pub(crate) host: Arc<dyn Host>,
    tables: Mutex<BTreeMap<String, StoredTable>>,
    /// Number of offered tables so far.
    pub(crate) offers: AtomicU64,
}

impl StoredTables {
    pub(crate) fn new(host: Arc<dyn Host>) -> Self {
        Self { host, tables: Mutex::default(), offers: AtomicU64::new(0) }
    }

    /// Takes note of a stored file. A file of the same name is forgotten.
    pub(crate) fn offer(&self, name: &str, bytes: u64) {
        let head = self.host.read(name, HEADER_BYTES.min(bytes as usize));
        let header = head.and_then(|head| Header::parse(&head, bytes).ok());
        let header = header.filter(|header| header.key.file_name() == name);
        self.tables.lock().insert(name.to_owned(), StoredTable { bytes, header, open: None });
        self.offers.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the header of a table, if it is stored and its header is right.
    pub(crate) fn header(&self, key: &TableKey) -> Option<Header> {
        self.tables.lock().get(&key.file_name())?.header.clone()
    }

    /// Returns the headers of all tables, by name.
    pub(crate) fn headers(&self) -> Vec<Header> {
        self.tables.lock().values().filter_map(|table| table.header.clone()).collect()
    }
}

impl TableSource for StoredTables {
    fn has(&self, key: &TableKey) -> bool {
        self.header(key).is_some()
    }

    fn is_empty(&self) -> bool {
        self.tables.lock().is_empty()
    }

    fn open(&self, key: &TableKey) -> Result<Option<Table>, OpenError> {
        let name = key.file_name();
        let mut tables = self.tables.lock();
        let Some(stored) = tables.get_mut(&name).filter(|table| table.header.is_some()) else {
            return Ok(None);
        };
        if stored.open.is_none() {
            let Some(bytes) = self.host.read(&name, stored.bytes as usize) else {
                // The page has removed it.
                tables.remove(&name);
                return Ok(None);
            };
            let table = Table::from_bytes(&name, bytes)?;
            table.check_payload()?;
            stored.open = Some(table);
        }
        Ok(stored.open.clone())
    }

    fn is_checked(&self, _: &Table) -> bool {
        true
    }

    fn weights(&self, shape: Shape) -> Option<Vec<u8>> {
        self.host.read(&format!("{shape}.order"), OrderNetwork::byte_count(shape))
    }
}
