//! The state that all requests share.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::Semaphore;

use puzzledb::Cancel;

use super::config::{Config, Limits};
use super::metrics::Metrics;
use super::reach::Reach;
use super::tables::Tables;

#[derive(Debug)]
pub(super) struct App {
    pub limits: Limits,
    pub cors: bool,
    pub log: bool,
    pub reach: Reach,
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
    pub(super) fn new(config: &Config, address: SocketAddr, tables: Tables) -> App {
        let permits = |count: usize| Arc::new(Semaphore::new(count.min(Semaphore::MAX_PERMITS)));
        App {
            limits: config.limits.clone(),
            cors: config.cors,
            log: config.log,
            reach: Reach::new(address, &config.hosts),
            tables,
            metrics: Metrics::default(),
            started: Instant::now(),
            stopped: Cancel::new(),
            connections: permits(config.limits.connections),
            in_flight: permits(config.limits.in_flight),
            heavy_permits: permits(config.limits.heavy),
            body_permits: permits(config.limits.large_bodies),
        }
    }
}
