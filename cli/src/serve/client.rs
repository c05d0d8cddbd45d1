//! Clients by their addresses: the server shares out its resources among them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// All programs behind one address. Headers of proxies are not read, since any client can send them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Client(IpAddr);

tokio::task_local! {
    static CURRENT: Client;
}

impl Client {
    /// The client at an address. A network of 64 bits is one client in IPv6: a customer gets such a network, and may
    /// use all its addresses.
    pub(super) fn at(address: IpAddr) -> Client {
        Client(match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = address.to_bits() >> 64 << 64;
                Ipv6Addr::from_bits(network).into()
            }
            address => address,
        })
    }

    /// The client whose request this task is answering.
    pub(super) fn current() -> Client {
        let unknown = Client(Ipv4Addr::UNSPECIFIED.into());
        CURRENT.try_with(|&client| client).unwrap_or(unknown)
    }

    /// Runs a future that answers a request of this client.
    pub(super) async fn scope<F: Future>(self, answer: F) -> F::Output {
        CURRENT.scope(self, answer).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_an_address_or_a_network_of_64_bits() {
        let client = |address: &str| Client::at(address.parse().unwrap());
        for (one, other, same) in [
            ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false),
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true),
            ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
            ("::1", "127.0.0.1", false),
        ] {
            assert_eq!(client(one) == client(other), same, "{one} {other}");
        }
    }
}
