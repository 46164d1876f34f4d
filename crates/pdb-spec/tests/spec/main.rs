//! Drawings and goldens as they are read, and the specs that are made for any board.

mod errors;
mod generated;
mod specs;
