//! Tilebase for C: the library `tilebase` behind functions that C and everything that speaks C can
//! call.
//!
//! This crate only translates handles, boards, options and answers to the library's types and back.
//! It has no search of its own, prints nothing, and lets no panic through.
//!
//! ```c
//! #include <stdio.h>
//! #include <tilebase.h>
//!
//! int main(void) {
//!   tilebase_open_options options = TILEBASE_OPEN_OPTIONS;
//!   options.spec = "8/whole";
//!   options.flags = TILEBASE_OPEN_BUILD;
//!   tilebase_tables *tables = NULL;
//!   if (tilebase_tables_open(&options, &tables) != TILEBASE_OK) {
//!     fprintf(stderr, "%s\n", tilebase_message());
//!     return 1;
//!   }
//!   tilebase_board board;
//!   uint32_t estimate = 0;
//!   if (tilebase_board_parse("8 6 7/2 5 4/3 0 1", 0, 0, &board, NULL) == TILEBASE_OK &&
//!       tilebase_estimate(tables, &board, &estimate) == TILEBASE_OK) {
//!     printf("at least %u moves\n", (unsigned)estimate);
//!   }
//!   tilebase_tables_free(tables);
//!   return 0;
//! }
//! ```
//!
//! | Module | Content |
//! |---|---|
//! | `api` | the functions, as the header has them |
//! | `types` | codes, boards, options and answers |
//! | `callbacks` | the caller's functions that are called during builds and searches |
//! | `pointers` | conversion of pointers to references |
//! | `failure` | errors and panics as codes and messages |
//! | `last` | the text of a thread's last call |
//! | `tables`, `boards` | the work of the functions, in safe Rust |
//!
//! `crates/tilebase-c/make-header` makes the header `include/tilebase.h` of `api`, `types` and
//! `callbacks`.
//!
//! Read next: `docs/c.md`, then [`tilebase_tables_open`].

mod api;
mod boards;
mod callbacks;
mod failure;
mod last;
mod pointers;
mod tables;
mod types;

pub use api::*;
pub use callbacks::{Progress, Solution};
pub use tables::Tables;
pub use types::*;
