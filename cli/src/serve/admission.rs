//! Admission of requests to be answered at the same time.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::app::App;
use super::client::Client;
use super::metrics::Counted;

/// Counts the requests of each client that are being answered. One client has at most three quarters of the places.
#[derive(Debug, Default)]
pub(super) struct Admission {
    /// Requests of the clients that have some.
    clients: Mutex<HashMap<Client, usize>>,
}

/// A request that is being answered, until this is dropped.
pub(super) struct Admitted<'a> {
    admission: &'a Admission,
    client: Client,
    _counted: Counted,
}

impl Admission {
    /// Admits a request, unless too many are being answered.
    pub(super) fn enter<'a>(app: &'a App, client: Client) -> Option<Admitted<'a>> {
        let (admission, most) = (&app.admission, app.limits.in_flight);
        let mut clients = admission.clients();
        let own = clients.get(&client).copied().unwrap_or(0);
        if own >= most - most / 4 {
            return None;
        }
        let counted = app.metrics.in_flight.enter_below(most)?;
        clients.insert(client, own + 1);
        Some(Admitted {
            admission,
            client,
            _counted: counted,
        })
    }

    fn clients(&self) -> MutexGuard<'_, HashMap<Client, usize>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Admitted<'_> {
    fn drop(&mut self) {
        let mut clients = self.admission.clients();
        if let Some(own) = clients.get_mut(&self.client) {
            *own -= 1;
            if *own == 0 {
                clients.remove(&self.client);
            }
        }
    }
}
