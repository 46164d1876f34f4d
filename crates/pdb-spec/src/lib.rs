//! Reader of specs: from drawn boards to checked plans of tables.
//!
//! A spec is TOML that draws the goal and, letter by letter, the pattern of each of its tiles.
//! [`Spec::parse`] checks the drawing and makes a [`pdb_core::Plan`] of it. A [`Golden`] beside it
//! holds the expected tables. This crate reads text and opens no file, and never touches a table's
//! bytes. [`specs_for`] has specs for every goal: shipped and [`generated`] ones.
//!
//! | key | meaning |
//! |---|---|
//! | `title` | one line that says what the spec is |
//! | `goal` | the goal, row by row; `.`, `_` or 0 for the blank |
//! | `kind` | `"additive"` (the default), `"plain"`, `"coloured"`, or `"walking-distance"` alone |
//! | `partition` | additive: the goal's board, each tile as the letter of its pattern, from `A` |
//! | `partitions` | additive: a list of further partitions; the largest sum counts |
//! | `blank` | additive: `"aware"` (the default) or `"collapsed"` |
//! | `pattern` | plain: the same board with `-` for each tile that is in no pattern |
//! | `patterns` | plain: a list of further drawings; the largest value of all patterns counts |
//! | `colouring`, `colourings` | coloured: the same board, each tile as the letter of its colour |
//! | `dual` | additive: goals and partitions for the duals of boards |
//! | `reflect` | whether mirror images are looked up too; by default wherever the board has them |
//!
//! ```
//! let spec = pdb_spec::Spec::parse(
//!     "8/4-4",
//!     r#"
//! title = "8-puzzle, 4-4 partition"
//! goal = """
//! 1 2 3
//! 4 5 6
//! 7 8 .
//! """
//! partition = """
//! A A A
//! A B B
//! B B .
//! """
//! "#,
//! )?;
//! assert_eq!(spec.plan.tables().len(), 2);
//! assert_eq!(spec.plan.tables()[0].file_name(), "3x3-00f-r4-aware.pdb");
//! # Ok::<(), pdb_spec::SpecError>(())
//! ```
//!
//! Read next: `docs/specs.md`, every key with an example; [`Spec`]; the shipped specs in
//! `pdb-specs`.

mod builtin;
mod coloured;
mod drawing;
mod error;
mod generated;
mod golden;
mod source;
mod spec;

pub use builtin::{
    builtin, builtin_for, builtin_golden, builtin_golden_table, builtin_names, builtin_names_for,
    defaults_for, larger_specs_for, spec_for, specs_for,
};
pub use coloured::{coloured, coloured_within};
pub use error::{Fault, SpecError};
pub use generated::{drawn, generated, generated_within};
pub use golden::{Golden, GoldenTable};
pub use spec::Spec;
