//! Bit gathering, with the fast instructions where they are.
//!
//! For boards of up to 16 cells a word holds one nibble a cell: 0 on a cell without a pattern tile,
//! 8 + label on one with. What a look-up needs of it is the set of the cells and the labels in their
//! order: two gatherings of bits, which BMI2's `pext` does in one instruction each. For larger boards
//! the labels are kept in their order, and a tile that passes others takes its label to another place:
//! one is taken out and put in, which is a `pext` and its inverse `pdep`.

use std::fmt::Debug;

/// The bit of each nibble that says that a pattern tile is there.
const OCCUPIED: u64 = 0x8888_8888_8888_8888;

/// The gatherings, and a frame to use them in.
pub(crate) trait Bits: Copy + Debug + Send + Sync + 'static {
    /// The set of the cells that hold a pattern tile.
    fn cells(self, word: u64) -> u64;

    /// The labels on those cells, three bits each, the smallest cell's lowest.
    fn labels(self, word: u64) -> u64;

    /// Three-bit labels in their order, of which the one at place `old`, `label`, goes to place `new`:
    /// those between close up. Places are below 8.
    fn reordered(self, labels: u64, label: u64, old: u32, new: u32) -> u64;

    /// Runs a piece of work where the instructions may be used.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;
}

/// For every processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Bits for Portable {
    #[inline(always)]
    fn cells(self, word: u64) -> u64 {
        // The bits close up in pairs, fours, eights and sixteens.
        let ones = (word & OCCUPIED) >> 3;
        let pairs = (ones | ones >> 3) & 0x0303_0303_0303_0303;
        let fours = (pairs | pairs >> 6) & 0x000f_000f_000f_000f;
        let eights = (fours | fours >> 12) & 0x0000_00ff_0000_00ff;
        (eights | eights >> 24) & 0xffff
    }

    #[inline(always)]
    fn labels(self, word: u64) -> u64 {
        let mut occupied = word & OCCUPIED;
        let (mut labels, mut place) = (0, 0);
        while occupied != 0 {
            let top = occupied.trailing_zeros();
            labels |= (word >> (top - 3) & 7) << place;
            place += 3;
            occupied &= occupied - 1;
        }
        labels
    }

    #[inline(always)]
    fn reordered(self, labels: u64, label: u64, old: u32, new: u32) -> u64 {
        let below = |place: u32| (1u64 << (3 * place)) - 1;
        let others = labels & below(old) | labels >> 3 & !below(old);
        others & below(new) | (others & !below(new)) << 3 | label << (3 * new)
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }
}

/// For x86-64 processors whose `pext` is fast; a value exists only where that was found out.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bmi2(());

#[cfg(target_arch = "x86_64")]
impl Bmi2 {
    /// The fast instructions, if this processor has them.
    pub(crate) fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        (has_all && !is_pext_slow()).then_some(Self(()))
    }
}

/// Whether this is an AMD processor before Zen 3 (family 19h), where `pext` is a loop in microcode
/// that takes tens of cycles (Agner Fog, "Instruction tables").
#[cfg(target_arch = "x86_64")]
fn is_pext_slow() -> bool {
    use std::arch::x86_64::__cpuid;
    let vendor = __cpuid(0);
    // "AuthenticAMD", in the order in which the registers spell it.
    let is_amd = (vendor.ebx, vendor.edx, vendor.ecx) == (0x6874_7541, 0x6974_6e65, 0x444d_4163);
    let version = __cpuid(1).eax;
    let base = version >> 8 & 15;
    let family = if base == 15 { base + (version >> 20 & 255) } else { base };
    is_amd && family < 0x19
}

#[cfg(target_arch = "x86_64")]
impl Bits for Bmi2 {
    #[inline(always)]
    fn cells(self, word: u64) -> u64 {
        // SAFETY: a value of this type exists only where BMI2 was detected.
        unsafe { std::arch::x86_64::_pext_u64(word, OCCUPIED) }
    }

    #[inline(always)]
    fn labels(self, word: u64) -> u64 {
        let occupied = word & OCCUPIED;
        // SAFETY: a value of this type exists only where BMI2 was detected.
        unsafe { std::arch::x86_64::_pext_u64(word, occupied - (occupied >> 3)) }
    }

    #[inline(always)]
    fn reordered(self, labels: u64, label: u64, old: u32, new: u32) -> u64 {
        let all_but = |place: u32| !(7u64 << (3 * place));
        // SAFETY: a value of this type exists only where BMI2 was detected.
        let others = unsafe {
            let others = std::arch::x86_64::_pext_u64(labels, all_but(old));
            std::arch::x86_64::_pdep_u64(others, all_but(new))
        };
        others | label << (3 * new)
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
        fn with_features<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // SAFETY: a value of this type exists only where all four features were detected.
        unsafe { with_features(work) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of all kinds: any nibbles, and those that a board of some pattern can have.
    fn words() -> impl Iterator<Item = u64> {
        let mut state = 0x0123_4567_89ab_cdef_u64;
        (0..4_000_000u64).map(move |i| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            if i % 2 == 0 {
                return state;
            }
            // The first up to eight labels on random cells, one a tile.
            let mut word = 0;
            let mut pick = state;
            for label in 0..state % 9 {
                let shift = pick % 16 * 4;
                pick = (pick / 16) ^ state.rotate_left(label as u32);
                let nibble = word >> shift & 15;
                if nibble == 0 {
                    word |= (8 | label) << shift;
                }
            }
            word
        })
    }

    /// One nibble after another.
    fn slow(word: u64) -> (u64, u64) {
        let (mut cells, mut labels, mut count) = (0, 0, 0);
        for cell in 0..16 {
            let nibble = word >> (4 * cell) & 15;
            if nibble >= 8 {
                cells |= 1 << cell;
                labels |= (nibble & 7) << (3 * count);
                count += 1;
            }
        }
        (cells, labels)
    }

    #[test]
    fn portable_gathering_is_right_for_millions_of_words() {
        for word in words().chain([0, u64::MAX, OCCUPIED]) {
            assert_eq!((Portable.cells(word), Portable.labels(word)), slow(word), "{word:#x}");
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn fast_and_portable_gathering_agree_on_millions_of_words() {
        // Where there is nothing fast, there is nothing to compare.
        let Some(fast) = Bmi2::detect() else { return };
        for word in words().chain([0, u64::MAX, OCCUPIED]) {
            let portable = (Portable.cells(word), Portable.labels(word));
            assert_eq!((fast.cells(word), fast.labels(word)), portable, "{word:#x}");
        }
    }
}
