//! Tilebase for C: the library `tilebase` behind functions that C and everything that speaks C can call.
//!
//! It only translates: handles, boards, options and answers on one side, the library's types on the other.
//! It solves nothing itself, prints nothing, and lets no panic through.
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
//! | Module | What is in it |
//! |---|---|
//! | `api` | the functions, as the header has them |
//! | `types` | what goes over the boundary by value: codes, boards, options, answers |
//! | `pointers` | from pointers to references and back |
//! | `failure` | errors as codes and messages; panics |
//! | `tables`, `boards` | what the functions do, in safe Rust |
//!
//! The header `include/tilebase.h` is made of `api` and `types` by `cargo xtask c-header`.
//!
//! Read next: `docs/c.md`, then [`tilebase_tables_open`].

mod api;
mod boards;
mod failure;
mod pointers;
mod tables;
mod types;

pub use api::*;
pub use types::*;
