//! Waiting for events.

use super::state::{Master, Source, State};
use crate::log::Level;
use crate::{debug, notice};
use nix::sys::signal::Signal;
use rustix::event::{Timespec, epoll};
use rustix::io::Errno;
use std::time::{Duration, Instant};

/// How often the numbers of idle workers are looked at.
const UPKEEP: Duration = Duration::from_secs(1);
/// Requests that take long are not looked for more often.
const HEARTBEAT_MIN: u64 = 130;

impl Master {
    /// Whether the master cannot be talked out of waiting: workers are started and everything goes its usual way.
    pub fn is_normal(&self) -> bool {
        self.control.is_normal()
    }

    /// Waits for events and deals with them, for ever.
    pub fn wait(mut self, has_failed: bool) -> ! {
        let now = Instant::now();
        if self.configuration.heartbeat > 0 {
            let span = self.configuration.heartbeat.max(HEARTBEAT_MIN);
            self.heartbeat = Duration::from_millis(span);
            debug!("heartbeat have been set up with a timeout of {span}ms");
            self.timers.heartbeat = Some(now + self.heartbeat);
        }
        if !has_failed {
            self.timers.upkeep = Some(now + UPKEEP);
            notice!("ready to handle connections");
            self.begin_systemd();
        }
        loop {
            let mut events = Vec::with_capacity(64);
            let timeout = self.timeout();
            match epoll::wait(&self.events, rustix::buffer::spare_capacity(&mut events), Some(&timeout)) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(failure) => {
                    crate::system_error!(failure, "epoll_wait() failed");
                    std::thread::sleep(UPKEEP);
                }
            }
            if !events.is_empty() {
                debug!("event module triggered {} events", events.len());
            }
            for event in events {
                match Source::decode(event.data) {
                    Source::Signals => self.hear_signals(),
                    Source::Pool(number) => self.on_connection(number),
                    Source::Output(child, is_output) => self.on_output(child, is_output),
                }
            }
            self.on_time();
        }
    }

    /// How long to wait for events.
    fn timeout(&self) -> Timespec {
        let timers = &self.timers;
        let moments = [timers.heartbeat, timers.upkeep, timers.systemd, timers.control, timers.burial];
        let departed = self.departed.iter().map(|(_, end)| *end);
        let next = moments.into_iter().flatten().chain(departed).min();
        let span = next.map_or(UPKEEP, |next| next.saturating_duration_since(Instant::now()));
        // Rounded up, so that the moment has come when the waiting ends.
        let span = span + Duration::from_millis(1);
        Timespec { tv_sec: span.as_secs() as i64, tv_nsec: i64::from(span.subsec_nanos()) }
    }

    fn on_time(&mut self) {
        let now = Instant::now();
        let is_due = |moment: &mut Option<Instant>| moment.take_if(|moment| *moment <= now).is_some();
        if is_due(&mut self.timers.burial) {
            self.bury();
        }
        if is_due(&mut self.timers.heartbeat) {
            self.timers.heartbeat = Some(now + self.heartbeat);
            self.look_for_slow_requests();
        }
        if is_due(&mut self.timers.upkeep) {
            self.timers.upkeep = Some(now + UPKEEP);
            if self.is_normal() {
                self.keep_idle_workers();
            }
        }
        if is_due(&mut self.timers.systemd) {
            self.tell_systemd();
        }
        if is_due(&mut self.timers.control) {
            self.on_control_timeout();
        }
        self.departed.retain(|(_, end)| *end > now);
    }

    fn hear_signals(&mut self) {
        while let Ok(Some(info)) = self.signals.read_signal() {
            let Ok(signal) = Signal::try_from(info.ssi_signo as i32) else { continue };
            debug!("received {signal}");
            match signal {
                Signal::SIGCHLD => self.timers.burial = Some(Instant::now()),
                Signal::SIGINT | Signal::SIGTERM => {
                    notice!("Terminating ...");
                    self.set_state(State::Terminating);
                }
                Signal::SIGQUIT => {
                    notice!("Finishing ...");
                    self.set_state(State::Finishing);
                }
                Signal::SIGUSR1 => self.reopen_logs(),
                Signal::SIGUSR2 => {
                    notice!("Reloading in progress ...");
                    self.set_state(State::Reloading);
                }
                _ => {}
            }
        }
    }

    /// Says of a pool that it would need more workers than it may have.
    pub fn warn_of_children(&mut self, number: usize, setting: &str) {
        let pool = &mut self.pools[number];
        let config = &self.configuration.pools[pool.number];
        if pool.has_warned || config.status_of.is_some() {
            return;
        }
        pool.has_warned = true;
        pool.board.count_children_reached();
        let (name, most) = (&config.name, config.max_children);
        crate::log::write(
            Level::Warning,
            None,
            (module_path!(), line!()),
            format_args!("[pool {name}] server reached {setting} setting ({most}), consider raising it"),
        );
    }
}
