//! The game in the terminal.
//!
//! `app` is the state and what changes it, `draw` is what it looks like: neither knows a terminal,
//! a clock or a thread. Here is the loop that does: keys and workers send events, the state answers
//! with commands.

mod app;
mod draw;
mod layout;
mod screen;
#[cfg(test)]
mod tests;
mod workers;

use std::iter;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

use anyhow::{Context, bail};
use crossterm::event::{self, Event as Input, KeyEventKind, MouseButton, MouseEventKind};
#[cfg(unix)]
use signal_hook::{consts::SIGTSTP, low_level::emulate_default_handler};
use tilebase::names::GoalChoice;
use tilebase::{Builder, Game};

use self::app::{App, GameCommand, GameEvent, Quit};
use self::screen::{Drawer, Screen};
use self::workers::Workers;
use crate::interrupt;

pub(crate) use self::app::{GameStyle, random_board};

const UNUSABLE: &str = "cannot use the terminal";

/// Settings of the game.
#[derive(Debug)]
pub(crate) struct Setting {
    /// The first game.
    pub(crate) game: Game,
    /// The goal of later boards.
    pub(crate) goal: GoalChoice,
    /// The builder of handles for searches, without a watcher.
    pub(crate) builder: Builder,
    /// Seed of later random boards.
    pub(crate) seed: u64,
    pub(crate) style: GameStyle,
}

/// Plays in the terminal until the player ends the game. Returns the last state of the game.
pub(crate) fn play(setting: Setting) -> anyhow::Result<Game> {
    let Setting { game, goal, builder, seed, style } = setting;
    let (app, commands) = App::new(game, goal, seed, style);
    let (sender, events) = channel();
    let workers = Workers::new(builder, sender.clone());
    let (screen, drawer) = (None, Drawer::default());
    let mut session = Session { app, workers, screen, drawer, begun: Instant::now() };
    let result = session.all(commands, &sender, &events);
    // The terminal is restored before waiting for a build.
    drop(session.screen);
    session.workers.end();
    result?;
    Ok(session.app.game)
}

struct Session {
    app: App,
    workers: Workers,
    screen: Option<Screen>,
    drawer: Drawer,
    begun: Instant,
}

impl Session {
    /// Runs the game from taking the terminal to its end.
    fn all(
        &mut self,
        commands: Vec<GameCommand>,
        sender: &Sender<GameEvent>,
        events: &Receiver<GameEvent>,
    ) -> anyhow::Result<()> {
        self.screen = Some(Screen::take().context(UNUSABLE)?);
        listen(sender.clone())?;
        for command in commands {
            let _ = self.obey(command)?;
        }
        loop {
            // The panic hook has restored the terminal for its message.
            if screen::has_panicked() {
                bail!("a part of the program has failed; the message is above");
            }
            self.app.tick(self.begun.elapsed());
            let draw = |frame: &mut _| draw::draw(&self.app, frame);
            let area = self.drawer.draw(draw).context(UNUSABLE)?;
            self.app.window = (area.width, area.height);
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
            // Pending events are handled before the next frame.
            for event in iter::once(first).chain(events.try_iter()) {
                for command in self.app.update(event) {
                    if self.obey(command)?.is_break() {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Obeys a command; breaks at the end of the game.
    fn obey(&mut self, command: GameCommand) -> anyhow::Result<ControlFlow<()>> {
        match command {
            GameCommand::Search(order) => self.workers.search(order)?,
            GameCommand::Cancel(kind) => self.workers.cancel(kind),
            GameCommand::Look(goal) => self.workers.look(goal)?,
            GameCommand::Build(goal) => self.workers.build(goal)?,
            GameCommand::StopBuild => self.workers.stop_build(),
            GameCommand::Suspend => {
                self.screen = None;
                // The program continues here when the shell resumes it. Windows has no such shells.
                #[cfg(unix)]
                emulate_default_handler(SIGTSTP).context("cannot suspend")?;
                self.screen = Some(Screen::take().context(UNUSABLE)?);
                self.drawer.clear();
            }
            GameCommand::Redraw => self.drawer.clear(),
            GameCommand::Quit(quit) => {
                match quit {
                    Quit::Player => (),
                    Quit::Interrupt => interrupt::cancel().cancel(),
                    Quit::NoInput(problem) => bail!("cannot read keys: {problem}"),
                }
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Sends the player's input from a separate thread, because waiting for keys cannot be cancelled.
fn listen(sender: Sender<GameEvent>) -> anyhow::Result<()> {
    let listen = move || {
        loop {
            let event = match event::read() {
                Ok(Input::Key(key)) if key.kind != KeyEventKind::Release => GameEvent::Key(key),
                Ok(Input::Mouse(mouse))
                    if mouse.kind == MouseEventKind::Down(MouseButton::Left) =>
                {
                    GameEvent::Click { column: mouse.column, row: mouse.row }
                }
                Ok(Input::Resize(..)) => GameEvent::Resize,
                Ok(_) => continue,
                Err(error) => GameEvent::NoInput(error.to_string()),
            };
            let is_end = matches!(event, GameEvent::NoInput(_));
            if sender.send(event).is_err() || is_end {
                return;
            }
        }
    };
    pdb_core::thread_builder()
        .name("keys".into())
        .spawn(listen)
        .context("cannot listen to keys")?;
    Ok(())
}
