//! Goldens: the expected tables of specs.

use serde::{Deserialize, Serialize};

use crate::SpecError;
use crate::source::SpecSource;

/// Expected tables of a spec, committed beside it as `.golden`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Golden {
    /// The tables in the order of the plan.
    #[serde(rename = "table")]
    pub tables: Vec<GoldenTable>,
}

/// Expected table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoldenTable {
    /// The table's file name: [`pdb_core::TableKey::file_name`].
    pub file: String,
    /// Number of entries.
    pub entry_count: u64,
    /// Number of entries that no board reaches.
    pub unreached_count: u64,
    /// Number of entries of each value, from 0 on.
    pub histogram: Vec<u64>,
    /// The table's digest, in hexadecimal digits.
    pub digest: String,
    /// The digest of the payload alone, in hexadecimal digits.
    pub payload_digest: String,
}

impl Golden {
    /// Reads the output of [`Golden::to_toml`]; errors name it by `name`.
    ///
    /// # Errors
    /// [`SpecError::Text`] shows the line and the wrong key.
    pub fn parse(name: &str, text: &str) -> Result<Self, SpecError> {
        SpecSource { name, text }.read()
    }

    /// Writes the golden as TOML, with one `[[table]]` per table.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("numbers, strings and lists have a TOML form")
    }
}
