//! Functions and methods that are not called, and why.

/// Functions by the reason not to call them.
const FUNCTIONS: &[(&str, &[&str])] = &[
    ("they end the script", &["exit", "die"]),
    (
        "they wait",
        &[
            "sleep",
            "usleep",
            "time_nanosleep",
            "time_sleep_until",
            "readline",
            "readline_callback_read_char",
            "stream_select",
            "stream_socket_accept",
            "pcntl_wait",
            "pcntl_waitpid",
            "pcntl_waitid",
            "pcntl_sigwaitinfo",
            "pcntl_sigtimedwait",
            "flock",
            "stream_set_blocking",
            "socket_set_blocking",
            "curl_multi_select",
            "session_start",
            "stream_socket_pair",
        ],
    ),
    (
        "they start, end or change processes",
        &[
            "exec",
            "system",
            "passthru",
            "shell_exec",
            "popen",
            "proc_open",
            "proc_terminate",
            "proc_nice",
            "pcntl_fork",
            "pcntl_exec",
            "pcntl_alarm",
            "pcntl_unshare",
            "pcntl_setns",
            "pcntl_setpriority",
            "pcntl_setcpuaffinity",
            "pcntl_sigprocmask",
            "pcntl_signal",
            "posix_kill",
            "posix_setuid",
            "posix_seteuid",
            "posix_setgid",
            "posix_setegid",
            "posix_setsid",
            "posix_setpgid",
            "posix_setrlimit",
            "posix_initgroups",
            "chroot",
            "dl",
            "set_time_limit",
            "cli_set_process_title",
        ],
    ),
    (
        "they ask the network or other programs",
        &[
            "mail",
            "mb_send_mail",
            "dns_check_record",
            "checkdnsrr",
            "dns_get_record",
            "dns_get_mx",
            "getmxrr",
            "gethostbyname",
            "gethostbynamel",
            "gethostbyaddr",
            "fsockopen",
            "pfsockopen",
            "stream_socket_client",
            "stream_socket_server",
            "stream_socket_enable_crypto",
            "curl_exec",
            "curl_multi_exec",
            "get_headers",
            "openlog",
            "syslog",
            "closelog",
        ],
    ),
    (
        "they change files outside of what open_basedir guards",
        &[
            "posix_mkfifo",
            "posix_mknod",
            "readline_write_history",
            "error_log",
            "curl_setopt",
            "curl_setopt_array",
            "umask",
        ],
    ),
    (
        "what they say depends on the machine, on chance and on what the engine was told",
        &[
            "getenv",
            "phpinfo",
            "phpcredits",
            "pcntl_getcpu",
            "memory_get_usage",
            "memory_get_peak_usage",
            "getrusage",
            "get_defined_constants",
            "ini_get_all",
            "array_rand",
            "gc_status",
            "get_resources",
            "realpath_cache_get",
            "realpath_cache_size",
            "posix_times",
        ],
    ),
    (
        "they change how all that follows is shown",
        &[
            "ini_set",
            "ini_alter",
            "ini_restore",
            "error_reporting",
            "ob_implicit_flush",
            "setlocale",
            "header_register_callback",
        ],
    ),
];

/// Methods by the reason not to call them.
const METHODS: &[(&str, &[&str])] = &[
    ("it waits", &["SplFileObject::flock", "SplTempFileObject::flock"]),
    (
        "what it says of nodes that have nothing to do with each other depends on where they are in memory",
        &["compareDocumentPosition"],
    ),
    (
        "it loads code of another program",
        &["SQLite3::loadExtension", "PDO::loadExtension", "Pdo\\Sqlite::loadExtension"],
    ),
];

/// May this function be called?
pub fn allows_function(name: &str) -> bool {
    !FUNCTIONS.iter().any(|(_, names)| names.contains(&name))
}

/// May this method be called?
pub fn allows_method(class: &str, method: &str) -> bool {
    let name = format!("{class}::{method}");
    !METHODS.iter().any(|(_, names)| names.contains(&name.as_str()) || names.contains(&method))
}

/// The functions that the engines are configured to refuse, because their names may be reached indirectly.
pub fn disabled() -> String {
    // The prelude itself says how things are shown, and nothing can refuse `exit`.
    let guarded = &FUNCTIONS[1..FUNCTIONS.len() - 2];
    let names: Vec<&str> = guarded.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    names.join(",")
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_found() {
        assert!(!super::allows_function("sleep") && super::allows_function("strlen"));
        assert!(!super::allows_method("SplFileObject", "flock"));
        assert!(super::disabled().contains("posix_kill"));
        assert!(!super::disabled().contains("error_reporting") && !super::disabled().contains("die"));
    }
}
