//! Cache of records and handles.

use std::collections::HashMap;
use std::hash::Hash;

use parking_lot::Mutex;

/// A cache with two generations of up to half its capacity each. When the younger one is full, it
/// replaces the older one.
#[derive(Debug)]
pub struct Cache<K, V> {
    generations: Mutex<Generations<K, V>>,
    half_capacity: usize,
}

#[derive(Debug)]
struct Generations<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    /// Epoch of the values.
    epoch: u64,
}

impl<K: Eq + Hash, V> Generations<K, V> {
    fn insert(&mut self, key: K, value: V, half_capacity: usize) {
        if self.young.len() >= half_capacity {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    /// Creates a cache of about this capacity. A cache of capacity 0 stores nothing.
    pub fn new(capacity: usize) -> Self {
        let generations = Generations { young: HashMap::new(), old: HashMap::new(), epoch: 0 };
        Self { generations: Mutex::new(generations), half_capacity: capacity.div_ceil(2) }
    }

    /// Returns a value, and keeps it for longer.
    pub fn get(&self, key: &K) -> Option<V> {
        let mut generations = self.generations.lock();
        if let Some(value) = generations.young.get(key) {
            return Some(value.clone());
        }
        let (key, value) = generations.old.remove_entry(key)?;
        generations.insert(key, value.clone(), self.half_capacity);
        Some(value)
    }

    /// Starts an epoch, unless it or a later one has started before. Removes all values of earlier
    /// epochs.
    pub fn start_epoch(&self, epoch: u64) {
        let mut generations = self.generations.lock();
        if epoch > generations.epoch {
            *generations = Generations { young: HashMap::new(), old: HashMap::new(), epoch };
        }
    }

    /// Stores a value that was computed from the state of an epoch, unless the epoch has ended.
    pub fn insert(&self, epoch: u64, key: K, value: V) {
        let mut generations = self.generations.lock();
        if self.half_capacity > 0 && generations.epoch == epoch {
            generations.insert(key, value, self.half_capacity);
        }
    }

    /// Removes a value.
    pub fn remove(&self, key: &K) {
        let mut generations = self.generations.lock();
        generations.young.remove(key);
        generations.old.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_used_entries_and_drops_the_others() {
        let cache = Cache::new(8);
        cache.insert(0, 0, "zero");
        for key in 1..100 {
            cache.insert(0, key, "other");
            assert_eq!(cache.get(&0), Some("zero"), "after {key}");
        }
        assert_eq!(cache.get(&1), None);
        let count = (0..100).filter(|key| cache.get(key).is_some()).count();
        assert!((4..=8).contains(&count), "{count}");
        cache.remove(&0);
        assert_eq!(cache.get(&0), None);
        cache.start_epoch(2);
        assert_eq!(cache.get(&99), None);
        cache.insert(0, 1, "stale");
        assert_eq!(cache.get(&1), None);
        cache.insert(2, 1, "new");
        cache.start_epoch(1);
        assert_eq!(cache.get(&1), Some("new"));
    }

    #[test]
    fn stores_nothing_at_capacity_0() {
        let cache = Cache::new(0);
        cache.insert(0, 1, 1);
        assert_eq!(cache.get(&1), None);
    }
}
