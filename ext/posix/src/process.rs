//! Processes, their groups and sessions, and the system they run on.
use crate::{answer, done};
use nix::errno::Errno;
use nix::sys::signal::{self, Signal};
use nix::unistd::{self, Gid, Pid, Uid};
use phlox_runtime::{Call, PhpArr, PhpResult, Val};

fn pid(call: &Call<'_>, index: usize) -> Pid {
    Pid::from_raw(call.int(index) as i32)
}

fn show_pid(pid: Pid) -> Val {
    Val::int(pid.as_raw().into())
}

pub fn posix_kill(call: &mut Call<'_>) -> PhpResult<Val> {
    let result = match call.int(1) as i32 {
        0 => signal::kill(pid(call, 0), None),
        number => Signal::try_from(number).and_then(|signal| signal::kill(pid(call, 0), signal)),
    };
    if phlox_runtime::interrupt::is_raised(phlox_runtime::interrupt::SIGNAL) {
        call.vm.handle_signals()?;
    }
    done(call, result)
}

pub fn posix_getpid(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(show_pid(unistd::getpid()))
}

pub fn posix_getppid(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(show_pid(unistd::getppid()))
}

pub fn posix_getuid(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(unistd::getuid().as_raw().into()))
}

pub fn posix_geteuid(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(unistd::geteuid().as_raw().into()))
}

pub fn posix_getgid(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(unistd::getgid().as_raw().into()))
}

pub fn posix_getegid(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(unistd::getegid().as_raw().into()))
}

pub fn posix_setuid(call: &mut Call<'_>) -> PhpResult<Val> {
    done(call, unistd::setuid(Uid::from_raw(call.int(0) as u32)))
}

pub fn posix_seteuid(call: &mut Call<'_>) -> PhpResult<Val> {
    done(call, unistd::seteuid(Uid::from_raw(call.int(0) as u32)))
}

pub fn posix_setgid(call: &mut Call<'_>) -> PhpResult<Val> {
    done(call, unistd::setgid(Gid::from_raw(call.int(0) as u32)))
}

pub fn posix_setegid(call: &mut Call<'_>) -> PhpResult<Val> {
    done(call, unistd::setegid(Gid::from_raw(call.int(0) as u32)))
}

pub fn posix_getpgrp(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(show_pid(unistd::getpgrp()))
}

/// -1 on failure, as this one is declared to give a number.
pub fn posix_setsid(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(match unistd::setsid() {
        Ok(session) => show_pid(session),
        Err(error) => {
            crate::remember(call, error);
            Val::int(-1)
        }
    })
}

pub fn posix_setpgid(call: &mut Call<'_>) -> PhpResult<Val> {
    done(call, unistd::setpgid(pid(call, 0), pid(call, 1)))
}

pub fn posix_getpgid(call: &mut Call<'_>) -> PhpResult<Val> {
    answer(call, unistd::getpgid(Some(pid(call, 0))), show_pid)
}

pub fn posix_getsid(call: &mut Call<'_>) -> PhpResult<Val> {
    answer(call, unistd::getsid(Some(pid(call, 0))), show_pid)
}

pub fn posix_uname(call: &mut Call<'_>) -> PhpResult<Val> {
    use std::os::unix::ffi::OsStrExt;
    answer(call, nix::sys::utsname::uname(), |name| {
        let mut array = PhpArr::new();
        array.set_bytes(b"sysname", Val::str(name.sysname().as_bytes()));
        array.set_bytes(b"nodename", Val::str(name.nodename().as_bytes()));
        array.set_bytes(b"release", Val::str(name.release().as_bytes()));
        array.set_bytes(b"version", Val::str(name.version().as_bytes()));
        array.set_bytes(b"machine", Val::str(name.machine().as_bytes()));
        array.set_bytes(b"domainname", Val::str(name.domainname().as_bytes()));
        array.into()
    })
}

/// Processor time of this process and of the children that it waited for, in ticks of a hundredth of a second.
pub fn posix_times(call: &mut Call<'_>) -> PhpResult<Val> {
    let times = || {
        let own = std::fs::read_to_string("/proc/self/stat").ok()?;
        let up = std::fs::read_to_string("/proc/uptime").ok()?;
        // The name of the program, which may hold anything, ends at the last parenthesis.
        let fields: Vec<i64> =
            own.rsplit_once(')')?.1.split_whitespace().skip(11).take(4).flat_map(str::parse).collect();
        let ticks = (up.split_whitespace().next()?.parse::<f64>().ok()? * 100.0) as i64;
        let [user, system, child_user, child_system] = fields[..] else { return None };
        Some([ticks, user, system, child_user, child_system])
    };
    answer(call, times().ok_or(Errno::ENOSYS), |times| {
        let names = [&b"ticks"[..], b"utime", b"stime", b"cutime", b"cstime"];
        let mut array = PhpArr::new();
        for (name, value) in names.into_iter().zip(times) {
            array.set_bytes(name, Val::int(value));
        }
        array.into()
    })
}
