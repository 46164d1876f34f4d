//! Specs by name or path.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use pdb_spec::Spec;

use crate::failure::usage;

/// The longest spec or goal file that is read, in bytes.
const TEXT_BYTES_MAX: u64 = 1 << 20;

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
    if Path::new(name).extension().is_none_or(|extension| extension != "toml") {
        return Ok(pdb_spec::builtin(name)?);
    }
    Ok(Spec::parse(name, &read_text(name)?)?)
}

/// Reads a small text file that the command line names.
pub(crate) fn read_text(path: &str) -> anyhow::Result<String> {
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(TEXT_BYTES_MAX + 1).read_to_string(&mut text))
        .map_err(|error| usage(format!("cannot read {path}: {error}; check the path")))?;
    if text.len() as u64 > TEXT_BYTES_MAX {
        return Err(usage(format!("{path} is too long: at most {TEXT_BYTES_MAX} bytes are read")));
    }
    Ok(text)
}
