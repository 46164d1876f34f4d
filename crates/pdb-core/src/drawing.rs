//! Patterns of a plan as they are drawn, with their mirror images.

use crate::plan::{PlanKind, View};
use crate::{CellSet, Goal, Plan, Symmetry, TableKey};

impl Plan {
    /// Returns the patterns that are looked up, as goal cells: those of each partition, each plain
    /// pattern, or the classes of each colouring. Mirror images follow their originals. Walking
    /// Distance has none.
    pub fn drawn_patterns(&self) -> Vec<Vec<CellSet>> {
        let drawn = |view: &View| -> Vec<CellSet> {
            let sets: &[CellSet] = match &self.tables()[view.table] {
                TableKey::Pattern(key) => &[key.homes],
                TableKey::Coloured(key) => key.classes(),
                TableKey::Walking(_) => &[],
            };
            sets.iter().map(|&homes| view.symmetry.inverse().set(homes)).collect()
        };
        match self.kind() {
            PlanKind::Additive { partitions } => {
                partitions.iter().map(|views| views.iter().flat_map(drawn).collect()).collect()
            }
            PlanKind::Plain { views } | PlanKind::Coloured { views } => {
                views.iter().map(drawn).collect()
            }
            PlanKind::Walking { .. } => Vec::new(),
        }
    }
}

impl Goal {
    /// Returns for each drawing the earlier one whose mirror image it is, if there is one.
    pub fn mirrored(&self, drawings: &[Vec<CellSet>]) -> Vec<Option<usize>> {
        let mirrors: Vec<Symmetry> = self.mirrors().collect();
        let sorted = |mut sets: Vec<CellSet>| {
            sets.sort_unstable();
            sets
        };
        let is_image = |of: &[CellSet], drawing: &[CellSet]| {
            let image = |mirror: &Symmetry| sorted(of.iter().map(|set| mirror.set(*set)).collect());
            mirrors.iter().any(|mirror| image(mirror) == sorted(drawing.to_vec()))
        };
        let of = |nth: usize| (0..nth).find(|&before| is_image(&drawings[before], &drawings[nth]));
        (0..drawings.len()).map(of).collect()
    }
}
