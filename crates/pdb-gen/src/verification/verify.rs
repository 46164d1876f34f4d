//! Verification levels: whether a file is the table that its name and header claim.
//!
//! Each [`Level`] includes those before it, and runs only if those before it found nothing. The
//! file is read, never mapped, so the content of the disk is verified.

use std::fmt;
use std::path::{Path, PathBuf};

use pdb_core::{TableKey, WalkingKey};
use pdb_format::{FormatError, Header, Packing, walking};

use super::rules::{self, BrokenRule};
use crate::GenError;
use crate::building::Table;
use crate::disk::{TableFile, digest_of};
use crate::monitor::Monitor;
use crate::threads::Workers;

/// Largest number of damaged chunks that are named one by one.
const CHUNKS_NAMED_MAX: usize = 16;

/// Size of the parts in which payloads are compared, most of which are equal, in bytes.
const PART_BYTES: usize = 1 << 12;

/// Thoroughness of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The header, the length of the file, and that the file has its table's name.
    Header,
    /// The digest section and every chunk of the payload.
    Digest,
    /// Every entry against a fresh build, and the [rules](crate::Rule) that right entries obey
    /// whatever program built them.
    Entries,
    /// Every byte of the file against a fresh build.
    Rebuild,
}

impl Level {
    /// All levels, in order.
    pub const ALL: [Self; 4] = [Self::Header, Self::Digest, Self::Entries, Self::Rebuild];

    /// Returns the level's name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Digest => "digest",
            Self::Entries => "entries",
            Self::Rebuild => "rebuild",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The result of verifying a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyReport {
    /// The file.
    pub path: PathBuf,
    /// The file's header, unless it is bad.
    pub header: Option<Header>,
    /// The highest level that ran; lower than the requested one if an earlier level found a fault.
    pub level: Level,
    /// All faults; empty for a good table.
    pub findings: Vec<Finding>,
}

impl VerifyReport {
    /// Returns whether no fault was found.
    pub fn is_good(&self) -> bool {
        self.findings.is_empty()
    }
}

/// A fault of a table; displays as one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Finding {
    /// Level header: the header or the length is bad, or the file has another table's name. Level
    /// digest: a chunk is damaged, or the digest section, so that the chunks cannot be checked.
    /// Level entries: the number of states, or the first wrong count of a value, differs from a
    /// fresh build. Level rebuild: the packing or some other bytes do, although every entry is
    /// right.
    #[error("{0}")]
    Format(FormatError),
    /// Level digest: more chunks are damaged than are named.
    #[error("{count} more chunks of the payload are damaged")]
    MoreChunks {
        /// Number of damaged chunks that are not named.
        count: u64,
    },
    /// Level entries: entries differ from a fresh build.
    #[error("{0}")]
    Entries(WrongEntries),
    /// Level entries: entries break a rule that holds in every right table.
    #[error("{0}")]
    Rule(BrokenRule),
}

/// Entries that differ from a fresh build.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{count} of {entry_count} entries are wrong, first entry {entry}: expected {field} {expected}, \
     found {found}"
)]
pub struct WrongEntries {
    /// Number of such entries.
    pub count: u64,
    /// Number of all entries.
    pub entry_count: u64,
    /// The first such entry.
    pub entry: u64,
    /// The wrong part of the entry, such as "excess".
    pub field: &'static str,
    /// The content in a fresh build.
    pub expected: u128,
    /// The content in the file.
    pub found: u128,
}

/// Verifies a table up to `level`.
///
/// [`Level::Entries`] and [`Level::Rebuild`] take the time and memory of a build. If the payload
/// differs from the fresh one, it is in memory as well.
///
/// # Errors
/// [`GenError::Io`] when the file cannot be read, [`GenError::Interrupted`], or the reason why the
/// table cannot be built again. A bad table is not an error but a [`Finding`].
pub fn verify(
    path: &Path,
    level: Level,
    thread_count: usize,
    monitor: &Monitor<'_>,
) -> Result<VerifyReport, GenError> {
    let mut report = VerifyReport {
        path: path.to_owned(),
        header: None,
        level: Level::Header,
        findings: vec![],
    };
    let table = match TableFile::open(path) {
        Ok(table) => table,
        Err(GenError::Format { source, .. }) => {
            report.findings.push(Finding::Format(source));
            return Ok(report);
        }
        Err(error) => return Err(error),
    };
    let header = table.header();
    report.header = Some(header.clone());
    report.findings = wrong_name(path, header).into_iter().map(Finding::Format).collect();

    let goes_on = |report: &VerifyReport| report.is_good() && report.level < level;
    if !goes_on(&report) {
        return Ok(report);
    }
    report.level = Level::Digest;
    let workers = Workers { thread_count, monitor };
    report.findings = check_digests(&table, workers)?;
    if !goes_on(&report) {
        return Ok(report);
    }
    report.level = Level::Entries;
    let fresh = Table::build(&header.key, thread_count, monitor)?;
    let read;
    let payload = if holds(&table, &fresh.payload, workers)? {
        &fresh.payload
    } else {
        read = table.payload()?;
        &read
    };
    report.findings = compare(header, payload, &fresh);
    let broken = rules::check(header, payload, workers)?;
    report.findings.extend(broken.into_iter().map(Finding::Rule));
    if !goes_on(&report) {
        return Ok(report);
    }
    report.level = Level::Rebuild;
    let (expected, found) = (&fresh.header, header);
    if expected.packing != found.packing {
        let fault = FormatError::bad_field("packing", expected.packing, found.packing);
        report.findings.push(Finding::Format(fault));
    } else if expected != found {
        // The digests in the file are right, so the header stands for all of its bytes.
        let (expected, found) = (digest_of(expected), digest_of(found));
        let fault = FormatError::bad_field("digest of right entries", expected, found);
        report.findings.push(Finding::Format(fault));
    }
    Ok(report)
}

/// Returns whether a file has exactly this payload.
fn holds(table: &TableFile, payload: &[u8], workers: Workers<'_>) -> Result<bool, GenError> {
    let header = table.header();
    if header.payload_bytes() != payload.len() as u64 {
        return Ok(false);
    }
    let are_equal = table.each_chunk(workers, |chunk, bytes| {
        let start = (header.chunk_range(chunk).start - header.payload_offset()) as usize;
        Ok(payload[start..][..bytes.len()] == *bytes)
    })?;
    Ok(!are_equal.contains(&false))
}

/// Returns the fault of a file with another table's name, which would be mistaken for that table.
fn wrong_name(path: &Path, header: &Header) -> Option<FormatError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let found = header.key.file_name();
    (name != found).then(|| FormatError::OtherTable { expected: name.into_owned(), found })
}

/// Checks all digests of a table.
fn check_digests(table: &TableFile, workers: Workers<'_>) -> Result<Vec<Finding>, GenError> {
    let section = match table.digest_section() {
        Ok(section) => section,
        Err(GenError::Format { source, .. }) => return Ok(vec![Finding::Format(source)]),
        Err(error) => return Err(error),
    };
    let checked = table.each_chunk(workers, |chunk, bytes| {
        Ok(table.header().check_chunk(&section, chunk, bytes).err())
    })?;
    let mut findings: Vec<_> = checked.into_iter().flatten().map(Finding::Format).collect();
    let more = findings.len().saturating_sub(CHUNKS_NAMED_MAX) as u64;
    findings.truncate(CHUNKS_NAMED_MAX);
    if more > 0 {
        findings.push(Finding::MoreChunks { count: more });
    }
    Ok(findings)
}

/// Compares a file with a fresh build (level entries).
pub(super) fn compare(header: &Header, payload: &[u8], fresh: &Table) -> Vec<Finding> {
    if let Err(error) = header.expect_entry_count(fresh.header.entry_count) {
        return vec![Finding::Format(error)];
    }
    let wrong = match &header.key {
        TableKey::Walking(key) => compare_walking(key, header, payload, &fresh.payload),
        TableKey::Pattern(_) | TableKey::Coloured(_) => difference(header, payload, fresh),
    };
    let at = |header: &Header, value| header.histogram.get(value).copied().unwrap_or(0);
    let value_end = header.histogram.len().max(fresh.header.histogram.len());
    let histogram = (0..value_end)
        .map(|value| (value, at(&fresh.header, value), at(header, value)))
        .find(|(_, expected, found)| expected != found)
        .map(|(value, expected, found)| {
            let expected = format_args!("{expected} entries of value {value}");
            Finding::Format(FormatError::bad_field("histogram", expected, found))
        });
    histogram.into_iter().chain(wrong.map(Finding::Entries)).collect()
}

/// Compares the entries of a table with those of a fresh build, perhaps in another packing, which
/// the format allows. A bit contains only the parity of an excess; the rules check the rest.
pub(super) fn difference(header: &Header, payload: &[u8], fresh: &Table) -> Option<WrongEntries> {
    // `None` for entries that are marked unreached.
    let excess = |packing: Packing, payload: &[u8], entry| {
        packing.read(payload, entry).filter(|&held| packing.unreached() != Some(held))
    };
    let packings = [header.packing, fresh.header.packing];
    let is_by_bits = packings.contains(&Packing::Bit);
    let per_part = PART_BYTES as u64 * 8 / u64::from(header.packing.bits()?);
    let field = match header.packing {
        Packing::Bit => "lowest bit of the excess",
        Packing::Slides => "distances",
        _ => "excess",
    };
    let entry_count = header.entry_count;
    let parts = payload.chunks(PART_BYTES).enumerate().filter(|&(part, bytes)| {
        packings[0] != packings[1] || !fresh.payload[part * PART_BYTES..].starts_with(bytes)
    });
    let entries = parts.flat_map(|(part, _)| {
        let start = part as u64 * per_part;
        start..(start + per_part).min(entry_count)
    });
    wrong_entries(entry_count, entries, |entry| {
        let found = excess(header.packing, payload, entry);
        let expected = excess(fresh.header.packing, &fresh.payload, entry);
        let is_same = if is_by_bits {
            found.unwrap_or(0) % 2 == expected.unwrap_or(0) % 2
        } else {
            found == expected
        };
        let [expected, found] = [expected, found].map(|held| held.unwrap_or(u8::MAX).into());
        (!is_same).then_some((field, expected, found))
    })
}

/// Counts the entries that `differ` finds. It returns the wrong part of an entry, with the expected
/// and the found content.
fn wrong_entries(
    entry_count: u64,
    entries: impl Iterator<Item = u64>,
    differ: impl Fn(u64) -> Option<(&'static str, u128, u128)>,
) -> Option<WrongEntries> {
    let mut wrong = entries.filter_map(|entry| Some((entry, differ(entry)?)));
    let (entry, (field, expected, found)) = wrong.next()?;
    let count = 1 + wrong.count() as u64;
    Some(WrongEntries { count, entry_count, entry, field, expected, found })
}

fn compare_walking(
    key: &WalkingKey,
    header: &Header,
    payload: &[u8],
    fresh: &[u8],
) -> Option<WrongEntries> {
    let layout = walking::Layout::new(header.entry_count, key.lines);
    let fields = |payload: &[u8], state: u32| -> Option<Vec<(&'static str, u128)>> {
        let mut fields = vec![
            ("key", layout.key(payload, state)?),
            ("value", layout.value(payload, state)?.into()),
        ];
        for step in walking::Step::ALL {
            for home_line in 0..key.lines {
                fields.push(("link", layout.link(payload, state, step, home_line)?.into()));
            }
        }
        Some(fields)
    };
    wrong_entries(header.entry_count, 0..header.entry_count, |state| {
        let (expected, found) = (fields(fresh, state as u32)?, fields(payload, state as u32)?);
        let (expected, found) = expected.into_iter().zip(found).find(|(e, f)| e != f)?;
        Some((expected.0, expected.1, found.1))
    })
}
