//! Options of pictures and films: colours, paper, and the output file.

use pdb_lab::HeuristicName;
use tilebase::{Error, Goal, Metric};
use tilebase_draw::{Colouring, RasterError, Theme};

use crate::choices::{Choices, one_of};
use crate::console::Console;
use crate::failure::usage;
use crate::help;
use crate::output::{OutputTarget, shown};

const THEMES: Choices<Theme> = &[
    ("auto", "The reader's preference; light where it is not known", Theme::Auto),
    ("light", "Light paper", Theme::Light),
    ("dark", "Dark paper", Theme::Dark),
];

/// Options of all pictures.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = help::OUTPUT)]
pub(crate) struct PictureArgs {
    /// Meaning of the colours of tiles [default: the partition of a named heuristic, else plain]
    #[arg(long, visible_alias = "colors", value_parser = one_of(COLOURS), value_name = "WHAT")]
    pub(crate) colours: Option<Colouring>,
    /// A line above the boards
    #[arg(long, value_name = "TEXT")]
    pub(crate) caption: Option<String>,
    /// Light or dark paper
    #[arg(long, value_parser = one_of(THEMES), default_value = "auto")]
    pub(crate) paper: Theme,
}

/// Meanings of the colours of tiles. The patterns are those of a heuristic: see [`coloured`].
const COLOURS: Choices<Colouring> = &[
    ("plain", "Nothing: all tiles are alike, with blue numbers at home", Colouring::Plain),
    ("rows", "The row of a tile's home", Colouring::Rows),
    ("columns", "The column of a tile's home", Colouring::Columns),
    ("partition", "The pattern of the spec that a tile belongs to", PARTITION),
    ("parity", "The colour of a tile's home on a chessboard", Colouring::Parity),
    ("odd-even", "Whether a tile's number is odd or even", Colouring::OddEven),
    ("distance", "A tile's distance from home; not in films", Colouring::Distance),
];
/// The colours of patterns that are not known yet.
pub(crate) const PARTITION: Colouring = Colouring::Patterns(Vec::new());

/// Returns the colours for a goal: those of patterns with the patterns of `heuristic`.
pub(crate) fn coloured(
    colours: Colouring,
    goal: &Goal,
    heuristic: Option<&HeuristicName>,
) -> anyhow::Result<Colouring> {
    if colours != PARTITION {
        return Ok(colours);
    }
    let heuristic = heuristic.ok_or_else(|| {
        usage("colours by partition need a spec with one: add --spec, such as --spec 15/7-8")
    })?;
    let partition = heuristic.first_partition(goal).map_err(Error::from)?;
    partition.map(Colouring::Patterns).ok_or_else(|| {
        usage(format!(
            "{heuristic} has no partition to colour tiles by: name a spec such as 15/7-8, or choose \
             other colours"
        ))
    })
}

/// Destination of a picture.
#[derive(Debug)]
pub(crate) struct Sink {
    target: OutputTarget,
    is_svg: bool,
}

impl Sink {
    /// Returns the destination of a picture: the ending of a file's name chooses SVG or the format
    /// of pixels that is called `pixels`; standard output takes SVG.
    pub(crate) fn new(target: OutputTarget, pixels: &str) -> anyhow::Result<Self> {
        let Some(path) = &target.file else { return Ok(Self { target, is_svg: true }) };
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let is_svg = ending == "svg";
        if !is_svg && ending != pixels {
            return Err(usage(format!(
                "cannot tell the format of {} from its name: expected a name that ends in .svg or \
                 .{pixels}, or - for SVG on standard output",
                shown(path)
            )));
        }
        target.prepare()?;
        Ok(Self { target, is_svg })
    }

    /// Writes the picture. Returns a note such as "board.svg: 4.10 kB" if it was written to a file.
    pub(crate) fn write(
        &self,
        console: &mut Console,
        svg: impl FnOnce() -> String,
        pixels: impl FnOnce() -> Result<Vec<u8>, RasterError>,
    ) -> anyhow::Result<Option<String>> {
        let picture = if self.is_svg { svg().into_bytes() } else { pixels()? };
        self.target.write(console, &picture)?;
        Ok(self.target.note(picture.len()))
    }
}

/// Checks that each tile that moves counts, for a command that shows such moves.
pub(crate) fn expect_single_tiles(metric: Metric, command: &str) -> anyhow::Result<()> {
    match metric {
        Metric::SingleTile => Ok(()),
        Metric::MultiTile => Err(usage(format_args!(
            "{command} counts moves of single tiles, not slides of several: omit --metric mtm"
        ))),
    }
}

/// Returns the parser of a number in a range.
pub(crate) fn within(low: f64, high: f64) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| match text.parse() {
        Ok(number) if (low..=high).contains(&number) => Ok(number),
        _ => Err(format!("expected a number from {low} to {high}")),
    }
}

/// Returns the parser of the number of dots per pixel.
pub(crate) fn scale() -> impl Fn(&str) -> Result<f64, String> + Clone {
    within(0.25, 8.0)
}
