//! Messages between two ranks: their heads, and a reader of the words in them.

/// Blocks of a level: after the head, each slot with its count in one word, and the block. The flag
/// marks the last message of a level.
pub(super) const BLOCKS: u8 = 1;
/// Columns of packed rows: after the head, the first row and the number of rows, and the words.
pub(super) const ROWS: u8 = 2;
/// A chunk of the table: after the head, its number, its digest and its bytes.
pub(super) const CHUNK: u8 = 3;
/// Notice that rank 0 has written a chunk, so that the next one may be sent.
pub(super) const NEXT: u8 = 4;
/// A file of a checkpoint: after the head, its bytes. The number is the file's index in the
/// checkpoint.
pub(super) const FILE: u8 = 5;
/// Counts of a share after a level, for the checkpoint.
pub(super) const COUNTS: u8 = 6;

pub(super) const HEAD_BYTES: usize = size_of::<u64>();

/// Returns the start of a message: its kind, a flag, and a number.
pub(super) fn head(kind: u8, flag: bool, number: u32) -> [u8; HEAD_BYTES] {
    let [a, b, c, d] = number.to_le_bytes();
    [kind, u8::from(flag), 0, 0, a, b, c, d]
}

/// Returns kind, flag and number of a message.
pub(super) fn read(message: &[u8]) -> Option<(u8, bool, u32)> {
    let &[kind, flag, _, _, a, b, c, d] = message.first_chunk()?;
    Some((kind, flag != 0, u32::from_le_bytes([a, b, c, d])))
}

/// A message of whole words, which begin at a multiple of their size.
#[derive(Debug)]
pub(super) struct WordMessage {
    bytes: Vec<u8>,
    start: usize,
}

impl WordMessage {
    /// Aligns a message; `None` if it does not consist of whole words.
    pub(super) fn new(message: Vec<u8>) -> Option<Self> {
        if !message.len().is_multiple_of(HEAD_BYTES) {
            return None;
        }
        let is_aligned = |bytes: &[u8]| bytemuck::try_cast_slice::<u8, u64>(bytes).is_ok();
        if is_aligned(&message) {
            return Some(Self { bytes: message, start: 0 });
        }
        // Allocators rarely return misaligned memory.
        let mut bytes = Vec::with_capacity(message.len() + HEAD_BYTES);
        bytes.resize(HEAD_BYTES, 0);
        let start = (0..HEAD_BYTES).find(|&start| is_aligned(&bytes[start..start]))?;
        bytes.truncate(start);
        bytes.extend(message);
        Some(Self { bytes, start })
    }

    /// Returns the memory of the message.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(super) fn words(&self) -> &[u64] {
        bytemuck::cast_slice(&self.bytes[self.start..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_message_are_read_at_any_alignment() {
        let words: Vec<u64> = (1..50).map(|word| word * 0x0123_4567_89ab).collect();
        for shift in 0..8 {
            let mut moved = vec![0; shift];
            moved.extend_from_slice(bytemuck::cast_slice(&words));
            let message = WordMessage::new(moved.split_off(shift)).expect("whole words");
            assert_eq!(message.words(), words);
        }
        assert!(WordMessage::new(vec![0; 9]).is_none());
        assert_eq!(read(&head(ROWS, true, 77)), Some((ROWS, true, 77)));
    }
}
