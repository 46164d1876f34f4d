//! The contents of the compiled module.

use pyo3::prelude::*;

/// The compiled half of `tilebase`. Import its names from `tilebase`, not from here.
#[pymodule(gil_used = true)]
mod _tilebase {
    #[pymodule_export]
    use crate::arrays::{
        Distances, check_boards, is_goal, is_solvable, neighbours, rank, shape_of, shape_of_cells,
        unrank,
    };
    #[pymodule_export]
    use crate::board::{Board, Goal, Shape};
    #[pymodule_export]
    use crate::files::{build, inspect, spec_listing, usual_folder, verify};
    #[pymodule_export]
    use crate::handle::{Handle, SearchOptions, seconds};
    #[pymodule_export]
    use crate::improvements::Improvements;
    #[pymodule_export]
    use crate::model::Program;
    #[pymodule_export]
    use crate::own::StopFlag;
    #[pymodule_export]
    use crate::picture::{board_svg, film_svg};
    #[pymodule_export]
    use crate::record::length_words;
    #[pymodule_export]
    use crate::sets::{heuristic_names, make_boards, search_names, walk_moves};
    #[pymodule_export]
    use crate::spec::{Spec, spec_names};
    #[pymodule_export]
    use crate::stream::Stream;
    #[pymodule_export]
    const CELLS_MAX: usize = tilebase::pdb_core::CELLS_MAX;
    #[pymodule_export]
    const STATUSES: [&str; 6] = crate::stream::STATUSES;
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
