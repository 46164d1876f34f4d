//! Colours, on light paper and on dark.

/// A colour: one that follows the paper, or a fixed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Lines and letters.
    Ink,
    /// What stands back.
    Quiet,
    /// Lines behind what is shown, and empty cells.
    Grid,
    /// What all is drawn on.
    Paper,
    /// The same on any paper, as `#rrggbb`.
    Fixed(&'static str),
}

/// Light or dark paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Whichever the reader prefers; a picture of dots is light.
    #[default]
    Auto,
    /// Light paper.
    Light,
    /// Dark paper.
    Dark,
}

impl Colour {
    /// What it is on light paper, and its class.
    pub(crate) fn parts(self) -> (&'static str, &'static str) {
        match self {
            Self::Ink => ("#282828", "ink"),
            Self::Quiet => ("#6a6a6a", "quiet"),
            Self::Grid => ("#e1e1e1", "grid"),
            Self::Paper => ("#ffffff", "paper"),
            Self::Fixed(colour) => (colour, "mark"),
        }
    }

    /// What it is on some paper, as `#rrggbb`.
    pub fn on(self, theme: Theme) -> &'static str {
        match (theme, self) {
            (Theme::Auto | Theme::Light, _) | (_, Self::Fixed(_)) => self.parts().0,
            (Theme::Dark, Self::Ink) => "#e6e8eb",
            (Theme::Dark, Self::Quiet) => "#9aa4af",
            (Theme::Dark, Self::Grid) => "#343b44",
            (Theme::Dark, Self::Paper) => "#15191e",
        }
    }
}

/// Colours that people who see fewer of them can tell apart (M. Okabe and K. Ito, "Color universal
/// design", 2008).
pub const COLOURS: [&str; 7] =
    ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#6e6e6e"];

/// Steps from near to far, each darker than the one before.
pub(crate) const STEPS: [&str; 7] =
    ["#dceaf4", "#b9d7ea", "#8fc0de", "#5fa4cd", "#2f86b8", "#0b6699", "#084a70"];

/// Red, green and blue of `#rrggbb`.
pub(crate) fn rgb(colour: &str) -> [u8; 3] {
    let part = |at: usize| {
        let digits = colour.get(at..at + 2);
        digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).unwrap_or(0)
    };
    [part(1), part(3), part(5)]
}

/// The letters that are read best on a colour: dark ones on light, light ones on dark.
pub(crate) fn letters_on(colour: &str) -> Colour {
    let [red, green, blue] = rgb(colour).map(f64::from);
    // The weights of BT.601: how bright people see the three.
    let brightness = 0.299 * red + 0.587 * green + 0.114 * blue;
    Colour::Fixed(if brightness > 140.0 { "#1b1b1b" } else { "#ffffff" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_differ_from_what_they_stand_on() {
        assert_eq!(letters_on("#0072b2"), Colour::Fixed("#ffffff"));
        assert_eq!(letters_on("#e69f00"), Colour::Fixed("#1b1b1b"));
        assert_eq!(rgb("#0a14ff"), [10, 20, 255]);
    }

    #[test]
    fn only_what_follows_the_paper_is_another_colour_on_dark_paper() {
        for colour in [Colour::Ink, Colour::Quiet, Colour::Grid, Colour::Paper] {
            assert_ne!(colour.on(Theme::Light), colour.on(Theme::Dark));
            assert_eq!(colour.on(Theme::Light), colour.on(Theme::Auto));
        }
        assert_eq!(Colour::Fixed("#0072b2").on(Theme::Dark), "#0072b2");
    }
}
