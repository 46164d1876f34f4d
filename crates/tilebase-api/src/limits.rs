//! Limits of requests.

use std::time::Duration;

use tilebase::Search;

use crate::params::Params;
use crate::problem::Problem;

/// Limits of a client's requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time limit of a request that names none.
    pub time: Duration,
    /// Largest time limit of a request.
    pub time_max: Duration,
    /// Largest number of generated nodes within [`time`](Self::time).
    pub nodes: u64,
    /// Memory limit for counting solutions, for a search that keeps boards, and for the improvement
    /// of a solution, in bytes.
    pub memory_bytes: u64,
}

/// A client: its limits, and whether it may build tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// Limits of its requests.
    pub limits: Limits,
    /// Reason why it may not build tables, and what to do; `None` if it may.
    pub build_refusal: Option<&'static str>,
}

impl Limits {
    /// Limits of a place where nobody chose others.
    pub const USUAL: Self = Self {
        time: Duration::from_mins(1),
        time_max: Duration::from_mins(1),
        nodes: 20_000_000_000,
        memory_bytes: 256 << 20,
    };

    /// Returns the node limit of a request: larger in proportion if its time limit is.
    pub fn nodes_within(&self, time: Duration) -> u64 {
        let times = (time.as_secs_f64() / self.time.as_secs_f64()).ceil();
        self.nodes.saturating_mul(times as u64).max(self.nodes)
    }

    /// Reads the time limit of a request.
    pub(crate) fn time_of(&self, params: &Params) -> Result<Duration, Problem> {
        Ok(params.time("time_limit")?.unwrap_or(self.time).min(self.time_max))
    }

    /// Reads the limits of a request's search. Without a time limit of its own, the search has at
    /// least the time after which the best known solution is the answer.
    pub(crate) fn search_of(&self, params: &Params) -> Result<Search, Problem> {
        let within = params.time("within")?.map(|within| within.min(self.time_max));
        let time = match params.text("time_limit") {
            Some(_) => self.time_of(params)?,
            None => self.time_of(params)?.max(within.unwrap_or_default()),
        };
        let nodes_max = self.nodes_within(time);
        let nodes = params.number("node_limit", nodes_max, 1..=u64::MAX)?.min(nodes_max);
        let memory_bytes = Some(self.memory_bytes);
        let (time, nodes) = (Some(time), Some(nodes));
        Ok(Search { time, within, nodes, memory_bytes, ..Search::default() })
    }
}
