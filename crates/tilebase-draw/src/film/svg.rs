//! Films as SVG. CSS animations move the tiles, so a film plays wherever pictures are shown.
//!
//! A tile has a keyframe for each rest. A changing number is a list of texts behind a clip path,
//! which moves up by a line with each move.
//!
//! The pause button is a link to the group of all moving parts. As the document's target, the group
//! is paused. This needs no script, and works by mouse and keyboard.

use std::fmt::Write;

use pdb_core::{BLANK, Cell};

use super::{BAR, BUTTON, Film, LINE_HEIGHT, MARGIN, Panel, PanelLayout, TEXT, Timing, bar};
use crate::colour::{Colour, Theme};
use crate::shape::Anchor;
use crate::sheet::{BOLD, strokes, text_width};
use crate::svg::{Svg, on_dark_paper, path, short};
use crate::tiles::{self, Colouring};

pub(super) fn write(film: &Film, theme: Theme) -> String {
    let (mut still, places) = film.still();
    let rail = bar(still.width, still.height, BUTTON);
    still.rectangle(rail, BAR / 2.0, Colour::Grid);
    let mut svg = Svg::new(still.width, still.height, theme);
    let writer = Writer { film, seconds: film.seconds() };
    svg.raw(&writer.style(theme));
    still.shapes.iter().for_each(|shape| svg.shape(shape));
    Writer::digits(&mut svg);
    svg.raw(&format!("<g id=\"{ID}-pause\" class=\"{ID}\">\n"));
    for (number, (panel, place)) in film.panels.iter().zip(&places).enumerate() {
        writer.tiles(&mut svg, number, panel, place);
        Writer::lines(&mut svg, number, panel, place);
    }
    Writer::moving_bar(&mut svg, rail);
    Writer::button(&mut svg, still.width, still.height);
    svg.raw("</g>\n");
    let document = svg.document(&still.title, &still.description);
    document.replace(ID, &id_of(&document))
}

/// Stands for the identifier while the document is written. No text of a document has it.
const ID: char = '\u{1}';

/// Returns an identifier that differs between films on one page: FNV-1a of the document.
fn id_of(document: &str) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in document.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("f{:08x}", hash >> 32)
}

struct Writer<'a> {
    film: &'a Film,
    seconds: f64,
}

impl Writer<'_> {
    /// Formats a time as a percentage of the film.
    fn share(&self, seconds: f64) -> String {
        let text = format!("{:.3}", 100.0 * seconds / self.seconds);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        format!("{text}%")
    }

    /// Returns the time at which a step starts.
    fn begin(&self, step: usize) -> f64 {
        self.film.timing.lead + self.film.timing.step() * step as f64
    }

    fn style(&self, theme: Theme) -> String {
        let id = ID;
        let mut css = format!(
            ".{id} .a{{animation:{}s ease-in-out infinite}}\
             .{id} .n{{animation-timing-function:linear}}\
             .{id} a{{cursor:pointer;outline-offset:3px}}.{id} .play{{display:none}}\
             .{id}:target .a{{animation-play-state:paused}}\
             .{id}:target .play{{display:inline}}.{id}:target .halt{{display:none}}\
             @media(prefers-reduced-motion:reduce){{.{id} .a{{animation:none}}.{id} a{{display:none}}}}\n",
            short(self.seconds)
        );
        css.push_str(&self.number_colours(theme));
        for (number, panel) in self.film.panels.iter().enumerate() {
            for tile in moving_tiles(panel) {
                let name = format!("{id}-{number}-{tile}");
                let _ = write!(css, "#{name}{{animation-name:{name}}}@keyframes {name}{{");
                self.keyframes(&mut css, panel, tile);
                css.push_str("}\n");
            }
            let total = panel.steps.len();
            if total > 0 {
                let name = format!("{id}-{number}-n");
                let (from, to) = (self.begin(0), self.begin(total));
                // A move counts at its end.
                let until = to - self.film.timing.rest;
                let from = from - self.film.timing.rest;
                let _ = writeln!(
                    css,
                    ".{id} .{name}{{animation-name:{name}}}@keyframes {name}{{0%,{}{{transform:translate(0,0);\
                     animation-timing-function:steps({total})}}{},to{{transform:translate(0,-{}px)}}}}",
                    self.share(from.max(0.0)),
                    self.share(until),
                    short(LINE_HEIGHT * total as f64)
                );
            }
        }
        let (from, to) = (self.begin(0), self.begin(self.film.step_count()));
        let _ = writeln!(
            css,
            "#{id}-bar{{animation-name:{id}-bar}}@keyframes {id}-bar{{0%,{}{{transform:scale(0,1)}}\
             {},to{{transform:scale(1,1)}}}}",
            self.share(from),
            self.share(to)
        );
        format!("<style>{css}</style>\n")
    }

    /// Returns the rules for numbers whose colour changes when their tiles come home or leave.
    fn number_colours(&self, theme: Theme) -> String {
        if !self.film.panels.iter().any(|panel| panel.colouring == Colouring::Plain) {
            return String::new();
        }
        let id = ID;
        let set = |theme| {
            let [ink, home] = [Colour::Ink, Colour::AtHome].map(|colour| colour.on(theme));
            format!(".{id}{{--ink:{ink};--at-home:{home}}}")
        };
        let dark = on_dark_paper(theme, &set(Theme::Dark)).unwrap_or_default();
        format!("{}{dark}.{id} .p path{{stroke:currentColor}}\n", set(Theme::Light))
    }

    /// Writes the keyframes of a tile: its rests.
    fn keyframes(&self, css: &mut String, panel: &Panel, tile: u8) {
        let Timing { slide, .. } = self.film.timing;
        let mut since = "0%".to_owned();
        let mut cell = panel.board.cells_by_tile()[usize::from(tile)];
        let rest = |css: &mut String, times: &str, cell: Cell| {
            let (x, y) = self.film.corner(panel, cell);
            let px = |length: f64| match short(length).as_str() {
                "0" => "0".to_owned(),
                length => format!("{length}px"),
            };
            let (x, y) = (px(x), px(y));
            let colour = number_colour(panel, tile, cell).map(|colour| format!(";{colour}"));
            let colour = colour.unwrap_or_default();
            let _ = write!(css, "{times}{{transform:translate({x},{y}){colour}}}");
        };
        for (nth, step) in panel.steps.iter().enumerate().filter(|(_, step)| step.tile == tile) {
            let begin = self.begin(nth);
            let until = self.share(begin);
            let times = if since == until { until } else { format!("{since},{until}") };
            rest(css, &times, cell);
            since = self.share(begin + slide);
            cell = step.to;
        }
        rest(css, &format!("{since},to"), cell);
    }

    fn tiles(&self, svg: &mut Svg, number: usize, panel: &Panel, place: &PanelLayout) {
        let (x, y) = place.board;
        svg.raw(&format!("<g transform=\"translate({} {})\">\n", short(x), short(y)));
        let moving = moving_tiles(panel);
        for (cell, &tile) in (0..).zip(panel.board.tiles()) {
            if tile == BLANK {
                continue;
            }
            let (x, y) = self.film.corner(panel, cell);
            let colour = number_colour(panel, tile, cell).filter(|_| moving.contains(&tile));
            let class = match (moving.contains(&tile), colour) {
                (false, _) => String::new(),
                (true, None) => " class=\"a\"".to_owned(),
                (true, Some(colour)) => format!(" class=\"a p\" style=\"{colour}\""),
            };
            svg.raw(&format!(
                "<g id=\"{ID}-{number}-{tile}\"{class} transform=\"translate({} {})\">",
                short(x),
                short(y)
            ));
            let mut shapes = Vec::new();
            let look = panel.look(tile, cell);
            tiles::tile(&mut shapes, (0.0, 0.0), self.film.cell, &tile.to_string(), look);
            for shape in &shapes {
                svg.shape(shape);
            }
            svg.raw("</g>\n");
        }
        svg.raw("</g>\n");
    }

    /// Defines the digits of numbers. They inherit their pen: in a copy, the rules for dark paper
    /// match nothing.
    fn digits(svg: &mut Svg) {
        svg.raw("<defs>\n");
        for digit in 0..10 {
            let outline = path(&strokes((0.0, 0.0), TEXT, &digit.to_string(), Anchor::Start));
            svg.raw(&format!("<path id=\"{ID}-{digit}\" d=\"{outline}\"/>\n"));
        }
        svg.raw("</defs>\n");
    }

    /// Writes the changing numbers behind clip paths.
    fn lines(svg: &mut Svg, number: usize, panel: &Panel, place: &PanelLayout) {
        let pitch = text_width("00", TEXT) - text_width("0", TEXT);
        let id = ID;
        let (ink, class) = Colour::Ink.parts();
        let pen = format!(
            "class=\"{class}-line\" stroke=\"{ink}\" stroke-width=\"{}\"",
            short(TEXT * BOLD)
        );
        for (nth, line) in panel.counts.iter().enumerate() {
            let top = place.lines + LINE_HEIGHT * nth as f64;
            let right = place.left + place.width - line.rest_width();
            let window = format!("{id}-{number}-w{nth}");
            svg.raw(&format!(
                "<clipPath id=\"{window}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n\
                 <g clip-path=\"url(#{window})\"><g class=\"a n {id}-{number}-n\"><g {pen} transform=\"translate({} {})\">\n",
                short(place.left),
                short(top),
                short(place.width + 2.0),
                short(LINE_HEIGHT),
                short(right),
                short(top + 15.0),
            ));
            for (row, value) in line.values.iter().enumerate() {
                let text = value.to_string();
                let left = -text_width(&text, TEXT);
                for (place, digit) in text.chars().enumerate() {
                    svg.raw(&format!(
                        "<use href=\"#{id}-{digit}\" x=\"{}\" y=\"{}\"/>",
                        short(left + pitch * place as f64),
                        short(LINE_HEIGHT * row as f64)
                    ));
                }
            }
            svg.raw("\n</g></g></g>\n");
        }
    }

    fn moving_bar(svg: &mut Svg, [x, y, width, height]: [f64; 4]) {
        svg.raw(&format!(
            "<g transform=\"translate({} {})\"><rect id=\"{ID}-bar\" class=\"a n\" transform=\"scale(0 1)\" \
             width=\"{}\" height=\"{}\" fill=\"#0072b2\"/></g>\n",
            short(x),
            short(y),
            short(width),
            short(height)
        ));
    }

    /// Writes the buttons for pause and play.
    fn button(svg: &mut Svg, width: f64, height: f64) {
        let [_, y, _, _] = bar(width, height, BUTTON);
        let (left, top) = (width - MARGIN - BUTTON + 8.0, y + BAR / 2.0 - 9.0);
        let (fill, ink) = (Colour::Quiet.on(Theme::Light), "quiet");
        let (x, y) = (short(left), short(top));
        // An invisible square is easier to hit than the symbol.
        let field = format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"18\" height=\"18\" fill=\"#000\" fill-opacity=\"0\"/>"
        );
        let (id, m) = (ID, |x: f64, y: f64| format!("{} {}", short(left + x), short(top + y)));
        svg.raw(&format!(
            "<a class=\"halt\" href=\"#{id}-pause\" aria-label=\"Pause\">{field}<path class=\"{ink}\" \
             fill=\"{fill}\" d=\"M{}h4v12h-4zM{}h4v12h-4z\"/></a>\n\
             <a class=\"play\" href=\"#{id}-play\" aria-label=\"Play\">{field}<path class=\"{ink}\" \
             fill=\"{fill}\" d=\"M{}v14l11 -7z\"/></a>\n",
            m(3.0, 3.0),
            m(11.0, 3.0),
            m(4.0, 2.0)
        ));
    }
}

/// Returns the declaration of the colour of a tile's number, if it depends on the tile's cell.
fn number_colour(panel: &Panel, tile: u8, cell: Cell) -> Option<&'static str> {
    (panel.colouring == Colouring::Plain).then(|| match panel.look(tile, cell).number {
        Colour::AtHome => "color:var(--at-home)",
        _ => "color:var(--ink)",
    })
}

/// Returns the moving tiles, in ascending order.
fn moving_tiles(panel: &Panel) -> Vec<u8> {
    let mut moved: Vec<u8> = panel.steps.iter().map(|step| step.tile).collect();
    moved.sort_unstable();
    moved.dedup();
    moved
}

#[cfg(test)]
mod tests {
    use pdb_core::{Direction, Goal, Shape};

    use super::*;

    #[test]
    fn films_have_identifiers_of_their_own() {
        let goal = Goal::blank_last(Shape::new(3, 3).expect("the shape is valid"));
        let documents = ["a", "b"].map(|caption| {
            let moves = [Direction::Down, Direction::Up];
            let panel = Panel::new(goal.board(), &goal, &moves, Colouring::Plain);
            let panel = panel.expect("moves are legal").caption("\u{1}");
            write(&Film::new(vec![panel], Timing::of_speed(7.0)).caption(caption), Theme::Auto)
        });
        let ids = documents.each_ref().map(|text| {
            assert!(!text.contains(ID));
            text.split_once("<g id=\"").and_then(|(_, rest)| rest.split_once("-pause"))
        });
        let [Some((a, _)), Some((b, _))] = ids else { panic!("{documents:?}") };
        assert!(a.len() == 9 && a != b, "{a} {b}");
    }
}
