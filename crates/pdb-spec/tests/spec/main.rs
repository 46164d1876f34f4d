//! Reading of drawings and goldens, and specs that are generated for any board.

mod errors;
mod generated;
mod specs;
