//! Which clients may connect to a TCP port (`listen.allowed_clients`).

use crate::error;
use std::net::{IpAddr, Ipv6Addr};

/// The addresses that may connect.
pub struct Clients(Vec<IpAddr>);

impl Clients {
    /// Reads a list of addresses with commas between them. What is no address is told of; a list without any lets nobody in.
    pub fn read(list: &str) -> Clients {
        let address = |text: &str| {
            let parsed = text.parse().ok();
            if parsed.is_none() {
                error!("Wrong IP address '{text}' in listen.allowed_clients");
            }
            parsed
        };
        let addresses: Vec<IpAddr> = list.split(',').filter_map(address).collect();
        if addresses.is_empty() {
            error!("There are no allowed addresses");
        }
        Clients(addresses)
    }

    /// Whether a client may connect. Of IPv6 addresses the first twelve bytes count, as in PHP.
    pub fn allow(&self, client: IpAddr) -> bool {
        let is_near = |a: Ipv6Addr, b: Ipv6Addr| a.octets()[..12] == b.octets()[..12];
        self.0.iter().any(|allowed| match (allowed, client) {
            (IpAddr::V4(allowed), IpAddr::V4(client)) => *allowed == client,
            (IpAddr::V4(allowed), IpAddr::V6(client)) => client.to_ipv4_mapped() == Some(*allowed),
            (IpAddr::V6(allowed), IpAddr::V6(client)) => is_near(*allowed, client),
            (IpAddr::V6(_), IpAddr::V4(_)) => false,
        })
    }
}
