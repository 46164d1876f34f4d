//! Searches of one board for longer and longer, by a clock that counts how often it is read.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tilebase::{Search, Tilebase};

/// How often the clock was read.
static READS: AtomicU64 = AtomicU64::new(0);

#[test]
fn more_time_never_gives_a_worse_bound() {
    pdb_clock::set_clock(|| Duration::from_micros(200 * READS.fetch_add(1, Ordering::Relaxed)));
    let board = "14 5 9 2 18/8 23 19 12 17/15 0 10 20 4/6 11 21 1 7/24 3 16 22 13";
    let mut last = None;
    // Sixteen times as long each, because the threads share the clock: on a busy machine, the one
    // that improves solutions may have most of its time.
    for milliseconds in [10, 160, 2560] {
        // Nothing is built before.
        let folder = tempfile::tempdir().expect("a folder");
        let tables = Tilebase::builder().folder(folder.path()).threads(1).lazy();
        let within = Some(Duration::from_millis(milliseconds));
        let search = Search { within, ..Search::default() };
        let answer = tables.expect("no table is opened").solve_with(board, &search);
        let answer = answer.expect("a solution");
        let bound = answer.lower_bound();
        assert!(bound >= last, "{milliseconds} ms: {bound:?} after {last:?}");
        assert!(answer.length() > bound.map(|bound| bound as usize), "{answer}");
        last = bound;
    }
}
