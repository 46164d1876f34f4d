//! Events of a running search.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use pdb_lab::SearchName;
use tilebase::event::{Event, Watch};
use tilebase::pdb_search::BoundCount;
use tilebase::{Mode, Search, Tilebase};

/// A board whose bounds with Manhattan distance take long enough to be reported one by one.
const BOARD: &str = "6 7 2 10/12 1 8 3/15 11 14 4/5 0 9 13";

fn reported_bounds(mode: Mode) -> (Vec<BoundCount>, Vec<BoundCount>, u64, u64) {
    let tables = Tilebase::builder().spec("manhattan").lazy_open().expect("it needs no table");
    let reported = Arc::new(Mutex::new(Vec::new()));
    let receiver = Arc::clone(&reported);
    let watch = Watch::new(move |event: &Event<'_>| {
        if let Event::Bound(state) = event {
            receiver.lock().expect("no thread panicked").push(state.bound);
        }
    });
    let generated = Arc::new(AtomicU64::new(0));
    let search = Search {
        mode,
        thread_count: 1,
        nodes: Some(3_000_000),
        watch: Some(watch),
        generated: Some(generated.clone()),
        ..Search::default()
    };
    let answer = tables.solve_with(BOARD, &search).expect("the board can be searched");
    let reported = reported.lock().expect("no thread panicked").clone();
    (reported, answer.bounds, answer.generated, generated.load(Ordering::Relaxed))
}

#[test]
fn search_reports_its_bounds_and_nodes() {
    for mode in [Mode::Auto, Mode::By(SearchName::IDA)] {
        let (reported, bounds, generated, last) = reported_bounds(mode);
        // The last bound has the solution, or the limit ended it.
        assert_eq!(reported, bounds[..bounds.len() - 1], "{mode:?}");
        assert!(reported.len() >= 2, "{mode:?}: {reported:?}");
        // The number is that of the proof. It is updated in advance, for 4096 nodes at a time.
        let of_proof: u64 = bounds.iter().map(|bound| bound.generated).sum();
        assert!(of_proof <= generated, "{mode:?}: {of_proof} of {generated}");
        assert!(last.abs_diff(of_proof) <= 10_000, "{mode:?}: {last} of {of_proof}");
    }
}
