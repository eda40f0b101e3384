//! Metrics for Prometheus, in its text format.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the histogram buckets, in seconds.
const CLASSES: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10.0, 30.0];

/// Counts since the start. Labels are routes and statuses, both from short lists: clients cannot invent values.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<String, BTreeMap<u16, u64>>>,
    times: [AtomicU64; CLASSES.len()],
    count: AtomicU64,
    micros: AtomicU64,
    pub(crate) connections: AtomicI64,
    pub(crate) refused_connections: AtomicU64,
}

impl Metrics {
    pub(crate) fn answered(&self, route: &str, status: u16, time: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        match requests.get_mut(route) {
            Some(counts) => *counts.entry(status).or_default() += 1,
            None => drop(requests.insert(route.to_owned(), BTreeMap::from([(status, 1)]))),
        }
        drop(requests);
        let seconds = time.as_secs_f64();
        for (class, end) in self.times.iter().zip(CLASSES) {
            if seconds <= end {
                class.fetch_add(1, Relaxed);
            }
        }
        self.count.fetch_add(1, Relaxed);
        self.micros.fetch_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Relaxed);
    }

    /// The text of `/metrics`.
    pub(crate) fn text(&self, busy: usize, memory: usize) -> String {
        let mut out = String::new();
        let mut family = |name: &str, kind: &str, help: &str| {
            let _ = writeln!(out, "# HELP webstrata_{name} {help}\n# TYPE webstrata_{name} {kind}");
        };
        family("requests_total", "counter", "Requests by route and status.");
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (route, counts) in requests {
            for (status, count) in counts {
                let _ = writeln!(out, "webstrata_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}");
            }
        }
        let mut family = |name: &str, kind: &str, help: &str, lines: &str| {
            let _ = write!(out, "# HELP webstrata_{name} {help}\n# TYPE webstrata_{name} {kind}\n{lines}");
        };
        let mut lines = String::new();
        for (class, end) in self.times.iter().zip(CLASSES) {
            let _ = writeln!(lines, "webstrata_request_seconds_bucket{{le=\"{end}\"}} {}", class.load(Relaxed));
        }
        let (count, seconds) = (self.count.load(Relaxed), self.micros.load(Relaxed) as f64 / 1e6);
        let _ = writeln!(lines, "webstrata_request_seconds_bucket{{le=\"+Inf\"}} {count}");
        let _ = writeln!(lines, "webstrata_request_seconds_sum {seconds}\nwebstrata_request_seconds_count {count}");
        family("request_seconds", "histogram", "Time until the response begins.", &lines);
        for (name, kind, help, value) in [
            ("connections", "gauge", "Open connections.", self.connections.load(Relaxed)),
            (
                "connections_closed_total",
                "counter",
                "Idle connections closed to make room for new ones.",
                self.refused_connections.load(Relaxed) as i64,
            ),
            ("busy", "gauge", "Pages being processed or waiting.", busy as i64),
            ("body_bytes", "gauge", "Memory held by request bodies.", memory as i64),
        ] {
            family(name, kind, help, &format!("webstrata_{name} {value}\n"));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_cumulative() {
        let metrics = Metrics::default();
        for (status, millis) in [(200, 1), (200, 3), (503, 3000)] {
            metrics.answered("/api/v1/extract", status, Duration::from_millis(millis));
        }
        let text = metrics.text(2, 1024);
        for line in [
            "webstrata_requests_total{route=\"/api/v1/extract\",status=\"200\"} 2",
            "webstrata_request_seconds_bucket{le=\"0.001\"} 1",
            "webstrata_request_seconds_bucket{le=\"0.005\"} 2",
            "webstrata_request_seconds_bucket{le=\"+Inf\"} 3",
            "webstrata_request_seconds_sum 3.004",
            "webstrata_busy 2",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
    }
}
