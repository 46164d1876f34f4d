//! `tilebase specs`: the shipped specs, and their built tables.

use std::io::{self, Write};
use std::iter;

use pdb_core::excerpt::printable_text;
use tilebase::shelf::{BuildState, PatternDrawing, SpecListing};

use crate::args::Folder;
use crate::choices::{Format, TEXT_NDJSON, one_of};
use crate::console::Console;
use crate::failure::Verdict;
use crate::help;
use crate::output::{bytes, counted};
use crate::record;

/// Greatest width of drawings side by side, in columns.
const DRAWING_WIDTH: usize = 80;
/// Columns before a drawing.
const INDENT: usize = 4;

/// Arguments of `tilebase specs`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("names and titles", "tilebase specs"),
    ("sizes, drawings, and built tables", "tilebase specs --long 15/7-8"),
    ("for programs", "tilebase specs --format json"),
]))]
pub(crate) struct Args {
    /// Names of shipped specs, or .toml files [default: all shipped specs]
    #[arg(value_name = "SPEC")]
    specs: Vec<String>,
    /// Show sizes, built tables, and drawings
    #[arg(long, help_heading = help::OUTPUT)]
    long: bool,
    /// Output format; ndjson has everything that --long shows
    #[arg(long, value_parser = one_of(TEXT_NDJSON), default_value = "text", value_name = "FORMAT",
        help_heading = help::OUTPUT)]
    format: Format,
    #[command(flatten)]
    folder: Folder,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let names = match &self.specs[..] {
            [] => pdb_spec::builtin_names(),
            names => names.iter().map(String::as_str).collect(),
        };
        let specs =
            names.into_iter().map(tilebase::names::load_spec).collect::<Result<Vec<_>, _>>()?;
        if !self.long && self.format == Format::Text {
            let width = specs.iter().map(|spec| spec.name.chars().count()).max().unwrap_or(0);
            for spec in specs {
                let (name, title) = (printable_text(&spec.name), printable_text(&spec.title));
                writeln!(console, "{name:width$}  {title}")?;
            }
            return Ok(Verdict::Good);
        }
        let folder = self.folder.path()?;
        for (nth, spec) in specs.iter().enumerate() {
            let doing = format!("estimating {}", spec.name);
            let listing = console.progress.slowly(&doing, || SpecListing::of(spec, &folder))?;
            if self.format == Format::Ndjson {
                record::write_json(console, &listing)?;
            } else {
                if nth > 0 {
                    writeln!(console)?;
                }
                write_long(console, &listing)?;
            }
            console.flush()?;
        }
        Ok(Verdict::Good)
    }
}

fn write_long(output: &mut impl Write, spec: &SpecListing) -> io::Result<()> {
    writeln!(output, "{}: {}", printable_text(&spec.name), printable_text(&spec.title))?;
    writeln!(output, "  {}", what(spec))?;
    let there = spec.tables.iter().filter(|table| table.is_there).count();
    let built = match spec.built {
        BuildState::There => "built".to_owned(),
        BuildState::Partly => format!("partly built, {there} of them"),
        BuildState::No => "not built".to_owned(),
    };
    let (size, tables) = (bytes(spec.file_bytes), counted(spec.tables.len() as u64, "table"));
    writeln!(output, "  {size} in {tables}, {built}")?;
    write_boards(output, spec)
}

/// Returns a text such as "additive, blank-aware; patterns of 8+7 tiles, and 1 mirror image".
fn what(spec: &SpecListing) -> String {
    let kind = match (spec.kind, spec.blank) {
        ("additive", Some(blank)) => format!("additive, blank-{blank}"),
        (kind, _) => kind.to_owned(),
    };
    // Consecutive drawings with patterns of the same sizes are merged.
    let mut sums: Vec<(String, usize)> = Vec::new();
    for PatternDrawing { tile_counts, .. } in &spec.drawings {
        let sum = tile_counts.iter().map(ToString::to_string).collect::<Vec<_>>().join("+");
        match sums.last_mut() {
            Some((known, times)) if *known == sum => *times += 1,
            _ => sums.push((sum, 1)),
        }
    }
    let sum = |(sum, times): &(String, usize)| match times {
        1 => sum.clone(),
        _ => format!("{times} times {sum}"),
    };
    let sums: Vec<String> = sums.iter().map(sum).collect();
    let images = match spec.mirror_image_count {
        0 => String::new(),
        count => format!(", and {}", counted(count as u64, "mirror image")),
    };
    match &sums[..] {
        [] => kind,
        sums => format!("{kind}; patterns of {} tiles{images}", sums.join(", ")),
    }
}

/// Writes the goal and the drawings side by side.
fn write_boards(output: &mut impl Write, spec: &SpecListing) -> io::Result<()> {
    let drawings = spec.drawings.iter().map(|drawing| rows(&drawing.board));
    let boards: Vec<Vec<String>> = iter::once(rows(&spec.goal)).chain(drawings).collect();
    let mut rest = &boards[..];
    while !rest.is_empty() {
        let mut width = 0;
        let fitting = rest.iter().take_while(|rows| {
            width += INDENT + rows[0].len();
            width <= DRAWING_WIDTH
        });
        let (side_by_side, others) = rest.split_at(fitting.count().max(1));
        for row in 0..spec.rows {
            let cells = side_by_side.iter().map(|rows| format!("{:INDENT$}{}", "", rows[row]));
            writeln!(output, "{}", cells.collect::<String>())?;
        }
        rest = others;
        if !rest.is_empty() {
            writeln!(output)?;
        }
    }
    Ok(())
}

/// Returns the rows of a board, with aligned cells and the blank as a dot.
fn rows(board: &str) -> Vec<String> {
    let cells = || board.split(['/', ' ']);
    let width = cells().map(str::len).max().unwrap_or(1);
    let row = |row: &str| {
        let cell = |cell| format!("{:>width$}", if cell == "0" { "." } else { cell });
        row.split(' ').map(cell).collect::<Vec<_>>().join(" ")
    };
    board.split('/').map(row).collect()
}
