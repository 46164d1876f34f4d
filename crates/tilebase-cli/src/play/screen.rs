//! The terminal: taken, drawn on, and restored.

use std::io::{self, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::style::{
    Attribute, Color as TerminalColor, Print, ResetColor, SetAttribute, SetForegroundColor,
};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::layout::Rect;
use ratatui_core::style::{Color, Modifier};

/// Reports presses of mouse buttons, but no movements.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1000l";
/// Size of a terminal that does not report it.
const USUAL: Rect = Rect::new(0, 0, 80, 24);

/// Whether the terminal is taken.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether a thread of this program has panicked.
static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

/// The terminal while it is taken; it is given back when this is dropped, and before the message of
/// a panic.
#[derive(Debug)]
pub(super) struct Screen;

impl Screen {
    /// Takes the terminal.
    pub(super) fn take() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                HAS_PANICKED.store(true, Ordering::SeqCst);
                give_back();
                before(info);
            }));
        });
        enable_raw_mode()?;
        IS_TAKEN.store(true, Ordering::SeqCst);
        let screen = Self;
        execute!(io::stdout(), EnterAlternateScreen, Hide, Print(MOUSE_ON), Clear(ClearType::All))?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Returns whether a thread of the program has panicked.
pub(super) fn has_panicked() -> bool {
    HAS_PANICKED.load(Ordering::SeqCst)
}

/// Restores the terminal, once. Failures are ignored.
fn give_back() {
    // The lock keeps other threads from drawing. A thread that panics while it draws
    // may lock twice.
    let mut out = io::stdout().lock();
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(out, Print(MOUSE_OFF), ResetColor, Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

/// Draws frames on standard output, as long as the terminal is taken: the cells that have changed.
#[derive(Debug, Default)]
pub(super) struct Drawer {
    /// The cells on the screen.
    shown: Buffer,
}

impl Drawer {
    /// Draws a frame of the terminal's size, and returns its area.
    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Buffer)) -> io::Result<Rect> {
        let size = terminal_size::terminal_size_of(io::stdout());
        let size = size.map(|(width, height)| Rect::new(0, 0, width.0, height.0));
        let area = size.filter(|area| !area.is_empty()).unwrap_or(USUAL);
        let mut frame = Buffer::empty(area);
        draw(&mut frame);
        let mut output = Vec::new();
        if self.shown.area != area {
            queue!(output, Clear(ClearType::All))?;
            self.shown = Buffer::empty(area);
        }
        write_cells(&mut output, &self.shown.diff(&frame))?;
        self.shown = frame;
        let mut stdout = io::stdout().lock();
        if IS_TAKEN.load(Ordering::SeqCst) {
            stdout.write_all(&output)?;
            stdout.flush()?;
        }
        Ok(area)
    }

    /// Lets the next frame draw all cells, on an empty screen.
    pub(super) fn clear(&mut self) {
        self.shown = Buffer::default();
    }
}

/// Writes cells at their columns and rows. Without cells it writes nothing.
fn write_cells(output: &mut Vec<u8>, cells: &[(u16, u16, &Cell)]) -> io::Result<()> {
    let mut next = None;
    let mut style = (Color::Reset, Modifier::empty());
    for &(column, row, cell) in cells {
        if next != Some((column, row)) {
            queue!(output, MoveTo(column, row))?;
        }
        next = Some((column + 1, row));
        if style != (cell.fg, cell.modifier) {
            style = (cell.fg, cell.modifier);
            queue!(output, SetAttribute(Attribute::Reset))?;
            if cell.modifier.contains(Modifier::BOLD) {
                queue!(output, SetAttribute(Attribute::Bold))?;
            }
            if cell.modifier.contains(Modifier::REVERSED) {
                queue!(output, SetAttribute(Attribute::Reverse))?;
            }
            if cell.fg == Color::Green {
                queue!(output, SetForegroundColor(TerminalColor::DarkGreen))?;
            }
        }
        queue!(output, Print(cell.symbol()))?;
    }
    if next.is_some() { queue!(output, SetAttribute(Attribute::Reset)) } else { Ok(()) }
}
