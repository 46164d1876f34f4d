//! The cache of records and handles.

use tilebase_api::Cache;

#[test]
fn keeps_used_entries_and_drops_the_others() {
    let cache = Cache::new(8);
    cache.insert(0, 0, "zero");
    for key in 1..100 {
        cache.insert(0, key, "other");
        assert_eq!(cache.get(&0), Some("zero"), "after {key}");
    }
    let kept: Vec<i32> = (0..100).filter(|key| cache.get(key).is_some()).collect();
    assert_eq!(kept, [0, 93, 94, 95, 96, 97, 98, 99]);
    cache.remove(&0);
    assert_eq!(cache.get(&0), None);
    // A new epoch removes everything and refuses values of old epochs.
    cache.start_epoch(2);
    assert_eq!(cache.get(&99), None);
    cache.insert(0, 1, "stale");
    assert_eq!(cache.get(&1), None);
    cache.insert(2, 1, "new");
    cache.start_epoch(1);
    assert_eq!(cache.get(&1), Some("new"));
    let empty = Cache::new(0);
    empty.insert(0, 1, 1);
    assert_eq!(empty.get(&1), None);
}
