//! Writer of SVG documents.
//!
//! Ink, grid and paper have classes, so that a page can set their colours.

use std::fmt::Write;

use crate::colour::{Colour, Theme};
use crate::shape::{Anchor, Label, Outline, Pen, Segment, Shape};
use crate::text::xml;

/// An SVG document under construction.
#[derive(Debug)]
pub(crate) struct Svg {
    width: f64,
    height: f64,
    theme: Theme,
    /// Whether there are boards, with colours of their own.
    has_boards: bool,
    shapes: String,
}

impl Svg {
    /// Creates an empty document.
    pub(crate) fn new(width: f64, height: f64, theme: Theme) -> Self {
        Self { width, height, theme, has_boards: false, shapes: String::new() }
    }

    /// Appends raw text.
    pub(crate) fn raw(&mut self, text: &str) {
        self.shapes.push_str(text);
    }

    /// Appends a shape.
    pub(crate) fn shape(&mut self, shape: &Shape) {
        let paint = paint(shape);
        self.has_boards |= shape.fill.is_some_and(|colour| Colour::OF_BOARDS.contains(&colour));
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
            Outline::Label(Label { at: (x, y), size, text, anchor, is_upward }) => {
                let (x, y, size) = (short(*x), short(*y), short(*size));
                let place = match is_upward {
                    true => format!("transform=\"translate({x} {y}) rotate(-90)\""),
                    false => format!("x=\"{x}\" y=\"{y}\""),
                };
                let anchor = match anchor {
                    Anchor::Start => "",
                    Anchor::Middle => " text-anchor=\"middle\"",
                    Anchor::End => " text-anchor=\"end\"",
                };
                self.write(format_args!(
                    "<text{paint} {place}{anchor} font-family=\"sans-serif\" \
                     font-size=\"{size}\">{}</text>\n",
                    xml(text)
                ));
            }
        }
    }

    fn write(&mut self, shape: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.shapes.write_fmt(shape);
    }

    /// Returns the style of dark paper.
    fn style(&self) -> String {
        let boards = if self.has_boards { &Colour::OF_BOARDS[..] } else { &[] };
        let mut rules = String::new();
        for colour in Colour::OF_PAPER.iter().chain(boards) {
            let (class, dark) = (colour.parts().1, colour.on(Theme::Dark));
            let _ = write!(
                rules,
                ".tilebase .{class}{{fill:{dark}}}.tilebase .{class}-line{{stroke:{dark}}}"
            );
        }
        on_dark_paper(self.theme, &rules)
            .map_or(String::new(), |rules| format!("<style>{rules}</style>\n"))
    }

    /// Returns the document. Screen readers read title and description.
    pub(crate) fn document(self, title: &str, description: &str) -> String {
        let style = self.style();
        let Self { width, height, shapes, .. } = self;
        // The class `tilebase` separates the rules for colours from those of a page.
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" class=\"tilebase\" fill=\"none\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\" role=\"img\" \
             aria-label=\"{}\">\n<title>{}</title>\n<desc>{}</desc>\n{style}{shapes}</svg>\n",
            xml(title),
            xml(title),
            xml(description)
        )
    }
}

/// Returns rules of CSS that apply on dark paper, or `None` if the paper is light.
pub(crate) fn on_dark_paper(theme: Theme, rules: &str) -> Option<String> {
    match theme {
        Theme::Light => None,
        Theme::Dark => Some(rules.to_owned()),
        Theme::Auto => Some(format!("@media(prefers-color-scheme:dark){{{rules}}}")),
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
        if !dash.is_empty() {
            let lengths: Vec<String> = dash.iter().map(|&length| short(length)).collect();
            let _ = write!(text, " stroke-dasharray=\"{}\"", lengths.join(" "));
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
