//! Starting workers, and what happens when they end.

use super::state::{Child, Failed, Master, Pipes, Source, State};
use crate::access_log::{AccessLog, Format};
use crate::accounts::{Account, is_root};
use crate::config::value::Manager;
use crate::config::{Global, Pool};
use crate::log::{self, Level};
use crate::slow_log::SlowLog;
use crate::worker::{self, EXIT_SOFTWARE, Seed};
use crate::{debug, notice, system_error, warning};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use phlox_process::{clear_environment, fork_worker, set_title, set_variable};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Resource, Rlimit, setrlimit};
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::time::{Duration, Instant};

/// Why workers are started.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Occasion {
    /// The server starts.
    Start,
    /// So many are needed.
    Need(i32),
    /// One has ended.
    Loss,
}

/// The last words of a worker may come for so long after its end.
const LAST_WORDS: Duration = Duration::from_secs(1);

impl Master {
    /// Starts the first workers of a pool.
    pub fn start_pool(&mut self, number: usize) -> Result<(), Failed> {
        let pool = &self.pools[number];
        if self.configuration.pools[pool.number].manager == Manager::OnDemand {
            let Some(socket) = self.sockets.get(pool.socket) else { return Err(Failed) };
            let flags = rustix::event::epoll::EventFlags::IN | rustix::event::epoll::EventFlags::ET;
            return rustix::event::epoll::add(&self.events, socket, Source::Pool(number).encode(), flags).map_err(
                |failure| {
                    system_error!(failure, "epoll: unable to add a listening socket");
                    Failed
                },
            );
        }
        self.make_children(number, Occasion::Start)
    }

    /// Starts workers of a pool, as many as the occasion asks for and the limits allow.
    pub fn make_children(&mut self, number: usize, occasion: Occasion) -> Result<(), Failed> {
        let config = &self.configuration.pools[self.pools[number].number];
        let running = self.pools[number].children.len() as i32;
        let wanted = match (config.manager, occasion) {
            (Manager::Static | Manager::Undefined, _) => config.max_children,
            (Manager::Dynamic, Occasion::Start) => config.start_servers,
            (Manager::OnDemand, Occasion::Start) => 0,
            (_, Occasion::Need(count)) => running + count,
            (_, Occasion::Loss) => running + 1,
        };
        let process_max = self.configuration.global.process_max;
        let is_full = |running: i32| process_max > 0 && running >= process_max;
        while self.is_normal() && (self.pools[number].children.len() as i32) < wanted && !is_full(self.running) {
            self.has_warned_of_max = false;
            let is_quiet = occasion != Occasion::Loss;
            self.make_child(number, if is_quiet { Level::Debug } else { Level::Notice })?;
        }
        let lacks = (self.pools[number].children.len() as i32) < wanted;
        if !self.has_warned_of_max && is_full(self.running) && lacks {
            self.has_warned_of_max = true;
            warning!(
                "The maximum number of processes has been reached. Please review your configuration and consider raising \
                 'process.max'"
            );
        }
        Ok(())
    }

    fn make_child(&mut self, number: usize, level: Level) -> Result<(), Failed> {
        let pool = &self.pools[number];
        let config = &self.configuration.pools[pool.number];
        let name = config.name.clone();
        let (near, far) = Pipes::new(config.catch_workers_output)?;
        let Some(slot) = pool.board.allocate() else {
            crate::error!("[pool {name}] no free scoreboard slot");
            return Err(Failed);
        };
        let process = match fork_worker() {
            Ok(Some(process)) => process,
            Ok(None) => self.become_worker(number, slot, far),
            Err(failure) => {
                pool.board.free(slot);
                system_error!(failure, "fork() failed");
                return Err(Failed);
            }
        };
        self.next_child = self.next_child.wrapping_add(1);
        let child = Child {
            number: self.next_child,
            process,
            pool: number,
            slot,
            started: Instant::now(),
            pipes: near,
            stream: None,
            is_superfluous: false,
            slow_logged: 0,
        };
        self.watch_output(&child);
        self.pools[number].children.insert(0, child);
        self.running += 1;
        log::write(level, None, (module_path!(), line!()), format_args!("[pool {name}] child {process} started"));
        Ok(())
    }

    /// In the new process: becomes the worker. Nothing of the master is used any more.
    fn become_worker(&mut self, number: usize, slot: usize, pipes: Option<(OwnedFd, OwnedFd)>) -> ! {
        use_pipes(pipes);
        log::become_worker();
        let pool = &mut self.pools[number];
        let config = self.configuration.pools[pool.number].clone();
        let access_log = pool.access_log.take();
        let (board, account) = (pool.board.clone(), pool.account.clone());
        let shown = match config.status_of {
            Some(other) => self.pools[other].board.clone(),
            None => board.clone(),
        };
        let socket = self.sockets.get(self.pools[number].socket);
        let socket = socket.and_then(|socket| rustix::io::fcntl_dupfd_cloexec(socket, 3).ok());
        let make = self.program.make.clone();
        let slow_log = SlowLog::open(&config);
        // The other workers' pipes, all listening sockets and the other pools' logs are none of the worker's business.
        self.pools.clear();
        self.departed.clear();
        self.sockets = Default::default();
        self.original_stderr = None;
        let socket = match socket {
            Some(socket) if become_user(&config, &account) => socket,
            _ => {
                crate::error!("[pool {}] child failed to initialize", config.name);
                std::process::exit(EXIT_SOFTWARE);
            }
        };
        for signal in
            [nix::libc::SIGTERM, nix::libc::SIGINT, nix::libc::SIGUSR1, nix::libc::SIGUSR2, nix::libc::SIGCHLD]
        {
            // Nothing else is set here, so that this cannot fail.
            let _ = phlox_process::set_action(signal, phlox_process::Action::Default, false);
        }
        set_environment(&config, &account);
        let format = config.access_format.as_deref().and_then(Format::read);
        let access_log =
            access_log.zip(format).map(|(file, format)| AccessLog::new(format, config.suppressed.clone(), file));
        let seed = Seed { pool: config, socket, board, slot, shown, access_log, slow_log, make };
        match (self.program.launch)(Box::new(move || worker::run(seed))) {}
    }

    /// Waits for the workers that have ended, and starts others for them.
    pub fn bury(&mut self) {
        loop {
            let status = match waitpid(None, Some(WaitPidFlag::WNOHANG | WaitPidFlag::WUNTRACED)) {
                Ok(status) => status,
                Err(_) => return,
            };
            let end = match status {
                WaitStatus::Exited(process, code) => End { process: process.as_raw(), code, signal: None },
                WaitStatus::Signaled(process, signal, core) => {
                    End { process: process.as_raw(), code: 0, signal: Some((signal, core)) }
                }
                WaitStatus::StillAlive => return,
                WaitStatus::Stopped(process, _) => {
                    notice!("child {process} stopped for tracing");
                    continue;
                }
                _ => continue,
            };
            self.bury_one(&end);
        }
    }

    fn bury_one(&mut self, end: &End) {
        let found = self.pools.iter_mut().find_map(|pool| {
            let place = pool.children.iter().position(|child| child.process == end.process)?;
            Some(pool.children.remove(place))
        });
        let Some(child) = found else {
            let (process, how) = (end.process, end.text());
            if std::process::id() == 1 {
                debug!(
                    "unknown child ({process}) exited {how} - most likely an orphan process (master process is the init \
                     process)"
                );
            } else {
                warning!(
                    "unknown child ({process}) exited {how} - potentially a bug or pre exec child (e.g. \
                     s6-notifyoncheck)"
                );
            }
            return;
        };
        let number = child.pool;
        self.running -= 1;
        self.pools[number].board.free(child.slot);
        let name = self.configuration.pools[self.pools[number].number].name.clone();
        let (process, time) = (end.process, child.started.elapsed());
        let time = format!("{}.{:06}", time.as_secs(), time.subsec_micros());
        let is_replaced = !(child.is_superfluous && end.is_regular());
        if is_replaced {
            let level = if self.is_normal() { end.level() } else { Level::Debug };
            log::write(
                level,
                None,
                (module_path!(), line!()),
                format_args!("[pool {name}] child {process} exited {} after {time} seconds from start", end.text()),
            );
        } else {
            debug!(
                "[pool {name}] child {process} has been killed by the process management after {time} seconds from start"
            );
        }
        self.depart(child, LAST_WORDS);
        self.on_child_exit();
        if matches!(end.signal, Some((Signal::SIGSEGV | Signal::SIGBUS, _))) {
            self.note_fault();
        }
        if is_replaced {
            // What has gone wrong is in the log, and the next look at the idle workers tries again.
            let _ = self.make_children(number, Occasion::Loss);
        }
    }

    /// Too many crashes in a short time make the server start anew.
    fn note_fault(&mut self) {
        let Global { emergency_restart_threshold: threshold, emergency_restart_interval: interval, .. } =
            &self.configuration.global;
        let Some(threshold) = usize::try_from(*threshold).ok().filter(|&count| count > 0) else { return };
        let Some(seconds) = u64::try_from(interval.0).ok().filter(|&seconds| seconds > 0) else { return };
        let now = Instant::now();
        self.faults.push(now);
        self.faults.retain(|fault| now.duration_since(*fault) <= Duration::from_secs(seconds));
        if self.faults.len() >= threshold {
            self.faults.clear();
            warning!("failed processes threshold ({threshold} in {seconds} sec) is reached, initiating reload");
            self.set_state(State::Reloading);
        }
    }
}

/// How a worker has ended.
struct End {
    process: i32,
    code: i32,
    /// The signal that has ended it, and whether there is a core file.
    signal: Option<(Signal, bool)>,
}

impl End {
    fn text(&self) -> String {
        match self.signal {
            None => format!("with code {}", self.code),
            Some((signal, has_core)) => {
                let core = if has_core { " - core dumped" } else { "" };
                format!("on signal {} ({signal}{core})", signal as i32)
            }
        }
    }

    /// Whether the end is that of a worker which was told to end.
    fn is_regular(&self) -> bool {
        self.signal.is_none_or(|(signal, _)| signal == Signal::SIGQUIT)
    }

    fn level(&self) -> Level {
        let is_usual = match self.signal {
            None => self.code == 0,
            Some((signal, _)) => signal == Signal::SIGQUIT,
        };
        if is_usual { Level::Notice } else { Level::Warning }
    }
}

/// Makes the pipes to the master the worker's output; without them, what it writes is lost.
fn use_pipes(pipes: Option<(OwnedFd, OwnedFd)>) {
    let result = match pipes {
        Some((output, error)) => rustix::stdio::dup2_stdout(output).and_then(|()| rustix::stdio::dup2_stderr(error)),
        None => rustix::fs::open("/dev/null", OFlags::RDWR, Mode::empty()).and_then(rustix::stdio::dup2_stderr),
    };
    // A worker without output can still answer requests.
    let _ = result;
}

/// Limits, root folder, folder, priority and user of a worker; false if it must not run.
fn become_user(config: &Pool, account: &Account) -> bool {
    let name = &config.name;
    if config.rlimit_files != 0 {
        let limit = Some(config.rlimit_files as u64);
        if let Err(failure) = setrlimit(Resource::Nofile, Rlimit { current: limit, maximum: limit }) {
            system_error!(
                failure,
                "[pool {name}] failed to set rlimit_files for this pool. Please check your system limits or decrease \
                 rlimit_files. setrlimit(RLIMIT_NOFILE, {})",
                config.rlimit_files
            );
        }
    }
    if config.rlimit_core.0 != 0 {
        let limit = u64::try_from(config.rlimit_core.0).ok();
        if let Err(failure) = setrlimit(Resource::Core, Rlimit { current: limit, maximum: limit }) {
            system_error!(
                failure,
                "[pool {name}] failed to set rlimit_core for this pool. Please check your system limits or decrease \
                 rlimit_core. setrlimit(RLIMIT_CORE, {})",
                config.rlimit_core.0
            );
        }
    }
    let is_root = is_root();
    let given = |text: &'static str, value: &Option<String>| {
        value.clone().filter(|value| !value.is_empty()).map(|value| (text, value))
    };
    let root = given("chroot", &config.chroot).filter(|_| is_root);
    if let Some((_, root)) = &root {
        if let Err(failure) = nix::unistd::chroot(root.as_str()) {
            system_error!(failure, "[pool {name}] failed to chroot({root})");
            return false;
        }
    }
    if let Some((_, folder)) = given("chdir", &config.chdir) {
        if let Err(failure) = std::env::set_current_dir(&folder) {
            system_error!(failure, "[pool {name}] failed to chdir({folder})");
            return false;
        }
    } else if root.is_some() && std::env::set_current_dir("/").is_err() {
        warning!("[pool {name}] failed to chdir(/)");
    }
    if is_root && !become_other(config, account) {
        return false;
    }
    if config.process_dumpable {
        if let Err(failure) = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::Dumpable) {
            system_error!(failure, "[pool {name}] failed to prctl(PR_SET_DUMPABLE)");
        }
    }
    true
}

/// What only root can do: priority, group, and user.
fn become_other(config: &Pool, account: &Account) -> bool {
    let name = &config.name;
    if let Some(priority) = config.process_priority.0 {
        if let Err(failure) = phlox_process::set_priority(nix::libc::PRIO_PROCESS, 0, priority) {
            system_error!(failure, "[pool {name}] Unable to set priority for this new process");
            return false;
        }
    }
    let gid = account.gid.filter(|gid| gid.as_raw() != 0);
    if let Some(gid) = gid {
        if let Err(failure) = nix::unistd::setgid(gid) {
            system_error!(failure, "[pool {name}] failed to setgid({gid})");
            return false;
        }
    }
    if let Some(uid) = account.uid.filter(|uid| !uid.is_root()) {
        let login = account.login.as_deref().or(config.user.as_deref()).unwrap_or_default();
        let gid = account.gid.unwrap_or(nix::unistd::Gid::from_raw(0));
        let groups = std::ffi::CString::new(login).map_err(|_| nix::errno::Errno::EINVAL);
        if let Err(failure) = groups.and_then(|login| nix::unistd::initgroups(&login, gid)) {
            let user = config.user.as_deref().unwrap_or_default();
            system_error!(failure, "[pool {name}] failed to initgroups({user}, {gid})");
            return false;
        }
        if let Err(failure) = nix::unistd::setuid(uid) {
            system_error!(failure, "[pool {name}] failed to setuid({uid})");
            return false;
        }
    }
    true
}

/// The title of the process, and the environment that scripts see.
fn set_environment(config: &Pool, account: &Account) {
    set_title(format!("php-fpm: pool {}", config.name).as_bytes());
    if config.clear_env {
        clear_environment();
    }
    for (key, value) in &config.environment {
        set_variable(OsStr::from_bytes(key), OsStr::from_bytes(value));
    }
    for (key, value) in [("USER", &account.user), ("HOME", &account.home)] {
        // What the configuration says has precedence.
        let is_configured = config.environment.iter().any(|(name, _)| name == key.as_bytes());
        if let Some(value) = value.as_deref().filter(|_| !is_configured) {
            set_variable(OsStr::new(key), OsStr::new(value));
        }
    }
}
