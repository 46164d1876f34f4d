//! The few shapes of SVG that charts are made of.
//!
//! Ink, grid and paper have classes, so that a page can give them the colours of its own.

use std::fmt::Write;

use crate::escape::xml;

/// What text is written in.
pub(super) const TEXT_SIZE: u32 = 12;
/// Width of a character, about.
pub(super) const CHARACTER: f64 = 7.0;

/// Where a text's place is in it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A colour: one of a class, or a fixed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    Ink,
    Grid,
    Paper,
    Fixed(&'static str),
}

impl Colour {
    /// What it is on white paper, and its class.
    fn parts(self) -> (&'static str, &'static str) {
        match self {
            Self::Ink => ("#282828", "ink"),
            Self::Grid => ("#e1e1e1", "grid"),
            Self::Paper => ("#ffffff", "paper"),
            Self::Fixed(colour) => (colour, "mark"),
        }
    }
}

/// A drawing.
#[derive(Debug)]
pub(super) struct Svg {
    width: f64,
    height: f64,
    shapes: String,
}

impl Svg {
    /// A sheet of paper, with a title above.
    pub(super) fn new(width: f64, height: f64, title: &str) -> Self {
        let mut svg = Self { width, height, shapes: String::new() };
        svg.rectangle(0.0, 0.0, width, height, Colour::Paper, 1.0);
        svg.write(format_args!(
            "<text class=\"ink\" x=\"{:.1}\" y=\"26\" text-anchor=\"middle\" font-size=\"18\" \
             fill=\"#282828\">{}</text>\n",
            width / 2.0,
            xml(title)
        ));
        svg
    }

    fn write(&mut self, shape: std::fmt::Arguments<'_>) {
        // To write into a string cannot fail.
        let _ = self.shapes.write_fmt(shape);
    }

    pub(super) fn rectangle(
        &mut self,
        x: f64,
        y: f64,
        width: f64,
        height: f64,
        colour: Colour,
        opacity: f64,
    ) {
        let (fill, class) = colour.parts();
        self.write(format_args!(
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\" fill=\"{fill}\" fill-opacity=\"{opacity}\" stroke=\"none\"/>\n",
        ));
    }

    /// A frame without a filling.
    pub(super) fn frame(&mut self, x: f64, y: f64, width: f64, height: f64, colour: Colour) {
        let (stroke, class) = colour.parts();
        self.write(format_args!(
            "<rect class=\"{class} line\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\" fill=\"none\" stroke=\"{stroke}\"/>\n",
        ));
    }

    /// A line through points; `dash` is as SVG writes it.
    pub(super) fn line(
        &mut self,
        points: &[(f64, f64)],
        colour: Colour,
        width: f64,
        dash: Option<&str>,
    ) {
        let (stroke, class) = colour.parts();
        let dash = dash.map(|dash| format!(" stroke-dasharray=\"{dash}\"")).unwrap_or_default();
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.write(format_args!(
            "<polyline class=\"{class} line\" points=\"{}\" fill=\"none\" stroke=\"{stroke}\" \
             stroke-width=\"{width}\" stroke-linejoin=\"round\"{dash}/>\n",
            points.join(" ")
        ));
    }

    pub(super) fn dot(&mut self, x: f64, y: f64, radius: f64, colour: Colour, opacity: f64) {
        let (fill, class) = colour.parts();
        self.write(format_args!(
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" \
             fill-opacity=\"{opacity}\"/>\n",
        ));
    }

    /// A text beside a place, in the middle of its height.
    pub(super) fn text(&mut self, x: f64, y: f64, text: &str, anchor: Anchor, colour: Colour) {
        let (fill, class) = colour.parts();
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        // A third of its height: browsers and printers agree on the line below letters alone.
        let y = y + f64::from(TEXT_SIZE) / 3.0;
        self.write(format_args!(
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" \
             font-size=\"{TEXT_SIZE}\" fill=\"{fill}\">{}</text>\n",
            xml(text)
        ));
    }

    /// A text that is read from below.
    pub(super) fn upward_text(&mut self, x: f64, y: f64, text: &str) {
        self.write(format_args!(
            "<text class=\"ink\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\" \
             text-anchor=\"middle\" font-size=\"{TEXT_SIZE}\" fill=\"#282828\">{}</text>\n",
            xml(text)
        ));
    }

    /// The document. Programs that read to people say its title and its description.
    pub(super) fn document(self, title: &str, description: &str) -> String {
        let Self { width, height, shapes } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" role=\"img\" \
             aria-label=\"{}\">\n<title>{}</title>\n<desc>{}</desc>\n{shapes}</svg>\n",
            xml(title),
            xml(title),
            xml(description)
        )
    }
}

/// A name that fits beside a chart.
pub(super) fn shortened(name: &str) -> String {
    const CHARACTERS_MAX: usize = 44;
    if name.chars().count() <= CHARACTERS_MAX {
        return name.to_owned();
    }
    // Names of files and lists differ at their ends as often as at their beginnings.
    let characters: Vec<char> = name.chars().collect();
    let half = CHARACTERS_MAX / 2;
    let (first, last) = (&characters[..half], &characters[characters.len() - half + 1..]);
    format!("{}\u{2026}{}", first.iter().collect::<String>(), last.iter().collect::<String>())
}

/// How wide a column of names is.
pub(super) fn width<'a>(names: impl Iterator<Item = &'a str>) -> f64 {
    names.map(|name| name.chars().count()).max().unwrap_or(0) as f64 * CHARACTER
}

/// A line's colour and its dashes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) colour: Colour,
    pub(super) dash: Option<&'static str>,
}

/// Colours that people who see fewer of them can tell apart (M. Okabe and K. Ito, "Color universal
/// design", 2008).
const COLOURS: [&str; 7] =
    ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#6e6e6e"];

const DASHES: [Option<&str>; 6] =
    [None, Some("8 5"), Some("2 4"), Some("8 4 2 4"), Some("16 4"), Some("8 4 2 4 2 4")];

/// The style of a line by its number. Where there are more lines than colours, the second of a colour
/// is dashed, the third dotted, and so on.
pub(super) fn style(number: usize) -> Style {
    style_of(number % COLOURS.len(), number / COLOURS.len())
}

fn style_of(colour: usize, dash: usize) -> Style {
    Style { colour: Colour::Fixed(COLOURS[colour]), dash: DASHES[dash % DASHES.len()] }
}

/// The styles of lines that have two numbers each: the first one is the colour and the second one the
/// dashes, where there are enough of both and each has something to tell.
pub(super) fn styles(numbers: &[(usize, usize)]) -> Vec<Style> {
    let count =
        |of: fn(&(usize, usize)) -> usize| numbers.iter().map(of).max().map_or(0, |n| n + 1);
    let (colours, dashes) = (count(|numbers| numbers.0), count(|numbers| numbers.1));
    if (2..=COLOURS.len()).contains(&colours) && (2..=DASHES.len()).contains(&dashes) {
        return numbers.iter().map(|&(colour, dash)| style_of(colour, dash)).collect();
    }
    (0..numbers.len()).map(style).collect()
}
