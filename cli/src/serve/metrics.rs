//! Counters of the server, and their text for `/metrics` in the format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;

/// Upper bounds of the histogram's buckets, in seconds. A longer time is counted in `+Inf` alone.
const BUCKETS: [f64; 10] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.025, 0.1, 0.5, 2.5,
];

/// Counters of a server.
#[derive(Debug, Default)]
pub(super) struct Metrics {
    /// By the route's pattern, such as `/v1/{shape}/probe`.
    routes: Mutex<BTreeMap<String, Route>>,
    /// Requests that are being answered.
    pub in_flight: Gauge,
    /// Permits for heavy questions that are given out.
    pub heavy_permits: Gauge,
    /// Connections that are open.
    pub connections: Gauge,
    /// Connections that were refused because there were too many.
    pub refused: AtomicU64,
    /// Connections that were closed to make room for others.
    pub displaced: AtomicU64,
}

/// Current number of requests, permits or connections.
#[derive(Clone, Debug, Default)]
pub(super) struct Gauge(Arc<AtomicUsize>);

/// Counts as one in a [`Gauge`] until it is dropped.
#[derive(Debug)]
pub(super) struct Counted(Gauge);

impl Gauge {
    pub(super) fn enter(&self) -> Counted {
        self.0.fetch_add(1, Ordering::Relaxed);
        Counted(self.clone())
    }

    /// Enters unless `most` are inside already. Atomic: of two that come at the same time for the last place one gets
    /// it.
    pub(super) fn enter_below(&self, most: usize) -> Option<Counted> {
        let enter = |inside| (inside < most).then_some(inside + 1);
        let entered = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, enter);
        entered.is_ok().then(|| Counted(self.clone()))
    }

    pub(super) fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counters of a route.
#[derive(Debug, Default)]
struct Route {
    /// Answers by status.
    statuses: BTreeMap<u16, u64>,
    /// Answers by time, each in the first of the [`BUCKETS`] that holds it.
    buckets: [u64; BUCKETS.len()],
    /// All answers.
    count: u64,
    /// Their times, summed up.
    seconds: f64,
}

impl Metrics {
    /// Counts an answer of a route.
    pub(super) fn count(&self, route: &str, status: StatusCode, took: Duration) {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let route = match routes.get_mut(route) {
            Some(route) => route,
            None => routes.entry(route.to_owned()).or_default(),
        };
        let took = took.as_secs_f64();
        *route.statuses.entry(status.as_u16()).or_default() += 1;
        if let Some(bucket) = BUCKETS.iter().position(|&end| took <= end) {
            route.buckets[bucket] += 1;
        }
        route.count += 1;
        route.seconds += took;
    }

    /// The text of `/metrics`, for a server that started at `started`.
    pub(super) fn text(&self, started: Instant) -> String {
        let mut out = String::new();
        let mut write_metric =
            |name: &str, kind: &str, help: &str, value: &dyn std::fmt::Display| {
                let _ = writeln!(
                    out,
                    "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}"
                );
            };
        let uptime = started.elapsed().as_secs_f64();
        let name = "puzzledb_uptime_seconds";
        write_metric(name, "gauge", "Time since the server started.", &uptime);
        let name = "puzzledb_requests_in_flight";
        let help = "Requests that are being answered.";
        write_metric(name, "gauge", help, &self.in_flight.get());
        let name = "puzzledb_heavy_permits_in_use";
        let help = "Heavy questions that are being answered.";
        write_metric(name, "gauge", help, &self.heavy_permits.get());
        let name = "puzzledb_connections";
        let help = "Connections that are open.";
        write_metric(name, "gauge", help, &self.connections.get());
        let name = "puzzledb_connections_refused_total";
        let help = "Connections that were turned away because there were too many.";
        let refused = self.refused.load(Ordering::Relaxed);
        write_metric(name, "counter", help, &refused);
        let name = "puzzledb_connections_displaced_total";
        let help = "Connections without a whole request that were closed to make room for others.";
        let displaced = self.displaced.load(Ordering::Relaxed);
        write_metric(name, "counter", help, &displaced);
        self.write_routes(&mut out);
        out
    }

    fn write_routes(&self, out: &mut String) {
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
            for (end, count) in BUCKETS.iter().zip(route.buckets) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn of_two_that_come_at_once_for_the_last_place_one_gets_it() {
        let (gauge, barrier) = (Gauge::default(), Barrier::new(2));
        let round = || {
            barrier.wait();
            let entered = gauge.enter_below(1);
            barrier.wait(); // no one leaves before both have tried
            usize::from(entered.is_some())
        };
        for _ in 0..2000 {
            let entered = std::thread::scope(|scope| {
                let other = scope.spawn(round);
                round() + other.join().unwrap()
            });
            assert_eq!(entered, 1);
            assert_eq!(gauge.get(), 0);
        }
    }
}
