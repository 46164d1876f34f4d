//! Searches of boards whose difficulty is not known.

use std::time::Duration;

use pdb_clock::Instant;
use pdb_search::LimitKind;

use crate::search::Search;

/// A search that is tried for a moment, and starts again if the board takes longer.
///
/// Most boards take a moment. A caller solves those without the cost of threads, queues or a way to
/// stop. Only the moment is searched twice. The time limit is that of both searches together, and
/// includes the time between them. With such a limit, the second search begins with the solution
/// of the first one.
///
/// ```
/// use std::time::Duration;
/// use tilebase::{Search, Tilebase, Trial};
///
/// let tables = Tilebase::builder().spec("manhattan").lazy_open()?;
/// let trial = Trial::new(Search::default());
/// let board = "8 6 7/2 5 4/3 0 1";
/// let mut answer = tables.solve_with(board, &trial.short(Duration::from_millis(1)))?;
/// if trial.goes_on(answer.limit()) {
///     answer = tables.solve_with(board, &trial.rest())?;
/// }
/// assert_eq!(answer.length(), Some(31));
/// # Ok::<(), tilebase::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trial {
    pub(crate) search: Search,
    begun: Instant,
}

impl Trial {
    /// Starts the clock of a search.
    pub fn new(mut search: Search) -> Self {
        search.kept.get_or_insert_default();
        Self::begin(search)
    }

    /// Does the same for a search that begins once, so that nothing is kept for another one.
    pub(crate) fn begin(search: Search) -> Self {
        Self { search, begun: Instant::now() }
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Returns the first search, which takes at most `time` on one thread.
    pub fn short(&self, time: Duration) -> Search {
        let rest = self.rest();
        let time = rest.time.map_or(time, |rest| rest.min(time));
        Search { time: Some(time), thread_count: 1, ..rest }
    }

    /// Returns whether the search starts again after the first one, which `limit` has ended.
    pub fn goes_on(&self, limit: Option<LimitKind>) -> bool {
        let time = self.search.time.into_iter().chain(self.search.within).min();
        let has_rest = time.is_none_or(|time| self.elapsed() < time);
        limit == Some(LimitKind::Time) && has_rest
    }

    /// Returns the search with the rest of the time.
    pub fn rest(&self) -> Search {
        let elapsed = self.elapsed();
        let left = |time: Duration| time.saturating_sub(elapsed);
        let Search { time, within, .. } = self.search;
        Search { time: time.map(left), within: within.map(left), ..self.search.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tilebase;

    #[test]
    fn both_searches_share_the_time() {
        let hour = Duration::from_hours(1);
        let trial = Trial::new(Search { time: Some(hour), thread_count: 3, ..Search::default() });
        let short = trial.short(Duration::from_millis(1));
        assert_eq!((short.time, short.thread_count), (Some(Duration::from_millis(1)), 1));
        assert!(trial.short(2 * hour).time <= Some(hour));
        std::thread::sleep(Duration::from_millis(2));
        let rest = trial.rest();
        assert!(rest.time < Some(hour) && rest.time > Some(hour / 2), "{:?}", rest.time);
        assert_eq!(rest.thread_count, 3);
        assert!(trial.goes_on(Some(LimitKind::Time)));
        assert!(!trial.goes_on(Some(LimitKind::Nodes)) && !trial.goes_on(None));
    }

    #[test]
    fn second_search_has_the_rest_of_the_time_and_begins_with_the_known_solution() {
        let time = Duration::from_millis(300);
        let trial = Trial::new(Search { within: Some(time), ..Search::default() });
        let tables = Tilebase::builder().spec("manhattan").lazy_open().expect("no tables");
        let board = "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0";
        let length = |search: &Search| tables.solve_with(board, search).expect("solvable").length();
        let first = length(&trial.short(time));
        assert!(!trial.goes_on(Some(LimitKind::Time)) && trial.rest().within.is_some());
        assert!(first.is_some() && length(&trial.rest()) <= first);
        let other = Search { within: Some(Duration::ZERO), ..Search::default() };
        assert!(length(&other) > first, "the solution by lines is longer");
    }

    #[test]
    fn nothing_goes_on_without_time() {
        let short = Trial::new(Search { time: Some(Duration::ZERO), ..Search::default() });
        assert_eq!(short.rest().time, Some(Duration::ZERO));
        assert!(!short.goes_on(Some(LimitKind::Time)));
        let endless = Trial::new(Search::default());
        assert_eq!(endless.short(Duration::from_secs(1)).time, Some(Duration::from_secs(1)));
        assert_eq!(endless.rest().time, None);
        assert!(endless.goes_on(Some(LimitKind::Time)));
    }
}
