//! Tells systemd that the server is ready, and what it does (sd_notify(3)).

use super::Master;
use crate::{debug, notice, warning};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::{Duration, Instant};

/// What systemd is told by.
#[derive(Default)]
pub struct Systemd {
    /// The address of systemd's socket; a leading `@` stands for an abstract one.
    address: Option<String>,
    interval: Duration,
    /// Whether systemd restarts a server that says nothing.
    is_watched: bool,
    requests: u64,
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

    fn send(&self, text: &str) -> std::io::Result<()> {
        let Some(address) = &self.address else { return Ok(()) };
        let address = match address.strip_prefix('@') {
            Some(name) => SocketAddr::from_abstract_name(name)?,
            None => SocketAddr::from_pathname(address)?,
        };
        UnixDatagram::unbound()?.send_to_addr(text.as_bytes(), &address).map(drop)
    }
}

impl Master {
    /// Tells systemd that the server is ready.
    pub fn begin_systemd(&mut self) {
        let process = std::process::id();
        let text = format!("READY=1\nSTATUS=Ready to handle connections\nMAINPID={process}");
        match self.systemd.send(&text) {
            Err(_) => warning!("failed to notify start to systemd"),
            Ok(()) => debug!("have notify start to systemd"),
        }
        let interval = self.systemd.interval;
        if self.systemd.address.is_none() {
            return;
        }
        if interval.is_zero() {
            notice!("systemd monitor disabled");
        } else {
            notice!("systemd monitor interval set to {}ms", interval.as_millis());
            self.timers.systemd = Some(Instant::now() + interval);
        }
    }

    /// Tells systemd what the server does.
    pub fn tell_systemd(&mut self) {
        let (mut active, mut idle, mut requests, mut slow) = (0, 0, 0, 0);
        for totals in self.pools.iter().map(|pool| pool.board.totals()) {
            active += totals.active;
            idle += totals.idle;
            requests += totals.requests;
            slow += totals.slow;
        }
        let interval = self.systemd.interval;
        let rate = requests.saturating_sub(self.systemd.requests) as f64 / interval.as_secs_f64();
        let watchdog = if self.systemd.is_watched { "WATCHDOG=1\n" } else { "" };
        let text = format!(
            "READY=1\n{watchdog}STATUS=Processes active: {active}, idle: {idle}, Requests: {requests}, slow: {slow}, \
             Traffic: {rate:.2}req/sec"
        );
        if self.systemd.send(&text).is_err() {
            notice!("failed to notify status to systemd");
        }
        self.systemd.requests = requests;
        self.timers.systemd = Some(Instant::now() + interval);
    }
}
