//! Goldens: what the tables of a spec must look like.

use serde::{Deserialize, Serialize};

use crate::SpecError;
use crate::source::Source;

/// The expected tables of a spec, committed beside it as `.golden`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Golden {
    /// The tables in the order of the plan.
    #[serde(rename = "table")]
    pub tables: Vec<GoldenTable>,
}

/// What one table must look like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoldenTable {
    /// The table's file name, as [`pdb_core::TableKey::file_name`] gives it.
    pub file: String,
    /// Number of entries.
    pub entry_count: u64,
    /// Number of entries that no board can reach.
    pub unreached_count: u64,
    /// Number of entries of each value, from 0 on.
    pub histogram: Vec<u64>,
    /// The table's digest, in hexadecimal digits.
    pub digest: String,
    /// The digest of the payload alone, in hexadecimal digits.
    pub payload_digest: String,
}

impl Golden {
    /// Reads what [`Golden::to_toml`] writes; errors call it by `name`.
    ///
    /// # Errors
    /// [`SpecError::Text`] shows the line and the key that is wrong.
    pub fn parse(name: &str, text: &str) -> Result<Self, SpecError> {
        Source { name, text }.read()
    }

    /// Writes the golden as TOML: one `[[table]]` each, the same text for the same golden.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("numbers, strings and lists have a TOML form")
    }
}
