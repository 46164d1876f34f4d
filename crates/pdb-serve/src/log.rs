//! Lines for programs on standard error, one for each request.
//!
//! Whoever reads them may be slow, or have stopped to read: no answer waits for that.

use std::io::Write;
use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, Sender, bounded};
use serde::Serialize;
use tilebase::Error;

/// So many lines wait for a slow reader before new ones are left out.
const WAITING: usize = 4096;

/// What the thread is sent that writes.
enum Entry {
    Line(Vec<u8>),
    /// Somebody wants to know when all before this is written.
    Tell(Sender<()>),
}

/// The log.
#[derive(Debug)]
pub(crate) struct Log(Sender<Entry>);

impl Log {
    /// # Errors
    /// What the system says where it starts no more threads.
    pub(crate) fn open() -> Result<Self, Error> {
        Self::to(std::io::stderr())
    }

    fn to(output: impl Write + Send + 'static) -> Result<Self, Error> {
        let (entries, waiting) = bounded(WAITING);
        let work = move || write(&waiting, output);
        let spawned = thread::Builder::new().name("log".into()).spawn(work);
        spawned.map_err(|source| Error::Threads { source })?;
        Ok(Self(entries))
    }

    /// Writes a line, unless too many wait.
    pub(crate) fn line(&self, line: &impl Serialize) {
        if let Ok(mut text) = serde_json::to_vec(line) {
            text.push(b'\n');
            let _ = self.0.try_send(Entry::Line(text));
        }
    }

    /// Waits until all lines are written, but not longer than this.
    pub(crate) fn finish(&self, patience: Duration) {
        let (tell, told) = bounded(1);
        if self.0.send_timeout(Entry::Tell(tell), patience).is_ok() {
            let _ = told.recv_timeout(patience);
        }
    }
}

fn write(entries: &Receiver<Entry>, mut output: impl Write) {
    for entry in entries {
        match entry {
            // One call, so that lines stay whole. A log that nobody can write stops nothing.
            Entry::Line(text) => drop(output.write_all(&text)),
            Entry::Tell(tell) => drop(tell.send(())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// Takes nothing before it may, and then sends on what it takes.
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
    fn a_reader_who_has_stopped_holds_nobody_up_and_reads_whole_lines_later() {
        let (goes_on, may_go_on) = bounded(0);
        let (sender, written) = crossbeam::channel::unbounded();
        let log = Log::to(Slow(may_go_on, sender)).expect("there is a thread");
        for number in 0..3 * WAITING {
            log.line(&number);
        }
        log.finish(Duration::from_millis(10));
        assert!(written.is_empty());
        drop(goes_on);
        log.finish(Duration::from_mins(1));
        let lines: Vec<Vec<u8>> = written.try_iter().collect();
        assert!((WAITING..=WAITING + 1).contains(&lines.len()), "{}", lines.len());
        for (number, line) in lines[..WAITING].iter().enumerate() {
            assert_eq!(*line, format!("{number}\n").into_bytes());
        }
        // When the thread took the first one, there was room for one more: whichever came then.
        for line in &lines[WAITING..] {
            let line = String::from_utf8(line.clone()).expect("a line is text");
            let number: usize =
                line.strip_suffix('\n').and_then(|line| line.parse().ok()).expect(&line);
            assert!((WAITING..3 * WAITING).contains(&number), "{number}");
        }
    }
}
