//! Address and names of a server.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use super::config::Config;

impl Config {
    /// Returns whether only programs on this machine can reach it.
    pub(super) fn is_local(&self) -> bool {
        self.listen.ip().to_canonical().is_loopback()
    }

    /// An address that works for every client that can reach the server. If it listens on all addresses, that is the
    /// one by which this machine reaches others, or a name that was given to it.
    pub(super) fn url(&self) -> String {
        let port = self.listen.port();
        if !self.listen.ip().is_unspecified() {
            return format!("http://{}", self.listen);
        }
        match (own_address(self.listen.ip()), self.hosts.first()) {
            (Some(address), _) => format!("http://{}", SocketAddr::new(address, port)),
            (None, Some(host)) => format!("http://{host}:{port}"),
            (None, None) => format!("http://localhost:{port}"),
        }
    }

    /// Returns whether a `Host` such as `localhost`, `127.0.0.1:8080` or `[::1]:8080` is one of this server.
    pub(super) fn is_host(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        let address = match name.strip_prefix('[') {
            Some(address) => address
                .strip_suffix(']')
                .and_then(|address| address.parse().ok()),
            None => name.parse::<Ipv4Addr>().ok().map(IpAddr::V4),
        };
        if let Some(address) = address {
            return !self.is_local() || address.is_loopback();
        }
        let name = name.strip_suffix('.').unwrap_or(name);
        let mut names = self.hosts.iter().map(String::as_str).chain(["localhost"]);
        names.any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// The address by which this machine reaches others: the source of packets to an address that no machine has
/// (RFC 5737, RFC 3849). Connecting a UDP socket sends none.
fn own_address(unspecified: IpAddr) -> Option<IpAddr> {
    let v6 = (IpAddr::from(Ipv6Addr::UNSPECIFIED), "[2001:db8::1]:9");
    let v4 = (IpAddr::from(Ipv4Addr::UNSPECIFIED), "192.0.2.1:9");
    // A socket for IPv6 takes IPv4 too, but not on Windows.
    let takes = |from: IpAddr| from == unspecified || (from.is_ipv4() && !cfg!(windows));
    let sources = [v6, v4].into_iter().filter(|(from, _)| takes(*from));
    let mut sources = sources.filter_map(|(from, to)| {
        let socket = UdpSocket::bind((from, 0)).ok()?;
        socket.connect(to).ok()?;
        Some(socket.local_addr().ok()?.ip())
    });
    sources.find(|address| !address.is_unspecified() && !address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(listens: &str) -> Config {
        let mut config = Config::new(listens.parse().unwrap());
        config.hosts = vec!["Puzzle.example".to_owned()];
        config
    }

    #[test]
    fn only_names_that_were_given_and_addresses_are_hosts() {
        let loopback = ["127.0.0.1", "127.9.9.9:1", "[::1]", "[::1]:8080"];
        let others = ["10.0.0.1", "192.0.2.1:8080", "[2001:db8::1]:80"];
        let names = [
            "localhost",
            "LOCALHOST:80",
            "localhost.",
            "puzzle.example",
            "PUZZLE.example:8080",
        ];
        let never = [
            "",
            "evil.example",
            "localhost.evil.example:80",
            "127.0.0.1.evil",
            "::1",
            "[::1",
            "[evil]",
            "localhost..",
            "x@localhost",
            ":80",
        ];
        for (listens, is_local) in [
            ("127.0.0.1:8080", true),
            ("[::1]:8080", true),
            ("0.0.0.0:8080", false),
            ("[::]:8080", false),
            ("192.0.2.1:8080", false),
        ] {
            let reach = reach(listens);
            assert_eq!(reach.is_local(), is_local);
            let takes = |host: &&str| reach.is_host(host);
            assert!(names.iter().chain(&loopback).all(takes), "{listens}");
            assert!(!never.iter().any(takes), "{listens}");
            assert_eq!(others.iter().any(takes), !is_local, "{listens}");
            assert_eq!(others.iter().all(takes), !is_local, "{listens}");
        }
    }

    #[test]
    fn the_url_of_a_server_is_never_the_unspecified_address() {
        assert_eq!(reach("127.0.0.1:80").url(), "http://127.0.0.1:80");
        assert_eq!(reach("[2001:db8::1]:80").url(), "http://[2001:db8::1]:80");
        for all in ["0.0.0.0:80", "[::]:80"] {
            let url = reach(all).url();
            assert!(!url.contains("0.0.0.0") && !url.contains("[::]"), "{url}");
        }
    }
}
