//! What `/metrics` tells, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;

/// Upper ends of the histogram's classes, in seconds; above the last all others.
const CLASSES: [f64; 10] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.025, 0.1, 0.5, 2.5,
];

/// Counts of a server.
#[derive(Debug, Default)]
pub(super) struct Metrics {
    routes: Mutex<BTreeMap<String, Route>>,
    /// Requests that are being answered.
    pub in_flight: AtomicUsize,
    /// Connections that are open.
    pub connections: AtomicUsize,
    /// Connections that were turned away because there were too many.
    pub refused: AtomicU64,
}

/// Counts of a route.
#[derive(Debug, Default)]
struct Route {
    statuses: BTreeMap<u16, u64>,
    classes: [u64; CLASSES.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    pub(super) fn count(&self, route: &str, status: StatusCode, took: Duration) {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        if !routes.contains_key(route) {
            routes.insert(route.to_owned(), Route::default());
        }
        let Some(route) = routes.get_mut(route) else {
            return;
        };
        let took = took.as_secs_f64();
        *route.statuses.entry(status.as_u16()).or_default() += 1;
        if let Some(class) = CLASSES.iter().position(|&end| took <= end) {
            route.classes[class] += 1;
        }
        route.count += 1;
        route.seconds += took;
    }

    /// The text, for a server that started at a time.
    pub(super) fn text(&self, started: Instant) -> String {
        let mut out = String::new();
        let load = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        let mut number = |name: &str, kind: &str, help: &str, value: &dyn std::fmt::Display| {
            let _ = writeln!(
                out,
                "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}"
            );
        };
        let uptime = started.elapsed().as_secs_f64();
        let name = "puzzledb_uptime_seconds";
        number(name, "gauge", "Time since the server started.", &uptime);
        let name = "puzzledb_requests_in_flight";
        let help = "Requests that are being answered.";
        number(name, "gauge", help, &load(&self.in_flight));
        let name = "puzzledb_connections";
        let help = "Connections that are open.";
        number(name, "gauge", help, &load(&self.connections));
        let name = "puzzledb_connections_refused_total";
        let help = "Connections that were turned away because there were too many.";
        let refused = self.refused.load(Ordering::Relaxed);
        number(name, "counter", help, &refused);
        self.routes(&mut out);
        out
    }

    fn routes(&self, out: &mut String) {
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let name = "puzzledb_requests_total";
        let _ = writeln!(
            out,
            "# HELP {name} Requests answered.\n# TYPE {name} counter"
        );
        for (path, route) in routes.iter() {
            for (status, count) in &route.statuses {
                let _ = writeln!(
                    out,
                    "{name}{{route=\"{path}\",status=\"{status}\"}} {count}"
                );
            }
        }
        let name = "puzzledb_request_seconds";
        let help = "Time until the answer began.";
        let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} histogram");
        for (path, route) in routes.iter() {
            let mut sum = 0;
            for (end, count) in CLASSES.iter().zip(route.classes) {
                sum += count;
                let _ = writeln!(out, "{name}_bucket{{route=\"{path}\",le=\"{end}\"}} {sum}");
            }
            let Route { count, seconds, .. } = route;
            let _ = writeln!(
                out,
                "{name}_bucket{{route=\"{path}\",le=\"+Inf\"}} {count}\n\
                 {name}_sum{{route=\"{path}\"}} {seconds}\n\
                 {name}_count{{route=\"{path}\"}} {count}"
            );
        }
    }
}
