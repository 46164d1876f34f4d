//! SVG: documents, and the few shapes that pictures and charts are made of.
//!
//! Ink, grid and paper have classes, so that a page can give them the colours of its own.

use std::fmt::Write;

use crate::colour::{COLOURS, Colour, Theme};
use crate::escape::xml;
use crate::shape::{Pen, Segment, Shape};

/// What text is written in.
const TEXT_SIZE: u32 = 12;
/// Width of a character, about.
const CHARACTER: f64 = 7.0;

/// Where a text's place is in it.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    /// At its beginning.
    Start,
    /// In its middle.
    Middle,
    /// At its end.
    End,
}

/// A drawing.
#[derive(Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    /// What stands in the element of the document beside its size.
    attributes: String,
    shapes: String,
}

impl Svg {
    /// A sheet of paper, with a title above.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let attributes = " font-family=\"sans-serif\"".to_owned();
        let mut svg = Self { width, height, attributes, shapes: String::new() };
        svg.rectangle(0.0, 0.0, width, height, Colour::Paper, 1.0);
        svg.write(format_args!(
            "<text class=\"ink\" x=\"{:.1}\" y=\"26\" text-anchor=\"middle\" font-size=\"18\" \
             fill=\"#282828\">{}</text>\n",
            width / 2.0,
            xml(title)
        ));
        svg
    }

    /// A sheet without anything on it, for shapes that need no font.
    pub(crate) fn empty(width: f64, height: f64, theme: Theme) -> Self {
        // What a page around it does with such classes is none of its business, nor the other way round.
        let attributes = " class=\"tilebase\" fill=\"none\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\""
            .to_owned();
        let mut svg = Self { width, height, attributes, shapes: String::new() };
        if theme != Theme::Light {
            let rules = [Colour::Ink, Colour::Quiet, Colour::Grid, Colour::Paper].map(|colour| {
                let (class, dark) = (colour.parts().1, colour.on(Theme::Dark));
                format!(".tilebase .{class}{{fill:{dark}}}.tilebase .{class}-line{{stroke:{dark}}}")
            });
            let rules = rules.concat();
            let rules = match theme {
                Theme::Dark => rules,
                _ => format!("@media(prefers-color-scheme:dark){{{rules}}}"),
            };
            svg.write(format_args!("<style>{rules}</style>\n"));
        }
        svg
    }

    /// A piece of the document, as it is.
    pub(crate) fn raw(&mut self, text: &str) {
        self.shapes.push_str(text);
    }

    /// A shape of a sheet.
    pub(crate) fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Rectangle { place: [x, y, width, height], radius, fill, edge, opacity } => {
                let paint = paint(*fill, *edge, *opacity);
                let (x, y, width, height) = (short(*x), short(*y), short(*width), short(*height));
                let round = match radius {
                    0.0 => String::new(),
                    radius => format!(" rx=\"{}\"", short(*radius)),
                };
                self.write(format_args!(
                    "<rect{paint} x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{round}/>\n"
                ));
            }
            Shape::Path { segments, fill, edge, opacity } => {
                let paint = paint(*fill, *edge, *opacity);
                self.write(format_args!("<path{paint} d=\"{}\"/>\n", path(segments)));
            }
        }
    }

    fn write(&mut self, shape: std::fmt::Arguments<'_>) {
        // To write into a string cannot fail.
        let _ = self.shapes.write_fmt(shape);
    }

    /// A filled rectangle.
    pub fn rectangle(
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
    pub fn frame(&mut self, x: f64, y: f64, width: f64, height: f64, colour: Colour) {
        let (stroke, class) = colour.parts();
        self.write(format_args!(
            "<rect class=\"{class} line\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\" fill=\"none\" stroke=\"{stroke}\"/>\n",
        ));
    }

    /// A line through points; `dash` is as SVG writes it.
    pub fn line(&mut self, points: &[(f64, f64)], colour: Colour, width: f64, dash: Option<&str>) {
        let (stroke, class) = colour.parts();
        let dash = dash.map(|dash| format!(" stroke-dasharray=\"{dash}\"")).unwrap_or_default();
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.write(format_args!(
            "<polyline class=\"{class} line\" points=\"{}\" fill=\"none\" stroke=\"{stroke}\" \
             stroke-width=\"{width}\" stroke-linejoin=\"round\"{dash}/>\n",
            points.join(" ")
        ));
    }

    /// A filled circle.
    pub fn dot(&mut self, x: f64, y: f64, radius: f64, colour: Colour, opacity: f64) {
        let (fill, class) = colour.parts();
        self.write(format_args!(
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" \
             fill-opacity=\"{opacity}\"/>\n",
        ));
    }

    /// A text beside a place, in the middle of its height.
    pub fn text(&mut self, x: f64, y: f64, text: &str, anchor: Anchor, colour: Colour) {
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
    pub fn upward_text(&mut self, x: f64, y: f64, text: &str) {
        self.write(format_args!(
            "<text class=\"ink\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\" \
             text-anchor=\"middle\" font-size=\"{TEXT_SIZE}\" fill=\"#282828\">{}</text>\n",
            xml(text)
        ));
    }

    /// The document. Programs that read to people say its title and its description.
    pub fn document(self, title: &str, description: &str) -> String {
        let Self { width, height, attributes, shapes } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\"{attributes} role=\"img\" \
             aria-label=\"{}\">\n<title>{}</title>\n<desc>{}</desc>\n{shapes}</svg>\n",
            xml(title),
            xml(title),
            xml(description)
        )
    }
}

/// What a shape is filled and drawn with.
fn paint(fill: Option<Colour>, edge: Option<Pen>, opacity: f64) -> String {
    let mut classes = Vec::new();
    let mut text = String::new();
    if let Some(fill) = fill {
        let (colour, class) = fill.parts();
        if !matches!(fill, Colour::Fixed(_)) {
            classes.push(class.to_owned());
        }
        let _ = write!(text, " fill=\"{colour}\"");
    }
    if let Some(Pen { colour, width, dash }) = edge {
        let (stroke, class) = colour.parts();
        if !matches!(colour, Colour::Fixed(_)) {
            classes.push(format!("{class}-line"));
        }
        let _ = write!(text, " stroke=\"{stroke}\" stroke-width=\"{}\"", short(width));
        if let Some((dash, between)) = dash {
            let _ = write!(text, " stroke-dasharray=\"{} {}\"", short(dash), short(between));
        }
    }
    if opacity < 1.0 {
        let _ = write!(text, " opacity=\"{}\"", short(opacity));
    }
    match &classes[..] {
        [] => text,
        classes => format!(" class=\"{}\"{text}", classes.join(" ")),
    }
}

/// A path as SVG writes it.
pub(crate) fn path(segments: &[Segment]) -> String {
    let at = |(x, y): (f64, f64)| format!("{} {}", short(x), short(y));
    let segment = |segment: &Segment| match *segment {
        Segment::Move(to) => format!("M{}", at(to)),
        Segment::Line(to) => format!("L{}", at(to)),
        Segment::Curve(a, b, to) => format!("C{} {} {}", at(a), at(b), at(to)),
        Segment::Close => "Z".to_owned(),
    };
    segments.iter().map(segment).collect()
}

/// A number with at most two decimals, and no more than it needs.
pub(crate) fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A name that fits beside a chart.
pub fn shortened(name: &str) -> String {
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
pub fn width<'a>(names: impl Iterator<Item = &'a str>) -> f64 {
    names.map(|name| name.chars().count()).max().unwrap_or(0) as f64 * CHARACTER
}

/// A line's colour and its dashes.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Its colour.
    pub colour: Colour,
    /// Its dashes, as SVG writes them.
    pub dash: Option<&'static str>,
}

const DASHES: [Option<&str>; 6] =
    [None, Some("8 5"), Some("2 4"), Some("8 4 2 4"), Some("16 4"), Some("8 4 2 4 2 4")];

/// The style of a line by its number. Where there are more lines than colours, the second of a colour
/// is dashed, the third dotted, and so on.
pub fn style(number: usize) -> Style {
    style_of(number % COLOURS.len(), number / COLOURS.len())
}

fn style_of(colour: usize, dash: usize) -> Style {
    Style { colour: Colour::Fixed(COLOURS[colour]), dash: DASHES[dash % DASHES.len()] }
}

/// The styles of lines that have two numbers each: the first one is the colour and the second one the
/// dashes, where there are enough of both and each has something to tell.
pub fn styles(numbers: &[(usize, usize)]) -> Vec<Style> {
    let count =
        |of: fn(&(usize, usize)) -> usize| numbers.iter().map(of).max().map_or(0, |n| n + 1);
    let (colours, dashes) = (count(|numbers| numbers.0), count(|numbers| numbers.1));
    if (2..=COLOURS.len()).contains(&colours) && (2..=DASHES.len()).contains(&dashes) {
        return numbers.iter().map(|&(colour, dash)| style_of(colour, dash)).collect();
    }
    (0..numbers.len()).map(style).collect()
}
