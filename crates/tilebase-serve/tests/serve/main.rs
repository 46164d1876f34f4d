//! Tests of the server as clients see it: a real server in this process, over connections.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod about;
mod animations;
mod boards;
mod builds;
mod cache;
mod described;
mod description;
mod disk;
mod docs;
mod examples;
mod folder;
mod hostile;
mod page;
mod specs;
mod support;
