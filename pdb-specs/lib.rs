//! The specs that ship with Tilebase: drawn boards, each with a golden result, as data and nothing
//! else.
//!
//! A spec draws a goal and the patterns of its tiles; its golden says what the tables built from it
//! must look like: entry counts, histograms, digests. Both are TOML files in a folder named after
//! the number of tiles. This crate embeds them and reads none of them: `pdb-spec` does that.
//!
//! ```
//! let at = pdb_specs::SHIPPED.iter().position(|spec| spec.name == "15/7-8").unwrap();
//! assert!(pdb_specs::SHIPPED[at].drawing.contains("partition"));
//! assert!(pdb_specs::GOLDENS[at].contains("4x4-00ff-r8-aware.pdb"));
//! ```
//!
//! Read next: `README.md` beside this file; `docs/specs.md`, every key with an example.

/// A spec, as text.
#[derive(Clone, Copy, Debug)]
pub struct ShippedSpec {
    /// The number of tiles and the file's name without its ending, such as `15/7-8`.
    pub name: &'static str,
    /// The drawn board: TOML, all keys of which `docs/specs.md` explains.
    pub drawing: &'static str,
}

macro_rules! shipped {
    ($($name:literal,)*) => {
        /// All shipped specs, ordered by the number of tiles, then by name.
        pub const SHIPPED: &[ShippedSpec] = &[$(ShippedSpec {
            name: $name,
            drawing: include_str!(concat!($name, ".toml")),
        }),*];

        /// The goldens, in the order of [`SHIPPED`]: TOML, a `[[table]]` for each expected table.
        /// A program that reads none of them does not contain them.
        pub const GOLDENS: &[&str] = &[$(include_str!(concat!($name, ".golden"))),*];
    };
}

shipped![
    "3/whole",
    "5/whole",
    "7/whole",
    "8/4-4",
    "8/fringe",
    "8/whole",
    "9/whole",
    "11/whole",
    "11/whole-2x6",
    "13/7-6",
    "14/7-7",
    "15/5-5-5",
    "15/5-5-5-collapsed",
    "15/6-6-3",
    "15/6-6-3-collapsed",
    "15/7-8",
    "15/7-8-collapsed",
    "15/7-8-dual",
    "15/7-8-max",
    "15/8-7-2x8",
    "15/coloured",
    "15/coloured-max",
    "15/coloured-max-5",
    "15/fringe",
    "15/fringes",
    "15/walking-distance",
    "17/7-7-3",
    "17/7-7-3-max",
    "19/7-6-6",
    "19/7-6-6-max",
    "23/6-6-6-5",
    "23/6-6-6-5-max",
    "24/6-6-6-6",
    "24/6-6-6-6-collapsed",
    "24/6-6-6-6-dual",
    "24/6-6-6-6-max",
    "24/6-6-6-6-max4",
    "24/7-7-7-3",
    "24/7-7-7-3-collapsed",
    "24/7-7-7-3-max",
    "24/8-8-8-max",
    "29/6-6-6-6-5",
    "35/5-5-5-5-5-5-5",
    "35/6-6-6-6-6-5",
];
