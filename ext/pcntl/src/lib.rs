//! The `pcntl` extension: children, signals, priorities. What the system does is `phlox-process`'s.
#![forbid(unsafe_code)]

mod children;
mod constants;
mod machine;
mod signals;

use children::*;
use machine::*;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, Extension, FnDef, NativeClass, PhpResult, Val, Vm};
use signals::*;
use std::cell::Cell;

const FUNCTIONS: &[FnDef] = &[
    FnDef::new("pcntl_fork(): int", pcntl_fork),
    FnDef::new("pcntl_waitpid(int $process_id, &$status, int $flags = 0, &$resource_usage = []): int", pcntl_waitpid),
    FnDef::new(
        "pcntl_waitid(int $idtype = P_ALL, ?int $id = null, &$info = [], int $flags = WEXITED): bool",
        pcntl_waitid,
    ),
    FnDef::new("pcntl_wait(&$status, int $flags = 0, &$resource_usage = []): int", pcntl_wait),
    FnDef::new("pcntl_signal(int $signal, $handler, bool $restart_syscalls = true): bool", pcntl_signal),
    FnDef::new("pcntl_signal_get_handler(int $signal)", pcntl_signal_get_handler),
    FnDef::new("pcntl_signal_dispatch(): bool", pcntl_signal_dispatch),
    FnDef::new("pcntl_sigprocmask(int $mode, array $signals, &$old_signals = null): bool", pcntl_sigprocmask),
    FnDef::new("pcntl_sigwaitinfo(array $signals, &$info = []): int|false", pcntl_sigwaitinfo),
    FnDef::new(
        "pcntl_sigtimedwait(array $signals, &$info = [], int $seconds = 0, int $nanoseconds = 0): int|false",
        pcntl_sigtimedwait,
    ),
    FnDef::new("pcntl_wifexited(int $status): bool", pcntl_wifexited),
    FnDef::new("pcntl_wifstopped(int $status): bool", pcntl_wifstopped),
    FnDef::new("pcntl_wifcontinued(int $status): bool", pcntl_wifcontinued),
    FnDef::new("pcntl_wifsignaled(int $status): bool", pcntl_wifsignaled),
    FnDef::new("pcntl_wexitstatus(int $status): int|false", pcntl_wexitstatus),
    FnDef::new("pcntl_wtermsig(int $status): int|false", pcntl_wtermsig),
    FnDef::new("pcntl_wstopsig(int $status): int|false", pcntl_wstopsig),
    FnDef::new("pcntl_exec(string $path, array $args = [], array $env_vars = []): bool", pcntl_exec),
    FnDef::new("pcntl_alarm(int $seconds): int", pcntl_alarm),
    FnDef::new("pcntl_get_last_error(): int", pcntl_get_last_error),
    FnDef::new("pcntl_errno(): int", pcntl_errno),
    FnDef::new("pcntl_getpriority(?int $process_id = null, int $mode = PRIO_PROCESS): int|false", pcntl_getpriority),
    FnDef::new(
        "pcntl_setpriority(int $priority, ?int $process_id = null, int $mode = PRIO_PROCESS): bool",
        pcntl_setpriority,
    ),
    FnDef::new("pcntl_strerror(int $error_code): string", pcntl_strerror),
    FnDef::new("pcntl_async_signals(?bool $enable = null): bool", pcntl_async_signals),
    FnDef::new("pcntl_unshare(int $flags): bool", pcntl_unshare),
    FnDef::new("pcntl_setns(?int $process_id = null, int $nstype = CLONE_NEWNET): bool", pcntl_setns),
    FnDef::new("pcntl_getcpuaffinity(?int $process_id = null): array|false", pcntl_getcpuaffinity),
    FnDef::new("pcntl_setcpuaffinity(?int $process_id = null, array $cpu_ids = []): bool", pcntl_setcpuaffinity),
    FnDef::new("pcntl_getcpu(): int", pcntl_getcpu),
];

const CLASSES: &[NativeClass] = &[NativeClass {
    name: "Pcntl\\QosClass",
    decl: include_str!("../stubs/Pcntl/QosClass.stub.php"),
    methods: &[],
    hooks: NativeHooks::NONE,
}];

pub static EXTENSION: Extension = Extension {
    name: "pcntl",
    functions: &[FUNCTIONS],
    classes: &[CLASSES],
    constants: &[constants::CONSTANTS],
    ini: &[],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    signals::watch(vm);
}

/// The error of the last function that failed.
#[derive(Default)]
struct LastError(Cell<i32>);

fn remember(call: &Call<'_>, error: i32) {
    call.vm.data::<LastError>("pcntl").0.set(error);
}

/// The system's text of an error.
fn error_text(code: i32) -> String {
    let text = std::io::Error::from_raw_os_error(code).to_string();
    text.strip_suffix(&format!(" (os error {code})")).unwrap_or(&text).to_owned()
}

/// Remembers an error, warns and gives false.
fn failed(call: &Call<'_>, error: i32, text: &str) -> PhpResult<Val> {
    remember(call, error);
    call.warning(text)?;
    Ok(Val::FALSE)
}

fn pcntl_get_last_error(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(call.vm.data::<LastError>("pcntl").0.get().into()))
}

fn pcntl_errno(call: &mut Call<'_>) -> PhpResult<Val> {
    pcntl_get_last_error(call)
}

fn pcntl_strerror(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(error_text(call.int(0) as i32).as_str().into())
}
