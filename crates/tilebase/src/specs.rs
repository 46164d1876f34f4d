//! Specs by name or path.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use pdb_compare::HeuristicName;
use pdb_core::Shape;
use pdb_spec::{Spec, SpecError};

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
    if !is_file(name) {
        return Ok(pdb_spec::builtin(name)?);
    }
    Ok(Spec::parse(name, &read_text(name)?)?)
}

/// A heuristic by its name, for boards of a shape.
pub(crate) fn heuristic(name: &str, shape: Shape) -> anyhow::Result<HeuristicName> {
    let heuristics = heuristics(name, shape)?;
    let [heuristic] = &heuristics[..] else {
        return Err(usage(format!("{name:?} names {} heuristics: name one", heuristics.len())));
    };
    Ok(heuristic.clone())
}

/// Heuristics by their names, with commas between them.
pub(crate) fn heuristics(list: &str, shape: Shape) -> anyhow::Result<Vec<HeuristicName>> {
    // A file that cannot be read is wrong usage, as an unknown name is.
    let problem = std::cell::RefCell::new(None);
    let find = |name: &str| -> Option<Result<Spec, SpecError>> {
        if is_file(name) {
            return match read_text(name) {
                Ok(text) => Some(Spec::parse(name, &text)),
                Err(error) => {
                    problem.borrow_mut().get_or_insert(error);
                    None
                }
            };
        }
        pdb_spec::builtin_names().contains(&name).then(|| pdb_spec::builtin(name))
    };
    let names = HeuristicName::parse_list(list, shape, &find);
    match problem.into_inner() {
        Some(error) => Err(error),
        None => names.map_err(usage),
    }
}

fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "toml")
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
