//! The start of the server: configuration, background, sockets, the first workers.

use super::state::{Control, Master, PoolState, Source, State, Timers};
use crate::access_log::Format;
use crate::accounts::{Account, is_root};
use crate::application::Program;
use crate::config::check::open_log;
use crate::config::file::Reader;
use crate::config::value::Interval;
use crate::config::{CONFIGURATION_FOLDER, Configuration, Global, Options, Pool, Refused};
use crate::log::{self, Level, Place};
use crate::scoreboard::Board;
use crate::sockets::Sockets;
use crate::systemd::Systemd;
use crate::worker::EXIT_SOFTWARE;
use crate::{debug, error, notice, system_error};
use nix::libc::{SIG_BLOCK, SIG_SETMASK, SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use phlox_process::{fork_worker, listening_queue, set_mask, set_title};
use rustix::event::epoll::{self, CreateFlags, EventFlags};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Resource, Rlimit, setrlimit};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The status of a process whose configuration is wrong.
const EXIT_CONFIGURATION: i32 = 78;
/// Seconds that the program waits for the master which it has started in the background.
const BACKGROUND_WAIT: i64 = 10;
/// The signals that the master hears. They are blocked, so that none interrupts anything, and a descriptor gives them.
const HEARD: [Signal; 6] =
    [Signal::SIGTERM, Signal::SIGINT, Signal::SIGUSR1, Signal::SIGUSR2, Signal::SIGCHLD, Signal::SIGQUIT];

/// Serves until the server is to end; gives the status to exit with if there is nothing to serve. The process must have one thread.
pub fn run(options: Options, arguments: Vec<Vec<u8>>, program: Program) -> i32 {
    serve(None, options, arguments, program)
}

/// [`run`] with one pool that no file configures, in the foreground, and a log on standard error of what is wrong only.
pub fn run_pool(pool: Pool, arguments: Vec<Vec<u8>>, program: Program) -> i32 {
    let options = Options { allows_root: true, daemonizes: Some(false), forces_stderr: true, ..Options::default() };
    serve(Some(pool), options, arguments, program)
}

fn serve(pool: Option<Pool>, options: Options, arguments: Vec<Vec<u8>>, program: Program) -> i32 {
    // Signals that come too early must not end the process, and least of all if it has just been executed anew.
    let _ = set_mask(SIG_BLOCK, &[SIGUSR1, SIGUSR2, SIGCHLD]);
    let mut start = Start { background: None };
    match start.prepare(pool, options, arguments, program) {
        Ok(Some(master)) => {
            start.tell_background(true);
            drop(start);
            master.serve()
        }
        Ok(None) => 0,
        Err(Refused) => {
            error!("FPM initialization failed");
            start.tell_background(false);
            EXIT_CONFIGURATION
        }
    }
}

/// The start, as long as it may fail.
struct Start {
    /// Whom the master that runs in the background tells how it goes.
    background: Option<OwnedFd>,
}

/// The files that the configuration names.
struct Logs {
    original_stderr: Option<OwnedFd>,
    access: Vec<Option<File>>,
}

impl Start {
    fn prepare(
        &mut self,
        pool: Option<Pool>,
        options: Options,
        arguments: Vec<Vec<u8>>,
        program: Program,
    ) -> Result<Option<Master>, Refused> {
        use_null_device()?;
        let mut configuration = match pool {
            Some(pool) => of_pool(pool),
            None => read(&options, &program)?,
        };
        let logs = open_logs(&mut configuration, &options)?;
        if options.tests > 0 {
            configuration.check_accounts()?;
            if options.tests > 1 {
                configuration.dump();
            }
            notice!("configuration file {} test is successful", configuration.file);
            return Ok(None);
        }
        set_limits(&configuration)?;
        if configuration.global.daemonize {
            self.go_to_background()?;
        }
        // It fails if the process leads a session already.
        let _ = nix::unistd::setsid();
        set_priority(&configuration)?;
        let accounts: Vec<Account> = configuration
            .pools
            .iter()
            .map(|pool| Account::of(pool, options.allows_root))
            .collect::<Result<_, Refused>>()?;
        let boards: Vec<Board> = configuration.pools.iter().map(board).collect::<Result<_, Refused>>()?;
        configuration.pools.iter_mut().for_each(expand_environment);
        set_title(format!("php-fpm: master process ({})", configuration.file).as_bytes());
        let (events, signals) = hear_signals()?;
        let mut sockets = Sockets::default();
        sockets.inherit();
        let mut pools = Vec::new();
        let parts = accounts.into_iter().zip(boards).zip(logs.access);
        for (number, ((account, board), access_log)) in parts.enumerate() {
            let socket = sockets.open(&configuration.pools[number])?;
            if let Some((_, length)) = sockets.get(socket).and_then(listening_queue) {
                board.set_queue_length(u64::from(length));
            }
            let children = Vec::new();
            let (spawn_rate, has_warned) = (1, false);
            pools.push(PoolState { number, socket, account, board, access_log, children, spawn_rate, has_warned });
        }
        sockets.close_unused();
        write_pid(&configuration)?;
        let systemd = Systemd::new(configuration.global.systemd_interval.0, Interval::DEFAULT);
        let master = Master {
            configuration,
            options,
            program,
            arguments,
            sockets,
            pools,
            events,
            signals,
            original_stderr: logs.original_stderr,
            control: Control::default(),
            timers: Timers::default(),
            departed: Vec::new(),
            running: 0,
            next_child: 0,
            faults: Vec::new(),
            has_warned_of_max: false,
            systemd,
            heartbeat: Default::default(),
        };
        master.tie_standard_error();
        log::set_launched();
        notice!("fpm is running, pid {}", std::process::id());
        Ok(Some(master))
    }

    /// Goes on in a new process. The old one waits until that has started, and ends.
    fn go_to_background(&mut self) -> Result<(), Refused> {
        let (near, far) = pipe_with(PipeFlags::CLOEXEC).map_err(|failure| {
            system_error!(failure, "failed to create pipe");
            Refused
        })?;
        match fork_worker() {
            Ok(None) => {
                self.background = Some(far);
                Ok(())
            }
            Ok(Some(_)) => {
                drop(far);
                std::process::exit(wait_for_background(&near))
            }
            Err(failure) => {
                system_error!(failure, "failed to daemonize");
                Err(Refused)
            }
        }
    }

    fn tell_background(&mut self, is_well: bool) {
        if let Some(pipe) = self.background.take() {
            debug!("Sending \"{}\" to parent", u8::from(is_well));
            // Who waits does so for ten seconds only.
            let _ = rustix::io::write(&pipe, &i32::from(is_well).to_ne_bytes());
        }
    }
}

/// What the process exits with whose server runs in the background.
fn wait_for_background(pipe: &OwnedFd) -> i32 {
    debug!("The calling process is waiting for the master process to ping");
    let mut descriptors = [PollFd::new(pipe, PollFlags::IN)];
    match poll(&mut descriptors, Some(&Timespec { tv_sec: BACKGROUND_WAIT, tv_nsec: 0 })) {
        Ok(0) => {
            error!("the master process didn't send back its status (via the pipe to the calling process)");
            return EXIT_SOFTWARE;
        }
        Ok(_) => {}
        Err(failure) => {
            system_error!(failure, "failed to select");
            return EXIT_SOFTWARE;
        }
    }
    let mut answer = [0; 4];
    match rustix::io::read(pipe, &mut answer) {
        Ok(0) => {
            error!("no data have been read from pipe");
            EXIT_SOFTWARE
        }
        Ok(_) if i32::from_ne_bytes(answer) == 1 => {
            debug!("I received a valid acknowledge from the master process, I can exit without error");
            0
        }
        Ok(_) => {
            debug!("The master process returned an error !");
            EXIT_SOFTWARE
        }
        Err(failure) => {
            system_error!(failure, "failed to read from pipe");
            EXIT_SOFTWARE
        }
    }
}

impl Master {
    fn serve(mut self) -> ! {
        for number in 0..self.pools.len() {
            if self.start_pool(number).is_err() {
                self.set_state(State::Terminating);
                self.wait(true)
            }
        }
        self.wait(false)
    }
}

/// Standard input and output are of no use to a server.
fn use_null_device() -> Result<(), Refused> {
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()).map_err(|failure| {
        system_error!(failure, "failed to init stdio: open(\"/dev/null\")");
        Refused
    })?;
    rustix::stdio::dup2_stdin(&null).and_then(|()| rustix::stdio::dup2_stdout(&null)).map_err(|failure| {
        system_error!(failure, "failed to init stdio: dup2()");
        Refused
    })
}

/// The configuration of one pool.
fn of_pool(pool: Pool) -> Configuration {
    let global = Global { error_log: Some("/dev/null".to_owned()), log_level: Some(Level::Error), ..Global::default() };
    Configuration { global, pools: vec![pool], ..Configuration::default() }
}

fn read(options: &Options, program: &Program) -> Result<Configuration, Refused> {
    let mut configuration = Configuration { prefix: options.prefix.clone(), ..Configuration::default() };
    if let Some(prefix) = options.prefix.as_deref().filter(|prefix| !prefix.is_empty()) {
        if !Path::new(prefix).is_dir() {
            error!("the global prefix '{prefix}' does not exist or is not a directory");
            return Err(Refused);
        }
    }
    configuration.global.pid = options.pid.clone().filter(|pid| !pid.is_empty());
    configuration.file = match (&options.file, &options.prefix) {
        (Some(file), _) => file.clone(),
        (None, Some(prefix)) => format!("{prefix}/etc/php-fpm.conf"),
        (None, None) => format!("{CONFIGURATION_FOLDER}/php-fpm.conf"),
    };
    let file = configuration.file.clone();
    if Reader::new(&mut configuration, &program.read_value).file(&file).is_err() {
        error!("failed to load configuration file '{file}'");
        return Err(Refused);
    }
    Ok(configuration)
}

/// Checks the configuration and opens all logs.
fn open_logs(configuration: &mut Configuration, options: &Options) -> Result<Logs, Refused> {
    check_and_open(configuration, options).inspect_err(|_| error!("failed to post process the configuration"))
}

fn check_and_open(configuration: &mut Configuration, options: &Options) -> Result<Logs, Refused> {
    configuration.check_global(options.daemonizes)?;
    let daemonizes = configuration.global.daemonize;
    let mut original_stderr = None;
    if !daemonizes {
        debug!("saving original STDERR fd: dup()");
        let copy = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stderr(), 3).map_err(|failure| {
            system_error!(
                failure,
                "failed to save original STDERR fd, access.log records may appear in error_log: dup()"
            );
            Refused
        })?;
        original_stderr = Some(copy);
    }
    let place: Place = configuration.error_log()?;
    if options.uses_error_log(daemonizes) {
        log::set_place(place);
    }
    configuration.check_pools(options.allows_root)?;
    let open = |pool: &Pool| {
        let Some(path) = pool.access_log.as_deref() else { return Ok(None) };
        let file = open_log(path).map_err(|failure| {
            system_error!(failure, "failed to open access log ({path})");
            Refused
        })?;
        debug!("open access log ({path})");
        Ok(Some(file))
    };
    let access = configuration.pools.iter().map(open).collect::<Result<_, Refused>>()?;
    for pool in &configuration.pools {
        let format =
            pool.access_format.as_deref().filter(|_| pool.access_log.as_deref().is_some_and(|log| !log.is_empty()));
        if let Some(format) = format.filter(|format| Format::read(format).is_none()) {
            error!("[pool {}] wrong format for access.format '{format}'", pool.name);
            return Err(Refused);
        }
    }
    Ok(Logs { original_stderr, access })
}

/// The limits of the master, which its workers inherit.
fn set_limits(configuration: &Configuration) -> Result<(), Refused> {
    let (files, core) = (configuration.global.rlimit_files, configuration.global.rlimit_core.0);
    if files != 0 {
        let limit = Some(files as u64);
        setrlimit(Resource::Nofile, Rlimit { current: limit, maximum: limit }).map_err(|failure| {
            system_error!(
                failure,
                "failed to set rlimit_files for this pool. Please check your system limits or decrease rlimit_files. \
                 setrlimit(RLIMIT_NOFILE, {files})"
            );
            Refused
        })?;
    }
    if core != 0 {
        let limit = u64::try_from(core).ok();
        setrlimit(Resource::Core, Rlimit { current: limit, maximum: limit }).map_err(|failure| {
            system_error!(
                failure,
                "failed to set rlimit_core for this pool. Please check your system limits or decrease rlimit_core. \
                 setrlimit(RLIMIT_CORE, {core})"
            );
            Refused
        })?;
    }
    Ok(())
}

fn set_priority(configuration: &Configuration) -> Result<(), Refused> {
    let Some(priority) = configuration.global.process_priority.0 else { return Ok(()) };
    if !is_root() {
        notice!("'process.priority' directive is ignored when FPM is not running as root");
        return Ok(());
    }
    phlox_process::set_priority(nix::libc::PRIO_PROCESS, 0, priority).map_err(|failure| {
        system_error!(failure, "Unable to set priority for the master process");
        Refused
    })
}

fn board(pool: &Pool) -> Result<Board, Refused> {
    Board::new(pool).map_err(|failure| {
        system_error!(failure, "[pool {}] unable to create the scoreboard", pool.name);
        Refused
    })
}

/// A value that begins with `$` is that of the master's variable with this name.
fn expand_environment(pool: &mut Pool) {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    for (_, value) in &mut pool.environment {
        if let Some(name) = value.strip_prefix(b"$") {
            let known = (!name.is_empty()).then(|| std::env::var_os(std::ffi::OsStr::from_bytes(name))).flatten();
            *value = known.map(OsStringExt::into_vec).unwrap_or_default();
        }
    }
}

/// Makes signals events.
fn hear_signals() -> Result<(OwnedFd, SignalFd), Refused> {
    let numbers = [SIGTERM, SIGINT, SIGUSR1, SIGUSR2, SIGCHLD, SIGQUIT];
    set_mask(SIG_SETMASK, &numbers).map_err(|failure| {
        system_error!(failure, "failed to block signals");
        Refused
    })?;
    let set: SigSet = HEARD.into_iter().collect();
    let signals = SignalFd::with_flags(&set, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC).map_err(|failure| {
        system_error!(failure, "failed to init signals: signalfd()");
        Refused
    })?;
    let events = epoll::create(CreateFlags::CLOEXEC).map_err(|failure| {
        system_error!(failure, "epoll: unable to initialize");
        Refused
    })?;
    epoll::add(&events, signals.as_fd(), Source::Signals.encode(), EventFlags::IN).map_err(|failure| {
        system_error!(failure, "epoll: unable to add the signals");
        Refused
    })?;
    Ok((events, signals))
}

fn write_pid(configuration: &Configuration) -> Result<(), Refused> {
    let Some(path) = &configuration.global.pid else { return Ok(()) };
    // There may be no such file.
    let _ = std::fs::remove_file(path);
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o644).open(path);
    let mut file = file.map_err(|failure| {
        system_error!(failure, "Unable to create the PID file ({path}).");
        Refused
    })?;
    write!(file, "{}", std::process::id()).map_err(|failure| {
        system_error!(failure, "Unable to write to the PID file.");
        Refused
    })
}
