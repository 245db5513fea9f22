//! The master: starts workers, waits for what happens, and ends. It runs no PHP and has one thread.

mod children;
mod control;
mod output;
mod start;
mod systemd;
mod upkeep;

use crate::accounts::Account;
use crate::application::Program;
use crate::config::{Configuration, Options};
use crate::log::Level;
use crate::scoreboard::Board;
use crate::sockets::Sockets;
use crate::{debug, notice};
use children::Child;
use control::Control;
use nix::sys::signal::Signal;
use nix::sys::signalfd::SignalFd;
use rustix::event::{Timespec, epoll};
use rustix::io::Errno;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

pub use start::run;

/// How often the numbers of idle workers are looked at.
const UPKEEP: Duration = Duration::from_secs(1);
/// Requests that take long are not looked for more often.
const HEARTBEAT_MIN: u64 = 130;

/// A pool's state.
struct PoolState {
    /// The pool's number in the configuration.
    number: usize,
    /// Its socket's number.
    socket: usize,
    account: Account,
    board: Board,
    access_log: Option<File>,
    children: Vec<Child>,
    /// How many workers are started at once the next time.
    spawn_rate: i32,
    /// Whether it has been said that there are too few workers.
    has_warned: bool,
}

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Signals,
    /// A client has connected to a pool that starts workers on demand.
    Pool(usize),
    /// A worker has written something; true: on its standard output.
    Output(u32, bool),
}

impl Source {
    fn encode(self) -> epoll::EventData {
        epoll::EventData::new_u64(match self {
            Source::Signals => 0,
            Source::Pool(number) => 1 << 32 | number as u64,
            Source::Output(child, is_output) => (2 + u64::from(is_output)) << 32 | u64::from(child),
        })
    }

    fn decode(data: epoll::EventData) -> Source {
        let (kind, number) = (data.u64() >> 32, data.u64() as u32);
        match kind {
            0 => Source::Signals,
            1 => Source::Pool(number as usize),
            kind => Source::Output(number, kind == 3),
        }
    }
}

/// The moments at which something is to be done, where there is something.
#[derive(Default)]
struct Timers {
    heartbeat: Option<Instant>,
    upkeep: Option<Instant>,
    systemd: Option<Instant>,
    control: Option<Instant>,
    /// Ended workers are waited for.
    burial: Option<Instant>,
}

struct Master {
    configuration: Configuration,
    options: Options,
    program: Program,
    /// The command line, for executing the program anew.
    arguments: Vec<Vec<u8>>,
    sockets: Sockets,
    pools: Vec<PoolState>,
    /// The epoll descriptor and the one that gives signals.
    events: OwnedFd,
    signals: SignalFd,
    /// Standard error as it was at the start, for executing the program anew.
    original_stderr: Option<OwnedFd>,
    control: Control,
    timers: Timers,
    /// Workers that have ended and whose last words may still come.
    departed: Vec<(Child, Instant)>,
    running: i32,
    next_child: u32,
    /// When workers crashed, in seconds of [`Instant`].
    faults: Vec<Instant>,
    has_warned_of_max: bool,
    systemd: systemd::Systemd,
    heartbeat: Duration,
}

impl Master {
    /// Whether the master cannot be talked out of waiting: workers are started and everything goes its usual way.
    fn is_normal(&self) -> bool {
        self.control.is_normal()
    }

    /// Waits for events and deals with them, for ever.
    fn wait(mut self, has_failed: bool) -> ! {
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
                    self.set_state(control::State::Terminating);
                }
                Signal::SIGQUIT => {
                    notice!("Finishing ...");
                    self.set_state(control::State::Finishing);
                }
                Signal::SIGUSR1 => self.reopen_logs(),
                Signal::SIGUSR2 => {
                    notice!("Reloading in progress ...");
                    self.set_state(control::State::Reloading);
                }
                _ => {}
            }
        }
    }

    /// Says of a pool that it would need more workers than it may have.
    fn warn_of_children(&mut self, number: usize, setting: &str) {
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
