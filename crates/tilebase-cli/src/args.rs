//! Arguments that several commands take.

use std::time::Duration;

use tilebase::pdb_core::BoardError;
use tilebase::{Columns, Memory, MoveNaming, MoveStyle, Shape, Window, core_count};

use crate::Place;
use crate::failure::usage;
use crate::help;

/// How many threads work.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct Threads {
    /// Number of threads [default: one for each core]
    #[arg(long, value_name = "N", help_heading = help::MACHINE,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    pub(crate) fn count(self) -> usize {
        let usual = || Place::here().thread_count.unwrap_or_else(core_count);
        self.threads.map_or_else(usual, usize::from)
    }
}

/// What a move is written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Naming {
    /// The direction of the tile: U, R, D or L
    #[default]
    Tile,
    /// The direction of the blank, which goes the other way
    Blank,
    /// The number of the tile that moves
    Tiles,
}

impl From<Naming> for MoveNaming {
    fn from(naming: Naming) -> Self {
        match naming {
            Naming::Tile => Self::Tile,
            Naming::Blank => Self::Blank,
            Naming::Tiles => Self::Tiles,
        }
    }
}

/// Which columns of a table hold boards.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct InputColumns {
    /// Columns of a table that hold the cells, such as 2..17, or a single one that holds the whole
    /// board; for files of boards [default: tables are recognised where that is certain]
    #[arg(long, value_name = "A..B", value_parser = columns, help_heading = help::BOARDS)]
    pub(crate) input_columns: Option<Columns>,
}

/// How moves are read and written.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct MovesArg {
    /// What each move is written as
    #[arg(long, value_enum, default_value_t, value_name = "HOW", help_heading = help::OUTPUT)]
    moves: Naming,
    /// Write repeated moves as U2
    #[arg(long, help_heading = help::OUTPUT)]
    counted_moves: bool,
}

impl MovesArg {
    pub(crate) fn style(self) -> MoveStyle {
        MoveStyle { naming: self.moves.into(), counted: self.counted_moves }
    }

    /// Whether letters that are read name the blank's direction.
    pub(crate) fn are_of_blank(self) -> bool {
        self.moves == Naming::Blank
    }
}

/// How a result is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum OutputFormat {
    /// To read
    #[default]
    Text,
    /// For programs: a JSON object a line
    #[value(alias = "json")]
    Ndjson,
}

/// How much memory may be used.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct MemoryArg {
    /// Memory that may be used, such as 4G [default: what the machine has]
    #[arg(long, value_name = "SIZE", help_heading = help::MACHINE, value_parser = size)]
    memory: Option<u64>,
}

impl MemoryArg {
    pub(crate) fn memory(self) -> Memory {
        self.memory.map_or(Memory::ALL, Memory::of)
    }
}

/// Reads a size such as 4G, 512MB or 2GiB, in bytes.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = number_and_unit(text);
    let factor = match unit.to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" => 1000,
        "M" | "MB" => 1_000_000,
        "G" | "GB" => 1_000_000_000,
        "T" | "TB" => 1_000_000_000_000,
        "KIB" => 1 << 10,
        "MIB" => 1 << 20,
        "GIB" => 1 << 30,
        "TIB" => 1u64 << 40,
        _ => 0,
    };
    match number {
        Some(number) if factor > 0 => Ok((number * factor as f64) as u64),
        _ => Err("expected a number with a unit, such as 4G, 512MB or 2GiB".to_owned()),
    }
}

/// Reads a time such as 10s, 500ms, 2m or 1h.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = number_and_unit(text);
    let factor = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    number
        .and_then(|number| Duration::try_from_secs_f64(number * factor).ok())
        .ok_or_else(|| "expected a number with a unit, such as 10s, 500ms, 2m or 1h".to_owned())
}

fn number_and_unit(text: &str) -> (Option<f64>, &str) {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let (number, unit) = text.split_at(text.find(|c| !is_part(c)).unwrap_or(text.len()));
    (number.parse().ok(), unit.trim())
}

/// Reads rows and columns such as 4x4.
pub(crate) fn shape(text: &str) -> Result<Shape, String> {
    text.parse().map_err(|error: BoardError| error.to_string())
}

/// The shape of boards that do not show it themselves: that of `--size`, or the one that goal or spec
/// draw.
pub(crate) fn agreed(size: Option<Shape>, drawn: Option<Shape>) -> anyhow::Result<Option<Shape>> {
    match (size, drawn) {
        (Some(size), Some(drawn)) if size != drawn => Err(usage(format!(
            "--size is {size}, but the boards of this goal or spec are {drawn}: leave --size away or \
             change it"
        ))),
        (size, _) => Ok(size.or(drawn)),
    }
}

/// Reads columns of a table such as 2..17.
fn columns(text: &str) -> Result<Columns, String> {
    text.parse().map_err(|error: BoardError| error.to_string())
}

/// Reads lengths such as 20..25.
pub(crate) fn window(text: &str) -> Result<Window, String> {
    text.parse().map_err(|error: tilebase::Error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_decimal_and_binary_units() {
        assert_eq!(size("4G"), Ok(4_000_000_000));
        assert_eq!(size("1.5 gb"), Ok(1_500_000_000));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("77"), Ok(77));
        for bad in ["", "G", "4X", "-4G", "1.2.3M", "4 G B"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn times_need_a_unit() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5h"), Ok(Duration::from_mins(90)));
        for bad in ["", "10", "s", "-1s", "1e9s", "99999999999999999999999h"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
