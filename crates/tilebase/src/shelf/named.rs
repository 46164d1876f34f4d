//! Tables by what a person calls them: the name of a file, or that of a spec.

use std::path::{Path, PathBuf};

use pdb_spec::SpecError;

use super::Shelf;
use crate::error::Error;
use crate::names::{is_spec_file, load_spec};

/// A table's file, which need not be there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedTable {
    /// The file.
    pub path: PathBuf,
    /// The spec that it was named by, if it was not named itself.
    pub spec: Option<String>,
}

impl NamedTable {
    /// Refuses a missing table of a spec. A file that was named itself is not checked: opening it
    /// finds the error.
    ///
    /// # Errors
    /// [`Error::MissingTable`] says how it is built.
    pub fn check_is_there(&self) -> Result<(), Error> {
        match &self.spec {
            Some(spec) if !self.path.exists() => {
                Err(Error::MissingTable { path: self.path.clone(), spec: spec.clone() })
            }
            _ => Ok(()),
        }
    }
}

/// The tables that names stand for, each table once: the name of a shipped spec or the path of a
/// spec file stands for the spec's tables, any other name for the file that is called so. Who has a
/// file that is called like a spec writes `./` before it.
///
/// The spec's tables are those in `folder`, or in [`Shelf::usual_folder`].
///
/// # Errors
/// [`Error::NoTable`] for what is neither a file nor a spec; those of [`load_spec`].
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
            // A name with an extension means a file; the caller's attempt to open it finds the
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
