//! What `tilebase solve` is made of: boards come in, a chooser finds what to search with, a pool
//! searches on all threads and gives the records out in the order of the boards.

mod boards;
mod chooser;
mod pool;
mod record;

pub(crate) use boards::{Job, Jobs, from_arguments, from_file};
pub(crate) use chooser::{Chooser, Engine, GoalChoice, Mode, SpecChoice};
pub(crate) use pool::{Settings, Totals, solve_all};
pub(crate) use record::{Format, Record, Style};
