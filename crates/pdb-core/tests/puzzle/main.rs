//! The puzzle's arithmetic, compared with simple definitions and the oracle.

mod board;
mod branching;
mod dual;
mod index;
mod numbers;
mod plain;
mod plan;
mod ranking;
mod region;
mod shape;
mod symmetry;
