//! The game in a terminal, played by keys.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, waitpid};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use super::terminal::terminal;
use super::{Running, TestFolder};

/// Time limit of all waits, long enough for slow machines.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running game and the output to its terminal.
struct Game {
    child: Running,
    keys: File,
    side: File,
    bytes: Receiver<Vec<u8>>,
    text: String,
    _place: TestFolder,
}

impl Game {
    fn new(arguments: &[&str]) -> Self {
        let place = TestFolder::new();
        let (side, reader): (File, OwnedFd) = terminal(80);
        let mut command = place.command(&[&["play"], arguments].concat());
        command.env("TERM", "xterm").env("LANG", "C.UTF-8");
        command.stdin(side.try_clone().unwrap()).stdout(side.try_clone().unwrap());
        let child = Running::new(&mut command);
        let keys = File::from(reader);
        let mut reader = keys.try_clone().unwrap();
        let (sender, bytes) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { child, keys, side, bytes, text: String::new(), _place: place }
    }

    /// Waits until the terminal has received a text after the previous one.
    fn wait_for(&mut self, wanted: &str) {
        let begun = Instant::now();
        while !self.text.contains(wanted) {
            assert!(begun.elapsed() < PATIENCE, "{wanted:?} in {:?}", self.text);
            if let Ok(bytes) = self.bytes.recv_timeout(Duration::from_millis(50)) {
                self.text.push_str(&String::from_utf8_lossy(&bytes));
            }
        }
        let end = self.text.find(wanted).unwrap() + wanted.len();
        self.text.drain(..end);
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    fn resize(&self, columns: u16, rows: u16) {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&self.side, size).unwrap();
        // A terminal signals the processes that it controls; this terminal has none.
        self.child.send(Signal::WINCH);
    }

    /// Returns whether the terminal is in its usual mode: lines, echo and signals from keys.
    fn is_usual(&self) -> bool {
        let usual = LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        tcgetattr(&self.side).unwrap().local_modes.contains(usual)
    }

    /// Waits for the end. The terminal must be restored.
    fn ends_with(mut self, code: i32) {
        // The cursor is visible, and the alternate screen is closed.
        self.wait_for("\u{1b}[?25h");
        self.wait_for("\u{1b}[?1049l");
        assert_eq!(self.child.wait().unwrap().code(), Some(code));
        assert!(self.is_usual());
    }
}

#[test]
fn keys_move_tiles_and_quit_restores_the_terminal() {
    let mut game = Game::new(&["1 2 3/4 5 6/0 7 8", "--spec", "manhattan"]);
    assert!(game.is_usual());
    game.wait_for("\u{1b}[?1049h");
    game.wait_for("3x3  blank-last");
    game.wait_for("shortest");
    assert!(!game.is_usual());
    game.press("\u{1b}[D");
    game.press("h");
    game.wait_for("Solved: 2 moves");
    game.press("q");
    game.ends_with(0);
}

#[test]
fn interrupt_and_signal_restore_the_terminal() {
    let mut game = Game::new(&["--seed", "1"]);
    // Unchanged cells are not sent again, so words come one by one.
    game.wait_for("15/7-8");
    // A running search does not delay the keys.
    game.press("o");
    game.wait_for("Esc");
    game.press("\u{3}");
    game.ends_with(130);
    let mut game = Game::new(&["--seed", "1"]);
    game.wait_for("15/7-8");
    game.child.send(Signal::TERM);
    game.ends_with(130);
}

#[test]
fn resized_window_shows_the_game_or_the_size_that_it_needs() {
    let mut game = Game::new(&["1 2 3/4 5 6/0 7 8", "--spec", "manhattan"]);
    game.wait_for("shortest");
    game.resize(50, 15);
    game.wait_for("┌────┬────┬────┐");
    game.resize(40, 2);
    game.wait_for("small:");
    game.resize(80, 24);
    game.wait_for("shortest");
    // The screen may be drawn again before the program handles the change of size. If a key arrives
    // together with the change, crossterm returns the change first and the key only with the next
    // input.
    game.press("q");
    thread::sleep(Duration::from_millis(200));
    game.press("q");
    game.ends_with(0);
}

#[test]
fn suspended_game_restores_the_terminal_until_it_resumes() {
    let mut game = Game::new(&["1 2 3/4 5 6/0 7 8", "--spec", "manhattan"]);
    game.wait_for("shortest");
    game.press("h\u{1a}");
    game.wait_for("\u{1b}[?1049l");
    let pid = Pid::from_child(&game.child);
    let stopped = waitpid(Some(pid), WaitOptions::UNTRACED).unwrap().unwrap().1;
    assert!(stopped.stopped() && game.is_usual());
    game.child.send(Signal::CONT);
    game.wait_for("\u{1b}[?1049h");
    game.wait_for("shortest");
    assert!(!game.is_usual());
    game.press("h");
    game.wait_for("Solved: 2 moves");
    game.press("q");
    game.ends_with(0);
}

#[test]
fn play_without_a_terminal_is_wrong_usage() {
    let run = TestFolder::new().run(&["play"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.starts_with("error: play needs a terminal, and standard input is not one"));
}
