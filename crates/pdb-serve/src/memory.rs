//! Answers that were given before.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What was asked of late. It holds two generations, each up to half of what it may hold: when the
/// younger one is full, the older one is forgotten.
#[derive(Debug)]
pub(crate) struct Remembered<K, V> {
    generations: Mutex<Generations<K, V>>,
    half: usize,
}

#[derive(Debug)]
struct Generations<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    /// How often all was forgotten.
    era: u64,
}

impl<K: Eq + Hash, V> Generations<K, V> {
    fn put(&mut self, key: K, value: V, half: usize) {
        if self.young.len() >= half {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }
}

impl<K: Eq + Hash, V: Clone> Remembered<K, V> {
    /// Room for about so many; none for 0.
    pub(crate) fn new(count: usize) -> Self {
        let generations = Generations { young: HashMap::new(), old: HashMap::new(), era: 0 };
        Self { generations: Mutex::new(generations), half: count.div_ceil(2) }
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        let mut generations = self.lock();
        if let Some(found) = generations.young.get(key) {
            return Some(found.clone());
        }
        let (key, found) = generations.old.remove_entry(key)?;
        generations.put(key, found.clone(), self.half);
        Some(found)
    }

    /// The time between two moments at which all was forgotten.
    pub(crate) fn era(&self) -> u64 {
        self.lock().era
    }

    /// Remembers what was begun in an era, unless all was forgotten since.
    pub(crate) fn put(&self, era: u64, key: K, value: V) {
        let mut generations = self.lock();
        if self.half > 0 && generations.era == era {
            generations.put(key, value, self.half);
        }
    }

    /// Forgets one.
    pub(crate) fn forget(&self, key: &K) {
        let mut generations = self.lock();
        generations.young.remove(key);
        generations.old.remove(key);
    }

    /// Forgets all.
    pub(crate) fn clear(&self) {
        let mut generations = self.lock();
        generations.young.clear();
        generations.old.clear();
        generations.era += 1;
    }

    fn lock(&self) -> MutexGuard<'_, Generations<K, V>> {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays_and_what_is_not_goes() {
        let remembered = Remembered::new(8);
        remembered.put(0, 0, "zero");
        for key in 1..100 {
            remembered.put(0, key, "other");
            assert_eq!(remembered.get(&0), Some("zero"), "after {key}");
        }
        assert_eq!(remembered.get(&1), None);
        let count = (0..100).filter(|key| remembered.get(key).is_some()).count();
        assert!((4..=8).contains(&count), "{count}");
        remembered.forget(&0);
        assert_eq!(remembered.get(&0), None);
        remembered.clear();
        assert_eq!(remembered.get(&99), None);
    }

    #[test]
    fn what_was_begun_before_all_was_forgotten_is_not_remembered() {
        let remembered = Remembered::new(8);
        let era = remembered.era();
        remembered.clear();
        remembered.put(era, 1, "stale");
        assert_eq!(remembered.get(&1), None);
        remembered.put(remembered.era(), 1, "new");
        assert_eq!(remembered.get(&1), Some("new"));
    }

    #[test]
    fn without_room_nothing_is_kept() {
        let remembered = Remembered::new(0);
        remembered.put(0, 1, 1);
        assert_eq!(remembered.get(&1), None);
    }
}
