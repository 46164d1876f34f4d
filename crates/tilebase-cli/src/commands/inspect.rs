//! `tilebase inspect`: the headers of tables.

use std::io::{self, Write};

use pdb_core::{PatternKey, Shape, TableKey};
use pdb_format::{FORMAT_VERSION, Header};
use pdb_gen::{TableFile, digest_of};
use tilebase::shelf::NamedTable;

use crate::args::TableArgs;
use crate::console::Console;
use crate::failure::Verdict;
use crate::help;
use crate::output::{bytes, count};

/// The longest bar of the histogram, in characters.
const BAR_WIDTH: f64 = 50.0;

/// Arguments of `tilebase inspect`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("the tables of a spec", "tilebase inspect 15/7-8"),
    ("a single table", "tilebase inspect 4x4-00ff-r8-aware.pdb"),
]))]
pub(crate) struct Args {
    #[command(flatten)]
    tables: TableArgs,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let tables = self.tables.named()?;
        tables.iter().try_for_each(NamedTable::check_is_there)?;
        for (nth, table) in tables.iter().enumerate() {
            let file = TableFile::open_unindexed(&table.path)?;
            if nth > 0 {
                writeln!(console)?;
            }
            write_header(console, file.header())?;
        }
        Ok(Verdict::Good)
    }
}

fn write_header(output: &mut impl Write, header: &Header) -> io::Result<()> {
    writeln!(output, "table           {}", header.key.file_name())?;
    writeln!(output, "kind            {}", header.key.describe())?;
    writeln!(output, "format version  {FORMAT_VERSION}")?;
    writeln!(output, "packing         {}", header.packing)?;
    writeln!(output, "entries         {}", count(header.entry_count))?;
    writeln!(output, "unreached       {}", count(header.unreached_count))?;
    writeln!(output, "file size       {}", bytes(header.file_bytes()))?;
    let bits = 8.0 * header.file_bytes() as f64 / header.entry_count as f64;
    writeln!(output, "bits an entry   {bits:.2}")?;
    writeln!(output, "digest          {}", digest_of(header))?;
    writeln!(output, "payload digest  {}", header.payload_digest)?;
    match &header.key {
        TableKey::Pattern(key) => {
            writeln!(output, "\npattern at home (A: its tiles; .: cells of the blank; -: others)")?;
            write_board(output, key.shape, |cell| pattern_cell(key, cell))?;
        }
        TableKey::Walking(key) => writeln!(output, "blank's line    {}", key.blank_line + 1)?,
        TableKey::Coloured(key) => {
            writeln!(output, "\ncolours at home (a letter for each; .: the blank)")?;
            let letters = key.letters().to_uppercase().replace('_', ".").into_bytes();
            write_board(output, key.shape, |cell| char::from(letters[usize::from(cell)]))?;
        }
    }
    writeln!(output, "\nentries of each value, bars to scale")?;
    write_histogram(output, &header.histogram)
}

fn pattern_cell(key: &PatternKey, cell: u8) -> char {
    if key.homes.contains(cell) {
        'A'
    } else if key.goal_cells().contains(cell) {
        '.'
    } else {
        '-'
    }
}

fn write_board(output: &mut impl Write, shape: Shape, draw: impl Fn(u8) -> char) -> io::Result<()> {
    for row in 0..shape.rows() {
        let cells = (0..shape.cols()).map(|col| draw(shape.cell(row, col)).to_string());
        writeln!(output, "  {}", cells.collect::<Vec<_>>().join(" "))?;
    }
    Ok(())
}

fn write_histogram(output: &mut impl Write, histogram: &[u64]) -> io::Result<()> {
    let largest = histogram.iter().copied().max().unwrap_or(1).max(1);
    let width = count(largest).len();
    for (value, &entries) in histogram.iter().enumerate() {
        // A value with any entry has a bar.
        let length = (BAR_WIDTH * entries as f64 / largest as f64).ceil() as usize;
        let line = format!("{value:4}  {:>width$}  {}", count(entries), "#".repeat(length));
        writeln!(output, "{}", line.trim_end())?;
    }
    Ok(())
}
