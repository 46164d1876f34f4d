//! `tilebase specs`: what is shipped, and what of it is built.

use std::io::{self, Write};
use std::iter;

use pdb_core::notation::printable_text;
use tilebase::{Built, Drawing, SpecListing};

use crate::failure::Verdict;
use crate::folder::Folder;
use crate::help;
use crate::output::{Output, bytes};
use crate::progress::Progress;

/// Drawings stand side by side up to so many columns.
const DRAWING_WIDTH: usize = 80;
/// Columns before a drawing.
const INDENT: usize = 4;

/// Arguments of `tilebase specs`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("names and titles", "tilebase specs"),
    ("sizes, drawings, and what is built", "tilebase specs --long 15/7-8"),
    ("for programs", "tilebase specs --format json"),
]))]
pub(crate) struct Args {
    /// Names of shipped specs, or .toml files [default: all that are shipped]
    #[arg(value_name = "SPEC")]
    specs: Vec<String>,
    /// Show sizes, what is built, and drawings
    #[arg(long, help_heading = help::OUTPUT)]
    long: bool,
    /// How specs are listed
    #[arg(long, help_heading = help::OUTPUT, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
    #[command(flatten)]
    folder: Folder,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// To read
    #[default]
    Text,
    /// For programs: all that --long shows, a JSON object a line
    Json,
}

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        let specs = match &self.specs[..] {
            [] => pdb_spec::builtin_names().into_iter().map(tilebase::load_spec).collect(),
            names => {
                names.iter().map(|name| tilebase::load_spec(name)).collect::<Result<Vec<_>, _>>()
            }
        }?;
        if !self.long && self.format == Format::Text {
            let width = specs.iter().map(|spec| spec.name.chars().count()).max().unwrap_or(0);
            for spec in specs {
                let (name, title) = (printable_text(&spec.name), printable_text(&spec.title));
                writeln!(output, "{name:width$}  {title}")?;
            }
            return Ok(Verdict::Good);
        }
        let folder = self.folder.path()?;
        for (nth, spec) in specs.iter().enumerate() {
            let doing = format!("estimating {}", spec.name);
            let listing = progress.slowly(&doing, || SpecListing::of(spec, &folder))?;
            match self.format {
                Format::Json => {
                    serde_json::to_writer(&mut *output, &listing)?;
                    writeln!(output)?;
                }
                Format::Text => {
                    if nth > 0 {
                        writeln!(output)?;
                    }
                    write_long(output, &listing)?;
                }
            }
            output.flush()?;
        }
        Ok(Verdict::Good)
    }
}

fn write_long(output: &mut Output, spec: &SpecListing) -> io::Result<()> {
    writeln!(output, "{}: {}", printable_text(&spec.name), printable_text(&spec.title))?;
    writeln!(output, "  {}", what(spec))?;
    let there = spec.tables.iter().filter(|table| table.is_there).count();
    let built = match spec.built {
        Built::There => "built".to_owned(),
        Built::Partly => format!("partly built, {there} of them"),
        Built::No => "not built".to_owned(),
    };
    let at_least = if spec.exact { "" } else { "at least " };
    let (size, tables) = (bytes(spec.file_bytes), counted(spec.tables.len(), "table"));
    writeln!(output, "  {at_least}{size} in {tables}, {built}")?;
    write_boards(output, spec)
}

/// "additive, blank-aware; patterns of 8+7 tiles, and 1 mirror image".
fn what(spec: &SpecListing) -> String {
    let kind = match (spec.kind, spec.blank) {
        ("additive", Some(blank)) => format!("additive, blank-{blank}"),
        (kind, _) => kind.to_owned(),
    };
    // Drawings with patterns of the same sizes are named once.
    let mut sums: Vec<(String, usize)> = Vec::new();
    for Drawing { tile_counts, .. } in &spec.drawings {
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
        count => format!(", and {}", counted(count, "mirror image")),
    };
    match &sums[..] {
        [] => kind,
        sums => format!("{kind}; patterns of {} tiles{images}", sums.join(", ")),
    }
}

/// "1 table", "2 tables".
fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// The goal, and beside it what is drawn.
fn write_boards(output: &mut Output, spec: &SpecListing) -> io::Result<()> {
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

/// The rows of a board, its cells in columns and the blank as a point.
fn rows(board: &str) -> Vec<String> {
    let cells = || board.split(['/', ' ']);
    let width = cells().map(str::len).max().unwrap_or(1);
    let row = |row: &str| {
        let cell = |cell| format!("{:>width$}", if cell == "0" { "." } else { cell });
        row.split(' ').map(cell).collect::<Vec<_>>().join(" ")
    };
    board.split('/').map(row).collect()
}
