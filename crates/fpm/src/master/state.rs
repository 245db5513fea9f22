//! What the master knows.

use crate::accounts::Account;
use crate::application::Program;
use crate::config::{Configuration, Options};
use crate::log::stream::Stream;
use crate::scoreboard::Board;
use crate::sockets::Sockets;
use crate::systemd::Systemd;
use nix::sys::signal::Signal;
use nix::sys::signalfd::SignalFd;
use rustix::event::epoll;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// A pool's state.
pub struct PoolState {
    /// The pool's number in the configuration.
    pub number: usize,
    /// Its socket's number.
    pub socket: usize,
    pub account: Account,
    pub board: Board,
    pub access_log: Option<File>,
    pub children: Vec<Child>,
    /// How many workers are started at once the next time.
    pub spawn_rate: i32,
    /// Whether it has been said that there are too few workers.
    pub has_warned: bool,
}

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Signals,
    /// A client has connected to a pool that starts workers on demand.
    Pool(usize),
    /// A worker has written something; true: on its standard output.
    Output(u32, bool),
}

impl Source {
    /// The number by which epoll gives it back.
    pub fn encode(self) -> epoll::EventData {
        epoll::EventData::new_u64(match self {
            Source::Signals => 0,
            Source::Pool(number) => 1 << 32 | number as u64,
            Source::Output(child, is_output) => (2 + u64::from(is_output)) << 32 | u64::from(child),
        })
    }

    /// What a number of epoll stands for.
    pub fn decode(data: epoll::EventData) -> Source {
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
pub struct Timers {
    pub heartbeat: Option<Instant>,
    pub upkeep: Option<Instant>,
    pub systemd: Option<Instant>,
    pub control: Option<Instant>,
    /// Ended workers are waited for.
    pub burial: Option<Instant>,
}

/// The master's state. Its methods are where what they do belongs.
pub struct Master {
    pub configuration: Configuration,
    pub options: Options,
    pub program: Program,
    /// The command line, for executing the program anew.
    pub arguments: Vec<Vec<u8>>,
    pub sockets: Sockets,
    pub pools: Vec<PoolState>,
    /// The epoll descriptor and the one that gives signals.
    pub events: OwnedFd,
    pub signals: SignalFd,
    /// Standard error as it was at the start, for executing the program anew.
    pub original_stderr: Option<OwnedFd>,
    pub control: Control,
    pub timers: Timers,
    /// Workers that have ended and whose last words may still come.
    pub departed: Vec<(Child, Instant)>,
    pub running: i32,
    pub next_child: u32,
    /// When workers crashed.
    pub faults: Vec<Instant>,
    pub has_warned_of_max: bool,
    pub systemd: Systemd,
    pub heartbeat: Duration,
}

/// A worker, as the master knows it.
pub struct Child {
    /// The number that events name it by.
    pub number: u32,
    pub process: i32,
    /// The pool, and the slot of its scoreboard.
    pub pool: usize,
    pub slot: usize,
    pub started: Instant,
    pub pipes: Pipes,
    pub stream: Option<Stream>,
    /// It was told to end because there were too many.
    pub is_superfluous: bool,
    /// When the request was accepted that the log of slow requests has.
    pub slow_logged: u64,
}

/// The master's ends of a worker's pipes; none if its output is not caught.
#[derive(Default)]
pub struct Pipes {
    pub output: Option<OwnedFd>,
    pub error: Option<OwnedFd>,
    /// How much of the mark that ends lines stands at the end of what was read last of standard error.
    pub mark: usize,
}

/// Workers could not be started.
pub struct Failed;

/// What the server is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    #[default]
    Normal,
    Reloading,
    Finishing,
    Terminating,
}

impl State {
    pub fn name(self) -> &'static str {
        match self {
            State::Normal => "normal",
            State::Reloading => "reloading",
            State::Finishing => "finishing",
            State::Terminating => "terminating",
        }
    }
}

/// What the server is about, and the signal that workers were sent for it.
#[derive(Default)]
pub struct Control {
    pub state: State,
    pub sent: Option<Signal>,
}

impl Control {
    /// Whether the server neither ends nor starts anew.
    pub fn is_normal(&self) -> bool {
        self.state == State::Normal
    }
}
