//! SVG documents, and shapes of pictures and charts.
//!
//! Ink, grid and paper have classes, so that a page can set their colours.

use std::fmt::Write;

use crate::colour::{COLOURS, Colour, Theme};
use crate::shape::{Outline, Pen, Segment, Shape};
use crate::text::xml;

/// Font size.
const TEXT_SIZE: u32 = 12;
/// Approximate width of a character.
const CHARACTER: f64 = 7.0;

/// Alignment of a text.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    /// The point is at the start.
    Start,
    /// The point is in the middle.
    Middle,
    /// The point is at the end.
    End,
}

/// An SVG document under construction.
#[derive(Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    /// Attributes of the root element, except its size.
    attributes: String,
    shapes: String,
}

impl Svg {
    /// Creates a document with background and title.
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

    /// Creates an empty document for shapes without font.
    pub(crate) fn empty(width: f64, height: f64, theme: Theme) -> Self {
        // The class `tilebase` separates these rules from those of a page.
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

    /// Appends raw text.
    pub(crate) fn raw(&mut self, text: &str) {
        self.shapes.push_str(text);
    }

    /// Appends a shape of a sheet.
    pub(crate) fn shape(&mut self, shape: &Shape) {
        let paint = paint(shape);
        match &shape.outline {
            Outline::Rectangle(place, radius) => {
                let [x, y, width, height] = place.map(short);
                let round = match radius {
                    0.0 => String::new(),
                    radius => format!(" rx=\"{}\"", short(*radius)),
                };
                self.write(format_args!(
                    "<rect{paint} x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{round}/>\n"
                ));
            }
            Outline::Path(segments) => {
                self.write(format_args!("<path{paint} d=\"{}\"/>\n", path(segments)));
            }
        }
    }

    fn write(&mut self, shape: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.shapes.write_fmt(shape);
    }

    /// Appends a filled rectangle.
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

    /// Appends the outline of a rectangle.
    pub fn frame(&mut self, x: f64, y: f64, width: f64, height: f64, colour: Colour) {
        let (stroke, class) = colour.parts();
        self.write(format_args!(
            "<rect class=\"{class} line\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\" fill=\"none\" stroke=\"{stroke}\"/>\n",
        ));
    }

    /// Appends a line through points. `dash` has the syntax of SVG.
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

    /// Appends a filled circle.
    pub fn dot(&mut self, x: f64, y: f64, radius: f64, colour: Colour, opacity: f64) {
        let (fill, class) = colour.parts();
        self.write(format_args!(
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" \
             fill-opacity=\"{opacity}\"/>\n",
        ));
    }

    /// Appends a text that is vertically centred on a point.
    pub fn text(&mut self, x: f64, y: f64, text: &str, anchor: Anchor, colour: Colour) {
        let (fill, class) = colour.parts();
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        // Viewers agree only on the baseline.
        let y = y + f64::from(TEXT_SIZE) / 3.0;
        self.write(format_args!(
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" \
             font-size=\"{TEXT_SIZE}\" fill=\"{fill}\">{}</text>\n",
            xml(text)
        ));
    }

    /// Appends a text that is read upwards.
    pub fn upward_text(&mut self, x: f64, y: f64, text: &str) {
        self.write(format_args!(
            "<text class=\"ink\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\" \
             text-anchor=\"middle\" font-size=\"{TEXT_SIZE}\" fill=\"#282828\">{}</text>\n",
            xml(text)
        ));
    }

    /// Returns the document. Screen readers read title and description.
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

/// Returns the attributes of fill and edge.
fn paint(&Shape { fill, edge, opacity, .. }: &Shape) -> String {
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

/// Formats a path in the syntax of SVG.
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

/// Formats a number with at most two decimals, without trailing zeros.
pub(crate) fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Shortens a name to fit beside a chart.
pub fn shortened(name: &str) -> String {
    const CHARACTERS_MAX: usize = 44;
    if name.chars().count() <= CHARACTERS_MAX {
        return name.to_owned();
    }
    // Keeps both ends, because names may differ at either.
    let characters: Vec<char> = name.chars().collect();
    let half = CHARACTERS_MAX / 2;
    let (first, last) = (&characters[..half], &characters[characters.len() - half + 1..]);
    format!("{}\u{2026}{}", first.iter().collect::<String>(), last.iter().collect::<String>())
}

/// Returns the width of a column of names.
pub fn width<'a>(names: impl Iterator<Item = &'a str>) -> f64 {
    names.map(|name| name.chars().count()).max().unwrap_or(0) as f64 * CHARACTER
}

/// Colour and dashes of a line.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Colour.
    pub colour: Colour,
    /// Dashes in the syntax of SVG.
    pub dash: Option<&'static str>,
}

const DASHES: [Option<&str>; 6] =
    [None, Some("8 5"), Some("2 4"), Some("8 4 2 4"), Some("16 4"), Some("8 4 2 4 2 4")];

/// Returns the style of a line by its number. Repeated colours have other dashes.
pub fn style(number: usize) -> Style {
    style_of(number % COLOURS.len(), number / COLOURS.len())
}

fn style_of(colour: usize, dash: usize) -> Style {
    Style { colour: Colour::Fixed(COLOURS[colour]), dash: DASHES[dash % DASHES.len()] }
}

/// Returns the styles of lines with two numbers each. If possible, the first selects the colour and
/// the second the dashes.
pub fn styles(numbers: &[(usize, usize)]) -> Vec<Style> {
    let count =
        |of: fn(&(usize, usize)) -> usize| numbers.iter().map(of).max().map_or(0, |n| n + 1);
    let (colours, dashes) = (count(|numbers| numbers.0), count(|numbers| numbers.1));
    if (2..=COLOURS.len()).contains(&colours) && (2..=DASHES.len()).contains(&dashes) {
        return numbers.iter().map(|&(colour, dash)| style_of(colour, dash)).collect();
    }
    (0..numbers.len()).map(style).collect()
}
