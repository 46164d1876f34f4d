//! Pictures and films, checked as XML, as pixels and by their content.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

use std::collections::BTreeSet;

use pdb_core::notation::parse_letters;
use pdb_core::{BlankMode, Board, Direction, Goal, Plan, Shape};
use roxmltree::{Document, Node};
use tilebase_draw::pictures::{self, Inversions, TooLarge, Tree};
use tilebase_draw::{Anchor, Colour, Colouring, Film, Label, Panel, Sheet, Theme, Timing};

const HARD: &str = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn goal(rows: usize, cols: usize) -> Goal {
    Goal::blank_last(Shape::new(rows, cols).unwrap())
}

/// Returns a walk of `count` moves in which no move takes back the one before.
fn walk(board: &Board, count: usize) -> Vec<Direction> {
    let mut state: u32 = 1;
    let mut current = *board;
    let mut moves: Vec<Direction> = Vec::new();
    while moves.len() < count {
        // The generator of Numerical Recipes.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let direction = Direction::ALL[(state >> 30) as usize];
        let is_back = moves.last().is_some_and(|last| *last == direction.opposite());
        if let (false, Some(next)) = (is_back, current.moved(direction)) {
            current = next;
            moves.push(direction);
        }
    }
    moves
}

/// Returns a film that ends at the goal.
fn film(goal: &Goal, count: usize) -> Film {
    let away = walk(goal.board(), count);
    let start = goal.board().after(&away).unwrap();
    let home: Vec<Direction> = away.iter().rev().map(|d| d.opposite()).collect();
    let panel = Panel::new(&start, goal, &home, Colouring::Rows).unwrap();
    let counts = panel.boards().iter().map(|board| goal.manhattan_distance(board)).collect();
    Film::new(vec![panel.count("manhattan", counts)], Timing::default())
}

fn sheets() -> Vec<(&'static str, Sheet)> {
    let (board, goal) = (board(HARD), goal(4, 4));
    let patterns = vec![goal.homes(1..=8), goal.homes(9..=15)];
    let parts = vec![(1..=8).collect(), (9..=15).collect()];
    let plan = Plan::additive(&goal, &[parts], BlankMode::Aware, true).unwrap();
    let tree = Tree { board, depth: 3, bound: Some(62), heuristic: "manhattan" };
    let mut manhattan = |board: &Board| Ok::<_, TooLarge>(goal.manhattan_distance(board));
    vec![
        (
            "board",
            pictures::board(&board, &goal, &Colouring::Patterns(patterns), true, Some("a < b")),
        ),
        ("distance", pictures::board(&board, &goal, &Colouring::Distance, false, None)),
        ("partition", pictures::partition(&plan, "15/7-8", "eight & seven")),
        ("walking partition", pictures::partition(&Plan::walking(&goal), "walking-distance", "")),
        ("tree", pictures::tree(&tree, &mut manhattan).unwrap()),
        ("inversions", pictures::inversions(&board, &goal, Some([27, 29]))),
        ("walking", pictures::walking(&board, &goal, None)),
    ]
}

fn films() -> Vec<(&'static str, Film)> {
    let (small, large) = (goal(2, 3), goal(4, 4));
    let still = Panel::new(small.board(), &small, &[], Colouring::OddEven).unwrap();
    let moves = walk(large.board(), 7);
    let panel = || Panel::new(large.board(), &large, &moves, Colouring::Parity).unwrap();
    vec![
        ("long", film(&large, 80)),
        ("still", Film::new(vec![still.clone()], Timing::default())),
        (
            "two",
            Film::new(vec![panel().caption("a & b"), still], Timing::of_speed(7.0)).caption("<c>"),
        ),
        ("none", Film::new(Vec::new(), Timing::default())),
    ]
}

/// Returns all pictures, in every theme.
fn documents() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for theme in [Theme::Auto, Theme::Light, Theme::Dark] {
        for (name, sheet) in sheets() {
            all.push((format!("{name}, {theme:?}"), sheet.to_svg(theme)));
        }
        for (name, film) in films() {
            all.push((format!("film {name}, {theme:?}"), film.to_svg(theme)));
        }
    }
    all
}

#[test]
fn pictures_are_self_contained_xml_with_title() {
    for (name, text) in documents() {
        let document = Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let root = document.root_element();
        let child = |tag: &str| {
            root.children().find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", tag)))
        };
        assert!(child("title").and_then(|node| node.text()).is_some(), "{name}");
        assert!(
            child("desc").and_then(|node| node.text()).is_some_and(|text| text.len() > 20),
            "{name}"
        );
        for forbidden in ["text", "script", "image", "foreignObject"] {
            assert!(
                !document.descendants().any(|node| node.tag_name().name() == forbidden),
                "{name}"
            );
        }
        let ids: Vec<&str> =
            document.descendants().filter_map(|node| node.attribute("id")).collect();
        assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "{name}");
        for node in document.descendants() {
            for attribute in node.attributes() {
                let value = attribute.value();
                if attribute.name() == "href" {
                    let target =
                        value.strip_prefix('#').unwrap_or_else(|| panic!("{name}: {value}"));
                    // The link that restarts the film has no target on purpose.
                    assert!(ids.contains(&target) || target.ends_with("-play"), "{name}: {value}");
                } else if value.contains("url(") {
                    assert!(value.starts_with("url(#"), "{name}: {value}");
                }
                assert!(!value.contains("NaN") && !value.contains("inf"), "{name}: {attribute:?}");
            }
        }
        let styles = document.descendants().filter(|node| node.tag_name().name() == "style");
        for style in styles.filter_map(|node| node.text()) {
            assert!(!style.contains("url(") && !style.contains("@import"), "{name}");
            assert_eq!(style.matches('{').count(), style.matches('}').count(), "{name}");
        }
        assert_eq!(text.matches("http").count(), 1, "{name}: the namespace alone");
    }
}

#[test]
fn equal_calls_give_equal_bytes() {
    assert_eq!(documents(), documents());
}

#[test]
fn only_automatic_themes_have_a_media_query() {
    for (name, text) in documents() {
        assert_eq!(text.contains("prefers-color-scheme"), name.ends_with("Auto"), "{name}");
    }
}

/// Returns the transformation of the rules with a name at the end of the film, and the number of
/// these rules.
fn last_rule<'a>(style: &'a str, name: &str) -> Option<(&'a str, usize)> {
    let (_, rules) = style.split_once(&format!("@keyframes {name}{{"))?;
    let rules = rules.split("}}").next()?;
    let (times, last) = rules.rsplit('}').next()?.split_once('{')?;
    assert!(times.ends_with("to"), "{times}");
    Some((last, rules.matches('{').count()))
}

#[test]
fn tiles_of_a_film_start_and_end_on_the_right_cells() {
    for (rows, cols, count) in
        [(2, 2, 5), (2, 3, 21), (3, 3, 31), (4, 4, 80), (5, 5, 120), (2, 9, 60)]
    {
        let goal = goal(rows, cols);
        let film = film(&goal, count);
        let start = goal.board().after(&walk(goal.board(), count)).unwrap();
        let text = film.to_svg(Theme::Auto);
        let document = Document::parse(&text).unwrap();
        let style: String = document
            .descendants()
            .filter(|node| node.tag_name().name() == "style")
            .filter_map(|node| node.text())
            .collect();
        let mut tiles = 0;
        for node in document.descendants() {
            let Some(id) = node.attribute("id") else { continue };
            let parts: Vec<&str> = id.split('-').collect();
            let [_, "0", tile] = parts[..] else { continue };
            let Ok(tile) = tile.parse::<u8>() else { continue };
            tiles += 1;
            let place = |cell: u8| {
                let (row, col) = goal.shape().row_col(cell);
                (64 * col, 64 * row)
            };
            let (x, y) = place(start.cells_by_tile()[usize::from(tile)]);
            assert_eq!(
                node.attribute("transform"),
                Some(&*format!("translate({x} {y})")),
                "{tile}"
            );
            let px =
                |length: usize| if length == 0 { "0".to_owned() } else { format!("{length}px") };
            let home = place(goal.home(tile));
            let expected = format!("transform:translate({},{})", px(home.0), px(home.1));
            match last_rule(&style, id) {
                Some((last, _)) => assert_eq!(last, expected, "{tile}"),
                None => assert_eq!((x, y), home, "{tile}"),
            }
        }
        assert_eq!(tiles, rows * cols - 1);
        // The list of numbers moves up by one line per move, and its rule has a higher priority
        // than those of moving elements.
        let (_, list) = style.split_once("-0-n{animation-name:").unwrap();
        assert!(list.contains(&format!("steps({count})")), "{list}");
        assert!(list.contains(&format!("{{transform:translate(0,-{}px)}}", 24 * count)), "{list}");
        let id = document.descendants().find_map(|node| node.attribute("id")).unwrap();
        let id = id.split('-').next().unwrap();
        assert!(style.contains(&format!(".{id} .{id}-0-n{{")), "{style}");
        assert!(
            style.contains("prefers-reduced-motion")
                && style.contains("animation-play-state:paused")
        );
    }
}

#[test]
fn plain_tiles_have_blue_numbers_while_they_rest_at_home() {
    let goal = goal(3, 3);
    let moves = parse_letters("DUR").unwrap();
    let panel = Panel::new(goal.board(), &goal, &moves, Colouring::Plain).unwrap();
    let text = Film::new(vec![panel], Timing::default()).to_svg(Theme::Auto);
    // Tile 6 moves away and back, tile 8 only away.
    let colours = |tile: u8| {
        let (_, rules) = text.split_once(&format!("-0-{tile}{{animation-name:")).unwrap();
        let rules = rules.split("}}").next().unwrap().split("color:var(--").skip(1);
        rules.map(|rest| rest.split(')').next().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(
        (colours(6), colours(8)),
        (vec!["at-home", "ink", "at-home"], vec!["at-home", "ink"])
    );
    // Without motion, the colour is that of the first board.
    assert_eq!(text.matches("class=\"a p\" style=\"color:var(--at-home)\"").count(), 2);
    let coloured = Panel::new(goal.board(), &goal, &moves, Colouring::Rows).unwrap();
    assert!(!Film::new(vec![coloured], Timing::default()).to_svg(Theme::Auto).contains("var("));
}

#[test]
fn copied_digits_take_their_colour_from_the_place_of_the_copy() {
    let text = film(&goal(3, 3), 12).to_svg(Theme::Dark);
    let document = Document::parse(&text).unwrap();
    let copies: Vec<_> =
        document.descendants().filter(|node| node.tag_name().name() == "use").collect();
    assert!(copies.len() > 12);
    for copy in copies {
        assert_eq!(copy.parent_element().unwrap().attribute("class"), Some("ink-line"));
        let target = &copy.attribute("href").unwrap()[1..];
        let digit = document.descendants().find(|node| node.attribute("id") == Some(target));
        assert!(digit.unwrap().attributes().all(|one| ["id", "d"].contains(&one.name())));
    }
}

/// Returns the times of a rule, in thousandths of a per cent.
fn times(rules: &str) -> Vec<u64> {
    let times = rules.split('}').filter_map(|rule| rule.split_once('{')).flat_map(|(times, _)| {
        times.split(',').map(|time| match time {
            "to" => 100_000,
            time => (time.trim_end_matches('%').parse::<f64>().unwrap() * 1000.0).round() as u64,
        })
    });
    times.collect()
}

#[test]
fn tiles_move_one_at_a_time() {
    let goal = goal(4, 4);
    let film = film(&goal, 80);
    let text = film.to_svg(Theme::Light);
    let mut slides = Vec::new();
    for tile in 1..16 {
        let Some((_, rules)) = text
            .split_once(&format!("-0-{tile}{{"))
            .filter(|(before, _)| before.ends_with(|c: char| c.is_ascii_hexdigit()))
        else {
            continue;
        };
        let Some((_, rules)) = rules.split_once("@keyframes ") else { continue };
        let rules = rules.split_once('{').unwrap().1.split("}}").next().unwrap();
        let all = times(rules);
        assert!(all.windows(2).all(|two| two[0] <= two[1]), "{tile}: {all:?}");
        assert_eq!((all[0], all.last()), (0, Some(&100_000)), "{tile}");
        // The tile slides between the end of one rest and the start of the next.
        slides.extend(all[1..all.len() - 1].chunks(2).map(|two| (two[0], two[1])));
    }
    slides.sort_unstable();
    assert_eq!(slides.len(), 80);
    assert!(slides.windows(2).all(|two| two[0].1 <= two[1].0), "{slides:?}");
}

#[test]
fn film_of_80_moves_is_small() {
    let bytes = film(&goal(4, 4), 80).to_svg(Theme::Auto).len();
    assert!(bytes < 60_000, "{bytes}");
}

#[test]
fn rejects_impossible_moves() {
    let goal = goal(3, 3);
    let moves = parse_letters("RD").unwrap();
    assert!(Panel::new(goal.board(), &goal, &moves, Colouring::Rows).is_ok());
    let moves = parse_letters("RRR").unwrap();
    assert!(Panel::new(goal.board(), &goal, &moves, Colouring::Rows).is_err());
}

#[test]
fn counts_inversions() {
    let (board, goal) = (board("1 2 3/4 5 6/8 7 0"), goal(3, 3));
    let rows = Inversions::of(&board, &goal, false);
    assert_eq!((rows.tiles, rows.pairs), (vec![1, 2, 3, 4, 5, 6, 8, 7], vec![(6, 7)]));
    // Read by columns, the goal is 1 4 7 2 5 8 3 6 and the board 1 4 8 2 5 7 3 6.
    let columns = Inversions::of(&board, &goal, true);
    assert_eq!(columns.tiles, [1, 4, 8, 2, 5, 7, 3, 6]);
    assert_eq!(columns.pairs, [(2, 3), (2, 4), (2, 5), (3, 5), (4, 5)]);
    assert!(Inversions::of(goal.board(), &goal, true).pairs.is_empty());
}

fn count(sheet: &Sheet) -> (usize, usize) {
    let words: Vec<&str> = sheet.description.split([' ', ',']).collect();
    let before = |word: &str| words[words.iter().position(|found| *found == word).unwrap() - 1];
    (before("nodes").parse().unwrap(), before("are").parse().unwrap())
}

/// Returns the number of nodes of a tree, and of nodes above the bound, by a simple search of all
/// moves that do not undo the one before.
fn expected(
    goal: &Goal,
    board: &Board,
    last: Option<Direction>,
    g: u32,
    depth: u32,
    bound: u32,
) -> (usize, usize) {
    let h = goal.manhattan_distance(board);
    if g + h > bound {
        return (1, 1);
    }
    let mut sum = (1, 0);
    for direction in Direction::ALL.into_iter().filter(|_| g < depth && h > 0) {
        if last != Some(direction.opposite())
            && let Some(next) = board.moved(direction)
        {
            let below = expected(goal, &next, Some(direction), g + 1, depth, bound);
            sum = (sum.0 + below.0, sum.1 + below.1);
        }
    }
    sum
}

#[test]
fn draws_the_nodes_within_the_bound() {
    let goal = goal(3, 3);
    let board = board("8 6 7/2 5 4/3 0 1");
    let mut manhattan = |board: &Board| Ok::<_, TooLarge>(goal.manhattan_distance(board));
    let tree = |depth, bound| Tree { board, depth, bound, heuristic: "manhattan" };
    for (depth, bound) in [(0, 21), (1, 21), (3, 21), (4, 23), (3, 31), (2, 5)] {
        let sheet = pictures::tree(&tree(depth, Some(bound)), &mut manhattan).unwrap();
        assert_eq!(
            count(&sheet),
            expected(&goal, &board, None, 0, depth, bound),
            "{depth} {bound}"
        );
    }
    let error = pictures::tree(&tree(12, Some(31)), &mut manhattan).unwrap_err();
    assert!(error.to_string().contains("12 levels"), "{error}");
}

#[test]
fn draws_boards_of_all_shapes() {
    for rows in 2..=6 {
        for cols in 2..=18 {
            let Ok(shape) = Shape::new(rows, cols) else { continue };
            let goal = Goal::blank_last(shape);
            let board = *goal.board();
            for sheet in [
                pictures::board(&board, &goal, &Colouring::Columns, true, None),
                pictures::inversions(&board, &goal, None),
                pictures::walking(&board, &goal, Some([0, 0])),
                pictures::partition(&Plan::walking(&goal), "walking-distance", "x"),
            ] {
                let text = sheet.to_svg(Theme::Auto);
                let document = Document::parse(&text).unwrap();
                assert!(
                    document.descendants().filter(Node::is_element).count() > shape.cell_count()
                );
            }
        }
    }
}

/// Returns a square sheet with a label.
fn labelled(text: &str, is_upward: bool) -> Sheet {
    let mut sheet = Sheet::new(60.0, 60.0, "label", String::new());
    let (at, text) = (if is_upward { (40.0, 50.0) } else { (10.0, 40.0) }, text.to_owned());
    let label = Label { at, size: 20.0, text, anchor: Anchor::Start, is_upward };
    sheet.label(label, Colour::Ink);
    sheet
}

#[test]
fn labels_keep_their_text_in_svg() {
    for is_upward in [false, true] {
        let svg = labelled("a < \u{3b1}", is_upward).to_svg(Theme::Light);
        let document = Document::parse(&svg).unwrap();
        let label = document.descendants().find(|node| node.has_tag_name("text")).unwrap();
        assert_eq!(label.text(), Some("a < \u{3b1}"));
        assert_eq!(label.attribute("class"), Some("ink"));
        assert_eq!(label.attribute("transform").is_some(), is_upward);
    }
}

#[cfg(feature = "raster")]
mod raster {
    use std::cell::Cell;

    use tilebase_draw::RasterError;

    use super::*;

    #[test]
    fn png_has_the_size_of_the_sheet() {
        for (name, sheet) in sheets() {
            let bytes = tilebase_draw::png(&sheet, Theme::Auto, 0.5).unwrap();
            let reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
            let info = reader.info();
            let half = |length: f64| (length * 0.5).round() as u32;
            assert_eq!(
                (info.width, info.height),
                (half(sheet.width), half(sheet.height)),
                "{name}"
            );
            assert_eq!(bytes, tilebase_draw::png(&sheet, Theme::Auto, 0.5).unwrap(), "{name}");
        }
        let sheet = Sheet::new(1e5, 10.0, "", String::new());
        let error = tilebase_draw::png(&sheet, Theme::Auto, 1.0).unwrap_err();
        assert!(error.to_string().contains("100000 x 10 dots"), "{error}");
        let error =
            tilebase_draw::gif(&film(&goal(4, 4), 900), Theme::Auto, 2.0, &|| false).unwrap_err();
        assert!(error.to_string().contains("a film of 3601 pictures"), "{error}");
    }

    #[test]
    fn upward_labels_are_turned_to_the_left() {
        let dots = |is_upward| {
            let bytes = tilebase_draw::png(&labelled("7L", is_upward), Theme::Light, 1.0).unwrap();
            let decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
            let mut reader = decoder.read_info().unwrap();
            let mut dots = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut dots).unwrap();
            dots.chunks(3).map(|dot| dot[0] < 128).collect::<Vec<_>>()
        };
        let (level, upward) = (dots(false), dots(true));
        assert!(level.iter().filter(|dot| **dot).count() > 30);
        // Row and column of the label's point are (40, 10), and (50, 40) if it is turned.
        let is_turned = |(row, col): (usize, usize)| upward[(59 - col) * 60 + row];
        let places = (0..60).flat_map(|row| (0..60).map(move |col| (row, col)));
        let differ = places.filter(|&at| level[at.0 * 60 + at.1] != is_turned(at)).count();
        assert!(differ < 5, "{differ} dots differ");
    }

    /// Returns the last frame of a GIF as colours.
    fn last_of_gif(bytes: &[u8]) -> (Vec<[u8; 3]>, usize) {
        let mut decoder = gif::DecodeOptions::new().read_info(bytes).unwrap();
        let width = usize::from(decoder.width());
        let palette: Vec<[u8; 3]> =
            decoder.global_palette().unwrap().chunks(3).map(|c| [c[0], c[1], c[2]]).collect();
        let mut dots = vec![[1, 2, 3]; width * usize::from(decoder.height())];
        let mut frames = 0;
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            frames += 1;
            assert!(frame.delay >= 2);
            for (nth, &number) in frame.buffer.iter().enumerate() {
                let (row, col) = (nth / usize::from(frame.width), nth % usize::from(frame.width));
                let at = (row + usize::from(frame.top)) * width + col + usize::from(frame.left);
                if Some(number) != frame.transparent {
                    dots[at] = palette[usize::from(number)];
                }
            }
        }
        (dots, frames)
    }

    #[test]
    fn patches_of_a_gif_add_up_to_the_last_frame() {
        let goal = goal(3, 3);
        let film = film(&goal, 12);
        let (dots, frames) =
            last_of_gif(&tilebase_draw::gif(&film, Theme::Dark, 0.5, &|| false).unwrap());
        assert_eq!(frames, 1 + 12 * 4);
        let sheet = film.frame(12, 0.0);
        let bytes = tilebase_draw::png(&sheet, Theme::Dark, 0.5).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        let mut expected = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut expected).unwrap();
        let expected: Vec<[u8; 3]> = expected.chunks(3).map(|c| [c[0], c[1], c[2]]).collect();
        assert_eq!(dots.len(), expected.len());
        // A film has at most 255 colours, and its thin lines are rounded otherwise.
        let levels = |a: &[u8; 3], b: &[u8; 3]| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max();
        let (mut other, mut worse) = (0, 0);
        for (a, b) in dots.iter().zip(&expected) {
            other += usize::from(levels(a, b) > Some(4));
            worse += usize::from(levels(a, b) > Some(24));
        }
        assert!(other * 50 < dots.len() && worse == 0, "{other} {worse} of {}", dots.len());
    }

    #[test]
    fn bar_of_a_gif_ends_at_the_margin() {
        let film = film(&goal(3, 3), 6);
        let bytes = tilebase_draw::gif(&film, Theme::Light, 1.0, &|| false).unwrap();
        let width = usize::from(gif::DecodeOptions::new().read_info(&bytes[..]).unwrap().width());
        let (dots, _) = last_of_gif(&bytes);
        // The lowest row of the bar's colour, which tiles may have above it.
        let is_bar = |dot: &[u8; 3]| *dot == [0x00, 0x72, 0xb2];
        let row = dots.chunks(width).rev().find(|row| row.iter().any(is_bar)).expect("a bar");
        let (left, right) = (row.iter().position(is_bar), row.iter().rposition(is_bar));
        let (left, right) = (left.unwrap(), width - 1 - right.unwrap());
        assert!(
            left.abs_diff(right) <= 1,
            "{left} dots are free at the left, {right} at the right"
        );
    }

    #[test]
    fn film_ends_within_a_frame_of_the_stop() {
        let film = film(&goal(3, 3), 5);
        let frames = 1 + 5 * 4;
        // Each frame is drawn, counted and encoded.
        for at in [0, 1, frames - 1, frames, 2 * frames, 3 * frames - 1, 3 * frames] {
            let asked = Cell::new(0);
            let is_stopped = || asked.replace(asked.get() + 1) == at;
            let result = tilebase_draw::gif(&film, Theme::Auto, 0.5, &is_stopped);
            let is_whole = at == 3 * frames;
            assert_eq!(result.is_ok(), is_whole, "{at}");
            assert!(is_whole || matches!(result, Err(RasterError::Stopped)), "{at}");
            assert_eq!(asked.get(), if is_whole { at } else { at + 1 });
        }
    }

    #[test]
    fn film_without_moves_has_one_frame() {
        for (name, film) in films().into_iter().filter(|(name, _)| *name == "still") {
            let (_, frames) =
                last_of_gif(&tilebase_draw::gif(&film, Theme::Auto, 1.0, &|| false).unwrap());
            assert_eq!(frames, 1, "{name}");
        }
    }
}
