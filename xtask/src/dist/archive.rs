//! Archives whose bytes depend on their contents only: sorted, without owners, one time for all
//! files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use anyhow::{Result, bail};
use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};
use tar::{EntryType, Header};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::shell;

/// An entry of a tree.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    Program(Vec<u8>),
    File(Vec<u8>),
    /// A symbolic link with its target.
    Link(String),
}

/// Entries by path, with `/` between folders.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree(BTreeMap<String, Entry>);

impl Tree {
    pub(super) fn add(&mut self, path: impl Into<String>, entry: Entry) {
        self.0.insert(path.into(), entry);
    }

    /// Adds everything in a folder below a path.
    pub(super) fn add_folder(&mut self, below: &str, folder: &Path) -> Result<()> {
        for (path, file) in shell::files_below(folder)? {
            let entry = if file.is_symlink() {
                Entry::Link(fs::read_link(file)?.to_string_lossy().into_owned())
            } else {
                Entry::File(fs::read(file)?)
            };
            self.add(format!("{below}/{path}"), entry);
        }
        Ok(())
    }

    /// Returns the bytes of all files.
    pub(super) fn bytes(&self) -> usize {
        let len = |entry: &Entry| match entry {
            Entry::Program(bytes) | Entry::File(bytes) => bytes.len(),
            Entry::Link(_) => 0,
        };
        self.0.values().map(len).sum()
    }

    /// Packs the tree as `.tar.gz`; all its files get the time `seconds`, since 1970.
    pub(super) fn tar_gz(&self, seconds: u64) -> Result<Vec<u8>> {
        let mut tar = tar::Builder::new(gzip_encoder());
        let mut folders = BTreeSet::new();
        for (path, entry) in &self.0 {
            for (at, _) in path.match_indices('/') {
                if folders.insert(&path[..=at]) {
                    let mut header = header(EntryType::Directory, 0o755, seconds);
                    tar.append_data(&mut header, &path[..=at], &[][..])?;
                }
            }
            let (mode, bytes) = match entry {
                Entry::Program(bytes) => (0o755, bytes),
                Entry::File(bytes) => (0o644, bytes),
                Entry::Link(target) => {
                    let mut header = header(EntryType::Symlink, 0o777, seconds);
                    tar.append_link(&mut header, path, target)?;
                    continue;
                }
            };
            let mut header = header(EntryType::Regular, mode, seconds);
            header.set_size(bytes.len() as u64);
            tar.append_data(&mut header, path, &bytes[..])?;
        }
        Ok(tar.into_inner()?.finish()?)
    }

    /// Packs the tree as `.zip`, which holds no links.
    pub(super) fn zip(&self) -> Result<Vec<u8>> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (path, entry) in &self.0 {
            let (mode, bytes) = match entry {
                Entry::Program(bytes) => (0o755, &bytes[..]),
                Entry::File(bytes) => (0o644, &bytes[..]),
                Entry::Link(_) => bail!("{path} is a link: pack it as .tar.gz"),
            };
            let options = SimpleFileOptions::default()
                .compression_level(Some(9))
                .last_modified_time(zip::DateTime::default())
                .unix_permissions(mode);
            zip.start_file(path, options)?;
            zip.write_all(bytes)?;
        }
        Ok(zip.finish()?.into_inner())
    }
}

fn header(kind: EntryType, mode: u32, seconds: u64) -> Header {
    let mut header = Header::new_ustar();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_mtime(seconds);
    header.set_uid(0);
    header.set_gid(0);
    header.set_size(0);
    header
}

fn gzip_encoder() -> GzEncoder<Vec<u8>> {
    // The operating system would be in the header otherwise.
    GzBuilder::new().operating_system(255).write(Vec::new(), Compression::best())
}

/// Compresses bytes as `gzip -9n` does.
pub(super) fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = gzip_encoder();
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

/// Packs files as the `ar` archive that a Debian package is.
pub(super) fn ar(files: &[(&str, &[u8])], seconds: u64) -> Vec<u8> {
    let mut archive = b"!<arch>\n".to_vec();
    for (name, bytes) in files {
        let header =
            format!("{name:<16}{seconds:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, "100644", bytes.len());
        archive.extend_from_slice(header.as_bytes());
        archive.extend_from_slice(bytes);
        archive.resize(archive.len().next_multiple_of(2), b'\n');
    }
    archive
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(paths: [&str; 3]) -> Tree {
        let mut tree = Tree::default();
        for path in paths {
            tree.add(path, Entry::File(path.as_bytes().to_vec()));
        }
        tree
    }

    #[test]
    fn archives_do_not_depend_on_the_order_of_their_files() {
        let (one, other) = (tree(["a/b/c", "a/d", "e"]), tree(["e", "a/d", "a/b/c"]));
        assert_eq!(one.tar_gz(7).unwrap(), other.tar_gz(7).unwrap());
        assert_eq!(one.zip().unwrap(), other.zip().unwrap());
    }

    #[test]
    fn tar_has_folders_before_their_files_and_the_given_time() {
        let mut packed = tree(["a/b/c", "a/d", "e"]);
        packed.add("a/link", Entry::Link("d".to_owned()));
        packed.add("a/run", Entry::Program(vec![1]));
        let bytes = packed.tar_gz(7).unwrap();
        let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(&bytes[..]));
        let mut seen = Vec::new();
        for entry in tar.entries().unwrap() {
            let header = entry.unwrap().header().clone();
            assert_eq!((header.mtime().unwrap(), header.uid().unwrap()), (7, 0));
            seen.push((header.path().unwrap().display().to_string(), header.mode().unwrap()));
        }
        let expected = [
            ("a/", 0o755),
            ("a/b/", 0o755),
            ("a/b/c", 0o644),
            ("a/d", 0o644),
            ("a/link", 0o777),
            ("a/run", 0o755),
            ("e", 0o644),
        ];
        assert_eq!(seen, expected.map(|(path, mode)| (path.to_owned(), mode)));
        assert!(packed.zip().unwrap_err().to_string().contains("a/link"));
    }
}
