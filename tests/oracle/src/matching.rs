//! Matchings of the largest weight, by trying all matchings.

use std::collections::BTreeMap;

/// Returns the largest sum of weights of edges that do not share a vertex. An edge is its two
/// vertices and its weight. Vertices are below 32.
///
/// The lowest remaining vertex stays alone or is matched with one of its neighbours.
pub fn largest_matching(edges: &[(usize, usize, u32)]) -> u32 {
    let all = edges.iter().fold(0, |all, &(a, b, _)| all | 1 << a | 1 << b);
    best(all, edges, &mut BTreeMap::new())
}

fn best(left: u32, edges: &[(usize, usize, u32)], known: &mut BTreeMap<u32, u32>) -> u32 {
    if left == 0 {
        return 0;
    }
    if let Some(&found) = known.get(&left) {
        return found;
    }
    let lowest = left.trailing_zeros() as usize;
    let alone = best(left & !(1 << lowest), edges, known);
    let together = edges.iter().filter_map(|&(a, b, weight)| {
        let ends = 1 << a | 1 << b;
        let is_its_own = (a == lowest || b == lowest) && left & ends == ends;
        is_its_own.then(|| weight + best(left & !ends, edges, known))
    });
    let found = together.max().unwrap_or(0).max(alone);
    known.insert(left, found);
    found
}
