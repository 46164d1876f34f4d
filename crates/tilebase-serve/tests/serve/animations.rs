//! Animations of moves.

use crate::support::{Fixture, Reply, path};

const NEAR: &str = "1 2 3/4 5 6/0 7 8";

fn film(fixture: &Fixture, more: &[(&str, &str)]) -> Reply {
    fixture.get(&path("/v1/animation", &[&[("board", NEAR)], more].concat()))
}

#[test]
fn draws_an_animation_without_script() {
    let fixture = Fixture::new();
    let reply = film(&fixture, &[]);
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("image/svg+xml")));
    let policy = reply.header("content-security-policy").unwrap();
    assert!(policy.contains("sandbox") && !policy.contains("script"), "{policy}");
    assert!(reply.text().starts_with("<svg") && reply.text().ends_with("</svg>\n"));
    assert!(!reply.text().contains("<script"));
    // The default moves are a shortest solution.
    assert_eq!(film(&fixture, &[("sequence", "LL")]).body, reply.body);
    let longer = film(&fixture, &[("sequence", "LLRL")]);
    assert!(longer.status == 200 && longer.body != reply.body);
}

#[test]
fn every_parameter_changes_the_animation() {
    let fixture = Fixture::of(&["8/4-4"], |_| ());
    let usual = film(&fixture, &[("spec", "8/4-4")]);
    let options = [
        ("colours", "partition"),
        ("colours", "rows"),
        ("colours", "columns"),
        // On three columns, odd and even tiles are those of the chessboard.
        ("colours", "parity"),
        ("speed", "1"),
        ("cell", "32"),
        ("caption", "near <the> goal"),
        ("estimates", "yes"),
        ("paper", "light"),
        ("paper", "dark"),
    ];
    let mut seen = vec![usual.body.clone()];
    for option in options {
        let reply = film(&fixture, &[("spec", "8/4-4"), option]);
        assert_eq!(reply.status, 200, "{option:?}");
        assert!(!seen.contains(&reply.body), "{option:?} shows the same as another one");
        seen.push(reply.body);
    }
    // Moves alone need no tables.
    assert_eq!(film(&fixture, &[("spec", "8/4-4"), ("colours", "plain")]).body, usual.body);
    let given = film(&fixture, &[("spec", "8/whole"), ("sequence", "LL")]);
    assert_eq!((given.status, &given.body), (200, &usual.body));
    let caption = film(&fixture, &[("caption", "<script>&\"'")]);
    assert!(caption.text().contains("&lt;script&gt;&amp;"), "{}", caption.text());
}

#[test]
fn refuses_wrong_parameters() {
    let fixture = Fixture::new();
    let (long, caption) = ("LR".repeat(501), "x".repeat(201));
    // Forms send empty fields.
    assert_eq!(film(&fixture, &[("colours", "")]).status, 200);
    let wrong =
        [("speed", "nan"), ("sequence", "UUU"), ("sequence", &*long), ("caption", &*caption)];
    for option in wrong {
        assert_eq!(film(&fixture, &[option]).status, 400, "{option:?}");
    }
    assert_eq!(film(&fixture, &[("spec", "manhattan"), ("colours", "partition")]).status, 400);
    let unsolvable = path("/v1/animation", &[("board", "1 2 3/4 5 6/8 7 0")]);
    assert_eq!(fixture.get(&unsolvable).status, 409);
    let shown = path("/v1/animation", &[("board", "1 2 3/4 5 6/8 7 0"), ("sequence", "R")]);
    assert_eq!(fixture.get(&shown).status, 200);
}

#[test]
fn draws_raster_images_if_compiled_in() {
    let fixture = Fixture::new();
    let reply = film(&fixture, &[("format", "gif"), ("cell", "16")]);
    if cfg!(feature = "raster") {
        assert_eq!((reply.status, reply.header("content-type")), (200, Some("image/gif")));
        assert!(reply.body.starts_with(b"GIF89a"));
    } else {
        assert_eq!(reply.status, 400);
    }
}
