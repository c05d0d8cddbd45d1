//! The state that all requests share.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::Semaphore;

use puzzledb::Cancel;

use super::config::Config;
use super::metrics::Metrics;
use super::tables::Tables;

#[derive(Debug)]
pub(super) struct App {
    /// The settings, with the address that the server is bound to.
    pub config: Config,
    pub tables: Tables,
    pub metrics: Metrics,
    pub started: Instant,
    /// Set once the server has stopped.
    pub stopped: Cancel,
    /// Places for connections.
    pub connections: Arc<Semaphore>,
    /// Places for requests that are being answered.
    pub in_flight: Arc<Semaphore>,
    /// Permits for heavy work: searches, and opening and building databases. Look-ups need none.
    pub heavy_permits: Arc<Semaphore>,
    /// Permits for large bodies, one for each that is read or answered.
    pub body_permits: Arc<Semaphore>,
}

impl App {
    pub(super) fn new(config: Config, tables: Tables) -> App {
        let permits = |count: usize| Arc::new(Semaphore::new(count.min(Semaphore::MAX_PERMITS)));
        let limits = &config.limits;
        App {
            tables,
            metrics: Metrics::default(),
            started: Instant::now(),
            stopped: Cancel::new(),
            connections: permits(limits.connections),
            in_flight: permits(limits.in_flight),
            heavy_permits: permits(limits.heavy),
            body_permits: permits(limits.large_bodies),
            config,
        }
    }
}
