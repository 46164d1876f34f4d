//! Networks that are compiled in.

/// The networks that are compiled in: a name, and the file.
pub const SHIPPED: [(&str, &[u8]); 2] = [
    ("8", include_bytes!("../../nets/8-puzzle.safetensors")),
    ("15", include_bytes!("../../nets/15-puzzle.safetensors")),
];

/// The file of a network that is compiled in, by its name: the number of tiles.
pub fn shipped(name: &str) -> Option<&'static [u8]> {
    SHIPPED.into_iter().find(|(known, _)| *known == name).map(|(_, bytes)| bytes)
}
