//! Writes that allow the system to keep a file in huge pages.
//!
//! Written bytes stay in the page cache, where a later map of the file finds them. On file systems
//! with large pages in their cache, a page becomes as large as the written piece, if the piece is
//! aligned to its size. So the file is divided into windows of the size of a huge page. A window is
//! collected until it is complete, and written at once; incomplete windows are written when the
//! file is made durable.
//!
//! Tables are looked up at random: with small pages, that takes a third more time than with huge
//! ones (see `docs/benchmarks.md`).

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use crate::threads::lock;

/// Size of a huge page in bytes, if pages have 4 KiB.
const WINDOW_BYTES: u64 = 2 << 20;

/// Function that writes bytes at an offset of the file.
pub(super) type WriteAt<'a> = dyn Fn(&[u8], u64) -> io::Result<()> + 'a;

/// Windows that are being collected, by their offset. Any thread may add to them.
#[derive(Debug, Default)]
pub(super) struct PageWindows(Mutex<BTreeMap<u64, Arc<Mutex<Window>>>>);

/// A part of a window, from its first byte on.
#[derive(Debug, Default)]
struct Window {
    bytes: Vec<u8>,
    /// Number of bytes that were added, each once.
    filled: usize,
}

impl PageWindows {
    /// Takes bytes of a new file, each once, and writes the windows that they complete.
    pub(super) fn add(
        &self,
        mut bytes: &[u8],
        mut offset: u64,
        write_at: &WriteAt<'_>,
    ) -> io::Result<()> {
        while !bytes.is_empty() {
            let start = offset - offset % WINDOW_BYTES;
            let left = usize::try_from(start + WINDOW_BYTES - offset).unwrap_or(usize::MAX);
            let piece;
            (piece, bytes) = bytes.split_at(left.min(bytes.len()));
            self.add_to(start, (offset - start) as usize, piece, write_at)?;
            offset += piece.len() as u64;
        }
        Ok(())
    }

    fn add_to(
        &self,
        start: u64,
        at: usize,
        bytes: &[u8],
        write_at: &WriteAt<'_>,
    ) -> io::Result<()> {
        if bytes.len() as u64 == WINDOW_BYTES {
            return write_at(bytes, start);
        }
        // Other threads fill their windows meanwhile.
        let window = Arc::clone(lock(&self.0).entry(start).or_default());
        let mut window = lock(&window);
        let end = window.bytes.len().max(at + bytes.len());
        window.bytes.resize(end, 0);
        window.bytes[at..][..bytes.len()].copy_from_slice(bytes);
        window.filled += bytes.len();
        if window.filled < WINDOW_BYTES as usize {
            return Ok(());
        }
        lock(&self.0).remove(&start);
        write_at(&window.bytes, start)
    }

    /// Writes the incomplete windows, with zeros where bytes are missing.
    pub(super) fn write_rest(&self, write_at: &WriteAt<'_>) -> io::Result<()> {
        let rest = std::mem::take(&mut *lock(&self.0));
        rest.iter().try_for_each(|(start, window)| write_at(&lock(window).bytes, *start))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// Makes the writes, and returns what reaches the file: its bytes, and the offsets of the
    /// pieces.
    fn written(writes: &[(u64, Vec<u8>)]) -> (Vec<u8>, Vec<u64>) {
        let seen = RefCell::new((Vec::new(), Vec::new()));
        let write_at = |bytes: &[u8], offset: u64| {
            let (file, starts) = &mut *seen.borrow_mut();
            let range = offset as usize..offset as usize + bytes.len();
            file.resize(range.end.max(file.len()), 0);
            file[range].copy_from_slice(bytes);
            starts.push(offset);
            Ok(())
        };
        let windows = PageWindows::default();
        for (offset, bytes) in writes {
            windows.add(bytes, *offset, &write_at).expect("it does not fail");
        }
        windows.write_rest(&write_at).expect("it does not fail");
        seen.into_inner()
    }

    #[test]
    fn writes_each_whole_window_at_once_for_any_pieces_in_any_order() {
        let len = 3 * WINDOW_BYTES as usize + 5000;
        let file: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
        for piece in [1 << 20, 700_001, 5 << 20, len] {
            for head in [12_288, 1] {
                let mut writes = vec![(0, file[..head].to_vec())];
                for (i, bytes) in file[head..].chunks(piece).enumerate() {
                    writes.push(((head + i * piece) as u64, bytes.to_vec()));
                }
                for order in 0..3 {
                    // The head is written last; the other pieces come from several threads.
                    match order {
                        0 => writes.rotate_left(1),
                        1 => writes.reverse(),
                        _ => writes.sort_unstable_by_key(|(offset, _)| offset % 7),
                    }
                    let (found, mut starts) = written(&writes);
                    assert!(found == file, "{piece} {head} {order}");
                    starts.sort_unstable();
                    let whole = [0, 1, 2, 3].map(|i| i * WINDOW_BYTES);
                    assert_eq!(starts, whole, "{piece} {head} {order}");
                }
            }
        }
    }

    #[test]
    fn returns_the_error_of_each_write() {
        let refuse = |_: &[u8], _| Err(io::ErrorKind::StorageFull.into());
        let windows = PageWindows::default();
        windows.add(&[1; 10], 5, &refuse).expect("nothing is written so far");
        assert!(windows.add(&vec![0; WINDOW_BYTES as usize], WINDOW_BYTES, &refuse).is_err());
        assert!(windows.write_rest(&refuse).is_err());
    }
}
