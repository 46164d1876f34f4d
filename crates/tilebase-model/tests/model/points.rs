//! All feasible points of a small integer program, found by exhaustive search.

use tilebase_model::{Model, Sense};

/// Returns every point that satisfies all bounds and rows. Prunes by the least and greatest sum of
/// each row.
pub(crate) fn points(model: &Model) -> Vec<Vec<i64>> {
    let bounds = model.variables.iter().map(|variable| (variable.low, variable.high)).collect();
    let mut rows_of = vec![Vec::new(); model.variables.len()];
    for (place, row) in model.rows.iter().enumerate() {
        for term in &row.terms {
            rows_of[term.variable].push(place);
        }
    }
    let mut found = Vec::new();
    let all = (0..model.rows.len()).collect();
    Search { model, rows_of, found: &mut found }.branch(bounds, all);
    for point in &found {
        assert_eq!(model.check(point), Ok(()));
    }
    found
}

type Bounds = Vec<(i64, i64)>;

struct Search<'a> {
    model: &'a Model,
    rows_of: Vec<Vec<usize>>,
    found: &'a mut Vec<Vec<i64>>,
}

impl Search<'_> {
    /// Narrows all bounds, then tries every value of the first variable that is not fixed.
    fn branch(&mut self, mut bounds: Bounds, changed: Vec<usize>) {
        if !self.narrow(&mut bounds, changed) {
            return;
        }
        let Some(place) = bounds.iter().position(|(low, high)| low < high) else {
            self.found.push(bounds.iter().map(|(low, _)| *low).collect());
            return;
        };
        let (low, high) = bounds[place];
        for value in low..=high {
            let mut narrower = bounds.clone();
            narrower[place] = (value, value);
            self.branch(narrower, self.rows_of[place].clone());
        }
    }

    /// Removes values that a row excludes. Returns false if a row cannot hold.
    fn narrow(&self, bounds: &mut Bounds, mut changed: Vec<usize>) -> bool {
        while let Some(place) = changed.pop() {
            let row = &self.model.rows[place];
            let signs: &[i64] = match row.sense {
                Sense::AtMost => &[1],
                Sense::AtLeast => &[-1],
                Sense::Equal => &[1, -1],
            };
            // Each as `sum <= right`.
            for sign in signs {
                let least = |factor: i64, (low, high): (i64, i64)| {
                    if factor > 0 { factor * low } else { factor * high }
                };
                let sum: i64 =
                    row.terms.iter().map(|t| least(sign * t.factor, bounds[t.variable])).sum();
                let spare = sign * row.right - sum;
                if spare < 0 {
                    return false;
                }
                for term in &row.terms {
                    let factor = sign * term.factor;
                    let (low, high) = bounds[term.variable];
                    let room = spare / factor.abs();
                    let narrower = if factor > 0 {
                        (low, high.min(low + room))
                    } else {
                        (low.max(high - room), high)
                    };
                    if narrower != (low, high) {
                        bounds[term.variable] = narrower;
                        changed.extend(&self.rows_of[term.variable]);
                    }
                }
            }
        }
        true
    }
}
