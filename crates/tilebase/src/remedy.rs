//! Remedies: what a user can do about an error.

use std::error::Error;
#[cfg(feature = "build")]
use std::ffi::OsStr;
use std::fmt::Display;
use std::io::ErrorKind;

use pdb_core::RootError;
use pdb_core::notation::MoveNaming;
use pdb_format::FormatError;
#[cfg(feature = "build")]
use pdb_gen::{Finding, GenError};
use pdb_lab::EngineError;
use pdb_rt::OpenError;
use pdb_search::SearchError;
use pdb_spec::SpecError;

/// Step of a user that removes the cause of an error.
///
/// The messages of errors state facts and name no command. A program that shows an error adds the
/// remedy in its own words: a command, a function or a button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Choose a spec from the list of shipped specs.
    ListSpecs,
    /// Build the missing tables of a spec, if its name is known, or install them.
    Build(Option<String>),
    /// Build the table again in place of the old file, or install it again.
    Replace,
    /// Allow more memory.
    MoreMemory,
    /// Unpack the archive.
    Unpack,
    /// Choose another folder for the tables, with more space or with the permission to write.
    OtherFolder,
    /// Name another file for the checkpoint, or repeat the search that wrote this one.
    OtherCheckpoint,
    /// Search the missing shards of a bound, or merge the others only.
    MergeIncomplete,
    /// Say that the letters of the moves name the tiles' directions, or the blank's.
    NameMoves(MoveNaming),
    /// Name the blank, because the tiles are numbered from 0.
    NameBlank,
    /// Name the columns of the table that hold the board.
    NameColumns,
    /// Say that boards come in twos, a board and its goal.
    NamePairs,
    /// Use a build of the program with networks.
    WithNetworks,
}

/// Returns a message with the words of a program for its remedy, if there is one. They come before
/// a drawing below the message.
pub fn advised(message: impl Display, words: Option<impl Display>) -> String {
    let message = message.to_string();
    let Some(words) = words else { return message };
    let end = message.find('\n').unwrap_or(message.len());
    format!("{}; {words}{}", &message[..end], &message[end..])
}

impl Remedy {
    /// Returns the remedy for an error of a lower layer, such as [`GenError`] or [`OpenError`]. For
    /// an error of this crate, call [`Error::remedy`](crate::Error::remedy).
    pub fn of(error: &(dyn Error + 'static)) -> Option<Self> {
        #[cfg(feature = "build")]
        if let Some(error) = error.downcast_ref() {
            return Self::of_build(error);
        }
        if let Some(error) = error.downcast_ref() {
            return Self::of_open(error);
        }
        if let Some(error) = error.downcast_ref() {
            return Self::of_format(error);
        }
        match error.downcast_ref() {
            Some(EngineError::Spec(error)) => return Self::of(error),
            Some(EngineError::WithoutNetworks { .. }) => return Some(Self::WithNetworks),
            _ => {}
        }
        if let Some(SpecError::UnknownName { .. }) = error.downcast_ref() {
            return Some(Self::ListSpecs);
        }
        let is_damage = matches!(error.downcast_ref(), Some(RootError::Damaged { .. }))
            || matches!(error.downcast_ref(), Some(SearchError::Root(RootError::Damaged { .. })));
        is_damage.then_some(Self::Replace)
    }

    /// Returns the remedy for a fault that a verification found.
    #[cfg(feature = "build")]
    pub fn of_finding(finding: &Finding) -> Option<Self> {
        match finding {
            Finding::Format(error) => Self::of_format(error),
            _ => Some(Self::Replace),
        }
    }

    /// Returns the remedy for a fault of a table's bytes.
    fn of_format(error: &FormatError) -> Option<Self> {
        if matches!(error, FormatError::NotATable { .. }) {
            return Some(Self::Unpack);
        }
        let is_damage = matches!(
            error,
            FormatError::CutShort { .. }
                | FormatError::TooLong { .. }
                | FormatError::HeaderDigest { .. }
                | FormatError::SectionDigest { .. }
                | FormatError::ChunkDigest { .. }
                | FormatError::BadField { .. }
                | FormatError::OtherTable { .. }
        );
        is_damage.then_some(Self::Replace)
    }

    fn of_open(error: &OpenError) -> Option<Self> {
        match error {
            OpenError::Io { source, .. } if source.kind() == ErrorKind::NotFound => {
                Some(Self::Build(None))
            }
            OpenError::Format { source, .. } => Self::of_format(source),
            OpenError::Written { .. } => Some(Self::Replace),
            _ => None,
        }
    }

    #[cfg(feature = "build")]
    fn of_build(error: &GenError) -> Option<Self> {
        match error {
            GenError::Io { source, .. } => match source.kind() {
                ErrorKind::StorageFull
                | ErrorKind::PermissionDenied
                | ErrorKind::ReadOnlyFilesystem => Some(Self::OtherFolder),
                _ => None,
            },
            // A manifest has fields, too, but nobody builds it.
            GenError::Format { path, source } if path.extension() != Some(OsStr::new("json")) => {
                Self::of_format(source)
            }
            GenError::Memory { .. } | GenError::TeamBudget { ranks_enough: None, .. } => {
                Some(Self::MoreMemory)
            }
            _ => None,
        }
    }
}

#[cfg(all(test, feature = "build"))]
mod tests {
    use std::io;

    use super::*;
    use crate::error;

    #[test]
    fn remedy_depends_on_the_kind_of_the_error() {
        let io = |kind: ErrorKind| {
            let (path, source) = ("a.pdb".into(), io::Error::from(kind));
            GenError::Io { action: "write", path, source }
        };
        let format = |path: &str| GenError::Format {
            path: path.into(),
            source: FormatError::CutShort { expected: 4096, found: 0 },
        };
        for (error, remedy) in [
            (io(ErrorKind::PermissionDenied), Some(Remedy::OtherFolder)),
            (io(ErrorKind::NotFound), None),
            (format("a.pdb"), Some(Remedy::Replace)),
            (format("manifest.json"), None),
            (GenError::Interrupted, None),
        ] {
            let text = error.to_string();
            assert_eq!(Remedy::of(&error), remedy, "{text}");
            let of_many = error::Error::OfMany { place: 3, problem: Box::new(error.into()) };
            assert_eq!(of_many.remedy(), remedy, "{text}");
        }
        let damaged = RootError::Damaged { table: "a.pdb".into() };
        assert_eq!(Remedy::of(&damaged), Some(Remedy::Replace));
        assert_eq!(error::Error::from(SearchError::from(damaged)).remedy(), Some(Remedy::Replace));
        let name = EngineError::from(pdb_spec::builtin("15/7-9").expect_err("a wrong name"));
        assert_eq!(error::Error::from(name).remedy(), Some(Remedy::ListSpecs));
    }
}
