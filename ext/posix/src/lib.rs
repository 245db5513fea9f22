//! The `posix` extension: what the system says of processes, users, limits and terminals.
#![forbid(unsafe_code)]

mod accounts;
mod files;
mod limits;
mod process;

use accounts::*;
use files::*;
use limits::*;
use nix::errno::Errno;
use phlox_runtime::ConstValue::Int;
use phlox_runtime::{Call, ConstValue, Extension, FnDef, PhpResult, Val};
use process::*;
use std::cell::Cell;

const FUNCTIONS: &[FnDef] = &[
    FnDef::new("posix_kill(int $process_id, int $signal): bool", posix_kill),
    FnDef::new("posix_getpid(): int", posix_getpid),
    FnDef::new("posix_getppid(): int", posix_getppid),
    FnDef::new("posix_getuid(): int", posix_getuid),
    FnDef::new("posix_setuid(int $user_id): bool", posix_setuid),
    FnDef::new("posix_geteuid(): int", posix_geteuid),
    FnDef::new("posix_seteuid(int $user_id): bool", posix_seteuid),
    FnDef::new("posix_getgid(): int", posix_getgid),
    FnDef::new("posix_setgid(int $group_id): bool", posix_setgid),
    FnDef::new("posix_getegid(): int", posix_getegid),
    FnDef::new("posix_setegid(int $group_id): bool", posix_setegid),
    FnDef::new("posix_getgroups(): array|false", posix_getgroups),
    FnDef::new("posix_getlogin(): string|false", posix_getlogin),
    FnDef::new("posix_getpgrp(): int", posix_getpgrp),
    FnDef::new("posix_setsid(): int", posix_setsid),
    FnDef::new("posix_setpgid(int $process_id, int $process_group_id): bool", posix_setpgid),
    FnDef::new("posix_getpgid(int $process_id): int|false", posix_getpgid),
    FnDef::new("posix_getsid(int $process_id): int|false", posix_getsid),
    FnDef::new("posix_uname(): array|false", posix_uname),
    FnDef::new("posix_times(): array|false", posix_times),
    FnDef::new("posix_ctermid(): string|false", posix_ctermid),
    FnDef::new("posix_ttyname($file_descriptor): string|false", posix_ttyname),
    FnDef::new("posix_isatty($file_descriptor): bool", posix_isatty),
    FnDef::new("posix_getcwd(): string|false", posix_getcwd),
    FnDef::new("posix_mkfifo(string $filename, int $permissions): bool", posix_mkfifo),
    FnDef::new("posix_mknod(string $filename, int $flags, int $major = 0, int $minor = 0): bool", posix_mknod),
    FnDef::new("posix_access(string $filename, int $flags = 0): bool", posix_access),
    FnDef::new("posix_eaccess(string $filename, int $flags = 0): bool", posix_eaccess),
    FnDef::new("posix_getgrnam(string $name): array|false", posix_getgrnam),
    FnDef::new("posix_getgrgid(int $group_id): array|false", posix_getgrgid),
    FnDef::new("posix_getpwnam(string $username): array|false", posix_getpwnam),
    FnDef::new("posix_getpwuid(int $user_id): array|false", posix_getpwuid),
    FnDef::new("posix_getrlimit(?int $resource = null): array|false", posix_getrlimit),
    FnDef::new("posix_setrlimit(int $resource, int $soft_limit, int $hard_limit): bool", posix_setrlimit),
    FnDef::new("posix_get_last_error(): int", posix_get_last_error),
    FnDef::new("posix_errno(): int", posix_get_last_error),
    FnDef::new("posix_strerror(int $error_code): string", posix_strerror),
    FnDef::new("posix_initgroups(string $username, int $group_id): bool", posix_initgroups),
    FnDef::new("posix_sysconf(int $conf_id): int", posix_sysconf),
    FnDef::new("posix_pathconf(string $path, int $name): int|false", posix_pathconf),
    FnDef::new("posix_fpathconf($file_descriptor, int $name): int|false", posix_fpathconf),
];

const CONSTANTS: &[(&str, ConstValue)] = &[
    ("POSIX_F_OK", Int(0)),
    ("POSIX_X_OK", Int(1)),
    ("POSIX_W_OK", Int(2)),
    ("POSIX_R_OK", Int(4)),
    ("POSIX_S_IFREG", Int(32768)),
    ("POSIX_S_IFCHR", Int(8192)),
    ("POSIX_S_IFBLK", Int(24576)),
    ("POSIX_S_IFIFO", Int(4096)),
    ("POSIX_S_IFSOCK", Int(49152)),
    ("POSIX_RLIMIT_AS", Int(9)),
    ("POSIX_RLIMIT_CORE", Int(4)),
    ("POSIX_RLIMIT_CPU", Int(0)),
    ("POSIX_RLIMIT_DATA", Int(2)),
    ("POSIX_RLIMIT_FSIZE", Int(1)),
    ("POSIX_RLIMIT_LOCKS", Int(10)),
    ("POSIX_RLIMIT_MEMLOCK", Int(8)),
    ("POSIX_RLIMIT_MSGQUEUE", Int(12)),
    ("POSIX_RLIMIT_NICE", Int(13)),
    ("POSIX_RLIMIT_NOFILE", Int(7)),
    ("POSIX_RLIMIT_NPROC", Int(6)),
    ("POSIX_RLIMIT_RSS", Int(5)),
    ("POSIX_RLIMIT_RTPRIO", Int(14)),
    ("POSIX_RLIMIT_RTTIME", Int(15)),
    ("POSIX_RLIMIT_SIGPENDING", Int(11)),
    ("POSIX_RLIMIT_STACK", Int(3)),
    ("POSIX_RLIMIT_INFINITY", Int(-1)),
    ("POSIX_SC_ARG_MAX", Int(0)),
    ("POSIX_SC_CHILD_MAX", Int(1)),
    ("POSIX_SC_CLK_TCK", Int(2)),
    ("POSIX_SC_PAGESIZE", Int(30)),
    ("POSIX_SC_NPROCESSORS_CONF", Int(83)),
    ("POSIX_SC_NPROCESSORS_ONLN", Int(84)),
    ("POSIX_PC_LINK_MAX", Int(0)),
    ("POSIX_PC_MAX_CANON", Int(1)),
    ("POSIX_PC_MAX_INPUT", Int(2)),
    ("POSIX_PC_NAME_MAX", Int(3)),
    ("POSIX_PC_PATH_MAX", Int(4)),
    ("POSIX_PC_PIPE_BUF", Int(5)),
    ("POSIX_PC_CHOWN_RESTRICTED", Int(6)),
    ("POSIX_PC_NO_TRUNC", Int(7)),
    ("POSIX_PC_ALLOC_SIZE_MIN", Int(18)),
    ("POSIX_PC_SYMLINK_MAX", Int(19)),
];

pub static EXTENSION: Extension = Extension {
    name: "posix",
    functions: &[FUNCTIONS],
    classes: &[],
    constants: &[CONSTANTS],
    ini: &[],
    startup: None,
    shutdown: None,
};

/// The error of the last function that failed.
#[derive(Default)]
struct LastError(Cell<i32>);

fn remember(call: &Call<'_>, error: Errno) {
    call.vm.data::<LastError>("posix").0.set(error as i32);
}

/// What the system answered, or false.
fn answer<T>(call: &Call<'_>, result: nix::Result<T>, show: impl FnOnce(T) -> Val) -> PhpResult<Val> {
    Ok(match result {
        Ok(value) => show(value),
        Err(error) => {
            remember(call, error);
            Val::FALSE
        }
    })
}

/// For functions that only do something.
fn done<T>(call: &Call<'_>, result: nix::Result<T>) -> PhpResult<Val> {
    answer(call, result, |_| Val::TRUE)
}

fn posix_get_last_error(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(call.vm.data::<LastError>("posix").0.get().into()))
}

fn posix_strerror(call: &mut Call<'_>) -> PhpResult<Val> {
    let code = call.int(0) as i32;
    let text = std::io::Error::from_raw_os_error(code).to_string();
    let text = text.strip_suffix(&format!(" (os error {code})")).unwrap_or(&text);
    Ok(Val::str(text.as_bytes()))
}
