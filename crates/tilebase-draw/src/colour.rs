//! Colours on light and dark paper.

/// A colour that follows the paper, or a fixed one. Tiles look as those of the page in the browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Lines and letters.
    Ink,
    /// Secondary text and lines.
    Quiet,
    /// Grid lines and empty cells.
    Grid,
    /// Background.
    Paper,
    /// Face of a tile without a colour of its own.
    Tile,
    /// Edge of such a tile.
    TileEdge,
    /// Number of such a tile at home.
    AtHome,
    /// Ground of a board, below its tiles.
    Tray,
    /// The same on any paper, as `#rrggbb`.
    Fixed(&'static str),
}

/// Light or dark paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// The reader's preference. Raster images are light.
    #[default]
    Auto,
    /// Light paper.
    Light,
    /// Dark paper.
    Dark,
}

impl Colour {
    /// Colours of all pictures that follow the paper.
    pub(crate) const OF_PAPER: [Self; 4] = [Self::Ink, Self::Quiet, Self::Grid, Self::Paper];
    /// Colours of boards that follow the paper.
    pub(crate) const OF_BOARDS: [Self; 4] = [Self::Tile, Self::TileEdge, Self::AtHome, Self::Tray];

    /// Returns the colour on light paper, and the class in SVG.
    pub(crate) fn parts(self) -> (&'static str, &'static str) {
        match self {
            Self::Ink => ("#282828", "ink"),
            Self::Quiet => ("#6a6a6a", "quiet"),
            Self::Grid => ("#e1e1e1", "grid"),
            Self::Paper => ("#ffffff", "paper"),
            Self::Tile => ("#ffffff", "tile"),
            Self::TileEdge => ("#cfcac0", "tile-edge"),
            Self::AtHome => ("#0b6699", "at-home"),
            Self::Tray => ("#e9e6e0", "tray"),
            Self::Fixed(colour) => (colour, "mark"),
        }
    }

    /// Returns the colour on a paper, as `#rrggbb`.
    pub fn on(self, theme: Theme) -> &'static str {
        match (theme, self) {
            (Theme::Auto | Theme::Light, _) | (_, Self::Fixed(_)) => self.parts().0,
            (Theme::Dark, Self::Ink) => "#e6e8eb",
            (Theme::Dark, Self::Quiet) => "#9aa4af",
            (Theme::Dark, Self::Grid) => "#343b44",
            (Theme::Dark, Self::Paper) => "#15191e",
            (Theme::Dark, Self::Tile) => "#2a333b",
            (Theme::Dark, Self::TileEdge) => "#10151a",
            (Theme::Dark, Self::AtHome) => "#6cc0ee",
            (Theme::Dark, Self::Tray) => "#0b0e11",
        }
    }
}

/// Colours that colour-blind readers can distinguish (M. Okabe and K. Ito, "Color universal
/// design", 2008).
pub const COLOURS: [&str; 7] =
    ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#6e6e6e"];

/// Sequential colours from light to dark.
pub(crate) const STEPS: [&str; 7] =
    ["#dceaf4", "#b9d7ea", "#8fc0de", "#5fa4cd", "#2f86b8", "#0b6699", "#084a70"];

/// Returns red, green and blue of `#rrggbb`.
pub(crate) fn rgb(colour: &str) -> [u8; 3] {
    let part = |at: usize| {
        let digits = colour.get(at..at + 2);
        digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).unwrap_or(0)
    };
    [part(1), part(3), part(5)]
}

/// Returns a readable colour for letters on a background.
pub(crate) fn letters_on(colour: &str) -> Colour {
    let [red, green, blue] = rgb(colour).map(f64::from);
    // Luma weights of BT.601.
    let brightness = 0.299 * red + 0.587 * green + 0.114 * blue;
    Colour::Fixed(if brightness > 140.0 { "#1b1b1b" } else { "#ffffff" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_contrast_with_their_background() {
        assert_eq!(letters_on("#0072b2"), Colour::Fixed("#ffffff"));
        assert_eq!(letters_on("#e69f00"), Colour::Fixed("#1b1b1b"));
        assert_eq!(rgb("#0a14ff"), [10, 20, 255]);
    }

    #[test]
    fn fixed_colours_ignore_the_theme() {
        for colour in [Colour::OF_PAPER, Colour::OF_BOARDS].concat() {
            assert_ne!(colour.on(Theme::Light), colour.on(Theme::Dark));
            assert_eq!(colour.on(Theme::Light), colour.on(Theme::Auto));
        }
        assert_eq!(Colour::Fixed("#0072b2").on(Theme::Dark), "#0072b2");
    }
}
