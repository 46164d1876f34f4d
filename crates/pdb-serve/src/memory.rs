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
}

impl<K: Eq + Hash, V: Clone> Remembered<K, V> {
    /// Room for about so many; none for 0.
    pub(crate) fn new(count: usize) -> Self {
        let generations = Generations { young: HashMap::new(), old: HashMap::new() };
        Self { generations: Mutex::new(generations), half: count.div_ceil(2) }
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        let mut generations = self.lock();
        let Generations { young, old } = &mut *generations;
        if let Some(found) = young.get(key) {
            return Some(found.clone());
        }
        let (key, found) = old.remove_entry(key)?;
        drop(generations);
        self.put(key, found.clone());
        Some(found)
    }

    pub(crate) fn put(&self, key: K, value: V) {
        if self.half == 0 {
            return;
        }
        let mut generations = self.lock();
        if generations.young.len() >= self.half {
            generations.old = std::mem::take(&mut generations.young);
        }
        generations.young.insert(key, value);
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
        remembered.put(0, "zero");
        for key in 1..100 {
            remembered.put(key, "other");
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
    fn without_room_nothing_is_kept() {
        let remembered = Remembered::new(0);
        remembered.put(1, 1);
        assert_eq!(remembered.get(&1), None);
    }
}
