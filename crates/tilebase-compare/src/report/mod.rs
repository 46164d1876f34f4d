//! Comparisons as tables of text, CSV, JSON and HTML.

mod csv;
mod grid;
mod html;
mod json;
mod text;

pub use self::csv::csv;
pub use self::html::{Page, html};
pub use self::json::json;
pub use self::text::{distributions, ratios, table};
