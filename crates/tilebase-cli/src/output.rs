//! Standard output, files in its place, and numbers as people read them.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stdout, Write};
use std::path::PathBuf;

use indicatif::HumanCount;
use pdb_core::notation::printable_text;
use tilebase::Bytes;

use crate::failure::{text, usage};
use crate::interrupt;

/// Standard output, buffered. A reader that leaves early is no error: what would have gone to it is
/// dropped, and [`is_closed`](Self::is_closed) tells so. A terminal gets [`terminal_text`]; a pipe or a
/// file gets the bytes unchanged, because programs read names from it.
#[derive(Debug)]
pub(crate) struct Output(BufWriter<Tolerant>);

#[derive(Debug)]
struct Tolerant {
    stdout: Stdout,
    is_terminal: bool,
    is_closed: bool,
}

impl Output {
    pub(crate) fn stdout() -> Self {
        let stdout = io::stdout();
        let is_terminal = stdout.is_terminal();
        Self(BufWriter::new(Tolerant { stdout, is_terminal, is_closed: false }))
    }

    /// Whether the reader has left.
    pub(crate) fn is_closed(&self) -> bool {
        self.0.get_ref().is_closed
    }
}

impl Tolerant {
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

impl Write for Tolerant {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_closed {
            return Ok(bytes.len());
        }
        if self.is_terminal {
            // `BufWriter` never splits a text, so no character is split between two calls.
            let text = terminal_text(&String::from_utf8_lossy(bytes));
            let result = interrupt::waiting(|| self.stdout.write_all(text.as_bytes()));
            return self.tolerate(result.map(|()| bytes.len()), bytes.len());
        }
        let result = interrupt::waiting(|| self.stdout.write(bytes));
        self.tolerate(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = interrupt::waiting(|| self.stdout.flush());
        self.tolerate(result, ())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Replaces characters that would control a terminal or be invisible on it. Line ends and tabs stay.
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

/// Prints an error on standard error.
pub(crate) fn report(error: &anyhow::Error) {
    error_line(format_args!("error: {}", text(error)));
}

/// Where a result goes that was asked for: a file, or standard output, which is called `-` or
/// `/dev/stdout`.
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
    /// Finds out whether the result can be written, which is better known before the work is done. An
    /// empty file says that it is not.
    pub(crate) fn prepare(&self) -> anyhow::Result<()> {
        match self {
            Self::Stdout => Ok(()),
            Self::File(path) if path.is_dir() => Err(usage(format!(
                "cannot write a result to {}: expected a file, found a folder; name a file, or - for \
                 standard output",
                path.display()
            ))),
            // Whoever reads from a pipe gets one result.
            Self::File(path) if fs::metadata(path).is_ok_and(|there| !there.is_file()) => Ok(()),
            Self::File(path) => Ok(pdb_gen::write_output(path, b"")?),
        }
    }

    /// Writes the result.
    pub(crate) fn write(&self, output: &mut Output, result: &[u8]) -> anyhow::Result<()> {
        match self {
            Self::Stdout => {
                output.write_all(result)?;
                // Files end as their format does, lines of a terminal by a line end.
                if !result.ends_with(b"\n") {
                    writeln!(output)?;
                }
                Ok(())
            }
            Self::File(path) => Ok(interrupt::waiting(|| pdb_gen::write_output(path, result))?),
        }
    }
}

/// A count with its digits in groups of three: 1,234,567.
pub(crate) fn count(count: u64) -> HumanCount {
    HumanCount(count)
}

/// A size in decimal units: 178.10 MB.
pub(crate) fn bytes(bytes: u64) -> Bytes {
    Bytes(bytes)
}

/// A quantity with three or more digits before its unit prefix: 254 M.
pub(crate) fn metric(quantity: f64) -> String {
    let (divisor, prefix) = match quantity {
        1e9.. => (1e9, " G"),
        1e6.. => (1e6, " M"),
        1e3.. => (1e3, " k"),
        _ => (1.0, ""),
    };
    let scaled = quantity / divisor;
    let decimals = usize::from(scaled < 10.0 && divisor > 1.0);
    format!("{scaled:.decimals$}{prefix}")
}

/// A time with as many digits as it is good for: 12.34 s, 1.2 ms.
pub(crate) fn seconds(seconds: f64) -> String {
    if seconds < 0.1 { format!("{:.1} ms", seconds * 1e3) } else { format!("{seconds:.2} s") }
}
