//! Specs by name or path.

use std::fs;

use pdb_spec::Spec;

use crate::failure::usage;

/// The longest spec file that is read, in bytes.
const SPEC_BYTES_MAX: u64 = 1 << 20;

/// Specs that a command works on.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Specs {
    /// Names of shipped specs, such as 15/7-8, or paths of .toml files
    #[arg(value_name = "SPEC", required = true)]
    specs: Vec<String>,
}

impl Specs {
    pub(crate) fn load(&self) -> anyhow::Result<Vec<Spec>> {
        self.specs.iter().map(|name| load(name)).collect()
    }
}

/// A shipped spec by its name, or a spec file by its path, which ends in `.toml`.
pub(crate) fn load(name: &str) -> anyhow::Result<Spec> {
    if !name.ends_with(".toml") {
        return Ok(pdb_spec::builtin(name)?);
    }
    Ok(Spec::parse(name, &read_text(name, SPEC_BYTES_MAX)?)?)
}

/// Reads a small text file that the command line names.
pub(crate) fn read_text(path: &str, bytes_max: u64) -> anyhow::Result<String> {
    let found = fs::metadata(path)
        .map_err(|error| usage(format!("cannot read {path}: {error}; check the path")))?
        .len();
    if found > bytes_max {
        return Err(usage(format!(
            "{path} has {found} bytes, but at most {bytes_max} are read"
        )));
    }
    fs::read_to_string(path).map_err(|error| usage(format!("cannot read {path}: {error}")))
}
