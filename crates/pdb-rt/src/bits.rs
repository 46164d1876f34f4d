//! Bit gathering, with fast instructions where the processor has them.
//!
//! For boards of up to 16 cells a word holds one nibble per cell: 0 without a pattern tile, 8 +
//! label with one. A look-up needs the set of the cells and the labels in their order: two
//! gatherings of bits, each of which is one `pext` of BMI2. For larger boards the labels are kept
//! in their order, and a tile that passes others takes its label to another place: a `pext` and its
//! inverse `pdep`.
//!
//! A board of up to 16 cells also fits a register, one byte per cell, and a shuffle moves all bytes
//! at once ([`Sixteen`]). Only x86-64 and 64-bit ARM have this form.
#![allow(unsafe_code, reason = "it uses instructions that were detected")]

use std::fmt::Debug;

/// The bit of each nibble that marks a pattern tile.
const OCCUPIED: u64 = 0x8888_8888_8888_8888;

/// The bits of three-bit labels at all places but one, by that place.
const ALL_BUT: [u64; 8] = {
    let mut masks = [!7_u64; 8];
    let mut place = 1;
    while place < masks.len() {
        masks[place] = masks[place - 1].rotate_left(3);
        place += 1;
    }
    masks
};

/// Bit gatherings, and a frame to use them in.
pub trait Bits: Copy + Debug + Send + Sync + 'static {
    /// Returns the set of the cells with a pattern tile.
    fn cells(self, word: u64) -> u64;

    /// Returns the labels on those cells, three bits each, the smallest cell's lowest.
    fn labels(self, word: u64) -> u64;

    /// Gathers the bits of a word under a mask.
    fn gathered(self, word: u64, mask: u64) -> u64;

    /// Runs work where the instructions may be used.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;
}

/// Bit gathering for every processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

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
    fn gathered(self, word: u64, mask: u64) -> u64 {
        let (mut bits, mut gathered) = (word & mask, 0);
        while bits != 0 {
            let below = (bits & bits.wrapping_neg()) - 1;
            gathered |= 1 << (mask & below).count_ones();
            bits &= bits - 1;
        }
        gathered
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }
}

/// Bit gathering for x86-64 processors with AVX2 and a fast `pext`. A value exists only where they
/// were detected.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// Returns the fast instructions, if this processor has them. Processors with a fast `pext`
    /// have AVX2 too.
    pub(crate) fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        (has_all && !is_pext_slow()).then_some(Self(()))
    }
}

/// Returns whether this is an AMD processor before Zen 3 (family 19h), where `pext` is a loop in
/// microcode that takes tens of cycles (Agner Fog, "Instruction tables").
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
impl Bits for Avx2 {
    #[inline(always)]
    fn cells(self, word: u64) -> u64 {
        self.gathered(word, OCCUPIED)
    }

    #[inline(always)]
    fn labels(self, word: u64) -> u64 {
        let occupied = word & OCCUPIED;
        self.gathered(word, occupied - (occupied >> 3))
    }

    #[inline(always)]
    fn gathered(self, word: u64, mask: u64) -> u64 {
        // SAFETY: a value of this type exists only where BMI2 was detected.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt,avx2")]
        fn with_features<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // SAFETY: a value of this type exists only where all of these features were detected.
        unsafe { with_features(work) }
    }
}

/// The bit gathering that goes with [`Sixteen`].
#[cfg(target_arch = "x86_64")]
pub(crate) type Shuffles = Avx2;
#[cfg(target_arch = "aarch64")]
pub(crate) type Shuffles = Portable;

#[cfg(target_arch = "x86_64")]
type Register = std::arch::x86_64::__m128i;
#[cfg(target_arch = "aarch64")]
type Register = std::arch::aarch64::uint8x16_t;

/// Register of sixteen bytes.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sixteen(Register);

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl Sixteen {
    /// A place outside the register: a shuffle leaves 0 there.
    pub(crate) const NOTHING: u8 = 0x80;

    pub(crate) fn new(bytes: [u8; 16]) -> Self {
        // SAFETY: both are 16 bytes of which any values are valid.
        Self(unsafe { std::mem::transmute::<[u8; 16], Register>(bytes) })
    }
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl Default for Sixteen {
    fn default() -> Self {
        Self::new([0; 16])
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(clippy::unused_self, reason = "a value says that the instructions are there")]
impl Avx2 {
    /// Spreads the lowest bits of a word over those of a mask.
    #[inline(always)]
    pub(crate) fn scattered(self, word: u64, mask: u64) -> u64 {
        // SAFETY: a value of this type exists only where BMI2 was detected.
        unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
    }

    /// Sets the bits of a word under a mask of `P` bits to the lowest bits of `new`. Returns the
    /// word and which bits have changed, sixteen bits each.
    #[inline(always)]
    pub(crate) fn set<const P: usize>(self, word: u64, mask: u64, new: u64) -> (u64, u64) {
        let changed = new ^ self.gathered(word, mask);
        let each = self.scattered(changed, 0x0001_0001_0001_0001);
        (word ^ self.scattered(changed, mask), each)
    }

    /// Moves `label` from place `old` to place `new` of three-bit labels; those between close up.
    /// Places are below 8.
    #[inline(always)]
    pub(crate) fn reordered(self, labels: u64, label: u64, old: u32, new: u32) -> u64 {
        let all_but = |place: u32| ALL_BUT[place as usize % ALL_BUT.len()];
        let others = self.scattered(self.gathered(labels, all_but(old)), all_but(new));
        others | label << (3 * new)
    }

    /// Returns the bytes at `places`: byte `i` is `bytes[places[i]]`.
    #[inline(always)]
    pub(crate) fn shuffled(self, bytes: Sixteen, places: Sixteen) -> Sixteen {
        // SAFETY: a value of this type exists only where AVX2 was detected, which has SSSE3 in it.
        Sixteen(unsafe { std::arch::x86_64::_mm_shuffle_epi8(bytes.0, places.0) })
    }

    /// Returns the [`cells`](Bits::cells) and [`labels`](Bits::labels) of nibbles in a byte each,
    /// of which up to eight are labels.
    #[inline(always)]
    pub(crate) fn cells_and_labels(self, nibbles: Sixteen) -> (u64, u64) {
        use std::arch::x86_64::{
            _mm_cvtsi128_si64, _mm_maddubs_epi16, _mm_packus_epi16, _mm_set1_epi16,
        };
        // SAFETY: a value of this type exists only where AVX2 was detected, which has SSSE3 in it.
        let word = unsafe {
            // In each pair of bytes, 16 times the second is added to the first.
            let pairs = _mm_maddubs_epi16(nibbles.0, _mm_set1_epi16(0x1001));
            _mm_cvtsi128_si64(_mm_packus_epi16(pairs, pairs)).cast_unsigned()
        };
        (self.cells(word), self.labels(word))
    }
}

/// The places of the bits of each byte in their order, one byte each, all inverted. The rest is 0.
#[cfg(target_arch = "aarch64")]
static PLACES: [u64; 256] = {
    let mut places = [0; 256];
    let mut set = 0;
    while set < places.len() {
        let (mut place, mut shift) = (0, 0);
        while place < 8 {
            if set >> place & 1 == 1 {
                places[set] |= (0xff ^ place) << shift;
                shift += 8;
            }
            place += 1;
        }
        set += 1;
    }
    places
};

/// The instructions of NEON, which every 64-bit ARM processor has.
#[cfg(target_arch = "aarch64")]
#[allow(clippy::unused_self, reason = "other processors need a value")]
impl Portable {
    /// Sets the bits of a word under a mask of `P` bits to the lowest bits of `new`. Returns the
    /// word and which bits have changed, sixteen bits each.
    #[inline(always)]
    pub(crate) fn set<const P: usize>(self, word: u64, mask: u64, new: u64) -> (u64, u64) {
        let mut bits = [0; P];
        let (mut rest, mut spread) = (mask, 0);
        for (p, bit) in bits.iter_mut().enumerate() {
            let above = rest & rest.wrapping_sub(1);
            *bit = rest ^ above;
            spread |= *bit & (new >> p & 1).wrapping_neg();
            rest = above;
        }
        let changed = (word ^ spread) & mask;
        let each = (0..P).map(|p| u64::from(changed & bits[p] != 0) << (16 * p)).sum();
        (word ^ changed, each)
    }

    /// Returns the bytes at `places`: byte `i` is `bytes[places[i]]`.
    #[inline(always)]
    pub(crate) fn shuffled(self, bytes: Sixteen, places: Sixteen) -> Sixteen {
        // SAFETY: NEON is part of every 64-bit ARM processor.
        Sixteen(unsafe { std::arch::aarch64::vqtbl1q_u8(bytes.0, places.0) })
    }

    /// Returns the [`cells`](Bits::cells) and [`labels`](Bits::labels) of nibbles in a byte each,
    /// of which up to eight are labels.
    #[inline(always)]
    pub(crate) fn cells_and_labels(self, nibbles: Sixteen) -> (u64, u64) {
        use std::arch::aarch64::{
            vandq_u8, vcreate_u8, vdupq_n_u8, vget_lane_u64, vgetq_lane_u8, vpaddq_u8, vqtbl1_u8,
            vreinterpret_u64_u8, vtstq_u8,
        };
        let bits = Sixteen::new(std::array::from_fn(|i| 1 << (i % 8)));
        // SAFETY: NEON is part of every 64-bit ARM processor.
        let [lower, upper] = unsafe {
            let occupied = vandq_u8(vtstq_u8(nibbles.0, vdupq_n_u8(8)), bits.0);
            let pairs = vpaddq_u8(occupied, occupied);
            let fours = vpaddq_u8(pairs, pairs);
            let eights = vpaddq_u8(fours, fours);
            [vgetq_lane_u8::<0>(eights), vgetq_lane_u8::<1>(eights)]
        };
        let places = PLACES[usize::from(lower)];
        // Those of the upper half are greater by 8, and follow.
        let others = PLACES[usize::from(upper)] & !0x0808_0808_0808_0808;
        let places = !(places ^ others.rotate_right(places.leading_zeros()));
        // SAFETY: as above.
        let ordered = unsafe {
            vget_lane_u64::<0>(vreinterpret_u64_u8(vqtbl1_u8(nibbles.0, vcreate_u8(places))))
        };
        // The labels close up in pairs, fours and eights.
        let ones = ordered & 0x0707_0707_0707_0707;
        let pairs = (ones | ones >> 5) & 0x003f_003f_003f_003f;
        let fours = (pairs | pairs >> 10) & 0x0000_0fff_0000_0fff;
        (u64::from(lower) | u64::from(upper) << 8, (fours | fours >> 20) & 0xff_ffff)
    }
}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;

    /// Returns words of any nibbles, and words that a board of some pattern can have.
    fn words() -> impl Iterator<Item = u64> {
        let mut random = pdb_oracle::Random::default();
        (0..4_000_000u64).map(move |i| {
            let state = random.number();
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

    #[test]
    fn vector_registers_agree_with_loops() {
        #[cfg(target_arch = "x86_64")]
        let Some(fast) = Avx2::detect() else { return };
        #[cfg(target_arch = "aarch64")]
        let fast = Portable;
        for [word, mask] in words().take(400_000).collect::<Vec<_>>().as_chunks().0 {
            let (word, mask) = (*word, *mask);
            let places: Vec<u32> = (0..64).filter(|place| mask >> place & 1 == 1).collect();
            let bit = |(i, place): (usize, &u32)| (word >> place & 1) << i;
            assert_eq!(fast.gathered(word, mask), Portable.gathered(word, mask));
            assert_eq!(fast.gathered(word, mask), places.iter().enumerate().map(bit).sum::<u64>());
            let bit = |(i, place): (usize, &u32)| (word >> i & 1) << place;
            #[cfg(target_arch = "x86_64")]
            assert_eq!(fast.scattered(word, mask), places.iter().enumerate().map(bit).sum::<u64>());

            if let Some(four) = places.first_chunk::<4>() {
                let (four, new) = (four.map(|place| 1 << place), word >> 32);
                let (mut after, mut each) = (word, 0);
                for (i, bit) in four.into_iter().enumerate() {
                    if (word & bit != 0) != (new >> i & 1 == 1) {
                        after ^= bit;
                        each |= 1 << (16 * i);
                    }
                }
                let result = fast.set::<4>(word, four.iter().sum(), new & 15);
                assert_eq!(result, (after, each), "{word:x} {four:?} {new:x}");
            }

            // The nibbles of a board, and places of which some are nowhere.
            let nibble = |word: u64, i: usize| (word >> (4 * i) & 15) as u8;
            let bytes = Sixteen::new(std::array::from_fn(|i| nibble(mask, i)));
            let (cells, labels) = fast.cells_and_labels(bytes);
            assert_eq!((cells, labels), (Portable.cells(mask), Portable.labels(mask)), "{mask:x}");
            let is_nowhere = |i: usize| i % 2 == word as usize % 2 || i == word as usize >> 60;
            let place = |i| if is_nowhere(i) { Sixteen::NOTHING } else { nibble(word, i) };
            let shuffled = fast.shuffled(bytes, Sixteen::new(std::array::from_fn(place)));
            let moved = |i| u64::from(nibble(mask, usize::from(place(i)))) << (4 * i);
            let moved = (0..16).filter(|&i| !is_nowhere(i)).map(moved).sum();
            let expected = (Portable.cells(moved), Portable.labels(moved));
            assert_eq!(fast.cells_and_labels(shuffled), expected, "{mask:x} {word:x}");
        }
    }
}
