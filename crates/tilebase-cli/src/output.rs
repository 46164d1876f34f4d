//! Standard output, files in its place, and numbers for people.

use std::fmt;
use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::builder::{OsStringValueParser, TypedValueParser};
use pdb_core::excerpt::printable_text;
pub(crate) use pdb_core::numbers::grouped as count;
use pdb_gen::GenError;
use tilebase::shelf::Bytes;

use crate::failure::usage;
use crate::interrupt;

/// Standard output, buffered, as [`terminal_text`]: a pipe or a file often ends on a terminal, too.
pub(crate) type Output = BufWriter<Stdout>;

/// Standard output whose reader may leave early; further output is then dropped.
#[derive(Debug)]
pub(crate) struct Stdout {
    inner: io::Stdout,
    pub(crate) is_closed: bool,
}

/// Returns the standard output of this process.
pub(crate) fn stdout() -> Output {
    BufWriter::new(Stdout { inner: io::stdout(), is_closed: false })
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
        // Most text is plain, and long lists of boards are quick.
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
        if bytes.iter().all(is_plain) {
            let result = interrupt::waiting(|| self.inner.write(bytes));
            return self.tolerate(result, bytes.len());
        }
        // `BufWriter` never splits a text, so no character is split between two calls.
        let text = terminal_text(&String::from_utf8_lossy(bytes));
        let result = interrupt::waiting(|| self.inner.write_all(text.as_bytes()));
        self.tolerate(result.map(|()| bytes.len()), bytes.len())
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

/// Returns the name of a file as a part of a line of text.
pub(crate) fn shown(path: &Path) -> String {
    printable_text(&path.to_string_lossy())
}

/// Prints a line on standard error as [`terminal_text`]; ignores a failure to do so.
pub(crate) fn error_line(text: impl fmt::Display) {
    let text = terminal_text(&text.to_string());
    let _ = interrupt::waiting(|| writeln!(io::stderr(), "{text}"));
}

/// Destination of a result.
#[derive(Clone, Debug)]
pub(crate) struct OutputTarget {
    /// The option that names the destination.
    pub(crate) option: &'static str,
    /// `None` for standard output, which is named `-` or `/dev/stdout`.
    pub(crate) file: Option<PathBuf>,
}

/// Returns the parser of an option that names the destination of a result.
pub(crate) fn target(option: &'static str) -> impl TypedValueParser<Value = OutputTarget> {
    OsStringValueParser::new().map(move |name| {
        let is_stdout = name == "-" || name == "/dev/stdout";
        OutputTarget { option, file: (!is_stdout).then(|| name.into()) }
    })
}

impl OutputTarget {
    /// Returns a destination that is never standard output.
    pub(crate) fn file(option: &'static str, path: &Path) -> Self {
        Self { option, file: Some(path.to_owned()) }
    }

    /// Returns the name of a file and its size, such as "board.svg: 4.10 kB"; `None` for standard
    /// output.
    #[cfg(any(feature = "model", feature = "pictures"))]
    pub(crate) fn note(&self, byte_count: usize) -> Option<String> {
        let path = self.file.as_ref()?;
        Some(format!("{}: {}", shown(path), bytes(byte_count as u64)))
    }

    /// Refuses to replace a table.
    pub(crate) fn check_is_no_table(&self) -> anyhow::Result<()> {
        let target = self.file.as_ref().and_then(|path| fs::canonicalize(path).ok());
        let is_table = target.is_some_and(|path| path.extension().is_some_and(|end| end == "pdb"));
        match &self.file {
            Some(path) if is_table => Err(usage(format_args!(
                "{} is a table, which a result would replace: name another file",
                shown(path)
            ))),
            _ => Ok(()),
        }
    }

    /// Checks before the work that the result can be written. An existing file stays until then.
    pub(crate) fn prepare(&self) -> anyhow::Result<()> {
        self.check_is_no_table()?;
        match &self.file {
            None => Ok(()),
            Some(path) if path.is_dir() => Err(usage(format!(
                "cannot write a result to {}: expected a file, found a folder; name a file, or - for \
                 standard output",
                shown(path)
            ))),
            Some(path) => {
                pdb_gen::check_output(path).map_err(|error| naming_option(self.option, path, error))
            }
        }
    }

    /// Writes the result.
    pub(crate) fn write(&self, output: &mut impl Write, result: &[u8]) -> anyhow::Result<()> {
        match &self.file {
            None => {
                output.write_all(result)?;
                // The format of a file may not end with a line end; a terminal needs one.
                if !result.ends_with(b"\n") {
                    writeln!(output)?;
                }
                Ok(())
            }
            Some(path) => interrupt::waiting(|| pdb_gen::write_output(path, result))
                .map_err(|error| naming_option(self.option, path, error)),
        }
    }
}

/// Names the option of the file or folder `path`, if that cannot be written. The command writes to
/// other places, too.
pub(crate) fn naming_option(
    option: &str,
    path: &Path,
    error: impl Into<anyhow::Error>,
) -> anyhow::Error {
    let error = error.into();
    let failed = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(tilebase::Error::Build(error)) => Some(error),
        _ => cause.downcast_ref::<GenError>(),
    });
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    match failed {
        Some(GenError::Io { path: place, source, .. }) if place.starts_with(folder) => {
            anyhow!("cannot write {}: {source}; choose another place with {option}", shown(path))
        }
        _ => error,
    }
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

/// Returns a time in a suitable unit: 12.34 s, 1.2 ms.
pub(crate) fn seconds(seconds: f64) -> String {
    if seconds < 0.1 { format!("{:.1} ms", seconds * 1e3) } else { format!("{seconds:.2} s") }
}
