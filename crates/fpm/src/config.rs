//! The configuration: what can be set ([`table`]), how files are read ([`file`]), and what must hold ([`check`]).

pub mod check;
pub mod file;
pub mod line;
pub mod table;
pub mod value;

pub use table::{Global, Pool};

/// The prefix of relative paths where nothing else gives one.
pub const PREFIX: &str = "/usr/local";
/// The folder of the configuration where nothing else gives one.
pub const CONFIGURATION_FOLDER: &str = "/etc/phlox";
/// The folder of logs and of the file with the process's id.
pub const STATE_FOLDER: &str = "/var";

/// What the command line says.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The configuration file (`-y`).
    pub file: Option<String>,
    /// The prefix of relative paths (`-p`).
    pub prefix: Option<String>,
    /// The file with the process's id (`-g`).
    pub pid: Option<String>,
    /// How often `-t` was given: 1 tests the configuration, 2 prints it, too.
    pub tests: u32,
    /// Pools may run as root (`-R`).
    pub allows_root: bool,
    /// Whether to run in the background (`-D`) or not (`-F`), whatever the configuration says.
    pub daemonizes: Option<bool>,
    /// In the foreground everything goes to standard error (`-O`).
    pub forces_stderr: bool,
}

impl Options {
    /// Whether messages go to the log's place: always in the background, and in the foreground if standard error is no terminal.
    pub fn uses_error_log(&self, daemonizes: bool) -> bool {
        daemonizes || (!rustix::termios::isatty(rustix::stdio::stderr()) && !self.forces_stderr)
    }
}

/// All that is configured.
#[derive(Default)]
pub struct Configuration {
    pub global: Global,
    pub pools: Vec<Pool>,
    /// The file that it was read from.
    pub file: String,
    /// The prefix of the command line.
    pub prefix: Option<String>,
    /// How often the master looks after requests that take long, in milliseconds; 0: never.
    pub heartbeat: u64,
}

impl Configuration {
    /// `path`, made absolute by the first prefix that there is: the pool's, the command line's, the default.
    pub fn full_path(&self, path: &str, pool_prefix: Option<&str>, default: &str) -> String {
        if path.starts_with('/') {
            return path.to_owned();
        }
        let prefix = pool_prefix.or(self.prefix.as_deref()).unwrap_or(default);
        let full = if path.is_empty() { prefix.to_owned() } else { format!("{prefix}/{path}") };
        if full.starts_with('/') || pool_prefix.is_none() { full } else { self.full_path(&full, None, default) }
    }
}

/// Reading or checking the configuration has failed, which the log says.
#[derive(Debug)]
pub struct Refused;
