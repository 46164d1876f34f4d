//! Cache of records and handles.

use std::hash::Hash;

use lru::LruCache;
use parking_lot::Mutex;

/// A cache of the values that were used last.
#[derive(Debug)]
pub struct Cache<K: Eq + Hash, V> {
    state: Mutex<State<K, V>>,
    capacity: usize,
}

#[derive(Debug)]
struct State<K: Eq + Hash, V> {
    values: LruCache<K, V>,
    /// Epoch of the values.
    epoch: u64,
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    /// Creates a cache of this capacity. A cache of capacity 0 stores nothing.
    pub fn new(capacity: usize) -> Self {
        // The capacity may be larger than the memory, which is not reserved.
        let values = LruCache::unbounded();
        Self { state: Mutex::new(State { values, epoch: 0 }), capacity }
    }

    /// Returns a value, and keeps it for longer.
    pub fn get(&self, key: &K) -> Option<V> {
        self.state.lock().values.get(key).cloned()
    }

    /// Starts an epoch, unless it or a later one has started before. Removes all values of earlier
    /// epochs.
    pub fn start_epoch(&self, epoch: u64) {
        let mut state = self.state.lock();
        if epoch > state.epoch {
            *state = State { values: LruCache::unbounded(), epoch };
        }
    }

    /// Stores a value that was computed from the state of an epoch, unless the epoch has ended.
    pub fn insert(&self, epoch: u64, key: K, value: V) {
        let State { values, epoch: current } = &mut *self.state.lock();
        if *current == epoch {
            values.put(key, value);
            if values.len() > self.capacity {
                values.pop_lru();
            }
        }
    }

    /// Removes a value.
    pub fn remove(&self, key: &K) {
        self.state.lock().values.pop(key);
    }
}
