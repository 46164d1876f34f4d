//! The game in the terminal.
//!
//! `app` is the state and what changes it, `draw` is what it looks like: neither knows a terminal, a
//! clock or a thread. Here is the loop that does: keys and workers send events, the state answers with
//! commands.

mod app;
mod draw;
mod layout;
mod screen;
#[cfg(test)]
mod tests;
mod workers;

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Instant;

use anyhow::Context;
use crossterm::event::{self, Event as Input, KeyEventKind, MouseButton, MouseEventKind};
use ratatui_core::terminal::Terminal;
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level::emulate_default_handler;
use tilebase::{Builder, Game, GoalChoice};

use self::app::{App, Command, Event, Style};
use self::screen::{Drawer, Screen};
use self::workers::Workers;
use crate::interrupt;

/// What is to be played, and how.
#[derive(Debug)]
pub(crate) struct Setting {
    /// The first game.
    pub(crate) game: Game,
    /// The goal of boards to come.
    pub(crate) goal: GoalChoice,
    /// What boards are searched with. It tells nobody anything.
    pub(crate) builder: Builder,
    /// What boards to come depend on.
    pub(crate) seed: u64,
    /// Keys name the direction of the blank.
    pub(crate) of_blank: bool,
    /// Whether the terminal shows colours.
    pub(crate) has_colours: bool,
    /// Whether it shows characters beyond ASCII.
    pub(crate) has_lines: bool,
}

/// Plays in the terminal until the player ends it; tells the game as it was left.
pub(crate) fn play(setting: Setting) -> anyhow::Result<Game> {
    let Setting { game, goal, builder, seed, of_blank, has_colours, has_lines } = setting;
    let style = Style { of_blank, has_colours, has_lines };
    let (app, commands) = App::new(game, goal, seed, style);
    let (sender, events) = channel();
    let workers = Workers::new(builder, sender.clone())?;
    let mut run = Run { app, workers, screen: None, begun: Instant::now() };
    let result = run.all(commands, &sender, &events);
    // Whoever waits for a build to end waits in the terminal as it was.
    drop(run.screen);
    run.workers.end();
    result?;
    Ok(run.app.game)
}

struct Run {
    app: App,
    workers: Workers,
    screen: Option<Screen>,
    begun: Instant,
}

impl Run {
    fn all(
        &mut self,
        commands: Vec<Command>,
        sender: &Sender<Event>,
        events: &std::sync::mpsc::Receiver<Event>,
    ) -> anyhow::Result<()> {
        let problem = "cannot use the terminal";
        self.screen = Some(Screen::take().context(problem)?);
        let mut terminal = Terminal::new(Drawer::new()).context(problem)?;
        listen(sender.clone())?;
        for command in commands {
            self.obey(command, &mut terminal)?;
        }
        loop {
            // The terminal was given back for the message.
            if screen::has_panicked() {
                anyhow::bail!("a part of the program has failed, as is said above");
            }
            self.app.tick(self.begun.elapsed());
            terminal.draw(|frame| draw::draw(&self.app, frame)).context(problem)?;
            let first = events.recv_timeout(self.app.wait());
            if interrupt::is_set() {
                return Ok(());
            }
            self.app.tick(self.begun.elapsed());
            let first = match first {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            // Whoever types faster than is drawn sees the last of it.
            for event in std::iter::once(first).chain(events.try_iter()) {
                if let Event::NoInput(problem) = &event {
                    anyhow::bail!("cannot read keys: {problem}");
                }
                for command in self.app.update(event) {
                    if let Command::Quit { is_interrupt } = command {
                        if is_interrupt {
                            interrupt::cancel().cancel();
                        }
                        return Ok(());
                    }
                    self.obey(command, &mut terminal)?;
                }
            }
        }
    }

    fn obey(&mut self, command: Command, terminal: &mut Terminal<Drawer>) -> anyhow::Result<()> {
        match command {
            Command::Search(order) => self.workers.search(order),
            Command::Cancel(kind) => self.workers.cancel(kind),
            Command::Look(goal) => self.workers.look(goal)?,
            Command::Build(goal) => self.workers.build(goal)?,
            Command::StopBuild => self.workers.stop_build(),
            Command::Suspend => {
                if let Some(screen) = &self.screen {
                    screen.pause();
                    // The program goes on here when the shell lets it.
                    emulate_default_handler(SIGTSTP).context("cannot suspend")?;
                    screen.again().context("cannot use the terminal")?;
                    terminal.clear().context("cannot use the terminal")?;
                }
            }
            Command::Redraw => terminal.clear().context("cannot use the terminal")?,
            Command::Quit { .. } => (),
        }
        Ok(())
    }
}

/// Sends what the player does, on a thread of its own: a wait for keys cannot be ended.
fn listen(sender: Sender<Event>) -> anyhow::Result<()> {
    let listen = move || {
        loop {
            let event = match event::read() {
                Ok(Input::Key(key)) if key.kind != KeyEventKind::Release => Event::Key(key),
                Ok(Input::Mouse(mouse))
                    if mouse.kind == MouseEventKind::Down(MouseButton::Left) =>
                {
                    Event::Click { column: mouse.column, row: mouse.row }
                }
                Ok(Input::Resize(..)) => Event::Resize,
                Ok(_) => continue,
                Err(error) => Event::NoInput(error.to_string()),
            };
            let is_end = matches!(event, Event::NoInput(_));
            if sender.send(event).is_err() || is_end {
                return;
            }
        }
    };
    thread::Builder::new().name("keys".into()).spawn(listen).context("cannot listen to keys")?;
    Ok(())
}
