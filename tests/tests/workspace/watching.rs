//! What a search tells while it runs, whoever asked for it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use tilebase::{BoundCount, Event, Mode, Search, Tilebase, Watch};

/// Its bounds with Manhattan distance take long enough to be told one by one.
const BOARD: &str = "6 7 2 10/12 1 8 3/15 11 14 4/5 0 9 13";

fn bounds_told(mode: Mode) -> (Vec<BoundCount>, Vec<BoundCount>, u64, u64) {
    let tables = Tilebase::builder().spec("manhattan").lazy_open().expect("it needs no table");
    let told = Arc::new(Mutex::new(Vec::new()));
    let telling = Arc::clone(&told);
    let watch = Watch::new(move |event: &Event<'_>| {
        if let Event::Bound(state) = event {
            telling.lock().expect("nobody panics").push(state.bound);
        }
    });
    let generated = Arc::new(AtomicU64::new(0));
    let search = Search {
        mode,
        thread_count: 1,
        nodes: Some(3_000_000),
        watch: Some(watch),
        generated: Some(Arc::clone(&generated)),
        ..Search::default()
    };
    let answer = tables.solve_with(BOARD, &search).expect("the board can be searched");
    let told = told.lock().expect("nobody panics").clone();
    (told, answer.bounds, answer.generated, generated.load(Ordering::Relaxed))
}

#[test]
fn a_search_tells_its_bounds_and_its_nodes_to_whoever_asked_for_it() {
    for mode in [Mode::Auto, Mode::Plain] {
        let (told, bounds, generated, last) = bounds_told(mode);
        // The last bound holds the solution, or the limit came within it.
        assert_eq!(told, bounds[..bounds.len() - 1], "{mode:?}");
        assert!(told.len() >= 2, "{mode:?}: {told:?}");
        // It is told in advance, and every 4096 nodes.
        assert!(last.abs_diff(generated) <= 10_000, "{mode:?}: {last} of {generated}");
    }
}
