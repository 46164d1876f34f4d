//! Standard output, files in its place, and numbers for people.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::PathBuf;

use indicatif::HumanCount;
use pdb_core::excerpt::printable_text;
use tilebase::shelf::Bytes;

use crate::failure::usage;
use crate::interrupt;

/// Standard output, buffered. A terminal gets [`terminal_text`]; a pipe or a file gets the bytes
/// unchanged, because programs read names from it.
pub(crate) type Output = BufWriter<Stdout>;

/// Standard output whose reader may leave early; further output is then dropped.
#[derive(Debug)]
pub(crate) struct Stdout {
    inner: io::Stdout,
    is_terminal: bool,
    pub(crate) is_closed: bool,
}

/// Returns the standard output of this process.
pub(crate) fn stdout() -> Output {
    let stdout = io::stdout();
    let is_terminal = stdout.is_terminal();
    BufWriter::new(Stdout { inner: stdout, is_terminal, is_closed: false })
}

impl Stdout {
    fn tolerate<T>(&mut self, result: io::Result<T>, instead: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(instead)
            }
            Err(error) => {
                Err(io::Error::new(error.kind(), format!("cannot write the results: {error}")))
            }
            ok => ok,
        }
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_closed {
            return Ok(bytes.len());
        }
        if self.is_terminal {
            // `BufWriter` never splits a text, so no character is split between two calls.
            let text = terminal_text(&String::from_utf8_lossy(bytes));
            let result = interrupt::waiting(|| self.inner.write_all(text.as_bytes()));
            return self.tolerate(result.map(|()| bytes.len()), bytes.len());
        }
        let result = interrupt::waiting(|| self.inner.write(bytes));
        self.tolerate(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = interrupt::waiting(|| self.inner.flush());
        self.tolerate(result, ())
    }
}

/// Replaces characters that would control a terminal or be invisible on it. Line ends and tabs
/// stay.
pub(crate) fn terminal_text(text: &str) -> String {
    let is_kept = |c: char| c == '\n' || c == '\t';
    text.split_inclusive(is_kept)
        .map(|part| match part.strip_suffix(is_kept) {
            Some(line) => printable_text(line) + &part[line.len()..],
            None => printable_text(part),
        })
        .collect()
}

/// Prints a line on standard error as [`terminal_text`]; ignores a failure to do so.
pub(crate) fn error_line(text: impl fmt::Display) {
    let text = terminal_text(&text.to_string());
    let _ = interrupt::waiting(|| writeln!(io::stderr(), "{text}"));
}

/// Destination of a result: a file, or standard output, which is named `-` or `/dev/stdout`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Stdout,
    File(PathBuf),
}

impl From<OsString> for Target {
    fn from(name: OsString) -> Self {
        if name == "-" || name == "/dev/stdout" { Self::Stdout } else { Self::File(name.into()) }
    }
}

impl Target {
    /// Checks before the work that the result can be written. The file is empty until then.
    pub(crate) fn prepare(&self) -> anyhow::Result<()> {
        match self {
            Self::Stdout => Ok(()),
            Self::File(path) if path.is_dir() => Err(usage(format!(
                "cannot write a result to {}: expected a file, found a folder; name a file, or - for \
                 standard output",
                path.display()
            ))),
            // A pipe must receive nothing but the result.
            Self::File(path) if fs::metadata(path).is_ok_and(|there| !there.is_file()) => Ok(()),
            Self::File(path) => Ok(pdb_gen::write_output(path, b"")?),
        }
    }

    /// Writes the result.
    pub(crate) fn write(&self, output: &mut impl Write, result: &[u8]) -> anyhow::Result<()> {
        match self {
            Self::Stdout => {
                output.write_all(result)?;
                // The format of a file may not end with a line end; a terminal needs one.
                if !result.ends_with(b"\n") {
                    writeln!(output)?;
                }
                Ok(())
            }
            Self::File(path) => Ok(interrupt::waiting(|| pdb_gen::write_output(path, result))?),
        }
    }
}

/// Displays a count with its digits in groups of three: 1,234,567.
pub(crate) fn count(count: u64) -> HumanCount {
    HumanCount(count)
}

/// Returns a count with its noun: "1 move", "2 moves".
pub(crate) fn counted(count: impl Into<u64>, noun: &str) -> String {
    let count = count.into();
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Displays a size in decimal units: 178.10 MB.
pub(crate) fn bytes(bytes: u64) -> Bytes {
    Bytes(bytes)
}

/// Returns a quantity of no unit, with a prefix: 254 M, 4.2 k.
pub(crate) fn metric(quantity: f64) -> String {
    tilebase_draw::metric(quantity, "").trim_end().to_owned()
}

/// Returns a time in a suitable unit: 12.34 s, 1.2 ms.
pub(crate) fn seconds(seconds: f64) -> String {
    if seconds < 0.1 { format!("{:.1} ms", seconds * 1e3) } else { format!("{seconds:.2} s") }
}
