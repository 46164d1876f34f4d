//! Networks that estimate distances of sliding-tile puzzles: read, checked and evaluated.
//!
//! A [`Weights`] is read from a safetensors file of any origin; a [`Network`] is made of it and
//! estimates boards, in floating-point numbers or in eight-bit whole numbers. [`Learned`] is a
//! network as a heuristic for searches. This module opens no file, and it does not train.
//!
//! ```
//! use pdb_core::Board;
//! use pdb_lab::networks::{Network, Weights, shipped};
//!
//! let network = Network::new(&Weights::read(shipped("8").expect("it is compiled in"))?);
//! let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
//! assert!((network.output(&board) - 31.0).abs() < 3.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Read next: [`Weights`], then [`Network`]; `docs/neural.md` describes the format and the quality
//! of networks.

mod error;
mod file;
mod layers;
mod learned;
mod network;
mod shipped;
mod weights;

pub use error::NetError;
pub use file::FILE_BYTES_MAX;
pub use learned::Learned;
pub use network::Network;
pub use shipped::{SHIPPED, shipped};
pub use weights::{Layer, SHIFT_MOVES, Shift, Weights};
