//! Metrics in the format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

use crate::worker_pool::Load;

/// Upper ends of the histogram's buckets, in seconds.
const BUCKETS: [f64; 10] = [0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0, 20.0, 60.0];

/// Counters of the server.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    routes: Mutex<BTreeMap<String, RouteMetrics>>,
    /// Requests without response so far.
    pub(crate) open: AtomicU64,
    pub(crate) connections: AtomicU64,
    /// Nodes that searches generated.
    pub(crate) generated: AtomicU64,
    /// Responses from the cache.
    pub(crate) cache_hits: AtomicU64,
}

/// Requests of a route: counts by status, and times to the start of the response.
#[derive(Clone, Debug, Default)]
struct RouteMetrics {
    statuses: BTreeMap<u16, u64>,
    buckets: [u64; BUCKETS.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    /// Counts a response.
    pub(crate) fn count(&self, route: &str, status: u16, time: Duration) {
        let mut routes = self.routes.lock();
        let metrics = routes.entry(route.to_owned()).or_default();
        *metrics.statuses.entry(status).or_default() += 1;
        let seconds = time.as_secs_f64();
        for (bucket, end) in metrics.buckets.iter_mut().zip(BUCKETS) {
            *bucket += u64::from(seconds <= end);
        }
        metrics.count += 1;
        metrics.seconds += seconds;
    }

    /// Returns all metrics as text, with the loads of the worker groups.
    pub(crate) fn text(&self, loads: [Load; 3]) -> String {
        let routes = self.routes.lock().clone();
        let mut text = String::new();
        let mut family = |name: &str, kind: &str, help: &str, lines: &[(String, f64)]| {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
            for (labels, value) in lines {
                let _ = writeln!(text, "{name}{labels} {value}");
            }
        };
        let mut requests = Vec::new();
        for (route, metrics) in &routes {
            for (status, count) in &metrics.statuses {
                let labels = format!("{{route=\"{route}\",status=\"{status}\"}}");
                requests.push((labels, *count as f64));
            }
        }
        family("tilebase_requests_total", "counter", "Responses sent.", &requests);
        let one = |count: &AtomicU64| [(String::new(), count.load(Ordering::Relaxed) as f64)];
        let (open, hits) = (one(&self.open), one(&self.cache_hits));
        family("tilebase_requests_open", "gauge", "Requests without response so far.", &open);
        family("tilebase_connections", "gauge", "Open connections.", &one(&self.connections));
        let by_lane = |number: fn(&Load) -> u64| {
            let lane = |load: &Load| (format!("{{lane=\"{}\"}}", load.lane), number(load) as f64);
            loads.iter().map(lane).collect::<Vec<_>>()
        };
        let (running, waiting) = (by_lane(|load| load.running), by_lane(|load| load.waiting));
        let (started, left) = (by_lane(|load| load.started), by_lane(|load| load.abandoned));
        family("tilebase_searches_running", "gauge", "Running searches.", &running);
        family("tilebase_searches_waiting", "gauge", "Waiting searches.", &waiting);
        family("tilebase_searches_total", "counter", "Started searches.", &started);
        let help = "Searches that did not start because the client had disconnected.";
        family("tilebase_searches_abandoned_total", "counter", help, &left);
        family("tilebase_nodes_total", "counter", "Generated nodes.", &one(&self.generated));
        family("tilebase_remembered_total", "counter", "Responses from the cache.", &hits);
        let name = "tilebase_request_seconds";
        family(name, "histogram", "Time to the start of the response.", &[]);
        for (route, RouteMetrics { buckets, count, seconds, .. }) in &routes {
            for (bucket, end) in buckets.iter().zip(BUCKETS) {
                let _ = writeln!(text, "{name}_bucket{{route=\"{route}\",le=\"{end}\"}} {bucket}");
            }
            let _ = writeln!(text, "{name}_bucket{{route=\"{route}\",le=\"+Inf\"}} {count}");
            let _ = writeln!(text, "{name}_sum{{route=\"{route}\"}} {seconds}");
            let _ = writeln!(text, "{name}_count{{route=\"{route}\"}} {count}");
        }
        text
    }
}
