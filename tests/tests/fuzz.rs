//! Every reader answers any input without panic, overflow or unbounded memory: that of this
//! program, which has no other tests.
//!
//! The targets for the readers of the command line are in `crates/tilebase`.

use std::fs::File;
use std::io::Write;

use pdb_core::notation::{MoveNaming, MoveStyle, format_moves, letters};
use pdb_core::{BlankMode, Board, CellSet, ColourKey, Shape, TableKey, WalkingKey};
use pdb_format::manifest::Manifest;
use pdb_format::{CHUNK_BYTES, DIGEST_BYTES, HEADER_BYTES, digest, digest_section};
use pdb_gen::{Monitor, PublicKey, install, ship};
use pdb_lab::networks::{Learned, Network, Weights};
use pdb_rt::Table;
use pdb_spec::{Golden, Spec};
use pdb_tests::fuzz::{class, run};
use pdb_tests::scratch;
use pdb_tests::signing::{SigningKey, base64, signature_text};
use pdb_tests::tables::pattern_key;
use tempfile::TempDir;
use tilebase::text::{Replay, WrittenMoves, parse_moves, read_board};

/// The class of the answer to a valid input.
const GOOD: u64 = 0;

/// Returns small tables of each kind.
fn tables() -> Vec<(TableKey, Vec<u8>)> {
    let shape = Shape::new(2, 3).expect("a shape that is supported");
    let pattern = |mode| TableKey::Pattern(pattern_key(shape, CellSet(0b0110), 5, mode));
    let walking = WalkingKey { lines: 2, line_len: 3, blank_line: 1 }.canonical().0;
    let coloured = ColourKey::new(shape, 5, &[CellSet(0b01_0100), CellSet(0b00_1011)]);
    let keys = [
        pattern(BlankMode::Aware),
        pattern(BlankMode::Collapsed),
        pattern(BlankMode::Plain),
        TableKey::Walking(walking),
        TableKey::Coloured(coloured.expect("a colouring").canonical().0),
    ];
    let bytes = |key: &TableKey| {
        pdb_gen::Table::build(key, 1, &Monitor::silent()).expect("a small table").to_bytes()
    };
    keys.map(|key| (key, bytes(&key))).to_vec()
}

/// Makes the digests match again, so that the data behind them is read.
fn seal(bytes: &mut [u8]) {
    if let Some((head, rest)) = bytes.split_at_mut_checked(HEADER_BYTES) {
        if let Some((section, payload)) = rest.split_at_mut_checked(HEADER_BYTES) {
            let chunks: Vec<_> = payload.chunks(CHUNK_BYTES as usize).map(digest).collect();
            let (fresh, payload_digest) = digest_section(&chunks);
            if fresh.len() == section.len() {
                section.copy_from_slice(&fresh);
            }
            head[128..128 + DIGEST_BYTES].copy_from_slice(&payload_digest.0);
        }
        let (covered, own) = head.split_at_mut(HEADER_BYTES - DIGEST_BYTES);
        own.copy_from_slice(&digest(covered).0);
    }
}

#[test]
fn any_network_is_read_or_refused() {
    let header = br#"{"0.weight":{"dtype":"F32","shape":[1,16],"data_offsets":[0,64]},"0.bias":{"dtype":"F32","shape":[1],"data_offsets":[64,68]},"__metadata__":{"format":"tilebase-net-1","goal":"1 2/3 0","shape":"2x2","shift":"{\"0.9\":[1]}"}}"#;
    let plain = [&(header.len() as u64).to_le_bytes()[..], header, &[0; 68]].concat();
    let weights = Weights::read(&plain).expect("the seed is a network");
    // Corrects the length of the header, so that the data behind it is read.
    let sealed = |bytes: &[u8]| -> Vec<u8> {
        let end = bytes.iter().rposition(|&byte| byte == b'}').unwrap_or(bytes.len());
        let header = bytes.get(8..=end).unwrap_or_default();
        [&(header.len() as u64).to_le_bytes()[..], bytes.get(8..).unwrap_or_default()].concat()
    };
    let seeds = [plain.clone(), weights.write(), weights.to_int8().write()];
    let words = ["0.weight", "1.weight", "0.scale", "F32", "I8", "__metadata__", "-0", "[]", "{}"];
    run("network", 20_000, &seeds, &words, |bytes| {
        let answer = |bytes: &[u8]| match Weights::read(bytes) {
            Ok(weights) => {
                let written = weights.write();
                assert_eq!(Weights::read(&written).expect("it was written").write(), written);
                let learned = Learned::new(Network::new(&weights));
                let estimate = learned.estimates(&[*weights.goal.board()])[0];
                assert!(estimate <= 10_000);
                GOOD
            }
            Err(error) => class(&error),
        };
        answer(bytes) ^ answer(&sealed(bytes)).rotate_left(1)
    });
}

#[test]
fn any_table_is_opened_or_refused() {
    let seeds: Vec<_> = tables().into_iter().map(|(_, bytes)| bytes).collect();
    run("table", 20_000, &seeds, &["TILEBASE"], |bytes| {
        let mut bytes = bytes.to_vec();
        seal(&mut bytes);
        match Table::from_bytes("fuzz", bytes) {
            Ok(table) => table.check_payload().map_or_else(|error| class(&error), |()| GOOD),
            Err(error) => class(&error),
        }
    });
}

#[test]
fn any_spec_is_read_or_refused() {
    let names = ["8/4-4", "15/7-8", "15/fringes", "15/walking-distance", "15/7-8-max"];
    let seeds: Vec<_> = names
        .iter()
        .filter_map(|name| {
            let path = format!("{}/../pdb-specs/{name}.toml", env!("CARGO_MANIFEST_DIR"));
            std::fs::read(path).ok()
        })
        .collect();
    assert_eq!(seeds.len(), names.len());
    let words =
        ["goal = ", "partition = ", "'''", "\"\"\"", "A A", "reflect = true", "[[", "{", "}", "."];
    run("spec", 20_000, &seeds, &words, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        match Spec::parse("fuzz", &text) {
            Ok(spec) => {
                assert_eq!(spec.for_goal(&spec.goal).as_ref(), Ok(&spec.plan));
                GOOD
            }
            Err(error) => {
                check_place(&error.to_string(), &text);
                class(&error)
            }
        }
    });
}

/// Checks that an error marks a place inside the text, if it marks one.
fn check_place(error: &str, text: &str) {
    let (_, place) = error.rsplit_once("--> fuzz").expect("it has a name");
    let mut numbers = place.split([':', '\n']).skip(1).map_while(|n| n.parse::<usize>().ok());
    if let (Some(line), Some(column)) = (numbers.next(), numbers.next()) {
        let line = text.split('\n').nth(line - 1);
        let width = line.map(|line| line.chars().count());
        assert!(width.is_some_and(|width| column <= width + 1), "{error}");
    }
}

#[test]
fn any_golden_is_read_or_refused() {
    let path = format!("{}/../pdb-specs/15/7-8.golden", env!("CARGO_MANIFEST_DIR"));
    let seed = std::fs::read(path).expect("it is shipped");
    run("golden", 20_000, &[seed], &["[[table]]", "histogram = ["], |bytes| {
        let text = String::from_utf8_lossy(bytes);
        Golden::parse("fuzz", &text).map_or_else(|error| class(&error), |_| GOOD)
    });
}

/// Returns a folder with the archives of all small tables.
fn shipped() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let paths: Vec<_> = tables()
        .iter()
        .map(|(key, bytes)| {
            let path = folder.path().join("tables").join(key.file_name());
            pdb_gen::write_file(&path, bytes).expect("the folder is writable");
            path
        })
        .collect();
    ship(&paths, &folder.path().join("out"), 1, 1, &Monitor::silent()).expect("they are good");
    folder
}

#[test]
fn any_manifest_is_read_or_refused() {
    let folder = shipped();
    let path = folder.path().join("out/manifest.json");
    let seeds = [std::fs::read(path).expect("it was shipped")];
    let words = ["{", "}", "[", "],", "\"format\": 1", "\"table\": \"", "../", ".pdb", "\\u0000"];
    run("manifest", 20_000, &seeds, &words, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        match Manifest::parse(&text) {
            Ok(manifest) => {
                assert_eq!(Manifest::parse(&manifest.to_json()), Ok(manifest));
                GOOD
            }
            Err(error) => class(&error),
        }
    });
}

/// Returns the text of an input: that of the bytes after `b`, or what comes after `t`.
fn text_of(input: &[u8], encode: fn(&[u8]) -> String) -> String {
    match input.split_first() {
        Some((b'b', bytes)) => encode(bytes),
        _ => String::from_utf8_lossy(input.get(1..).unwrap_or_default()).into_owned(),
    }
}

#[test]
fn any_signature_is_of_the_key_or_refused() {
    let manifest = b"a manifest";
    let (signer, other) = (SigningKey::new(1), SigningKey::new(2));
    let key = PublicKey::parse(&signer.public()).expect("a good key");
    // Two signatures of the key, which may be mixed; the others are invalid.
    let good = ["", "timestamp:1\tfile:manifest.json"].map(|c| signer.sign(manifest, c));
    let bad = [
        signer.sign(b"another", "a comment"),
        signer.sign_legacy(manifest, "a comment"),
        other.sign(manifest, "a comment"),
        SigningKey::with_id(2, [1; 8]).sign(manifest, "a comment"),
    ];
    // Bytes after `b` are written in base64, so that changes get past it.
    let in_bytes = [&signer, &other].map(|key| key.sign_in_bytes(manifest, ""));
    let texts = good.iter().chain(&bad).map(|text| [b"t", text.as_bytes()].concat());
    let seeds: Vec<_> =
        texts.chain(in_bytes.iter().map(|bytes| [b"b", &bytes[..]].concat())).collect();
    let words = ["\n", "\r\n", "=", "==", "RW", "RU", "untrusted comment: ", "trusted comment: "];
    run("signature", 20_000, &seeds, &words, |bytes| {
        let text = text_of(bytes, signature_text);
        match key.verify(manifest, &text) {
            // The first line is not signed.
            Ok(comment) => {
                let is_signed = |good: &String| text.lines().skip(1).eq(good.lines().skip(1));
                assert!(good.iter().any(is_signed), "{comment:?}");
                GOOD
            }
            // The numbers of keys have capital letters.
            Err(error) => class(&error.to_string().to_lowercase()),
        }
    });
}

#[test]
fn any_public_key_is_read_or_refused() {
    let manifest = b"a manifest";
    let signer = SigningKey::new(1);
    let (line, signature) = (signer.public(), signer.sign(manifest, "a comment"));
    let comment = "untrusted comment: minisign public key";
    let file = format!("{comment} {}\n{line}\n", signer.id());
    let seeds = [[b"t", line.as_bytes()], [b"t", file.as_bytes()], [b"b", &signer.public_bytes()]];
    let seeds = seeds.map(|parts| parts.concat());
    run("public key", 20_000, &seeds, &["\n", "\r\n", "=", "RW", "RU", comment], |bytes| {
        let text = text_of(bytes, base64);
        match PublicKey::parse(&text) {
            Ok(key) => match key.verify(manifest, &signature) {
                Ok(_) => {
                    assert_eq!(text.lines().last(), Some(&*line));
                    GOOD
                }
                Err(error) => class(&error.to_string().to_lowercase()),
            },
            Err(error) => class(&error),
        }
    });
}

#[test]
fn any_archive_is_unpacked_or_refused() {
    let folder = shipped();
    let mut seeds = Vec::new();
    for (key, bytes) in tables() {
        // A good archive, and one of a table that was changed before packing.
        let archive = folder.path().join("out").join(format!("{}.zst", key.file_name()));
        let archive = std::fs::read(archive).expect("it was shipped");
        seeds.push([b"a", &archive[..]].concat());
        seeds.push([b"t", &bytes[..]].concat());
        seeds.push([b"s", &bytes[..]].concat());
    }
    let place = scratch();
    let path = place.path().join("fuzz.pdb.zst");
    let target = place.path().join("tables");
    run("archive", 2_000, &seeds, &["\u{28}\u{35}"], |bytes| {
        let (kind, bytes) = bytes.split_first().unwrap_or((&b'a', &[]));
        let mut table = bytes.to_vec();
        if *kind == b's' {
            seal(&mut table);
        }
        let packed = if *kind == b'a' {
            table
        } else {
            let pack = |part: &[u8]| zstd::bulk::compress(part, 1).expect("anything is packed");
            let (head, payload) = table.split_at(table.len().min(2 * HEADER_BYTES));
            [pack(head), pack(payload)].concat()
        };
        let file = File::options().write(true).create(true).truncate(true).open(&path);
        file.and_then(|mut file| file.write_all(&packed)).expect("writable");
        let result =
            install(std::slice::from_ref(&path), &target, None, &|_| None, 1, &Monitor::silent());
        // Only a table under its own name may remain.
        for entry in target.read_dir().into_iter().flatten() {
            let entry = entry.expect("the folder can be listed").path();
            assert!(result.is_ok() && entry.extension().is_some_and(|e| e == "pdb"), "{entry:?}");
            std::fs::remove_file(entry).expect("it is there");
        }
        assert_eq!(place.path().read_dir().expect("it is there").count(), 2);
        result.map_or_else(|error| class(&error), |_| GOOD)
    });
}

#[test]
fn any_board_is_read_or_refused() {
    let seeds = [
        "1 2 3/4 5 6/7 8 0",
        "1,2,3,4;5,6,7,8;9,10,11,12;13,14,15,_",
        "0 1\n2 3",
        "1 2 3 .",
        "| 1 | 2 |\n|---|---|\n| 3 |   |\n",
        "[[1,2,3],[4,5,6],[7,8,null]]",
        "fe169b4c0a73d852",
    ]
    .map(|text| text.as_bytes().to_vec());
    let signs = "/ ; , . _ 36 é [[ ],[ ) { \" ' null x -- + * □ │ #".split(' ');
    let words: Vec<&str> = signs.chain([" 0", "\n", "\t", "\r\n", "\0", "1 2 3 4 5 6"]).collect();
    let shapes = [None, Shape::new(2, 2).ok(), Shape::new(3, 3).ok(), Shape::new(2, 4).ok()];
    run("board", 20_000, &seeds, &words, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let answers = shapes.map(|shape| match read_board(&text, shape) {
            Ok(board) => {
                assert!(shape.is_none_or(|shape| board.shape() == shape));
                assert_eq!(read_board(&text, Some(board.shape())).as_ref(), Ok(&board));
                assert_eq!(read_board(&board.to_string(), None).as_ref(), Ok(&board));
                assert_eq!(board.to_string().parse().as_ref(), Ok(&board));
                GOOD
            }
            Err(error) => {
                let (message, drawing) = (error.to_string(), error.drawing());
                assert!(message.len() < 600 && !message.contains(char::is_control), "{message:?}");
                assert!(drawing.lines().all(|line| !line.contains(char::is_control)));
                assert!(drawing.lines().skip(1).all(|line| line.chars().count() < 80), "{drawing}");
                let is_in_text = |at| at == text.len() || text.is_char_boundary(at);
                assert!(error.position().is_none_or(is_in_text), "{error:?}");
                class(&error)
            }
        });
        answers[0]
    });
}

#[test]
fn any_moves_are_read_or_refused() {
    let board: Board = "1 2 3/4 5 6/7 8 0".parse().expect("this is a board");
    let seeds =
        ["ULDR", "u2 l3 d r", "U, L, D10 R36", "6 5 8, 6"].map(|text| text.as_bytes().to_vec());
    let words =
        ["U", "6 ", "15", "0", "l36", "r99999999999999999999", ",", " ", "\u{e9}", "\u{0664}"];
    run("moves", 20_000, &seeds, &words, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(written) = WrittenMoves::parse(&text, false) {
            let replay = written.replay(&board);
            assert_eq!(replay.illegal.is_some(), replay.moves.len() < written.len());
            assert_eq!(board.after(&replay.moves), Ok(replay.board));
            let style = MoveStyle { naming: MoveNaming::Tiles, counted: false };
            let tiles = format_moves(&board, &replay.moves, style);
            let again = WrittenMoves::parse(&tiles, false).expect("tiles are moves");
            assert_eq!(again.replay(&board), Replay { illegal: None, ..replay });
        }
        for of_blank in [false, true] {
            match parse_moves(&text, of_blank) {
                Ok(moves) => {
                    // The limit is the longest run of moves that one character can ask for.
                    assert!(moves.len() <= text.len() * pdb_core::CELLS_MAX);
                    assert_eq!(parse_moves(&letters(&moves), false), Ok(moves));
                }
                Err(error) => return class(&error),
            }
        }
        GOOD
    });
}
