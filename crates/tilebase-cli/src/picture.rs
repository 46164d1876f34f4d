//! What pictures and films share on the command line: colours, paper, and the file that they go to.

use std::ffi::OsString;
use std::path::Path;

use pdb_draw::{Colouring, Theme, pictures};
use pdb_lab::HeuristicName;
use tilebase::pdb_core::notation::printable_text;
use tilebase::{Error, Goal};

use crate::failure::usage;
use crate::output::{Output, Target};

/// What the colours of tiles say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Colours {
    /// Nothing: all are alike
    Plain,
    /// The row of a tile's home
    Rows,
    /// The column of a tile's home
    Columns,
    /// The pattern of the spec that a tile belongs to
    Partition,
    /// The colour of a tile's home on a chessboard
    Parity,
    /// Whether a tile's number is odd or even
    OddEven,
    /// How far a tile is from home; not in films, where tiles keep their colours
    Distance,
}

/// Light or dark paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Paper {
    /// What the reader prefers; light, where that cannot be asked
    #[default]
    Auto,
    /// Light paper
    Light,
    /// Dark paper
    Dark,
}

impl From<Paper> for Theme {
    fn from(paper: Paper) -> Self {
        match paper {
            Paper::Auto => Self::Auto,
            Paper::Light => Self::Light,
            Paper::Dark => Self::Dark,
        }
    }
}

impl Colours {
    /// The colours for a goal. `heuristic` is what the patterns are those of.
    pub(crate) fn of(
        self,
        goal: &Goal,
        heuristic: Option<&HeuristicName>,
    ) -> anyhow::Result<Colouring> {
        Ok(match self {
            Self::Plain => Colouring::Plain,
            Self::Rows => Colouring::Rows,
            Self::Columns => Colouring::Columns,
            Self::Parity => Colouring::Parity,
            Self::OddEven => Colouring::OddEven,
            Self::Distance => Colouring::Distance,
            Self::Partition => {
                let Some(heuristic) = heuristic else {
                    return Err(usage(
                        "colours by partition need a spec that has one: name it with --spec, such as \
                         --spec 15/7-8",
                    ));
                };
                partition(goal, heuristic)?.ok_or_else(|| {
                    usage(format!(
                        "{heuristic} has no partition to colour tiles by: name a spec such as 15/7-8, or \
                         choose other colours"
                    ))
                })?
            }
        })
    }
}

/// The patterns of a heuristic's first partition, if it has tables of patterns.
pub(crate) fn partition(
    goal: &Goal,
    heuristic: &HeuristicName,
) -> Result<Option<Colouring>, Error> {
    match heuristic {
        HeuristicName::Tables { spec, .. } => {
            let drawn = pictures::drawn_patterns(&spec.for_goal(goal)?).into_iter().next();
            Ok(drawn.map(Colouring::Patterns))
        }
        HeuristicName::Max(parts) => {
            for part in parts {
                if let Some(found) = partition(goal, part)? {
                    return Ok(Some(found));
                }
            }
            Ok(None)
        }
        _ => Ok(None),
    }
}

/// What a file is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Svg,
    Png,
    Gif,
    Apng,
}

/// Where a picture goes, and what it is written as.
#[derive(Debug)]
pub(crate) struct Sink {
    target: Target,
    pub(crate) kind: Kind,
}

impl Sink {
    /// Reads the name of a file, whose ending says what it is written as; `-` takes SVG.
    pub(crate) fn read(name: &OsString, kinds: &[(&str, Kind)]) -> anyhow::Result<Self> {
        let target = Target::from(name.clone());
        let path = match &target {
            Target::Stdout => return Ok(Self { target, kind: Kind::Svg }),
            Target::File(path) => path,
        };
        let ending = Path::new(path).extension().map(|ending| ending.to_string_lossy());
        let ending = ending.map(|ending| ending.to_ascii_lowercase()).unwrap_or_default();
        let Some((_, kind)) = kinds.iter().find(|(known, _)| *known == ending) else {
            let known: Vec<String> = kinds.iter().map(|(known, _)| format!(".{known}")).collect();
            return Err(usage(format!(
                "cannot tell from {} what to write: expected a name that ends in {}, or - for SVG on \
                 standard output",
                path.display(),
                known.join(", ")
            )));
        };
        if cfg!(not(feature = "raster")) && *kind != Kind::Svg {
            return Err(usage(format!(
                "cannot write {}: this build draws SVG alone; write a name that ends in .svg, or use the \
                 build that has PNG, GIF and APNG: cargo run --release -F full -- ...",
                path.display()
            )));
        }
        target.prepare()?;
        Ok(Self { target, kind: *kind })
    }

    /// Writes the picture; `dots` makes what is not SVG.
    pub(crate) fn write(
        &self,
        output: &mut Output,
        svg: impl FnOnce() -> String,
        dots: impl FnOnce(Kind) -> anyhow::Result<Vec<u8>>,
    ) -> anyhow::Result<Written<'_>> {
        let bytes = match self.kind {
            Kind::Svg => svg().into_bytes(),
            kind => dots(kind)?,
        };
        self.target.write(output, &bytes)?;
        Ok(Written { target: &self.target, byte_count: bytes.len() })
    }
}

/// What was written where.
#[derive(Debug)]
pub(crate) struct Written<'a> {
    target: &'a Target,
    byte_count: usize,
}

impl Written<'_> {
    /// "board.svg: 4.10 kB"; nothing where it went to standard output.
    pub(crate) fn note(&self) -> Option<String> {
        match self.target {
            Target::Stdout => None,
            Target::File(path) => Some(format!(
                "{}: {}",
                printable_text(&path.to_string_lossy()),
                crate::output::bytes(self.byte_count as u64)
            )),
        }
    }
}

/// Reads a number of a range, such as a scale.
pub(crate) fn within(text: &str, low: f64, high: f64) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (low..=high).contains(&number) => Ok(number),
        _ => Err(format!("expected a number from {low} to {high}")),
    }
}

/// Reads how many dots there are for a pixel.
pub(crate) fn scale(text: &str) -> Result<f64, String> {
    within(text, 0.25, 8.0)
}
