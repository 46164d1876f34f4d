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
    Clear, ClearType as Cleared, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui_core::backend::{Backend, ClearType, WindowSize};
use ratatui_core::buffer::Cell;
use ratatui_core::layout::{Position, Size};
use ratatui_core::style::{Color, Modifier};

/// Reports presses of mouse buttons, but no movements.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1000l";
/// Size of a terminal that does not report it.
const USUAL: Size = Size { width: 80, height: 24 };

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
        execute!(io::stdout(), EnterAlternateScreen, Hide, Print(MOUSE_ON), Clear(Cleared::All))?;
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

/// Draws cells on standard output, as long as the terminal is taken.
#[derive(Debug, Default)]
pub(super) struct Drawer {
    out: Vec<u8>,
    cursor: Position,
}

impl Backend for Drawer {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut next = None;
        let mut shown = (Color::Reset, Modifier::empty());
        for (x, y, cell) in content {
            if next != Some((x, y)) {
                queue!(self.out, MoveTo(x, y))?;
            }
            next = Some((x + 1, y));
            let wanted = (cell.fg, cell.modifier);
            if wanted != shown {
                queue!(self.out, SetAttribute(Attribute::Reset))?;
                if cell.modifier.contains(Modifier::BOLD) {
                    queue!(self.out, SetAttribute(Attribute::Bold))?;
                }
                if cell.modifier.contains(Modifier::REVERSED) {
                    queue!(self.out, SetAttribute(Attribute::Reverse))?;
                }
                if cell.fg == Color::Green {
                    queue!(self.out, SetForegroundColor(TerminalColor::DarkGreen))?;
                }
                shown = wanted;
            }
            queue!(self.out, Print(cell.symbol()))?;
        }
        // An unchanged frame sends nothing.
        if next.is_some() { queue!(self.out, SetAttribute(Attribute::Reset)) } else { Ok(()) }
    }

    // The cursor is hidden while the terminal is taken.
    fn hide_cursor(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        queue!(self.out, Show)
    }

    // The terminal's answer to a query would arrive among the keys.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.cursor)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.cursor = position.into();
        queue!(self.out, MoveTo(self.cursor.x, self.cursor.y))
    }

    fn clear(&mut self) -> io::Result<()> {
        queue!(self.out, Clear(Cleared::All))
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        queue!(
            self.out,
            Clear(match region {
                ClearType::All => Cleared::All,
                ClearType::AfterCursor => Cleared::FromCursorDown,
                ClearType::BeforeCursor => Cleared::FromCursorUp,
                ClearType::CurrentLine => Cleared::CurrentLine,
                ClearType::UntilNewLine => Cleared::UntilNewLine,
            })
        )
    }

    fn size(&self) -> io::Result<Size> {
        let size = terminal_size::terminal_size_of(io::stdout());
        let size = size.map(|(width, height)| Size { width: width.0, height: height.0 });
        Ok(size.filter(|size| size.width > 0 && size.height > 0).unwrap_or(USUAL))
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::ZERO })
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if IS_TAKEN.load(Ordering::SeqCst) {
            out.write_all(&self.out)?;
            out.flush()?;
        }
        self.out.clear();
        Ok(())
    }
}
