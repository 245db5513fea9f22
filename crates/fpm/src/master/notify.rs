//! When systemd is told what.

use super::state::Master;
use crate::{debug, notice, warning};
use std::time::Instant;

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
