//! Making children, waiting for them, and becoming another program.

use crate::{error_text, failed, remember};
use phlox_process::{SignalInfo, Usage};
use phlox_runtime::{Call, PhpArr, PhpResult, Val, convert};
use std::ffi::CString;

pub fn pcntl_fork(call: &mut Call<'_>) -> PhpResult<Val> {
    // What is written so far must not leave through both processes.
    call.vm.output.flush_raw();
    match phlox_process::fork() {
        Ok(child) => Ok(Val::int(child.unwrap_or(0).into())),
        Err(error) => {
            remember(call, error);
            call.warning(&format!("Error {error}: {}", error_text(error)))?;
            Ok(Val::int(-1))
        }
    }
}

fn usage_array(usage: &Usage) -> PhpArr {
    let mut array = PhpArr::new();
    for (name, value) in usage {
        array.set_bytes(name.as_bytes(), Val::int(*value));
    }
    array
}

/// Waits, and tells the status and what the child used through the parameters.
fn wait(call: &mut Call<'_>, pid: i32, status: usize, options: i64, usage: usize) -> PhpResult<Val> {
    call.vm.output.before_waiting();
    let given = convert::to_int(call.vm, &call.arg(status))?;
    let (child, found, used) = match phlox_process::wait(pid, options as i32) {
        Ok((child, found, used)) => (child, i64::from(found), Some(used)),
        Err(error) => {
            remember(call, error);
            (-1, given, None)
        }
    };
    if call.was_passed(usage) {
        let used = used.filter(|_| child > 0);
        call.assign(usage, used.map_or_else(PhpArr::new, |used| usage_array(&used)).into())?;
    }
    call.assign(status, Val::int(if child > 0 { found } else { given }))?;
    Ok(Val::int(child.into()))
}

pub fn pcntl_waitpid(call: &mut Call<'_>) -> PhpResult<Val> {
    let (pid, options) = (call.int(0) as i32, call.int(2));
    wait(call, pid, 1, options, 3)
}

pub fn pcntl_wait(call: &mut Call<'_>) -> PhpResult<Val> {
    let options = call.int(1);
    wait(call, -1, 0, options, 2)
}

pub fn pcntl_waitid(call: &mut Call<'_>) -> PhpResult<Val> {
    let (kind, id, options) = (call.int(0), call.opt_int(1).unwrap_or(0), call.int(3));
    match phlox_process::wait_id(kind as u32, id as u32, options as i32) {
        Ok(info) => {
            if call.was_passed(2) {
                call.assign(2, info_array(&info).into())?;
            }
            Ok(Val::TRUE)
        }
        Err(error) => {
            remember(call, error);
            Ok(Val::FALSE)
        }
    }
}

/// What handlers and waiting functions tell of a signal.
pub fn info_array(info: &SignalInfo) -> PhpArr {
    const SIGCHLD: i32 = 17;
    const BY_USER: i32 = 0;
    const QUEUED: i32 = -1;
    let mut array = PhpArr::new();
    let mut set = |name: &[u8], value: i64| array.set_bytes(name, Val::int(value));
    set(b"signo", info.signal.into());
    set(b"errno", info.errno.into());
    set(b"code", info.code.into());
    if info.signal == SIGCHLD {
        set(b"status", info.status.into());
        set(b"pid", info.pid.into());
        set(b"uid", info.uid.into());
    } else if matches!(info.code, BY_USER | QUEUED | -6) {
        set(b"pid", info.pid.into());
        set(b"uid", info.uid.into());
    }
    array
}

fn status(call: &Call<'_>) -> i32 {
    call.int(0) as i32
}

fn signal_of(status: i32) -> i32 {
    status & 0x7f
}

fn is_exited(status: i32) -> bool {
    signal_of(status) == 0
}

fn is_stopped(status: i32) -> bool {
    status & 0xff == 0x7f
}

fn is_signaled(status: i32) -> bool {
    // As C's macro: all of the low bits say that it was stopped or goes on.
    !matches!(status & 0x7f, 0 | 0x7f)
}

fn upper(status: i32) -> i64 {
    i64::from(status >> 8 & 0xff)
}

pub fn pcntl_wifexited(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(is_exited(status(call)).into())
}

pub fn pcntl_wifstopped(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(is_stopped(status(call)).into())
}

pub fn pcntl_wifcontinued(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok((status(call) == 0xffff).into())
}

pub fn pcntl_wifsignaled(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(is_signaled(status(call)).into())
}

pub fn pcntl_wexitstatus(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(upper(status(call))))
}

pub fn pcntl_wtermsig(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(signal_of(status(call)).into()))
}

pub fn pcntl_wstopsig(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(upper(status(call))))
}

/// The values of a list as text for the system.
fn texts(call: &Call<'_>, index: usize, with_keys: bool) -> PhpResult<Vec<CString>> {
    let given = call.arg(index);
    let mut texts = Vec::new();
    for (key, value) in given.as_arr().into_iter().flat_map(PhpArr::iter) {
        let text = convert::to_str(call.vm, value)?;
        let mut whole = Vec::new();
        if with_keys {
            match key {
                phlox_runtime::Key::Int(number) => whole.extend_from_slice(number.to_string().as_bytes()),
                phlox_runtime::Key::Str(name) => whole.extend_from_slice(name),
            }
            whole.push(b'=');
        }
        whole.extend_from_slice(&text);
        // The system's texts end at the first null byte.
        whole.truncate(whole.iter().position(|&byte| byte == 0).unwrap_or(whole.len()));
        texts.extend(CString::new(whole));
    }
    Ok(texts)
}

pub fn pcntl_exec(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    let Ok(path) = CString::new(path.to_vec()) else { return Ok(Val::FALSE) };
    let mut arguments = vec![path.clone()];
    arguments.extend(texts(call, 1, false)?);
    let environment = if call.was_passed(2) { Some(texts(call, 2, true)?) } else { None };
    call.vm.output.flush_raw();
    let Err(error) = match environment {
        Some(environment) => nix::unistd::execve(&path, &arguments, &environment),
        None => nix::unistd::execv(&path, &arguments),
    };
    let error = error as i32;
    failed(call, error, &format!("Error has occurred: (errno {error}) {}", error_text(error)))
}
