//! How to serve.

use std::net::SocketAddr;

use super::limits::Limits;

/// How to serve.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// The address to listen at; port 0 takes any that is free.
    pub listen: SocketAddr,
    /// Write a line of JSON for each request to standard error?
    pub log: bool,
    /// May pages of other origins ask?
    pub cors: bool,
    /// What one request or connection may take.
    pub limits: Limits,
}
