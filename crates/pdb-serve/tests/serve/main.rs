//! The server as its clients see it: a real one in this process, asked over connections.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod about;
mod boards;
mod builds;
mod described;
mod description;
mod disk;
mod docs;
mod examples;
mod films;
mod hostile;
mod page;
mod specs;
mod support;
