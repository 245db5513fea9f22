//! Tells systemd that the server is ready, and what it does (sd_notify(3)).

use crate::{notice, warning};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

/// What systemd is told by.
#[derive(Default)]
pub struct Systemd {
    /// The address of systemd's socket; a leading `@` stands for an abstract one.
    pub address: Option<String>,
    pub interval: Duration,
    /// Whether systemd restarts a server that says nothing.
    pub is_watched: bool,
    /// The requests that were answered when it was told the last time.
    pub requests: u64,
}

impl Systemd {
    /// What the environment and the configuration say.
    pub fn new(configured: Option<i32>, default: i32) -> Systemd {
        let address = std::env::var("NOTIFY_SOCKET").ok().filter(|address| !address.is_empty());
        let watchdog = std::env::var("WATCHDOG_USEC").ok().and_then(|text| text.parse::<u64>().ok());
        // Twice in the time that systemd waits.
        let interval = watchdog.map_or(0, |microseconds| microseconds / 2000);
        if interval > 1000 {
            if configured.is_some_and(|seconds| seconds > 0) {
                warning!("systemd_interval option ignored");
            }
            notice!("systemd watchdog configured to {}sec", interval as f64 / 1000.0);
            return Systemd { address, interval: Duration::from_millis(interval), is_watched: true, requests: 0 };
        }
        let seconds = u64::try_from(configured.unwrap_or(default)).unwrap_or(0);
        Systemd { address, interval: Duration::from_secs(seconds), is_watched: false, requests: 0 }
    }

    /// Sends a message; nothing, if there is no systemd.
    ///
    /// # Errors
    /// If it cannot be sent.
    pub fn send(&self, text: &str) -> std::io::Result<()> {
        let Some(address) = &self.address else { return Ok(()) };
        let address = match address.strip_prefix('@') {
            Some(name) => SocketAddr::from_abstract_name(name)?,
            None => SocketAddr::from_pathname(address)?,
        };
        UnixDatagram::unbound()?.send_to_addr(text.as_bytes(), &address).map(drop)
    }
}
