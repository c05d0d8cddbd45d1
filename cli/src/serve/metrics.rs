//! Counts of the server, and their text for `/metrics` in the format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use axum::http::StatusCode;

use super::app::App;

/// Answers by the route's pattern, such as `/v1/{shape}/probe`, and by status.
#[derive(Debug, Default)]
pub(super) struct Metrics(Mutex<BTreeMap<(String, u16), u64>>);

impl Metrics {
    /// Counts an answer of a route.
    pub(super) fn count(&self, route: &str, status: StatusCode) {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let route = (route.to_owned(), status.as_u16());
        *answers.entry(route).or_default() += 1;
    }

    /// The text of `/metrics`.
    pub(super) fn text(&self, app: &App) -> String {
        let limits = &app.config.limits;
        let in_flight = limits.in_flight - app.in_flight.available_permits();
        let heavy = limits.heavy - app.heavy_permits.available_permits();
        let connections = limits.connections - app.connections.available_permits();
        let mut text = String::new();
        for (name, value) in [
            ("uptime_seconds", app.started.elapsed().as_secs_f64()),
            ("requests_in_flight", in_flight as f64),
            ("heavy_permits_in_use", heavy as f64),
            ("connections", connections as f64),
        ] {
            let _ = writeln!(
                text,
                "# TYPE puzzledb_{name} gauge\npuzzledb_{name} {value}"
            );
        }
        text.push_str("# TYPE puzzledb_requests_total counter\n");
        let answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for ((route, status), count) in answers.iter() {
            let labels = format!("route=\"{route}\",status=\"{status}\"");
            let _ = writeln!(text, "puzzledb_requests_total{{{labels}}} {count}");
        }
        text
    }
}
