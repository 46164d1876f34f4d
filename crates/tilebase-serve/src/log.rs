//! Log on standard error: one JSON line for each request.
//!
//! Responses never wait for a slow reader of the log.

use std::io::Write;
use std::time::Duration;

use crossbeam::channel::{Receiver, Sender, bounded};
use serde::Serialize;
use tilebase::Error;

/// Number of lines that wait for a slow reader. Further lines are dropped.
const QUEUE_CAPACITY: usize = 4096;

/// Message to the writing thread.
enum LogMessage {
    Line(Vec<u8>),
    /// Request to confirm that all earlier lines are written.
    Flush(Sender<()>),
}

/// The log, written by a thread of its own.
#[derive(Debug)]
pub(crate) struct Log(Sender<LogMessage>);

impl Log {
    /// # Errors
    /// The system's error if the thread cannot start.
    pub(crate) fn open() -> Result<Self, Error> {
        Self::to(std::io::stderr())
    }

    fn to(output: impl Write + Send + 'static) -> Result<Self, Error> {
        let (entries, waiting) = bounded(QUEUE_CAPACITY);
        let work = move || write(&waiting, output);
        let spawned = pdb_core::thread_builder().name("log".into()).spawn(work);
        spawned.map_err(|source| Error::Threads { source })?;
        Ok(Self(entries))
    }

    /// Writes a line, unless the queue is full.
    pub(crate) fn line(&self, line: &impl Serialize) {
        if let Ok(mut text) = serde_json::to_vec(line) {
            text.push(b'\n');
            let _ = self.0.try_send(LogMessage::Line(text));
        }
    }

    /// Waits until all lines are written, but at most `patience`.
    pub(crate) fn finish(&self, patience: Duration) {
        let (sender, receiver) = bounded(1);
        if self.0.send_timeout(LogMessage::Flush(sender), patience).is_ok() {
            let _ = receiver.recv_timeout(patience);
        }
    }
}

fn write(entries: &Receiver<LogMessage>, mut output: impl Write) {
    for entry in entries {
        match entry {
            // A single call keeps the line whole. Errors of the log are ignored.
            LogMessage::Line(text) => drop(output.write_all(&text)),
            LogMessage::Flush(sender) => drop(sender.send(())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// Output that blocks until its channel is closed, then forwards the bytes.
    struct Slow(Receiver<()>, Sender<Vec<u8>>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            self.1.send(bytes.to_vec()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn drops_lines_for_a_blocked_reader_and_writes_whole_lines_later() {
        let (unblock, blocked) = bounded(0);
        let (sender, written) = crossbeam::channel::unbounded();
        let log = Log::to(Slow(blocked, sender)).expect("there is a thread");
        for number in 0..3 * QUEUE_CAPACITY {
            log.line(&number);
        }
        log.finish(Duration::from_millis(10));
        assert!(written.is_empty());
        drop(unblock);
        log.finish(Duration::from_mins(1));
        let lines: Vec<Vec<u8>> = written.try_iter().collect();
        assert!((QUEUE_CAPACITY..=QUEUE_CAPACITY + 1).contains(&lines.len()), "{}", lines.len());
        for (number, line) in lines[..QUEUE_CAPACITY].iter().enumerate() {
            assert_eq!(*line, format!("{number}\n").into_bytes());
        }
        // The thread had taken one line, so there was room for one more, of any number.
        for line in &lines[QUEUE_CAPACITY..] {
            let line = String::from_utf8(line.clone()).expect("a line is text");
            let number: usize =
                line.strip_suffix('\n').and_then(|line| line.parse().ok()).expect(&line);
            assert!((QUEUE_CAPACITY..3 * QUEUE_CAPACITY).contains(&number), "{number}");
        }
    }
}
