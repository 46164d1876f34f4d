//! A look-up allocates nothing with any tables. A counting allocator checks this.

use pdb_core::{BlankMode, Board, Goal, Heuristic, Plan, Shape};
use pdb_rt::Visitor;
use peak_alloc::PeakAlloc;

use crate::{from_memory, walk};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Looks boards up, and returns the peak of the bytes that were allocated meanwhile.
struct LookUps<'b>(&'b [Board]);

impl<'a> Visitor<'a> for LookUps<'_> {
    type Output = usize;

    fn visit<H: Heuristic + Send + 'a>(self, heuristics: Vec<H>) -> usize {
        let heuristic = &heuristics[0];
        // A thread of the test runner may allocate meanwhile, but not each time.
        let allocated = (0..3).map(|_| {
            ALLOCATOR.reset_peak_usage();
            let before = ALLOCATOR.current_usage();
            let mut sum = 0;
            for board in self.0 {
                let (_, node) = heuristic.root(board).unwrap();
                sum += heuristic.estimate(&node);
            }
            let allocated = ALLOCATOR.peak_usage() - before;
            assert!(sum > 0, "something was looked up");
            allocated
        });
        allocated.min().unwrap()
    }
}

#[test]
fn a_look_up_allocates_nothing_whatever_the_tables() {
    if !pdb_oracle::is_alone("allocation::a_look_up_allocates_nothing_whatever_the_tables") {
        return;
    }
    for (rows, cols) in [(2, 3), (3, 3), (4, 3), (2, 5)] {
        let goal = Goal::blank_last(Shape::new(rows, cols).unwrap());
        let tile_count = goal.shape().cell_count() as u8 - 1;
        let middle = tile_count / 2;
        let halves = vec![(1..=middle).collect(), (middle + 1..=tile_count).collect()];
        let tiles: Vec<u8> = (1..=tile_count).collect();
        let thirds = tiles.chunks(3).map(<[u8]>::to_vec).collect();
        let partitions = [halves.clone(), thirds];
        let plans = [
            Plan::additive(&goal, &partitions, BlankMode::Aware, false).unwrap(),
            Plan::additive(&goal, &partitions[..1], BlankMode::Aware, rows == cols).unwrap(),
            Plan::additive(&goal, &partitions[1..], BlankMode::Collapsed, false).unwrap(),
            Plan::plain(&goal, &halves, rows == cols).unwrap(),
            Plan::walking(&goal),
        ];
        for (number, plan) in plans.iter().enumerate() {
            let (database, boards) = (from_memory(plan), walk(&goal, 300));
            assert_eq!(database.visit(LookUps(&boards)), 0, "{rows}x{cols}, plan {number}");
            if let Some(sum) = database.additive() {
                let bytes = LookUps(&boards).visit(vec![sum]);
                assert_eq!(bytes, 0, "{rows}x{cols}, plan {number}, any sum");
            }
        }
    }
}
