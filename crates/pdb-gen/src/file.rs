//! Tables on disk, read without mapping them.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use pdb_format::{HEADER_BYTES, Header};

use crate::GenError;

/// A table whose header and length have been checked.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    file: File,
    header: Header,
}

impl TableFile {
    /// Opens a table and checks its header and length.
    ///
    /// # Errors
    /// [`GenError::Io`] or [`GenError::Format`].
    pub fn open(path: &Path) -> Result<Self, GenError> {
        let error = GenError::io("read", path);
        let (file, head, file_bytes) = (|| {
            let file = File::open(path)?;
            let file_bytes = file.metadata()?.len();
            let mut head = vec![0; HEADER_BYTES.min(file_bytes as usize)];
            file.read_exact_at(&mut head, 0)?;
            io::Result::Ok((file, head, file_bytes))
        })()
        .map_err(error)?;
        let header = Header::parse(&head, file_bytes).map_err(GenError::format(path))?;
        if let pdb_core::TableKey::Pattern(key) = &header.key {
            let index = pdb_core::PatternIndex::new(key.shape, key.tile_count(), key.mode)?;
            header
                .expect_entry_count(index.entry_count())
                .map_err(GenError::format(path))?;
        }
        Ok(Self { path: path.to_owned(), file, header })
    }

    /// What the table says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads `buffer.len()` bytes at an offset.
    pub(crate) fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), GenError> {
        self.file.read_exact_at(buffer, offset).map_err(GenError::io("read", &self.path))
    }

    /// The digest section, checked against the header.
    pub(crate) fn digest_section(&self) -> Result<Vec<u8>, GenError> {
        let range = self.header.digests_range();
        let mut section = vec![0; (range.end - range.start) as usize];
        self.read_at(&mut section, range.start)?;
        self.header.check_digest_section(&section).map_err(GenError::format(&self.path))?;
        Ok(section)
    }
}
