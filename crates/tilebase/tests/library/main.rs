//! Tests of the library as programs use it: examples, many boards at once, cancelled builds, hard
//! boards, and ratings.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

#[cfg(feature = "build")]
mod cancel;
mod examples;
#[cfg(feature = "build")]
mod hard;
mod lines;
mod many;
#[cfg(feature = "build")]
mod rating;
#[cfg(feature = "build")]
mod slides;
mod text;

use tilebase::Shape;

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).expect("the tests use good shapes")
}
