//! Segments: consecutive blocks of a class that are on disk or in memory together.

use std::ops::Range;

use pdb_core::BlankMode;

use crate::search::{Class, SearchSpace, recorded};

/// Largest number of segments of a class, if their cell sets fill them.
pub(crate) const SEGMENTS_MAX: usize = 4096;

/// Division of one class. A cell set's blocks are never separated.
#[derive(Debug)]
pub(crate) struct ClassSegments {
    /// The sets of each segment.
    pub(crate) sets: Vec<Range<usize>>,
    /// The slots of each segment.
    pub(crate) slots: Vec<Range<usize>>,
    /// The segment of each slot.
    of_slot: Vec<u16>,
    /// For each segment, the segments of the other class from which moves lead to it.
    pub(crate) sources: Vec<Vec<u16>>,
}

impl ClassSegments {
    fn new(class: &Class, slots_max: usize) -> Self {
        let mut this =
            Self { sets: Vec::new(), slots: Vec::new(), of_slot: Vec::new(), sources: Vec::new() };
        let mut first = 0;
        for (i, set) in class.sets.iter().enumerate() {
            let end = set.first_slot + set.block_count;
            if end - class.sets[first].first_slot > slots_max && i > first {
                this.push(class, first..i);
                first = i;
            }
        }
        if first < class.sets.len() {
            this.push(class, first..class.sets.len());
        }
        this
    }

    fn push(&mut self, class: &Class, sets: Range<usize>) {
        let slots = class.slots(&sets);
        self.of_slot.resize(slots.end, self.sets.len() as u16);
        self.sets.push(sets);
        self.slots.push(slots);
    }

    pub(crate) fn count(&self) -> usize {
        self.sets.len()
    }

    /// Returns the segment of a slot.
    #[inline(always)]
    pub(crate) fn of_slot(&self, slot: usize) -> usize {
        usize::from(self.of_slot[slot])
    }

    /// Returns the segment of a set.
    pub(crate) fn of_set(&self, set: usize) -> usize {
        self.sets.partition_point(|sets| sets.end <= set)
    }

    fn bytes(&self) -> usize {
        let sources: usize = self.sources.iter().map(|list| size_of_val(&list[..])).sum();
        size_of_val(&self.of_slot[..]) + 64 * self.count() + sources
    }
}

/// Division of both classes.
#[derive(Debug)]
pub(crate) struct Segments {
    /// Largest number of slots of a segment, unless one cell set has more.
    pub(crate) slots_max: usize,
    pub(crate) classes: [ClassSegments; 2],
    mode: BlankMode,
}

impl Segments {
    /// Divides both classes into segments of at most `slots_max` slots, or of more if they would be
    /// too many.
    pub(crate) fn new(space: &SearchSpace, slots_max: usize) -> Self {
        let SearchSpace { key, graph, .. } = space;
        let slot_counts = graph.classes.iter().map(|class| class.slot_count);
        let slots_max = slots_max.max(slot_counts.max().unwrap_or(1).div_ceil(SEGMENTS_MAX));
        let mut classes =
            graph.classes.each_ref().map(|class| ClassSegments::new(class, slots_max));
        for (i, class) in graph.classes.iter().enumerate() {
            let sources = (0..classes[i].count()).map(|segment| {
                let mut found = vec![false; classes[1 - i].count()];
                for slot in classes[i].slots[segment].clone() {
                    for pull in class.pulls(slot) {
                        found[classes[1 - i].of_slot(pull.source as usize)] = true;
                    }
                }
                let found = found.into_iter().enumerate();
                found.filter(|&(_, found)| found).map(|(source, _)| source as u16).collect()
            });
            classes[i].sources = sources.collect();
        }
        Self { slots_max, classes, mode: key.mode }
    }

    /// Returns the number of slots of the largest segment.
    pub(crate) fn slots_largest(&self) -> usize {
        let lens = self.classes.iter().flat_map(|class| class.slots.iter().map(Range::len));
        lens.max().unwrap_or(0)
    }

    /// Returns the largest number of segments of the other class that one segment needs.
    pub(crate) fn sources_largest(&self) -> usize {
        let lens = self.classes.iter().flat_map(|class| class.sources.iter().map(Vec::len));
        lens.max().unwrap_or(0)
    }

    /// Returns the blocks of the record that belong to a segment.
    pub(crate) fn recorded(&self, class: usize, segment: usize) -> Range<usize> {
        let class = &self.classes[class];
        recorded(self.mode, &class.slots[segment], &class.sets[segment])
    }

    /// Returns the number of segments of both classes.
    pub(crate) fn count(&self) -> usize {
        self.classes.iter().map(ClassSegments::count).sum()
    }

    /// Returns the memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.classes.iter().map(ClassSegments::bytes).sum()
    }
}
