//! Messages between two ranks: their heads, and a reader of the words in them.

/// Blocks of a level: after the head, each slot with its count in one word, and the block, which is
/// sent without zero words if it has few states. The flag marks the last message of a level.
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

/// A message of whole words.
#[derive(Debug)]
pub(super) struct WordMessage {
    bytes: Vec<u8>,
    /// A copy, if the bytes do not begin at a multiple of the size of a word. Allocators rarely
    /// return such memory.
    copy: Vec<u64>,
}

impl WordMessage {
    /// Aligns a message; `None` if it does not consist of whole words.
    pub(super) fn new(bytes: Vec<u8>) -> Option<Self> {
        if !bytes.len().is_multiple_of(HEAD_BYTES) {
            return None;
        }
        let mut copy = Vec::new();
        if bytemuck::try_cast_slice::<u8, u64>(&bytes).is_err() {
            copy.resize(bytes.len() / HEAD_BYTES, 0);
            bytemuck::cast_slice_mut(&mut copy).copy_from_slice(&bytes);
        }
        Some(Self { bytes, copy })
    }

    /// Returns the memory of the message.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(super) fn words(&self) -> &[u64] {
        if self.copy.is_empty() { bytemuck::cast_slice(&self.bytes) } else { &self.copy }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_message_and_its_head_are_read() {
        let words: Vec<u64> = (1..50).map(|word| word * 0x0123_4567_89ab).collect();
        let message = WordMessage::new(bytemuck::cast_slice(&words).to_vec());
        assert_eq!(message.expect("whole words").words(), words);
        assert!(WordMessage::new(vec![0; 9]).is_none());
        assert_eq!(read(&head(ROWS, true, 77)), Some((ROWS, true, 77)));
    }
}
