//! The log of a program.

use std::fs::File;
use std::io::{self, Read};
use std::mem;
use std::path::Path;

use pdb_core::excerpt::printable_text;

use super::program::{LogState, SolverProgram};

pub(super) const LOG_BYTES_MAX: u64 = 32 << 20;
const CHUNK_BYTES: usize = 64 << 10;
/// Number of lines that an error quotes from each end of a log.
const QUOTED_LINES: usize = 3;
/// Longest quoted part of a line, in characters.
const QUOTED_CHARS_MAX: usize = 300;

/// The log of a program, read while it grows.
pub(in super::super) struct Log {
    file: File,
    program: &'static SolverProgram,
    pub(in super::super) state: LogState,
    pub(super) bytes: u64,
    /// The last line, as long as its end is missing.
    partial_line: Vec<u8>,
    /// The first and the last lines that are not empty.
    lines: Vec<String>,
    /// Whether lines between the first and the last ones were dropped.
    is_shortened: bool,
}

impl Log {
    /// Creates an empty log file. Also returns the file that the program writes to.
    pub(in super::super) fn create(
        path: &Path,
        program: &'static SolverProgram,
    ) -> io::Result<(Self, File)> {
        let output = File::options().append(true).create_new(true).open(path)?;
        let log = Self {
            file: File::open(path)?,
            program,
            state: LogState::default(),
            bytes: 0,
            partial_line: Vec::new(),
            lines: Vec::new(),
            is_shortened: false,
        };
        Ok((log, output))
    }

    /// Reads what was added since the last call.
    pub(in super::super) fn read(&mut self) -> io::Result<()> {
        let mut chunk = vec![0; CHUNK_BYTES];
        while self.bytes <= LOG_BYTES_MAX {
            let count = match self.file.read(&mut chunk)? {
                0 => break,
                count => count,
            };
            self.bytes += count as u64;
            for part in chunk[..count].split_inclusive(|&byte| byte == b'\n') {
                // Longer lines are cut: no report is that long.
                if self.partial_line.len() < CHUNK_BYTES {
                    self.partial_line.extend(part);
                }
                if part.ends_with(b"\n") {
                    let line = mem::take(&mut self.partial_line);
                    self.add_line(String::from_utf8_lossy(&line).trim_end());
                }
            }
        }
        Ok(())
    }

    fn add_line(&mut self, line: &str) {
        (self.program.line)(line, &mut self.state);
        if !line.is_empty() {
            if self.lines.len() == 2 * QUOTED_LINES {
                self.lines.remove(QUOTED_LINES);
                self.is_shortened = true;
            }
            self.lines.push(line.chars().take(QUOTED_CHARS_MAX).collect());
        }
    }

    /// Returns the first and the last lines for an error, after a semicolon; nothing for an empty
    /// log.
    pub(super) fn quote(&self) -> String {
        let partial_line = String::from_utf8_lossy(&self.partial_line);
        let mut lines = self.lines.clone();
        if self.is_shortened {
            lines.insert(QUOTED_LINES, "..".to_owned());
        }
        lines.push(partial_line.trim().chars().take(QUOTED_CHARS_MAX).collect());
        lines.retain(|line| !line.is_empty());
        if lines.is_empty() {
            return String::new();
        }
        // The log may contain escape sequences, and the error goes to a terminal.
        format!("; it printed: {}", printable_text(&lines.join(" / ")))
    }
}
