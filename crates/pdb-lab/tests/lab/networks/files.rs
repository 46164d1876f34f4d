//! Files of weights: written, read, and damaged in every way.

use pdb_lab::networks::{NetError, Weights};
use serde_json::{Map, Value, json};

use super::{goal, network};

fn example() -> Weights {
    let mut weights = network(&goal(2, 3), &[5], 1);
    weights.notes.insert("seed".to_owned(), "1".to_owned());
    weights
}

/// Makes a file of a header and numbers.
fn file(header: &[u8], numbers: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes()[..], header, numbers].concat()
}

/// Reads a file of a header and numbers.
fn read(header: &Map<String, Value>, numbers: &[u8]) -> Result<Weights, NetError> {
    Weights::read(&file(&serde_json::to_vec(header).unwrap(), numbers))
}

/// Returns header and numbers of a file.
fn parts(bytes: &[u8]) -> (Map<String, Value>, Vec<u8>) {
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    (serde_json::from_slice(&bytes[8..8 + length]).unwrap(), bytes[8 + length..].to_vec())
}

/// Returns the error of the example's file after a change.
fn problem(change: impl FnOnce(&mut Map<String, Value>, &mut Vec<u8>)) -> NetError {
    let (mut header, mut numbers) = parts(&example().write());
    change(&mut header, &mut numbers);
    read(&header, &numbers).unwrap_err()
}

#[test]
fn reads_and_writes_the_same_bytes() {
    let (deep, flat) = (network(&goal(4, 4), &[128, 64, 8], 2), network(&goal(3, 5), &[], 3));
    for weights in [example(), deep, flat].into_iter().flat_map(|w| [w.to_int8(), w]) {
        let bytes = weights.write();
        let read = Weights::read(&bytes).unwrap();
        assert_eq!(read, weights);
        assert_eq!(read.write(), bytes);
        let whole = read.to_int8();
        assert_eq!(whole.to_int8(), whole);
    }
}

#[test]
fn reads_a_file_of_numpy_or_pytorch() {
    // Another order of tensors, and spaces after the header.
    let smallest = f32::from_bits(1);
    let mut numbers = Vec::new();
    for number in [1.0, -2.0, 0.5, smallest] {
        numbers.extend(number.to_le_bytes().repeat(4));
    }
    numbers.extend(7f32.to_le_bytes());
    let header = json!({
        "0.weight": {"dtype": "F32", "shape": [1, 16], "data_offsets": [0, 64]},
        "0.bias": {"dtype": "F32", "shape": [1], "data_offsets": [64, 68]},
        "__metadata__": {"format": "tilebase-net-1", "shape": "2x2", "goal": "1 2/3 0"},
    });
    let mut header = serde_json::to_vec(&header).unwrap();
    header.extend_from_slice(b"   ");
    let weights = Weights::read(&file(&header, &numbers)).unwrap();
    assert_eq!(weights.layers[0].biases, [7.0]);
    assert_eq!(weights.layers[0].weights[..5], [1.0, 1.0, 1.0, 1.0, -2.0]);
    assert_eq!(weights.layers[0].weights[12].to_bits(), smallest.to_bits());
}

#[test]
fn rejects_a_file_that_is_cut_short_or_longer() {
    let bytes = example().write();
    for length in 0..bytes.len() {
        assert!(Weights::read(&bytes[..length]).is_err(), "{length}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(Weights::read(&longer), Err(NetError::Length { .. })));
    for length in [u64::MAX, u64::MAX - 8, 1 << 40, bytes.len() as u64] {
        let mut bytes = bytes.clone();
        bytes[..8].copy_from_slice(&length.to_le_bytes());
        assert!(matches!(Weights::read(&bytes), Err(NetError::Length { .. })), "{length}");
    }
    let long = vec![0; 17 << 20];
    assert!(matches!(Weights::read(&long), Err(NetError::TooLong { .. })));
}

#[test]
fn rejects_places_outside_the_file_and_overlaps() {
    let place = |header: &mut Map<String, Value>, name: &str, place: Value| {
        header[name]["data_offsets"] = place;
    };
    for offsets in [json!([0, u64::MAX]), json!([4, 0]), json!([1u64 << 40, 1u64 << 41])] {
        let error = problem(|header, _| place(header, "0.bias", offsets));
        assert!(matches!(error, NetError::Tensor { .. }), "{error}");
    }
    // The right number of bytes, but they belong to another tensor.
    let error = problem(|header, _| place(header, "0.bias", json!([4, 24])));
    assert!(matches!(error, NetError::Tensor { .. }), "{error}");
    for shape in [json!([u64::MAX, u64::MAX]), json!([6]), json!([0])] {
        let error = problem(|header, _| header["0.bias"]["shape"] = shape);
        assert!(matches!(error, NetError::Tensor { .. }), "{error}");
    }
}

#[test]
fn rejects_bad_headers() {
    let read = |header: &[u8]| Weights::read(&file(header, &[])).unwrap_err();
    let (deep, twice) = ("[".repeat(100_000), r#"{"__metadata__":{},"__metadata__":{}}"#);
    for header in
        ["", "[]", "{", "\u{0}", r#"{"0.bias": 3}"#, r#"{"__metadata__": {"a": 1}}"#, &deep, twice]
    {
        let error = read(header.as_bytes());
        assert!(matches!(error, NetError::Header { .. }), "{error}");
    }
    let tensor = |end| {
        format!(r#""0.bias":{{"dtype":"I8","shape":[1],"data_offsets":[{},{end}]}}"#, end - 1)
    };
    let twice = format!("{{{},{}}}", tensor(1), tensor(2));
    let error = Weights::read(&file(twice.as_bytes(), &[0; 2])).unwrap_err();
    assert!(matches!(error, NetError::Tensor { .. }), "{error}");
    assert!(matches!(read(b"{}"), NetError::Note { key: "format", .. }));
}

#[test]
fn rejects_missing_and_wrong_notes() {
    let note = |key: &'static str, value: Option<&str>| {
        problem(move |header, _| {
            let notes = header["__metadata__"].as_object_mut().unwrap();
            match value {
                Some(value) => notes.insert(key.to_owned(), value.into()),
                None => notes.remove(key),
            };
        })
    };
    for key in ["format", "shape", "goal"] {
        assert!(matches!(note(key, None), NetError::Note { .. }));
    }
    for (key, value) in [
        ("format", "tilebase-net-2"),
        ("goal", "1 1 2/3 4 5"),
        ("shape", "3x2"),
        ("shape", "big"),
        ("shift", "{}x"),
        ("shift", r#"{"2":[1]}"#),
        ("shift", r#"{"0.9":[]}"#),
        ("shift", r#"{"0.9":[1e9]}"#),
        ("shift", r#"{"a":[1]}"#),
        ("shift", r#"{"0.9":[0.5,-0.001]}"#),
    ] {
        assert!(matches!(note(key, Some(value)), NetError::Note { .. }), "{key}: {value}");
    }
}

fn is_number(error: &NetError) -> bool {
    error.to_string().contains(": expected numbers between -1000000 and 1000000; ")
}

#[test]
fn rejects_flipped_bits_of_weights_and_notes() {
    for weights in [example(), example().to_int8()] {
        let bytes = weights.write();
        let (_, numbers) = parts(&bytes);
        let begin = bytes.len() - numbers.len();
        for at in begin..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            let error = Weights::read(&damaged).unwrap_err();
            let is_told = matches!(error, NetError::Digest { .. }) || is_number(&error);
            assert!(is_told, "{at}: {error}");
        }
    }
    let error = problem(|header, _| header["__metadata__"]["seed"] = "2".into());
    assert!(matches!(error, NetError::Digest { .. }), "{error}");
    // A file that was made without a digest is read, and written with one.
    let (mut header, numbers) = parts(&example().write());
    header["__metadata__"].as_object_mut().unwrap().remove("digest").unwrap();
    assert_eq!(read(&header, &numbers).unwrap().write(), example().write());
}

#[test]
fn rejects_layers_that_do_not_fit() {
    // Its bytes remain, and no tensor has them.
    let error = problem(|header, _| drop(header.remove("1.bias").unwrap()));
    assert!(matches!(error, NetError::Tensor { .. }), "{error}");
    let rename = |from: &'static str, to: &'static str| {
        problem(move |header, _| {
            let tensor = header.remove(from).unwrap();
            header.insert(to.to_owned(), tensor);
        })
    };
    assert!(matches!(rename("1.bias", "2.bias"), NetError::Tensor { .. }));
    assert!(matches!(rename("0.weight", "fc1.weight"), NetError::Tensor { .. }));
    assert!(matches!(rename("1.weight", "2.weight"), NetError::Tensor { .. }));
    let reshape =
        |name: &'static str, shape: Value| problem(move |header, _| header[name]["shape"] = shape);
    for shape in [json!([36, 5]), json!([180]), json!([5, 36, 1])] {
        assert!(matches!(reshape("0.weight", shape), NetError::Tensor { .. }));
    }
    assert!(matches!(reshape("0.bias", json!([5, 1])), NetError::Tensor { .. }));
    // A network of the size of the 8-puzzle that claims to be for 2x3 boards.
    let (mut header, numbers) = parts(&network(&goal(3, 3), &[5], 1).write());
    header["__metadata__"]["shape"] = "2x3".into();
    header["__metadata__"]["goal"] = "1 2 3/4 5 0".into();
    assert!(matches!(read(&header, &numbers), Err(NetError::Tensor { .. })));
    // Two outputs.
    let mut two = network(&goal(2, 3), &[5], 1);
    two.layers.truncate(1);
    assert!(matches!(Weights::read(&two.write()), Err(NetError::Tensor { .. })));
}

#[test]
fn rejects_unknown_types_and_infinite_numbers() {
    for dtype in ["F64", "F16", "BF16", "BOOL", "", "f32"] {
        let error = problem(|header, _| header["0.bias"]["dtype"] = dtype.into());
        assert!(matches!(error, NetError::Tensor { .. }), "{error}");
    }
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.5e6] {
        for at in [0, 1, 5] {
            let error = problem(|_, numbers| {
                numbers[4 * at..][..4].copy_from_slice(&number.to_le_bytes());
            });
            assert!(is_number(&error), "{error}");
        }
    }
    // Eight bits have no meaning without a scale.
    let (mut header, numbers) = parts(&example().to_int8().write());
    header.remove("0.scale");
    let error = read(&header, &numbers).unwrap_err();
    assert!(matches!(error, NetError::Tensor { .. }), "{error}");
}
