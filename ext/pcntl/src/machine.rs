//! What of the machine a process gets: priority, processors, namespaces.

use crate::{failed, remember};
use nix::errno::Errno;
use nix::sched::{self, CloneFlags, CpuSet};
use nix::unistd::Pid;
use phlox_runtime::{Call, PhpArr, PhpResult, Val, convert};

const USER: i64 = 2;

fn process(call: &Call<'_>, index: usize) -> i64 {
    call.opt_int(index).unwrap_or_else(|| std::process::id().into())
}

pub fn pcntl_getpriority(call: &mut Call<'_>) -> PhpResult<Val> {
    let (who, kind) = (process(call, 0), call.int(1));
    if !(0..=USER).contains(&kind) {
        return Err(call.value_error(1, "must be one of PRIO_PGRP, PRIO_USER, or PRIO_PROCESS"));
    }
    match phlox_process::get_priority(kind as u32, who as u32) {
        Ok(priority) => Ok(Val::int(priority.into())),
        Err(error) if error == Errno::ESRCH as i32 => {
            failed(call, error, &format!("Error {error}: No process was located using the given parameters"))
        }
        Err(error) => failed(call, error, &format!("Unknown error {error} has occurred")),
    }
}

pub fn pcntl_setpriority(call: &mut Call<'_>) -> PhpResult<Val> {
    let (priority, who, kind) = (call.int(0), process(call, 1), call.int(2));
    if !(0..=USER).contains(&kind) {
        return Err(call.value_error(2, "must be one of PRIO_PGRP, PRIO_USER, or PRIO_PROCESS"));
    }
    call.vm.before_change("process priority", || {
        let before = phlox_process::get_priority(kind as u32, who as u32);
        // Only a privileged process may raise a priority again.
        Box::new(move || _ = before.and_then(|before| phlox_process::set_priority(kind as u32, who as u32, before)))
    });
    let mut done = phlox_process::set_priority(kind as u32, who as u32, priority as i32);
    const PROCESS: i64 = 0;
    if done.is_ok() && kind == PROCESS && (who == 0 || who as u32 == std::process::id()) {
        // That was one thread; the process is all of them.
        let mut threads = phlox_process::threads().into_iter();
        done = threads.try_for_each(|thread| phlox_process::set_priority(kind as u32, thread, priority as i32));
    }
    let Err(error) = done else { return Ok(Val::TRUE) };
    let text = match Errno::from_raw(error) {
        Errno::ESRCH => format!("Error {error}: No process was located using the given parameters"),
        Errno::EPERM => format!(
            "Error {error}: A process was located, but neither its effective nor real user ID matched the effective \
             user ID of the caller"
        ),
        Errno::EACCES => {
            format!("Error {error}: Only a super user may attempt to increase the process priority")
        }
        _ => format!("Unknown error {error} has occurred"),
    };
    failed(call, error, &text)
}

pub fn pcntl_unshare(call: &mut Call<'_>) -> PhpResult<Val> {
    let flags = CloneFlags::from_bits(call.int(0) as i32).ok_or(Errno::EINVAL);
    let Err(error) = flags.and_then(sched::unshare) else { return Ok(Val::TRUE) };
    let number = error as i32;
    let text = match error {
        Errno::EINVAL => {
            remember(call, number);
            let text = "must be a combination of CLONE_* flags, or at least one flag is unsupported by the kernel";
            return Err(call.value_error(0, text));
        }
        Errno::ENOMEM => format!("Error {number}: Insufficient memory for unshare"),
        Errno::EPERM => format!("Error {number}: No privilege to use these flags"),
        Errno::ENOSPC => {
            format!("Error {number}: Reached the maximum nesting limit for one of the specified namespaces")
        }
        Errno::EUSERS => format!("Error {number}: Reached the maximum nesting limit for the user namespace"),
        _ => format!("Unknown error {number} has occurred"),
    };
    failed(call, number, &text)
}

pub fn pcntl_setns(call: &mut Call<'_>) -> PhpResult<Val> {
    let (pid, kind) = (process(call, 0), call.int(1));
    // The directory of the process stands for its number.
    let Ok(folder) = std::fs::File::open(format!("/proc/{pid}/ns/{}", namespace_file(kind))) else {
        remember(call, Errno::ESRCH as i32);
        return Err(call.value_error(0, &format!("is not a valid process ({pid})")));
    };
    let flags = CloneFlags::from_bits(kind as i32).ok_or(Errno::EINVAL);
    let Err(error) = flags.and_then(|flags| sched::setns(folder, flags)) else { return Ok(Val::TRUE) };
    let number = error as i32;
    match error {
        Errno::ESRCH => {
            remember(call, number);
            Err(call.value_error(0, &format!("process no longer available ({pid})")))
        }
        Errno::EINVAL => {
            remember(call, number);
            Err(call.value_error(1, &format!("is an invalid nstype ({kind})")))
        }
        Errno::EPERM => failed(call, number, &format!("Error {number}: No required capability for this process")),
        _ => failed(call, number, &format!("Error {number}")),
    }
}

/// The file in `/proc/PID/ns` of a kind of namespace.
fn namespace_file(kind: i64) -> &'static str {
    match CloneFlags::from_bits_truncate(kind as i32) {
        CloneFlags::CLONE_NEWNS => "mnt",
        CloneFlags::CLONE_NEWIPC => "ipc",
        CloneFlags::CLONE_NEWUTS => "uts",
        CloneFlags::CLONE_NEWPID => "pid",
        CloneFlags::CLONE_NEWUSER => "user",
        CloneFlags::CLONE_NEWCGROUP => "cgroup",
        _ => "net",
    }
}

fn affinity_failed(call: &Call<'_>, error: Errno, pid: i64, setting: bool) -> PhpResult<Val> {
    let number = error as i32;
    match error {
        Errno::ESRCH => {
            remember(call, number);
            Err(call.value_error(0, &format!("invalid process ({pid})")))
        }
        Errno::EPERM => failed(call, number, "Calling process not having the proper privileges"),
        Errno::EINVAL if setting => {
            remember(call, number);
            Err(call.value_error(1, "invalid cpu affinity mask size or unmapped cpu id(s)"))
        }
        Errno::EINVAL => {
            remember(call, number);
            Err(call.vm.throw_value_error(b"invalid cpu affinity mask size"))
        }
        _ => failed(call, number, &format!("Error {number}")),
    }
}

pub fn pcntl_getcpuaffinity(call: &mut Call<'_>) -> PhpResult<Val> {
    let pid = call.opt_int(0).unwrap_or(0);
    match sched::sched_getaffinity(Pid::from_raw(pid as i32)) {
        Ok(set) => {
            let numbers = (0..CpuSet::count()).filter(|&number| set.is_set(number) == Ok(true));
            let numbers: PhpArr = numbers.map(|number| Val::int(number as i64)).collect();
            Ok(numbers.into())
        }
        Err(error) => affinity_failed(call, error, pid, false),
    }
}

pub fn pcntl_setcpuaffinity(call: &mut Call<'_>) -> PhpResult<Val> {
    let (pid, given) = (call.opt_int(0).unwrap_or(0), call.arg(1));
    let processors = nix::unistd::sysconf(nix::unistd::SysconfVar::_NPROCESSORS_CONF).ok().flatten().unwrap_or(1);
    let mut set = CpuSet::new();
    let mut any = false;
    for value in given.as_arr().into_iter().flat_map(PhpArr::values) {
        let number = match (value.as_int(), value.as_str()) {
            (Some(number), _) => number,
            (None, Some(text)) => match std::str::from_utf8(text).ok().and_then(|text| text.trim().parse().ok()) {
                Some(number) => number,
                None => return Err(call.value_error(1, &format!("cpu id invalid value ({text})"))),
            },
            _ => {
                let given = convert::value_name(value);
                return Err(call.type_error(1, &format!("value must be of type int|string, {given} given")));
            }
        };
        if number < 0 || number >= processors || set.set(number as usize).is_err() {
            return Err(call.value_error(1, &format!("cpu id must be between 0 and {processors} ({number})")));
        }
        any = true;
    }
    if !any {
        return Err(call.value_error(1, "must not be empty"));
    }
    match sched::sched_setaffinity(Pid::from_raw(pid as i32), &set) {
        Ok(()) => Ok(Val::TRUE),
        Err(error) => affinity_failed(call, error, pid, true),
    }
}

pub fn pcntl_getcpu(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(sched::sched_getcpu().map_or(-1, |number| number as i64)))
}
