//! Letters of ranks whose shares are in memory: what begins each, and how words in them are read.

use crate::GenError;
use crate::ranks::Team;

/// Blocks of a level: after the head, slot and count in a word, and the block. The flag is that of the last
/// letter of a level.
pub(super) const BLOCKS: u8 = 1;
/// Columns of packed rows: after the head, the first row and the number of rows, and the words.
pub(super) const ROWS: u8 = 2;
/// A chunk of the table: after the head, its number, its digest and its bytes.
pub(super) const CHUNK: u8 = 3;
/// Rank 0 has written a chunk: the next one may be sent.
pub(super) const NEXT: u8 = 4;

const HEAD_BYTES: usize = size_of::<u64>();

/// What a letter begins with: its kind, a flag, and a number.
pub(super) fn head(kind: u8, flag: bool, number: u32) -> [u8; HEAD_BYTES] {
    let [a, b, c, d] = number.to_le_bytes();
    [kind, u8::from(flag), 0, 0, a, b, c, d]
}

/// Kind, flag and number of a letter.
pub(super) fn read(letter: &[u8]) -> Option<(u8, bool, u32)> {
    let &[kind, flag, _, _, a, b, c, d] = letter.first_chunk()?;
    Some((kind, flag != 0, u32::from_le_bytes([a, b, c, d])))
}

/// Flag and number of a letter, which must be of a kind.
pub(super) fn expect(
    team: &dyn Team,
    from: usize,
    letter: &[u8],
    kind: u8,
) -> Result<(bool, u32), GenError> {
    match read(letter) {
        Some((found, flag, number)) if found == kind => Ok((flag, number)),
        _ => Err(unexpected(team, from)),
    }
}

/// The error of a rank that sent what belongs to no build.
pub(super) fn unexpected(team: &dyn Team, rank: usize) -> GenError {
    let problem = "expected a letter of a build, found other bytes: run one version on all ranks";
    GenError::RankFailed { rank: team.name_of(rank), problem: problem.to_owned() }
}

/// A letter of whole words, which begin at a multiple of their size.
#[derive(Debug)]
pub(super) struct Aligned {
    bytes: Vec<u8>,
    start: usize,
}

impl Aligned {
    /// Nothing where the letter has no whole words.
    pub(super) fn new(letter: Vec<u8>) -> Option<Self> {
        if !letter.len().is_multiple_of(HEAD_BYTES) {
            return None;
        }
        let is_aligned = |bytes: &[u8]| bytemuck::try_cast_slice::<u8, u64>(bytes).is_ok();
        if is_aligned(&letter) {
            return Some(Self { bytes: letter, start: 0 });
        }
        // Allocators give such memory hardly ever.
        let mut bytes = Vec::with_capacity(letter.len() + HEAD_BYTES);
        bytes.resize(HEAD_BYTES, 0);
        let start = (0..HEAD_BYTES).find(|&start| is_aligned(&bytes[start..start]))?;
        bytes.truncate(start);
        bytes.extend(letter);
        Some(Self { bytes, start })
    }

    /// The memory that it took.
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
    fn words_of_a_letter_are_those_that_were_written_wherever_it_begins() {
        let words: Vec<u64> = (1..50).map(|word| word * 0x0123_4567_89ab).collect();
        for shift in 0..8 {
            // A vector that begins in the middle of an allocation there is not: this one was written there.
            let mut moved = vec![0; shift];
            moved.extend_from_slice(bytemuck::cast_slice(&words));
            let letter = Aligned::new(moved.split_off(shift)).expect("whole words");
            assert_eq!(letter.words(), words);
        }
        assert!(Aligned::new(vec![0; 9]).is_none());
        assert_eq!(read(&head(ROWS, true, 77)), Some((ROWS, true, 77)));
    }
}
