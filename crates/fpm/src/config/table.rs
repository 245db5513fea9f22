//! All directives, a row for each: its name, where its value goes, the value's kind, and its default.

use super::value::{CoreLimit, Interval, Manager, Mechanism, PlainSeconds, Priority, Seconds, Value};
use crate::log::{Facility, LIMIT_DEFAULT, Level};

/// A row of the table of `T`'s directives.
pub struct Directive<T> {
    /// The name in files.
    pub name: &'static str,
    /// Reads the value; the error says what is wrong with the text.
    pub set: fn(&mut T, &str) -> Result<(), &'static str>,
    /// The value as the dump of the configuration shows it.
    pub show: fn(&T) -> String,
}

/// Makes a structure with a field for each directive, its defaults and its table.
macro_rules! directives {
    (
        $(#[$about:meta])* $structure:ident, $rows:ident;
        directives { $($field:ident: $kind:ty = $default:expr, $name:literal;)* }
        others { $($(#[$about_other:meta])* $other:ident: $other_kind:ty = $other_default:expr;)* }
    ) => {
        $(#[$about])*
        #[derive(Clone)]
        pub struct $structure {
            $(#[doc = concat!("`", $name, "`")] pub $field: $kind,)*
            $($(#[$about_other])* pub $other: $other_kind,)*
        }

        impl Default for $structure {
            fn default() -> $structure {
                $structure { $($field: $default,)* $($other: $other_default,)* }
            }
        }

        #[doc = concat!("The directives of [`", stringify!($structure), "`], in the order of the dump.")]
        pub static $rows: &[Directive<$structure>] = &[$(
            Directive {
                name: $name,
                set: |target, text| {
                    target.$field = <$kind as Value>::read(text)?;
                    Ok(())
                },
                show: |source| source.$field.show(),
            },
        )*];
    };
}

directives! {
    /// What is set in the section `[global]`.
    Global, GLOBAL;
    directives {
    pid: Option<String> = None, "pid";
    error_log: Option<String> = None, "error_log";
    syslog_ident: Option<String> = None, "syslog.ident";
    syslog_facility: Option<Facility> = None, "syslog.facility";
    log_buffering: bool = true, "log_buffering";
    log_level: Option<Level> = None, "log_level";
    log_limit: i32 = LIMIT_DEFAULT, "log_limit";
    emergency_restart_interval: Seconds = Seconds(0), "emergency_restart_interval";
    emergency_restart_threshold: i32 = 0, "emergency_restart_threshold";
    process_control_timeout: Seconds = Seconds(0), "process_control_timeout";
    process_max: i32 = 0, "process.max";
    process_priority: Priority = Priority(None), "process.priority";
    daemonize: bool = true, "daemonize";
    rlimit_files: i32 = 0, "rlimit_files";
    rlimit_core: CoreLimit = CoreLimit(0), "rlimit_core";
    events_mechanism: Mechanism = Mechanism(None), "events.mechanism";
    systemd_interval: Interval = Interval(None), "systemd_interval";
    }
    others {}
}

/// The key and the value of a directive with elements.
pub type Element = (Vec<u8>, Vec<u8>);

directives! {
    /// What is set for a pool.
    Pool, POOL;
    directives {
    prefix: Option<String> = None, "prefix";
    user: Option<String> = None, "user";
    group: Option<String> = None, "group";
    listen: Option<String> = None, "listen";
    listen_backlog: i32 = -1, "listen.backlog";
    listen_acl_users: Option<String> = None, "listen.acl_users";
    listen_acl_groups: Option<String> = None, "listen.acl_groups";
    listen_owner: Option<String> = None, "listen.owner";
    listen_group: Option<String> = None, "listen.group";
    listen_mode: Option<String> = None, "listen.mode";
    listen_allowed_clients: Option<String> = None, "listen.allowed_clients";
    process_priority: Priority = Priority(None), "process.priority";
    process_dumpable: bool = false, "process.dumpable";
    manager: Manager = Manager::Undefined, "pm";
    max_children: i32 = 0, "pm.max_children";
    start_servers: i32 = 0, "pm.start_servers";
    min_spare_servers: i32 = 0, "pm.min_spare_servers";
    max_spare_servers: i32 = 0, "pm.max_spare_servers";
    max_spawn_rate: i32 = 32, "pm.max_spawn_rate";
    process_idle_timeout: PlainSeconds = PlainSeconds(10), "pm.process_idle_timeout";
    max_requests: i32 = 0, "pm.max_requests";
    status_path: Option<String> = None, "pm.status_path";
    status_listen: Option<String> = None, "pm.status_listen";
    ping_path: Option<String> = None, "ping.path";
    ping_response: Option<String> = None, "ping.response";
    access_log: Option<String> = None, "access.log";
    access_format: Option<String> = None, "access.format";
    slowlog: Option<String> = None, "slowlog";
    request_slowlog_timeout: Seconds = Seconds(0), "request_slowlog_timeout";
    request_slowlog_trace_depth: i32 = 0, "request_slowlog_trace_depth";
    request_terminate_timeout: Seconds = Seconds(0), "request_terminate_timeout";
    request_terminate_timeout_track_finished: bool = false, "request_terminate_timeout_track_finished";
    rlimit_files: i32 = 0, "rlimit_files";
    rlimit_core: CoreLimit = CoreLimit(0), "rlimit_core";
    chroot: Option<String> = None, "chroot";
    chdir: Option<String> = None, "chdir";
    catch_workers_output: bool = false, "catch_workers_output";
    decorate_workers_output: bool = true, "decorate_workers_output";
    clear_env: bool = true, "clear_env";
    limit_extensions: Option<String> = None, "security.limit_extensions";
    }
    others {
        /// The name of the pool's section.
        name: String = String::new();
        /// Requests for these paths are not in the access log (`access.suppress_path[]`). Of all lists the last element comes first.
        suppressed: Vec<String> = Vec::new();
        /// `env[NAME]`
        environment: Vec<Element> = Vec::new();
        /// Settings of PHP that scripts may change (`php_value[NAME]`, `php_flag[NAME]`).
        values: Vec<Element> = Vec::new();
        /// Settings of PHP that scripts may not change (`php_admin_value[NAME]`, `php_admin_flag[NAME]`).
        admin_values: Vec<Element> = Vec::new();
        /// The pool was made for `pm.status_listen` of the pool with this number.
        status_of: Option<usize> = None;
    }
}

impl Pool {
    /// A pool with this name and the defaults.
    pub fn named(name: &str) -> Pool {
        Pool { name: name.to_owned(), ..Pool::default() }
    }

    /// Whether the pool listens at a TCP port.
    pub fn is_tcp(&self) -> bool {
        let address = self.listen.as_deref().unwrap_or_default();
        is_tcp(address)
    }
}

/// Whether an address is a TCP port's: anything with a colon, or a number.
pub fn is_tcp(address: &str) -> bool {
    address.contains(':') || address.bytes().all(|byte| byte.is_ascii_digit())
}
