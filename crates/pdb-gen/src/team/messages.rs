//! Messages between two ranks: their heads, and the words after them.

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

/// Returns the words of a message after its head; `None` if they are not whole.
pub(super) fn words(message: &[u8]) -> Option<&[[u8; size_of::<u64>()]]> {
    let (words, rest) = message.get(HEAD_BYTES..)?.as_chunks();
    rest.is_empty().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_message_and_its_head_are_read() {
        let message = [head(ROWS, true, 77), [1; 8], [2; 8]].concat();
        assert_eq!(read(&message), Some((ROWS, true, 77)));
        assert_eq!(words(&message), Some(&[[1; 8], [2; 8]][..]));
        assert!(words(&message[1..]).is_none() && words(&[]).is_none());
    }
}
