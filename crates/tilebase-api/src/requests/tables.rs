//! The request for a list of the tables that exist.

use std::sync::Arc;

use pdb_format::Header;
use serde::Serialize;

use crate::call::{Call, Prepared};
use crate::job::{Job, Reply};
use crate::problem::Problem;
use crate::service::Service;

/// List of built tables.
#[derive(Debug, Serialize)]
struct TableList {
    tables: Vec<TableListing>,
}

/// A built table.
#[derive(Debug, Serialize)]
struct TableListing {
    file: String,
    description: String,
    entry_count: u64,
    file_bytes: u64,
    /// Number of entries of each value, from 0 to the largest.
    histogram: Vec<u64>,
}

impl TableListing {
    fn of(header: &Header) -> Self {
        Self {
            file: header.key.file_name(),
            description: header.key.describe(),
            entry_count: header.entry_count,
            file_bytes: header.file_bytes(),
            histogram: header.histogram.clone(),
        }
    }
}

pub(crate) fn list(service: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    // The request has no parameters; any is an error.
    call.params(&[])?;
    let catalogue = Arc::clone(&service.catalogue);
    Ok(Prepared::Job(Job::report(move |_| {
        let tables = catalogue.place().headers().iter().map(TableListing::of).collect();
        Ok(Reply::of(&TableList { tables }))
    })))
}
