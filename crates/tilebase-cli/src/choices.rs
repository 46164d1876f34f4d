//! Options that take one of several names: the names, their help, and their values.

use std::ffi::OsStr;

use clap::builder::{
    PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser, ValueParser,
};
use clap::{Arg, Command};
use pdb_gen::Level;
use pdb_lab::SearchName;
use tilebase::shelf::Residence;
use tilebase::text::MoveNaming;
use tilebase::{Metric, Mode};
#[cfg(feature = "model")]
use tilebase_model::Form;

/// Names, their help, and their values. Further names of a value follow after `|`; the help omits
/// them.
pub(crate) type Choices<T> = &'static [(&'static str, &'static str, T)];

/// Returns the parser of an option that takes one of these names.
pub(crate) fn one_of<T>(choices: Choices<T>) -> ValueParser
where
    T: Clone + Send + Sync + 'static,
{
    let value = |(names, help, _): &(&'static str, &'static str, T)| {
        let mut names = names.split('|');
        PossibleValue::new(names.next().unwrap_or_default()).aliases(names).help(*help)
    };
    let names = PossibleValuesParser::new(choices.iter().map(value).collect::<Vec<_>>());
    ValueParser::new(names.map(move |name| {
        let chosen = choices.iter().find(|(names, ..)| names.split('|').any(|one| one == name));
        chosen.expect("clap has refused all other names").2.clone()
    }))
}

/// Parser of the name of a search with its parameters. Help and completions list the names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchParser;

impl TypedValueParser for SearchParser {
    type Value = SearchName;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<SearchName, clap::Error> {
        let parser = StringValueParser::new().try_map(|text| text.parse::<SearchName>());
        parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |search: SearchName| PossibleValue::new(search.name()).help(search.row().help);
        Some(Box::new(SearchName::all().map(value)))
    }
}

/// Format of a result. Each command takes some of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    #[default]
    Text,
    Steps,
    Ndjson,
    Csv,
}

const TEXT: (&str, &str, Format) = ("text", "For people", Format::Text);
/// Also under the name that most programs use for it.
const NDJSON: (&str, &str, Format) =
    ("ndjson|json", "For programs: a JSON object per line", Format::Ndjson);
const CSV: (&str, &str, Format) =
    ("csv", "For spreadsheets: a header, and a line per board", Format::Csv);

pub(crate) const TEXT_NDJSON: Choices<Format> = &[TEXT, NDJSON];
pub(crate) const SOLVE_FORMATS: Choices<Format> = &[
    ("text", "For people: a line per board; a single board is drawn on a terminal", Format::Text),
    ("steps", "For people: the board, and the board after every ten moves", Format::Steps),
    NDJSON,
    CSV,
];
pub(crate) const SCRAMBLE_FORMATS: Choices<Format> =
    &[("text", "A board per line, as --input reads them", Format::Text), NDJSON, CSV];

pub(crate) const MOVE_NAMINGS: Choices<MoveNaming> = &[
    ("tile", "The direction of the tile: U, R, D or L", MoveNaming::Tile),
    ("blank", "The direction of the blank, which is the opposite one", MoveNaming::Blank),
    ("tiles", "The number of the tile", MoveNaming::Tiles),
];

pub(crate) const METRICS: Choices<Metric> = &[
    ("stm|STM", "Each tile that moves", Metric::SingleTile),
    ("mtm|MTM", "A slide of one or more tiles of a line at once", Metric::MultiTile),
];

pub(crate) const MODES: Choices<Mode> = &[
    ("auto", "As throughput; a single board always has all threads", Mode::Auto),
    ("latency", "One board after another, each on all threads", Mode::Latency),
    ("throughput", "The most boards per second: many at the same time", Mode::Auto),
    (
        "plain",
        "IDA* as Korf described it, with the node counts of the literature",
        Mode::By(SearchName::IDA),
    ),
];

pub(crate) const RESIDENCES: Choices<Residence> = &[
    ("mapped", "Mapped, read page by page; shared with other processes", Residence::Mapped),
    ("prefaulted", "Mapped, read at once; shared with other processes", Residence::Prefaulted),
    ("locked", "Prefaulted and locked, which needs a permission", Residence::Locked),
    ("copied", "Copied into huge pages of this process", Residence::Copied),
];

pub(crate) const LEVELS: Choices<Level> = &[
    ("header", "The header, the length of the file and its name", Level::Header),
    ("digest", "The digests of all bytes", Level::Digest),
    ("entries", "Every entry, against a fresh build and against rules", Level::Entries),
    ("rebuild", "Every byte, against a fresh build", Level::Rebuild),
];

/// File format of a model, or of a solver's answer.
#[cfg(feature = "model")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModelFormat {
    Lp,
    Mps,
    Gams,
    Json,
    PddlDomain,
    PddlProblem,
    Text,
}

#[cfg(feature = "model")]
pub(crate) const MODEL_FORMATS: Choices<ModelFormat> = &[
    ("lp", "The LP format of CPLEX, which all solvers read", ModelFormat::Lp),
    ("mps", "The free MPS format (for glpsol: --freemps)", ModelFormat::Mps),
    ("gams|gms", "The language GAMS", ModelFormat::Gams),
    ("json|ndjson", "For programs: the model, or the answer of --solve", ModelFormat::Json),
    ("pddl", "A problem in PDDL, for planners", ModelFormat::PddlProblem),
    ("pddl-domain", "The domain of these problems", ModelFormat::PddlDomain),
    ("text", "For people: the answer of --solve", ModelFormat::Text),
];

#[cfg(feature = "model")]
pub(crate) const MODEL_FORMS: Choices<Form> = &[
    ("flow", "A binary for each tile, cell and time; the blank as a flow", Form::Flow),
    ("neos", "The case study of the NEOS guide, corrected: positions as numbers", Form::Neos),
];
