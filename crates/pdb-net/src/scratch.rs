//! What evaluating needs room for.

/// Widths are filled up with zeros to a multiple of this, so that loops have no remainder.
pub(crate) const LANES: usize = 16;

/// Room for what is worked out on the way to an output. It may be used again and again.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(crate) floats: [Vec<f32>; 2],
    pub(crate) whole: Vec<i16>,
    pub(crate) active: Vec<u32>,
}
