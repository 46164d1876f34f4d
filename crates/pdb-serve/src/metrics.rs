//! What the server counts, as Prometheus reads it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::desk::Load;

/// Upper ends of the buckets of times, in seconds.
const BUCKETS: [f64; 10] = [0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0, 20.0, 60.0];

/// What the server counts.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    times: Mutex<BTreeMap<String, Times>>,
    /// Requests that are not answered yet.
    pub(crate) open: AtomicUsize,
    /// Connections.
    pub(crate) connections: AtomicUsize,
    /// Nodes that searches generated.
    pub(crate) generated: AtomicU64,
    /// Answers that were known from before.
    pub(crate) remembered: AtomicU64,
}

/// How long the requests of a route took, to the beginning of the answer.
#[derive(Clone, Debug, Default)]
struct Times {
    buckets: [u64; BUCKETS.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    /// A request was answered.
    pub(crate) fn answered(&self, route: &str, status: u16, taken: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry((route.to_owned(), status)).or_default() += 1;
        drop(requests);
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let times = times.entry(route.to_owned()).or_default();
        let seconds = taken.as_secs_f64();
        for (bucket, end) in times.buckets.iter_mut().zip(BUCKETS) {
            *bucket += u64::from(seconds <= end);
        }
        times.count += 1;
        times.seconds += seconds;
    }

    /// All of it as text, with the loads of the lanes.
    pub(crate) fn text(&self, loads: [Load; 3]) -> String {
        let mut text = String::new();
        let mut family = |name: &str, kind: &str, help: &str, lines: &[(String, f64)]| {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
            for (labels, value) in lines {
                let _ = writeln!(text, "{name}{labels} {value}");
            }
        };
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let labelled = |((route, status), count): ((String, u16), u64)| {
            (format!("{{route=\"{route}\",status=\"{status}\"}}"), count as f64)
        };
        let requests: Vec<_> = requests.into_iter().map(labelled).collect();
        family("tilebase_requests_total", "counter", "Requests that were answered.", &requests);
        let one = |value: f64| [(String::new(), value)];
        let open = self.open.load(Ordering::Relaxed) as f64;
        family("tilebase_requests_open", "gauge", "Requests that wait for an answer.", &one(open));
        let connections = self.connections.load(Ordering::Relaxed) as f64;
        family("tilebase_connections", "gauge", "Connections that are open.", &one(connections));
        let of_lanes = |number: fn(&Load) -> f64| {
            let lane = |load: &Load| (format!("{{lane=\"{}\"}}", load.lane), number(load));
            loads.iter().map(lane).collect::<Vec<_>>()
        };
        let running = of_lanes(|load| load.running as f64);
        family("tilebase_searches_running", "gauge", "Searches that run.", &running);
        let waiting = of_lanes(|load| load.waiting as f64);
        family("tilebase_searches_waiting", "gauge", "Searches that wait.", &waiting);
        let begun = of_lanes(|load| load.begun as f64);
        family("tilebase_searches_total", "counter", "Searches that were begun.", &begun);
        let abandoned = of_lanes(|load| load.abandoned as f64);
        let help = "Searches that were not begun, as their client had left.";
        family("tilebase_searches_abandoned_total", "counter", help, &abandoned);
        let generated = self.generated.load(Ordering::Relaxed) as f64;
        family("tilebase_nodes_total", "counter", "Nodes that were generated.", &one(generated));
        let remembered = self.remembered.load(Ordering::Relaxed) as f64;
        let help = "Answers that were known from before.";
        family("tilebase_remembered_total", "counter", help, &one(remembered));
        self.write_times(&mut text);
        text
    }

    fn write_times(&self, text: &mut String) {
        let name = "tilebase_request_seconds";
        let help = "Time to the beginning of the answer.";
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} histogram");
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        for (route, Times { buckets, count, seconds }) in &*times {
            for (bucket, end) in buckets.iter().zip(BUCKETS) {
                let _ = writeln!(text, "{name}_bucket{{route=\"{route}\",le=\"{end}\"}} {bucket}");
            }
            let _ = writeln!(text, "{name}_bucket{{route=\"{route}\",le=\"+Inf\"}} {count}");
            let _ = writeln!(text, "{name}_sum{{route=\"{route}\"}} {seconds}");
            let _ = writeln!(text, "{name}_count{{route=\"{route}\"}} {count}");
        }
    }
}
