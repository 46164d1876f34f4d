//! Tests of readers with hostile input: seeds that are changed again and again, on stable Rust and
//! without other tools.
//!
//! A target reads an input and returns the [`class`] of its answer. An input with a new class
//! becomes a seed itself. This is weaker than coverage, but enough to get past the first check. The
//! same seeds give the same inputs everywhere. `cargo test` runs each target
//! briefly, unless two environment variables set other limits:
//!
//! - `TILEBASE_FUZZ_EXECUTIONS`: number of inputs;
//! - `TILEBASE_FUZZ_SECONDS`: time limit, in seconds.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a long run is watched")]

use std::collections::BTreeSet;
use std::fmt::{self, Display, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use pdb_oracle::{Random, are_long};

/// No input is longer than twice the longest seed plus this number of bytes.
const INPUT_BYTES_MORE: usize = 1 << 10;
/// Largest number of inputs that are kept as seeds.
const SEEDS_MAX: usize = 2_000;
/// Limit on the peak memory of the process, resident and virtual, in KiB.
const RESIDENT_KIB_MAX: u64 = 512 << 10;
const RESERVED_KIB_MAX: u64 = 4 << 20;

/// Numbers that parsers often handle wrongly.
const NUMBERS: [&str; 10] = [
    "0",
    "-1",
    "1",
    "255",
    "256",
    "65536",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "99999999999999999999999",
];

/// Returns the class of an answer: a hash of the start of its text, without hexadecimal digits. The
/// start ends at 80 characters, a quotation mark or the end of the line.
pub fn class(answer: &impl Display) -> u64 {
    /// An FNV-1a hash.
    struct Hash {
        hash: u64,
        left: usize,
    }
    impl Write for Hash {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for byte in text.bytes().filter(|byte| !matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
                if self.left == 0 || b"\"\n".contains(&byte) {
                    return Err(fmt::Error);
                }
                self.left -= 1;
                self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
            Ok(())
        }
    }
    let mut hash = Hash { hash: 0xcbf2_9ce4_8422_2325, left: 80 };
    // A writer that stops early is not an error.
    let _ = write!(hash, "{answer}");
    hash.hash
}

/// Runs `target` on changed seeds. It returns the [`class`] of its answer and must not panic.
///
/// `cargo test` runs `executions` inputs in long tests and a quarter of them otherwise. `words` are
/// inserted into inputs, because a parser may expect them.
///
/// # Panics
/// When the target panics, after printing the input, or if the process uses too much memory.
pub fn run(
    name: &str,
    executions: u64,
    seeds: &[Vec<u8>],
    words: &[&str],
    target: impl Fn(&[u8]) -> u64,
) {
    let number = |variable: &str| std::env::var(variable).ok()?.parse::<u64>().ok();
    let short = if are_long() { executions } else { executions / 4 };
    let executions = number("TILEBASE_FUZZ_EXECUTIONS").unwrap_or(short);
    let seconds = number("TILEBASE_FUZZ_SECONDS").unwrap_or(60);
    let (start, limit) = (Instant::now(), Duration::from_secs(seconds));
    let mut random = Random::default();
    let mut seeds = seeds.to_vec();
    let bytes_max = 2 * seeds.iter().map(Vec::len).max().unwrap_or(0) + INPUT_BYTES_MORE;
    let mut classes = BTreeSet::new();
    let mut slowest = (Duration::ZERO, 0);
    let mut done = 0;
    while done < executions {
        // First each seed as it is, then changed seeds.
        let input = match seeds.get(done as usize) {
            Some(seed) if done < 100 => seed.clone(),
            _ => changed(&seeds, words, bytes_max, &mut random),
        };
        let begin = Instant::now();
        let class = catch_unwind(AssertUnwindSafe(|| target(&input))).unwrap_or_else(|panic| {
            eprintln!("{name}: panics at input {done}: \"{}\"", input.escape_ascii());
            resume_unwind(panic)
        });
        slowest = slowest.max((begin.elapsed(), input.len()));
        if classes.insert(class) && seeds.len() < SEEDS_MAX {
            seeds.push(input);
        }
        done += 1;
        if done.is_multiple_of(256) && start.elapsed() > limit {
            break;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let [resident, reserved] = memory_kib();
    println!(
        "{name}: {done} executions in {seconds:.0} s, {} kinds of answer, slowest {:?} for {} bytes, \
         at most {} MiB resident and {} MiB reserved",
        classes.len(),
        slowest.0,
        slowest.1,
        resident >> 10,
        reserved >> 10
    );
    assert!(resident <= RESIDENT_KIB_MAX && reserved <= RESERVED_KIB_MAX, "{name} took too much");
}

/// Returns the peak memory of this process, resident and virtual, in KiB; 0 if the system does not
/// report it.
fn memory_kib() -> [u64; 2] {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ["VmHWM:", "VmPeak:"].map(|field| {
        let line = status.lines().find_map(|line| line.strip_prefix(field));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    })
}

/// Returns a random range of positions; shorter ones are more likely.
fn range(len: usize, random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(len + 1);
    let longest = [1, 4, 16, 64, len][random.below(5)].max(1);
    start..(start + random.below(longest + 1)).min(len)
}

fn changed(seeds: &[Vec<u8>], words: &[&str], bytes_max: usize, random: &mut Random) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(4) {
        match random.below(9) {
            0 if !bytes.is_empty() => {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
            1 if !bytes.is_empty() => {
                let at = random.below(bytes.len());
                bytes[at] = [0, 1, 0x7f, 0x80, 0xff, b'\n', b' ', b'"'][random.below(8)];
            }
            2 => {
                let at = random.below(bytes.len() + 1);
                let added: Vec<u8> = (0..random.below(9)).map(|_| random.number() as u8).collect();
                bytes.splice(at..at, added);
            }
            3 => drop(bytes.drain(range(bytes.len(), random))),
            4 => {
                let part = bytes[range(bytes.len(), random)].to_vec();
                let times = [1, 1, 1, 2, 100][random.below(5)];
                let at = random.below(bytes.len() + 1);
                bytes.splice(at..at, part.repeat(times));
            }
            5 => {
                let other = &seeds[random.below(seeds.len())];
                let part = other[range(other.len(), random)].to_vec();
                let place = range(bytes.len(), random);
                bytes.splice(place, part);
            }
            6 if !words.is_empty() => {
                let at = random.below(bytes.len() + 1);
                bytes.splice(at..at, words[random.below(words.len())].bytes());
            }
            7 => {
                // Replaces a number.
                let digits: Vec<usize> =
                    (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
                if !digits.is_empty() {
                    let start = digits[random.below(digits.len())];
                    let len = bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
                    let number = NUMBERS[random.below(NUMBERS.len())];
                    bytes.splice(start..start + len, number.bytes());
                }
            }
            _ => {
                // Replaces a field of 4 or 8 bytes.
                let len = [4, 8][random.below(2)];
                if bytes.len() >= len {
                    let at = random.below(bytes.len() / len) * len;
                    let value = random.number() >> random.below(64);
                    bytes[at..at + len].copy_from_slice(&value.to_le_bytes()[..len]);
                }
            }
        }
    }
    bytes.truncate(bytes_max);
    bytes
}
