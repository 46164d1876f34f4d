//! Embedded networks.

/// Names and files of the embedded networks.
pub const SHIPPED: [(&str, &[u8]); 2] = [
    ("8", include_bytes!("../../nets/8-puzzle.safetensors")),
    ("15", include_bytes!("../../nets/15-puzzle.safetensors")),
];

/// Returns the file of an embedded network by its name, which is the number of tiles.
pub fn shipped(name: &str) -> Option<&'static [u8]> {
    SHIPPED.into_iter().find(|(known, _)| *known == name).map(|(_, bytes)| bytes)
}
