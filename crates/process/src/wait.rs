//! Waiting for children, and the resources that a process uses.

use crate::last_error;
use crate::signals::{SignalInfo, describe};
use std::mem::zeroed;

/// The resources that a child or the process has used: the fields of `struct rusage`, under the system's names.
pub type Usage = Vec<(&'static str, i64)>;

/// Waits for a child: gives its id (0: none has ended yet), its status and its resources. The error is the system's number.
pub fn wait(pid: i32, options: i32) -> Result<(i32, i32, Usage), i32> {
    let mut status = 0;
    // SAFETY: the structure is zeroed, lies in this frame, and is used only if the call has succeeded (rule 3 of SAFETY.md).
    let (child, usage) = unsafe {
        let mut usage: libc::rusage = zeroed();
        (libc::wait4(pid, &mut status, options, &mut usage), usage)
    };
    if child < 0 { Err(last_error()) } else { Ok((child, status, fields(&usage))) }
}

/// The resources that this process has used, or its children that were waited for. `None`: the system has refused.
pub fn usage(of_children: bool) -> Option<Usage> {
    let who = if of_children { libc::RUSAGE_CHILDREN } else { libc::RUSAGE_SELF };
    // SAFETY: the structure is zeroed, lies in this frame, and is read only if the call has succeeded (rule 3 of SAFETY.md).
    unsafe {
        let mut usage: libc::rusage = zeroed();
        (libc::getrusage(who, &mut usage) == 0).then(|| fields(&usage))
    }
}

/// Microseconds of processor time of this process and of the children that it has waited for: their own, and the system's for
/// them. As exact as the system's clock ticks.
pub fn processor_time() -> (u64, u64) {
    // SAFETY: the structure is zeroed and lies in this frame; `sysconf` takes a number.
    let (times, ticks) = unsafe {
        let mut times: libc::tms = zeroed();
        libc::times(&mut times);
        (times, libc::sysconf(libc::_SC_CLK_TCK))
    };
    let micros = |own: libc::clock_t, children: libc::clock_t| {
        u64::try_from(own.saturating_add(children)).unwrap_or(0) * 1_000_000 / u64::try_from(ticks).unwrap_or(0).max(1)
    };
    (micros(times.tms_utime, times.tms_cutime), micros(times.tms_stime, times.tms_cstime))
}

fn fields(usage: &libc::rusage) -> Usage {
    vec![
        ("ru_oublock", usage.ru_oublock),
        ("ru_inblock", usage.ru_inblock),
        ("ru_msgsnd", usage.ru_msgsnd),
        ("ru_msgrcv", usage.ru_msgrcv),
        ("ru_maxrss", usage.ru_maxrss),
        ("ru_ixrss", usage.ru_ixrss),
        ("ru_idrss", usage.ru_idrss),
        ("ru_minflt", usage.ru_minflt),
        ("ru_majflt", usage.ru_majflt),
        ("ru_nsignals", usage.ru_nsignals),
        ("ru_nvcsw", usage.ru_nvcsw),
        ("ru_nivcsw", usage.ru_nivcsw),
        ("ru_nswap", usage.ru_nswap),
        ("ru_utime.tv_usec", usage.ru_utime.tv_usec),
        ("ru_utime.tv_sec", usage.ru_utime.tv_sec),
        ("ru_stime.tv_usec", usage.ru_stime.tv_usec),
        ("ru_stime.tv_sec", usage.ru_stime.tv_sec),
    ]
}

/// `waitid`: what has happened to a child. The error is the system's number.
pub fn wait_id(kind: u32, id: u32, options: i32) -> Result<SignalInfo, i32> {
    // SAFETY: the structure is zeroed, lies in this frame, and is read only if the call has succeeded (rule 3 of SAFETY.md).
    unsafe {
        let mut info: libc::siginfo_t = zeroed();
        if libc::waitid(kind, id, &mut info, options) == 0 { Ok(describe(&info)) } else { Err(last_error()) }
    }
}

/// The priority of a process, a group or a user. The error is the system's number.
pub fn get_priority(which: u32, who: u32) -> Result<i32, i32> {
    // SAFETY: the calls take plain numbers; a priority can be -1, so the error's number is cleared first.
    unsafe {
        *libc::__errno_location() = 0;
        let priority = libc::getpriority(which, who);
        let error = *libc::__errno_location();
        if priority == -1 && error != 0 { Err(error) } else { Ok(priority) }
    }
}

/// Sets the priority of a process, a group or a user. The error is the system's number.
pub fn set_priority(which: u32, who: u32, priority: i32) -> Result<(), i32> {
    // SAFETY: `setpriority` takes plain numbers and touches no memory of this program.
    if unsafe { libc::setpriority(which, who, priority) } == 0 { Ok(()) } else { Err(last_error()) }
}
