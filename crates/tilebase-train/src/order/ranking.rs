//! The network in floats, and its training: of two boards of a group, the one that is nearer to the
//! goal must come first.

use std::sync::atomic::{AtomicBool, Ordering};

use pdb_core::Goal;
use pdb_core::processor::with_wide_registers;
use tilebase::pdb_search::OrderNetwork;
use tilebase::sets::Dice;

use super::groups::{GROUP, Groups};
use super::loss::{PairCount, loss};
use crate::TrainError;
use crate::chain::{Adam, Chain, Units};
use crate::mirror::mirrored_pairs;

/// Groups of a step.
pub(super) const BATCH: usize = 256;

/// A network that orders boards, and the state of its training.
pub(super) struct Ranking {
    pub(super) chain: Chain,
    adam: Adam,
    gradient: Vec<f32>,
    units: [Units; GROUP],
    rows: [Vec<u32>; GROUP],
    /// The mirror image of each pair, if the goal has one.
    mirror: Option<Vec<u32>>,
}

impl Ranking {
    pub(super) fn new(goal: &Goal, dice: &mut Dice) -> Self {
        let cells = goal.shape().cell_count();
        let chain = Chain::new(cells * cells, cells, &OrderNetwork::HIDDEN, true, dice);
        let count = chain.values.len();
        Self {
            chain,
            adam: Adam::new(count),
            gradient: vec![0.0; count],
            units: Default::default(),
            rows: Default::default(),
            mirror: mirrored_pairs(goal),
        }
    }

    /// Makes steps of Adam on random groups, with a rate that goes from the first to the last of
    /// `rates`. Returns the share of pairs that were in the right order.
    ///
    /// # Errors
    /// [`TrainError::Stopped`].
    pub(super) fn fit(
        &mut self,
        groups: &Groups,
        steps: usize,
        rates: [f32; 2],
        dice: &mut Dice,
        stop: &AtomicBool,
    ) -> Result<f64, TrainError> {
        let mut right = PairCount::default();
        for step in 0..steps {
            if stop.load(Ordering::Relaxed) {
                return Err(TrainError::Stopped);
            }
            self.gradient.fill(0.0);
            with_wide_registers(
                #[inline(always)]
                || {
                    for _ in 0..BATCH {
                        let is_mirrored = self.mirror.is_some() && dice.below(2) == 0;
                        self.add_group(groups, dice.below(groups.len()), is_mirrored, &mut right);
                    }
                },
            );
            let rate = rates[0] + (rates[1] - rates[0]) * step as f32 / steps as f32;
            self.adam.step(&mut self.chain.values, &self.gradient, 1.0 / BATCH as f32, rate);
        }
        Ok(right.share())
    }

    /// Adds the gradient of a group's loss.
    #[inline(always)]
    fn add_group(
        &mut self,
        groups: &Groups,
        group: usize,
        is_mirrored: bool,
        right: &mut PairCount,
    ) {
        let mut orders = [0.0; GROUP];
        let mut classes = [0; GROUP];
        for place in 0..GROUP {
            let (pairs, distance, class) = groups.board(group, place);
            let rows = &mut self.rows[place];
            rows.clear();
            match &self.mirror {
                Some(mirror) if is_mirrored => {
                    rows.extend(pairs.iter().map(|&pair| mirror[usize::from(pair)]));
                }
                _ => rows.extend(pairs.iter().map(|&pair| u32::from(pair))),
            }
            classes[place] = class;
            orders[place] = f32::from(distance) + self.chain.output(rows, &mut self.units[place]);
        }
        let (_, gradients) = loss(&orders, classes, right);
        let units = self.units.iter_mut().zip(gradients);
        for (rows, (units, of_order)) in self.rows.iter().zip(units) {
            if of_order != 0.0 {
                self.chain.add_gradient(rows, units, of_order, &mut self.gradient);
            }
        }
    }
}
