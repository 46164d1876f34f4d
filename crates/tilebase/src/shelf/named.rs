//! Tables named by their file or by their spec.

use std::path::{Path, PathBuf};

use pdb_spec::SpecError;

use super::Shelf;
use crate::error::Error;
use crate::names::{is_spec_file, load_spec};

/// A table's file, which need not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedTable {
    /// The file.
    pub path: PathBuf,
    /// The spec that named the table; `None` if its file was named.
    pub spec: Option<String>,
}

impl NamedTable {
    /// Reports a missing table of a spec. A file that was named directly is not checked, because
    /// opening it reports the error.
    ///
    /// # Errors
    /// [`Error::MissingTable`] says how to build it.
    pub fn check_is_there(&self) -> Result<(), Error> {
        match &self.spec {
            Some(spec) if !self.path.exists() => {
                Err(Error::MissingTable { path: self.path.clone(), spec: spec.clone() })
            }
            _ => Ok(()),
        }
    }
}

/// Returns the tables that names stand for, each table once. The name of a shipped spec and the
/// path of a spec file stand for the spec's tables, any other name for the file of that name. For a
/// file with the name of a spec, write `./` before the name.
///
/// The spec's tables are those in `folder`, or in [`Shelf::usual_folder`].
///
/// # Errors
/// [`Error::NoTable`] for a name that is neither a file nor a spec; those of [`load_spec`].
pub fn tables_named(names: &[PathBuf], folder: Option<&Path>) -> Result<Vec<NamedTable>, Error> {
    let mut tables: Vec<NamedTable> = Vec::new();
    for name in names {
        for table in tables_of_name(name, folder)? {
            if tables.iter().all(|known| known.path != table.path) {
                tables.push(table);
            }
        }
    }
    Ok(tables)
}

fn tables_of_name(name: &Path, folder: Option<&Path>) -> Result<Vec<NamedTable>, Error> {
    let file = || Ok(vec![NamedTable { path: name.to_owned(), spec: None }]);
    let Some(text) = name.to_str() else { return file() };
    let spec = match load_spec(text) {
        Ok(spec) => spec,
        Err(Error::Spec(SpecError::UnknownName { nearest, .. })) if !is_spec_file(text) => {
            // A name with an extension means a file. If it does not exist, opening it reports the
            // error.
            if name.exists() || name.extension().is_some() {
                return file();
            }
            return Err(Error::NoTable { name: text.to_owned(), nearest });
        }
        Err(error) => return Err(error),
    };
    let folder = folder.map_or_else(Shelf::usual_folder, |folder| Ok(folder.to_owned()))?;
    let table = |key: &pdb_core::TableKey| NamedTable {
        path: folder.join(key.file_name()),
        spec: Some(spec.name.clone()),
    };
    Ok(spec.plan.tables().iter().map(table).collect())
}
