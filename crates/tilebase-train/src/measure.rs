//! Measures a network on boards that it was not trained on, and fits the shift that lowers its
//! estimates so that few of them are too large.

use std::collections::BTreeMap;
use std::fmt::Write;

use pdb_core::Board;
use pdb_lab::networks::{Learned, Network, SHIFT_MOVES, Shift, Weights};
use serde::Serialize;

use crate::Labels;

/// Last distance of each band in the report of errors; there is one more band, which has no end.
const BANDS: [u16; 4] = [15, 25, 35, 45];
/// Smallest number of boards that a shift is fitted to.
const SHIFT_BOARDS_MIN: usize = 200;
/// Number of boards that are estimated together.
const PORTION: usize = 1024;
/// Shares of boards whose estimates must not be too large.
const SHARES: [&str; 3] = ["0.9", "0.99", "0.999"];

/// The boards that [`judge`] measures a network on. Errors on random boards at the same distances
/// are usually larger.
pub const MEASURED_ON: &str = "held-out boards on ways to the goal";

/// The errors of estimates on boards whose distances lie in a band.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Band {
    /// The smallest distance, in moves.
    pub from: u16,
    /// The largest distance, in moves.
    pub to: u16,
    /// Number of boards.
    pub boards: usize,
    /// Mean of |estimate - distance|, in moves.
    pub error: f64,
    /// Mean of estimate - distance, in moves.
    pub bias: f64,
    /// Share of estimates that exceed the distance.
    pub over: f64,
}

/// Returns the errors of estimates on labelled boards, band by band, without empty bands.
pub fn bands(estimate: impl Fn(&[Board]) -> Vec<u32>, labels: &Labels) -> Vec<Band> {
    let mut sums = [[0f64; 4]; BANDS.len() + 1];
    for first in (0..labels.len()).step_by(PORTION) {
        let numbers = first..(first + PORTION).min(labels.len());
        let boards: Vec<Board> = numbers.clone().map(|number| labels.board(number)).collect();
        for (number, estimate) in numbers.zip(estimate(&boards)) {
            let distance = labels.distance(number);
            let error = f64::from(estimate) - f64::from(distance);
            let band = BANDS.iter().filter(|&&end| distance > end).count();
            let over = f64::from(u8::from(error > 0.0));
            for (sum, more) in sums[band].iter_mut().zip([1.0, error.abs(), error, over]) {
                *sum += more;
            }
        }
    }
    let band = |(number, [boards, error, bias, over]): (usize, [f64; 4])| Band {
        from: number.checked_sub(1).map_or(0, |before| BANDS[before] + 1),
        to: BANDS.get(number).copied().unwrap_or(u16::MAX).min(labels.greatest()),
        boards: boards as usize,
        error: rounded(error / boards),
        bias: rounded(bias / boards),
        over: rounded(over / boards),
    };
    sums.into_iter().enumerate().filter(|(_, [boards, ..])| *boards > 0.0).map(band).collect()
}

/// Returns the mean error and the share of overestimates over all bands.
pub fn overall(bands: &[Band]) -> (f64, f64) {
    let boards: f64 = bands.iter().map(|band| band.boards as f64).sum();
    let mean = |of: fn(&Band) -> f64| {
        rounded(
            bands.iter().map(|band| of(band) * band.boards as f64).sum::<f64>() / boards.max(1.0),
        )
    };
    (mean(|band| band.error), mean(|band| band.over))
}

/// Formats the errors of a network and of Manhattan distance on the same held-out boards as a
/// table, with a heading that says which boards these are.
pub fn table(network: &[Band], manhattan: &[Band]) -> String {
    let mut text = format!(
        "errors on {MEASURED_ON}; on random boards they are usually larger\n\
         distance    boards   error    bias  too large   Manhattan's error\n"
    );
    for (band, manhattan) in network.iter().zip(manhattan) {
        let Band { from, to, boards, error, bias, over } = band;
        let span = format!("{from}-{to}");
        let _ = writeln!(
            text,
            "{span:<10} {boards:>7} {error:>7.3} {bias:>7.3} {:>9.1}% {:>19.3}",
            over * 100.0,
            manhattan.error,
        );
    }
    text
}

/// Fits the shift that leaves at most `1 - share` of the estimates too large, for each size of
/// output. An estimate has the same parity as the distance, so it is too large if the output is at
/// least 1 too large.
pub fn fit_shift(network: &Network, labels: &Labels, share: &str) -> Shift {
    let outputs = outputs(network, labels);
    let wanted: f64 = share.parse().unwrap_or(0.5);
    let quantile = |errors: &mut Vec<f32>| {
        errors.sort_unstable_by(f32::total_cmp);
        let at = (errors.len() as f64 * wanted).ceil() as usize;
        let error = errors[at.clamp(1, errors.len()) - 1];
        // Rounded up, so that the remaining error is less than 1.
        if error < 1.0 { 0.0 } else { (((error - 1.0) * 1000.0).floor() + 1.0) / 1000.0 }
    };
    let most = outputs.iter().fold(0f32, |most, &output| most.max(output));
    let buckets = most as usize / SHIFT_MOVES + 1;
    let mut errors = vec![Vec::new(); buckets];
    for (number, output) in outputs.iter().enumerate() {
        let error = output - f32::from(labels.distance(number));
        errors[*output as usize / SHIFT_MOVES].push(error);
    }
    let mut moves = Vec::new();
    for errors in &mut errors {
        // With too few boards, the shift of the smaller outputs continues.
        let before = moves.last().copied().unwrap_or(0.0);
        let is_enough = errors.len() >= SHIFT_BOARDS_MIN;
        let shift = if is_enough { quantile(errors) } else { before };
        moves.push(shift);
    }
    Shift { share: share.to_owned(), moves }
}

fn outputs(network: &Network, labels: &Labels) -> Vec<f32> {
    let boards: Vec<_> = (0..labels.len()).map(|number| labels.board(number)).collect();
    network.outputs(&boards)
}

/// Measures a network on held-out boards, fits its shifts, and writes both into its notes. The
/// shifts are fitted on one half of the boards and measured on the other half.
///
/// Returns the errors of the network without a shift.
pub fn judge(weights: &mut Weights, held_out: &Labels) -> Vec<Band> {
    let network = Network::new(weights);
    let learned = Learned::new(network.clone());
    let bands = bands(|boards| learned.estimates(boards), held_out);
    let mut halves = [Labels::new(held_out.goal()), Labels::new(held_out.goal())];
    // Boards of one solution follow each other, so two halves cut in blocks share almost no board.
    for number in 0..held_out.len() {
        let half = number / 4096 % 2;
        halves[half].push(&held_out.board(number), held_out.distance(number));
    }
    let [fitted, measured] =
        if halves[1].is_empty() { [held_out.clone(), held_out.clone()] } else { halves };
    let shifts = SHARES.map(|share| fit_shift(&network, &fitted, share));
    let by_share: BTreeMap<&str, &[f32]> =
        shifts.iter().map(|shift| (shift.share.as_str(), &shift.moves[..])).collect();
    weights.notes.insert("shift".to_owned(), json(&by_share));
    weights.notes.insert("error".to_owned(), json(&bands));
    let network = Network::new(weights);
    let mut shares = BTreeMap::new();
    for share in SHARES {
        let lowered = Learned::with_share(network.clone(), share).expect("it was just fitted");
        let bands = self::bands(|boards| lowered.estimates(boards), &measured);
        let (error, over) = overall(&bands);
        shares.insert(share, ShiftedErrors { error, over });
    }
    weights.notes.insert("shift_measured".to_owned(), json(&shares));
    bands
}

/// Error and share of overestimates with a shift, on boards that it was not fitted on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct ShiftedErrors {
    error: f64,
    over: f64,
}

/// Returns a value as JSON text, because notes are texts.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers and texts are JSON")
}

fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}
